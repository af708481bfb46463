// This file is an example of a pool. Many series of noise in host memory, each
// with a different faint tone, are transformed by all devices of this machine
// in one call. `tones 1000` makes a thousand of them, prints the number of
// found tones, and fails if one was not found.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <vector>

#include <imago/imago.hpp>

namespace {

constexpr std::size_t kPoints = 4096, kBins = kPoints / 2 + 1;
// The tone has an eighth of the noise's energy; in its bin it is 128 times
// stronger than the noise.
constexpr float kAmplitude = 0.5F;

/// Returns any bin but the first and the last one, in which a tone has another
/// height.
std::size_t bin_of(std::size_t series) {
  return 1 + (series * 97) % (kBins - 2);
}

std::vector<float> made(std::size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> noise(0, 1);
  std::vector<float> all(count * kPoints);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto cycles =
        static_cast<double>(bin_of(i / kPoints) * (i % kPoints)) / kPoints;
    all[i] = kAmplitude *
                 static_cast<float>(std::cos(2 * std::numbers::pi * cycles)) +
             noise(random);
  }
  return all;
}

std::size_t found(const std::vector<std::complex<float>>& spectra,
                  std::size_t count) {
  std::size_t right = 0;
  for (std::size_t series = 0; series < count; ++series) {
    const auto* const first = &spectra[series * kBins];
    const auto* const loudest = std::max_element(
        first, first + kBins, [](std::complex<float> a, std::complex<float> b) {
          return std::norm(a) < std::norm(b);
        });
    right +=
        static_cast<std::size_t>(loudest - first) == bin_of(series) ? 1 : 0;
  }
  return right;
}

int run(std::size_t count) {
  const imago::Pool pool(imago::devices());
  const imago::HostPlan plan(
      pool, {.kind = imago::Kind::real, .lengths = {kPoints}, .batch = count});
  const std::vector<float> series = made(count);
  std::vector<std::complex<float>> spectra(count * kBins);
  plan.forward(series, spectra);
  for (std::size_t i = 0; i < pool.size(); ++i)
    std::printf("%s %s\n", pool.in_use(i) ? "device  " : "left out",
                pool.device(i).getInfo<CL_DEVICE_NAME>().c_str());
  const std::size_t right = found(spectra, count);
  std::printf("%zu series of %zu points, %zu tones found\n", count, kPoints,
              right);
  return right == count ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** arguments) {
  const std::size_t series =
      count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 1000;
  try {
    return run(series);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tones: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
