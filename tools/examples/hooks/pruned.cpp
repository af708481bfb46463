// This file is the program of docs/hooks/pruned.md: zeros are not read, and
// unneeded results are not written.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

// Shown in docs/hooks/pruned.md:
#include <imago/imago.hpp>

namespace {

constexpr std::size_t kLines = 2000, kSamples = 1500, kPoints = 4096,
                      kBins = 200;

using Spectra = std::vector<std::complex<float>>;

/// Returns the spectra of rows; prints the bytes that the plan reads and
/// writes.
Spectra transform(const cl::Device& device, const imago::Transform& what,
                  std::vector<float> lines) {
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const imago::Plan plan(context, device, what);
  std::printf("reads %8zu bytes, writes %8zu\n", plan.signal_bytes(),
              plan.spectrum_bytes());
  const cl::Buffer in(context, CL_MEM_COPY_HOST_PTR, plan.signal_bytes(),
                      lines.data());
  const cl::Buffer out(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
  plan.forward(queue, in, out);
  Spectra spectra(plan.spectrum_bytes() / sizeof(std::complex<float>));
  queue.enqueueReadBuffer(out, CL_TRUE, 0, plan.spectrum_bytes(),
                          spectra.data());
  return spectra;
}

}  // namespace

int main() {
  const cl::Device device = imago::find_device();
  std::vector<float> lines(kLines * kSamples), padded(kLines * kPoints);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i] = static_cast<float>(i * 7919 % 1009) / 1009 - 0.5f;
    padded[i / kSamples * kPoints + i % kSamples] = lines[i];
  }
  imago::Transform whole{.kind = imago::Kind::real,
                         .lengths = {kPoints},
                         .batch = kLines,
                         .directions = imago::Directions::forward};
  const Spectra wanted = transform(device, whole, padded);

  // Memory holds 1500 samples of each row of 4096 points, and receives 200 of
  // its 2049 bins.
  imago::Transform pruned = whole;
  pruned.signal = {.strides = {1}, .distance = kSamples};
  pruned.spectrum = {.strides = {1}, .distance = kBins};
  pruned.on_forward = {.load = {imago::hook::zero_outside(0, 0, kSamples)},
                       .store = {imago::hook::zero_outside(0, 0, kBins)}};
  const Spectra found = transform(device, pruned, lines);

  float off = 0, largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::complex<float> x =
        wanted[i / kBins * (kPoints / 2 + 1) + i % kBins];
    off = std::max(off, std::abs(found[i] - x));
    largest = std::max(largest, std::abs(x));
  }
  const bool same = off < 1e-6f * largest;
  std::printf("bins of both: %s\n", same ? "the same" : "others");
  return same ? 0 : 1;
}
// Until here.
