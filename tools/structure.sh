#!/usr/bin/env bash
# structure.sh [--check] [--all] [--rows N] [<folder>...]: counts fields, methods, lines and the
# files that name a concept, in src or the given folders, and compares them with their limits. With
# --check it fails if a limit is exceeded; --all also lists counts without a limit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

need universal-ctags
command -v python3 >/dev/null || need python3
python3 tools/structure.py "$@"
