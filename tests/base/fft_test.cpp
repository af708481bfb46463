// This file compares the host's Fourier transform with the definition and with a property.
#include "base/fft.hpp"

#include <cmath>
#include <complex>

#include "base/roots.hpp"
#include "support/catch.hpp"

using namespace imago;
using Signal = std::vector<std::complex<double>>;

namespace {

Signal signal_of(std::size_t n) {
  Signal x(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto t = static_cast<double>(j);
    x[j] = {std::sin(1.7 * t * t + 0.3), std::cos(2.9 * t * t)};
  }
  return x;
}

}  // namespace

TEST_CASE("The host's transform is the definition") {
  for (std::size_t n = 0; n <= 130; ++n) {
    const Signal x = signal_of(n), spectrum = base::dft(x);
    REQUIRE(spectrum.size() == n);
    for (std::size_t k = 0; k < n; ++k) {
      std::complex<double> sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += x[j] * base::root_of_unity(j * k % n, n);
      CAPTURE(n, k);
      REQUIRE(std::abs(spectrum[k] - sum) < 1e-12 * std::sqrt(static_cast<double>(n)));
    }
  }
}

TEST_CASE("A long transform of the host is the definition") {
  for (const std::size_t n :
       {16384ul, 9409ul, 46410ul, 2ul * 8209}) {  // 97^2; many factors; a prime
    const Signal x = signal_of(n), spectrum = base::dft(x);
    for (std::size_t k = 1; k < n; k += n / 7) {
      std::complex<double> sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += x[j] * base::root_of_unity(j * k % n, n);
      CAPTURE(n, k);
      CHECK(std::abs(spectrum[k] - sum) < 1e-12 * std::sqrt(static_cast<double>(n)));
    }
  }
}

TEST_CASE("The host's transform keeps energy") {
  for (const std::size_t n : {4096, 10000, 30030}) {
    const Signal x = signal_of(n), spectrum = base::dft(x);
    double before = 0, after = 0;
    for (const auto value : x) before += std::norm(value);
    for (const auto value : spectrum) after += std::norm(value);
    CHECK(std::abs(after / (before * static_cast<double>(n)) - 1) < 1e-13);
  }
}
