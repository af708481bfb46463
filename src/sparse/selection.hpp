// This file decides which coefficients of a dense spectrum are listed, from the histogram of their
// magnitudes, and what the list is worth.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <imago/sparse_transform.hpp>

#include "device/facts.hpp"
#include "sparse/reading.hpp"
#include "sparse/request.hpp"

namespace imago::sparse {

constexpr std::size_t kDenseBins = 4096 / 2;  ///< the sign is never set: 8 of exponent, 3 bits more

/// What a coefficient must exceed to be listed: the noise (its median is that of all magnitudes),
/// or only what the transform rounds to. A spectrum without a noise floor needs the latter.
enum class Floor { noise, rounding };

struct Selection {
  Floor floor = Floor::noise;
  bool finite = true;  ///< every magnitude is a number
  /// A power of two: the fields below are of magnitudes times this, which floats can hold.
  double gain = 1;
  double grain = 0;         ///< what a number may be off by, however small it is
  double threshold = 0;     ///< magnitudes above it are listed
  double rounding = 0;      ///< by which a magnitude may be off
  double scale = 1;         ///< about the largest magnitude, 1 of a spectrum of zeros
  double median = 0;        ///< median of all magnitudes
  std::uint64_t above = 0;  ///< magnitudes that may be above the threshold
};

/// What select() needs beside the magnitudes.
struct Scaling {
  double gain = 1;         ///< magnitudes are times this
  double grain = 0;        ///< as Selection::grain
  double least_error = 0;  ///< magnitudes are off by as much at least
};

/// `bins[i]` counts magnitudes whose float has i in its upper 12 bits. Never lists more than
/// `capacity`.
Selection select(std::span<const std::uint32_t> bins, Precision precision, std::uint64_t capacity,
                 Floor floor, const Scaling& scaling = {});

/// True if floats hold the largest of these magnitudes and what it is rounded by.
bool fits_floats(std::span<const std::uint32_t> bins);

/// Returns the gain that brings the largest exponent to about 1: `exponents[i]` counts numbers
/// with i as the bits of their exponent. Returns 1 if one of them is not finite.
double gain_of(std::span<const std::uint32_t> exponents, Precision precision);

/// Returns the scaling of a spectrum of `length` numbers whose results are multiples of
/// `smallest`.
Scaling scaling_of(double gain, double smallest, std::uint64_t length);

/// What was listed, and the energy of what was not, over scale^2.
struct Listed {
  std::vector<Tone> coefficients;  ///< their amplitudes are X[f]
  double rest = 0;
};

constexpr double kUnexplained = 0.7;  ///< residual: half of the energy, what is left is not noise

/// ||x - xhat|| / ||x|| by Parseval's identity.
double residual(const Listed& listed, const Selection& selection, const Request& request);

/// Predicted time of reading the spectrum twice: for the histogram and for the list.
double selection_seconds(const Request& request, const device::Facts& facts);

/// Coefficients stand out of noise, however much of it there is: what is not listed is like white
/// noise of the median magnitude.
bool stands_out(const Listed& listed, const Selection& selection, const Request& request);

Verdict dense_verdict(const Selection& selection, double residual, const Listed& listed,
                      const Request& request);

}  // namespace imago::sparse
