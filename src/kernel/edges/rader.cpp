// This file implements the edge of Rader's convolution.
#include "kernel/edges/rader.hpp"

#include "base/integers.hpp"
#include "base/roots.hpp"

namespace imago::kernel {
namespace {

using Entries = std::vector<std::complex<double>>;

}  // namespace

ConvolvedFacts facts_of(const RaderOrder& edge) {
  return {.elements = edge.points - 1, .reorders = true, .lone_element = true};
}

ConvolutionLengths lengths_of(const RaderOrder& edge) {
  const std::uint64_t period = edge.points - 1;
  return {.possible = edge.points > 2 && base::is_prime(edge.points),
          .unpadded = period,
          .least = 2 * period - 1,
          .points = "a prime above 2"};
}

OrderSection section_of(const RaderOrder& edge, std::uint64_t length) {
  return {edge.points, length};
}

std::uint64_t count_of(const OrderSection& section) { return section.length; }

Entries values_of(const OrderSection& section) {
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

/// Returns the roots at 0 .. p-2; with padding also at -1 .. -(p-2), counted from the end.
Entries convolution_kernel(const RaderOrder& edge, std::uint64_t length) {
  const std::uint64_t p = edge.points, period = p - 1;
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

}  // namespace imago::kernel
