// This file divides long transforms into two halves.
#include "small/long_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "base/roots.hpp"

namespace imago::small {
namespace {

/// Nanoseconds of each point for the transposition, and those of f32 for each doubling of the data
/// beyond kCacheBytes.
constexpr double kTurn = 0.5, kMemory = 0.5;
constexpr std::size_t kCacheBytes = std::size_t{1} << 20;

/// Returns true if passes over all points take longer: beyond the second cache, or beyond the first
/// one if a pass has points at a distance that makes them compete for the same lines.
bool is_long(std::size_t bytes) {
  constexpr std::size_t kAliasedBytes = std::size_t{1} << 16;
  return bytes >= kCacheBytes || (bytes >= kAliasedBytes && bytes % kAliasedBytes == 0);
}

/// Returns true if blocks of columns and of rows stay in the second cache as far as possible, and
/// rows are long enough to write.
bool are_halves(std::size_t a, std::size_t b) {
  constexpr std::size_t kLeastRows = 256, kMostColumns = 2048;
  return a <= 2 * b && a >= std::min(b, kLeastRows) && b <= std::max(kMostColumns, 2 * a);
}

template <class Real>
LineFunction<Real> turn_function(std::size_t tile) {
  const std::string name =
      "turn" + std::to_string(tile) + (std::is_same_v<Real, double> ? "_f64_" : "_f32_");
  LineFunction<Real> found = nullptr;
  for (std::size_t width = tile; width > 1 && found == nullptr; width /= 2)
    found = function_of<Real>(name + std::to_string(width));
  return found;
}

}  // namespace

template <class Real>
std::unique_ptr<const LongLine<Real>> LongLine<Real>::make(const LineRequest& request) {
  if (request.inner != 1 || request.from_stride + request.to_stride > 0) return nullptr;
  if (request.length % kTile != 0 || !is_long(2 * sizeof(Real) * request.length)) return nullptr;
  std::unique_ptr<LongLine> made(new LongLine);
  made->turn_ = turn_function<Real>(kTile);
  if (made->turn_ == nullptr || !made->make_halves(request)) return nullptr;
  made->fill(request.inverse);
  return made;
}

template <class Real>
bool LongLine<Real>::make_halves(const LineRequest& request) {
  imaginary_ = SmallLine<Real>::imaginary(request.length);
  from_width_ = request.from == LineOrder::split ? 1 : 2;
  to_width_ = request.to == LineOrder::split ? 1 : 2;
  LineRequest columns{.inner = kTile,
                      .inverse = request.inverse,
                      .from = request.from,
                      .to = LineOrder::split,
                      .imaginary = imaginary_};
  LineRequest rows{.inner = kTile,
                   .inverse = request.inverse,
                   .scale = request.scale,
                   .from = LineOrder::split,
                   .to = request.to,
                   .imaginary = imaginary_};
  if (!choose(request.length, columns, rows)) return false;
  columns_ = SmallLine<Real>::make(columns);
  rows_ = SmallLine<Real>::make(rows);
  return columns_ != nullptr && rows_ != nullptr;
}

template <class Real>
bool LongLine<Real>::choose(std::size_t n, LineRequest& columns, LineRequest& rows) {
  constexpr std::size_t kFewest = 4 * kTile;  // so that the memory of a block has a place
  constexpr double kAlike = 1.1;
  const auto set_halves = [&](std::size_t a) {
    a_ = a, b_ = n / a;
    columns.length = a_, columns.from_stride = b_;
    rows.length = b_, rows.to_stride = a_;
  };
  std::vector<std::pair<std::size_t, double>> found;  // values of a, and nanoseconds
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t a = kFewest; a <= n / kFewest; a += kTile) {
    if (n % a != 0 || !are_halves(a, n / a)) continue;
    set_halves(a);
    const double first = SmallLine<Real>::predicted(columns),
                 second = SmallLine<Real>::predicted(rows);
    if (first == 0 || second == 0) continue;
    const auto of_rows = static_cast<double>(a_ / kTile),
               of_columns = static_cast<double>(blocks());
    found.emplace_back(a, first * of_columns + second * of_rows);
    least = std::min(least, found.back().second);
  }
  if (found.empty()) return false;
  // A small distance of rows that are written is faster.
  const auto best = std::find_if(found.begin(), found.end(),
                                 [&](const auto& x) { return x.second <= kAlike * least; });
  set_halves(best->first);
  const auto points = static_cast<double>(n), bytes = 2 * sizeof(Real) * points;
  const double beyond = std::max(0.0, std::log2(bytes / kCacheBytes));
  cost_ = best->second + points * (kTurn + kMemory * beyond * sizeof(Real) / sizeof(float));
  return true;
}

template <class Real>
std::size_t LongLine<Real>::column(std::size_t block) const {
  return std::min(block * kTile, b_ - kTile);
}

/// The real parts of a block.
template <class Real>
std::size_t LongLine<Real>::block_numbers() const {
  return SmallLine<Real>::imaginary(a_ * kTile);
}

template <class Real>
std::size_t LongLine<Real>::between_numbers() const {
  return 2 * imaginary_ + block_numbers() +
         std::max(columns_->between_numbers(), rows_->between_numbers());
}

template <class Real>
void LongLine<Real>::run(const Real* from, Real* to, Real* between) const {
  Real* const turned = between;
  Real* const block = turned + 2 * imaginary_;
  Real* const rest = block + block_numbers();
  const std::size_t factors = 2 * kTile * (kTile + a_ / kTile);
  for (std::size_t i = 0; i < blocks(); ++i) {
    columns_->run(from + from_width_ * column(i), block, rest);
    turn_(block, turned + kTile * column(i), table_ + i * factors, 1, static_cast<int>(a_),
          static_cast<int>(b_), static_cast<int>(imaginary_), 0, 0);
  }
  for (std::size_t k = 0; k < a_; k += kTile) rows_->run(turned + b_ * k, to + to_width_ * k, rest);
}

/// The factor of row k and column j is w^(k j) for the root w of the transform.
template <class Real>
void LongLine<Real>::fill(bool inverse) {
  const std::size_t n = a_ * b_;
  constexpr std::size_t kVector = 64 / sizeof(Real);
  memory_.resize(blocks() * 2 * kTile * (kTile + a_ / kTile) + kVector);
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  Real* at = memory_.data() + (64 - address % 64) % 64 / sizeof(Real);
  table_ = at;
  const auto add = [&](std::size_t k, std::size_t j, std::size_t place) {
    const auto root = base::root_of_unity(std::uint64_t{k} * j % n, n);
    at[place] = static_cast<Real>(root.real());
    at[place + kTile] = static_cast<Real>(inverse ? -root.imag() : root.imag());
  };
  for (std::size_t i = 0; i < blocks(); ++i) {
    for (std::size_t c = 0; c < kTile; ++c, at += 2 * kTile)
      for (std::size_t k = 0; k < kTile; ++k) add(k, column(i) + c, k);
    for (std::size_t k = 0; k < a_; k += kTile, at += 2 * kTile)
      for (std::size_t c = 0; c < kTile; ++c) add(k, column(i) + c, c);
  }
}

template class LongLine<float>;
template class LongLine<double>;

}  // namespace imago::small
