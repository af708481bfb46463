#!/usr/bin/env bash
# tune_faults.sh <imago>
#
# Candidates run in child processes. If one crashes or hangs, only its own result is lost: the tuner
# continues, reports it and saves a result. The next run removes the files of a killed tuner.
set -euo pipefail
imago=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/tmp"
export XDG_CACHE_HOME=$folder/cache TMPDIR=$folder/tmp IMAGO_PROFILE_DIR=$folder/profiles

fail() {
  echo "tune_faults: $1" >&2
  cat "$folder/out" >&2
  exit 1
}

# children <tuner>: prints the ids of the processes that measure and compile for it.
children() { ps -o pid=,args= --ppid "$1" | awk '/tune --child/ { print $1 }'; }

# other_children <tuner> <ids>: waits for children of the tuner that are not among the ids, and
# prints them.
other_children() {
  for ((i = 0; i < 300; ++i)); do
    found=$(children "$1" | grep -vwF "${2:-none}" || true)
    [ -n "$found" ] && { echo "$found"; return; }
    sleep 0.1
  done
  return 1
}

# One search whose child that measures crashes, and hangs later; the child that compiles in advance
# crashes too, which costs no result. The tuner starts the measuring child first. It notices a fault
# only when it gives that child a candidate, so the second signal waits for the child's successor.
# The search has more lengths than its budget measures: it must not end before its children were hit.
lengths=64,80,96,108,120,125,128,144,160,180,192,200,216,240,243,256
search() {
  "$imago" tune --lengths $lengths --points 4096 --budget "$1" --patience 2 --jobs 1 \
    --json "$folder/tried.json" >"$folder/out" 2>&1 &
  tuner=$!
  measuring=$(other_children "$tuner" "") || fail "no children were started"
  measuring=${measuring%%$'\n'*}
  sleep 2
  first=$(children "$tuner")
  kill -SEGV "$measuring" || fail "the search ended before its child crashed"
  measuring=$(other_children "$tuner" "$first") || fail "no child replaced the one that crashed"
  sleep 2
  kill -STOP "$measuring" || fail "the search ended before its child was stopped"
  other_children "$tuner" "$first
$measuring" >/dev/null || fail "no child replaced the one that hung"
  kill -SEGV $first 2>/dev/null || true
  status=0
  wait "$tuner" || status=$?
  [ "$status" -eq 0 ] || fail "status $status"
  grep -q '"failure": "it crashed"' "$folder/tried.json" || { wrong="no candidate crashed"; return 1; }
  # On a busy machine the budget may end first.
  grep -qE '"failure": "(it hung: no answer in 2 s|no answer before the budget ended)"' \
    "$folder/tried.json" || { wrong="no candidate hung"; return 1; }
}
search 40 || search 60 || search 80 || fail "$wrong"
"$imago" tune --show | grep -qE "^ *(${lengths//,/|}) " || fail "nothing in the profile"
echo "a crash and a hang were survived"

"$imago" tune --lengths 64 --points 4096 --budget 60 >"$folder/out" 2>&1 &
tuner=$!
orphans=$(other_children "$tuner" "") || fail "no children were started"
kill -KILL "$tuner"
wait "$tuner" 2>/dev/null || true
ls -d "$TMPDIR"/imago-tune-* >/dev/null || fail "the killed tuner had no folder"
# Its children finish their work and then notice that their parent has died.
for orphan in $orphans; do
  for ((i = 0; i < 600; ++i)); do kill -0 "$orphan" 2>/dev/null || break; sleep 0.1; done
done
"$imago" tune --lengths 2 --points 4096 --budget 10 >"$folder/out" 2>&1 || fail "the next run failed"
[ -z "$(ls -A "$TMPDIR")" ] || fail "left in $TMPDIR: $(ls "$TMPDIR")"
echo "what a killed tuner left was cleared away"
