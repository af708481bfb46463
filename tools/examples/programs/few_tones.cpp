// This file is a program of docs/programs.md: a long signal of few frequencies.
// It is made from a spectrum of 1000 numbers, which a SparsePlan finds again.

// Shown in docs/programs.md:
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <vector>

#include <imago/imago.hpp>

namespace {

using Numbers = std::vector<std::complex<float>>;

constexpr std::size_t kLength = std::size_t{1} << 22, kTones = 1000;

/// Returns zeros, except for numbers of magnitude n in a thousand places.
Numbers made() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> turned(0, 2 * std::numbers::pi);
  Numbers spectrum(kLength);
  for (std::size_t made = 0; made < kTones;) {
    std::complex<float>& place = spectrum[random() % kLength];
    if (place != 0.0F) continue;
    place = std::polar<double>(kLength, turned(random));
    ++made;
  }
  return spectrum;
}
// Until here.

/// Returns the number of wrong places in the result, whose unlisted numbers are
/// 0.
std::size_t wrong(const imago::SparseSpectrum& found, const Numbers& spectrum) {
  std::size_t listed = 0, wrong = 0;
  for (std::size_t f = 0; f < kLength; ++f) {
    const bool here =
        listed < found.indices.size() && found.indices[listed] == f;
    const std::complex<double> value = here ? found.values[listed] : 0;
    listed += here ? 1 : 0;
    wrong +=
        std::abs(value - std::complex<double>(spectrum[f])) > 1e-5 * kLength
            ? 1
            : 0;
  }
  return wrong + (found.indices.size() - listed);
}

const char* word(imago::Verdict verdict) {
  switch (verdict) {
    case imago::Verdict::verified:
      return "verified";
    case imago::Verdict::consistent:
      return "consistent";
    case imago::Verdict::noise_floor:
      return "noise floor";
    default:
      return "unverified";
  }
}

// Shown in docs/programs.md:

}  // namespace

int main() {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  const Numbers spectrum = made();
  Numbers signal = imago::ifft(spectrum);
  const imago::SparsePlan plan(context, device,
                               {.length = kLength, .sparsity = kTones});
  const cl::Buffer samples(context, CL_MEM_COPY_HOST_PTR, plan.signal_bytes(),
                           signal.data());

  // Reads a part of the samples, and returns a verdict. If the verdict is
  // unverified, reads all samples.
  const imago::SparseSpectrum found = plan.forward(queue, samples);
  std::printf("%zu tones, %s; %.1f %% of the samples were read\n",
              found.indices.size(), word(found.verdict),
              100 * static_cast<double>(found.samples) / kLength);
  for (std::size_t i = 0; i < 3 && i < found.indices.size(); ++i)
    std::printf("X[%zu] = %.4f n\n", static_cast<std::size_t>(found.indices[i]),
                std::abs(found.values[i]) / kLength);
  const std::size_t mistakes = wrong(found, spectrum);
  std::printf("%zu of %zu places are wrong\n", mistakes, kLength);
  return mistakes == 0 && found.verdict != imago::Verdict::unverified
             ? EXIT_SUCCESS
             : EXIT_FAILURE;
}
// Until here.
