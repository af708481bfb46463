// This file adapts VkFFT's OpenCL backend to the benchmark's interface. VkFFT is one header of the
// system and caches no kernels, so warm and cold plans differ only by the driver's cache. Its
// launches accept no events, so the queue is in order.
#include <algorithm>
#include <numeric>

#include "bench/engines.hpp"

#define VKFFT_BACKEND 3
#include <vkFFT.h>

namespace imago::bench {
namespace {

constexpr int kForward = -1;

void check_vkfft(VkFFTResult code, const char* call) {
  if (code != VKFFT_SUCCESS)
    throw Unsupported(std::string(call) + " failed with code " + std::to_string(code));
}

class VkfftWork : public ClWork {
 public:
  VkfftWork(std::shared_ptr<ClDevice> shared, const Case& problem)
      : ClWork(std::move(shared)),
        device_id_(device().device()()),
        context_(device().context()()),
        queue_(device().queue()()),
        in_(device().data()()),
        result_(device().result()()),
        in_bytes_(signal_bytes(problem)),
        result_bytes_(spectrum_bytes(problem)) {
    VkFFTConfiguration wanted = {};
    wanted.FFTdim = problem.lengths.size();
    std::copy(problem.lengths.rbegin(), problem.lengths.rend(), wanted.size);
    wanted.numberBatches = problem.batch;
    wanted.device = &device_id_;
    wanted.context = &context_;
    wanted.doublePrecision = problem.precision == Precision::f64;
    if (problem.only_real())
      wanted.performDCT =
          static_cast<std::uint64_t>(problem.kind) - static_cast<std::uint64_t>(Kind::dct1) + 1;
    wanted.performR2C = problem.real();  // the default strides equal those of the case in place
    wanted.makeForwardPlanOnly = 1;
    wanted.buffer = &result_;
    wanted.bufferSize = &result_bytes_;
    if (!in_place(problem)) {
      wanted.isInputFormatted = 1;
      wanted.inputBuffer = &in_;
      wanted.inputBufferSize = &in_bytes_;
      std::partial_sum(wanted.size, wanted.size + wanted.FFTdim, wanted.inputBufferStride,
                       std::multiplies<>());
    }
    const double start = now();
    check_vkfft(initializeVkFFT(&app_, wanted), "initializeVkFFT");
    planned_in(now() - start);
    launch_.commandQueue = &queue_;
  }
  ~VkfftWork() override { deleteVkFFT(&app_); }
  VkfftWork(const VkfftWork&) = delete;
  VkfftWork& operator=(const VkfftWork&) = delete;

 private:
  void enqueue() override { check_vkfft(VkFFTAppend(&app_, kForward, &launch_), "VkFFTAppend"); }

  cl_device_id device_id_;
  cl_context context_;
  cl_command_queue queue_;
  cl_mem in_, result_;
  std::uint64_t in_bytes_, result_bytes_;
  VkFFTApplication app_ = {};
  VkFFTLaunchParams launch_ = {};
};

class VkfftEngine : public Engine {
 public:
  explicit VkfftEngine(const Surroundings& surroundings) : device_(surroundings.device) {}
  std::string name() const override { return "vkfft"; }
  std::string version() const override {
    const int code = VkFFTGetVersion();
    return std::to_string(code / 10000) + "." + std::to_string(code / 100 % 100) + "." +
           std::to_string(code % 100);
  }
  std::string refusal(const Case& problem) const override {
    if (problem.only_real() && problem.kind > Kind::dct4) return "VkFFT has no sine transforms";
    if (problem.precision == Precision::f16) return "half precision is not set up for VkFFT here";
    // VkFFT 1.2.26 on PoCL 3.1 crashes at 1 MiB (segmentation fault), in both precisions. Planes
    // and cubes of many MiB work. A DCT-I is a DFT of twice as many points, padded to four times
    // that.
    constexpr std::size_t kLongestOnCpu = std::size_t{512} << 10;
    const std::size_t longest = *std::max_element(problem.lengths.begin(), problem.lengths.end()) *
                                (problem.kind == Kind::dct1 ? 8 : 1);
    if (device_->is_cpu() && longest * 2 * real_bytes(problem) > kLongestOnCpu)
      return "VkFFT crashes on PoCL at lengths of more than 512 KiB";
    return elements(problem) < 2 ? "VkFFT has no transform of one point" : "";
  }
  std::unique_ptr<Work> plan(const Case& problem, const Signal&, Caches) override {
    return std::make_unique<VkfftWork>(device_, problem);
  }

 private:
  std::shared_ptr<ClDevice> device_;
};

}  // namespace

std::unique_ptr<Engine> make_vkfft(const Surroundings& surroundings) {
  return std::make_unique<VkfftEngine>(surroundings);
}

}  // namespace imago::bench
