// This file defines a Request: a line of the transform, which the planner makes kernels for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "kernel/program.hpp"
#include "kernel/radices.hpp"

namespace imago::lines {

/// A batch loop: a dimension of neighbouring lines, in complex elements.
struct Loop {
  std::uint64_t extent = 1, in_stride = 1, out_stride = 1;
  std::uint64_t turn_stride = 0;  ///< in the spectrum that a filter turns in
  friend bool operator==(const Loop&, const Loop&) = default;
};

/// Where the points of a line lie before it is transformed, or after.
struct LineSide {
  kernel::Memory memory = kernel::Memory::input;
  std::uint64_t offset = 0;    ///< of the first line, in elements
  std::uint64_t distance = 1;  ///< between batch members, in complex elements
  std::uint64_t stride = 1;    ///< between points
  kernel::Elements elements = kernel::Elements::complex;
  kernel::Edge edge = {};         ///< of the line; of several axes see Request::axis_edges
  bool planar = false;            ///< complex elements as two memories of reals
  std::uint64_t pair_stride = 1;  ///< of Elements::pairs, in reals, as all strides of their side
  std::optional<kernel::Hooked> hooked = {};  ///< as of Side
};

/// The spectrum that a filter turns in: packed, and its elements are known by their numbers.
struct Turn {
  kernel::Hooked hooked;
  std::uint64_t stride = 1;    ///< between points of the line
  std::uint64_t distance = 0;  ///< between batch members
  std::uint64_t offset = 0;    ///< of the first line
};

/// A line: one direction of complex transforms along one axis, or along several axes that are
/// packed in both memories. A transform of several dimensions is a sequence of lines (cutter.hpp).
struct Request {
  std::uint64_t length = 1;              ///< points: the product of the axes
  std::vector<std::uint64_t> axes = {};  ///< points, slowest first; empty: one axis of `length`
  std::uint64_t batch = 1;
  Precision precision = Precision::f32;  ///< of the caller's arrays; f16 is computed in f32
  Placement placement = Placement::out_of_place;
  bool inverse = false;
  double scale = 1;  ///< the factor of the result
  LineSide in = {}, out = {.memory = kernel::Memory::output};
  std::optional<Turn> turn = {};              ///< the line goes there and back
  std::vector<kernel::Edge> axis_edges = {};  ///< of each of several axes, at both ends; or empty
  std::vector<Loop> loops = {};      ///< more neighbours, the closest first, with extents compiled
  std::uint64_t scratch_offset = 0;  ///< scratch before it belongs to others, in elements
  bool rest = false;                 ///< remains()

  /// Points are complex numbers, in their order, on both sides.
  bool plain() const;
  /// Elements of one of the ends pass hooks.
  bool hooked() const { return in.hooked || out.hooked; }
  /// Plain, and memory holds the points as they are.
  bool bare() const { return plain() && !hooked(); }
  /// Several kernels of the mapping can compute it.
  bool can_be_split(Mapping mapping) const;
  /// Its kernels lead there and back again.
  bool turns(const Parameters& parameters) const;
  /// Whether the only kernel of the work-group mapping brings elements in order in local memory:
  /// where several axes or partners at the load need it.
  bool reorders() const;
  /// Where points of all axes meet their partners behind the last pass, that should store them as
  /// they are.
  kernel::AxisOrder axis_order() const;
  /// Points are made of others and their partners while kernels hold both.
  bool joins_points() const;
  /// Elements of a line in memory at one end.
  std::uint64_t elements(kernel::End end) const;
  /// Elements of several axes, slowest first.
  std::vector<std::uint64_t> axis_lengths() const;
  /// How kernel i pairs its columns; of the parameters the mapping, the algorithm and the number of
  /// kernels matter.
  kernel::Mirror mirror(const Parameters& parameters, std::size_t i) const;
  /// The last of an odd number of lines, whose others are pairs: the request before.
  bool remains() const { return rest; }
  /// Lines in one batch member.
  std::uint64_t lines() const;
  std::uint64_t points() const { return length * lines() * batch; }  ///< of all lines
  /// The first loop's lines are neighbours in memory, and so are kernels' columns.
  bool adjacent_in() const { return !loops.empty() && loops[0].in_stride == 1; }
  bool adjacent_out() const { return !loops.empty() && loops[0].out_stride == 1; }
  bool adjacent() const { return adjacent_in() || adjacent_out(); }
};

}  // namespace imago::lines
