// This file is the program of docs/hooks/own-code.md: a user function removes
// noise from a spectrum when it is stored.

// Shown in docs/hooks/own-code.md:
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <vector>

#include <imago/imago.hpp>

int main() {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  // Two tones in noise of equal power.
  const std::size_t n = 4096;
  std::vector<float> clean(n), noisy(n), found(n);
  std::mt19937 random(1);
  for (std::size_t j = 0; j < n; ++j) {
    const double t = 2 * std::numbers::pi * static_cast<double>(j) / n;
    clean[j] = static_cast<float>(std::sin(100 * t) + std::sin(321 * t));
    noisy[j] =
        clean[j] + 3.464f * (static_cast<float>(random()) * 0x1p-32f - 0.5f);
  }

  // Removes numbers that noise alone may explain; keeps the mean, at frequency
  // 0.
  const char* const text =
      "float2 denoised(float2 x, const imago_at* at, float least) {\n"
      "  if (at->index[0] == 0) return x;\n"
      "  return dot(x, x) < least * least ? (float2)(0) : x;\n"
      "}\n";
  using Type = imago::hook::Parameter::Type;
  const imago::Plan plan(
      context, device,
      {.kind = imago::Kind::real,
       .lengths = {n},
       .on_forward = {.store = {imago::hook::code(text, "denoised",
                                                  {{Type::real, "least"}})}}});

  const cl::Buffer signal(context, CL_MEM_COPY_HOST_PTR, plan.signal_bytes(),
                          noisy.data());
  const cl::Buffer spectrum(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
  plan.forward(queue, signal, spectrum,
               {.arguments = {{"least", 4.5 * std::sqrt(n)}}});
  plan.inverse(queue, spectrum, signal);
  queue.enqueueReadBuffer(signal, CL_TRUE, 0, plan.signal_bytes(),
                          found.data());

  double before = 0, after = 0;
  for (std::size_t j = 0; j < n; ++j) {
    before += std::pow(noisy[j] - clean[j], 2);
    after += std::pow(found[j] - clean[j], 2);
  }
  before = std::sqrt(before / n);
  after = std::sqrt(after / n);
  std::printf("off by %.2f before, %.2f after\n", before, after);
  return after < before / 10 ? 0 : 1;
}
// Until here.
