// This file is the program of docs/hooks/scale.md: custom factors replace the
// normalization, so that a spectrum has the signal's unit.
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>

// Shown in docs/hooks/scale.md:
#include <imago/imago.hpp>

int main() {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  // One second of a voltage: 3 V at 50 Hz and 0.5 V at 120 Hz.
  const std::size_t n = 1000;
  std::vector<float> voltage(n), back(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double t = 2 * std::numbers::pi * static_cast<double>(j) / n;
    voltage[j] =
        static_cast<float>(3 * std::cos(50 * t) + 0.5 * std::sin(120 * t));
  }

  // An amplitude A appears as A n / 2 in a half spectrum; with the factor 2 / n
  // it appears as A. The inverse then needs the factor 1 / 2.
  const imago::Plan plan(
      context, device,
      {.kind = imago::Kind::real,
       .lengths = {n},
       .scale = imago::Scale{.forward = 2.0 / n, .inverse = 0.5}});
  const cl::Buffer signal(context, CL_MEM_COPY_HOST_PTR, plan.signal_bytes(),
                          voltage.data());
  const cl::Buffer spectrum(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
  plan.forward(queue, signal, spectrum);
  std::vector<std::complex<float>> amplitudes(n / 2 + 1);
  queue.enqueueReadBuffer(spectrum, CL_TRUE, 0, plan.spectrum_bytes(),
                          amplitudes.data());
  for (const std::size_t hertz : {50, 120, 200})
    std::printf("%3zu Hz  %.3f V\n", hertz, std::abs(amplitudes[hertz]));

  plan.inverse(queue, spectrum, signal);
  queue.enqueueReadBuffer(signal, CL_TRUE, 0, plan.signal_bytes(), back.data());
  float off = 0;
  for (std::size_t j = 0; j < n; ++j)
    off = std::max(off, std::abs(back[j] - voltage[j]));
  std::printf("back again: %s\n",
              off < 1e-5f ? "the same voltage" : "another voltage");
  return off < 1e-5f ? 0 : 1;
}
// Until here.
