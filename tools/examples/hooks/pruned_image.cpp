// This file is the second program of docs/hooks/pruned.md: rows of a padded
// array that are zero are not computed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <vector>

// Shown in docs/hooks/pruned.md:
#include <imago/imago.hpp>

namespace {

constexpr std::size_t kSide = 1024, kBox = 256;

using Image = std::vector<std::complex<float>>;

/// Returns the spectrum of an image; prints the time and the bytes moved.
Image transform(const cl::Device& device, const imago::Transform& what,
                Image image) {
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const imago::Plan plan(context, device, what);
  const cl::Buffer in(context, CL_MEM_COPY_HOST_PTR, plan.signal_bytes(),
                      image.data());
  const cl::Buffer out(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
  double best = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 20; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    plan.forward(queue, in, out);
    queue.finish();
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  const imago::Estimate estimate = imago::estimate(device, what);
  std::printf("%6.2f ms, moves %8zu bytes\n", best * 1e3, estimate.bytes_moved);
  Image spectrum(plan.spectrum_bytes() / sizeof(std::complex<float>));
  queue.enqueueReadBuffer(out, CL_TRUE, 0, plan.spectrum_bytes(),
                          spectrum.data());
  return spectrum;
}

}  // namespace

int main() {
  const cl::Device device = imago::find_device();
  Image image(kBox * kBox), padded(kSide * kSide);
  for (std::size_t i = 0; i < image.size(); ++i) {
    image[i] = static_cast<float>(i * 7919 % 1009) / 1009 - 0.5f;
    padded[i / kBox * kSide + i % kBox] = image[i];
  }
  const imago::Transform whole{.lengths = {kSide, kSide},
                               .directions = imago::Directions::forward};
  const Image wanted = transform(device, whole, padded);

  imago::Transform pruned = whole;
  pruned.signal.strides = {kBox, 1};
  pruned.on_forward.load = {imago::hook::zero_outside(0, 0, kBox),
                            imago::hook::zero_outside(1, 0, kBox)};
  const Image found = transform(device, pruned, image);

  // Keeps a quarter of each row of the spectrum.
  pruned.on_forward.store = {imago::hook::zero_outside(1, 0, kBox)};
  pruned.spectrum.strides = {kBox, 1};
  const Image some = transform(device, pruned, image);

  float off = 0, largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    off = std::max(off, std::abs(found[i] - wanted[i]));
    largest = std::max(largest, std::abs(wanted[i]));
    if (i % kSide < kBox)
      off = std::max(off,
                     std::abs(some[i / kSide * kBox + i % kSide] - wanted[i]));
  }
  const bool same = off < 1e-6f * largest;
  std::printf("spectra: %s\n", same ? "the same" : "others");
  return same ? 0 : 1;
}
// Until here.
