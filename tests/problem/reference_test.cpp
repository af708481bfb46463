// This file compares references with the sums that define the kinds.
#include "problem/reference.hpp"

#include <cmath>
#include <numbers>

#include "base/fft.hpp"
#include "support/catch.hpp"

using namespace imago;

namespace {

/// Returns the weight of element j in result k, as imago::Kind defines it.
double weight(Kind kind, std::size_t n, std::size_t j, std::size_t k) {
  const double pi = std::numbers::pi, x = double(j), y = double(k), size = double(n);
  const double sign = k % 2 == 0 ? 1 : -1;
  switch (kind) {
    case Kind::dct1:
      if (j == 0) return 1;
      return j + 1 == n ? sign : 2 * std::cos(pi * x * y / (size - 1));
    case Kind::dct2:
      return 2 * std::cos(pi * (x + 0.5) * y / size);
    case Kind::dct3:
      return j == 0 ? 1 : 2 * std::cos(pi * x * (y + 0.5) / size);
    case Kind::dct4:
      return 2 * std::cos(pi * (x + 0.5) * (y + 0.5) / size);
    case Kind::dst1:
      return 2 * std::sin(pi * (x + 1) * (y + 1) / (size + 1));
    case Kind::dst2:
      return 2 * std::sin(pi * (x + 0.5) * (y + 1) / size);
    case Kind::dst3:
      return j + 1 == n ? sign : 2 * std::sin(pi * (x + 1) * (y + 0.5) / size);
    default:
      return 2 * std::sin(pi * (x + 0.5) * (y + 0.5) / size);
  }
}

std::vector<std::complex<double>> signal(std::size_t n) {
  std::vector<std::complex<double>> x(n);
  for (std::size_t j = 0; j < n; ++j) x[j] = {std::sin(1.3 * double(j) + 1), double(j)};
  return x;
}

}  // namespace

TEST_CASE("References of cosine and sine transforms are the sums that define them", "[problem]") {
  const auto kind = GENERATE(Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                             Kind::dst3, Kind::dst4);
  const auto n = GENERATE(std::size_t{2}, std::size_t{3}, std::size_t{8}, std::size_t{15});
  const auto x = signal(n);
  const auto found = problem::reference(kind, {n}, x);
  REQUIRE(found.size() == n);
  for (std::size_t k = 0; k < n; ++k) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += weight(kind, n, j, k) * x[j].real();
    INFO(static_cast<int>(kind) << " of " << n << ", result " << k);
    CHECK(std::abs(found[k] - sum) < 1e-13 * double(n));
  }
}

TEST_CASE("A complex reference is the DFT", "[problem]") {
  CHECK(problem::reference(Kind::complex, {12}, signal(12)) == base::dft(signal(12)));
}

TEST_CASE("References go along one axis after the other", "[problem]") {
  const auto kind = GENERATE(Kind::dct2, Kind::dst3);
  const std::size_t rows = 3, columns = 4;
  const auto x = signal(rows * columns);
  const auto found = problem::reference(kind, {rows, columns}, x);
  for (std::size_t k = 0; k < x.size(); ++k) {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += weight(kind, rows, j / columns, k / columns) *
             weight(kind, columns, j % columns, k % columns) * x[j].real();
    CHECK(std::abs(found[k] - sum) < 1e-12);
  }
}
