/**
 * Serves a Worker that is built already, for tests and benchmarks:
 *
 *     node scripts/local/serve.mjs [--state DIR] [--port N] [--log FILE]
 *
 * Prints one line, {"url","hostname","state","storageUrl","storageToken","authorityPath","bundlePath"}, once it
 * answers, and ends when its standard input does, or at a signal.
 */

import { parseArguments } from "./arguments.mjs";
import { endOfInput } from "./child.mjs";
import { refuseUnusablePlaces } from "./places.mjs";
import { run } from "./refusal.mjs";
import { serve } from "./server.mjs";

await run(async () => {
  const options = parseArguments(process.argv.slice(2));
  await refuseUnusablePlaces(options);
  const server = await serve(options);
  const end = endOfInput();
  console.log(JSON.stringify(server));
  await end;
  await server.stop();
  return 0;
});
