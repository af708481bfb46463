#!/usr/bin/env bash
# pages.sh <word>: holds README.md and docs to the code; `pages.sh --help` lists the words, tools/pages has them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

command -v python3 >/dev/null || need python3
exec python3 -B tools/pages/main.py "$@"
