// This file implements the global-memory Stockham algorithm: one kernel per radix, every pass
// through global memory (Govindaraju et al., IV.A). It is never chosen automatically, but can be
// forced and measured.
#include "kernel/radices.hpp"
#include "lines/largest.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

bool applicable(const lines::Request& request, Mapping mapping, const device::Facts& facts) {
  return request.can_be_split(mapping) &&
         lines::has_radices(request.length, mapping, request.precision, facts);
}

std::vector<std::uint64_t> lengths(const lines::Request& request, Mapping, const device::Facts&) {
  // Uses as few passes as radices up to 16 allow, and prefers similar radices to a large one and a
  // small one.
  const kernel::Factorisation found = kernel::cheapest(
      request.length, kernel::all_radices(),
      [](std::uint64_t, unsigned radix) { return radix > 16 ? 1e9 : 100.0 + radix; });
  return {found.radices.begin(), found.radices.end()};
}

}  // namespace

const Solver kGlobal{Algorithm::global, "global", applicable, lengths};

}  // namespace imago::plan
