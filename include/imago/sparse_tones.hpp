// This file names the tones that a sparse spectrum's coefficients stand for: one that lies between
// two bins shows in many of them.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <imago/export.hpp>
#include <imago/sparse_transform.hpp>

namespace imago {

/// amplitude * exp(2 pi i frequency t / n), for t from 0 to n - 1. Of a real signal half of a
/// sinusoid: 2 |amplitude| cos(2 pi frequency t / n + arg(amplitude)), but for one at 0 or n/2.
struct SparseTone {
  double frequency = 0;  ///< in bins: 1234.37 lies between 1234 and 1235; 0 <= frequency < n
  std::complex<double> amplitude;
  std::size_t bins = 1;  ///< listed coefficients that are this tone's most of all
};

/// The tones of a spectrum, strongest first; each |amplitude| is of the signal. A tone on a bin is
/// that coefficient over n. One between bins has coefficients in many, which fall with the
/// distance; they are one tone here, at the frequency that its largest three interpolate, where it
/// explains them. What is within a twentieth of another tone's coefficients is not told from it,
/// and of two tones that are closer than some two bins the result is a description, not a
/// measurement. `transform`: as the plan's. Throws InvalidArgument where the spectrum is not of its
/// length.
///
///     const auto found = plan.forward(queue, signal);
///     for (const auto& tone : imago::sparse_tones(found, plan.transform()))
///       std::printf("%.3f Hz: %.3g\n", tone.frequency * rate / n, std::abs(tone.amplitude));
IMAGO_API std::vector<SparseTone> sparse_tones(const SparseSpectrum& spectrum,
                                               const SparseTransform& transform);

}  // namespace imago
