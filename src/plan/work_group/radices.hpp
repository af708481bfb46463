// This file finds radices for the work-items of the work-group mapping.
#pragma once

#include <cstdint>
#include <vector>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

/// Cost of points that are more than registers hold.
constexpr double kTooManyPoints = 1e6;

/// Returns the points that a work-item can hold without spilled registers. A point is two numbers,
/// with a third one for its factor (the cost model counts more exactly).
unsigned points_without_spills(const KernelContext& context, const device::Facts& facts);

/// Returns radices of a power of two, as even as possible, the larger first, for work-items that
/// hold `points` points. If there is one bit too many, the middle radix of three or more is doubled
/// and half of the work-items idle, unless it would exceed `widest`. If there is one bit too few,
/// the middle radix is halved.
std::vector<unsigned> even_radices(std::uint64_t length, unsigned points, unsigned widest);

/// Returns radices for a folded half spectrum: every pass as large as possible, the rest first
/// (measured on an H200: 2.16.16 takes 0.94 of the time of 8.8.8).
std::vector<unsigned> large_radices(std::uint64_t length, unsigned points);

/// Returns the allocated work-items of a pass, busy or not, divided by those needed.
double pass_waste(std::uint64_t length, unsigned radix, std::uint64_t items);

/// Returns the radices of a line whose passes leave the fewest of `items` work-items without a
/// butterfly, the largest first, because the first pass has no factors; none if registers cannot
/// hold the points.
std::vector<unsigned> busy_radices(std::uint64_t length, unsigned items,
                                   const KernelContext& context, const device::Facts& facts);

}  // namespace imago::plan
