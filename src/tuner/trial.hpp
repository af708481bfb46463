// This file runs candidates of one problem on a device. It builds them, verifies their results
// against the host's transform and times them.
#pragma once

#include <complex>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/plan.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "tuner/judge.hpp"
#include "tuner/verdict.hpp"

namespace imago::tuner {

/// True if this amount of work is timed by the host's clock, which is always so on a CPU. A call of
/// microseconds consists mostly of launches, and a queue with profiling makes them slower (6.7 and
/// 12.2 us a call of 1024 points on an H200).
bool by_host_clock(const device::Facts& facts, std::uint64_t points);

class Trial {
 public:
  /// `transform` is the timed transform, forward and packed; `options` specify the kernel cache.
  Trial(const cl::Context& context, const cl::Device& device, Transform transform, Options options);

  /// Compiles a candidate into the cache without running it. Without a cache on disk, keeps its
  /// plan, so that the context keeps the kernels. Several threads may call it.
  void build(const Parameters& candidate);
  /// Returns the seconds of one call, from the fastest of a few series of back-to-back calls. Uses
  /// device time, but the host's
  /// clock on a CPU and if the work does not load the device fully. Before a candidate's first
  /// timing, compares every result of a smaller batch with the host's transform, and checks that
  /// the memory next to the arrays is unchanged. Does not use Timing::patience. Throws Error.
  double time(const Parameters& candidate, const Timing& timing);
  /// Returns the bytes of the arrays, as soon as there are any.
  std::size_t bytes() const;

 private:
  struct Contender {
    Parameters parameters;
    std::unique_ptr<Plan> plan;
  };
  struct Arrays {
    cl::Buffer in, out;  ///< one buffer if in place
  };

  std::size_t points() const;
  std::size_t logical_points() const;
  void make_data();
  Plan make(const Parameters& candidate, std::size_t batch) const;
  const Plan& contender(const Parameters& candidate);
  void verify(const Plan& plan);                ///< a plan of small_batch_
  Frame signal_frame(std::size_t batch) const;  ///< for real data in place, the frame of the
                                                ///< spectrum
  Frame spectrum_frame(std::size_t batch) const;
  cl::Buffer upload(const std::vector<std::byte>& host) const;
  Arrays make_arrays(std::size_t batch) const;
  void enqueue(const Plan& plan, const Arrays& arrays, cl::Event* done = nullptr) const;
  double run(const Plan& plan, std::size_t calls);

  cl::Context context_;
  cl::Device device_;
  cl::CommandQueue queue_;
  Transform transform_;
  Options options_;
  bool host_clock_ = false;  ///< true: host's clock; false: device time
  std::size_t small_batch_;  ///< size of the verified batch; odd, so that tiles have a remainder
  std::vector<std::complex<double>> members_, spectra_;  ///< as in memory; kMembers signals that
                                                         ///< repeat
  Arrays timed_;
  std::mutex mutex_;
  std::vector<Plan> built_;           ///< plans whose kernels are in no file
  std::deque<Contender> contenders_;  ///< verified plans; the oldest is evicted first
};

}  // namespace imago::tuner
