/** scripts/setup with stand-ins for what it calls: what it installs and says, what it refuses, and that it is safe to repeat. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Stand-ins: each writes down that it was called. */
const PROGRAMS = {
  node: `exec "${process.execPath}" "$@"`,
  cc: "",
  npm: "mkdir -p node_modules",
  rustup: 'case "$*" in *--installed*) cat "$STANDINS/targets" ;; *) echo wasm32-unknown-unknown >"$STANDINS/targets" ;; esac',
  cargo: `
    if [ -n "$REGISTRY_LAGS" ]; then case "$*" in *--locked*) exit 101 ;; esac; fi
    if [ -n "$S3S_FAILS" ]; then case "$*" in *s3s-fs*) echo "no such crate" >&2; exit 101 ;; esac; fi
    if [ -n "$CARGO_FAILS" ]; then echo "no such crate" >&2; exit 101; fi
    while [ $# -gt 1 ]; do if [ "$1" = --root ]; then root=$2; fi; shift; done
    mkdir -p "$root/bin" && touch "$root/bin/$1"`,
};

let directory, root, cache, standins;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "yuba-setup-"));
  [root, cache, standins] = ["root", "cache", "bin"].map((name) => join(directory, name));
  for (const path of ["scripts/setup", "scripts/setup.d", "tests/clients", "rust-toolchain.toml", "Cargo.lock", "package-lock.json"]) {
    await cp(join(ROOT, path), join(root, path), { recursive: true });
  }
  await mkdir(standins);
  await writeFile(join(standins, "targets"), "x86_64-unknown-linux-gnu\n");
  for (const [name, script] of Object.entries(PROGRAMS)) await standIn(name, script);
  await linkOrdinaryPrograms();
});

afterEach(() => rm(directory, { recursive: true }));

async function standIn(name, script) {
  const path = join(standins, name);
  await rm(path, { force: true });
  await writeFile(path, `#!/bin/sh\necho "${name} $*" >>"$STANDINS/calls"\n${script}\n`);
  await chmod(path, 0o755);
}

/** Everything else that this machine has, except what the tests decide on. */
async function linkOrdinaryPrograms() {
  const decided = new Set([...Object.keys(PROGRAMS), "gcc", "clang", "go", "terraform", "rustc", "skopeo", "apt-get"]);
  for (const place of ["/bin", "/usr/bin"]) {
    for (const name of await readdir(place)) {
      if (decided.has(name)) continue;
      await symlink(join(place, name), join(standins, name)).catch(() => {});
    }
  }
}

function setup(words, environment = {}) {
  const env = { PATH: standins, HOME: directory, STANDINS: standins, YUBA_CACHE: cache, ...environment };
  return new Promise((resolve) => {
    const child = spawn("/bin/bash", [join(root, "scripts/setup"), ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.once("close", (status) => resolve([status, output]));
  });
}

async function calls(program) {
  const lines = (await readFile(join(standins, "calls"), "utf8").catch(() => "")).split("\n");
  return lines.filter((line) => line.startsWith(`${program} `));
}

test("installs what is missing, says so, and is quiet ever after", async () => {
  const [status, output] = await setup([]);
  assert.equal(status, 0, output);
  const said = output.replaceAll(cache, "CACHE").replace(/\d+\.\d+\.\d+/g, "X").trim().split("\n");
  assert.deepEqual(said, [
    "setup: installing the target wasm32-unknown-unknown for Rust X",
    "setup: installing node_modules from package-lock.json",
    "setup: building worker-build X into CACHE/worker-build-X (some minutes, once)",
    "setup: building wasm-bindgen-cli X into CACHE/wasm-bindgen-cli-X (some minutes, once)",
  ]);
  assert.match((await calls("npm")).join(), /--ignore-scripts/);
  await rm(join(standins, "calls"));
  assert.deepEqual(await setup(["dev"]), [0, ""]);
  assert.deepEqual([...(await calls("cargo")), ...(await calls("npm"))], []);
});

test("installs node_modules again when the lock file changes", async () => {
  await setup([]);
  await writeFile(join(root, "package-lock.json"), "{}");
  assert.deepEqual(await setup([]), [0, "setup: installing node_modules from package-lock.json\n"]);
});

test("builds once when several run at once, with flock and without", async () => {
  for (const program of ["flock", undefined]) {
    await rm(cache, { recursive: true, force: true });
    await rm(join(standins, "calls"), { force: true });
    const all = await Promise.all([1, 2, 3].map(() => setup([])));
    assert.deepEqual(all.map(([status]) => status), [0, 0, 0], all.join());
    assert.equal((await calls("cargo")).length, 2);
    if (program) await rm(join(standins, program), { force: true });
  }
});

test("clears what a killed setup left behind", async () => {
  await mkdir(join(cache, "building.killed"), { recursive: true });
  await mkdir(join(cache, "lock.d"));
  await writeFile(join(cache, "lock.d/pid"), "999999999");
  await rm(join(standins, "flock"), { force: true });
  const [status, output] = await setup([]);
  assert.equal(status, 0, output);
  assert.deepEqual((await readdir(cache)).filter((name) => /^(building|lock)/.test(name)), []);
});

test("does without a lock file that the registry at hand cannot satisfy", async () => {
  const [status, output] = await setup([], { REGISTRY_LAGS: "yes" });
  assert.equal(status, 0, output);
  assert.match(output, /^setup: resolving the dependencies of worker-build anew$/m);
});

test("refuses in one line what it cannot get, and keeps nothing of it", async () => {
  const last = ([status, output]) => [status, output.trim().split("\n").at(-1)];
  const failed = last(await setup([], { CARGO_FAILS: "yes" }));
  assert.deepEqual(failed, [1, "error: cargo could not install worker-build 0.8.7: see its message above"]);
  assert.deepEqual((await readdir(cache)).filter((name) => name.startsWith("worker-build")), []);
  await standIn("npm", "exit 1");
  await rm(join(root, "node_modules"), { recursive: true });
  assert.equal((await setup([]))[0], 1);
});

test("refuses what is missing or too old, with what to do", async () => {
  const refusals = [
    ["node", 'if [ "$1" = -e ]; then exit 1; else echo v18.19.0; fi', "error: Node v18.19.0 is too old: install Node 20.3.0 or newer from https://nodejs.org\n"],
    ["node", undefined, "error: Node is missing: install Node 20.3.0 or newer from https://nodejs.org\n"],
    ["npm", undefined, /^error: npm is missing: install it beside Node v[\d.]+\n$/],
    ["cargo", undefined, "error: Rust is missing: install it with rustup from https://rustup.rs\n"],
    ["cc", undefined, "error: a C compiler is missing: install cc (Debian: apt-get install gcc; macOS: xcode-select --install)\n"],
    ["rustup", "exit 1", /error: rustup could not install Rust [\d.]+: see its message above\n$/],
  ];
  for (const [name, script, expected] of refusals) {
    if (script === undefined) await rm(join(standins, name));
    else await standIn(name, script);
    const [status, output] = await setup([]);
    assert.equal(status, 1, name);
    assert.match(output, expected instanceof RegExp ? expected : new RegExp(`^${escape(expected)}$`));
    await standIn(name, PROGRAMS[name]);
  }
});

function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

test("does with a Rust that rustup does not manage, if it can compile the Worker", async () => {
  await rm(join(standins, "rustup"));
  await standIn("rustc", `case "$*" in *sysroot*) echo "${directory}/sysroot" ;; *) echo rustc 1.0 ;; esac`);
  const refusal = /^error: rustc 1\.0 has no target wasm32-unknown-unknown, and rustup is missing: install Rust [\d.]+ from/;
  assert.match((await setup([]))[1], refusal);
  await mkdir(join(directory, "sysroot/lib/rustlib/wasm32-unknown-unknown"), { recursive: true });
  assert.equal((await setup([]))[0], 0);
});

test("records the clients that cannot be had, with the reason", async () => {
  await standIn("npm", 'case "$(pwd)" in */building.*) echo "no network"; exit 1 ;; *) mkdir -p node_modules ;; esac');
  const [status, output] = await setup(["test"], { S3S_FAILS: "1" });
  assert.equal(status, 0, output);
  const recorded = (await setup(["--print", "clients"]))[1].trim().split("\n");
  assert.equal(recorded[0], "TOFU_1_12_MISSING=go is not on the PATH");
  assert.match(recorded[1], /^TOFU_1_6_MISSING=(it does not build: .+|npm has no OpenTofu 1\.6\.2 for .+)$/);
  assert.deepEqual(recorded.slice(2), [
    "PROVIDER_TIME_MISSING=go is not on the PATH",
    "TERRAFORM_MISSING=terraform is not on the PATH",
    "S3S_FS_MISSING=cargo could not install s3s-fs 0.14.1",
    "GORELEASER_MISSING=go is not on the PATH",
    "CRANE_MISSING=go is not on the PATH",
    "SKOPEO_MISSING=skopeo is not on the PATH",
  ]);
});

/** What is recorded of skopeo, and what was said of it. */
async function skopeo() {
  const [status, output] = await setup(["test"], { S3S_FAILS: "1" });
  assert.equal(status, 0, output);
  const recorded = (await setup(["--print", "clients"]))[1].split("\n").find((line) => line.startsWith("SKOPEO"));
  return [recorded, output.split("\n").filter((line) => line.includes("skopeo"))];
}

test("installs skopeo where apt-get may do that, and looks for packages where it knows of none", async () => {
  const installs = 'printf "#!/bin/sh\n" >"$STANDINS/skopeo"; chmod +x "$STANDINS/skopeo"';
  await standIn("apt-get", `case "$1" in update) touch "$STANDINS/list" ;; *) [ -f "$STANDINS/list" ] && { ${installs}; } ;; esac`);
  await standIn("id", "echo 0");
  const place = join(standins, "skopeo");
  assert.deepEqual(await skopeo(), [`SKOPEO=${place}`, ["setup: installing skopeo with apt-get"]]);
  const words = (await calls("apt-get")).map((line) => line.split(" ")[1]);
  assert.deepEqual(words, ["install", "update", "install"]);
  assert.deepEqual(await skopeo(), [`SKOPEO=${place}`, []]);
  assert.equal((await calls("apt-get")).length, 3);
});

test("does without skopeo where it may not be installed or cannot be, and says why", async () => {
  const refusals = [
    ["exit 100", "0", "apt-get could not install skopeo: see its message above"],
    ["exit 1", "1000", "skopeo is not on the PATH, and only root may run apt-get install skopeo"],
  ];
  for (const [script, user, reason] of refusals) {
    await standIn("apt-get", script);
    await standIn("id", `echo ${user}`);
    const [recorded, said] = await skopeo();
    assert.equal(recorded, `SKOPEO_MISSING=${reason}`);
    assert.equal(said.at(-1), `setup: without SKOPEO: ${reason}`);
  }
});

test("builds the S3 server where that is asked for", async () => {
  const [status, output] = await setup(["--print", "s3"]);
  assert.equal(status, 0, output);
  assert.equal(output.trim().split("\n").at(-1), `S3S_FS=${cache}/s3s-fs-0.14.1/bin/s3s-fs`);
  assert.match((await calls("cargo"))[0], / --features binary /);
});

test("names the tools it provides", async () => {
  const [, output] = await setup(["--print", "tools"]);
  const names = output.trim().split("\n").map((line) => line.split("=")[0]);
  assert.deepEqual(names, ["WORKER_BUILD", "WASM_BINDGEN_BIN", "WASM_OPT_BIN", "ESBUILD_BIN"]);
});

test("refuses words it does not know", async () => {
  assert.deepEqual(await setup(["prod"]), [1, "error: `prod` is no stage of scripts/setup: name dev, test or bench\n"]);
  assert.equal((await setup(["--print", "all"]))[0], 1);
  assert.equal((await setup(["--print", "clients"]))[0], 1);
});
