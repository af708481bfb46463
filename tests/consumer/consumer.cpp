// This file is a user's program. It transforms a signal on its own queue and checks it, catches
// imago's exceptions, and checks that its own opencl.hpp still reports errors in the selected way.
#include <cmath>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

#include <imago/imago.hpp>

namespace {

using Complex = std::complex<float>;

constexpr std::size_t kLength = 60, kBatch = 3;
constexpr double kPi = 3.14159265358979323846;
int failures = 0;

void check(bool right, const std::string& what) {
  if (right) return;
  std::printf("FAILED: %s\n", what.c_str());
  ++failures;
}

std::vector<Complex> make_signal() {
  std::vector<Complex> signal(kLength * kBatch);
  for (std::size_t j = 0; j < signal.size(); ++j) {
    signal[j] = Complex(std::sin(0.7f * static_cast<float>(j * j % 97)),
                        std::cos(1.3f * static_cast<float>(j * j % 89)));
  }
  return signal;
}

/// Computes the defining sum in double precision.
std::vector<Complex> transform_by_definition(const std::vector<Complex>& signal) {
  std::vector<Complex> spectrum(signal.size());
  for (std::size_t i = 0; i < signal.size(); ++i) {
    const std::size_t k = i % kLength, first = i - k;
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < kLength; ++j) {
      const double angle = -2 * kPi * static_cast<double>(j * k % kLength) / kLength;
      sum += std::complex<double>(signal[first + j]) * std::polar(1.0, angle);
    }
    spectrum[i] = Complex(sum);
  }
  return spectrum;
}

/// Returns the relative L2 distance.
double distance(const std::vector<Complex>& result, const std::vector<Complex>& expected) {
  if (result.size() != expected.size()) return INFINITY;
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += std::norm(std::complex<double>(result[i]) - std::complex<double>(expected[i]));
    size += std::norm(std::complex<double>(expected[i]));
  }
  return std::sqrt(difference / size);
}

std::vector<Complex> read(const cl::CommandQueue& queue, const cl::Buffer& buffer,
                          std::size_t size) {
  std::vector<Complex> data(size);
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, size * sizeof(Complex), data.data());
  return data;
}

/// The examples of plan.hpp are here and below, between the marks, word for word (run.sh compares
/// them).
void check_call_example(const imago::Plan& plan, const cl::CommandQueue& queue,
                        const cl::Buffer& signal, const cl::Buffer& spectrum) {
  cl::Event uploaded;
  queue.enqueueMarkerWithWaitList(nullptr, &uploaded);
  // @code
  plan.forward(queue, signal, spectrum);  // after what is in the queue; no event is made
  cl::Event done;
  plan.forward(queue, signal, spectrum, {.waits = {uploaded}, .event = &done});
  // @endcode
  check(done.wait() == CL_SUCCESS, "the event of a call completes");
}

void check_plan(const cl::Context& context, const cl::Device& device) {
  const cl::CommandQueue queue(context, device);
  auto signal = make_signal();
  const imago::Plan plan(context, device, {.lengths = {kLength}, .batch = kBatch});
  const cl::Buffer in(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, plan.signal_bytes(),
                      signal.data());
  const cl::Buffer out(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
  check_call_example(plan, queue, in, out);
  const auto expected = transform_by_definition(signal);
  check(distance(read(queue, out, signal.size()), expected) < 3e-7, "forward is the transform");
  plan.inverse(queue, out, in);
  check(distance(read(queue, in, signal.size()), signal) < 3e-7, "inverse gives the signal back");
}

void check_example(const cl::Context& context, const cl::Device& device) {
  const cl::CommandQueue queue(context, device);
  // @code
  // Three images of 48 rows of 64 real numbers. Each spectrum has 48 rows of 33 complex numbers.
  const imago::Plan plan(context, device,
                         {.kind = imago::Kind::real, .lengths = {48, 64}, .batch = 3});
  std::vector<float> images(3 * 48 * 64, 1.0f);
  std::vector<std::complex<float>> spectra(3 * 48 * 33);
  const cl::Buffer in(context, CL_MEM_COPY_HOST_PTR, plan.signal_bytes(), images.data());
  const cl::Buffer out(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
  plan.forward(queue, in, out);
  queue.enqueueReadBuffer(out, CL_TRUE, 0, plan.spectrum_bytes(), spectra.data());
  // spectra[(b * 48 + k) * 33 + l] is X[k][l] of image b; X[0][0] is the sum over the image.
  // @endcode
  std::vector<Complex> expected(spectra.size());
  for (std::size_t b = 0; b < 3; ++b) expected[b * 48 * 33] = 48 * 64;
  check(distance(spectra, expected) < 3e-7, "the example of plan.hpp sums its images");
}

void check_host_helpers() {
  auto signal = make_signal();
  signal.resize(kLength);
  const auto spectrum = imago::fft(signal);
  check(distance(spectrum, transform_by_definition(signal)) < 3e-7, "fft of host data");
  check(distance(imago::ifft(spectrum), signal) < 3e-7, "ifft of host data");
}

template <class Expected, class Function>
void check_throws(const Function& function, const std::string& what) {
  try {
    function();
    check(false, what + ": nothing thrown");
  } catch (const imago::Error& error) {
    check(dynamic_cast<const Expected*>(&error) != nullptr, what + ": another exception");
    check(!std::string(error.what()).empty(), what + ": no text");
  }
}

void check_exceptions(const cl::Context& context, const cl::Device& device) {
  const auto plan = [&](std::size_t length) {
    return imago::Plan(context, device, {.lengths = {length}});
  };
  check_throws<imago::InvalidArgument>([&] { plan(0); }, "length 0");
  check_throws<imago::Unsupported>([&] { imago::Workspace(context, device, std::size_t{1} << 62); },
                                   "an absurd workspace");
}

/// A buffer of no bytes is an error of OpenCL: thrown or returned, depending on this program's
/// macros.
void check_own_opencl(const cl::Context& context) {
#ifdef CL_HPP_ENABLE_EXCEPTIONS
  bool thrown = false;
  try {
    const cl::Buffer buffer(context, CL_MEM_READ_WRITE, 0);
  } catch (const cl::Error& error) {
    thrown = error.err() == CL_INVALID_BUFFER_SIZE;
  }
  check(thrown, "opencl.hpp throws where it was told to");
#else
  cl_int code = CL_SUCCESS;
  const cl::Buffer buffer(context, CL_MEM_READ_WRITE, 0, nullptr, &code);
  check(code == CL_INVALID_BUFFER_SIZE, "opencl.hpp returns the code where it may not throw");
#endif
}

}  // namespace

int main() {
  try {
    const cl::Device device = imago::find_device();
    const cl::Context context(device);
    check_plan(context, device);
    check_example(context, device);
    check_host_helpers();
    check_exceptions(context, device);
    check_own_opencl(context);
  } catch (const std::exception& error) {
    check(false, error.what());
  }
  if (failures == 0) std::puts("all right");
  return failures == 0 ? 0 : 1;
}
