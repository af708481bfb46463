#!/usr/bin/env bash
# tidy.sh [<source file>...]: runs clang-tidy (the checks of .clang-tidy) on the given files, by
# default on the library and the command. Needs a build folder with compile_commands.json (any
# preset).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v clang-tidy >/dev/null || { echo "clang-tidy is not installed" >&2; exit 1; }
build=${BUILD:-build/release}
[ -f "$build/compile_commands.json" ] ||
  { echo "$build/compile_commands.json is not there: cmake --preset release, or set BUILD" >&2; exit 1; }
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(find src bench tools -name '*.cpp' | sort)
printf '%s\n' "${files[@]}" |
  xargs -P "$(nproc)" -n 1 clang-tidy -p "$build" --quiet --warnings-as-errors='*' \
    2> >(grep -vE '^[0-9]+ warnings? (and [0-9]+ errors? )?generated|^Suppressed|^Use -' >&2)
echo "${#files[@]} files are tidy"
