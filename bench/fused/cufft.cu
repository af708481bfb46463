// This file uses cuFFT with kernels around it, in f32. Each step runs over all data, or all steps
// run over parts that fit into the device's cache. It is a plugin, so that the program starts on
// machines without CUDA.
//
// The kernels move four or two numbers at once if lengths allow it. Separate kernels pad and crop
// real lines, because cuFFT reads and writes whole lines of the transform's length. Shorter lines
// in memory would overlap.
#include <cuda_runtime.h>
#include <cufft.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/fused/problem.hpp"

namespace imago::bench::fused {
namespace {

void check(cudaError_t code, const char* call) {
  if (code != cudaSuccess)
    throw std::runtime_error(std::string(call) + " failed: " + cudaGetErrorString(code));
}
void check(cufftResult code, const char* call) {
  if (code != CUFFT_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed with code " + std::to_string(code));
}

constexpr unsigned kBlock = 256;

/// Rows of a grid are batch elements; a row loops if there are more. This avoids division of
/// indices.
__global__ void make_frames(const short4* samples, const float4* window, float4* frames, int quads,
                            int hop_quads, std::size_t members) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= quads) return;
  const float4 w = window[j];
  constexpr float kUnit = 1.0f / 32768;
  for (std::size_t i = blockIdx.y; i < members; i += gridDim.y) {
    const short4 x = samples[i * hop_quads + j];
    frames[i * quads + j] =
        make_float4(x.x * kUnit * w.x, x.y * kUnit * w.y, x.z * kUnit * w.z, x.w * kUnit * w.w);
  }
}

__global__ void make_power(const float2* spectra, float* power, std::size_t count) {
  const std::size_t i = 2 * (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x);
  if (i + 1 < count && (reinterpret_cast<std::size_t>(power) & 7) == 0) {
    const float4 x = *reinterpret_cast<const float4*>(spectra + i);
    *reinterpret_cast<float2*>(power + i) =
        make_float2(x.x * x.x + x.y * x.y, x.z * x.z + x.w * x.w);
    return;
  }
  for (std::size_t k = i; k < count && k < i + 2; ++k)
    power[k] = spectra[k].x * spectra[k].x + spectra[k].y * spectra[k].y;
}

/// Adds the frames that share the four samples of a thread.
__global__ void overlap_add(const float4* frames, const float4* dual, float4* samples, int quads,
                            int hop_quads, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4* frame = frames + static_cast<std::size_t>(i / hop_quads) * quads;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int j = quads - hop_quads + static_cast<int>(i % hop_quads); j >= 0;
       j -= hop_quads, frame += quads) {
    const float4 x = frame[j], w = dual[j];
    sum.x += x.x * w.x;
    sum.y += x.y * w.y;
    sum.z += x.z * w.z;
    sum.w += x.w * w.w;
  }
  samples[i] = sum;
}

__global__ void pad(const float4* lines, float4* padded, int quads, int wide_quads,
                    std::size_t members) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= wide_quads) return;
  for (std::size_t i = blockIdx.y; i < members; i += gridDim.y)
    padded[i * wide_quads + j] = j < quads ? lines[i * quads + j] : make_float4(0, 0, 0, 0);
}

__global__ void crop(const float* padded, float* lines, int wide, int length, std::size_t members) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= length) return;
  for (std::size_t i = blockIdx.y; i < members; i += gridDim.y)
    lines[i * length + j] = padded[i * wide + j];
}

__global__ void product(float2* spectra, const float2* factors, int points, std::size_t members) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= points) return;
  const float2 y = factors[k];
  for (std::size_t i = blockIdx.y; i < members; i += gridDim.y) {
    const float2 x = spectra[i * points + k];
    spectra[i * points + k] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
  }
}

__global__ void divide(float2* spectrum, float by, std::size_t count) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) spectrum[i] = make_float2(spectrum[i].x / by, spectrum[i].y / by);
}

constexpr std::size_t kMostRows = 65535;  // maximum size of a grid

dim3 grid(std::size_t points, std::size_t members) {
  return {static_cast<unsigned>((points + kBlock - 1) / kBlock),
          static_cast<unsigned>(std::min(members, kMostRows))};
}
unsigned blocks(std::size_t count) { return static_cast<unsigned>((count + kBlock - 1) / kBlock); }

template <class Value>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t count) { allocate(count); }
  template <class Host>
  explicit DeviceArray(const std::vector<Host>& values) {
    allocate(values.size() * sizeof(Host) / sizeof(Value));
    check(cudaMemcpy(data_, values.data(), values.size() * sizeof(Host), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  void allocate(std::size_t count) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(Value)), "cudaMalloc");
  }
  Value* get() const { return data_; }

 private:
  Value* data_ = nullptr;
};

class CufftPlan {
 public:
  CufftPlan(const std::vector<int>& lengths, cufftType type, std::size_t batch) {
    auto n = lengths;
    check(cufftPlanMany(&plan_, static_cast<int>(n.size()), n.data(), nullptr, 1, 0, nullptr, 1, 0,
                        type, static_cast<int>(batch)),
          "cufftPlanMany");
  }
  ~CufftPlan() { cufftDestroy(plan_); }
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;
  cufftHandle get() const { return plan_; }

 private:
  cufftHandle plan_ = 0;
};

class WithCufft : public Contestant {
 public:
  /// `length` is that of the transforms; `part` is the number of batch elements at a time.
  WithCufft(const Question& question, std::size_t length, std::size_t part)
      : problem_(question.problem),
        length_(length),
        part_(part),
        in_parts_(part < problem_.members()),
        result_(problem_.members() * problem_.result_floats()) {
    const Data& data = question.data;
    if (problem_.which == Case::planes) {
      const auto n = static_cast<int>(length);
      forward_ = std::make_unique<CufftPlan>(std::vector{n, n}, CUFFT_C2C, part);
      planes_ = std::make_unique<DeviceArray<float2>>(data.planes);
      spectra_.allocate(part * points());
      factors_ = std::make_unique<DeviceArray<float2>>(data.spread);
      CufftPlan one({n, n}, CUFFT_C2C, 1);
      check(cufftExecC2C(one.get(), factors_->get(), factors_->get(), CUFFT_FORWARD),
            "cufftExecC2C");
    } else if (problem_.which == Case::istft) {
      const std::size_t frames = problem_.frames(part);
      inverse_ =
          std::make_unique<CufftPlan>(std::vector{static_cast<int>(length)}, CUFFT_C2R, frames);
      arrays_.allocate(frames * length);
      bins_ = std::make_unique<DeviceArray<float2>>(data.spectra);
      window_ = std::make_unique<DeviceArray<float>>(data.dual);
    } else {
      const std::vector<int> n{static_cast<int>(length)};
      forward_ = std::make_unique<CufftPlan>(n, CUFFT_R2C, part);
      arrays_.allocate(part * length);
      spectra_.allocate(part * points());
      if (problem_.which == Case::stft) {
        samples_ = std::make_unique<DeviceArray<short>>(data.samples);
        window_ = std::make_unique<DeviceArray<float>>(data.window);
      } else {
        inverse_ = std::make_unique<CufftPlan>(n, CUFFT_C2R, part);
        lines_ = std::make_unique<DeviceArray<float>>(data.lines);
        auto taps = data.taps;
        taps.resize(length);
        const DeviceArray<float> kernel(taps);
        factors_ = std::make_unique<DeviceArray<float2>>(points());
        CufftPlan one(n, CUFFT_R2C, 1);
        check(cufftExecR2C(one.get(), kernel.get(), factors_->get()), "cufftExecR2C");
        finish();
      }
    }
    if (factors_) {
      const double all =
          problem_.which == Case::planes ? double(length) * double(length) : double(length);
      divide<<<blocks(points()), kBlock>>>(factors_->get(), static_cast<float>(all), points());
    }
    finish();
  }

  std::string name() const override { return in_parts_ ? "cufft in parts" : "cufft in steps"; }
  std::string about() const override {
    std::string text;
    if (problem_.which == Case::lines) text = "length " + std::to_string(length_);
    if (problem_.which == Case::istft) text = scratch(4 * problem_.frames(part_) * length_);
    if (in_parts_) text += (text.empty() ? "" : ", ") + ("parts of " + std::to_string(part_));
    return text;
  }
  void finish() override { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }
  void enqueue() override {
    const std::size_t members = problem_.members();
    for (std::size_t first = 0; first < members; first += part_)
      compute(std::min(first, members - part_));  // the last part may compute some elements again
    check(cudaGetLastError(), "a launch");
  }
  std::vector<float> result(std::size_t member) override {
    std::vector<float> values(problem_.result_floats());
    check(cudaMemcpy(values.data(), result_.get() + member * values.size(),
                     values.size() * sizeof(float), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    return values;
  }

 private:
  /// Returns the complex numbers of a spectrum.
  std::size_t points() const {
    return problem_.which == Case::planes ? length_ * length_ : length_ / 2 + 1;
  }
  void multiply() {
    product<<<grid(points(), part_), kBlock>>>(spectra_.get(), factors_->get(),
                                               static_cast<int>(points()), part_);
  }
  void compute(std::size_t first) {
    float* const result = result_.get() + first * problem_.result_floats();
    if (problem_.which == Case::stft) {
      const std::size_t bins = part_ * points();
      make_frames<<<grid(length_ / 4, part_), kBlock>>>(
          reinterpret_cast<const short4*>(samples_->get() + first * problem_.width),
          reinterpret_cast<const float4*>(window_->get()), reinterpret_cast<float4*>(arrays_.get()),
          static_cast<int>(length_ / 4), static_cast<int>(problem_.width / 4), part_);
      check(cufftExecR2C(forward_->get(), arrays_.get(), spectra_.get()), "cufftExecR2C");
      make_power<<<blocks(bins / 2 + 1), kBlock>>>(spectra_.get(), result, bins);
    } else if (problem_.which == Case::istft) {
      const auto quads = static_cast<int>(length_ / 4), hop = static_cast<int>(problem_.width / 4);
      const std::size_t count = part_ * hop;
      check(cufftExecC2R(inverse_->get(), bins_->get() + first * points(), arrays_.get()),
            "cufftExecC2R");
      overlap_add<<<blocks(count), kBlock>>>(reinterpret_cast<const float4*>(arrays_.get()),
                                             reinterpret_cast<const float4*>(window_->get()),
                                             reinterpret_cast<float4*>(result), quads, hop,
                                             static_cast<unsigned>(count));
    } else if (problem_.which == Case::lines) {
      const std::size_t cropped = problem_.result_floats();
      pad<<<grid(length_ / 4, part_), kBlock>>>(
          reinterpret_cast<const float4*>(lines_->get() + first * problem_.length),
          reinterpret_cast<float4*>(arrays_.get()), static_cast<int>(problem_.length / 4),
          static_cast<int>(length_ / 4), part_);
      check(cufftExecR2C(forward_->get(), arrays_.get(), spectra_.get()), "cufftExecR2C");
      multiply();
      check(cufftExecC2R(inverse_->get(), spectra_.get(), arrays_.get()), "cufftExecC2R");
      crop<<<grid(cropped, part_), kBlock>>>(arrays_.get(), result, static_cast<int>(length_),
                                             static_cast<int>(cropped), part_);
    } else {
      check(cufftExecC2C(forward_->get(), planes_->get() + first * points(), spectra_.get(),
                         CUFFT_FORWARD),
            "cufftExecC2C");
      multiply();
      check(cufftExecC2C(forward_->get(), spectra_.get(), reinterpret_cast<float2*>(result),
                         CUFFT_INVERSE),
            "cufftExecC2C");
    }
  }

  const Problem problem_;
  const std::size_t length_, part_;
  const bool in_parts_;
  DeviceArray<float> result_, arrays_;
  DeviceArray<float2> spectra_;
  std::unique_ptr<DeviceArray<short>> samples_;
  std::unique_ptr<DeviceArray<float>> window_, lines_;
  std::unique_ptr<DeviceArray<float2>> planes_, factors_, bins_;
  std::unique_ptr<CufftPlan> forward_, inverse_;
};

/// Returns the shortest time of some calls, in seconds.
float seconds(WithCufft& contestant) {
  cudaEvent_t start, end;
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  float best = 1e9f;
  contestant.enqueue();
  for (int i = 0; i < 5; ++i) {
    check(cudaEventRecord(start), "cudaEventRecord");
    contestant.enqueue();
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start, end), "cudaEventElapsedTime");
    best = std::min(best, milliseconds * 1e-3f);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  return best;
}

/// Returns the fastest of the options that a user would try: lengths, and sizes of parts.
std::unique_ptr<Contestant> fastest(const Question& question, std::size_t cache) {
  const Problem& problem = question.problem;
  if (problem.length % 4 != 0 ||
      (problem.which != Case::planes && problem.which != Case::lines && problem.width % 4 != 0))
    throw std::runtime_error(
        "its kernels move four numbers at once: a frame, a hop and a line must "
        "be multiples of 4");
  std::vector<std::size_t> lengths{problem.length};
  if (problem.which == Case::lines) lengths = padded_lengths(problem);
  struct Choice {
    std::size_t length = 0, part = 0;
    float seconds = 1e9f;
  } best;
  for (const std::size_t length : lengths) {
    if (length % 4 != 0) continue;
    const std::size_t bytes =
        problem.which == Case::planes ? 8 * length * length : 4 * (2 * length + 2);
    std::vector<std::size_t> parts{problem.members()};
    if (question.in_parts) {
      parts.clear();
      for (const std::size_t share : {4, 2, 1})  // a quarter, a half, all of the cache
        parts.push_back(
            std::clamp<std::size_t>(cache / share / bytes / 2 * 2, 1, problem.members()));
    }
    for (const std::size_t part : parts) {
      if (question.in_parts && part == problem.members()) continue;
      WithCufft contestant(question, length, part);
      const float time = seconds(contestant);
      if (time < best.seconds) best = {length, part, time};
    }
  }
  if (best.length == 0) throw std::runtime_error("everything is one part");
  return std::make_unique<WithCufft>(question, best.length, best.part);
}

}  // namespace
}  // namespace imago::bench::fused

extern "C" __attribute__((visibility("default"))) imago::bench::fused::Contestant* imago_fused_peer(
    const imago::bench::fused::Question& question, std::string& reason) {
  using namespace imago::bench::fused;
  try {
    int count = 0;
    check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    for (int i = 0; i < count; ++i) {
      cudaDeviceProp properties = {};
      check(cudaGetDeviceProperties(&properties, i), "cudaGetDeviceProperties");
      if (question.device != properties.name) continue;
      check(cudaSetDevice(i), "cudaSetDevice");
      return fastest(question, static_cast<std::size_t>(properties.l2CacheSize)).release();
    }
    reason = "none of " + std::to_string(count) + " CUDA devices is " + question.device;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  return nullptr;
}
