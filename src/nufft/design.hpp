// This file decides how a nonuniform transform is computed: the window, the grid, and the bins and
// work-groups of the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <imago/nufft_transform.hpp>
#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "nufft/window.hpp"

namespace imago::nufft {

// The arguments of the kernels.
using uint = std::uint32_t;
#include "kernels/nufft.h"
#include "kernels/nufft_generic.h"

/// Throws InvalidArgument with the field, its value and the allowed values, and Unsupported for
/// f16.
void check(const NufftTransform& transform);
/// Returns the expected number of points of a member of the batch.
double expected_points(const NufftTransform& transform);
/// Returns the bytes of a strength, or of a value of type 2.
std::size_t number_bytes(const NufftTransform& transform);
/// Returns the bytes of one coordinate.
std::size_t coordinate_bytes(Coordinates coordinates);
/// Returns the smallest tolerance that the precision reaches for these modes.
double least_tolerance(const NufftTransform& transform);

/// The work-groups of the kernels that spread and interpolate.
struct Groups {
  /// True: a work-item has a bin and computes with vectors along x. False: the work-items of a
  /// group share a bin.
  bool vectors = false;
  unsigned spread_items = 1;       ///< work-items of a group
  unsigned teams = 1;              ///< teams of a group, each with its own tile
  unsigned batch = 1;              ///< points that a group prepares at a time
  unsigned interpolate_items = 1;  ///< work-items of a group
  bool tiled = true;               ///< interpolation copies the grid to a tile
  unsigned vector = 1, vectors_of_row = 0,
           rest = 0;        ///< numbers of reals, as the kernels have them
  std::size_t padding = 0;  ///< cells at the end of a tile, for vectors
  /// True: sums of strengths are compensated (Kahan 1965), and a tile has a second part, for what
  /// its cells lost. False in a design of the promise for each value if local memory does not hold
  /// both: then parts have few points, and only the sums of parts are compensated.
  bool compensated = false;
  /// True: the kernels are compiled once for the device and the precision, and read the window from
  /// a table. Then `vector` is that of these kernels.
  bool generic = false;
};

struct Design {
  const SpreadingWindow& window;
  std::vector<std::size_t> lengths;  ///< lengths of the grid, slowest axis first
  NufftGrid grid;                    ///< without the points
  Groups groups;
  /// Upper bounds of the window's error without rounding, by NufftPromise.
  std::array<double, 2> errors = {};
  /// Points that may be in one place, with strengths of one phase, before sums exceed the
  /// tolerance; infinity if they are compensated, or if local memory has no room for that.
  double most_in_one_place = std::numeric_limits<double>::infinity();

  double error(NufftPromise promise) const { return errors[static_cast<std::size_t>(promise)]; }
  std::size_t cells() const;  ///< number of cells of the grid
  std::size_t bins() const;   ///< number of bins of a grid
  /// Returns the bytes of planes of tiles, without what compensated sums need.
  std::size_t tile_bytes(std::size_t complex_bytes, std::size_t planes) const;
};

/// How many modes have numbers: all with a mean error, or few, whose error is that of the worst
/// ones. The two transforms of a type 3 have few if it has few points or frequencies.
enum class Modes { all, few };

/// Decides for a checked transform. Throws Unsupported for tolerances that cannot be reached.
Design design(const NufftTransform& transform, const device::Facts& facts,
              Mapping mapping = Mapping::automatic, Modes modes = Modes::all);

// Type 3: its points are spread over a grid, with the frequencies as modes that are real numbers.

/// Parts of the error of a type 3: of spreading the points, and of the type 2 at the frequencies.
enum class PartOfType3 { spreading, inner };
/// Returns the tolerance of a part, relative to its own: their errors add up.
double part_tolerance(const NufftTransform& transform, const SpreadingWindow& window,
                      PartOfType3 part);

/// Returns the window of both transforms of a type 3.
const SpreadingWindow& window_for_frequencies(const NufftTransform& transform);
/// Returns the number of cells along an axis, for the product of the extents of points and
/// frequencies. It is even, and one of few lengths.
std::size_t frequency_cells(const SpreadingWindow& window, double extents);
/// Throws Unsupported if a grid is too large for the device.
void check_grid(const std::vector<std::size_t>& lengths, const device::Facts& facts);
/// Decides how points are spread over a grid with `modes` cells.
Design spreading_design(const NufftTransform& transform, const SpreadingWindow& window,
                        const device::Facts& facts, Mapping mapping);

}  // namespace imago::nufft
