// This file implements Rader's algorithm: a prime length p as a cyclic convolution of p - 1 points
// in one kernel, with the elements in the order of a generator's powers (Rader, Proc. IEEE 56,
// 1968). If p - 1 has large factors, the convolution is padded. It then takes as long as
// Bluestein's, and is used only if forced.
#include "kernel/radices.hpp"
#include "plan/convolution_lengths.hpp"
#include "plan/legality.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

bool is_odd_prime(const lines::Request& request) {
  return request.axes.size() < 2 && !request.joins_points() &&
         lengths_of(kernel::RaderOrder{request.length}).possible;
}

bool applicable(const lines::Request& request, Mapping mapping, const device::Facts& facts) {
  const std::uint64_t p = request.length;
  if (!is_odd_prime(request) || !kernel::has_radices(p - 1)) return false;
  lines::Request convolved = request;
  convolved.length = p - 1;
  return one_kernel_convolves(convolved, mapping, facts);
}

std::vector<std::uint64_t> lengths(const lines::Request& request, Mapping mapping,
                                   const device::Facts& facts) {
  const std::uint64_t p = request.length;
  if (!is_odd_prime(request)) return {};
  check_counted(p, p);
  std::vector<std::uint64_t> candidates{p - 1};
  if (!kernel::has_radices(p - 1))
    candidates = convolution_lengths(lengths_of(kernel::RaderOrder{p}).least);
  for (const std::uint64_t length : candidates) {
    lines::Request convolved = request;
    convolved.length = length;
    if (one_kernel_convolves(convolved, mapping, facts)) return {length};
  }
  return {};
}

}  // namespace

const Solver kRader{Algorithm::rader, "rader", applicable, lengths};

}  // namespace imago::plan
