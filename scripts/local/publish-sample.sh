#!/usr/bin/env bash
# Publishes the sample provider into the state that scripts/dev serves: publish-sample.sh STATE
#
# Prints one line, {"namespace","type","version"}, on standard output and everything else on standard error. It runs
# with the environment of a COMMAND of scripts/dev: YUBA_STATE, YUBA_URL, SSL_CERT_FILE, and `yuba` on the PATH.
#
# Where Go is at hand, scripts/setup has built a real provider; elsewhere, the sample installs but does not start.
set -euo pipefail

ROOT=$(cd "$(dirname "$0")/../.." && pwd)

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

found=$("$ROOT/scripts/setup" --print sample | sed -n 's/^PROVIDER_TIME=//p')
sample=$(cargo run --quiet --manifest-path "$ROOT/Cargo.toml" --package yuba-tests --example sample -- \
    "$directory" ${found:+"$found"})
if [ -z "$found" ]; then echo "the sample is a stand-in, which installs but does not start" >&2; fi
# How to use it is said once, by scripts/dev, with what clients must trust.
{
    yuba key add "$directory/KEY.asc" --namespace yuba
    yuba publish "$directory/dist" --namespace yuba | sed -n 1p
} >&2
echo "$sample"
