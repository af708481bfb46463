// This file reads what an attempt of the phase method has left in its state: the tones, and what
// was measured of the rest.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/phase_parameters.hpp"

namespace imago::sparse {

/// A part of the signal: amplitude * exp(2 pi i frequency t / n).
struct Tone {
  std::uint64_t frequency = 0;
  std::complex<double> amplitude;
};

/// Amplitudes are those of tones in the signal: X[f] / n.
struct Reading {
  double peak = 0;            ///< largest of all buckets before anything was subtracted
  double worst = 0;           ///< largest of all buckets at the end
  double noise = 0;           ///< that the buckets hold at the end; with the method's own
  double excess = 0;          ///< noise beyond the method's own
  double largest = 0;         ///< part of a checked sample, before tones are subtracted
  double energy = 0;          ///< mean over the checked samples
  double difference = 0;      ///< largest |x - xhat| of them
  std::uint64_t checked = 0;  ///< fresh random samples that were compared with the tones
  double residual = 1;        ///< ||x - xhat|| / ||x|| over the checked samples; 0 of a zero signal
  unsigned rounds = 0;        ///< rounds of peeling that found something
  bool unfinished = false;    ///< the last one did
  bool full = false;          ///< more tones were found than there is room for
  std::vector<Tone> tones;
};

/// Words of the state that hold a tone.
std::size_t tone_words(Precision precision);
/// Words up to the end of `tones` tones.
std::size_t state_words(std::uint64_t tones, Precision precision);
/// Words of a whole state.
std::size_t state_words(const Level& level, Precision precision);

/// Tones that rounds 0 .. last have listed.
std::uint64_t tones_in(std::span<const std::uint32_t> state, unsigned last, std::uint64_t capacity);

/// Noise over the root of the 15 % quantile of the energies: of means over a few shifts, and of one
/// spectrum's, which are exponentially distributed (-1/ln 0.85 = 2.48 squared).
constexpr double kNoiseOfShifts = 1.15, kNoiseOfOne = 2.48;

/// What the state says after round `last`; its words reach to the end of the tones. `own_noise`: of
/// the method, over the largest amplitude.
Reading read_state(std::span<const std::uint32_t> state, unsigned last, std::uint64_t capacity,
                   Precision precision, double own_noise, double of_quantile = kNoiseOfShifts);

/// A tone from the words in which it is listed (frequency, real part, imaginary part, the least
/// significant word first), and the other way round.
Tone get_tone(const std::uint32_t* words, Precision precision);
void put_tone(const Tone& tone, Precision precision, std::uint32_t* words);

constexpr double kCleanBucket = 4.5;  ///< noises: no bucket of an explained signal has more

/// Raises the residual to what the buckets' excess means where it is spread over all of them, as
/// noise and whatever is short in time are: the checked samples may have missed it. gain: of such a
/// signal in a bucket, the root of the sum of the taps' squares.
void charge(Reading& reading, double gain);

/// Drops tones that are not above what the buckets' noise and the window's leakage can feign; their
/// energy goes to the residual.
void prune(Reading& reading, const Window& window);
/// Drops tones up to an amplitude.
void prune(Reading& reading, double least);
/// The same where the residual stays within a tolerance; else all stay.
void prune_within(Reading& reading, double least, double tolerance);

}  // namespace imago::sparse
