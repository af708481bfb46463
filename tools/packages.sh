# Sourced by the other scripts here: installs Debian and Ubuntu packages without questions.
# shellcheck shell=bash disable=SC2034

say() { printf '\n== %s\n' "$*"; }
die() {
  printf '%s\n' "$*" >&2
  exit 1
}

library_packages=(g++ cmake ninja-build pkg-config ca-certificates ocl-icd-opencl-dev opencl-headers
  opencl-clhpp-headers pocl-opencl-icd nlohmann-json3-dev)
command_packages=(libcli11-dev libfmt-dev libfftw3-dev libclfft-dev libcairo2-dev libpng-dev libsndfile1-dev alsa-utils)
test_packages=(catch2 dpkg-dev universal-ctags python3-jsonschema python3-dev python3-venv libopenmpi-dev
  openmpi-bin)
# For the examples and the benchmark on ranks.
full_packages=(libjpeg-turbo-progs python-matplotlib-data libfftw3-mpi-dev)
# Languages that call the interfaces for C in tests (docs/languages.md).
language_packages=(gfortran rustc octave octave-dev r-base-core r-base-dev)
# The site (tools/docs.sh) and manual pages; NumPy because the Python reference imports the package.
docs_packages=(doxygen python3-sphinx python3-breathe python3-myst-parser furo python3-numpy python3-venv
  help2man)
# Used if the distribution has them: data race and bounds checks; the reference for the format;
# clients of clFFT.
wished_packages=(oclgrind clang-format-14 clfft-client python3-gpyfft ufo-filters libufo-bin)

# Compilers for GPUs (tools/gpu_compilers.py); NVIDIA's are PyPI's.
compiler_packages=(clang-19 libclc-19 intel-opencl-icd libigc-tools)

# Exported programs (tests/standalone) are compiled and run by these; clspv is PyPI's.
export_packages=(clang-16 libvulkan-dev mesa-vulkan-drivers gcc-aarch64-linux-gnu libc6-dev-arm64-cross
  qemu-user-static)

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif ! command -v sudo >/dev/null; then
    die "Cannot install packages: neither root nor sudo. Run this as root first: $*"
  elif [ -t 0 ]; then
    sudo "$@"
  else
    sudo -n "$@" || die "Cannot install packages without a password. Run this first: sudo $*"
  fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null; }

# need <package>...: installs the missing packages; does nothing if all are installed.
need() {
  local package missing=()
  command -v dpkg-query >/dev/null || {
    printf 'This is not Debian or Ubuntu: install what these packages hold yourself: %s\n' "$*"
    return 0
  }
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "Installing ${missing[*]}"
  apt update || die "apt-get update failed: is this machine online?"
  apt install --yes --no-install-recommends "${missing[@]}" >/dev/null ||
    die "These packages could not be installed: ${missing[*]}"
}

# wish <package>...: installs the packages that the distribution offers.
wish() {
  local package offered=()
  command -v apt-cache >/dev/null || return 0
  for package in "$@"; do
    is_installed "$package" && continue
    [ -z "$(apt-cache show --no-all-versions "$package" 2>/dev/null)" ] || offered+=("$package")
  done
  [ ${#offered[@]} -eq 0 ] || need "${offered[@]}"
}
