// This file plans spectra that are averaged over overlapping frames.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>
#include <imago/welch_transform.hpp>

namespace imago {

/// An immutable, movable plan of an averaged spectrum. Its kernels add the squares of a group of
/// frames to as many sums as they store them, without atomic operations, group after group. Two
/// more launches add the sums. No memory is needed for the spectra of all frames: each call
/// allocates a few megabytes, whatever the length of the signal. Every member may be called from
/// many threads at once.
///
/// @code
/// // The power spectrum of a minute at 48 kHz, with frames that overlap by a half.
/// const std::vector<std::complex<double>> ones(1024, 1.0);
/// const imago::WelchPlan plan(context, device,
///                             {.lengths = {2880000}, .window = ones, .hop = 512});
/// plan.power(queue, signal, spectrum);  // 513 numbers
/// @endcode
class IMAGO_API WelchPlan {
 public:
  /// Makes the plan. Throws InvalidArgument for a description that is not allowed, for signals
  /// shorter than the window, and for Options::recipe, which belongs to one Plan. Otherwise throws
  /// as Plan's constructor.
  WelchPlan(const cl::Context& context, const cl::Device& device, WelchTransform transform,
            const Options& options = {});
  /// Predicts what power() or cross() needs, without building a kernel. Throws as the constructor.
  static Estimate estimate(const cl::Device& device, const WelchTransform& transform,
                           const Options& options = {});
  ~WelchPlan();
  WelchPlan(WelchPlan&&) noexcept;
  WelchPlan& operator=(WelchPlan&&) noexcept;

  /// Computes the mean of |X|^2, real numbers. Enqueues, returns and throws as Plan::forward().
  void power(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
             const Call& call = {}) const;
  /// Computes the mean of conj(X) Y, complex numbers. Enqueues, returns and throws as
  /// Plan::forward().
  void cross(const cl::CommandQueue& queue, const Array& signal, const Array& other,
             const Array& spectrum, const Call& call = {}) const;

  bool ready() const;  ///< true if calls use kernels for this transform (Plan::ready())
  /// Waits for these kernels, as Plan::wait() does.
  bool wait(std::chrono::milliseconds most = std::chrono::hours(24)) const;

  const WelchTransform& transform() const;  ///< the description that the constructor was given
  std::size_t frames() const;               ///< number of frames of a signal
  std::size_t bins() const;                 ///< number of bins
  std::size_t signal_bytes() const;         ///< bytes of the smallest buffer for the signals
  std::size_t other_bytes() const;          ///< bytes of the smallest buffer for the second signals
  std::size_t spectrum_bytes() const;       ///< bytes of the smallest buffer for the results
  Layout signal_layout() const;         ///< the layout of the signal with its defaults filled in
  Layout other_layout() const;          ///< layout of the second signal
  Layout spectrum_layout() const;       ///< layout of the results; the stride of the bins is last
  std::size_t sum_bytes() const;        ///< bytes that each call allocates
  std::size_t workspace_bytes() const;  ///< bytes of the workspace; 0 if none is needed
  std::size_t table_bytes() const;      ///< bytes of constant tables, which plans share
  /// Returns a description of each of its plans, in the form of Plan::describe().
  std::string describe() const;
  std::vector<KernelSource> sources() const;  ///< all kernels
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<const State> state_;
};

}  // namespace imago
