// This file is the skeleton that every algorithm of the planner follows: one small file each,
// listed in kSolvers in the order in which they are tried.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "device/facts.hpp"
#include "plan/planner.hpp"

namespace imago::plan {

struct Solver {
  Algorithm algorithm;
  const char* name;
  /// Whether it can compute the request with this mapping on this device.
  bool (*applicable)(const lines::Request& request, Mapping mapping, const device::Facts& facts);
  /// The lengths of its kernels, in launch order.
  std::vector<std::uint64_t> (*lengths)(const lines::Request& request, Mapping mapping,
                                        const device::Facts& facts);
};

extern const Solver kSingle;
extern const Solver kHierarchy;
extern const Solver kRader;
extern const Solver kBluestein;
extern const Solver kGlobal;

/// Whether one kernel takes a convolution of this request's length there and back: no longer than
/// largest_single, because its registers hold factors, too.
bool one_kernel_convolves(const lines::Request& convolved, Mapping mapping,
                          const device::Facts& facts);

/// All of them, the preferred first. kGlobal never is: it is one trip through global memory per
/// radix.
inline constexpr std::array kSolvers{&kSingle, &kHierarchy, &kRader, &kBluestein, &kGlobal};
const Solver& solver_of(Algorithm algorithm);

}  // namespace imago::plan
