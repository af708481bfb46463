// This file copies signals to arrays with another layout, with their border, or writes zeros, by
// hand-written kernels that serve all shapes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "runtime/sequence.hpp"
#include "runtime/stage_kernels.hpp"
#include "runtime/target.hpp"
#include "signal/short_time.hpp"

namespace imago::api {

/// Returns the kernel of a copy. Copies with Border::zeros write zeros.
kernel::Handmade copy_kernel(const signal::SignalCopy& copy, const device::Facts& facts);

class SignalCopier {
 public:
  /// Throws as Plan's constructor.
  SignalCopier(const runtime::Target& target, signal::SignalCopy copy, const Options& options);

  /// Returns the commands of a copy between checked arrays. One that writes zeros reads nothing.
  std::vector<runtime::KernelLaunch> launches(const Array& from, const Array& to) const;
  std::string describe() const;
  const runtime::StageKernels<Border>& kernels() const { return kernels_; }
  std::size_t table_bytes() const;
  std::size_t bytes() const { return copy_.bytes(); }  ///< SignalCopy::bytes()

 private:
  signal::SignalCopy copy_;
  runtime::StageKernels<Border> kernels_;
  runtime::Handle<cl_mem> rows_;  ///< argument `rows` of the kernel
};

/// Predicts a call, without building the kernel.
Estimate estimate(const cl::Device& device, const signal::SignalCopy& copy, const Options& options);

}  // namespace imago::api
