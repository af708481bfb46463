// This file finds the tones (sinusoids) that a sparse spectrum's coefficients represent. A tone
// between two bins has many coefficients.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <imago/export.hpp>
#include <imago/sparse_transform.hpp>

namespace imago {

/// A tone: amplitude * exp(2 pi i frequency t / n), for t from 0 to n - 1. In a real signal, a tone
/// stands for the sinusoid 2 |amplitude| cos(2 pi frequency t / n + arg(amplitude)), except at
/// frequencies 0 and n/2, where the first formula is the whole sinusoid.
struct SparseTone {
  double frequency = 0;  ///< in bins, 0 <= frequency < n; 1234.37 lies between bins 1234 and 1235
  std::complex<double> amplitude;  ///< in the signal's units, with the phase at t = 0
  std::size_t bins = 1;            ///< number of listed coefficients that are mainly this tone's
};

/// Returns the tones of a spectrum, strongest first. `transform` is the plan's. Throws
/// InvalidArgument if the spectrum does not have its length.
///
/// The amplitude of a tone on a bin is that coefficient divided by n. A tone between bins has many
/// coefficients, which decrease with the distance from its frequency. They become one tone if it
/// explains them; its frequency is interpolated from the three largest. A tone below a twentieth of
/// another tone's coefficients in the same bins is not separated from it. If two tones are less
/// than about two bins apart, the result describes the spectrum but does not measure the tones.
///
///     const auto found = plan.forward(queue, signal);
///     for (const auto& tone : imago::sparse_tones(found, plan.transform()))
///       std::printf("%.3f Hz: %.3g\n", tone.frequency * rate / n, std::abs(tone.amplitude));
IMAGO_API std::vector<SparseTone> sparse_tones(const SparseSpectrum& spectrum,
                                               const SparseTransform& transform);

}  // namespace imago
