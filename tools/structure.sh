#!/usr/bin/env bash
# structure.sh [--check] [--all] [--rows N] [<folder>...]: counts fields, methods, lines and the files
# that name a concept, in src or the given folders, beside the bars that they are held to. With --check
# it fails where one is missed; --all lists what has no bar, too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

need universal-ctags
command -v python3 >/dev/null || need python3
python3 tools/structure.py "$@"
