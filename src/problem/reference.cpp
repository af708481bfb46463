// This file computes references from the definitions of the kinds (imago/transform.hpp): sums of
// x[j] cos(2 pi (a j + b) (c k + d) / order) are the real parts of one DFT of `order` points.
#include "problem/reference.hpp"

#include <utility>

#include "base/errors.hpp"
#include "base/fft.hpp"
#include "problem/kinds.hpp"

namespace imago::problem {
namespace {

struct Index {
  std::size_t multiple = 1, shift = 0;
  std::size_t operator()(std::size_t i) const { return multiple * i + shift; }
};

struct Sum {
  Index element, result;
  std::size_t orders = 1;  ///< points of the DFT, in multiples of the logical length
  bool sine = false;
};

Sum sum_of(Kind kind) {
  switch (kind) {
    case Kind::dct1:
      return {};
    case Kind::dct2:
      return {{2, 1}, {}, 2, false};
    case Kind::dct3:
      return {{}, {2, 1}, 2, false};
    case Kind::dct4:
      return {{2, 1}, {2, 1}, 4, false};
    case Kind::dst1:
      return {{1, 1}, {1, 1}, 1, true};
    case Kind::dst2:
      return {{2, 1}, {1, 1}, 2, true};
    case Kind::dst3:
      return {{1, 1}, {2, 1}, 2, true};
    case Kind::dst4:
      return {{2, 1}, {2, 1}, 4, true};
    default:
      base::unsupported("identity axes have no reference transform", "use another kind");
  }
}

/// True for an element that is its own image, which counts once; the others count twice.
bool own_image(Kind kind, std::size_t j, std::size_t n) {
  const bool first = j == 0, last = j + 1 == n;
  if (kind == Kind::dct1) return first || last;
  return (kind == Kind::dct3 && first) || (kind == Kind::dst3 && last);
}

std::vector<std::complex<double>> along_line(Kind kind,
                                             const std::vector<std::complex<double>>& x) {
  if (kind == Kind::complex) return base::dft(x);
  const Sum sum = sum_of(kind);
  const std::size_t n = x.size();
  std::vector<std::complex<double>> points(sum.orders * logical_length(kind, n));
  for (std::size_t j = 0; j < n; ++j)
    points.at(sum.element(j)) = (own_image(kind, j, n) ? 1 : 2) * x[j].real();
  const auto spectrum = base::dft(points);
  std::vector<std::complex<double>> result(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto point = spectrum.at(sum.result(k));
    result[k] = sum.sine ? -point.imag() : point.real();
  }
  return result;
}

std::vector<std::complex<double>> half_spectra(const std::vector<std::size_t>& lengths,
                                               std::vector<std::complex<double>> x) {
  for (auto& value : x) value = value.real();
  const auto whole = reference(Kind::complex, lengths, std::move(x));
  const std::size_t row = lengths.back();
  std::vector<std::complex<double>> half;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i % row <= row / 2) half.push_back(whole[i]);
  }
  return half;
}

}  // namespace

std::vector<std::complex<double>> reference(Kind kind, const std::vector<std::size_t>& lengths,
                                            std::vector<std::complex<double>> x) {
  if (kind == Kind::real) return half_spectra(lengths, std::move(x));
  std::size_t apart = 1;  // distance of adjacent elements along the axis
  for (auto n = lengths.rbegin(); n != lengths.rend(); apart *= *n++) {
    std::vector<std::complex<double>> line(*n);
    for (std::size_t i = 0; i < x.size() / *n; ++i) {
      const std::size_t first = i / apart * apart * *n + i % apart;
      for (std::size_t j = 0; j < *n; ++j) line[j] = x[first + j * apart];
      const auto result = along_line(kind, line);
      for (std::size_t j = 0; j < *n; ++j) x[first + j * apart] = result[j];
    }
  }
  return x;
}

}  // namespace imago::problem
