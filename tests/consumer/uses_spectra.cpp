// This file is a program that finds the package of a user's library (spectra.cpp), and uses it.
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

std::vector<std::complex<float>> spectrum_of(const std::vector<float>& signal);

int main() {
  const auto spectrum = spectrum_of(std::vector<float>(300, 1.0f));
  const bool right = spectrum.size() == 151 && std::abs(spectrum[0] - 300.0f) < 1e-3f;
  std::puts(right ? "all right" : "FAILED: the sum of 300 ones");
  return right ? 0 : 1;
}
