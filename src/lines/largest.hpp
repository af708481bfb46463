// This file computes the sizes of the largest transforms that one kernel can compute.
#pragma once

#include <cstdint>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "lines/request.hpp"

namespace imago::lines {

/// Returns the length of the largest transform that one kernel of the mapping computes.
std::uint64_t largest_single(Mapping mapping, Precision precision, const device::Facts& facts);

/// Shortest line that several work-groups share on a device that is otherwise idle.
inline constexpr std::uint64_t kShortestShared = 1024;

/// The most points per work-item that parameters may specify, but for one larger radix.
inline constexpr unsigned kMostPointsPerItem = 64;

/// Returns the points that the registers of each work-item of a work-group have room for, in
/// addition to other values.
unsigned room_in_registers(unsigned items, Precision precision, const device::Facts& facts);
/// Returns the same, at most kMostPointsPerItem.
unsigned points_in_registers(unsigned items, Precision precision, const device::Facts& facts);
/// Returns the length of the largest transform that one kernel computes in tiles of columns that
/// are adjacent in memory.
std::uint64_t largest_with_columns(Mapping mapping, Precision precision,
                                   const device::Facts& facts);
/// Returns the length of the largest line that one kernel computes. If complex points are in order,
/// it fills all registers of a compute unit: slower per point than largest_single(), but faster
/// than two kernels.
std::uint64_t largest_line(const Request& request, Mapping mapping, const device::Facts& facts);
/// Returns the most points of several axes that one kernel computes together.
std::uint64_t largest_together(Mapping mapping, Precision precision, const device::Facts& facts);

/// Returns true if kernels of the mapping have radices for a line of n points, which then needs no
/// convolution. It may have one prime factor above kernel::kLargestRadixPrime: with two, the text
/// of a kernel would take compilers too long.
bool has_radices(std::uint64_t n, Mapping mapping, Precision precision, const device::Facts& facts);

}  // namespace imago::lines
