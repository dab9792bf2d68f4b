/** What scripts/dev does, once there is a Node to run it. */

import { join } from "node:path";
import { parseArguments } from "./arguments.mjs";
import { buildCompanion, buildWorker, setUp } from "./build.mjs";
import { runChild, stopSignal } from "./child.mjs";
import { commandEnvironment } from "./environment.mjs";
import { instructions, macTrust, USAGE } from "./messages.mjs";
import { refuseUnusablePlaces } from "./places.mjs";
import { Refusal, run } from "./refusal.mjs";
import { ROOT } from "./root.mjs";

await run(async () => {
  const options = parseArguments(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  await refuseUnusablePlaces(options);
  await setUp();
  // Only now are npm's packages there for sure.
  const { refuseWhatIsTaken, serve } = await import("./server.mjs");
  await refuseWhatIsTaken(options);
  const companionDirectory = await buildCompanion();
  await buildWorker();
  const server = await serve(options);
  try {
    const environment = commandEnvironment(server, companionDirectory);
    const sample = options.empty ? undefined : await publishSample(server, environment);
    return await (options.command ? runCommand(options.command, server, environment) : waitForStop(server, sample, companionDirectory));
  } finally {
    await server.stop();
  }
});

async function runCommand(command, server, environment) {
  if (process.platform === "darwin") console.error(macTrust(server));
  const { status } = await runChild(command, { stdio: "inherit", env: environment });
  return status;
}

async function waitForStop(server, sample, companionDirectory) {
  const stop = stopSignal();
  console.log(instructions(server, sample, companionDirectory));
  await stop;
  return 0;
}

/** Publishes the sample provider into what `server` serves. @returns {Promise<{namespace, type, version}>} */
async function publishSample(server, environment) {
  const script = join(ROOT, "scripts/local/publish-sample.sh");
  const stdio = ["ignore", "pipe", "inherit"];
  const { status, output } = await runChild([script, server.state], { stdio, env: environment });
  if (status !== 0) throw new Refusal(`the sample could not be published: see above, or pass --empty`, 2);
  return JSON.parse(output);
}
