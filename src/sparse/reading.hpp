// This file reads the state that an attempt leaves: the tones, and measurements of the remainder.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/phase_parameters.hpp"

namespace imago::sparse {

/// A sinusoid in the signal: amplitude * exp(2 pi i frequency t / n).
struct Tone {
  std::uint64_t frequency = 0;
  std::complex<double> amplitude;
};

/// The result of an attempt. Amplitudes are those of tones in the signal, X[f] / n.
struct Reading {
  double peak = 0;            ///< largest bucket before any subtraction
  double worst = 0;           ///< largest bucket at the end
  double noise = 0;           ///< noise of the buckets at the end, including the method's own
  double excess = 0;          ///< noise in excess of the method's own
  double largest = 0;         ///< largest real or imaginary part of a checked sample, before tones
                              ///< are subtracted
  double energy = 0;          ///< mean energy of the checked samples
  double difference = 0;      ///< largest |x - xhat| of the checked samples
  std::uint64_t checked = 0;  ///< number of fresh random samples that were compared with the tones
  double residual = 1;        ///< ||x - xhat|| / ||x|| over the checked samples; 0 for a zero
                              ///< signal
  unsigned rounds = 0;        ///< rounds of peeling that found tones
  bool unfinished = false;    ///< true if the last round found tones
  bool full = false;          ///< true if there were more tones than the list can hold
  std::vector<Tone> tones;
};

/// Returns the words of the state per tone.
std::size_t tone_words(Precision precision);
/// Returns the words up to the end of `tones` tones.
std::size_t state_words(std::uint64_t tones, Precision precision);
/// Returns the words of a whole state.
std::size_t state_words(const Level& level, Precision precision);

/// Returns the number of tones that rounds 0 .. last have listed.
std::uint64_t tones_in(std::span<const std::uint32_t> state, unsigned last, std::uint64_t capacity);

/// Ratio of the noise to the root of the 15 % quantile of the energies. The first is for means over
/// a few shifts, the second for one spectrum. The energies of one spectrum are exponentially
/// distributed (-1/ln 0.85 = 2.48 squared).
constexpr double kNoiseOfShifts = 1.15, kNoiseOfOne = 2.48;

/// Returns the result after round `last`; `state` must reach to the end of the tones. `own_noise`
/// is the method's own noise, relative to the largest amplitude.
Reading read_state(std::span<const std::uint32_t> state, unsigned last, std::uint64_t capacity,
                   Precision precision, double own_noise, double of_quantile = kNoiseOfShifts);

/// Convert between a tone and its words in the state (frequency, real part, imaginary part, each
/// with the least significant word first).
Tone get_tone(const std::uint32_t* words, Precision precision);
void put_tone(const Tone& tone, Precision precision, std::uint32_t* words);

constexpr double kCleanBucket = 4.5;  ///< in units of the noise; no bucket of an explained signal
                                      ///< exceeds it

/// Raises the residual to the value that the buckets' excess implies if it is spread over all
/// buckets. Noise and short signals in time are spread that way, and the checked samples may have
/// missed them. `gain` is the response of a bucket to such a signal, the root of the sum of the
/// taps' squares.
void charge(Reading& reading, double gain);

/// Drops tones that the buckets' noise and the window's leakage can imitate; adds their energy to
/// the residual.
void prune(Reading& reading, const Window& window);
/// Drops tones with amplitudes up to `least`.
void prune(Reading& reading, double least);
/// Drops tones with amplitudes up to `least` if the residual stays within the tolerance; else keeps
/// all.
void prune_within(Reading& reading, double least, double tolerance);

}  // namespace imago::sparse
