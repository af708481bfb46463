// This file predicts the time of the steps between points and grids.
#include "nufft_device/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "base/precision.hpp"
#include "model/rates.hpp"
#include "nufft_device/programs.hpp"

namespace imago::nufft_device {
namespace {

/// Returns the seconds of sorting a point: its bytes in global memory, which the passes of the sort
/// access in many places.
double sort_seconds(const NufftTransform& transform, const nufft::Design& design,
                    const device::Rates& rates) {
  const std::size_t members = transform.points_per_member ? transform.batch : 1;
  // The bytes of sequential accesses that take as long as one byte. Measured: 12 to 58 ns for a
  // point on two cores of an EPYC (PoCL), 0.12 to 0.18 ns on an H200.
  constexpr double kScattered = 6, kWord = 4, kOfPass = 7 * kWord;
  const auto axes = static_cast<double>(design.lengths.size()),
             real = static_cast<double>(base::bytes_of(transform.precision));
  const double of_axis =
      static_cast<double>(nufft::coordinate_bytes(transform.coordinates)) + 2 * (kWord + real);
  const double bytes = axes * of_axis + kWord + kOfPass * passes_of(design, members).count;
  return kScattered * bytes / rates.copy_bytes;
}

/// Returns the seconds of a point for work-items with vectors: instructions of the kernel's
/// polynomials, and of the rows of the tile. `fixed` is the number of other instructions.
double vector_seconds(const NufftTransform& transform, const nufft::Design& design,
                      const device::Facts& facts, const device::Rates& rates, double fixed) {
  // Slots of a vector unit for an instruction with its operands from the first cache, and
  // instructions of a row's vector. Measured on two cores of an EPYC with PoCL.
  constexpr double kSlots = 4, kOfRow = 2;
  const nufft::Groups& groups = design.groups;
  const auto axes = static_cast<double>(design.lengths.size()),
             width = static_cast<double>(design.window.width());
  const double vectors = groups.vectors_of_row + (groups.rest > 0 ? 1 : 0);
  const double polynomials = axes * static_cast<double>(design.window.degree() + 1) * vectors,
               rows = std::pow(width, axes - 1) * vectors;
  const double lanes =
      std::max(1U, transform.precision == Precision::f64 ? 2 * facts.vector_f64 : facts.vector_f32);
  return (fixed + kSlots * (polynomials + kOfRow * rows)) * 2 * lanes / rates.flops;
}

/// Returns the seconds of a point for work-items that share a bin: bytes in local memory.
double item_seconds(const NufftTransform& transform, const nufft::Design& design,
                    const device::Rates& rates, double cells, double accesses) {
  // The bytes of conflict-free accesses that take as long as one byte, fitted to 2^22 points on an
  // H200 (docs/nufft.md, Speed).
  constexpr double kOfByte = 4;
  const auto complex = 2 * static_cast<double>(base::bytes_of(transform.precision));
  const auto axes = static_cast<double>(design.lengths.size());
  const double values = axes * static_cast<double>(design.window.width()) * complex;
  return kOfByte * (accesses * cells * complex + values) / rates.local_bytes;
}

}  // namespace

Seconds predict(const NufftTransform& transform, const nufft::Design& design,
                const device::Facts& facts, std::size_t points) {
  const device::Rates rates = model::rates_of(facts);
  const auto count = static_cast<double>(points);
  const nufft::Groups& groups = design.groups;
  const double sort = count * sort_seconds(transform, design, rates);
  if (groups.vectors) {
    // Strengths are read in the order of the points, so their loads wait for memory.
    constexpr double kOfSpread = 200, kOfInterpolate = 80;
    return {sort, count * vector_seconds(transform, design, facts, rates, kOfSpread),
            count * vector_seconds(transform, design, facts, rates, kOfInterpolate)};
  }
  const std::size_t axes = design.lengths.size();
  const auto width = static_cast<double>(design.window.width());
  const double spread_cells =
      groups.spread_items / static_cast<double>(groups.teams) * (axes == 3 ? width : 1);
  return {sort, count * item_seconds(transform, design, rates, spread_cells, 2),
          count * item_seconds(transform, design, rates, std::pow(width, axes), 1)};
}

}  // namespace imago::nufft_device
