/** The companion: time and memory to verify a release, beside what reads the same files and proves less. */

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { buildCompanion } from "../local/build.mjs";
import { runExample } from "./example.mjs";
import { MEMORY_BUDGET, runOnce, summarise } from "./program.mjs";
import { withTemporaryDirectory } from "./temporary.mjs";

/** How long verification may take, in units of what `sha256sum` and `unzip -t` take together. */
const TIME_BUDGET = 1.5;

/** @param {import("./plan.mjs").Plan} plan @param {(text: string) => void} say */
export async function measureCompanion(plan, say) {
  const yuba = join(await buildCompanion(), "yuba");
  return withTemporaryDirectory(async (directory) => {
    say(`companion: making a release with an executable of ${plan.executableBytes} bytes`);
    await runExample(["release", directory, String(plan.executableBytes)]);
    const release = await describe(join(directory, "dist"));
    const place = ["--namespace", "benchmark", "--target", `dir:${join(directory, "registry")}`];
    await runOnce([yuba, "key", "add", join(directory, "KEY.asc"), ...place]);
    const programs = {
      yuba: [yuba, "publish", release.directory, ...place, "--dry-run"],
      sha256sum: ["sha256sum", release.archive],
      unzip: ["unzip", "-tqq", release.archive],
    };
    const measured = await measureInTurns(plan.verifications, programs, say);
    return { archive_bytes: release.bytes, executable_bytes: plan.executableBytes, ...measured, ...compare(measured) };
  });
}

async function describe(directory) {
  const name = (await readdir(directory)).find((name) => name.endsWith(".zip"));
  const archive = join(directory, name);
  return { directory, archive, bytes: (await stat(archive)).size };
}

/** The median of each program's runs; or why there are none. */
async function measureInTurns(rounds, programs, say) {
  const runs = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(programs)) {
      say(`companion: ${name} (${round + 1} of ${rounds})`);
      runs[name].push(await runOnce(command));
    }
  }
  return Object.fromEntries(Object.entries(runs).map(([name, runs]) => [name, summarise(runs)]));
}

function compare({ yuba, sha256sum, unzip }) {
  const baseline = sha256sum.seconds + unzip.seconds;
  return {
    ratio: yuba.seconds / baseline,
    cpu_ratio: yuba.cpu_seconds / (sha256sum.cpu_seconds + unzip.cpu_seconds),
    time_budget: TIME_BUDGET,
    memory_budget: MEMORY_BUDGET,
    memory_ratio: yuba.peak_bytes / MEMORY_BUDGET,
  };
}
