// This file computes long complex transforms in two halves, each of which stays in a core's cache.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "small/functions.hpp"
#include "small/line.hpp"

namespace imago::small {

/// A transform of a x b points: the points as a rows of b are transformed along columns, multiplied
/// by factors and transposed, some columns at a time; then as b rows of a. Passes over all points
/// read and write memory four times, whatever the length.
template <class Real>
class LongLine {
 public:
  /// Returns nothing if the length has no such factors, or passes over all points stay in the
  /// cache.
  static std::unique_ptr<const LongLine> make(const LineRequest& request);

  /// Computes like SmallLine.
  void run(const Real* from, Real* to, Real* between) const;
  std::size_t between_numbers() const;
  double cost() const { return cost_; }

 private:
  /// Columns that are transformed together: a line of the cache of each part.
  static constexpr std::size_t kTile = 64 / sizeof(Real);

  LongLine() = default;
  bool make_halves(const LineRequest& request);
  /// Sets a, b, the cost and the lengths of the halves. Returns false if there are none.
  bool choose(std::size_t n, LineRequest& columns, LineRequest& rows);
  void fill(bool inverse);
  std::size_t blocks() const { return (b_ + kTile - 1) / kTile; }
  /// Returns the first column of a block; the last one moves back.
  std::size_t column(std::size_t block) const;
  std::size_t block_numbers() const;

  std::size_t a_ = 1, b_ = 1;
  std::size_t from_width_ = 2, to_width_ = 2;
  std::size_t imaginary_ = 0;
  std::unique_ptr<const SmallLine<Real>> columns_, rows_;
  LineFunction<Real> turn_ = nullptr;
  std::vector<Real> memory_;     ///< holds the table
  const Real* table_ = nullptr;  ///< aligned as the widest vectors
  double cost_ = 0;
};

extern template class LongLine<float>;
extern template class LongLine<double>;

}  // namespace imago::small
