// This file is the plugin that adapts cuFFT to the benchmark's interface. It has its own arrays,
// because CUDA and OpenCL share none. It uses the device of the OpenCL engines, found by its PCI
// address.
#include <cuda_runtime.h>
#include <cufft.h>

#include <imago/error.hpp>

#include "bench/cuda_driver.hpp"
#include "bench/engine.hpp"
#include "bench/host_clock.hpp"

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

/// A cuFFT plan of one shape and batch.
class CufftPlan {
 public:
  explicit CufftPlan(const Case& problem) : type_(type_of(problem)) {
    std::vector<int> n(problem.lengths.begin(), problem.lengths.end());
    std::vector<int> signal = n, spectrum = n;  // extents in memory; only the last is padded or cut
    signal.back() = static_cast<int>(signal_pitch(problem) / (problem.real() ? 1 : 2));
    spectrum.back() = static_cast<int>(spectrum_row(problem));
    const auto distance = [&](const std::vector<int>& extents) {
      return static_cast<int>(rows(problem)) * extents.back();
    };
    check_cufft(cufftPlanMany(&plan_, static_cast<int>(n.size()), n.data(), signal.data(), 1,
                              distance(signal), spectrum.data(), 1, distance(spectrum), type_,
                              static_cast<int>(problem.batch)),
                "cufftPlanMany");
  }
  ~CufftPlan() { cufftDestroy(plan_); }
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;

  void set_stream(CUstream_st* stream) const {
    check_cufft(cufftSetStream(plan_, stream), "cufftSetStream");
  }
  void execute(void* in, void* out) const { check_cufft(run(in, out), "cufftExec"); }

 private:
  static cufftType type_of(const Case& problem) {
    const bool f64 = problem.precision == Precision::f64;
    if (problem.real()) return f64 ? CUFFT_D2Z : CUFFT_R2C;
    return f64 ? CUFFT_Z2Z : CUFFT_C2C;
  }
  cufftResult run(void* in, void* out) const {
    switch (type_) {
      case CUFFT_R2C:
        return cufftExecR2C(plan_, static_cast<cufftReal*>(in), static_cast<cufftComplex*>(out));
      case CUFFT_D2Z:
        return cufftExecD2Z(plan_, static_cast<cufftDoubleReal*>(in),
                            static_cast<cufftDoubleComplex*>(out));
      case CUFFT_Z2Z:
        return cufftExecZ2Z(plan_, static_cast<cufftDoubleComplex*>(in),
                            static_cast<cufftDoubleComplex*>(out), CUFFT_FORWARD);
      default:
        return cufftExecC2C(plan_, static_cast<cufftComplex*>(in), static_cast<cufftComplex*>(out),
                            CUFFT_FORWARD);
    }
  }

  cufftHandle plan_ = 0;
  cufftType type_;
};

class CufftWork : public Work {
 public:
  CufftWork(const Case& problem, const Signal& signal, bool graphs)
      : problem_(problem), signal_(signal_bytes(problem)), data_(signal_bytes(problem)) {
    check_cuda(cudaMemcpy(signal_.get(), signal.data.data(), signal_bytes(problem),
                          cudaMemcpyHostToDevice),
               "cudaMemcpy");
    if (!in_place(problem)) spare_ = std::make_unique<DeviceArray>(spectrum_bytes(problem));
    const double start = now();
    plan_ = std::make_unique<CufftPlan>(problem);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (graphs) capture();
    plan_seconds_ = now() - start;
  }

  double plan_seconds() const override { return plan_seconds_; }
  void load() override {
    check_cuda(
        cudaMemcpy(data_.get(), signal_.get(), signal_bytes(problem_), cudaMemcpyDeviceToDevice),
        "cudaMemcpy");
    finish();
  }
  void enqueue() override { graphs_ ? graphs_->launch(1) : plan_->execute(data_.get(), result()); }
  void enqueue_train(std::size_t calls) override {
    graphs_ ? graphs_->launch(calls) : Work::enqueue_train(calls);
  }
  void finish() override { check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }
  double run(std::size_t calls) override {
    if (graphs_) {
      load();
      const double start = now();
      enqueue_train(calls);
      finish();
      return now() - start;
    }
    enqueue();  // keeps the device busy while the first timed ones are enqueued
    before_.record();
    for (std::size_t i = 0; i < calls; ++i) enqueue();
    after_.record();
    return after_.seconds_since(before_);
  }
  std::vector<double> read(std::size_t first, std::size_t count) override {
    return problem_.precision == Precision::f64 ? read_as<double>(first, count)
                                                : read_as<float>(first, count);
  }

 private:
  void capture() {
    graphs_ = std::make_unique<CudaTrain>();
    plan_->set_stream(graphs_->stream().get());
    graphs_->capture([&] { plan_->execute(data_.get(), result()); });
  }
  void* result() const { return spare_ ? spare_->get() : data_.get(); }

  template <class Real>
  std::vector<double> read_as(std::size_t first, std::size_t count) const {
    std::vector<Real> host(count);
    const auto* from = static_cast<const Real*>(result()) + first;
    check_cuda(cudaMemcpy(host.data(), from, count * sizeof(host[0]), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    return {host.begin(), host.end()};
  }

  Case problem_;
  DeviceArray signal_, data_;
  std::unique_ptr<DeviceArray> spare_;
  std::unique_ptr<CufftPlan> plan_;
  std::unique_ptr<CudaTrain> graphs_;
  Mark before_, after_;
  double plan_seconds_ = 0;
};

class CufftEngine : public Engine {
 public:
  explicit CufftEngine(bool graphs) : graphs_(graphs) {}
  std::string name() const override { return graphs_ ? "cufft-graph" : "cufft"; }
  std::string version() const override {
    int cufft = 0, runtime = 0, driver = 0;
    cufftGetVersion(&cufft);
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    return std::to_string(cufft) + ", CUDA runtime " + std::to_string(runtime) +
           ", driver's CUDA " + std::to_string(driver);
  }
  std::string refusal(const Case& problem) const override {
    if (problem.only_real()) return "cuFFT has no cosine and sine transforms";
    if (problem.precision == Precision::f16) return "half precision is not set up for cuFFT here";
    constexpr std::size_t kLargest = 2147483647;  // cuFFT's simple interface has int counts
    const bool fits = elements(problem) <= kLargest / 2 && problem.batch <= kLargest;
    return fits ? "" : "more points than cufftPlanMany's int counts";
  }
  std::unique_ptr<Work> plan(const Case& problem, const Signal& signal, Caches) override {
    return std::make_unique<CufftWork>(problem, signal, graphs_);
  }

 private:
  bool graphs_;
};

bool same_device(const cudaDeviceProp& found, const Identity& wanted) {
  if (wanted.pci_bus >= 0)
    return found.pciBusID == wanted.pci_bus &&
           (wanted.pci_domain < 0 || found.pciDomainID == wanted.pci_domain);
  return wanted.name == found.name;
}

}  // namespace
}  // namespace imago::bench

extern "C" __attribute__((visibility("default"))) imago::bench::Engine* imago_bench_peer_7(
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
    return new imago::bench::CufftEngine(identity.graphs);
  }
  reason = "none of " + std::to_string(count) + " CUDA devices is " + identity.name;
  return nullptr;
}
