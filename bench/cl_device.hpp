// This file is what the OpenCL engines share: one context and queue, the arrays of the case that is
// measured, and the clock. All of them transform the same buffers, so memory favours none.
#pragma once

#include <complex>
#include <functional>
#include <vector>

#include <CL/opencl.hpp>

#include "bench/bench.hpp"
#include "bench/engine.hpp"
#include "bench/host_clock.hpp"

namespace imago::bench {

/// Throws DeviceError, with the call's name, where `code` is not CL_SUCCESS.
void check(cl_int code, const char* call);

class ClDevice {
 public:
  ClDevice(const cl::Device& device, Clock clock);

  const cl::Device& device() const { return device_; }
  const cl::Context& context() const { return context_; }
  const cl::CommandQueue& queue() const { return queue_; }
  bool is_cpu() const;
  Clock clock() const { return clock_; }                   ///< never automatic
  const std::string& clock_note() const { return note_; }  ///< why it is that one

  /// Why the arrays of a case do not fit; empty where they do.
  std::string refusal(const Case& problem) const;
  /// Makes the arrays of a case and uploads its signal.
  void set_case(const Case& problem, const Signal& signal);
  void load() const;  ///< the signal into data(), and waits
  const cl::Buffer& data() const { return data_; }
  /// What a transform writes: data() in place.
  const cl::Buffer& result() const;
  /// As many bytes as data(), never the same.
  const cl::Buffer& other() const { return other_; }
  std::vector<double> read(std::size_t first, std::size_t count) const;

  void finish() const;
  /// One call of `enqueue` that is not timed, then `calls` of them back to back; in seconds.
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

/// Base of the OpenCL engines' work: a plan is a way to enqueue one transform.
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
