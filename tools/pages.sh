#!/usr/bin/env bash
# pages.sh <word>: checks README.md and docs against the code. `pages.sh --help` lists the words;
# the code is in tools/pages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

command -v python3 >/dev/null || need python3
exec python3 -B tools/pages/main.py "$@"
