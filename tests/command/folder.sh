# Read by the scripts that try the command, in front of all else: a folder of their own to be in, and
# how they fail.
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
