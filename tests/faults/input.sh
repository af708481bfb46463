# Sourced by the scripts here. make_input <file> <count> writes `count` random int16 numbers as
# .npy.
# shellcheck shell=bash
make_input() {
  local header="{'descr': '<i2', 'fortran_order': False, 'shape': ($2,), }"
  {
    printf '\x93NUMPY\x01\x00'
    printf "\\x$(printf %02x ${#header})\\x00%s" "$header"
    head -c $((2 * $2)) /dev/urandom
  } >"$1"
}
