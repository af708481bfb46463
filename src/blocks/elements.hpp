// This file is the way of single points between global memory and a kernel's values: what the form
// of a line (plan::Form) makes of the elements of its side, interleaved or planar.
#pragma once

#include "blocks/cosines.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

/// Lanes of a value in memory: lane l lies l * apart elements behind lane 0.
struct Spread {
  unsigned width = 1;
  std::uint64_t apart = 1;
};

/// A point: number `p` of its line, whose element lies at `index`, in elements of the side; for
/// cosine and sine transforms the line's element 0.
struct Point {
  ir::Value index, p;
  Cx root = {};  ///< the factor of p, where it is at hand
};

/// What a kernel reads. A condition asks for width 1, and makes zero of what it is not met for.
class Input {
 public:
  explicit Input(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  /// Point::index of a point of the column that begins at `base`.
  ir::Value index(ir::Value base, ir::Value point) const;
  /// Whether a point is made of an element of a half spectrum and its mirror image.
  bool is_spectrum() const;
  /// The point. Of half spectra, cosine and sine transforms, all lanes have the same number in
  /// their lines.
  Cx point(const Point& at, Spread spread = {}, ir::Value condition = {}) const;
  /// The elements there as they are: complex numbers, reals, or pairs of reals.
  Cx element(ir::Value index, Spread spread = {}, ir::Value condition = {}) const;
  /// The element with this number in its line.
  Cx element_of_line(ir::Value base, ir::Value number, Spread spread, ir::Value condition) const;
  /// An interleaved complex element as one value, which is moved as it is.
  ir::Value whole(ir::Value index, ir::Value condition) const;

 private:
  Cx point_of_cosines(const Point& at, Spread spread, ir::Value condition) const;
  Cx point_of_spectrum(const Point& at, Spread spread, ir::Value condition) const;
  Cx parts(ir::Value at, std::int64_t between, Spread spread, ir::Value condition) const;
  ir::Value part(ir::MemoryId memory, ir::Value at, Spread spread, ir::Value condition) const;

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
};

/// What a kernel writes: values that have passed store_hook.
class Output {
 public:
  explicit Output(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  /// Point::index of a point of the column that begins at `base`.
  ir::Value index(ir::Value base, ir::Value point) const;
  /// The point, where the form has a place for it.
  void point(const Point& at, const Cx& x, std::uint64_t apart = 1) const;
  void element(ir::Value index, const Cx& x, std::uint64_t apart = 1) const;
  /// An interleaved complex element as one value, which is moved as it is.
  void whole(ir::Value index, ir::Value element) const;

 private:
  void point_of_cosines(const Point& at, const Cx& x, std::uint64_t apart) const;
  void parts(ir::Value at, const Cx& x, std::int64_t between, std::uint64_t apart) const;
  void part(ir::MemoryId memory, ir::Value at, ir::Value x, std::uint64_t apart) const;

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
};

}  // namespace imago::blocks
