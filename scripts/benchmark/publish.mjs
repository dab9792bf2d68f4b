/** Publishing: time and memory to verify and upload a release, beside programs that only upload the same files. */

import { spawn } from "node:child_process";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildCompanion } from "../local/build.mjs";
import { runChild } from "../local/child.mjs";
import { Refusal } from "../local/refusal.mjs";
import { ROOT } from "../local/root.mjs";
import { exampleCommand, runExample } from "./example.mjs";
import { MEMORY_BUDGET, runOnce, summarise } from "./program.mjs";
import { withTemporaryDirectory } from "./temporary.mjs";

/** How long publishing may take, in units of what a program takes that only uploads. */
const TIME_BUDGET = 1.3;

/** @param {import("./plan.mjs").Plan} plan @param {(text: string) => void} say */
export async function measurePublish(plan, say) {
  const yuba = join(await buildCompanion(), "yuba");
  const server = await findServer();
  if (server.skipped !== undefined) return server;
  return withTemporaryDirectory(async (directory) => {
    say(`publish: making a release for 14 platforms with executables of ${plan.platformBytes} bytes`);
    await runExample(["releases", directory, String(plan.platformBytes)]);
    const release = await describe(directory);
    const cloudflare = await startCloudflare({ ...server, TMPDIR: directory });
    try {
      const measured = await measureInTurns(plan.publishes, uploaders(yuba, release, cloudflare), cloudflare, say);
      return { archives: release.archives, bytes: release.bytes, ...measured, ...compare(measured) };
    } finally {
      await cloudflare.stop();
    }
  });
}

/** The S3 server, in the environment of whoever starts it; or why there is none. */
async function findServer() {
  const { output } = await runChild([join(ROOT, "scripts/setup"), "--print", "s3"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [name, value] = output.trim().split("=");
  return name === "S3S_FS" ? { S3S_FS: value } : { skipped: value };
}

async function describe(directory) {
  const dist = join(directory, "dist");
  const names = (await readdir(dist)).filter((name) => name.endsWith(".zip"));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(dist, name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size);
  return { directory, dist, key: join(directory, "KEY.asc"), archives: names.length, bytes };
}

/** Starts what stands for Cloudflare: the S3 server and a double of the KV API. */
async function startCloudflare(environment) {
  const { CARGO_BUILD_TARGET: _, ...env } = process.env;
  const [program, ...words] = exampleCommand(["cloudflare"]);
  const stdio = ["pipe", "pipe", "inherit"];
  const child = spawn(program, words, { cwd: ROOT, env: { ...env, ...environment }, stdio });
  const ended = new Promise((resolve) => child.once("close", resolve));
  // It takes the S3 server down with it, and is not to be killed before it has.
  const stop = () => {
    child.stdin.end();
    return ended;
  };
  process.once("exit", () => child.kill());
  for await (const line of createInterface({ input: child.stdout })) return { ...JSON.parse(line), stop };
  throw new Refusal("what stands for Cloudflare did not start: see above", 2);
}

/** The programs, each by how it is run for a bucket. */
function uploaders(yuba, release, { r2, api, ...named }) {
  const credentials = { AWS_ACCESS_KEY_ID: named.access_key_id, AWS_SECRET_ACCESS_KEY: named.secret_access_key };
  // Away from this project's own wrangler.toml.
  const place = (bucket) => ["--namespace", "benchmark", "--hostname", `${bucket}.example`, "--target", "cloudflare"];
  const at = (bucket) => ({
    CLOUDFLARE_API_TOKEN: named.token,
    CLOUDFLARE_ACCOUNT_ID: named.account,
    YUBA_R2_BUCKET: bucket,
    YUBA_KV_NAMESPACE_ID: named.kv_namespace,
    YUBA_CLOUDFLARE_API_URL: api,
    YUBA_R2_URL: r2,
  });
  const s3 = ["--s3-provider", "Other", "--s3-endpoint", r2, "--s3-env-auth", "--s3-no-check-bucket"];
  // It takes no certificates for a server without TLS, and no configuration of this machine's.
  const alone = { AWS_CA_BUNDLE: "", RCLONE_CONFIG: "/dev/null" };
  return {
    yuba: {
      prepare: (bucket) => runOnce([yuba, "key", "add", release.key, ...place(bucket)], at(bucket), release.directory),
      run: (bucket) => runOnce([yuba, "publish", release.dist, ...place(bucket)], at(bucket), release.directory),
    },
    aws: {
      run: (bucket) =>
        runOnce(["aws", "s3", "cp", "--recursive", "--only-show-errors", release.dist, `s3://${bucket}/`], {
          ...credentials,
          AWS_ENDPOINT_URL: r2,
          AWS_DEFAULT_REGION: "auto",
          // As R2's documentation has it, and without a second pass over the bytes.
          AWS_REQUEST_CHECKSUM_CALCULATION: "when_required",
        }),
    },
    rclone: {
      run: (bucket) => runOnce(["rclone", "copy", ...s3, release.dist, `:s3:${bucket}`], { ...credentials, ...alone }),
    },
  };
}

/** The median of each program's runs, each into a bucket of its own that is removed afterwards. */
async function measureInTurns(rounds, programs, { buckets }, say) {
  const runs = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, { prepare, run }] of Object.entries(programs)) {
      say(`publish: ${name} (${round + 1} of ${rounds})`);
      const bucket = `${name}-${round}`;
      await mkdir(join(buckets, bucket));
      await prepare?.(bucket);
      runs[name].push(await run(bucket));
      await rm(join(buckets, bucket), { recursive: true });
    }
  }
  return Object.fromEntries(Object.entries(runs).map(([name, runs]) => [name, summarise(runs)]));
}

function compare({ yuba, ...others }) {
  const ratio = ({ seconds, skipped }) => (skipped === undefined ? yuba.seconds / seconds : NaN);
  return {
    ratios: Object.fromEntries(Object.entries(others).map(([name, measured]) => [name, ratio(measured)])),
    time_budget: TIME_BUDGET,
    memory_budget: MEMORY_BUDGET,
    memory_ratio: yuba.peak_bytes / MEMORY_BUDGET,
  };
}
