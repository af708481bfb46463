// This file defines a Step: the code of one kernel with every number inside. What is decided is a
// field, written by the planner (chain.cpp); the emitter and the model read.
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

#include "kernel/edges/convolved.hpp"
#include "kernel/edges/edge.hpp"
#include "kernel/hooks.hpp"

namespace imago::kernel {

/// What memory is made of.
enum class Elements {
  complex,
  real,
  pairs  ///< of reals, which are the parts of complex numbers: neighbours, or of two lines
};

/// One side of a kernel: how the points of its transforms lie in memory.
struct Side {
  std::uint64_t stride = 1;  ///< between points of the transform, in elements
  std::uint64_t point = 1;   ///< points of the line from point to point of the transform
  Elements elements = Elements::complex;
  Edge edge =
      {};  ///< where the end of the line is: how elements become points, or are made of them
  std::uint64_t pair_stride = 1;  ///< from the first real of a pair to the second
  bool planar = false;            ///< complex elements as two memories of reals
  bool f16 = false;               ///< elements stored in half precision
  bool packed = false;    ///< batch members in lanes or work-items follow each other without gaps
  std::size_t roots = 0;  ///< vector mapping: table offset of the factors of the line's points
  Convolved convolved = {};         ///< where a convolution begins or ends: its edge
  std::size_t convolved_table = 0;  ///< table offset of what that looks up, in real numbers
  /// Elements pass hooks, and strides count numbers in the packed array (kernel/hooks.hpp).
  std::optional<Hooked> hooked = {};
  friend auto operator<=>(const Side&, const Side&) = default;

  /// Elements from one point of the line to the next.
  std::uint64_t line_stride() const { return stride / point; }
  /// Points are complex numbers, in their order.
  bool plain() const { return elements == Elements::complex && !is_any(edge); }
  /// And memory holds them as they are.
  bool bare() const { return plain() && !hooked; }
};

/// How the transforms of a column dimension lie on one side.
struct ColumnSide {
  std::uint64_t stride = 1;  ///< from index to index, in elements
  std::uint64_t point = 0;   ///< points of the line from index to index
  friend auto operator<=>(const ColumnSide&, const ColumnSide&) = default;
};

/// A dimension of neighbouring transforms beside the transformed one, inside one large transform.
struct Column {
  std::uint64_t extent = 1;
  ColumnSide in = {}, out = {};
  std::uint64_t phase = 0;   ///< the index times this enters the four-step twiddle
  std::uint64_t number = 0;  ///< the index times this enters the number of a convolution's element
  Mirror mirror = Mirror::none;
  friend auto operator<=>(const Column&, const Column&) = default;

  bool mirrored() const { return mirror != Mirror::none; }
  std::uint64_t pairs() const { return (extent + 1) / 2; }  ///< of mirrored ones
};

/// From index to index of a column, how far its lines lie apart: not at all for points of one line
/// whose elements are found by their numbers in it.
inline std::uint64_t base_stride(const EdgeFacts& edge, const ColumnSide& column) {
  return edge.numbered && column.point != 0 ? 0 : column.stride;
}

/// Lanes of one pass of the vector mapping.
enum class Lane { column, q, k, outer };

/// One radix pass inside a kernel: from points (o, k, q + left * r) to (o, k + done * s, q).
struct Pass {
  unsigned radix = 2;
  std::uint64_t done = 1;   ///< finished digits k of the axis that is transformed
  std::uint64_t left = 1;   ///< remaining columns q, the axes that lie further in among them
  std::uint64_t outer = 1;  ///< points o of the axes that lie further out
  Twiddles twiddles = Twiddles::table;
  Lane lane = Lane::q;  ///< vector mapping: the axis that lanes run along
  unsigned width = 1;   ///< vector mapping: lanes of this pass, for each transform abreast
  bool joined =
      false;  ///< vector mapping: done with the next one, block by block (plan/vector/joins.hpp)
  bool columns_fastest =
      false;  ///< work-group mapping: neighbouring work-items work on neighbouring columns
  /// Work-group mapping, next to where points of an axis meet their partners: each work-item has
  /// butterflies in couples, one with points and one with the partners of these. So many digits
  /// tell butterflies along the axis from each other (blocks/work_group/couples.hpp); 0: no
  /// couples.
  std::uint64_t coupled = 0;
  std::size_t table_offset = 0;  ///< of this pass's section, in real numbers
  /// Work-group mapping, in Mirror::elements: work-items of every second column take butterflies
  /// and legs from the last ones on, so that neighbours move neighbouring elements.
  bool reversed = false;
  friend auto operator<=>(const Pass&, const Pass&) = default;

  /// Butterflies from one of the coupled digits to the next.
  std::uint64_t from_digit() const { return done > 1 ? left : left / coupled; }
  /// Vector mapping: butterflies of a tile, each on one vector.
  std::uint64_t butterflies() const;
};

/// What a kernel does for a DFT that is computed as a cyclic convolution (Govindaraju et al.,
/// IV.E): a transform, the pointwise product with a known spectrum, a transform back. What becomes
/// of the elements at either end is an edge (Side::convolved). Element n of column c of the kernel
/// has the number n * stride + sum of index * number over its columns. The data of the transform
/// back has its real and imaginary parts swapped, which makes it a forward transform. A filter goes
/// the same way, with hooks in the product's place and no other edge.
struct Convolution {
  /// Between points, in elements of the convolution; 0: the kernel is not part of one.
  std::uint64_t stride = 0;
  /// Passes before the pointwise product, those behind lead back; 0: no product here.
  std::size_t passes_forth = 0;
  std::size_t spectrum = 0;   ///< table offset, in real numbers
  bool lone_element = false;  ///< element 0 is added to the product, not convolved
  bool swaps_back = false;    ///< a filter's way back ends here, whose edge does not swap
  /// Of a filter (Transform::filter), whose elements pass hooks in the product's place; numbers are
  /// those in the packed array of the batch.
  std::optional<Hooked> hooked = {};
  friend auto operator<=>(const Convolution&, const Convolution&) = default;

  bool is_any() const { return stride > 0; }
};

/// The four-step twiddle (Govindaraju et al., fig. 5): point n of column c is multiplied by exp(-2
/// pi i n phase(c) / order) as it is loaded.
struct FourStep {
  std::uint64_t order = 0;                ///< 0: none
  Twiddles twiddles = Twiddles::product;  ///< product: of a few polynomials; no tables here
  friend auto operator<=>(const FourStep&, const FourStep&) = default;
};

/// Numbers of an element that are in local memory at once.
unsigned local_parts(Exchange exchange);

// The two mappings of lanes, each with what follows from it in every kernel.

/// A lane is a work-item of a work-group; lanes exchange values through local memory.
struct WorkGroup {
  static constexpr Mapping mapping = Mapping::work_group;
  static constexpr bool interleaved = true;
  static constexpr bool loads_roots = false;
  unsigned items = 1;  ///< work-items per transform
  Exchange exchange = Exchange::interleaved;
  unsigned padding = 0;     ///< one extra element of local memory after every `padding`; 0: none
  unsigned column_pad = 0;  ///< extra elements of local memory after each column
  /// A work-item has a whole short transform, and the group moves its packed block through local
  /// memory, so that neighbouring work-items move neighbouring elements.
  bool staged = false;
  /// Elements of these axes become points and points elements on the way from pass to pass, or in
  /// local memory after they are loaded and before they are stored; slowest first.
  std::vector<ReorderedAxis> axes = {};
  bool loads_in_order = false;    ///< neighbouring work-items' first points are so in memory
  bool reorders_at_load = false;  ///< elements of `axes` pass through local memory at load
  bool reorders_at_store = false;
  /// Where elements leave backwards: so many work-items store neighbours, half of them from the
  /// first half of the points and half from the second; 0: in their order.
  unsigned store_run = 0;
  bool fetches_partners_at_load = false;  ///< elements meet their partners in local memory
  bool fetches_partners_at_store = false;
  friend auto operator<=>(const WorkGroup&, const WorkGroup&) = default;
};

/// A lane is a component of a vector inside one work-item, which walks over tiles.
struct Vectors {
  static constexpr Mapping mapping = Mapping::vector;
  static constexpr bool interleaved = false;
  static constexpr bool loads_roots = true;
  unsigned repeat = 1;  ///< tiles that one work-item walks over
  unsigned abreast =
      1;  ///< neighbouring transforms that share each vector (plan/vector/abreast.hpp)
  /// No loops over the few butterflies of each pass: compilers keep the scratch in registers then.
  bool unrolled = false;
  friend auto operator<=>(const Vectors&, const Vectors&) = default;
};

/// One kernel: transforms of `length` points, one per column and batch member, each read once and
/// written once, in `passes` Stockham passes (Govindaraju et al., fig. 2). Passes over several axes
/// make it a transform of a whole packed array of `length` points.
struct Step {
  Precision precision = Precision::f32;  ///< of the arithmetic, local memory and the table: no f16
  std::variant<WorkGroup, Vectors> lanes = {};
  bool inverse = false;
  bool scaled = false;
  bool wide_index = false;  ///< 64-bit indices inside a transform
  std::size_t length = 1;
  std::uint64_t line = 1;  ///< points of the line that this is a part of
  std::vector<Pass> passes;
  Side in, out;
  std::vector<Column> columns;  ///< fastest first; empty: only the batch
  unsigned tile = 1;  ///< columns (or batch members) per work-group, or that share a vector
  FourStep four_step;
  Convolution convolution;
  bool has_table = false;
  friend auto operator<=>(const Step&, const Step&) = default;

  Mapping mapping() const {
    return std::visit([](const auto& held) { return held.mapping; }, lanes);
  }
  /// The two parts of a complex number are neighbours in its tables, and move as one.
  bool interleaved() const {
    return std::visit([](const auto& held) { return held.interleaved; }, lanes);
  }
  /// The factors of an edge's points are in its table; else they are computed.
  bool loads_roots() const {
    return std::visit([](const auto& held) { return held.loads_roots; }, lanes);
  }
  bool on_work_group() const { return std::holds_alternative<WorkGroup>(lanes); }
  const WorkGroup& group() const { return std::get<WorkGroup>(lanes); }
  WorkGroup& group() { return std::get<WorkGroup>(lanes); }
  const Vectors& vectors() const { return std::get<Vectors>(lanes); }
  Vectors& vectors() { return std::get<Vectors>(lanes); }
  /// Vector mapping: tiles that one work-item walks over; else 1.
  unsigned repeat() const;
  /// Vector mapping: every lane has a column of its own.
  bool lanes_are_columns() const { return tile > 1 && vectors().abreast == 1; }

  /// Whether pass i finds its points where the one before left them: the first one back.
  bool in_place(std::size_t i) const { return i > 0 && i == convolution.passes_forth; }
  std::uint64_t column_count() const;  ///< transforms per batch member
  /// Work-group mapping: places for them in work-groups, the empty one of odd pairs among them.
  std::uint64_t place_count() const;
  bool mirrored() const;  ///< one of the columns is
  bool mirrors(Mirror mirror) const;
  unsigned work_group_size() const;
  std::size_t column_span() const;  ///< elements of local memory from one column to the next
  std::size_t local_bytes() const;  ///< of a work-group
  std::size_t bytes(const Side& side) const;  ///< of a complex element there
  /// Points are complex numbers, in their order, on both sides.
  bool plain() const { return in.plain() && out.plain() && !reorders(); }
  /// And memory holds them as they are.
  bool bare() const { return in.bare() && out.bare() && !reorders(); }
  /// Elements of axes are reordered on their way (WorkGroup::axes).
  bool reorders() const { return !reordered_axes().empty(); }
  const std::vector<ReorderedAxis>& reordered_axes() const;
  /// Returns the reordered axis whose points are pairs of reals, the fastest one; null: none is.
  const ReorderedAxis* halved_axis() const;
  /// What the edges need.
  EdgeFacts at_load() const { return facts_of(in.edge, End::load, line); }
  EdgeFacts at_store() const { return facts_of(out.edge, End::store, line); }
};

}  // namespace imago::kernel
