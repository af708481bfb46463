#include <complex>
#include <iostream>
#include <vector>

#include <imago/imago.hpp>

int main() {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  // 64 signals of 1000 points: a wave that turns 3 times.
  const imago::Transform transform{.lengths = {1000}, .batch = 64};
  const imago::Plan plan(context, device, transform);
  std::vector<std::complex<float>> signal(64 * 1000), spectrum(64 * 1000);
  for (std::size_t j = 0; j < signal.size(); ++j)
    signal[j] = std::polar(1.0f, 0.006f * 3.14159265f * (j % 1000));

  const std::size_t bytes = plan.signal_bytes();  // the spectrum has as many
  const cl::Buffer in(context, CL_MEM_COPY_HOST_PTR, bytes, signal.data());
  const cl::Buffer out(context, CL_MEM_READ_WRITE, bytes);
  plan.forward(queue, in, out);  // enqueues and returns
  queue.enqueueReadBuffer(out, CL_TRUE, 0, bytes, spectrum.data());
  std::cout << plan.describe();
  std::cout << "|X[3]| = " << std::abs(spectrum[3]) << '\n';  // 1000
}
