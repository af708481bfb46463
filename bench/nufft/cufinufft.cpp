// This file uses cuFINUFFT on arrays of its device. It is a plugin, so that the program starts on
// machines without CUDA.
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/nufft/guru.hpp"
#include "bench/nufft/problem.hpp"

namespace imago::bench::nufft {

inline void check(cudaError_t code, const char* call) {
  if (code != cudaSuccess)
    throw std::runtime_error(std::string(call) + " failed: " + cudaGetErrorString(code));
}

template <class Value>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    check(cudaMalloc(&data_, bytes()), "cudaMalloc");
  }
  explicit DeviceArray(const std::vector<Value>& values) : DeviceArray(values.size()) {
    check(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  DeviceArray& operator=(DeviceArray&&) = delete;

  Value* data() { return static_cast<Value*>(data_); }
  std::vector<Value> read() const {
    std::vector<Value> values(size_);
    check(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }

 private:
  std::size_t bytes() const { return size_ * sizeof(Value); }
  void* data_ = nullptr;
  std::size_t size_;
};

namespace {

template <class Real>
class WithCufinufft : public WithGuru<Real, int, DeviceArray> {
 public:
  explicit WithCufinufft(const Question& question)
      : WithGuru<Real, int, DeviceArray>(question.problem, question.data, question.library,
                                         "cufinufft") {}
  void finish() override { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }
};

/// Selects the CUDA device of this name. Throws std::runtime_error if there is none.
void select(const std::string& name) {
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties = {};
    check(cudaGetDeviceProperties(&properties, i), "cudaGetDeviceProperties");
    if (name == properties.name) return check(cudaSetDevice(i), "cudaSetDevice");
  }
  throw std::runtime_error("none of " + std::to_string(count) + " CUDA devices is " + name);
}

}  // namespace
}  // namespace imago::bench::nufft

extern "C" __attribute__((visibility("default"))) imago::bench::nufft::Contestant* imago_nufft_peer(
    const imago::bench::nufft::Question& question, std::string& reason) {
  using namespace imago::bench::nufft;
  try {
    select(question.device);
    if (question.problem.f64) return new WithCufinufft<double>(question);
    return new WithCufinufft<float>(question);
  } catch (const std::exception& error) {
    reason = error.what();
    return nullptr;
  }
}
