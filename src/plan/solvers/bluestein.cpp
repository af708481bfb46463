// This file implements Bluestein's algorithm: any length n as a convolution with a chirp, of 2 n -
// 1 points or more, in one kernel or several (Bluestein, IEEE Trans. AU-18, 1970; Govindaraju et
// al., IV.E).
#include "plan/convolution_lengths.hpp"
#include "plan/legality.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

bool applicable(const lines::Request& request, Mapping, const device::Facts&) {
  return request.length > 1 && request.axes.size() < 2 && !request.joins_points();
}

std::vector<std::uint64_t> lengths(const lines::Request& request, Mapping mapping,
                                   const device::Facts& facts) {
  const kernel::ConvolutionLengths wanted = lengths_of(kernel::Chirp{request.length});
  if (request.axes.size() > 1 || request.joins_points() || !wanted.possible) return {};
  check_counted(wanted.least, request.length);
  lines::Request convolved = request;
  for (const std::uint64_t length : convolution_lengths(wanted.least)) {
    convolved.length = length;
    if (one_kernel_convolves(convolved, mapping, facts)) return {length};
    if (kHierarchy.applicable(convolved, mapping, facts))
      return kHierarchy.lengths(convolved, mapping, facts);
  }
  return {};
}

}  // namespace

const Solver kBluestein{Algorithm::bluestein, "bluestein", applicable, lengths};

}  // namespace imago::plan
