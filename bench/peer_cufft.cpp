// This file is the plugin that puts cuFFT behind the benchmark's interface. It has arrays of its
// own (CUDA and OpenCL share none) on the device that the OpenCL engines use, found by its PCI
// address.
#include <cuda_runtime.h>
#include <cufft.h>

#include <chrono>

#include <imago/error.hpp>

#include "bench/engine.hpp"

namespace imago::bench {
namespace {

void check_cuda(cudaError_t code, const char* call) {
  if (code != cudaSuccess) throw Error(std::string(call) + " failed: " + cudaGetErrorString(code));
}

void check_cufft(cufftResult code, const char* call) {
  if (code != CUFFT_SUCCESS)
    throw Error(std::string(call) + " failed with code " + std::to_string(code));
}

class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) { check_cuda(cudaMalloc(&data_, size), "cudaMalloc"); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  void* get() const { return data_; }

 private:
  void* data_ = nullptr;
};

class Mark {
 public:
  Mark() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Mark() { cudaEventDestroy(event_); }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;
  void record() { check_cuda(cudaEventRecord(event_), "cudaEventRecord"); }
  double seconds_since(const Mark& start) const {
    check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, start.event_, event_), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A cuFFT plan of one length and batch.
class CufftPlan {
 public:
  explicit CufftPlan(const Case& problem) : f64_(problem.precision == Precision::f64) {
    int n = static_cast<int>(problem.length);
    check_cufft(cufftPlanMany(&plan_, 1, &n, nullptr, 1, n, nullptr, 1, n,
                              f64_ ? CUFFT_Z2Z : CUFFT_C2C, static_cast<int>(problem.batch)),
                "cufftPlanMany");
  }
  ~CufftPlan() { cufftDestroy(plan_); }
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;

  void execute(void* in, void* out) const {
    if (f64_)
      check_cufft(cufftExecZ2Z(plan_, static_cast<cufftDoubleComplex*>(in),
                               static_cast<cufftDoubleComplex*>(out), CUFFT_FORWARD),
                  "cufftExecZ2Z");
    else
      check_cufft(cufftExecC2C(plan_, static_cast<cufftComplex*>(in),
                               static_cast<cufftComplex*>(out), CUFFT_FORWARD),
                  "cufftExecC2C");
  }

 private:
  cufftHandle plan_ = 0;
  bool f64_;
};

class CufftWork : public Work {
 public:
  CufftWork(const Case& problem, const Signal& signal)
      : problem_(problem), signal_(bytes(problem)), data_(bytes(problem)) {
    check_cuda(
        cudaMemcpy(signal_.get(), signal.data.data(), bytes(problem), cudaMemcpyHostToDevice),
        "cudaMemcpy");
    if (problem.placement == Placement::out_of_place)
      spare_ = std::make_unique<DeviceArray>(bytes(problem));
    const auto start = std::chrono::steady_clock::now();
    plan_ = std::make_unique<CufftPlan>(problem);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    plan_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  double plan_seconds() const override { return plan_seconds_; }
  void load() override {
    check_cuda(cudaMemcpy(data_.get(), signal_.get(), bytes(problem_), cudaMemcpyDeviceToDevice),
               "cudaMemcpy");
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  void once() override {
    plan_->execute(data_.get(), result());
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  double run(std::size_t calls) override {
    // The call before keeps the device busy while the first timed ones are enqueued.
    plan_->execute(data_.get(), result());
    before_.record();
    for (std::size_t i = 0; i < calls; ++i) plan_->execute(data_.get(), result());
    after_.record();
    return after_.seconds_since(before_);
  }
  std::vector<std::complex<double>> read(std::size_t first, std::size_t count) override {
    return problem_.precision == Precision::f64 ? read_as<double>(first, count)
                                                : read_as<float>(first, count);
  }

 private:
  void* result() const { return spare_ ? spare_->get() : data_.get(); }

  template <class Real>
  std::vector<std::complex<double>> read_as(std::size_t first, std::size_t count) const {
    std::vector<std::complex<Real>> host(count);
    const auto* from = static_cast<const std::complex<Real>*>(result()) + first;
    check_cuda(cudaMemcpy(host.data(), from, count * sizeof(host[0]), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    return {host.begin(), host.end()};
  }

  Case problem_;
  DeviceArray signal_, data_;
  std::unique_ptr<DeviceArray> spare_;
  std::unique_ptr<CufftPlan> plan_;
  Mark before_, after_;
  double plan_seconds_ = 0;
};

class CufftEngine : public Engine {
 public:
  std::string name() const override { return "cufft"; }
  std::string version() const override {
    int cufft = 0, runtime = 0, driver = 0;
    cufftGetVersion(&cufft);
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    return std::to_string(cufft) + ", CUDA runtime " + std::to_string(runtime) +
           ", driver's CUDA " + std::to_string(driver);
  }
  std::string refusal(const Case& problem) const override {
    constexpr std::size_t kLargest = 2147483647;  // its simple interface counts in int
    return problem.length > kLargest || problem.batch > kLargest ? "longer than cufftPlanMany's int"
                                                                 : "";
  }
  std::unique_ptr<Work> plan(const Case& problem, const Signal& signal, Caches) override {
    return std::make_unique<CufftWork>(problem, signal);
  }
};

bool same_device(const cudaDeviceProp& found, const Identity& wanted) {
  if (wanted.pci_bus >= 0)
    return found.pciBusID == wanted.pci_bus &&
           (wanted.pci_domain < 0 || found.pciDomainID == wanted.pci_domain);
  return wanted.name == found.name;
}

}  // namespace
}  // namespace imago::bench

extern "C" __attribute__((visibility("default"))) imago::bench::Engine* imago_bench_peer_1(
    const imago::bench::Identity& identity, std::string& reason) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    reason = std::string("no CUDA device: ") + cudaGetErrorString(code);
    return nullptr;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties = {};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    if (!imago::bench::same_device(properties, identity)) continue;
    if (cudaSetDevice(i) != cudaSuccess || cudaFree(nullptr) != cudaSuccess)
      continue;  // makes the context
    return new imago::bench::CufftEngine;
  }
  reason = "none of " + std::to_string(count) + " CUDA devices is " + identity.name;
  return nullptr;
}
