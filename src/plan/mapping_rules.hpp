// This file is the skeleton that both mappings follow wherever the planner's decisions depend on
// them: a row of rules for each, work_group/rules.cpp and vector/rules.cpp.
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

  // Parameters of one kernel.

  /// Fills what a wish leaves open with the device class's defaults.
  KernelParameters (*complete)(KernelParameters wish, const KernelContext& context,
                               const device::Facts& facts);
  /// Throws InvalidArgument for complete ones that are not legal.
  void (*check)(const KernelParameters& kernel, const KernelContext& context,
                const device::Facts& facts);
  /// Variations of the defaults, for the choice by predicted time. They may be incomplete, or not
  /// legal.
  std::vector<KernelParameters> (*variations)(const KernelParameters& defaults,
                                              const KernelContext& context);
  /// All that a kernel of this length and these radices can be, legal or not, for the tuner.
  std::vector<KernelParameters> (*choices)(const KernelParameters& radices,
                                           const KernelContext& context,
                                           const device::Facts& facts);

  // The kernels of a line.

  /// True if one kernel suits a line that is no longer than lines::largest_line.
  bool (*suits_one_kernel)(const lines::Request& request, const device::Facts& facts);
  /// Longest transform of one of a hierarchy's kernels, from the largest of one kernel alone.
  std::uint64_t (*longest_part)(std::uint64_t largest_single);
  /// Points that the first ones of `parts` kernels should take of n, each at most `most`; the
  /// others share the rest evenly.
  std::vector<double> (*first_parts)(double n, unsigned parts, double most);
  /// Two kernels may be twice as long as longest_part: one long part still beats a third kernel.
  bool twice_as_long_in_pairs;
  /// A convolution without padding is never slower than a padded one (largest radix up to 16).
  bool unpadded_suits;
  /// Kernels have work-groups, whose number and size decide how well small work is shared.
  bool has_work_groups;

  // A step.

  /// Writes what the mapping decides of a step that has its passes, sides and columns.
  void (*lay_out)(kernel::Step& step, const lines::Request& request, const Parameters& parameters,
                  std::size_t kernel, const device::Facts& facts);
  /// Columns or batch members that a work-group, or one turn of a work-item, takes together.
  std::uint64_t (*tiles)(const kernel::Step& step, std::uint64_t batch);
  /// The sizes of its lanes in words.
  std::string (*describe)(const kernel::Step& step);
};

extern const MappingRules kWorkGroupRules;
extern const MappingRules kVectorRules;

const MappingRules& rules_of(Mapping mapping);

}  // namespace imago::plan
