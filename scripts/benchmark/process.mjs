/** What a running process has used so far, where the system tells: Linux does, in /proc. */

import { readFileSync } from "node:fs";

/** The unit of /proc/PID/stat, fixed at 1/100 s for all programs (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** The CPU time of process `id` in seconds, all its threads together; NaN where the system does not tell. */
export function cpuSeconds(id) {
  // The second field is the name, in parentheses, and may hold anything; user and system time are the 14th and 15th.
  const fields = read(`/proc/${id}/stat`)?.split(") ").at(-1).split(" ");
  return fields === undefined ? NaN : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The most memory that process `id` has held, in bytes; NaN where the system does not tell. */
export function peakBytes(id) {
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(read(`/proc/${id}/status`) ?? "") ?? [];
  return kibibytes === undefined ? NaN : Number(kibibytes) * 1024;
}

/** The process named `name` that this one has started. */
export function findChild(name) {
  const children = read(`/proc/${process.pid}/task/${process.pid}/children`)?.split(" ") ?? [];
  return children.find((id) => read(`/proc/${id}/comm`)?.trim() === name);
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // another system, or a process that is gone
  }
}
