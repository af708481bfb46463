// This file holds the common parts of the OpenCL engines: one context and queue, the arrays of the
// measured case, and the clock. All engines transform the same buffers, so that memory favours
// none.
#pragma once

#include <complex>
#include <functional>
#include <vector>

#include <CL/opencl.hpp>

#include "bench/bench.hpp"
#include "bench/engine.hpp"
#include "bench/host_clock.hpp"

namespace imago::bench {

/// Throws DeviceError, with the call's name, if `code` is not CL_SUCCESS.
void check(cl_int code, const char* call);

class ClDevice {
 public:
  ClDevice(const cl::Device& device, Clock clock);

  const cl::Device& device() const { return device_; }
  const cl::Context& context() const { return context_; }
  const cl::CommandQueue& queue() const { return queue_; }
  bool is_cpu() const;
  Clock clock() const { return clock_; }                   ///< never automatic
  const std::string& clock_note() const { return note_; }  ///< reason for the choice of the clock

  /// Returns the reason why the arrays of a case do not fit; empty if they do.
  std::string refusal(const Case& problem) const;
  /// Makes the arrays of a case and uploads its signal.
  void set_case(const Case& problem, const Signal& signal);
  void load() const;  ///< copies the signal into data(), and waits
  const cl::Buffer& data() const { return data_; }
  /// Returns the output buffer; in place this is data().
  const cl::Buffer& result() const;
  /// Returns a buffer as large as data(), never the same.
  const cl::Buffer& other() const { return other_; }
  std::vector<double> read(std::size_t first, std::size_t count) const;

  void finish() const;
  /// Runs `enqueue` once untimed, then `calls` times back to back, and returns the seconds of
  /// these.
  double time(const std::function<void()>& enqueue, std::size_t calls) const;

 private:
  void make_queue(Clock clock);
  Clock consistent_clock();

  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  Clock clock_;
  std::string note_;
  Case problem_;
  cl::Buffer signal_, data_, other_;
};

/// Base class of the OpenCL engines' work: a plan is a way to enqueue one transform.
class ClWork : public Work {
 public:
  explicit ClWork(std::shared_ptr<ClDevice> device) : device_(std::move(device)) {}
  double plan_seconds() const override { return plan_seconds_; }
  void load() override { device_->load(); }
  void finish() override { device_->finish(); }
  double run(std::size_t calls) override;
  std::vector<double> read(std::size_t first, std::size_t count) override;

 protected:
  const ClDevice& device() const { return *device_; }
  void planned_in(double seconds) { plan_seconds_ = seconds; }

 private:
  std::shared_ptr<ClDevice> device_;
  double plan_seconds_ = 0;
};

}  // namespace imago::bench
