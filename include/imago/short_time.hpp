// This file plans short-time Fourier transforms, and their inverse.
#pragma once

#include <chrono>
#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>
#include <imago/short_time_transform.hpp>

namespace imago {

/// An immutable, movable plan of a short-time Fourier transform. forward() is one plan with
/// overlapping frames. inverse() adds frames to the signal as its kernels store them, without
/// atomic operations and without memory for frames: those that share no sample run together, which
/// takes ceil(frame / hop) launches. Every member may be called from many threads at once.
///
/// @code
/// // A minute at 48 kHz, in frames of 1024 samples that start every 256.
/// const std::vector<std::complex<double>> ones(1024, 1.0);
/// const imago::ShortTimePlan plan(context, device,
///                                 {.lengths = {2880000}, .window = ones, .hop = 256});
/// plan.forward(queue, signal, spectrum);  // spectrum[frame][bin]
/// plan.inverse(queue, spectrum, signal);
/// @endcode
class IMAGO_API ShortTimePlan {
 public:
  /// Makes the plan. Throws InvalidArgument for a description that is not allowed, for a window
  /// without a dual window if inverse() needs one, and for Options::recipe, which belongs to one
  /// Plan. Otherwise throws as Plan's constructor.
  ShortTimePlan(const cl::Context& context, const cl::Device& device, ShortTimeTransform transform,
                const Options& options = {});
  /// Predicts what forward() needs, or inverse() if that is the only direction, without building a
  /// kernel. The workspace and tables are those of the plan. Throws as the constructor.
  static Estimate estimate(const cl::Device& device, const ShortTimeTransform& transform,
                           const Options& options = {});
  ~ShortTimePlan();
  ShortTimePlan(ShortTimePlan&&) noexcept;
  ShortTimePlan& operator=(ShortTimePlan&&) noexcept;

  /// Computes the spectra of the frames. Enqueues, returns and throws as Plan::forward(). With a
  /// border other than zeros, each call allocates memory for the extended signal.
  void forward(const cl::CommandQueue& queue, const Array& signal, const Array& spectra,
               const Call& call = {}) const;
  /// Computes the signal whose frames have these spectra, or the nearest signal if there is none.
  /// Enqueues, returns and throws as Plan::forward().
  void inverse(const cl::CommandQueue& queue, const Array& spectra, const Array& signal,
               const Call& call = {}) const;

  bool ready() const;  ///< true if calls use kernels for this transform (Plan::ready())
  /// Waits for these kernels, as Plan::wait() does.
  bool wait(std::chrono::milliseconds most = std::chrono::hours(24)) const;

  const ShortTimeTransform& transform() const;  ///< the description that the constructor was given
  std::size_t frames() const;                   ///< number of frames of a signal
  std::size_t bins() const;                     ///< number of bins of a frame
  std::size_t before() const;  ///< number of samples by which frame 0 starts before the signal
  /// Returns the window of inverse(); empty if there is only forward().
  const std::vector<std::complex<double>>& dual() const;
  std::size_t signal_bytes() const;     ///< bytes of the smallest buffer for the signals
  std::size_t spectrum_bytes() const;   ///< bytes of the smallest buffer for the spectra
  Layout signal_layout() const;         ///< the layout of the signal with its defaults filled in
  Layout spectrum_layout() const;       ///< the layout of the spectra with its defaults filled in
  std::size_t workspace_bytes() const;  ///< bytes of the workspace; 0 if none is needed
  std::size_t table_bytes() const;      ///< bytes of constant tables, which plans share
  /// Returns a description of each of its plans, in the form of Plan::describe().
  std::string describe() const;
  std::vector<KernelSource> sources() const;  ///< kernels of both directions
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<const State> state_;
};

/// Returns the canonical dual window: window[j] / sum_i |window[j + i hop]|^2, over all frames i
/// that share the sample (Griffin and Lim 1984, equation 6). Throws InvalidArgument if there is
/// none: a hop of 0 or longer than the window, or samples whose factors are all 0.
IMAGO_API std::vector<std::complex<double>> dual_window(
    const std::vector<std::complex<double>>& window, std::size_t hop);

}  // namespace imago
