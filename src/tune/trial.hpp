// This file runs candidates of one problem on a device: it builds them, verifies their results
// against the host's transform and times them.
#pragma once

#include <complex>
#include <cstddef>
#include <deque>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/plan.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "tune/verdict.hpp"

namespace imago::tune {

/// Whether so much work is timed by the host's clock: always on a CPU. What a call of microseconds
/// takes is mostly its launches, and a queue with profiling makes these slower (6.7 and 12.2 us a
/// call of 1024 points on an H200).
bool by_host_clock(const device::Facts& facts, std::uint64_t points);

class Trial {
 public:
  /// `transform` is what is timed, forward and packed; `options` say where kernels are cached.
  Trial(const cl::Context& context, const cl::Device& device, Transform transform, Options options);

  /// Compiles a candidate into the cache and runs nothing.
  void build(const Parameters& candidate);
  /// Seconds of one call: back to back calls for about `seconds`, by the device's clock; by the
  /// host's on a CPU and where the work does not fill the device. Before a candidate's first timing
  /// every result of a smaller batch is compared with the host's transform, and what lies beside
  /// the arrays must not have changed. Throws Error.
  double time(const Parameters& candidate, double seconds);

 private:
  struct Contender {
    Parameters parameters;
    std::unique_ptr<Plan> plan;
  };
  struct Arrays {
    cl::Buffer in, out;  ///< in place they are one buffer
  };

  std::size_t points() const;
  std::size_t logical_points() const;
  void make_data();
  Plan make(const Parameters& candidate, std::size_t batch) const;
  const Plan& contender(const Parameters& candidate);
  void verify(const Parameters& candidate);
  Frame signal_frame(std::size_t batch) const;  ///< of real data in place that of the spectrum
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
  bool host_clock_ = false;  ///< else the device's
  std::size_t small_batch_;  ///< that is verified: odd, so that tiles have a rest
  std::vector<std::complex<double>> members_, spectra_;  ///< as in memory, kMembers, in turns
  Arrays timed_;
  std::deque<Contender> contenders_;  ///< verified; the oldest goes first
};

}  // namespace imago::tune
