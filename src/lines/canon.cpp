// This file implements the sizes of the canon.
#include "lines/canon.hpp"

#include "base/precision.hpp"
#include "kernel/radices.hpp"

namespace imago::lines {

std::uint64_t longest_of_canon(Precision precision) {
  constexpr std::uint64_t kLocalBytes = 32 << 10;
  return kLocalBytes / base::bytes_of(base::arithmetic_of(precision));
}

bool canon_takes_whole(std::uint64_t points, Precision precision) {
  return points <= longest_of_canon(precision) && kernel::has_radices(points);
}

}  // namespace imago::lines
