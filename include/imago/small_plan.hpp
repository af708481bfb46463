// This file plans small transforms of arrays in host memory, which functions compute that were
// generated when imago was built: without OpenCL, a device or a launch.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <imago/export.hpp>
#include <imago/host_array.hpp>
#include <imago/transform.hpp>

namespace imago {

/// A plan of a small transform for the processor that runs the program. The functions of fft.hpp
/// and HostPlan use it by themselves (docs/small.md). Every member may be called from many threads
/// at once, and in a process that was forked. Movable; after a move, only a new value may be
/// assigned to the old plan.
///
/// @code
/// std::vector<std::complex<float>> signal(1024), spectrum(1024);
/// if (const auto plan = imago::SmallPlan::make({.lengths = {1024}}))
///   plan->forward(signal, spectrum);
/// @endcode
class IMAGO_API SmallPlan {
 public:
  /// Returns the plan; nothing if imago has no functions for the transform or for this processor.
  /// That is so for f16, hooks and planar storage. Throws InvalidArgument for a
  /// description that is wrong, and Unsupported for a limit of imago.
  static std::optional<SmallPlan> make(const Transform& transform);
  /// Returns the plan if imago's functions for host arrays would use it. Returns nothing, too, if a
  /// device is predicted to be faster, or if the environment selects a device or its kernels:
  /// IMAGO_SMALL is 0, or IMAGO_DEVICE or IMAGO_FIRST_CALL is set. Throws as make().
  static std::optional<SmallPlan> make_preferred(const Transform& transform);
  ~SmallPlan();
  SmallPlan(SmallPlan&&) noexcept;
  SmallPlan& operator=(SmallPlan&&) noexcept;

  /// Computes the spectrum of the signal, out of place. Arrays have the layout of the transform.
  /// Throws InvalidArgument for the arrays that HostPlan rejects, and changes nothing then.
  void forward(const ConstHostArray& signal, const HostArray& spectrum) const;
  void forward(const HostArray& data) const;  ///< computes the spectrum in place
  /// Computes the signal of a spectrum, out of place. Throws as forward().
  void inverse(const ConstHostArray& spectrum, const HostArray& signal) const;
  void inverse(const HostArray& data) const;  ///< computes the signal in place

  /// Predicted seconds of one call, of the slower direction. A launch on a CPU takes about 1e-5.
  double seconds() const;
  std::size_t signal_bytes() const;    ///< bytes of the smallest array for signals
  std::size_t spectrum_bytes() const;  ///< bytes of the smallest array for spectra
  /// Returns the instruction set of the functions, such as "x86-64-v3".
  static std::string instruction_set();

 private:
  friend class HostPlan;
  struct State;
  explicit SmallPlan(std::unique_ptr<const State> state);
  static std::optional<SmallPlan> make(const Transform& transform, bool preferred);
  std::unique_ptr<const State> state_;
};

}  // namespace imago
