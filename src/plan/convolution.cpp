// This file holds the number theory of Rader's and of Bluestein's convolution.
#include "plan/convolution.hpp"

#include <algorithm>
#include <cmath>

#include "base/fft.hpp"
#include "base/integers.hpp"
#include "base/roots.hpp"

namespace imago::plan {
namespace {

using Entries = std::vector<std::complex<double>>;

/// exp(-pi i j^2 / n).
std::complex<double> chirp(std::uint64_t j, std::uint64_t n) {
  return base::root_of_unity(base::multiply_modulo(j, j, 2 * n), 2 * n);
}

/// The conjugate chirp at 0 .. n-1 and, from the end, at -1 .. -(n-1).
Entries bluestein_kernel(std::uint64_t n, std::uint64_t length) {
  Entries kernel(length);
  for (std::uint64_t j = 0; j < n; ++j) {
    kernel[j] = std::conj(chirp(j, n));
    if (j > 0) kernel[length - j] = kernel[j];
  }
  return kernel;
}

/// The roots in the order of the generator's inverse powers at 0 .. p-2; with padding also, from
/// the end, at -1 .. -(p-2).
Entries rader_kernel(std::uint64_t p, std::uint64_t length) {
  const std::uint64_t period = p - 1;
  const std::uint64_t inverse = base::power_modulo(base::primitive_root(p), p - 2, p);
  Entries kernel(length);
  std::uint64_t power = 1;
  for (std::uint64_t j = 0; j < period; ++j) {
    kernel[j] = base::root_of_unity(power, p);
    if (j > 0 && length > period) kernel[length - (period - j)] = kernel[j];
    power = base::multiply_modulo(power, inverse, p);
  }
  return kernel;
}

/// Operations of a transform and what its memory costs beside them, in relative units. Odd factors
/// cost a butterfly more per bit than factors of two; lengths that are not multiples of 16 leave
/// lanes idle.
double work(std::uint64_t length) {
  constexpr double kMemory = 6, kRagged = 1.15;
  double each = kMemory;
  for (const std::uint64_t p : base::prime_factors(length))
    each += p == 2 ? 1 : 1.2 * std::log2(static_cast<double>(p)) + 0.1 * static_cast<double>(p);
  return static_cast<double>(length) * each * (length % 16 == 0 ? 1 : kRagged);
}

}  // namespace

bool can_convolve(Algorithm algorithm, std::uint64_t n, std::uint64_t length) {
  if (algorithm == Algorithm::bluestein) return n > 1 && length >= least_bluestein(n);
  return n > 2 && base::is_prime(n) && (length == n - 1 || length >= least_padded_rader(n));
}

std::vector<std::uint64_t> convolution_lengths(std::uint64_t least) {
  const std::uint64_t limit = 2 * least;
  std::vector<std::uint64_t> found{1};
  for (const std::uint64_t prime : {2, 3, 5, 7, 11, 13}) {
    for (std::size_t i = 0; i < found.size(); ++i) {  // grows: powers of the prime follow
      if (found[i] <= (limit - 1) / prime) found.push_back(found[i] * prime);
    }
  }
  std::erase_if(found, [&](std::uint64_t n) { return n < least; });
  std::sort(found.begin(), found.end(), [](std::uint64_t a, std::uint64_t b) {
    const double x = work(a), y = work(b);
    return x != y ? x < y : a < b;
  });
  return found;
}

std::vector<std::complex<double>> values_of(const ChirpSection& section) {
  Entries values(section.points);
  for (std::uint64_t j = 0; j < section.points; ++j) values[j] = chirp(j, section.points);
  return values;
}

std::vector<std::complex<double>> values_of(const SpectrumSection& section) {
  Entries values = base::dft(section.rader ? rader_kernel(section.points, section.length)
                                           : bluestein_kernel(section.points, section.length));
  for (auto& value : values) value /= static_cast<double>(section.length);
  return values;
}

std::vector<std::complex<double>> values_of(const OrderSection& section) {
  const std::uint64_t p = section.points, period = p - 1, g = base::primitive_root(p);
  Entries values(section.length);
  for (std::uint64_t e = period; e < section.length; ++e)
    values[e] = {static_cast<double>(e), static_cast<double>(e)};
  std::uint64_t power = 1;
  for (std::uint64_t place = 0; place < period; ++place) {
    values[power - 1] = {static_cast<double>(place),
                         static_cast<double>((period - place) % period)};
    power = base::multiply_modulo(power, g, p);
  }
  return values;
}

}  // namespace imago::plan
