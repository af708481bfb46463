// This file is a user's library, whose interface has types of imago.
#include <imago/fft.hpp>

std::vector<std::complex<float>> spectrum_of(const std::vector<float>& signal) {
  return imago::rfft(signal);
}
