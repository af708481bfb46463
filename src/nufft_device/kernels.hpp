// This file lists the kernels of nonuniform transforms: their texts, options and work-groups.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include <imago/nufft_transform.hpp>

#include "device/facts.hpp"
#include "kernel/handmade.hpp"
#include "nufft/design.hpp"

namespace imago::nufft_device {

enum class Stage {
  keys,
  count,
  scan,
  scatter,
  place,
  parts,
  crowds,
  spread,
  add_parts,
  interpolate
};

/// Returns the kernels of a design. The block of a kernel is the number of points of a work-item.
/// The kernels of a generic design depend only on the device, the precision and the mapping. They
/// are in two programs, and `place` is missing, because `keys` does both.
std::map<Stage, kernel::Handmade> kernels_of(const NufftTransform& transform,
                                             const nufft::Design& design,
                                             const device::Facts& facts);

/// Stages of a type 3, in addition to those of its grid.
enum class FrequencyStage { extent, rescale, factors, multiply, multiply_real };

/// Returns the kernels of type 3: each in a program, or all in one (`together`).
std::map<FrequencyStage, kernel::Handmade> frequency_kernels(const NufftTransform& transform,
                                                             const device::Facts& facts,
                                                             bool together = false);

/// Returns the numbers of a design that generic kernels read.
nufft::NufftConstants constants_of(const NufftTransform& transform, const nufft::Design& design);
/// Returns the table of polynomials that generic kernels read.
std::vector<double> polynomial_table(const nufft::Design& design);

/// Returns true if the kernels of coordinates compute with vectors of doubles, and find the places
/// of points twice instead of keeping them.
bool has_lanes(const NufftTransform& transform, const nufft::Design& design,
               const device::Facts& facts);

/// Passes of the sort by bins: their number, and the bits of a bin's number by which each sorts.
/// None if each member of the batch has points of its own and one bin.
struct SortPasses {
  unsigned count = 1, bits = 8;
};
/// Returns the passes for a number of members of the batch that have points of their own, or for 1.
SortPasses passes_of(const nufft::Design& design, std::size_t members);
/// Returns the most bits of a pass, for any grid.
unsigned most_bits(const nufft::Design& design);

}  // namespace imago::nufft_device
