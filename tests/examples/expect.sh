# Sourced by the tests of the examples: a temporary folder, and expect.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export IMAGO_CACHE_DIR="$folder/cache"
failures=0
# expect <status> <text in the output> <arguments of $example>...
expect() {
  status=$1 text=$2
  shift 2
  "$example" "$@" >out 2>&1
  got=$?
  if [ "$got" != "$status" ] || ! grep -qF -e "$text" out; then
    echo "FAILED: $(basename "$example") $*: status $got, expected $status and '$text':"
    cat out
    failures=$((failures + 1))
  fi
}
