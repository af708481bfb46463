// This file is an example of hooks. It computes the power of the short-time
// Fourier transform of 16-bit samples in two ways. With hooks it needs one
// kernel. Without hooks it needs three: from samples to windowed frames in
// floating point, from frames to half spectra, and from half spectra to power.
//
// `stft [<power of two: samples>]` prints the times of both (the minimum over
// several calls, kernels only) and their errors compared with FFTW in double;
// it fails if the errors are too large.
#include <fftw3.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <imago/imago.hpp>

namespace imago::examples {
namespace {

constexpr std::size_t kFrame = 1024, kHop = 256, kBins = kFrame / 2 + 1;
constexpr std::size_t kLeastLog = 11, kUsualLog = 22, kMostLog = 29;
constexpr double kNear = 1e-5;  // relative to the largest power
constexpr int kCalls = 7;
constexpr std::size_t kGroup = 256;  // work-items

/// Returns a tone that rises from 0 to a quarter of the sampling rate, with a
/// weak one at a third.
std::vector<std::int16_t> make_samples(std::size_t count) {
  std::vector<std::int16_t> samples(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i), n = static_cast<double>(count);
    const double climb =
        std::sin(std::numbers::pi / 4 * std::fmod(t * t / n, 8.0));
    const double weak = std::sin(std::numbers::pi * 2 / 3 * std::fmod(t, 3.0));
    samples[i] =
        static_cast<std::int16_t>(std::lround(20000 * climb + 100 * weak));
  }
  return samples;
}

std::vector<float> hann() {
  std::vector<float> window(kFrame);
  for (std::size_t j = 0; j < kFrame; ++j)
    window[j] = static_cast<float>(
        0.5 -
        0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(j) / kFrame));
  return window;
}

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed with code " +
                             std::to_string(code));
}

/// The device and the objects that both ways use.
struct Stage {
  cl::Device device = find_device();
  cl::Context context{device};
  cl::CommandQueue queue{context, device};
  std::size_t frames = 0;
  cl::Buffer samples, window, power;

  explicit Stage(const std::vector<std::int16_t>& data)
      : frames((data.size() - kFrame) / kHop + 1) {
    samples = upload(data);
    window = upload(hann());
    power =
        cl::Buffer(context, CL_MEM_READ_WRITE, frames * kBins * sizeof(float));
  }
  template <class Value>
  cl::Buffer upload(std::vector<Value> values) const {
    return {context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
            values.size() * sizeof(Value), values.data()};
  }
  /// Returns the milliseconds of a call, the minimum over several.
  template <class Call>
  double time(const Call& call) const {
    double best = 1e9;
    for (int i = 0; i <= kCalls; ++i) {
      const auto start = std::chrono::steady_clock::now();
      call();
      check(queue.finish(), "clFinish");
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - start;
      if (i > 0)
        best = std::min(best, took.count());  // the first call may compile
    }
    return best;
  }
  std::vector<float> result() const {
    std::vector<float> values(frames * kBins);
    check(queue.enqueueReadBuffer(power, CL_TRUE, 0,
                                  values.size() * sizeof(float), values.data()),
          "clEnqueueReadBuffer");
    return values;
  }
};

// Shown in docs/hooks/stft.md:
/// Frames overlap in memory; their distance is the hop.
Transform of_frames(std::size_t frames) {
  return {.kind = Kind::real,
          .lengths = {kFrame},
          .batch = frames,
          .directions = Directions::forward,
          .signal = {.strides = {1}, .distance = kHop},
          .on_forward = {.load = {hook::from_integer(Integer::i16, 1.0 / 32768),
                                  hook::window(0, "hann")},
                         .store = {hook::power()}}};
}

double as_one_kernel(const Stage& stage) {
  const Plan plan(stage.context, stage.device, of_frames(stage.frames));
  return stage.time([&] {
    plan.forward(stage.queue, stage.samples, stage.power,
                 {.arguments = {{"hann", stage.window}}});
  });
}
// Until here.

constexpr const char* kSteps = R"(
__kernel void make_frames(__global const short* samples,
                          __global const float* window,
                          __global float* frames) {
  const size_t j = get_global_id(0), frame = get_global_id(1);
  const float sample = samples[frame * HOP + j] * (1.0f / 32768);
  frames[frame * FRAME + j] = sample * window[j];
}
__kernel void make_power(__global const float2* spectra,
                         __global float* power, int count) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  power[i] = spectra[i].x * spectra[i].x + spectra[i].y * spectra[i].y;
}
)";

double in_steps(const Stage& stage) {
  const std::size_t frames = stage.frames;
  const Plan plan(stage.context, stage.device,
                  {.kind = Kind::real,
                   .lengths = {kFrame},
                   .batch = frames,
                   .directions = Directions::forward});
  const cl::Buffer framed(stage.context, CL_MEM_READ_WRITE,
                          plan.signal_bytes());
  const cl::Buffer spectra(stage.context, CL_MEM_READ_WRITE,
                           plan.spectrum_bytes());
  cl::Program program(stage.context, kSteps);
  check(program.build(stage.device, ("-D FRAME=" + std::to_string(kFrame) +
                                     " -D HOP=" + std::to_string(kHop))
                                        .c_str()),
        "clBuildProgram");
  cl::Kernel make_frames(program, "make_frames"),
      make_power(program, "make_power");
  make_frames.setArg(0, stage.samples);
  make_frames.setArg(1, stage.window);
  make_frames.setArg(2, framed);
  make_power.setArg(0, spectra);
  make_power.setArg(1, stage.power);
  make_power.setArg(2, static_cast<cl_int>(frames * kBins));
  const std::size_t groups = (frames * kBins + kGroup - 1) / kGroup;
  return stage.time([&] {
    check(stage.queue.enqueueNDRangeKernel(make_frames, {}, {kFrame, frames},
                                           {kGroup, 1}),
          "launch");
    plan.forward(stage.queue, framed, spectra);
    check(stage.queue.enqueueNDRangeKernel(make_power, {}, {groups * kGroup},
                                           {kGroup}),
          "launch");
  });
}

/// Computes the power by FFTW in double.
std::vector<double> reference(const std::vector<std::int16_t>& samples,
                              std::size_t frames) {
  std::vector<double> frame(kFrame), power;
  std::vector<std::complex<double>> spectrum(kBins);
  const std::unique_ptr<fftw_plan_s, void (*)(fftw_plan)> plan(
      fftw_plan_dft_r2c_1d(kFrame, frame.data(),
                           reinterpret_cast<fftw_complex*>(spectrum.data()),
                           FFTW_ESTIMATE),
      fftw_destroy_plan);
  const std::vector<float> window = hann();
  for (std::size_t i = 0; i < frames; ++i) {
    for (std::size_t j = 0; j < kFrame; ++j)
      frame[j] = samples[i * kHop + j] / 32768.0 * window[j];
    fftw_execute(plan.get());
    for (const std::complex<double> x : spectrum) power.push_back(std::norm(x));
  }
  return power;
}

/// Returns the largest difference, relative to the largest power.
double largest_difference(const std::vector<float>& power,
                          const std::vector<double>& wanted) {
  double largest = 0;
  for (std::size_t i = 0; i < power.size(); ++i) {
    const double off = std::abs(power[i] - wanted[i]);
    if (!(off <= largest)) largest = off;  // also true for a NaN
  }
  return largest / *std::max_element(wanted.begin(), wanted.end());
}

int run(std::size_t log) {
  const std::vector<std::int16_t> samples = make_samples(std::size_t{1} << log);
  const Stage stage(samples);
  std::printf("2^%zu samples of 16 bits, %zu frames of %zu, hop %zu\n", log,
              stage.frames, kFrame, kHop);
  const std::vector<double> wanted = reference(samples, stage.frames);
  const auto report = [&](const char* way, double milliseconds) {
    const double off = largest_difference(stage.result(), wanted);
    std::printf("%-12s %9.3f ms   off by %.0e of the largest power\n", way,
                milliseconds, off);
    if (!(off < kNear))
      throw std::runtime_error("that is too far from FFTW in double");
    return milliseconds;
  };
  const double steps = report("in steps", in_steps(stage));
  check(stage.queue.enqueueFillBuffer(stage.power, -1.0f, 0,
                                      stage.frames * kBins * sizeof(float)),
        "clEnqueueFillBuffer");
  const double one = report("one kernel", as_one_kernel(stage));
  std::printf("one kernel is %.2f times as fast\n", steps / one);
  return 0;
}

std::size_t log_of(const std::string& text) {
  std::size_t log = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), log);
  if (error != std::errc() || end != text.data() + text.size() ||
      log < kLeastLog || log > kMostLog)
    throw std::runtime_error("the power of two is " + text + ", and must be " +
                             std::to_string(kLeastLog) + " to " +
                             std::to_string(kMostLog));
  return log;
}

}  // namespace
}  // namespace imago::examples

int main(int count, char** arguments) {
  if (count > 2) {
    std::fprintf(stderr, "usage: %s [<power of two: samples>]\n", arguments[0]);
    return 2;
  }
  try {
    return imago::examples::run(count == 2
                                    ? imago::examples::log_of(arguments[1])
                                    : imago::examples::kUsualLog);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stft: %s\n", error.what());
    return 1;
  }
}
