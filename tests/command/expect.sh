# Read by the scripts that try the command, in front of all else: a folder of their own to be in, and
# what is expected of a call. Needs $imago.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export IMAGO_CACHE_DIR="$folder/cache" IMAGO_PROFILE_DIR="$folder/profiles" XDG_CONFIG_HOME="$folder/config"
failures=0

fail() {
  echo "FAILED: $*"
  sed 's/^/  out: /' out
  sed 's/^/  err: /' err
  failures=$((failures + 1))
}
# expect <status> <text> <arguments>...: one line of at most 300 characters on standard error where
# the status is not 0.
expect() {
  status=$1 text=$2
  shift 2
  "$imago" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" = "$status" ] || fail "imago $*: status $got, expected $status"
  [ -z "$text" ] || cat out err | grep -qF -e "$text" || fail "imago $*: no '$text'"
  [ "$status" = 0 ] || [ "$(grep -cvE "^[0-9]+ warnings? generated" err)" = 1 ] || fail "imago $*: not one line on standard error"
  [ "$(wc -c <err)" -le 300 ] || fail "imago $*: a long message"
}
