// This file completes a wish with the decisions of the solvers and the defaults of the mapping.
#include "plan/planner.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "kernel/edges/convolved.hpp"
#include "lines/mapping.hpp"
#include "plan/kernel_context.hpp"
#include "plan/legality.hpp"
#include "plan/mapping_rules.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

Algorithm preferred(const lines::Request& request, Mapping mapping, const device::Facts& facts) {
  for (const Solver* solver : kSolvers) {
    if (solver->applicable(request, mapping, facts)) return solver->algorithm;
  }
  base::internal_error("no algorithm takes length " + std::to_string(request.length));
}

Algorithm implied(const std::vector<KernelParameters>& kernels) {
  return kernels.size() == 1 ? Algorithm::single : Algorithm::hierarchy;
}

/// Checks the lengths of all kernels, because the defaults of one depend on the others.
void check_kernel_lengths(const std::vector<KernelParameters>& kernels, std::uint64_t length) {
  std::uint64_t rest = length;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::uint64_t part = kernels[i].length;
    if (part == 0 || rest % part != 0) {
      base::invalid("parameters.kernels[" + std::to_string(i) + "].length", part,
                    "it must divide " + std::to_string(rest) +
                        ", which the kernels before it leave of " + std::to_string(length));
    }
    rest /= part;
  }
}

/// Sets the solver's lengths if the wish has none. A single kernel without a length gets the
/// solver's length.
void complete_lengths(const lines::Request& request, const device::Facts& facts, Parameters& p) {
  const bool convolves = kernel::is_convolution(p.algorithm);
  const bool open = p.kernels.size() == 1 && p.kernels[0].length == 0;
  if (open && !convolves) p.kernels[0].length = request.length;
  if (p.kernels.empty() || (open && convolves)) {
    const auto lengths = solver_of(p.algorithm).lengths(request, p.mapping, facts);
    if (lengths.empty())
      base::invalid(
          "parameters.algorithm", solver_of(p.algorithm).name,
          "use another algorithm: it cannot split length " + std::to_string(request.length));
    p.kernels.resize(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) p.kernels[i].length = lengths[i];
  }
  if (!convolves) return check_kernel_lengths(p.kernels, request.length);
  std::uint64_t product = 1;
  for (const KernelParameters& kernel : p.kernels) product *= kernel.length;
  check_kernel_lengths(p.kernels, product);
}

}  // namespace

Parameters complete(const lines::Request& request, const device::Facts& facts,
                    const Parameters& wish) {
  Parameters p = wish;
  p.mapping = lines::mapping_of(p.mapping, facts);
  if (p.algorithm == Algorithm::automatic) {
    p.algorithm = p.kernels.empty() ? preferred(request, p.mapping, facts) : implied(p.kernels);
  }
  complete_lengths(request, facts, p);
  for (std::size_t i = 0; i < p.kernels.size(); ++i) {
    KernelParameters& kernel = p.kernels[i];
    if (p.algorithm == Algorithm::global && kernel.radices.empty())
      kernel.radices = {static_cast<unsigned>(kernel.length)};
    check_wish(i, kernel);
    const KernelContext context = context_of(request, p, i);
    kernel = rules_of(p.mapping).complete(kernel, context, facts);
  }
  check(request, facts, p);
  return p;
}

}  // namespace imago::plan
