// This file makes signals with sparse spectra whose coefficients are known, and compares an answer
// with them: for the tests, the statistics and the benchmark of the sparse transform.
#pragma once

#include <complex>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <imago/sparse_transform.hpp>

namespace imago::catalogue {

/// The positions of the coefficients in the spectrum.
enum class Support { random, run, run_at_dc, equal, apart_1024, blocks };

struct Tones {
  std::uint64_t length = 0, sparsity = 0;
  Support support = Support::random;
  double dynamic_range_db = 0;  ///< amplitudes log-uniform over this range; 0: all 1
  double snr_db = 1e9;          ///< white Gaussian noise per sample; 1e9: none
  bool real = false;            ///< frequencies 1 to n/2-1, and their mirror images
  unsigned seed = 0;
};

/// A signal, and the coefficients X[f] that it was made of (half of them for a real signal). Noise
/// is added to the signal.
struct SparseSignal {
  std::vector<std::complex<double>> samples;
  std::vector<std::uint64_t> indices;  ///< ascending
  std::vector<std::complex<double>> values;
};
SparseSignal make_signal(const Tones& tones);

/// Returns the samples as a device holds them: complex<T>, or T for a real signal.
template <class T>
std::vector<T> stored(const SparseSignal& signal, bool real) {
  std::vector<T> data;
  data.reserve(signal.samples.size() * (real ? 1 : 2));
  for (const auto& sample : signal.samples) {
    data.push_back(static_cast<T>(sample.real()));
    if (!real) data.push_back(static_cast<T>(sample.imag()));
  }
  return data;
}

struct Comparison {
  std::size_t missed = 0, spurious = 0;
  double mean_error = 0;  ///< |X - known| over the largest known, mean over the known; 1 if missed
  double worst_missed = 0;    ///< largest |X| that is not listed
  double worst_spurious = 0;  ///< largest |X| that is listed but does not exist
};
Comparison compare(const SparseSpectrum& spectrum, const SparseSignal& signal);

std::string name(Support support);

}  // namespace imago::catalogue
