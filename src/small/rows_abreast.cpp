// This file chooses the functions of rows that are transformed together.
#include "small/rows_abreast.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/roots.hpp"

namespace imago::small {
namespace {

/// Nanoseconds of each point for a transposition, of which there are two, and for a step between
/// real rows and complex lines.
template <class Real>
constexpr double kFlip = std::is_same_v<Real, double> ? 0.25 : 0.1;
template <class Real>
constexpr double kEnd = std::is_same_v<Real, double> ? 0.2 : 0.1;
constexpr unsigned kMostRows = 16;

template <class Real>
std::string with_type(const char* name, std::size_t rows) {
  return name + std::string(std::is_same_v<Real, double> ? "_f64_" : "_f32_") +
         std::to_string(rows);
}

}  // namespace

template <class Real>
std::unique_ptr<const RowsAbreast<Real>> RowsAbreast<Real>::make(const RowRequest& request,
                                                                 double single) {
  std::unique_ptr<RowsAbreast> made(new RowsAbreast);
  made->scale_ = static_cast<Real>(request.scale);
  const bool made_any =
      (request.kind == Kind::complex && made->make_whole(request)) || made->make_lines(request);
  if (!made_any || made->cost_ >= single) return nullptr;
  return made;
}

template <class Real>
bool RowsAbreast<Real>::make_whole(const RowRequest& request) {
  constexpr double kSaved = 0.6;
  const WholeLength* const whole = whole_length(request.length);
  if (whole == nullptr) return false;
  const std::string name =
      whole_name<Real>(*whole, {.length = request.length, .inverse = request.inverse});
  for (unsigned rows = kMostRows; rows > 1 && whole_ == nullptr; rows /= 2) {
    whole_ = function_of<Real>(name + std::to_string(rows));
    abreast_ = rows;
  }
  if (whole_ == nullptr) return false;
  table_ = LineTable<Real>(
      whole_table<Real>(*whole, request.scale, abreast_ * whole->second / whole->first));
  cost_ = kSaved * whole->nanoseconds;
  return true;
}

template <class Real>
bool RowsAbreast<Real>::make_lines(const RowRequest& request) {
  const bool real = request.kind == Kind::real;
  if ((!real && request.kind != Kind::complex) || (real && request.length % 2 != 0)) return false;
  for (unsigned rows = kMostRows; rows > 1 && in_ == nullptr; rows /= 2) {
    in_ = function_of<Real>(with_type<Real>("flip_in", rows));
    out_ = function_of<Real>(with_type<Real>("flip_out", rows));
    abreast_ = rows;
  }
  points_ = real ? request.length / 2 : request.length;
  read_ = written_ = points_;
  if (in_ == nullptr || points_ < std::max<std::size_t>(2, abreast_ / 2)) return false;
  if (real) make_ends(request);
  const std::size_t size = points_ * abreast_;
  LineRequest line{.length = points_,
                   .inner = abreast_,
                   .inverse = request.inverse,
                   .from = LineOrder::split,
                   .to = LineOrder::split};
  constexpr std::size_t kLeastParts = 24576, kMost = 65536;
  const std::size_t bytes = 2 * sizeof(Real) * size;
  if (bytes > (real ? kLeastParts : kMost)) return false;
  double cost = 0;
  if (bytes >= kLeastParts && !real) cost = make_parts(line);
  if (parts_ == 0) {
    imaginary_ = SmallLine<Real>::imaginary(size);
    line_ = SmallLine<Real>::make(line);
    if (!line_) return false;
    cost = line_->cost();
  }
  const double flips = parts_ > 0 ? 4 : 2;  // tiles of parts are called one by one
  cost += static_cast<double>(size) * (flips * kFlip<Real> + (real ? kEnd<Real> : 0));
  cost_ = cost / static_cast<double>(abreast_);
  return true;
}

template <class Real>
double RowsAbreast<Real>::make_parts(const LineRequest& all) {
  constexpr unsigned kMostParts = 10;
  const std::size_t tile = abreast_ / 2;
  // The memory of all points has place for a tile of each part.
  imaginary_ = SmallLine<Real>::imaginary((all.length + kMostParts * tile) * abreast_);
  double least = 0;
  for (unsigned parts = 3; parts <= kMostParts; ++parts) {
    if (all.length % parts != 0 || all.length / parts < tile) continue;
    LineRequest part = all;
    part.length /= parts, part.imaginary = imaginary_;
    part.from_stride = part.to_stride = parts * abreast_;
    LastPass<Real> last(all, parts, static_cast<int>(imaginary_));
    const double predicted = SmallLine<Real>::predicted(part);
    const double total = parts * predicted + last.cost();
    if (!last || predicted == 0 || (least > 0 && total >= least)) continue;
    auto line = SmallLine<Real>::make(part);
    if (!line) continue;
    least = total, parts_ = parts, line_ = std::move(line), last_ = std::move(last);
  }
  return least;
}

/// A real row is a complex one of half the length, and a step before or after it.
template <class Real>
void RowsAbreast<Real>::make_ends(const RowRequest& request) {
  (request.inverse ? before_ : after_) =
      function_of<Real>(with_type<Real>(request.inverse ? "split_rows" : "join_rows", abreast_));
  (request.inverse ? read_ : written_) = points_ + 1;
  conjugate_ = request.conjugate ? 1 : 0;
  std::vector<Real> roots;
  for (std::size_t k = 0; k <= points_ / 2; ++k) {
    const auto root = base::root_of_unity(k, request.length);
    roots.push_back(static_cast<Real>(root.real()));
    roots.push_back(static_cast<Real>(root.imag()));
  }
  table_ = LineTable<Real>(roots);
}

template <class Real>
std::size_t RowsAbreast<Real>::between_numbers() const {
  if (!line_) return 0;
  return (line_->is_alone() ? 4 : 2) * imaginary_ + line_->between_numbers();
}

template <class Real>
void RowsAbreast<Real>::run(const Real* from, std::size_t read, Real* to, std::size_t written,
                            std::size_t groups, Real* between) const {
  if (whole_ != nullptr)
    return whole_(from, to, table_.data(), scale_, static_cast<std::int64_t>(groups),
                  static_cast<std::int64_t>(read), static_cast<std::int64_t>(written), 0, 0);
  for (std::size_t group = 0; group < groups; ++group) {
    run_group(from, read, to, written, between);
    from += read * abreast_, to += written * abreast_;
  }
}

template <class Real>
void RowsAbreast<Real>::run_group(const Real* from, std::size_t read, Real* to, std::size_t written,
                                  Real* between) const {
  Real* const all = between;
  Real* rest = all + 2 * imaginary_;
  call(in_, from, all, read_, read);
  if (parts_ > 0) return run_parts(all, to, written, rest);
  if (before_ != nullptr) call(before_, all, all, points_, 0);
  Real* const result = line_->is_alone() ? rest : all;
  if (line_->is_alone()) rest += 2 * imaginary_;
  line_->run(all, result, rest);
  if (after_ != nullptr) call(after_, result, result, points_, 0);
  call(out_, result, to, written_, written);
}

template <class Real>
void RowsAbreast<Real>::run_parts(Real* all, Real* to, std::size_t written, Real* rest) const {
  for (std::size_t part = 0; part < parts_; ++part)
    line_->run(all + part * abreast_, all + part * abreast_, rest);
  // Some outputs at a time are transposed while they are in the first cache.
  const std::size_t tile = abreast_ / 2, done = points_ / parts_;
  Real* const joined = all + points_ * abreast_;
  for (std::size_t k = 0; k < done; k += tile) {
    const std::size_t begin = std::min(k, done - tile);
    last_.run(all, joined, begin, tile);
    for (std::size_t part = 0; part < parts_; ++part)
      call(out_, joined + part * tile * abreast_, to + 2 * (begin + part * done), tile, written);
  }
}

template class RowsAbreast<float>;
template class RowsAbreast<double>;

}  // namespace imago::small
