// This file defines a Step: the code of one kernel with every number inside. The planner
// (plan/make_program.cpp) or, for generic kernels, generic/program.cpp decides and writes the
// fields; the emitter and the model only read them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "base/ring.hpp"
#include "kernel/edges/convolved.hpp"
#include "kernel/edges/edge.hpp"
#include "kernel/hooks.hpp"

namespace imago::kernel {

/// The type of elements in memory.
enum class Elements {
  complex,
  real,
  pairs  ///< pairs of real numbers, the parts of a complex one: adjacent, or of two lines
};

/// One side of a kernel, input or output: the layout of its transforms' points in memory.
struct Side {
  std::uint64_t stride = 1;  ///< between consecutive points of the transform, in elements
  std::uint64_t point = 1;   ///< points of the line between consecutive points of the transform
  Elements elements = Elements::complex;
  Edge edge = {};  ///< how elements at the end of a line become points, or points elements
  std::uint64_t pair_stride = 1;  ///< distance between the two real numbers of a pair
  bool planar = false;            ///< true if two memories hold the real and imaginary parts
  bool f16 = false;               ///< true if elements are stored in half precision
  bool doubles = false;           ///< true if pairs or residues are the caller's numbers in memory
  bool packed = false;            ///< true if batch elements in lanes or work-items are contiguous
  std::size_t roots = 0;     ///< vector mapping: table offset of the factors of the line's points
  Convolved convolved = {};  ///< edge of a convolution that begins or ends here
  std::size_t convolved_table = 0;  ///< table offset of that edge's section, in real numbers
  /// Hooks of this side. If set, strides count numbers of the packed array (kernel/hooks.hpp).
  std::optional<Hooked> hooked = {};
  friend auto operator<=>(const Side&, const Side&) = default;

  /// Returns the elements between consecutive points of the line.
  std::uint64_t line_stride() const { return stride / point; }
  /// Returns true if points are complex numbers, in their order.
  bool plain() const { return elements == Elements::complex && !is_any(edge); }
  /// Returns true if plain() holds and no hook changes the elements in memory.
  bool bare() const { return plain() && !hooked; }
};

/// The layout of a column dimension's transforms on one side.
struct ColumnSide {
  std::uint64_t stride = 1;  ///< between consecutive indices, in elements
  std::uint64_t point = 0;   ///< points of the line between consecutive indices
  friend auto operator<=>(const ColumnSide&, const ColumnSide&) = default;
};

/// A dimension of adjacent transforms inside one large transform, next to the transformed
/// dimension.
struct Column {
  std::uint64_t extent = 1;
  ColumnSide in = {}, out = {};
  std::uint64_t phase = 0;   ///< weight of the index in the exponent of the four-step twiddle
  std::uint64_t number = 0;  ///< weight of the index in the number of a convolution's element
  Mirror mirror = Mirror::none;
  friend auto operator<=>(const Column&, const Column&) = default;

  bool mirrored() const { return mirror != Mirror::none; }
  std::uint64_t pairs() const { return (extent + 1) / 2; }  ///< pairs of mirrored columns
};

/// Returns the distance between the first elements of adjacent columns. It is 0 if both are in one
/// line and elements are found by their number in the line.
inline std::uint64_t base_stride(const EdgeFacts& edge, const ColumnSide& column) {
  return edge.numbered && column.point != 0 ? 0 : column.stride;
}

/// Axis along which the lanes of a pass run (vector mapping).
enum class Lane { column, q, k, outer };

/// One radix pass of a kernel: reads points (o, k, q + left * r) and writes (o, k + done * s, q).
struct Pass {
  unsigned radix = 2;
  std::uint64_t done = 1;   ///< finished digits k of the transformed axis
  std::uint64_t left = 1;   ///< remaining columns q, including the faster axes
  std::uint64_t outer = 1;  ///< points o of the slower axes
  Twiddles twiddles = Twiddles::table;
  Lane lane = Lane::q;  ///< vector mapping: axis along which lanes run
  /// Vector mapping: lanes of this pass, for each transform that shares the vector.
  unsigned width = 1;
  /// Vector mapping: fused with the next pass, block by block (plan/vector/joins.hpp).
  bool joined = false;
  /// Work-group mapping: adjacent work-items process adjacent columns.
  bool columns_fastest = false;
  /// Work-group mapping, for the pass next to the combination of partners: each work-item has
  /// paired butterflies, one with points and one with their partners. The value is the number of
  /// digits that distinguish butterflies along the axis (blocks/work_group/couples.hpp); 0: no
  /// pairs.
  std::uint64_t coupled = 0;
  std::size_t table_offset = 0;  ///< table offset of this pass's section, in real numbers
  /// Work-group mapping, with Mirror::elements: work-items of every second column process their
  /// butterflies, and the inputs and outputs of each, in reverse order. Adjacent work-items then
  /// move adjacent elements.
  bool reversed = false;
  friend auto operator<=>(const Pass&, const Pass&) = default;

  /// Returns the distance between butterflies of consecutive coupled digits.
  std::uint64_t from_digit() const { return done > 1 ? left : left / coupled; }
  /// Returns the butterflies of a tile, each on one vector (vector mapping).
  std::uint64_t butterflies() const;
};

/// A kernel's part of a DFT that is computed as a cyclic convolution (Govindaraju et al., IV.E): a
/// transform, the pointwise product with a known spectrum, and an inverse transform. An edge
/// handles the elements at either end (Side::convolved). Element n of column c of the kernel has
/// the number n * stride + sum of index * number over its columns. The inverse transform is a
/// forward transform of data with swapped real and imaginary parts. A filter has the same
/// structure, with hooks instead of the product and without the edges.
struct FusedConvolution {
  /// Distance between points, in elements of the convolution; 0: the kernel is not part of one.
  std::uint64_t stride = 0;
  /// Passes before the pointwise product; the others belong to the inverse. 0: no product here.
  std::size_t passes_forth = 0;
  std::size_t spectrum = 0;   ///< table offset of the spectrum, in real numbers
  bool lone_element = false;  ///< element 0 is added to the product, not convolved
  /// True if a filter's inverse ends here, whose edge does not swap the parts.
  bool swaps_back = false;
  /// For a filter (Transform::filter): hooks that run instead of the product. Numbers are those in
  /// the packed array of the batch.
  std::optional<Hooked> hooked = {};
  friend auto operator<=>(const FusedConvolution&, const FusedConvolution&) = default;

  bool is_any() const { return stride > 0; }
};

/// The four-step twiddle (Govindaraju et al., fig. 5): point n of column c is multiplied by exp(-2
/// pi i n phase(c) / order) when it is loaded.
struct FourStep {
  /// For transforms between the usual points, whose indices count from 3/4 (base::Ring::m61): the
  /// index that does. The order then counts quarters.
  enum class From { zero, phase, point };

  std::uint64_t order = 0;  ///< 0: no twiddle
  /// product: product of a few polynomials. table (work-groups, and residues): product of entries
  /// of the tables four_step_sections(), with which the step's table begins.
  Twiddles twiddles = Twiddles::product;
  From from = From::zero;
  friend auto operator<=>(const FourStep&, const FourStep&) = default;
};

/// Returns how many of an element's two numbers are in local memory at the same time.
unsigned local_parts(Exchange exchange);

// The two mappings of lanes, with the properties that each implies for every kernel.

/// A lane is a work-item of a work-group; lanes exchange values through local memory.
struct WorkGroup {
  static constexpr Mapping mapping = Mapping::work_group;
  static constexpr bool interleaved = true;
  static constexpr bool loads_roots = false;
  unsigned items = 1;  ///< work-items per transform
  Exchange exchange = Exchange::interleaved;
  unsigned padding = 0;     ///< one extra element of local memory after every `padding`; 0: none
  unsigned column_pad = 0;  ///< extra elements of local memory after each column
  /// Work-group mapping of short transforms: each work-item has a whole transform, and the group
  /// copies its packed block through local memory, so that adjacent work-items move adjacent
  /// elements.
  bool staged = false;
  /// Axes whose elements are reordered, slowest first. Elements become points (and points elements)
  /// between passes, or in local memory after the load and before the store.
  std::vector<ReorderedAxis> axes = {};
  /// True if the first points of adjacent work-items are adjacent in memory.
  bool loads_in_order = false;
  bool reorders_at_load = false;  ///< true if elements of `axes` pass through local memory at load
  bool reorders_at_store = false;
  /// For elements that are stored in reverse order: the number of work-items that store adjacent
  /// elements, half of them from the first half of the points and half from the second; 0: in
  /// order.
  unsigned store_run = 0;
  bool fetches_partners_at_load = false;  ///< true if elements meet their partners in local memory
  bool fetches_partners_at_store = false;
  /// For compilers that move loads to their uses (ComputeUnit::moves_loads): true if a fence
  /// follows the loads. Idle work-items then load the points of the last column or butterfly, so
  /// that no load has a condition; else they load nothing.
  bool loads_together = false;
  friend auto operator<=>(const WorkGroup&, const WorkGroup&) = default;
};

/// A lane is a component of a vector inside one work-item, which loops over tiles.
struct Vectors {
  static constexpr Mapping mapping = Mapping::vector;
  static constexpr bool interleaved = false;
  static constexpr bool loads_roots = true;
  unsigned repeat = 1;   ///< tiles of one work-item
  unsigned abreast = 1;  ///< adjacent transforms that share each vector (plan/vector/abreast.hpp)
  /// True if the few butterflies of each pass are unrolled; compilers then keep the workspace in
  /// registers.
  bool unrolled = false;
  friend auto operator<=>(const Vectors&, const Vectors&) = default;
};

/// The lanes of a generic kernel: components of a vector, or work-items (kernel/generic.hpp).
struct Generic {
  static constexpr Mapping mapping = Mapping::automatic;  // it has none of the planner's
  static constexpr bool interleaved = false;
  static constexpr bool loads_roots = false;
  unsigned lanes = 1;  ///< components of a vector; 1 for work-items
  unsigned items = 1;  ///< work-items of a work-group; 1 for vectors
  bool rows = false;   ///< true: the lines of a launch have different lengths
  friend auto operator<=>(const Generic&, const Generic&) = default;
};

/// The work-items of a generic kernel of hooks (kernel/generic_hooks.hpp).
struct GenericHooks {
  static constexpr Mapping mapping = Mapping::automatic;
  static constexpr bool interleaved = false;
  static constexpr bool loads_roots = false;
  unsigned items = 1;  ///< work-items of a work-group
  unsigned block = 1;  ///< elements of a work-item
  friend auto operator<=>(const GenericHooks&, const GenericHooks&) = default;
};

/// Fewest columns that share a vector if they are no whole tile; a single one has no use for it.
inline constexpr unsigned kFewestInLanes = 2;

/// One kernel: transforms of `length` points, one for each column and batch element, in `passes`
/// Stockham passes (Govindaraju et al., fig. 2). Each point is read once and written once. Passes
/// over several axes transform a whole packed array of `length` points.
///
/// A generic kernel reads what it computes from the numbers of its launch (kernel/generic.hpp).
/// Only precision, lanes and `length`, the most points of a tile, have a meaning.
struct Step {
  /// Precision of the arithmetic, local memory and the table; never f16.
  Precision precision = Precision::f32;
  bool pairs = false;                  ///< true if f64 is computed in pairs of f32 (ir/pairs.hpp)
  base::Ring ring = base::Ring::none;  ///< the ring of the arithmetic in place of f64
  std::variant<WorkGroup, Vectors, Generic, GenericHooks> lanes = {};
  bool inverse = false;
  /// True: results do not depend on the layout of the step (Options::reproducible). Roots are exact
  /// numbers of the table, and zeros in memory are positive.
  bool reproducible = false;
  bool scaled = false;
  bool wide_index = false;  ///< 64-bit indices inside a transform
  std::size_t length = 1;
  std::uint64_t line = 1;  ///< points of the line that the transforms belong to
  std::vector<Pass> passes;
  Side in, out;
  std::vector<Column> columns;  ///< fastest first; empty: only the batch
  unsigned tile = 1;            ///< columns (or batch elements) per work-group or per vector
  FourStep four_step;
  FusedConvolution convolution;
  bool has_table = false;
  friend auto operator<=>(const Step&, const Step&) = default;

  Mapping mapping() const {
    return std::visit([](const auto& held) { return held.mapping; }, lanes);
  }
  /// Returns true if the two parts of a complex number are adjacent in its tables and move
  /// together.
  bool interleaved() const {
    return std::visit([](const auto& held) { return held.interleaved; }, lanes);
  }
  /// Returns true if the table holds the factors of an edge's points; else they are computed.
  bool loads_roots() const {
    return reproducible || ring != base::Ring::none ||
           std::visit([](const auto& held) { return held.loads_roots; }, lanes);
  }
  bool on_work_group() const { return std::holds_alternative<WorkGroup>(lanes); }
  const WorkGroup& group() const { return std::get<WorkGroup>(lanes); }
  WorkGroup& group() { return std::get<WorkGroup>(lanes); }
  const Vectors& vectors() const { return std::get<Vectors>(lanes); }
  Vectors& vectors() { return std::get<Vectors>(lanes); }
  /// Returns the lanes of a generic kernel; null for other kernels.
  const Generic* generic() const { return std::get_if<Generic>(&lanes); }
  const GenericHooks* generic_hooks() const { return std::get_if<GenericHooks>(&lanes); }
  /// Returns true if the numbers of a launch say what the kernel computes.
  bool is_any_shape() const { return generic() || generic_hooks(); }
  /// Returns the tiles of one work-item (vector mapping); else 1.
  unsigned repeat() const;
  /// Returns the columns of the last tile if they share a vector whose other lanes are idle; 0 if
  /// each is transformed by itself, and if there is no rest (vector mapping).
  unsigned rest_in_lanes() const;
  /// Returns true if every lane has its own column (vector mapping).
  bool lanes_are_columns() const { return tile > 1 && vectors().abreast == 1; }

  /// Returns true if pass i reads its points where the pass before wrote them: the first pass of a
  /// convolution's inverse.
  bool in_place(std::size_t i) const { return i > 0 && i == convolution.passes_forth; }
  std::uint64_t column_count() const;  ///< transforms per batch element
  /// Returns the places for these transforms in work-groups, including the empty place of an odd
  /// number of pairs (work-group mapping).
  std::uint64_t place_count() const;
  bool mirrored() const;  ///< true if one of the columns is mirrored
  bool mirrors(Mirror mirror) const;
  unsigned work_group_size() const;
  std::size_t column_span() const;  ///< elements of local memory between consecutive columns
  std::size_t local_bytes() const;  ///< local memory of a work-group
  std::size_t bytes(const Side& side) const;  ///< bytes of a complex element on that side
  /// Returns true if points are complex numbers, in their order, on both sides.
  bool plain() const { return in.plain() && out.plain() && !reorders(); }
  /// Returns true if each element must be stored once: it is added to memory, or a user's function
  /// writes it.
  bool stores_once() const {
    return out.hooked && (out.hooked->accumulates() || out.hooked->access());
  }
  /// Returns true if plain() holds and no hooks change the elements in memory.
  bool bare() const { return in.bare() && out.bare() && !reorders(); }
  /// Returns true if elements of axes are reordered in the kernel (WorkGroup::axes).
  bool reorders() const { return !reordered_axes().empty(); }
  const std::vector<ReorderedAxis>& reordered_axes() const;
  /// Returns the fastest reordered axis if its points are pairs of real numbers; else null. Points
  /// of the other axes are never pairs.
  const ReorderedAxis* halved_axis() const;
  /// Returns true if the step computes its elements from those in memory alone: it has no hooks and
  /// is not part of a convolution.
  bool is_alone() const {
    return !in.hooked && !out.hooked && !convolution.is_any() && !is_any(in.convolved) &&
           !is_any(out.convolved);
  }
  /// Returns the number of elements from the first to the last that the step touches in memory in
  /// one batch element; for sides without hooks.
  std::uint64_t span(End end) const;
  /// Return the facts about the edges at load and at store.
  EdgeFacts at_load() const { return facts_of(in.edge, End::load, line); }
  EdgeFacts at_store() const { return facts_of(out.edge, End::store, line); }
};

}  // namespace imago::kernel
