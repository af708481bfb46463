# Sourced first by scripts that test the command: a folder of their own, and the report of failures.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export IMAGO_CACHE_DIR="$folder/cache" IMAGO_PROFILE_DIR="$folder/profiles" XDG_CONFIG_HOME="$folder/config"
export IMAGO_LOG=error  # no lines of waits, on busy machines
failures=0

fail() {
  echo "FAILED: $*"
  sed 's/^/  out: /' out
  sed 's/^/  err: /' err
  failures=$((failures + 1))
}
