// This file is the load/store layer between global memory and a kernel's values, one class for each
// side. It moves elements, interleaved or planar, of any precision; blocks/edges makes points of
// them.
#pragma once

#include <functional>

#include "blocks/access.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

/// Returns the nearest integer of a short type, as an int; 0 for NaN, which fmin and fmax ignore.
ir::Value nearest_integer(ir::Value x, ir::Base base);

/// A vector in a block of complex numbers that are points: `numbers` real numbers after the start
/// of an element.
struct BlockVector {
  ir::Value element;
  std::uint64_t numbers = 0;
};
using BlockVectors = std::function<BlockVector(unsigned v)>;

/// The input of a kernel.
class Input {
 public:
  explicit Input(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  const Frame& frame() const { return f_; }
  const kernel::Side& side() const { return step_.in; }

  /// Returns Point::index of a point of the column that begins at `base`.
  ir::Value index(ir::Value base, ir::Value point) const;
  /// Returns the elements at `index`, unchanged: complex numbers, real numbers, or pairs of them.
  Cx element(ir::Value index, Spread spread = {},
             const ir::Condition& condition = ir::Condition::always()) const;
  /// Returns the elements as memory holds them.
  Cx stored(ir::Value index, Spread spread, const ir::Condition& condition) const;
  ir::Value stored_real(ir::Value index, Spread spread, const ir::Condition& condition) const;
  /// Returns the element with this number in its line.
  Cx element_of_line(ir::Value base, ir::Value number, Spread spread,
                     const ir::Condition& condition) const;
  /// Returns an interleaved complex element as one value, unchanged.
  ir::Value whole(ir::Value index, const ir::Condition& condition) const;
  /// Returns points from `count` vectors of `width` real numbers, which together hold rows of count
  /// / 2 points: lane l of a point is that of row l.
  Points block(unsigned count, unsigned width, const BlockVectors& vectors) const;

 private:
  ir::Value real(ir::Value index, Spread spread, const ir::Condition& condition) const;
  Cx pair(ir::Value at, Spread spread, const ir::Condition& condition) const;
  Cx parts(ir::Value at, std::int64_t between, Spread spread, const ir::Condition& condition) const;
  ir::Value part(ir::MemoryId memory, ir::Value at, Spread spread,
                 const ir::Condition& condition) const;

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
};

/// The output of a kernel. It accepts values after as_stored().
class Output {
 public:
  explicit Output(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  const Frame& frame() const { return f_; }
  const kernel::Side& side() const { return step_.out; }

  /// Returns Point::index of a point of the column that begins at `base`.
  ir::Value index(ir::Value base, ir::Value point) const;
  void element(ir::Value index, const Cx& x, const Spread& spread = {}) const;
  /// True if a work-item moves the two numbers of a pair at once (kNeighbours).
  bool joins_pairs() const;
  /// Loads the numbers to which store() or store_real() will add elements.
  void load_summand(ir::Value index, bool real, const Spread& spread,
                    const ir::Condition& condition) const;
  /// Writes one real number, to memory of real numbers.
  void real(ir::Value index, ir::Value x, const Spread& spread) const;
  /// Writes elements to memory as they are.
  void store(ir::Value index, const Cx& x, std::uint64_t apart) const;
  void store_real(ir::Value index, ir::Value x, std::uint64_t apart) const;
  /// Returns the index of the element with this number in the line that begins at `base`.
  ir::Value index_of_line(ir::Value base, ir::Value number) const;
  /// Writes an interleaved complex element as one value, unchanged.
  void whole(ir::Value index, ir::Value element) const;
  /// Writes a block, the inverse of Input::block(); it has twice as many vectors as points.
  void block(const Points& points, const BlockVectors& vectors) const;

 private:
  void pair(ir::Value at, const Cx& x, const Spread& spread) const;
  void parts(ir::Value at, const Cx& x, std::int64_t between, std::uint64_t apart) const;
  void part(ir::MemoryId memory, ir::Value at, ir::Value x, std::uint64_t apart) const;
  ir::Value as_written(ir::Value x) const;

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
};

}  // namespace imago::blocks
