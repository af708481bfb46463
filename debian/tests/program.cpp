// A transform of ones: all of it is in element 0.
#include <complex>
#include <vector>

#include <imago/imago.hpp>

int main() {
  const std::vector<std::complex<float>> signal(1000, 1.0f);
  const auto spectrum = imago::fft(signal);
  return std::abs(spectrum[0] - 1000.0f) < 0.01f && std::abs(spectrum[1]) < 0.01f ? 0 : 1;
}
