// This file holds a tile of a generic kernel (kernel/generic.hpp): the lines of one work-group,
// with the numbers of the launch as values of the kernel.
#pragma once

#include <functional>
#include <vector>

#include "blocks/complex.hpp"
#include "blocks/frame.hpp"
#include "kernel/generic.hpp"

namespace imago::blocks::generic {

/// One end of a launch.
struct End {
  ir::MemoryId memory;
  ir::Value base;  ///< first element of the tile, in real numbers
  ir::Value point_stride, parts, edge, conjugate, point_step, column_step;
  ir::Value first_list, second_list, first_table, second_table, entries, lane_stride;

  ir::Condition is(kernel::GenericEdge kind) const {
    return equal(edge, edge.builder().integer(static_cast<int>(kind)));
  }
  /// True if elements are complex.
  ir::Condition whole() const { return parts.builder().integer(0) < parts; }
};

/// A place in a loop over points: all lanes of a vector, or one lane of a work-item.
struct At {
  ir::Value point;
  ir::Value lane = {};  ///< not valid() for vectors
};

/// A divisor that is the same for all work-items. They divide by it with a product: an integer
/// division takes some 25 instructions of a GPU.
struct Divisor {
  ir::Value value, factor, shift;  ///< kernel::divided_by()

  /// Returns the quotient of an index of the tile.
  ir::Value quotient(ir::Value index) const {
    return index.builder().binary(ir::Op::shift_right, index * factor, shift);
  }
  /// Returns the remainder, which belongs to a quotient.
  ir::Value rest(ir::Value index, ir::Value quotient) const { return index - quotient * value; }
};

/// The points of the tile are in one half of its memory; a pass moves them to the other half.
class Tile {
 public:
  explicit Tile(const Frame& frame);

  /// Returns the other end. Its numbers are read after the passes, which need the registers.
  End store() const;
  bool vectors() const { return lanes > 1; }
  void barrier() const;
  ir::Value number(ir::Value index) const { return b.load(frame.numbers, first_number + index); }
  ir::Value number(std::int64_t index) const { return number(b.integer(index)); }
  /// Returns a number of the row (kernel::Generic::rows).
  ir::Value row_number(kernel::GenericRow field) const {
    return b.load(frame.numbers, row + static_cast<int>(field));
  }
  /// Calls body for each of `count` points; work-items share points and lanes. Adjacent ones have
  /// adjacent lanes, or adjacent points of a lane if `along`, which needs a divisor by the count.
  void each(ir::Value count, const std::function<void(const At&)>& body,
            const ir::Condition& along = ir::Condition::never(), const Divisor& by = {}) const;

  /// Returns the beginning of a half of the memory, the first one for 0.
  ir::Value half(ir::Value number) const { return number * capacity_; }
  ir::Value other_half(ir::Value half) const { return capacity_ - half; }
  Cx point(ir::Value half, const At& at, ir::Value p) const { return get(place(half, at, p)); }
  void keep(ir::Value half, const At& at, ir::Value p, const Cx& x) const {
    set(place(half, at, p), x);
  }
  // Points by their place in the memory.
  ir::Value place(ir::Value half, const At& at, ir::Value p) const {
    return vectors() ? half + p : half + (p * pitch_ + at.lane);
  }
  /// Returns the distance of two places of a lane.
  ir::Value distance(ir::Value places) const { return vectors() ? places : places * pitch_; }
  Cx get(ir::Value place) const;
  void set(ir::Value place, const Cx& x) const;

  /// Swaps the parts of a number before the passes if the transform is inverse.
  Cx swapped_if(const Cx& x) const { return unless(swaps, x, swapped(x)); }
  /// Swaps them after the passes.
  Cx swapped_back_if(const Cx& x) const { return unless(swaps_back, x, swapped(x)); }
  /// Returns the lane's number among the lines that exist; lanes without a line repeat the last.
  ir::Value line_of(ir::Value lane) const;
  ir::Value line_of(unsigned lane) const { return line_of(b.integer(lane)); }
  /// Returns a value of each lane, made by `one` from its line.
  Cx gathered(const At& at, const std::function<Cx(ir::Value line)>& one) const;
  /// Returns q, the number of an edge's entry (kernel/generic.hpp).
  ir::Value entry(const End& end, ir::Value point) const {
    const ir::Value across = column() * end.column_step, along = point * end.point_step;
    return along + across;
  }
  /// Returns the table's entry q of each lane.
  Cx factor(const End& end, ir::Value table, const At& at, ir::Value q) const;
  /// Returns a[q] * first + b[q] * second, with the second number conjugated if the edge says so.
  Cx combined(const End& end, const At& at, ir::Value q, const Cx& first, const Cx& second) const;
  /// Returns a value of all lanes.
  ir::Value in_all_lanes(ir::Value value) const;
  /// Returns a factor of all lanes: a pair of the table.
  Cx factor_at(ir::Value pair) const;

  // Moving vectors.
  /// Calls `lines(p)` for each of `count` points if the lanes are adjacent in memory, or
  /// `points(p)` for each first one of a vector of points if these are adjacent.
  void in_vectors(const End& end, ir::Value count, const std::function<void(ir::Value)>& lines,
                  const std::function<void(ir::Value)>& points) const;
  /// Returns the number of the last points of `count` for which in_vectors() calls neither.
  ir::Value left_by_vectors(const End& end, ir::Value count) const;
  /// Returns the index of a point of a line, or of its imaginary part.
  ir::Value at_line(const End& end, ir::Value point, ir::Value line) const;
  ir::Value at_line(const End& end, ir::Value point, ir::Value line, ir::Value parts) const;

  const Frame& frame;
  ir::Builder& b;
  const unsigned lanes, items;  ///< kernel::Generic
  ir::Value tile;               ///< lines of a whole tile
  Divisor by_tile;              ///< only work-items
  /// Divides by the number of pairs (k, points - k) with k <= points / 2; only work-items.
  Divisor by_pairs() const {
    return {points / 2 + 1, number(kernel::kPairsFactor), number(kernel::kPairsShift)};
  }
  ir::Value points;  ///< points of a line
  ir::Value lines;   ///< lines of this tile
  ir::Condition swaps = ir::Condition::never(), swaps_back = ir::Condition::never();
  ir::Value row;           ///< index of the row's first number; only rows
  ir::Value first_number;  ///< index of the first number of the lines
  ir::Value scale;         ///< factor of the results
  End load;

  ir::Condition all_lines() const { return equal(lines, b.integer(lanes)); }

  /// Returns the index of the first line along dimension 0.
  ir::Value column() const { return index_[0]; }

 private:
  void allocate();
  void place_lines(ir::Value group);
  /// True if real and imaginary parts have an array each.
  bool apart() const { return vectors() || frame.step.pairs; }
  End end_of(int first, const FrameSide& side, kernel::GenericRow low,
             kernel::GenericRow high) const;
  ir::Condition has_adjacent_lines(const End& end) const;
  ir::Condition has_adjacent_points(const End& end) const;

  std::vector<ir::Value> index_;  ///< index of the first line, by dimension
  ir::Value capacity_;
  ir::Value pitch_;       ///< distance of the points of a lane in local memory
  ir::MemoryId re_, im_;  ///< im_: only if parts are apart
};

/// Loads the points of the tile into the first half of its memory.
void load(const Tile& tile);
/// Makes the points of the tile from elements of memory that lists name.
void load_listed(const Tile& tile);
/// Transforms the points by one pass: from one half of the memory to the other.
void transform(const Tile& tile, ir::Value pass);
/// Multiplies the points in a half of the memory by four-step twiddle factors, if the launch has
/// any.
void twiddle(const Tile& tile, ir::Value half);
/// Stores the results, made of the points in a half of the memory.
void store(const Tile& tile, ir::Value half);

// For rows.
/// Loads the elements of a row, and makes points of them in the first half of the memory.
void load_row(const Tile& tile);
/// Transforms the points of a row by one pass. `before`: the halves that earlier rounds moved them.
void transform_row(const Tile& tile, ir::Value pass, ir::Value before);
/// Multiplies the first `points` points in a half by the factors of the convolution between two
/// rounds of passes.
void multiply_row(const Tile& tile, ir::Value half, ir::Value points);
/// Stores the results of a row, made of the points in a half.
void store_row(const Tile& tile, ir::Value half);

}  // namespace imago::blocks::generic
