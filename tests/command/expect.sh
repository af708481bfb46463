# Sourced first by scripts that test the command: folder.sh, and the check of a call. Needs $imago.
. "$(dirname "$0")/folder.sh"

# expect <status> <text> <arguments>...: one line of at most 300 characters on standard error if the
# status is not 0.
expect() {
  status=$1 text=$2
  shift 2
  "$imago" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" = "$status" ] || fail "imago $*: status $got, expected $status"
  [ -z "$text" ] || cat out err | grep -qF -e "$text" || fail "imago $*: no '$text'"
  [ "$status" = 0 ] || [ "$(wc -l <err)" = 1 ] || fail "imago $*: not one line on standard error"
  [ "$(wc -c <err)" -le 300 ] || fail "imago $*: a long message"
}
