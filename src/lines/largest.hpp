// This file says how large the transforms can be that one kernel takes.
#pragma once

#include <cstdint>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "lines/request.hpp"

namespace imago::lines {

/// Largest transform that one kernel of the mapping takes.
std::uint64_t largest_single(Mapping mapping, Precision precision, const device::Facts& facts);

/// Shortest line that several work-groups share where a device has nothing else to do.
inline constexpr std::uint64_t kShortestShared = 1024;

/// Most points that a work-item holds: beyond, parameters are illegal.
inline constexpr unsigned kMostPointsPerItem = 64;

/// Points that each of a work-group's work-items can hold in registers beside all else.
unsigned points_in_registers(unsigned items, Precision precision, const device::Facts& facts);
/// Largest transform that one kernel takes as tiles of columns that are neighbours in memory.
std::uint64_t largest_with_columns(Mapping mapping, Precision precision,
                                   const device::Facts& facts);
/// Largest line that one kernel takes. Where complex points lie in order that is what all registers
/// of a compute unit hold: slower by the point than largest_single, and faster than two kernels.
std::uint64_t largest_line(const Request& request, Mapping mapping, const device::Facts& facts);
/// Most points of several axes that one kernel takes together.
std::uint64_t largest_together(Mapping mapping, Precision precision, const device::Facts& facts);

}  // namespace imago::lines
