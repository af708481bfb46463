// This file selects the coefficients of a dense spectrum to list, from the histogram of their
// magnitudes, and determines the verdict.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <imago/sparse_transform.hpp>

#include "device/facts.hpp"
#include "sparse/reading.hpp"
#include "sparse/request.hpp"

namespace imago::sparse {

constexpr std::size_t kDenseBins = 4096 / 2;  ///< magnitudes have no sign: 8 bits of exponent, 3
                                              ///< bits of fraction

/// The threshold of listed coefficients: the noise level (from the median of all magnitudes), or
/// only the rounding error of the transform. A spectrum without a noise floor needs the latter.
enum class Floor { noise, rounding };

struct Selection {
  Floor floor = Floor::noise;
  bool finite = true;  ///< true if all magnitudes are finite
  /// A power of two. The fields below are of magnitudes times this, which fit into floats.
  double gain = 1;
  double grain = 0;         ///< absolute error of numbers of any size
  double threshold = 0;     ///< magnitudes above it are listed
  double rounding = 0;      ///< maximum error of a magnitude
  double scale = 1;         ///< about the largest magnitude; 1 for a spectrum of zeros
  double median = 0;        ///< median of all magnitudes
  std::uint64_t above = 0;  ///< number of magnitudes that may be above the threshold
};

/// The scaling of the magnitudes, for select().
struct Scaling {
  double gain = 1;         ///< factor of the magnitudes
  double grain = 0;        ///< see Selection::grain
  double least_error = 0;  ///< minimum error of a magnitude
};

/// Selects the threshold. `bins[i]` counts magnitudes whose float has i in its upper 12 bits. Never
/// lists more than `capacity` coefficients.
Selection select(std::span<const std::uint32_t> bins, Precision precision, std::uint64_t capacity,
                 Floor floor, const Scaling& scaling = {});

/// True if floats can represent the largest of these magnitudes and its rounding error.
bool fits_floats(std::span<const std::uint32_t> bins);

/// Returns the gain that scales the largest exponent to about 1. `exponents[i]` counts numbers
/// whose exponent bits are i. Returns 1 if one of them is not finite.
double gain_of(std::span<const std::uint32_t> exponents, Precision precision);

/// Returns the scaling of a spectrum of `length` numbers whose results are multiples of `smallest`.
Scaling scaling_of(double gain, double smallest, std::uint64_t length);

/// The listed coefficients, and the energy of the others, relative to scale^2.
struct Listed {
  std::vector<Tone> coefficients;  ///< their amplitudes are X[f]
  double rest = 0;
};

constexpr double kUnexplained = 0.7;  ///< residual at half of the energy: the remainder is then not
                                      ///< noise

/// Returns ||x - xhat|| / ||x||, by Parseval's identity.
double residual(const Listed& listed, const Selection& selection, const Request& request);

/// Returns the predicted seconds of reading the spectrum twice: for the histogram and for the list.
double selection_seconds(const Request& request, const device::Facts& facts);

/// True if coefficients stand out of noise of any level: the other coefficients are like white
/// noise with the median magnitude.
bool stands_out(const Listed& listed, const Selection& selection, const Request& request);

Verdict dense_verdict(const Selection& selection, double residual, const Listed& listed,
                      const Request& request);

}  // namespace imago::sparse
