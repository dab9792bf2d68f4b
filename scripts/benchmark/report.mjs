/** The report: every section's figures as text. */

import { figure, table } from "./table.mjs";

/** The budgets of the design, printed beside what they are for. */
const WARM_BUDGET = "at least 0.85";
const FLAT_BUDGET = "at least 0.9";
const PEER_BUDGET = "at least 4";

const MIB = 1024 * 1024;

/** @param {Record<string, any>} figures by section */
export function report({ machine, ...figures }) {
  const sections = Object.entries(figures).map(([section, measured]) => WRITERS[section](measured));
  return [writeMachine(machine), ...sections].join("\n\n");
}

const WRITERS = {
  http: writeHttp,
  oci: writeOci,
  archive: writeArchive,
  bundle: writeBundle,
  companion: writeCompanion,
  publish: writePublish,
};

function writeMachine({ cpus, model, node, load_before, load_after }) {
  const busy = load_before > cpus / 4 ? ": it was busy with other things, so figures are rough" : "";
  const load = `load ${figure(load_before, 1)} before and ${figure(load_after, 1)} after`;
  return `${cpus} CPUs (${model}), Node ${node}, ${load}${busy}`;
}

/** What is told of a side under load. */
const LOAD_HEADS = ["req/s", "p50 ms", "p99 ms", "CPU µs"];

function writeLoad({ requests_per_second, p50_ms, p99_ms, cpu_us_per_request }) {
  return [figure(requests_per_second), figure(p50_ms, 2), figure(p99_ms, 2), figure(cpu_us_per_request, 1)];
}

function writeHttp({ answers, flatness }) {
  const heads = ["answer", "versions", "bytes", ...LOAD_HEADS, ...LOAD_HEADS.map((head) => `bare ${head}`)];
  const row = ({ route, versions, bytes, registry, bare, ratio, cpu_ratio }) => [
    route,
    versions === 0 ? "" : figure(versions),
    figure(bytes),
    ...writeLoad(registry),
    ...writeLoad(bare),
    figure(ratio, 2),
    figure(cpu_ratio, 2),
  ];
  const flat = ({ route, versions, ratio, cpu_ratio }) => [
    route,
    figure(versions),
    figure(ratio, 2),
    figure(cpu_ratio, 2),
  ];
  return `\
http: the warm registry beside a bare Worker that answers the same bytes (ratio ${WARM_BUDGET})

${table([...heads, "ratio", "CPU ratio"], answers.map(row))}

flatness: the ratio with many versions over the ratio with one (${FLAT_BUDGET})

${table(["answer", "versions", "ratio", "CPU ratio"], flatness.map(flat))}`;
}

function writeOci({ versions, bytes, bare, peer }) {
  const row = (name, budget, { registry, other, ratio, cpu_ratio }) => [
    name,
    ...writeLoad(registry),
    ...writeLoad(other),
    figure(ratio, 2),
    figure(cpu_ratio, 2),
    budget,
  ];
  const { name, skipped } = peer;
  const rows = [row("a bare Worker", WARM_BUDGET, bare)];
  if (skipped === undefined) rows.push(row(name, PEER_BUDGET, peer));
  const heads = ["beside", ...LOAD_HEADS, ...LOAD_HEADS.map((head) => `its ${head}`), "ratio", "CPU ratio", "budget"];
  return `\
oci: an index of ${figure(bytes)} bytes by its tag, of a provider with ${figure(versions)} versions

${table(heads, rows)}${skipped === undefined ? "" : `\n\n${name}: skipped: ${skipped}`}`;
}

function writeArchive(parts) {
  const side = ({ megabytes_per_second, cpu_ms_per_megabyte }) => [
    figure(megabytes_per_second),
    figure(cpu_ms_per_megabyte, 2),
  ];
  const row = ({ part, bytes, registry, bare, ratio, cpu_ratio }) => [
    part,
    figure(bytes),
    ...side(registry),
    ...side(bare),
    figure(ratio, 2),
    figure(cpu_ratio, 2),
  ];
  const heads = ["part", "bytes", "MB/s", "CPU ms/MB", "bare MB/s", "bare CPU ms/MB", "ratio", "CPU ratio"];
  return `archive: a download beside a bare Worker that streams the same object\n\n${table(heads, parts.map(row))}`;
}

function writeBundle({ files, gzipped, budget, ratio }) {
  const rows = files.map(({ name, bytes, gzipped }) => [name, figure(bytes), figure(gzipped)]);
  return `\
bundle: what would be uploaded (budget ${figure(budget)} bytes gzipped)

${table(["file", "bytes", "gzipped"], rows)}

${figure(gzipped)} bytes gzipped are ${figure(ratio, 2)} of the budget`;
}

/** A line of a table of programs. */
function program(name, { seconds, cpu_seconds, peak_bytes, skipped }) {
  return skipped === undefined
    ? [name, figure(seconds, 2), figure(cpu_seconds, 2), figure(peak_bytes / MIB)]
    : [`${name}: skipped: ${skipped}`, "", "", ""];
}

function writePublish({ yuba, aws, rclone, skipped, ...measured }) {
  if (skipped !== undefined) return `publish: skipped: ${skipped}`;
  const rows = [program("yuba publish", yuba), program("aws s3 cp", aws), program("rclone copy", rclone)];
  const { archives, bytes, ratios, time_budget, memory_budget, memory_ratio } = measured;
  return `\
publish: verify ${archives} archives of together ${figure(bytes)} bytes and upload them to an S3 server

${table(["program", "seconds", "CPU seconds", "peak MiB"], rows)}

time: ${figure(ratios.aws, 2)} of aws, ${figure(ratios.rclone, 2)} of rclone, which only upload (at most ${figure(time_budget, 1)})
memory: ${figure(memory_ratio, 2)} of the budget of ${figure(memory_budget / MIB)} MiB`;
}

function writeCompanion({ yuba, sha256sum, unzip, ...measured }) {
  const rows = [program("yuba publish --dry-run", yuba), program("sha256sum", sha256sum), program("unzip -t", unzip)];
  const { archive_bytes, executable_bytes, ratio, cpu_ratio, time_budget, memory_budget, memory_ratio } = measured;
  const together = "of sha256sum and unzip -t together";
  return `\
companion: verify an archive of ${figure(archive_bytes)} bytes with an executable of ${figure(executable_bytes)}

${table(["program", "seconds", "CPU seconds", "peak MiB"], rows)}

time: ${figure(ratio, 2)} ${together}, CPU ${figure(cpu_ratio, 2)} (at most ${figure(time_budget, 1)})
memory: ${figure(memory_ratio, 2)} of the budget of ${figure(memory_budget / MIB)} MiB`;
}
