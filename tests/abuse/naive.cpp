// This file computes transforms by their definitions: a matrix along each axis.
#include "naive.hpp"

#include <cmath>
#include <complex>
#include <functional>
#include <numeric>

namespace imago::abuse {
namespace {

using catalogue::Case;
using Number = std::complex<long double>;

constexpr long double kPi = 3.141592653589793238462643383279502884L;
const long double kRootOfTwo = std::sqrt(2.0L);

/// Returns exp(i pi a / b); the argument is reduced in integers.
Number turn(std::uint64_t a, std::uint64_t b) {
  const long double angle =
      kPi * static_cast<long double>(a % (2 * b)) / static_cast<long double>(b);
  return {std::cos(angle), std::sin(angle)};
}

/// Returns the transform along an axis in the case's direction: the inverse of II is III.
Kind done(Kind kind, bool inverse) {
  if (!inverse) return kind;
  if (kind == Kind::dct2) return Kind::dct3;
  if (kind == Kind::dct3) return Kind::dct2;
  if (kind == Kind::dst2) return Kind::dst3;
  if (kind == Kind::dst3) return Kind::dst2;
  return kind;
}

/// Returns the factor of x[j] in X[k] for cosine and sine transforms of n points.
long double factor(Kind kind, std::uint64_t n, std::uint64_t j, std::uint64_t k) {
  const long double sign = k % 2 == 0 ? 1 : -1;
  switch (kind) {
    case Kind::dct1:
      if (j == 0) return 1;
      return j == n - 1 ? sign : 2 * turn(j * k, n - 1).real();
    case Kind::dct2:
      return 2 * turn((2 * j + 1) * k, 2 * n).real();
    case Kind::dct3:
      return j == 0 ? 1 : 2 * turn(j * (2 * k + 1), 2 * n).real();
    case Kind::dct4:
      return 2 * turn((2 * j + 1) * (2 * k + 1), 4 * n).real();
    case Kind::dst1:
      return 2 * turn((j + 1) * (k + 1), n + 1).imag();
    case Kind::dst2:
      return 2 * turn((2 * j + 1) * (k + 1), 2 * n).imag();
    case Kind::dst3:
      return j == n - 1 ? sign : 2 * turn((j + 1) * (2 * k + 1), 2 * n).imag();
    case Kind::dst4:
      return 2 * turn((2 * j + 1) * (2 * k + 1), 4 * n).imag();
    default:
      return 0;
  }
}

using Line = std::vector<Number>;

Line dft(const Line& x, std::size_t results, bool inverse) {
  const std::size_t n = x.size();
  Line roots(n), result(results);
  for (std::size_t i = 0; i < n; ++i) roots[i] = turn(inverse ? 2 * (n - i) : 2 * i, n);
  for (std::size_t k = 0; k < results; ++k)
    for (std::size_t j = 0; j < n; ++j) result[k] += x[j] * std::conj(roots[j * k % n]);
  return result;
}

/// Returns the real numbers of a half spectrum; ignores the imaginary parts of its ends.
Line reals(const Line& half, std::size_t n) {
  Line whole(n);
  for (std::size_t k = 0; k < half.size(); ++k) {
    whole[k] = half[k];
    if (k == 0 || 2 * k == n) {
      whole[k].imag(0);
    } else {
      whole[n - k] = std::conj(half[k]);
    }
  }
  return dft(whole, n, true);
}

Line cosines(Line x, Kind kind, bool orthonormal) {
  const std::size_t n = x.size();
  const bool one = kind == Kind::dct1;
  if (orthonormal && (one || kind == Kind::dct3)) x.front() *= kRootOfTwo;
  if (orthonormal && (one || kind == Kind::dst3)) x.back() *= kRootOfTwo;
  Line result(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) result[k] += x[j] * factor(kind, n, j, k);
  if (orthonormal && (one || kind == Kind::dct2)) result.front() /= kRootOfTwo;
  if (orthonormal && (one || kind == Kind::dst2)) result.back() /= kRootOfTwo;
  return result;
}

Line transformed(const Line& x, Kind kind, std::size_t n, const Case& problem) {
  const bool inverse = problem.direction == catalogue::Direction::inverse;
  if (kind == Kind::complex) return dft(x, n, inverse);
  if (kind == Kind::real) return inverse ? reals(x, n) : dft(x, n / 2 + 1, false);
  return cosines(x, done(kind, inverse), problem.norm == Norm::ortho);
}

struct Data {
  std::vector<std::uint64_t> extents;
  std::vector<Number> numbers;
};

/// Transforms every line along axis d.
Data along(const Data& data, std::size_t d, const Case& problem) {
  const auto kind = problem.kinds()[d];
  std::size_t stride = 1;
  for (std::size_t i = d + 1; i < data.extents.size(); ++i) stride *= data.extents[i];
  const std::size_t n = data.extents[d], outer = data.numbers.size() / n / stride;
  Data result;
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t s = 0; s < stride; ++s) {
      Line line(n);
      for (std::size_t j = 0; j < n; ++j) line[j] = data.numbers[(o * n + j) * stride + s];
      const Line after = transformed(line, kind, problem.lengths[d], problem);
      if (result.numbers.empty()) {
        result.extents = data.extents;
        result.extents[d] = after.size();
        result.numbers.resize(outer * after.size() * stride);
      }
      for (std::size_t k = 0; k < after.size(); ++k)
        result.numbers[(o * after.size() + k) * stride + s] = after[k];
    }
  }
  return result;
}

/// Returns the norm's factor in long double.
long double scale_of(const Case& problem) {
  const auto n = static_cast<long double>(problem.points());
  const bool forward = problem.direction == catalogue::Direction::forward;
  if (problem.norm == Norm::ortho) return 1 / std::sqrt(n);
  return problem.norm == (forward ? Norm::forward : Norm::backward) ? 1 / n : 1;
}

}  // namespace

std::vector<long double> naive_transform(const Case& problem,
                                         const std::vector<long double>& input) {
  const bool reads_reals = catalogue::is_real(problem, true);
  Data data{catalogue::extents(problem, true), {}};
  for (std::size_t i = 0; i < input.size(); i += reads_reals ? 1 : 2)
    data.numbers.emplace_back(input[i], reads_reals ? 0 : input[i + 1]);
  const auto kinds = problem.kinds();
  // The real axis comes first in a transform to complex numbers, and last in its inverse.
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < kinds.size(); ++d)
    if (kinds[d] != Kind::identity && kinds[d] != Kind::real) order.push_back(d);
  if (problem.real()) {
    const bool first = problem.direction == catalogue::Direction::forward;
    order.insert(first ? order.begin() : order.end(), kinds.size() - 1);
  }
  for (const std::size_t d : order) data = along(data, d, problem);
  std::vector<long double> output;
  const long double scale = scale_of(problem);
  for (const Number& number : data.numbers) {
    output.push_back(scale * number.real());
    if (!catalogue::is_real(problem, false)) output.push_back(scale * number.imag());
  }
  return output;
}

double naive_cost(const Case& problem) {
  double points = static_cast<double>(problem.batch), sum = 0;
  for (const auto length : problem.lengths) {
    points *= static_cast<double>(length);
    sum += static_cast<double>(length);
  }
  return points * sum;
}

}  // namespace imago::abuse
