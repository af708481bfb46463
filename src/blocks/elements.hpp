// This file is the door between global memory and a kernel's values, one per side: elements,
// interleaved or planar, of any precision. Points are made of them (blocks/edges).
#pragma once

#include <functional>

#include "blocks/access.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

/// A vector in a block of complex numbers that are points: so many real numbers behind an element.
struct BlockVector {
  ir::Value element;
  std::uint64_t numbers = 0;
};
using BlockVectors = std::function<BlockVector(unsigned v)>;

/// What a kernel reads.
class Input {
 public:
  explicit Input(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  const Frame& frame() const { return f_; }
  const kernel::Side& side() const { return step_.in; }

  /// Point::index of a point of the column that begins at `base`.
  ir::Value index(ir::Value base, ir::Value point) const;
  /// The elements there as they are: complex numbers, reals, or pairs of reals.
  Cx element(ir::Value index, Spread spread = {}, ir::Value condition = {}) const;
  /// The same in memory, past the hooks.
  Cx stored(ir::Value index, Spread spread, ir::Value condition) const;
  ir::Value stored_real(ir::Value index, Spread spread, ir::Value condition) const;
  /// The element with this number in its line.
  Cx element_of_line(ir::Value base, ir::Value number, Spread spread, ir::Value condition) const;
  /// An interleaved complex element as one value, which is moved as it is.
  ir::Value whole(ir::Value index, ir::Value condition) const;
  /// `count` vectors of `width` real numbers, which one after the other are rows of count / 2
  /// points: lane l of a point is that of row l.
  Points block(unsigned count, unsigned width, const BlockVectors& vectors) const;

 private:
  ir::Value real(ir::Value index, Spread spread, ir::Value condition) const;
  Cx pair(ir::Value at, Spread spread, ir::Value condition) const;
  Cx parts(ir::Value at, std::int64_t between, Spread spread, ir::Value condition) const;
  ir::Value part(ir::MemoryId memory, ir::Value at, Spread spread, ir::Value condition) const;

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
};

/// Writes the elements of a kernel: values that have passed as_stored().
class Output {
 public:
  explicit Output(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  const Frame& frame() const { return f_; }
  const kernel::Side& side() const { return step_.out; }

  /// Point::index of a point of the column that begins at `base`.
  ir::Value index(ir::Value base, ir::Value point) const;
  void element(ir::Value index, const Cx& x, const Spread& spread = {}) const;
  /// One real number, of memory that holds reals.
  void real(ir::Value index, ir::Value x, const Spread& spread) const;
  /// The same to memory, past the hooks.
  void store(ir::Value index, const Cx& x, std::uint64_t apart) const;
  void store_real(ir::Value index, ir::Value x, std::uint64_t apart) const;
  /// The index of the element with this number in the line that begins at `base`.
  ir::Value index_of_line(ir::Value base, ir::Value number) const;
  /// An interleaved complex element as one value, which is moved as it is.
  void whole(ir::Value index, ir::Value element) const;
  /// As of Input; the block's vectors are twice as many as the points.
  void block(const Points& points, const BlockVectors& vectors) const;

 private:
  void pair(ir::Value at, const Cx& x, const Spread& spread) const;
  void parts(ir::Value at, const Cx& x, std::int64_t between, std::uint64_t apart) const;
  void part(ir::MemoryId memory, ir::Value at, ir::Value x, std::uint64_t apart) const;

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
};

}  // namespace imago::blocks
