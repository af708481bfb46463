// This file computes the transform along one axis of a packed array.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>

#include "small/copy_loops.hpp"
#include "small/line.hpp"
#include "small/row.hpp"
#include "small/rows_abreast.hpp"

namespace imago::small {

/// The transform along one axis of a packed array, viewed as outer x n x inner.
template <class Real>
class AxisStage {
 public:
  /// Returns nothing if there are no functions.
  static std::optional<AxisStage> make(const RowRequest& request, const SmallShape& from,
                                       const SmallShape& to, std::size_t axis);

  void run(const Real* from, Real* to, Real* between) const {
    if (abreast_) return by_groups(0, outer_, from, to, between);
    for (std::size_t o = 0; o < outer_; ++o)
      for (std::size_t b = 0; b < blocks_; ++b) run_block(o, b, from, to, between);
  }
  /// Pieces that threads can share: some rows, or some blocks of columns.
  std::size_t pieces() const { return (outer_ * blocks_ + in_piece_ - 1) / in_piece_; }
  void run_piece(std::size_t piece, const Real* from, Real* to, Real* between) const {
    const std::size_t begin = piece * in_piece_;
    if (abreast_) return by_groups(begin, std::min(begin + in_piece_, outer_), from, to, between);
    for (std::size_t i = begin; i < begin + in_piece_ && i < outer_ * blocks_; ++i)
      run_block(i / blocks_, i % blocks_, from, to, between);
  }
  /// Uses an array whose rows have this distance in numbers, in place of a packed one. Returns
  /// false for columns, and if rows that are written could overlap others that are read in place.
  bool read_apart(std::size_t row, std::size_t pitch);
  bool write_apart(std::size_t row, std::size_t pitch, bool in_place);
  std::size_t between_numbers() const { return between_; }
  double cost() const { return cost_; }

 private:
  void run_block(std::size_t outer, std::size_t block, const Real* from, Real* to,
                 Real* between) const {
    const Real* const x = from + outer * from_pitch_;
    Real* const y = to + outer * to_pitch_;
    if (row_ && inner_ == 1)
      row_->run(x, y, between);
    else if (row_)
      by_rows(block * columns_, x, y, between);
    else if (whole_)
      whole_->run(x, y, between);
    else
      by_columns(block * columns_, x, y, between);
  }

  /// Transforms rows in groups, and those that remain alone.
  void by_groups(std::size_t begin, std::size_t end, const Real* from, Real* to,
                 Real* between) const;
  /// Transposes a block of columns to rows, transforms and transposes back.
  void by_rows(std::size_t first, const Real* from, Real* to, Real* between) const;
  /// Transforms a block of adjacent complex columns together.
  void by_columns(std::size_t first, const Real* from, Real* to, Real* between) const;
  bool make_columns(const RowRequest& request);
  /// Divides the work into pieces.
  void divide();

  std::unique_ptr<const Row<Real>> row_;
  std::unique_ptr<const RowsAbreast<Real>> abreast_;  ///< transforms adjacent complex rows
  /// These transform columns: all, a block that is copied, the last block, and a block in its
  /// place.
  std::unique_ptr<const SmallLine<Real>> whole_, block_, last_, apart_;
  std::size_t outer_ = 1, inner_ = 1;
  std::size_t from_row_ = 1, to_row_ = 1;      ///< numbers along the axis
  std::size_t from_pitch_ = 1, to_pitch_ = 1;  ///< numbers from one `outer` to the next
  std::size_t from_width_ = 1, to_width_ = 1;
  std::size_t columns_ = 16;               ///< number of a block
  std::size_t blocks_ = 1, in_piece_ = 1;  ///< blocks of columns of one `outer`, and of a piece
  std::size_t between_ = 0;
  double cost_ = 0;
};

extern template class AxisStage<float>;
extern template class AxisStage<double>;

}  // namespace imago::small
