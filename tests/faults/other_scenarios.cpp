// This file tests convolutions and the replacement of clFFT under faults: objects of the caller
// that they keep, copy or return.
#include <cmath>
#include <complex>
#include <cstdlib>
#include <memory>
#include <vector>

#ifdef IMAGO_FAULTS_CLFFT
#include <clFFT.h>
#endif

#include "faults.hpp"
#include "scenarios.hpp"
#include "support/larger.hpp"
#include "support/naive.hpp"

namespace imago::faults {
namespace {

using Float = std::complex<float>;

/// Convolves signals of `channels` channels, each with the kernel {1, 0, 2}, in another queue,
/// after an event and with an event.
struct ConvolutionRun {
  static constexpr std::size_t kLength = 60, kReach = 2;
  ConvolutionRun(const test::Device& on, Options with, std::size_t of)
      : device(on), options(std::move(with)), other(on.out_of_order()), channels(of) {
    std::vector<float> kernel;
    for (std::size_t c = 0; c < channels; ++c) kernel.insert(kernel.end(), {1, 0, 2});
    for (std::size_t i = 0; i < channels * kLength; ++i)
      x.push_back(static_cast<float>(i * i % 23) - 11);
    kernels = device.upload(kernel);
    signal = device.upload(x);
    result = device.allocate((kLength + kReach) * sizeof(float));
    gain = {"gain", 0.5};
  }

  void use(const Convolution& convolution, bool live) const {
    cl::Event prepared, done;
    const Call first{.event = &prepared};
    const auto spectrum = device.allocate(convolution.spectrum_bytes());
    {
      const Live scope(live);
      convolution.prepare(device.queue, kernels, spectrum, first);
    }
    test::check_call(device.queue.flush(), "clFlush");
    const Call second{.waits = {prepared}, .event = &done, .arguments = {gain}};
    const Live scope(live);
    convolution.apply(other, signal, spectrum, result, second);
  }
  std::string wrong() const {
    const auto found = device.download<float>(result, kLength + kReach);
    double error = 0;
    for (std::size_t t = 0; t < found.size(); ++t) {
      double sum = 0;
      for (std::size_t c = 0; c < channels; ++c) {
        if (t < kLength) sum += x[c * kLength + t];
        if (t >= kReach) sum += 2 * x[c * kLength + t - kReach];
      }
      error = test::larger(error, std::abs(found[t] - 0.5 * sum));
    }
    return error < 1e-3 ? "" : "a convolution differs by " + std::to_string(error);
  }
  Outcome operator()() const {
    Outcome outcome;
    std::unique_ptr<const Convolution> convolution;
    try {
      {
        const Live scope;
        ConvolutionShape shape{.signal = {kLength}, .kernel = {kReach + 1}};
        shape.channels = channels;
        shape.ends.store = {hook::scale("gain")};
        convolution = std::make_unique<Convolution>(device.context, device.device, shape, options);
      }
      use(*convolution, true);
    } catch (...) {
      outcome.error = std::current_exception();
    }
    test::check_call(device.queue.finish() | other.finish(), "clFinish");
    if (convolution && outcome.error) use(*convolution, false);
    test::check_call(device.queue.finish() | other.finish(), "clFinish");
    if (convolution) outcome.wrong = wrong();
    const Live scope;
    convolution.reset();
    return outcome;
  }

  const test::Device& device;
  Options options;
  cl::CommandQueue other;
  std::size_t channels;
  std::vector<float> x;
  cl::Buffer kernels, signal, result;
  Argument gain{"", 0};
};

#ifdef IMAGO_FAULTS_CLFFT
/// A transform by the replacement of clFFT. If one buffer is both sides, a copy of it is
/// transformed.
struct ClfftRun {
  const test::Device& device;
  std::size_t length;
  bool calls_back;
  cl::Buffer signal, data, factor, scratch;

  ClfftRun(const test::Device& on, std::size_t points, bool callback)
      : device(on), length(points), calls_back(callback) {
    std::vector<Float> impulse(length);
    impulse[5] = 1;
    signal = device.upload(impulse);
    data = device.upload(impulse);
    factor = device.upload(std::vector<float>{2});
    scratch = device.allocate(4 * length * sizeof(Float));
  }

  clfftStatus plan(clfftPlanHandle& handle) const {
    const char* const text =
        "float2 twice(__global void* in, uint offset, __global void* user) {\n"
        "  return ((__global float2*)in)[offset] * ((__global float*)user)[0];\n}\n";
    cl_mem user = factor();
    cl_command_queue queue = device.queue();
    clfftStatus status = clfftCreateDefaultPlan(&handle, device.context(), CLFFT_1D, &length);
    if (status == CLFFT_SUCCESS) status = clfftSetResultLocation(handle, CLFFT_OUTOFPLACE);
    if (status == CLFFT_SUCCESS && calls_back)
      status = clfftSetPlanCallback(handle, "twice", text, 0, PRECALLBACK, &user, 1);
    if (status == CLFFT_SUCCESS) status = clfftBakePlan(handle, 1, &queue, nullptr, nullptr);
    return status;
  }
  clfftStatus run(clfftPlanHandle handle, bool live) const {
    cl_command_queue queue = device.queue();
    cl_event copied = nullptr, done = nullptr;
    const std::size_t bytes = length * sizeof(Float);
    test::check_call(clEnqueueCopyBuffer(queue, signal(), data(), 0, 0, bytes, 0, nullptr, &copied),
                     "clEnqueueCopyBuffer");
    cl_mem in = data(), out = data();
    clfftStatus status;
    {
      const Live scope(live);
      status = clfftEnqueueTransform(handle, CLFFT_FORWARD, 1, &queue, 1, &copied, &done, &in, &out,
                                     scratch());
    }
    clReleaseEvent(copied);
    if (status == CLFFT_SUCCESS) clReleaseEvent(done);
    test::check_call(clFinish(queue), "clFinish");
    return status;
  }
  static std::exception_ptr error_of(clfftStatus status) {
    if (status == CLFFT_SUCCESS) return nullptr;
    if (status == CLFFT_OUT_OF_HOST_MEMORY) return std::make_exception_ptr(std::bad_alloc());
    if (status == CLFFT_BUGCHECK) return std::make_exception_ptr(std::runtime_error("BUGCHECK"));
    return std::make_exception_ptr(DeviceError("clFFT", status));
  }
  Outcome operator()() const {
    clfftPlanHandle handle = 0;
    Outcome outcome;
    clfftStatus status;
    {
      const Live scope;
      status = plan(handle);
    }
    const bool planned = status == CLFFT_SUCCESS;
    if (planned) status = run(handle, true);
    outcome.error = error_of(status);
    if (planned && outcome.error) outcome.wrong = run(handle, false) == 0 ? "" : "the next call";
    const float want = calls_back ? 2 : 1;
    for (const Float& value : device.download<Float>(data, length)) {
      if (planned && !(std::abs(std::abs(value) - want) < 1e-4f)) outcome.wrong = "an impulse";
    }
    const Live scope;
    if (handle != 0 && clfftDestroyPlan(&handle) != CLFFT_SUCCESS) outcome.wrong = "destroying";
    return outcome;
  }
};
#endif

}  // namespace

std::vector<Scenario> other_scenarios(const test::Device& device,
                                      const std::filesystem::path& cache) {
  Options options;
  options.cache_directory = cache;
  std::vector<Scenario> all{{"convolution", ConvolutionRun(device, options, 1)},
                            {"channels", ConvolutionRun(device, options, 2)}};
#ifdef IMAGO_FAULTS_CLFFT
  setenv("CLFFT_CACHE_PATH", cache.c_str(), 1);
  all.push_back({"clfft", ClfftRun(device, 64, false)});
  all.push_back({"clfft_callback", ClfftRun(device, 60, true)});
  all.push_back({"clfft_scratch", ClfftRun(device, std::size_t{1} << 17, false)});
#endif
  return all;
}

}  // namespace imago::faults
