/** Ends the Workers runtime with this process, also where this process is killed: else it would keep port and state. */

import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** Its standard input ends with this process, however that ends. What stops this process in order must not stop it. */
const WATCHDOG = `trap '' INT TERM HUP; read -r _; kill -9 "$1" 2>/dev/null`;

/**
 * Watches the next program that this process starts, which must be the runtime: miniflare does not tell its process.
 *
 * @returns {() => void} ends the watch
 */
export function watchRuntime() {
  let watchdog;
  const onChild = ({ process: runtime }) => {
    unsubscribe("child_process", onChild); // the watchdog is a child, too
    runtime.once("spawn", () => (watchdog = startWatchdog(runtime.pid)));
  };
  subscribe("child_process", onChild);
  return () => {
    unsubscribe("child_process", onChild);
    watchdog?.kill("SIGKILL");
  };
}

function startWatchdog(pid) {
  const watchdog = spawn("/bin/sh", ["-c", WATCHDOG, "watchdog", String(pid)], { stdio: ["pipe", "ignore", "ignore"] });
  watchdog.on("error", () => {}); // a server without one serves as well
  watchdog.stdin.on("error", () => {}).unref();
  watchdog.unref();
  return watchdog;
}
