// This file is a user's program without OpenCL: it includes only the headers of functions on host
// arrays, and links only imago.
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include <imago/dct.hpp>
#include <imago/fft.hpp>

int main() {
  try {
    const std::vector<float> signal(300, 1.0f);
    const auto spectrum = imago::rfft(signal);
    const auto coefficients = imago::dct(signal);
    const bool right = spectrum.size() == 151 && std::abs(spectrum[0] - 300.0f) < 1e-3f &&
                       std::abs(coefficients[0] - 600.0f) < 1e-3f;
    std::puts(right ? "all right" : "FAILED: the sums of 300 ones");
    return right ? 0 : 1;
  } catch (const imago::Error& error) {
    std::printf("FAILED: %s\n", error.what());
    return 1;
  }
}
