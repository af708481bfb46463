// This file defines the interface of the planner's algorithms. Each algorithm is one small file;
// kSolvers lists them in the order in which they are tried.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "lines/request.hpp"

namespace imago::plan {

struct Solver {
  Algorithm algorithm;
  const char* name;
  /// Returns true if the algorithm can compute the request with this mapping on this device.
  bool (*applicable)(const lines::Request& request, Mapping mapping, const device::Facts& facts);
  /// Returns the lengths of its kernels, in launch order.
  std::vector<std::uint64_t> (*lengths)(const lines::Request& request, Mapping mapping,
                                        const device::Facts& facts);
};

extern const Solver kSingle;
extern const Solver kHierarchy;
extern const Solver kRader;
extern const Solver kBluestein;
extern const Solver kGlobal;

/// Returns true if the passes of one kernel or several suit the line better than a convolution.
bool suits_passes(const lines::Request& request, Mapping mapping, const device::Facts& facts);

/// Returns true if one kernel can compute a convolution of this request's length, forward and back.
/// The limit is largest_single(), because its registers also hold factors.
bool one_kernel_convolves(const lines::Request& convolved, Mapping mapping,
                          const device::Facts& facts);

/// All solvers, the preferred ones first. kGlobal is never preferred: it reads and writes global
/// memory once per radix.
inline constexpr std::array kSolvers{&kSingle, &kHierarchy, &kRader, &kBluestein, &kGlobal};
const Solver& solver_of(Algorithm algorithm);

}  // namespace imago::plan
