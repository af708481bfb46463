// This file implements imago's backend for heFFTe (heffte.hpp): the devices of a rank, and the
// executors that heFFTe calls with the rank's part of an array.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <heffte.h>

#include <imago/devices.hpp>
#include <imago/host_plan.hpp>
#include <imago/pool.hpp>

/// Functions that configure and inspect the backend of the calling rank.
namespace imago::heffte_backend {

/// Returns this rank's number among the ranks of its machine, from the launcher's environment
/// variables. Without them, returns its number in MPI_COMM_WORLD, and 0 outside of MPI.
inline int local_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                           "MV2_COMM_WORLD_LOCAL_RANK", "PALS_LOCAL_RANKID", "SLURM_LOCALID"}) {
    if (const char* value = std::getenv(name)) return std::atoi(value);
  }
  int begun = 0, rank = 0;
  MPI_Initialized(&begun);
  if (begun != 0) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

namespace detail {

/// The devices and the plans of this process. The object is never destroyed, because drivers may be
/// unloaded before static objects are destroyed.
class Process {
 public:
  static Process& get() {
    static Process& process = *new Process;
    return process;
  }

  Pool pool() {
    const std::scoped_lock lock(mutex_);
    return made_pool();
  }

  void use(const Pool& pool) {
    const std::scoped_lock lock(mutex_);
    pool_ = pool;
    plans_.clear();
  }

  std::shared_ptr<const HostPlan> plan(const Transform& transform) {
    const std::scoped_lock lock(mutex_);
    const auto known = std::find_if(plans_.begin(), plans_.end(),
                                    [&](const Known& plan) { return plan.transform == transform; });
    if (known != plans_.end()) {
      plans_.splice(plans_.begin(), plans_, known);
    } else {
      plans_.push_front({transform, std::make_shared<const HostPlan>(made_pool(), transform)});
      if (plans_.size() > kPlans) plans_.pop_back();
    }
    return plans_.front().plan;
  }

  std::atomic<std::size_t> computed = 0;

 private:
  struct Known {
    Transform transform;
    std::shared_ptr<const HostPlan> plan;
  };
  /// Limit of cached plans. A transform in three dimensions has at most six boxes, in two
  /// precisions.
  static constexpr std::size_t kPlans = 64;

  const Pool& made_pool() {
    if (!pool_)
      pool_.emplace(std::vector<cl::Device>{dealt_device(static_cast<std::size_t>(local_rank()))});
    return *pool_;
  }

  std::mutex mutex_;
  std::optional<Pool> pool_;
  std::list<Known> plans_;  ///< most recently used first
};

/// Ends all ranks, or rethrows the current exception if there is one rank only. Other ranks would
/// wait forever for a rank that throws. Call it in a catch block.
[[noreturn]] inline void end_all(const std::string& what) {
  int begun = 0, ended = 0, ranks = 1, rank = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (begun != 0 && ended == 0) {
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  }
  if (ranks == 1) throw;
  std::fprintf(stderr, "imago on rank %d of %d: %s\n", rank, ranks,
               what.substr(0, what.find('\n')).c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

/// Returns the number of points of a box as an int, the type in heFFTe's executors. If it does not
/// fit, one rank alone throws, and several ranks all end.
inline int int_of(long long count) {
  try {
    if (count > std::numeric_limits<int>::max())
      throw std::length_error("a rank's box has " + std::to_string(count) +
                              " points, and heFFTe's executors can have 2^31 - 1; use more ranks");
  } catch (const std::exception& error) {
    end_all(error.what());
  }
  return static_cast<int>(count);
}

enum class Way { forward, inverse };

/// Computes one direction of a transform, in the precision of Real and the transform's placement.
template <typename Real>
void compute(Transform transform, Way way, const void* from, void* to) {
  static_assert(std::is_same_v<Real, float> || std::is_same_v<Real, double>);
  transform.precision = std::is_same_v<Real, float> ? Precision::f32 : Precision::f64;
  try {
    const std::shared_ptr<const HostPlan> plan = Process::get().plan(transform);
    const bool in_place = transform.placement == Placement::in_place;
    const bool forward = way == Way::forward;  // heFFTe's arrays have the sizes of its boxes
    const ConstHostArray source(from, forward ? plan->signal_bytes() : plan->spectrum_bytes());
    const HostArray target(to, forward ? plan->spectrum_bytes() : plan->signal_bytes());
    if (forward) {
      in_place ? plan->forward(target) : plan->forward(source, target);
    } else {
      in_place ? plan->inverse(target) : plan->inverse(source, target);
    }
    ++Process::get().computed;
  } catch (const std::exception& error) {
    end_all(error.what());
  }
}

/// Returns a transform of `kind` along some dimensions of a box, without scaling, in place.
/// heFFTe's boxes are packed. Dimensions before the first transformed one are the batch.
template <typename Index>
Transform transform_of(const heffte::box3d<Index>& box, std::initializer_list<int> dimensions,
                       Kind kind) {
  std::array<Kind, 3> axes{Kind::identity, Kind::identity, Kind::identity};
  for (const int dimension : dimensions) {
    axes[static_cast<std::size_t>(2 - box.find_order(dimension))] = kind;
  }
  Transform transform{.placement = Placement::in_place, .norm = Norm::none};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto n = static_cast<std::size_t>(box.osize(2 - static_cast<int>(i)));
    if (transform.axes.empty() && axes[i] == Kind::identity) {
      transform.batch *= n;
    } else {
      transform.axes.push_back(axes[i]);
      transform.lengths.push_back(n);
    }
  }
  return transform;
}

/// Executor of complex transforms, also of real signals with a whole complex spectrum.
class ComplexExecutor : public heffte::executor_base {
 public:
  using executor_base::backward;
  using executor_base::forward;

  template <typename Index>
  ComplexExecutor(void*, const heffte::box3d<Index>& box, int dimension)
      : ComplexExecutor(box, {dimension}) {}
  template <typename Index>
  ComplexExecutor(void*, const heffte::box3d<Index>& box, int one, int other)
      : ComplexExecutor(box, {one, other}) {}
  template <typename Index>
  ComplexExecutor(void*, const heffte::box3d<Index>& box) : ComplexExecutor(box, {0, 1, 2}) {}

  void forward(std::complex<float> data[], std::complex<float>*) const override {
    compute<float>(complex_, Way::forward, data, data);
  }
  void forward(std::complex<double> data[], std::complex<double>*) const override {
    compute<double>(complex_, Way::forward, data, data);
  }
  void backward(std::complex<float> data[], std::complex<float>*) const override {
    compute<float>(complex_, Way::inverse, data, data);
  }
  void backward(std::complex<double> data[], std::complex<double>*) const override {
    compute<double>(complex_, Way::inverse, data, data);
  }
  void forward(const float in[], std::complex<float> out[], std::complex<float>*) const override {
    compute<float>(real_, Way::forward, in, out);
  }
  void forward(const double in[], std::complex<double> out[],
               std::complex<double>*) const override {
    compute<double>(real_, Way::forward, in, out);
  }
  void backward(std::complex<float> in[], float out[], std::complex<float>*) const override {
    compute<float>(real_, Way::inverse, in, out);
  }
  void backward(std::complex<double> in[], double out[], std::complex<double>*) const override {
    compute<double>(real_, Way::inverse, in, out);
  }

  int box_size() const override { return size_; }

 private:
  template <typename Index>
  ComplexExecutor(const heffte::box3d<Index>& box, std::initializer_list<int> dimensions)
      : complex_(transform_of(box, dimensions, Kind::complex)),
        real_(complex_),
        size_(int_of(box.count())) {
    real_.placement = Placement::out_of_place;
    real_.signal.storage = Storage::real;
  }

  Transform complex_, real_;
  int size_;
};

/// Executor of transforms between real signals and half spectra.
class RealExecutor : public heffte::executor_base {
 public:
  using executor_base::backward;
  using executor_base::forward;

  template <typename Index>
  RealExecutor(void*, const heffte::box3d<Index>& box, int dimension)
      : transform_(transform_of(box, {dimension}, Kind::real)),
        size_(int_of(box.count())),
        complex_size_(int_of(box.r2c(dimension).count())) {
    transform_.placement = Placement::out_of_place;
  }

  void forward(const float in[], std::complex<float> out[], std::complex<float>*) const override {
    compute<float>(transform_, Way::forward, in, out);
  }
  void forward(const double in[], std::complex<double> out[],
               std::complex<double>*) const override {
    compute<double>(transform_, Way::forward, in, out);
  }
  void backward(std::complex<float> in[], float out[], std::complex<float>*) const override {
    compute<float>(transform_, Way::inverse, in, out);
  }
  void backward(std::complex<double> in[], double out[], std::complex<double>*) const override {
    compute<double>(transform_, Way::inverse, in, out);
  }

  int box_size() const override { return size_; }
  int complex_size() const override { return complex_size_; }

 private:
  Transform transform_;
  int size_, complex_size_;
};

/// Returns the number of points of the Fourier transform that corresponds to a cosine or sine
/// transform of n points.
constexpr double points_of(Kind kind, double n) {
  return kind == Kind::dct1 ? 2 * (n - 1) : kind == Kind::dst1 ? 2 * (n + 1) : 2 * n;
}

/// Executor of cosine and sine transforms. The inverse has a factor of 4 n along each dimension,
/// because heFFTe divides by it with scale::full, for all types and every backend it does not know.
template <Kind kind>
class CosineExecutor : public heffte::executor_base {
 public:
  using executor_base::backward;
  using executor_base::forward;

  template <typename Index>
  CosineExecutor(void*, const heffte::box3d<Index>& box, int dimension)
      : CosineExecutor(box, {dimension}) {}
  template <typename Index>
  CosineExecutor(void*, const heffte::box3d<Index>& box, int one, int other)
      : CosineExecutor(box, {one, other}) {}
  template <typename Index>
  CosineExecutor(void*, const heffte::box3d<Index>& box) : CosineExecutor(box, {0, 1, 2}) {}

  void forward(float data[], float*) const override {
    compute<float>(transform_, Way::forward, data, data);
  }
  void forward(double data[], double*) const override {
    compute<double>(transform_, Way::forward, data, data);
  }
  void backward(float data[], float*) const override {
    compute<float>(transform_, Way::inverse, data, data);
  }
  void backward(double data[], double*) const override {
    compute<double>(transform_, Way::inverse, data, data);
  }

  int box_size() const override { return size_; }

 private:
  template <typename Index>
  CosineExecutor(const heffte::box3d<Index>& box, std::initializer_list<int> dimensions)
      : transform_(transform_of(box, dimensions, kind)), size_(int_of(box.count())) {
    double factor = 1;
    for (const int dimension : dimensions) {
      const auto n = static_cast<double>(box.size[static_cast<std::size_t>(dimension)]);
      factor *= 4 * n / points_of(kind, n);
    }
    transform_.scale = Scale{.inverse = factor};
  }

  Transform transform_;
  int size_;
};

}  // namespace detail

/// Returns the rank's devices: those that use() set, or by default dealt_device(local_rank()).
/// Throws as dealt_device() and Pool's constructor.
inline Pool pool() { return detail::Process::get().pool(); }

/// Sets the devices that compute from now on. Releases the plans for other devices.
inline void use(const Pool& pool) { detail::Process::get().use(pool); }

/// Returns the number of transforms of boxes that this rank has computed so far.
inline std::size_t computed() { return detail::Process::get().computed; }

}  // namespace imago::heffte_backend
