// This file holds the number theory of Rader's and of Bluestein's convolution.
#include "plan/convolution.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/fft.hpp"
#include "base/integers.hpp"
#include "base/roots.hpp"

namespace imago::plan {
namespace {

using Entries = std::vector<std::complex<double>>;

/// exp(-pi i j^2 / n) for j < n.
Entries chirp(std::uint64_t n) {
  const base::Roots roots(2 * n);
  Entries values(n);
  std::uint64_t square = 0;  // modulo 2n
  for (std::uint64_t j = 0; j < n; ++j) {
    // From the middle on they repeat but for a sign: (n - j)^2 = n^2 + j^2 modulo 2n.
    values[j] = 2 * j <= n ? roots(square) : n % 2 == 0 ? values[n - j] : -values[n - j];
    square += 2 * j + 1;
    if (square >= 2 * n) square -= 2 * n;
  }
  return values;
}

/// The conjugate chirp at 0 .. n-1 and, from the end, at -1 .. -(n-1).
Entries bluestein_kernel(std::uint64_t n, std::uint64_t length) {
  Entries kernel = chirp(n);
  for (auto& value : kernel) value = std::conj(value);
  kernel.resize(length);
  for (std::uint64_t j = 1; j < n; ++j) kernel[length - j] = kernel[j];
  return kernel;
}

/// The roots in the order of the generator's inverse powers at 0 .. p-2; with padding also, from
/// the end, at -1 .. -(p-2).
Entries rader_kernel(std::uint64_t p, std::uint64_t length) {
  const std::uint64_t period = p - 1;
  const std::uint64_t inverse = base::power_modulo(base::primitive_root(p), p - 2, p);
  const base::Roots roots(p);
  Entries kernel(length);
  std::uint64_t power = 1;
  for (std::uint64_t j = 0; j < period; ++j) {
    kernel[j] = roots(power);
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
  std::vector<std::pair<double, std::uint64_t>> ranked;
  for (const std::uint64_t n : found) {
    if (n >= least) ranked.emplace_back(work(n), n);
  }
  std::sort(ranked.begin(), ranked.end());
  found.clear();
  for (const auto& [_, n] : ranked) found.push_back(n);
  return found;
}

std::vector<std::complex<double>> values_of(const ChirpSection& section) {
  return chirp(section.points);
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
