# What builds and serves the Worker: Rust with its wasm32 target, npm's packages, worker-build and wasm-bindgen.
# Sourced by scripts/setup, which sets ROOT.

# Where HOME is not set, `~` is what the system knows of the user.
CACHE=${YUBA_CACHE:-${XDG_CACHE_HOME:-~/.cache}/yuba}
WASM_TARGET=wasm32-unknown-unknown
WORKER_BUILD_VERSION=0.8.7
NODE_MINIMUM=20.3.0 # wrangler's `engines`

say() { echo "setup: $*" >&2; }

die() {
    echo "error: $*" >&2
    exit 1
}

ensure_tools() {
    ensure_node
    ensure_rust
    ensure_node_modules
    ensure_cargo_tool worker-build "$WORKER_BUILD_VERSION"
    ensure_cargo_tool wasm-bindgen-cli "$(wasm_bindgen_version)"
}

# The tools worker-build would otherwise download.
print_tools() {
    echo "WORKER_BUILD=$(cargo_tool worker-build "$WORKER_BUILD_VERSION")/bin/worker-build"
    echo "WASM_BINDGEN_BIN=$(cargo_tool wasm-bindgen-cli "$(wasm_bindgen_version)")/bin/wasm-bindgen"
    echo "WASM_OPT_BIN=$ROOT/node_modules/.bin/wasm-opt"
    echo "ESBUILD_BIN=$ROOT/node_modules/.bin/esbuild"
}

ensure_node() {
    command -v node >/dev/null || die "Node is missing: install Node $NODE_MINIMUM or newer from https://nodejs.org"
    command -v npm >/dev/null || die "npm is missing: install it beside Node $(node --version)"
    node -e '
        const [minimum, found] = [process.argv[1], process.versions.node].map((v) => v.split(".").map(Number));
        const differs = found.findIndex((part, i) => part !== minimum[i]);
        process.exit(differs < 0 || found[differs] > minimum[differs] ? 0 : 1);
    ' "$NODE_MINIMUM" || die "Node $(node --version) is too old: install Node $NODE_MINIMUM or newer from https://nodejs.org"
}

ensure_rust() {
    command -v cargo >/dev/null || die "Rust is missing: install it with rustup from https://rustup.rs"
    command -v cc >/dev/null || command -v gcc >/dev/null || command -v clang >/dev/null \
        || die "a C compiler is missing: install cc (Debian: apt-get install gcc; macOS: xcode-select --install)"
    local channel
    channel=$(toolchain_channel)
    if command -v rustup >/dev/null; then
        ensure_toolchain "$channel"
    else
        ensure_unmanaged_rust "$channel"
    fi
}

toolchain_channel() {
    sed -n 's/^channel *= *"\(.*\)"/\1/p' "$ROOT/rust-toolchain.toml"
}

ensure_toolchain() {
    local channel=$1 installed
    # rustup answers an error where the toolchain itself is missing.
    installed=$(rustup target list --installed --toolchain "$channel" 2>/dev/null || true)
    if [ -z "$installed" ]; then
        say "installing Rust $channel"
        rustup toolchain install "$channel" --profile minimal -c clippy -c rustfmt -t "$WASM_TARGET" --no-self-update >&2 \
            || die "rustup could not install Rust $channel: see its message above"
    elif ! grep -qx "$WASM_TARGET" <<<"$installed"; then
        say "installing the target $WASM_TARGET for Rust $channel"
        rustup target add --toolchain "$channel" "$WASM_TARGET" >&2 \
            || die "rustup could not install the target $WASM_TARGET: see its message above"
    fi
}

# A Rust that rustup does not manage (a distribution's) will do if it can compile the Worker.
ensure_unmanaged_rust() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/$WASM_TARGET" ] \
        || die "$(rustc --version) has no target $WASM_TARGET, and rustup is missing: install Rust $1 from https://rustup.rs"
}

ensure_node_modules() {
    local stamp="$ROOT/node_modules/.yuba-installed"
    if cmp -s "$ROOT/package-lock.json" "$stamp"; then return; fi
    lock
    if cmp -s "$ROOT/package-lock.json" "$stamp"; then
        unlock
        return
    fi
    say "installing node_modules from package-lock.json"
    npm_ci "$ROOT"
    cp "$ROOT/package-lock.json" "$stamp"
    unlock
}

# Nothing here needs an install script, so none may run. NODE_ENV must not leave anything out.
npm_ci() {
    (cd "$1" && npm ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund --loglevel=error >&2) 9>&- \
        || die "npm could not install what $1/package-lock.json names: see its message above"
}

wasm_bindgen_version() {
    sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"$/\1/p;}' "$ROOT/Cargo.lock"
}

cargo_tool() { echo "$CACHE/$1-$2"; }

# ensure_cargo_tool NAME VERSION [OPTION …]: the options are cargo's.
ensure_cargo_tool() {
    local name=$1 version=$2 place
    shift 2
    place=$(cargo_tool "$name" "$version")
    if [ -d "$place" ]; then return; fi
    lock
    if [ ! -d "$place" ]; then
        say "building $name $version into $place (some minutes, once)"
        local fresh
        fresh=$(fresh_directory)
        # A mirror of the crate registry may lag behind what a fresh release is locked to; its older versions will do.
        cargo_install "$fresh" "$name" "$version" --locked "$@" 2>/dev/null \
            || { say "resolving the dependencies of $name anew"; cargo_install "$fresh" "$name" "$version" "$@"; } \
            || die "cargo could not install $name $version: see its message above"
        mv "$fresh" "$place"
    fi
    unlock
}

# What the machine has set for its own builds must not change this one.
cargo_install() {
    local destination=$1 name=$2 version=$3
    shift 3
    (cd "$ROOT" && env -u CARGO_TARGET_DIR -u CARGO_BUILD_TARGET -u RUSTFLAGS -u CARGO_ENCODED_RUSTFLAGS \
        cargo install --quiet "$@" --root "$destination" --version "$version" "$name" >&2) 9>&-
}

# Where something is built before it is renamed into the cache, so that nobody ever sees half of it.
fresh_directory() {
    mkdir -p "$CACHE"
    mktemp -d "$CACHE/building.XXXXXX"
}

# One setup at a time: the second one waits for the first one's work instead of repeating it. Whoever holds the lock
# is the only one that builds, so anything half built is a killed setup's.
lock() {
    mkdir -p "$CACHE"
    if command -v flock >/dev/null; then lock_file; else lock_directory; fi
    rm -rf "$CACHE"/building.*
}

unlock() {
    if command -v flock >/dev/null; then exec 9>&-; else rm -rf "$CACHE/lock.d"; fi
}

lock_file() {
    exec 9>"$CACHE/lock"
    flock -n 9 || { say "waiting for another setup"; flock 9; }
}

# For macOS, which has no flock.
lock_directory() {
    local holder
    until mkdir "$CACHE/lock.d" 2>/dev/null; do
        holder=$(cat "$CACHE/lock.d/pid" 2>/dev/null || true)
        if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
            rm -rf "$CACHE/lock.d" # its setup was killed
        else
            sleep 1
        fi
    done
    echo $$ >"$CACHE/lock.d/pid"
}
