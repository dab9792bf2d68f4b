/** The project's wrangler, as tests run it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "../local/root.mjs";

export const WRANGLER = [process.execPath, join(ROOT, "node_modules/wrangler/bin/wrangler.js")];

/** It asks nothing and reports to nobody. */
export function wranglerEnvironment(variables = {}) {
  return { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false", ...variables };
}

/** Starts `wrangler dev` for a project on a free port and waits for the line that names it. */
export async function startDev(project, state) {
  const [program, ...words] = [...WRANGLER, "dev", "--port", "0", "--persist-to", state];
  const child = spawn(program, words, { cwd: project, env: wranglerEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  let output = "";
  const url = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        const ready = /Ready on (http:\/\/[\w.:-]+)/.exec(output);
        if (ready) resolve(ready[1]);
      });
    }
    exited.then(() => reject(new Error(output)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  return { url, stop };
}
