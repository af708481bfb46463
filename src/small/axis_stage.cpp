// This file divides the transform along an axis into rows and blocks of columns.
#include "small/axis_stage.hpp"

#include <algorithm>
#include <cstring>

namespace imago::small {
namespace {

/// Nanoseconds of a piece: long beside taking it, short beside waiting for another thread's.
constexpr double kPiece = 5000;
/// Complex columns of at most this size are transformed where they lie.
constexpr std::size_t kInPlaceNumbers = 16384;

/// Returns how many columns are transformed together: those that the second cache holds with the
/// memory between passes, but at least eight blocks for threads.
std::size_t columns_of(std::size_t length, std::size_t inner) {
  constexpr std::size_t kPoints = 32768, kFewest = 16, kMost = 64, kBlocks = 8;
  const std::size_t columns = std::min(kPoints / length, inner / kBlocks);
  return std::clamp(columns / kFewest * kFewest, kFewest, kMost);
}

}  // namespace

template <class Real>
void AxisStage<Real>::by_groups(std::size_t begin, std::size_t end, const Real* from, Real* to,
                                Real* between) const {
  const std::size_t groups = (end - begin) / abreast_->abreast();
  abreast_->run(from + begin * from_pitch_, from_pitch_, to + begin * to_pitch_, to_pitch_, groups,
                between);
  for (std::size_t row = begin + groups * abreast_->abreast(); row < end; ++row)
    row_->run(from + row * from_pitch_, to + row * to_pitch_, between);
}

template <class Real>
void AxisStage<Real>::by_rows(std::size_t first, const Real* from, Real* to, Real* between) const {
  Real* const rows = between;
  const std::size_t longer = std::max(from_row_, to_row_);
  Real* const rest = between + columns_ * longer;
  const std::size_t count = std::min(columns_, inner_ - first);
  const std::size_t in = from_row_ / from_width_, out = to_row_ / to_width_;
  for (std::size_t j = 0; j < in; ++j) {
    const Real* const x = from + (j * inner_ + first) * from_width_;
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t w = 0; w < from_width_; ++w)
        rows[c * longer + j * from_width_ + w] = x[c * from_width_ + w];
  }
  for (std::size_t c = 0; c < count; ++c) row_->run(rows + c * longer, rows + c * longer, rest);
  for (std::size_t j = 0; j < out; ++j) {
    Real* const y = to + (j * inner_ + first) * to_width_;
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t w = 0; w < to_width_; ++w)
        y[c * to_width_ + w] = rows[c * longer + j * to_width_ + w];
  }
}

template <class Real>
void AxisStage<Real>::by_columns(std::size_t first, const Real* from, Real* to,
                                 Real* between) const {
  const std::size_t n = from_row_ / 2;
  Real* const block = between;
  const std::size_t count = std::min(columns_, inner_ - first);
  if (apart_ && count == columns_) return apart_->run(from + 2 * first, to + 2 * first, between);
  for (std::size_t j = 0; j < n; ++j)
    std::memcpy(block + 2 * j * count, from + 2 * (j * inner_ + first), 2 * count * sizeof(Real));
  const SmallLine<Real>& line = count == columns_ ? *block_ : *last_;
  line.run(block, block, between + 2 * n * columns_);
  for (std::size_t j = 0; j < n; ++j)
    std::memcpy(to + 2 * (j * inner_ + first), block + 2 * j * count, 2 * count * sizeof(Real));
}

template <class Real>
void AxisStage<Real>::divide() {
  if (inner_ > 1 && !whole_) blocks_ = (inner_ + columns_ - 1) / columns_;
  const double all = static_cast<double>(outer_ * blocks_), most = std::max(1.0, cost_ / kPiece);
  in_piece_ = static_cast<std::size_t>(std::max(1.0, all / most));
  // Results must not depend on the pieces, so groups begin at the same rows.
  const std::size_t group = abreast_ ? abreast_->abreast() : 1;
  in_piece_ = (in_piece_ + group - 1) / group * group;
}

template <class Real>
bool AxisStage<Real>::read_apart(std::size_t row, std::size_t pitch) {
  if (inner_ > 1 || row != from_row_ || pitch != to_row_) return false;
  from_pitch_ = pitch;
  return true;
}

template <class Real>
bool AxisStage<Real>::write_apart(std::size_t row, std::size_t pitch, bool in_place) {
  if (inner_ > 1 || row != to_row_ || (in_place && pitch != from_row_)) return false;
  to_pitch_ = pitch;
  return true;
}

template <class Real>
bool AxisStage<Real>::make_columns(const RowRequest& request) {
  const auto line = [&](std::size_t inner, std::size_t stride = 0) {
    return SmallLine<Real>::make({.length = request.length,
                                  .inner = inner,
                                  .inverse = request.inverse,
                                  .scale = request.scale,
                                  .from_stride = stride,
                                  .to_stride = stride});
  };
  const double times = static_cast<double>(outer_);
  if (request.length * inner_ * 2 <= kInPlaceNumbers || inner_ <= columns_) {
    whole_ = line(inner_);
    if (!whole_) return false;
    between_ = whole_->between_numbers();
    cost_ = times * whole_->cost();
    return true;
  }
  const std::size_t blocks = inner_ / columns_, rest = inner_ % columns_;
  constexpr double kCopied = 0.4;  // nanoseconds of each point
  const double copies = kCopied * static_cast<double>(request.length * columns_);
  apart_ = line(columns_, inner_);
  if (!apart_ && !(block_ = line(columns_))) return false;
  const SmallLine<Real>& whole_block = apart_ ? *apart_ : *block_;
  between_ = whole_block.between_numbers();
  cost_ = times * static_cast<double>(blocks) * (whole_block.cost() + copies);
  if (rest != 0) {
    last_ = line(rest);
    if (!last_) return false;
    between_ = std::max(between_, last_->between_numbers());
    cost_ += times * (last_->cost() + copies);
  }
  between_ += 2 * request.length * columns_;
  return true;
}

template <class Real>
std::optional<AxisStage<Real>> AxisStage<Real>::make(const RowRequest& request,
                                                     const SmallShape& from, const SmallShape& to,
                                                     std::size_t axis) {
  AxisStage stage;
  stage.outer_ = from.product(0, axis);
  stage.inner_ = from.product(axis + 1, from.lengths.size());
  stage.columns_ = columns_of(request.length, stage.inner_);
  stage.from_width_ = from.width, stage.to_width_ = to.width;
  stage.from_row_ = from.lengths[axis] * from.width, stage.to_row_ = to.lengths[axis] * to.width;
  stage.from_pitch_ = stage.from_row_ * stage.inner_;
  stage.to_pitch_ = stage.to_row_ * stage.inner_;
  const bool complex = request.kind == Kind::complex;
  if (complex && stage.inner_ > 1 && request.length > 1 && stage.make_columns(request)) {
    stage.divide();
    return stage;
  }
  stage.whole_ = nullptr, stage.block_ = nullptr, stage.last_ = nullptr, stage.apart_ = nullptr;
  stage.row_ = Row<Real>::make(request);
  if (!stage.row_) return {};
  stage.between_ = stage.row_->between_numbers();
  const auto rows = static_cast<double>(stage.outer_ * stage.inner_);
  double of_row = stage.row_->cost() + 3;
  if (stage.inner_ > 1) {
    const std::size_t longer = std::max(stage.from_row_, stage.to_row_);
    stage.between_ += stage.columns_ * longer;
    of_row += static_cast<double>(stage.from_row_ + stage.to_row_);
  }
  if (stage.inner_ == 1) stage.abreast_ = RowsAbreast<Real>::make(request, stage.row_->cost());
  if (stage.abreast_ && stage.abreast_->abreast() > stage.outer_) stage.abreast_ = nullptr;
  if (stage.abreast_) {
    of_row = stage.abreast_->cost();
    stage.between_ = std::max(stage.between_, stage.abreast_->between_numbers());
  }
  stage.cost_ = rows * of_row;
  stage.divide();
  return stage;
}

template class AxisStage<float>;
template class AxisStage<double>;

}  // namespace imago::small
