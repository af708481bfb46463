// This file implements complex and real rows, and DCT-II and III, by complex lines.
#include "small/row.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "small/line.hpp"
#include "small/row_parts.hpp"

namespace imago::small {
namespace {

/// Returns the function of a first or last step (src/passes/ends.hpp) for `extent` points, with the
/// width that needs the fewest vectors; null if there is none.
template <class Real>
LineFunction<Real> end_of(const char* work, std::size_t extent) {
  LineFunction<Real> best = nullptr;
  std::size_t fewest = extent + 1;
  for (std::size_t width = 1; width <= extent && width <= 16; width *= 2) {
    const std::size_t steps = (extent + width - 1) / width;
    if (steps >= fewest) continue;
    const bool wide = std::is_same_v<Real, double>;
    const auto found =
        function_of<Real>(std::string(work) + (wide ? "_f64_" : "_f32_") + std::to_string(width));
    if (found != nullptr) best = found, fewest = steps;
  }
  return best;
}

template <class Real>
class ComplexRow final : public Row<Real> {
 public:
  explicit ComplexRow(std::unique_ptr<const SmallLine<Real>> line) : line_(std::move(line)) {}
  void run(const Real* from, Real* to, Real* between) const override {
    line_->run(from, to, between);
  }
  std::size_t between_numbers() const override { return line_->between_numbers(); }
  double cost() const override { return line_->cost(); }
  const SmallLine<Real>* line() const override { return line_.get(); }

 private:
  const std::unique_ptr<const SmallLine<Real>> line_;
};

/// A complex transform of one point.
template <class Real>
class SinglePoint final : public Row<Real> {
 public:
  explicit SinglePoint(double scale) : scale_(static_cast<Real>(scale)) {}
  void run(const Real* from, Real* to, Real*) const override {
    to[0] = from[0] * scale_, to[1] = from[1] * scale_;
  }
  std::size_t between_numbers() const override { return 0; }
  double cost() const override { return 4; }

 private:
  const Real scale_;
};

/// Bluestein's algorithm: the transform as a cyclic convolution with a chirp.
template <class Real>
class Bluestein final : public Row<Real> {
 public:
  static RowPtr<Real> make(const RowRequest& request) {
    const std::size_t n = request.length;
    std::unique_ptr<Bluestein> made(new Bluestein);
    made->n_ = n;
    double least = 0;
    for (std::size_t m = 2 * n - 1; m <= 2 * n + n / 2 + 16; ++m) {
      const double cost = SmallLine<Real>::predicted({.length = m});
      if (cost > 0 && (least == 0 || cost < least)) least = cost, made->m_ = m;
    }
    if (least == 0) return nullptr;
    made->forward_ = SmallLine<Real>::make({.length = made->m_});
    if (!made->forward_) return nullptr;
    made->inverse_ = SmallLine<Real>::make({.length = made->m_, .inverse = true});
    made->fill(request);
    return made;
  }

  void run(const Real* from, Real* to, Real* between) const override {
    Real* const x = between;
    Real* const rest = between + 2 * m_;
    for (std::size_t j = 0; j < n_; ++j) multiply(from + 2 * j, &chirp_[2 * j], x + 2 * j);
    std::fill(x + 2 * n_, x + 2 * m_, Real{0});
    forward_->run(x, x, rest);
    for (std::size_t k = 0; k < m_; ++k) multiply(x + 2 * k, &filter_[2 * k], x + 2 * k);
    inverse_->run(x, x, rest);
    for (std::size_t k = 0; k < n_; ++k) multiply(x + 2 * k, &scaled_[2 * k], to + 2 * k);
  }
  std::size_t between_numbers() const override {
    return 2 * m_ + std::max(forward_->between_numbers(), inverse_->between_numbers());
  }
  double cost() const override {
    return forward_->cost() + inverse_->cost() + kScalar * static_cast<double>(m_ + 2 * n_);
  }

 private:
  Bluestein() = default;

  static void multiply(const Real* a, const Real* b, Real* product) {
    const Real re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
    product[0] = re, product[1] = im;
  }

  void fill(const RowRequest& request) {
    const auto chirp = [&](std::size_t j) {
      const auto value = root(std::uint64_t{j} * j % (2 * n_), 2 * n_);
      return request.inverse ? std::conj(value) : value;
    };
    const auto add = [](std::vector<Real>& to, std::complex<double> x) {
      to.push_back(static_cast<Real>(x.real())), to.push_back(static_cast<Real>(x.imag()));
    };
    for (std::size_t j = 0; j < n_; ++j) {
      add(chirp_, chirp(j));
      add(scaled_, chirp(j) * request.scale);
    }
    std::vector<double> kernel(2 * m_);
    for (std::size_t j = 0; j < n_; ++j) {
      const auto value = std::conj(chirp(j)) / static_cast<double>(m_);
      for (const std::size_t place : {j, (m_ - j) % m_})
        kernel[2 * place] = value.real(), kernel[2 * place + 1] = value.imag();
    }
    const auto line = SmallLine<double>::make({.length = m_});
    std::vector<double> between(line->between_numbers());
    line->run(kernel.data(), kernel.data(), between.data());
    for (const double number : kernel) filter_.push_back(static_cast<Real>(number));
  }

  std::size_t n_ = 1, m_ = 1;
  std::unique_ptr<const SmallLine<Real>> forward_, inverse_;
  std::vector<Real> chirp_, scaled_, filter_;
};

template <class Real>
RowPtr<Real> complex_row(const RowRequest& request) {
  if (request.length == 1) return std::make_unique<SinglePoint<Real>>(request.scale);
  auto line = SmallLine<Real>::make(
      {.length = request.length, .inverse = request.inverse, .scale = request.scale});
  if (line) return std::make_unique<ComplexRow<Real>>(std::move(line));
  return Bluestein<Real>::make(request);
}

/// The columns of a table that ends of m points read, each of `distance` numbers.
template <class Real>
class Columns {
 public:
  explicit Columns(std::size_t m) : distance_(m / 2 + 16) {}
  std::size_t distance() const { return distance_; }
  const Real* data() const { return table_.data(); }
  /// Appends a column of real and one of imaginary parts.
  template <class Value>
  void add(const Value& value) {
    const std::size_t at = table_.size();
    table_.resize(at + 2 * distance_);
    for (std::size_t k = 0; k < distance_; ++k) {
      const std::complex<double> x = value(k);
      table_[at + k] = static_cast<Real>(x.real());
      table_[at + distance_ + k] = static_cast<Real>(x.imag());
    }
  }
  void add_number(double number) { table_.push_back(static_cast<Real>(number)); }

 private:
  std::size_t distance_;
  std::vector<Real> table_;
};

/// A real or cosine transform of an even length by a complex line of half the length. Its ends are
/// functions that read or write split memory.
template <class Real>
class Halved final : public Row<Real> {
 public:
  /// Returns nothing if there are no functions.
  static RowPtr<Real> make(const RowRequest& request) {
    const std::size_t n = request.length;
    const bool real = request.kind == Kind::real;
    if (n < 4 || n % (real ? 2 : 4) != 0) return nullptr;
    std::unique_ptr<Halved> made(new Halved(n / 2));
    if (!(real ? made->make_real(request) : made->make_cosines(request))) return nullptr;
    return made;
  }

  void run(const Real* from, Real* to, Real* between) const override {
    const auto imaginary = static_cast<int>(SmallLine<Real>::imaginary(m_));
    if (in_output_ != nullptr) {
      line_->run(from, to, between);
      to[2 * m_] = to[0], to[2 * m_ + 1] = to[1];
      return call(in_output_, to, to, 0);
    }
    Real* const first = between;
    Real* const second = between + 2 * imaginary;
    Real* const rest = between + 4 * imaginary;
    const Real* read = from;
    if (before_ != nullptr) {
      call(before_, from, first, imaginary);
      read = first;
    }
    line_->run(read, after_ != nullptr ? second : to, rest);
    if (after_ == nullptr) return;
    second[m_] = second[0], second[m_ + imaginary] = second[imaginary];
    call(after_, second, to, imaginary);
  }
  std::size_t between_numbers() const override {
    const std::size_t own = in_output_ != nullptr ? 0 : 4 * SmallLine<Real>::imaginary(m_);
    return own + line_->between_numbers();
  }
  double cost() const override {
    // Ends cost about as much as one pass.
    const double ends = before_ != nullptr && after_ != nullptr ? 2 : 1;
    return line_->cost() * (1 + 0.3 * ends) + 5 * ends;
  }

 private:
  static constexpr std::size_t kJoined = 32;  ///< twice the widest vector
  /// Data of at least this size gain from one array less: 4 to 15 %, below they lose 4 %.
  static constexpr std::size_t kJoinedBytes = std::size_t{1} << 22;

  explicit Halved(std::size_t m) : m_(m), columns_(m) {}

  void call(LineFunction<Real> function, const Real* from, Real* to, int imaginary) const {
    const bool quarter = function == quarters_;
    function(from, to, columns_.data(), scale_, static_cast<int>(quarter ? m_ / 2 : m_),
             static_cast<int>(columns_.distance()), imaginary, conjugate_, 0);
  }

  bool make_real(const RowRequest& request) {
    conjugate_ = request.conjugate ? 1 : 0;
    columns_.add([&](std::size_t k) { return root(k % (2 * m_), 2 * m_); });
    if (request.inverse) {
      before_ = end_of<Real>("split_real", m_ / 2 + 1);
      line_ = SmallLine<Real>::make(
          {.length = m_, .inverse = true, .scale = request.scale, .from = LineOrder::split});
      return before_ != nullptr && line_ != nullptr;
    }
    scale_ = static_cast<Real>(request.scale);
    if (m_ % kJoined == 0 && 2 * m_ * sizeof(Real) >= kJoinedBytes) {
      in_output_ = end_of<Real>("join_pairs", m_ / 2);
      line_ = SmallLine<Real>::make({.length = m_});
      return in_output_ != nullptr && line_ != nullptr;
    }
    after_ = end_of<Real>("join_real", m_ / 2 + 1);
    line_ = SmallLine<Real>::make({.length = m_, .to = LineOrder::split});
    return after_ != nullptr && line_ != nullptr;
  }

  bool make_cosines(const RowRequest& request) {
    const bool second = request.kind == Kind::dct2;
    columns_.add([&](std::size_t k) { return root(k % (2 * m_), 2 * m_); });
    columns_.add([&](std::size_t k) { return root(k % (8 * m_), 8 * m_); });
    columns_.add([&](std::size_t k) { return root(k < m_ ? m_ - k : 0, 8 * m_); });
    scale_ = static_cast<Real>(request.scale);
    const double end = request.orthogonal ? (second ? std::sqrt(0.5) : std::sqrt(2.0)) : 1;
    columns_.add_number(end);
    before_ = end_of<Real>(second ? "load_cosines" : "split_cosines", m_ / 2);
    after_ = end_of<Real>(second ? "join_cosines" : "store_cosines", m_ / 2);
    quarters_ = second ? before_ : after_;
    line_ = SmallLine<Real>::make(
        {.length = m_, .inverse = !second, .from = LineOrder::split, .to = LineOrder::split});
    return before_ != nullptr && after_ != nullptr && line_ != nullptr;
  }

  const std::size_t m_;
  std::unique_ptr<const SmallLine<Real>> line_;
  Columns<Real> columns_;
  LineFunction<Real> before_ = nullptr, after_ = nullptr, quarters_ = nullptr;
  LineFunction<Real> in_output_ = nullptr;  ///< last step of a long line; then there is no after_
  Real scale_ = 1;
  int conjugate_ = 0;
};

/// A real transform of a few points, which stay in registers (src/passes/reals.hpp).
template <class Real>
class FewReals final : public Row<Real> {
 public:
  /// Returns nothing if there is no function.
  static RowPtr<Real> make(const RowRequest& request) {
    constexpr bool kWide = std::is_same_v<Real, double>;
    const auto function =
        function_of<Real>("real" + std::to_string(request.length) + (kWide ? "_f64_" : "_f32_") +
                          (request.inverse ? 'i' : 'f'));
    return function == nullptr ? nullptr : RowPtr<Real>(new FewReals(request, function));
  }

  void run(const Real* from, Real* to, Real* between) const override {
    if (from == to) {
      std::copy(from, from + n_ + 2, between);
      from = between;
    }
    function_(from, to, nullptr, scale_, 0, 0, 0, conjugate_, 0);
  }
  std::size_t between_numbers() const override { return n_ + 2; }
  double cost() const override { return static_cast<double>(n_); }

 private:
  FewReals(const RowRequest& request, LineFunction<Real> function)
      : n_(request.length),
        scale_(static_cast<Real>(request.scale)),
        conjugate_(request.conjugate ? 1 : 0),
        function_(function) {}

  const std::size_t n_;
  const Real scale_;
  const int conjugate_;
  const LineFunction<Real> function_;
};

/// A real transform by a complex one of the same length, whose other half is not used.
template <class Real>
class RealByComplex final : public Row<Real> {
 public:
  static RowPtr<Real> make(const RowRequest& request) {
    auto row = complex_row<Real>(
        {.length = request.length, .inverse = request.inverse, .scale = request.scale});
    if (!row) return nullptr;
    return RowPtr<Real>(new RealByComplex(request, std::move(row)));
  }

  void run(const Real* from, Real* to, Real* between) const override {
    inverse_ ? to_signal(from, to, between) : to_spectrum(from, to, between);
  }
  std::size_t between_numbers() const override { return 2 * n_ + row_->between_numbers(); }
  double cost() const override { return row_->cost() + kScalar * 4 * static_cast<double>(n_); }

 private:
  RealByComplex(const RowRequest& request, RowPtr<Real> row)
      : n_(request.length),
        inverse_(request.inverse),
        side_(request.conjugate ? Real{-1} : Real{1}),
        row_(std::move(row)) {}

  void to_spectrum(const Real* from, Real* to, Real* x) const {
    for (std::size_t j = 0; j < n_; ++j) x[2 * j] = from[j], x[2 * j + 1] = 0;
    row_->run(x, x, x + 2 * n_);
    for (std::size_t k = 0; k <= n_ / 2; ++k)
      to[2 * k] = x[2 * k], to[2 * k + 1] = x[2 * k + 1] * side_;
    // A convolution leaves rounding errors in imaginary parts that are zero.
    to[1] = 0;
    if (n_ % 2 == 0) to[n_ + 1] = 0;
  }
  void to_signal(const Real* from, Real* to, Real* x) const {
    for (std::size_t k = 0; k <= n_ / 2; ++k) {
      const bool end = 2 * k % n_ == 0;  // its imaginary part is not read
      const Real re = from[2 * k], im = end ? Real{0} : from[2 * k + 1] * side_;
      const std::size_t other = (n_ - k) % n_;
      x[2 * other] = re, x[2 * other + 1] = -im;
      x[2 * k] = re, x[2 * k + 1] = im;
    }
    row_->run(x, x, x + 2 * n_);
    for (std::size_t j = 0; j < n_; ++j) to[j] = x[2 * j];
  }

  const std::size_t n_;
  const bool inverse_;
  const Real side_;
  const RowPtr<Real> row_;
};

/// DCT-II or DCT-III by a complex transform of the same length.
template <class Real>
class CosinesByComplex final : public Row<Real> {
 public:
  static RowPtr<Real> make(const RowRequest& request) {
    const bool second = request.kind == Kind::dct2;
    auto row = complex_row<Real>({.length = request.length, .inverse = !second});
    if (!row) return nullptr;
    return RowPtr<Real>(new CosinesByComplex(request, second, std::move(row)));
  }

  void run(const Real* from, Real* to, Real* between) const override {
    second_ ? run_second(from, to, between) : run_third(from, to, between);
  }
  std::size_t between_numbers() const override { return 2 * n_ + row_->between_numbers(); }
  double cost() const override { return row_->cost() + kScalar * 6 * static_cast<double>(n_); }

 private:
  CosinesByComplex(const RowRequest& request, bool second, RowPtr<Real> row)
      : n_(request.length), second_(second), row_(std::move(row)) {
    for (std::size_t k = 0; k < n_; ++k) {
      double factor = (second ? 2 : 1) * request.scale;
      if (k == 0 && request.orthogonal) factor *= second ? std::sqrt(0.5) : std::sqrt(2.0);
      const auto value = root(k, 4 * n_) * factor;
      factors_.push_back(static_cast<Real>(value.real()));
      factors_.push_back(static_cast<Real>(value.imag()));
    }
  }
  /// Returns the place of element j among the points.
  std::size_t place(std::size_t j) const { return j % 2 == 0 ? j / 2 : n_ - 1 - j / 2; }

  void run_second(const Real* from, Real* to, Real* x) const {
    for (std::size_t j = 0; j < n_; ++j) x[2 * place(j)] = from[j], x[2 * place(j) + 1] = 0;
    row_->run(x, x, x + 2 * n_);
    for (std::size_t k = 0; k < n_; ++k)
      to[k] = x[2 * k] * factors_[2 * k] - x[2 * k + 1] * factors_[2 * k + 1];
  }
  void run_third(const Real* from, Real* to, Real* x) const {
    for (std::size_t k = 0; k < n_; ++k) {
      const Real re = from[k], im = k == 0 ? Real{0} : -from[n_ - k];
      const Real c = factors_[2 * k], s = -factors_[2 * k + 1];
      x[2 * k] = re * c - im * s, x[2 * k + 1] = re * s + im * c;
    }
    row_->run(x, x, x + 2 * n_);
    for (std::size_t j = 0; j < n_; ++j) to[j] = x[2 * place(j)];
  }

  const std::size_t n_;
  const bool second_;
  const RowPtr<Real> row_;
  std::vector<Real> factors_;
};

template <class Real>
RowPtr<Real> cosine_row(const RowRequest& request) {
  auto halved = Halved<Real>::make(request);
  return halved ? std::move(halved) : CosinesByComplex<Real>::make(request);
}

template <class Real>
RowPtr<Real> real_row(const RowRequest& request) {
  if (auto few = FewReals<Real>::make(request)) return few;
  auto halved = Halved<Real>::make(request);
  return halved ? std::move(halved) : RealByComplex<Real>::make(request);
}

}  // namespace

template <class Real>
std::unique_ptr<const Row<Real>> Row<Real>::make(const RowRequest& request) {
  if (instruction_set().empty() || request.length == 0) return nullptr;
  switch (request.kind) {
    case Kind::complex:
      return complex_row<Real>(request);
    case Kind::real:
      return real_row<Real>(request);
    case Kind::dct2:
    case Kind::dct3:
      return cosine_row<Real>(request);
    default:
      return row_by_others<Real>(request);
  }
}

template class Row<float>;
template class Row<double>;

}  // namespace imago::small
