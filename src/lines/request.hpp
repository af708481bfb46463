// This file defines a Request: a line of the transform, for which the planner makes kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "kernel/program.hpp"
#include "kernel/radices.hpp"

namespace imago::lines {

/// A batch loop: a dimension of adjacent lines, in complex elements.
struct Loop {
  std::uint64_t extent = 1, in_stride = 1, out_stride = 1;
  std::uint64_t spectrum_stride = 0;  ///< in the spectrum at a filter's fused point
  friend bool operator==(const Loop&, const Loop&) = default;
};

/// The layout of a line's points before or after its transform.
struct LineSide {
  kernel::Memory memory = kernel::Memory::input;
  std::uint64_t offset = 0;    ///< offset of the first line, in elements
  std::uint64_t distance = 1;  ///< between batch elements, in complex elements
  std::uint64_t stride = 1;    ///< between points
  kernel::Elements elements = kernel::Elements::complex;
  kernel::Edge edge = {};  ///< edge of the line; for several axes see Request::axis_edges
  bool planar = false;     ///< true if two memories hold the real and imaginary parts
  /// For Elements::pairs; counted in real numbers, like all strides of that side.
  std::uint64_t pair_stride = 1;
  std::optional<kernel::Hooked> hooked = {};  ///< like Side::hooked
};

/// The spectrum at the fused point of a filter. It is packed, and its elements are identified by
/// their numbers.
struct FusedFilter {
  kernel::Hooked hooked;
  std::uint64_t stride = 1;    ///< between points of the line
  std::uint64_t distance = 0;  ///< between batch elements
  std::uint64_t offset = 0;    ///< offset of the first line
};

/// A line: complex transforms in one direction, along one axis or along several axes that are
/// packed in both memories. A transform of several dimensions is a sequence of lines (cutter.hpp).
struct Request {
  std::uint64_t length = 1;              ///< points: product of the axes
  std::vector<std::uint64_t> axes = {};  ///< points, slowest first; empty: one axis of `length`
  std::uint64_t batch = 1;
  /// Precision of the caller's arrays; f16 is computed in f32.
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  bool inverse = false;
  double scale = 1;  ///< scaling factor of the result
  LineSide in = {}, out = {.memory = kernel::Memory::output};
  std::optional<FusedFilter> filter =
      {};  ///< set if the line is a fused forward and inverse transform
  /// Edges of several axes, the same at both ends; or empty.
  std::vector<kernel::Edge> axis_edges = {};
  /// Further adjacent lines, the closest first, with extents compiled into kernels.
  std::vector<Loop> loops = {};
  std::uint64_t scratch_offset = 0;  ///< start of the request's part of scratch, in elements
  bool rest = false;                 ///< value of remains()
  bool reproducible = false;         ///< like Problem::reproducible

  /// Returns true if points are complex numbers, in their order, on both sides.
  bool plain() const;
  /// Returns true if there are hooks at one of the ends.
  bool hooked() const { return in.hooked || out.hooked; }
  /// Returns true if the line is plain and memory holds the points unchanged.
  bool bare() const { return plain() && !hooked(); }
  /// Returns true if several kernels of the mapping can compute the line.
  bool can_be_split(Mapping mapping) const;
  /// Returns true if the line's kernels transform forward and back.
  bool turns(const Parameters& parameters) const;
  /// Returns true if a single kernel of the work-group mapping reorders elements in local memory,
  /// because of several axes or because partners are joined at the load.
  bool reorders() const;
  /// Returns the order of the axes' passes. If the points of all axes are joined with their
  /// partners after the last pass, that pass should store adjacent elements in adjacent work-items.
  kernel::AxisOrder axis_order() const;
  /// Returns true if points are joined with their partners while a kernel holds both.
  bool joins_points() const;
  /// Returns the elements of a line in memory at one end.
  std::uint64_t elements(kernel::End end) const;
  /// Returns the elements of several axes, slowest first.
  std::vector<std::uint64_t> axis_lengths() const;
  /// Returns how kernel i pairs its columns; it depends on the mapping, the algorithm and the
  /// number of kernels in the parameters.
  kernel::Mirror mirror(const Parameters& parameters, std::size_t i) const;
  /// Returns true if this request computes what remains of a loop with an odd number of real lines:
  /// the last one. The request before computes the others in pairs.
  bool remains() const { return rest; }
  /// Returns the number of lines in one batch element.
  std::uint64_t lines() const;
  std::uint64_t points() const { return length * lines() * batch; }  ///< points of all lines
  /// Return true if the lines of the first loop are adjacent in memory, and with them the kernels'
  /// columns.
  bool adjacent_in() const { return !loops.empty() && loops[0].in_stride == 1; }
  bool adjacent_out() const { return !loops.empty() && loops[0].out_stride == 1; }
  bool adjacent() const { return adjacent_in() || adjacent_out(); }
};

}  // namespace imago::lines
