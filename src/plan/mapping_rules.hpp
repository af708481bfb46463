// This file defines the rules that distinguish the two mappings in the planner: a table row for
// each, in work_group/rules.cpp and vector/rules.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "kernel/step.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

struct MappingRules {
  Mapping mapping;

  // Rules for the parameters of one kernel.

  /// Completes a wish with the defaults of the device class.
  KernelParameters (*complete)(KernelParameters wish, const KernelContext& context,
                               const device::Facts& facts);
  /// Throws InvalidArgument for complete parameters that are not legal.
  void (*check)(const KernelParameters& kernel, const KernelContext& context,
                const device::Facts& facts);
  /// Returns variations of the defaults, for the choice by predicted time. They may be incomplete,
  /// or not legal.
  std::vector<KernelParameters> (*variations)(const KernelParameters& defaults,
                                              const KernelContext& context,
                                              const device::Facts& facts);
  /// Returns all parameters of a kernel with this length and these radices, legal or not, for the
  /// tuner.
  std::vector<KernelParameters> (*choices)(const KernelParameters& radices,
                                           const KernelContext& context,
                                           const device::Facts& facts);

  // Rules for the kernels of a line.

  /// Returns true if one kernel suits a line of at most lines::largest_line() points.
  bool (*suits_one_kernel)(const lines::Request& request, const device::Facts& facts);
  /// Returns the longest transform of a kernel in a hierarchy, computed from the largest one of a
  /// single kernel.
  std::uint64_t (*longest_part)(std::uint64_t largest_single);
  /// Returns the preferred points of the first kernels when `parts` kernels compute n points, each
  /// at most `most`; the others share the rest evenly.
  std::vector<double> (*first_parts)(double n, unsigned parts, double most);
  /// True if two kernels may be twice as long as longest_part: a long kernel is still faster than a
  /// third one.
  bool twice_as_long_in_pairs;
  /// Lengths below this multiple of a prime factor above kernel::kLargestRadixPrime are
  /// convolutions, which are as fast there, or compile faster (docs/measured/cpu.md).
  std::uint64_t least_multiple;
  /// True if a convolution without padding is at least as fast as a padded one whenever its radices
  /// are at most 16. The planner then does not try padding.
  bool unpadded_suits;
  /// True if kernels have work-groups, whose number and size determine how well small amounts of
  /// work are distributed.
  bool has_work_groups;

  // Rules for a step.

  /// Sets the fields of a step that the mapping decides, after its passes, sides and columns.
  void (*lay_out)(kernel::Step& step, const lines::Request& request, const Parameters& parameters,
                  std::size_t kernel, const device::Facts& facts);
  /// Returns the number of tiles: columns or batch elements that a work-group, or one iteration of
  /// a work-item, processes together.
  std::uint64_t (*tiles)(const kernel::Step& step, std::uint64_t batch);
  /// Returns a text with the sizes of its lanes.
  std::string (*describe)(const kernel::Step& step);
};

extern const MappingRules kWorkGroupRules;
extern const MappingRules kVectorRules;

const MappingRules& rules_of(Mapping mapping);

}  // namespace imago::plan
