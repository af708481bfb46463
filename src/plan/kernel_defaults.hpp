// This file fills in what a kernel's parameters leave open: the defaults of each device class, as
// pure functions of the device's facts.
#pragma once

#include <cstdint>
#include <vector>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "plan/radices.hpp"

namespace imago::plan {

/// What a kernel is part of.
struct KernelRole {
  Precision precision = Precision::f32;
  std::uint64_t neighbours =
      1;  ///< adjacent columns it could take together: the batch, or of the large transform
  bool alone = true;       ///< the line's only kernel, and its columns are no neighbours in memory
  bool twiddled = false;   ///< multiplies by inter-kernel twiddles as it loads
  bool packed = true;      ///< alone: lines follow each other without gaps
  bool plain = true;       ///< complex numbers on both sides
  bool convolves = false;  ///< passes lead to a product with a spectrum, and back
  bool reorders = false;   ///< as Request::reorders
  bool mirrored = false;   ///< takes columns in pairs (Request::mirror)
  std::vector<std::uint64_t> axes = {};  ///< of the kernel where it transforms several
  AxisOrder axis_order = AxisOrder::slowest_first;
};

KernelParameters complete_work_group(KernelParameters wish, const KernelRole& role,
                                     const device::Facts& facts);
KernelParameters complete_vector(KernelParameters wish, const KernelRole& role,
                                 const device::Facts& facts);

/// Components of the device's vectors that the vector mapping uses.
unsigned vector_lanes(Precision precision, const device::Facts& facts);
/// Largest transform that one kernel of the mapping takes.
std::uint64_t largest_single(Mapping mapping, Precision precision, const device::Facts& facts);
/// The same where it takes tiles of columns that are neighbours in memory.
std::uint64_t largest_with_columns(Mapping mapping, Precision precision,
                                   const device::Facts& facts);
/// Most points of several axes that one kernel takes together.
std::uint64_t largest_together(Mapping mapping, Precision precision, const device::Facts& facts);

}  // namespace imago::plan
