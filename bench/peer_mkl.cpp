// This file is the plugin that adapts oneMKL's DFTI to the benchmark's interface. It uses GNU
// OpenMP's threads, as many as the run specifies for engines on the host; with one thread it is
// sequential.
#include <cstdlib>
#include <cstring>
#include <new>

#include <mkl_dfti.h>
#include <mkl_service.h>

#include <imago/error.hpp>

#include "bench/engine.hpp"
#include "bench/host_clock.hpp"

namespace imago::bench {
namespace {

void check_dfti(MKL_LONG status, const char* call) {
  if (DftiErrorClass(status, DFTI_NO_ERROR) == 0)
    throw Error(std::string(call) + " failed: " + DftiErrorMessage(status));
}

/// Alignment that its documentation recommends: a cache line, and AVX-512's vector.
constexpr std::size_t kAlignment = 64;

class HostArray {
 public:
  explicit HostArray(std::size_t size)
      : data_(std::aligned_alloc(kAlignment, (size + kAlignment - 1) / kAlignment * kAlignment)) {
    if (data_ == nullptr) throw std::bad_alloc();
    std::memset(data_, 0, size);  // touches the pages, so that no call has to allocate them
  }
  ~HostArray() { std::free(data_); }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  void* get() const { return data_; }

 private:
  void* data_;
};

/// A DFTI descriptor of one shape and batch.
class Descriptor {
 public:
  explicit Descriptor(const Case& problem) {
    std::vector<MKL_LONG> n(problem.lengths.begin(), problem.lengths.end());
    const auto precision = problem.precision == Precision::f64 ? DFTI_DOUBLE : DFTI_SINGLE;
    const auto domain = problem.real() ? DFTI_REAL : DFTI_COMPLEX;
    const auto rank = static_cast<MKL_LONG>(n.size());
    // The brackets select the function instead of the macro of the same name.
    check_dfti(rank == 1 ? (DftiCreateDescriptor)(&handle_, precision, domain, rank, n[0])
                         : (DftiCreateDescriptor)(&handle_, precision, domain, rank, n.data()),
               "DftiCreateDescriptor");
    try {
      lay_out(problem);
      check_dfti(DftiCommitDescriptor(handle_), "DftiCommitDescriptor");
    } catch (...) {
      DftiFreeDescriptor(&handle_);
      throw;
    }
  }
  ~Descriptor() { DftiFreeDescriptor(&handle_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void compute(void* in) const {
    check_dfti(DftiComputeForward(handle_, in), "DftiComputeForward");
  }
  void compute(void* in, void* out) const {
    check_dfti(DftiComputeForward(handle_, in, out), "DftiComputeForward");
  }

 private:
  template <class Value>
  void set(DFTI_CONFIG_PARAM parameter, Value value) {
    check_dfti(DftiSetValue(handle_, parameter, value), "DftiSetValue");
  }

  /// Distances count elements of the input or output: real numbers for a real signal.
  void lay_out(const Case& problem) {
    const std::size_t row = signal_pitch(problem) / (problem.real() ? 1 : 2);
    set(DFTI_PLACEMENT, in_place(problem) ? DFTI_INPLACE : DFTI_NOT_INPLACE);
    if (problem.real()) set(DFTI_CONJUGATE_EVEN_STORAGE, DFTI_COMPLEX_COMPLEX);
    set(DFTI_NUMBER_OF_TRANSFORMS, static_cast<MKL_LONG>(problem.batch));
    set_side(problem, row, DFTI_FWD_STRIDES, DFTI_FWD_DISTANCE);
    set_side(problem, spectrum_row(problem), DFTI_BWD_STRIDES, DFTI_BWD_DISTANCE);
  }

  /// Only rows are padded or cut, so strides are products of the faster lengths.
  void set_side(const Case& problem, std::size_t row, DFTI_CONFIG_PARAM strides,
                DFTI_CONFIG_PARAM distance) {
    const std::size_t rank = problem.lengths.size();
    std::vector<MKL_LONG> values(rank + 1, 0);  // the first is the offset of the first element
    auto step = static_cast<MKL_LONG>(row);
    values[rank] = 1;
    for (std::size_t axis = rank - 1; axis > 0; --axis) {
      values[axis] = step;
      step *= static_cast<MKL_LONG>(problem.lengths[axis - 1]);
    }
    set(strides, values.data());
    set(distance, step);
  }

  DFTI_DESCRIPTOR_HANDLE handle_ = nullptr;
};

class MklWork : public Work {
 public:
  MklWork(const Case& problem, const Signal& signal)
      : problem_(problem), signal_(signal), data_(spectrum_bytes(problem)) {
    load();
    if (!in_place(problem)) spare_ = std::make_unique<HostArray>(spectrum_bytes(problem));
    const double start = now();
    descriptor_ = std::make_unique<Descriptor>(problem);
    plan_seconds_ = now() - start;
  }

  double plan_seconds() const override { return plan_seconds_; }
  void load() override { std::memcpy(data_.get(), signal_.data.data(), signal_.data.size()); }
  void enqueue() override {
    if (spare_)
      descriptor_->compute(data_.get(), spare_->get());
    else
      descriptor_->compute(data_.get());
  }
  void finish() override {}  // a call returns its result
  double run(std::size_t calls) override {
    return time_train([this] { enqueue(); }, [] {}, calls);
  }
  std::vector<double> read(std::size_t first, std::size_t count) override {
    return problem_.precision == Precision::f64 ? read_as<double>(first, count)
                                                : read_as<float>(first, count);
  }

 private:
  template <class Real>
  std::vector<double> read_as(std::size_t first, std::size_t count) const {
    const auto* values = static_cast<const Real*>((spare_ ? *spare_ : data_).get()) + first;
    return {values, values + count};
  }

  Case problem_;
  const Signal& signal_;
  HostArray data_;
  std::unique_ptr<HostArray> spare_;  ///< for out-of-place transforms
  std::unique_ptr<Descriptor> descriptor_;
  double plan_seconds_ = 0;
};

class MklEngine : public Engine {
 public:
  explicit MklEngine(unsigned threads) : threads_(threads) {
    mkl_set_dynamic(0);  // use all threads, as the other engines on the host
    mkl_set_num_threads(static_cast<int>(threads));
  }
  std::string name() const override { return "mkl"; }
  std::string version() const override {
    MKLVersion version = {};
    mkl_get_version(&version);
    return "oneMKL " + std::to_string(version.MajorVersion) + "." +
           std::to_string(version.UpdateVersion) + " build " + version.Build + " threads " +
           std::to_string(threads_) + " of GNU OpenMP, " + version.Processor;
  }
  std::string refusal(const Case& problem) const override {
    if (problem.only_real()) return "oneMKL's DFTI has no cosine and sine transforms";
    return problem.precision == Precision::f16 ? "oneMKL's DFTI has no half precision" : "";
  }
  std::unique_ptr<Work> plan(const Case& problem, const Signal& signal, Caches) override {
    return std::make_unique<MklWork>(problem, signal);
  }

 private:
  unsigned threads_;
};

}  // namespace
}  // namespace imago::bench

extern "C" __attribute__((visibility("default"))) imago::bench::Engine* imago_bench_peer_7(
    const imago::bench::Identity& identity, std::string&) {
  return new imago::bench::MklEngine(identity.threads);
}
