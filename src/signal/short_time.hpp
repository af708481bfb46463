// This file turns a ShortTimeTransform into the transforms that compute it.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include <imago/short_time_transform.hpp>

#include "problem/computation.hpp"
#include "problem/problem.hpp"

namespace imago::signal {

/// Names of the arguments that the plan itself supplies.
inline constexpr const char *kWindowArgument = "short_time_window",
                            *kDualArgument = "short_time_dual",
                            *kPhaseArgument = "short_time_phase";

/// The frames of a signal, with the defaults of the description filled in.
struct Framing {
  std::size_t axis = 0;     ///< the axis of samples
  std::size_t samples = 0;  ///< along the axis
  std::size_t length = 0;   ///< samples of a frame
  std::size_t points = 0;
  std::size_t hop = 0, before = 0;
  std::size_t frames = 0;

  std::size_t bins(Kind kind) const { return kind == Kind::real ? points / 2 + 1 : points; }
  /// True if a frame has more samples than points, and is folded (a polyphase channelizer).
  bool folds() const { return length > points; }
  /// Returns the number of factors of a frame that kernels read.
  std::size_t factors() const { return folds() ? length : points; }
  /// Returns the number of launches of the inverse. Frames p, p + phases(), ... share no sample.
  std::size_t phases() const;
  /// Returns the number of frames of a phase.
  std::size_t frames_of(std::size_t phase) const;
  /// True if the frames of phase 0 have all samples of the signal, each once.
  bool first_covers() const;
  /// Returns the number of samples that frames read, inside and outside of the signal.
  std::size_t reach() const { return (frames - 1) * hop + length; }
};

/// A copy of signals to an array with another layout and a border, or zeros in it.
struct SignalCopy {
  Precision precision = Precision::f32;
  Border border = Border::zeros;     ///< zeros: all that is written is 0
  std::vector<std::size_t> lengths;  ///< the batch, then the dimensions of the written array
  Layout from, to;                   ///< with the strides of these dimensions
  std::size_t axis = 0;              ///< the dimension of samples
  std::size_t samples = 0, before = 0;

  std::size_t apart() const { return from.strides[axis]; }  ///< elements from sample to sample
  std::size_t elements() const;
  std::size_t bytes() const;
};

/// Throws InvalidArgument for a description that is not allowed.
Framing check_short_time(const ShortTimeTransform& description);
/// Returns the canonical dual window. Throws InvalidArgument if there is none.
std::vector<std::complex<double>> dual_of(const std::vector<std::complex<double>>& window,
                                          std::size_t hop);

// The functions below need a description that passed check_short_time().

/// Return the layouts with their defaults filled in.
Layout signal_layout(const ShortTimeTransform& description);
Layout spectrum_layout(const ShortTimeTransform& description, const Framing& framing);
/// True if forward() reads the extended signal: with a border other than zeros, and of folded
/// frames that reach outside of the signal.
bool is_extended(const ShortTimeTransform& description);
/// Returns forward().
problem::Computation forward_frames(const ShortTimeTransform& description);
/// Returns the inverse of `frames` frames, frames_of() of some phase, which adds them to the
/// signal, or overwrites it. Its argument kPhaseArgument is the phase.
problem::Computation inverse_frames(const ShortTimeTransform& description, std::size_t frames,
                                    bool adds);
/// Returns the inverse of `d.frames` frames that share no sample, which overwrites them. It writes
/// no samples behind the window's.
problem::Computation separate_frames(const ShortTimeTransform& description);
/// Returns the signals as both sides of a problem that does nothing.
problem::Problem signals_of(const ShortTimeTransform& description);
/// Returns the copy that writes zeros to the signals.
SignalCopy cleared_signal(const ShortTimeTransform& description);
/// Returns the copy that writes the samples that frames read, with those of the border; but not
/// zeros, which must be in memory before.
SignalCopy extended_signal(const ShortTimeTransform& description);
/// Returns the bytes of the extended signal.
std::size_t extended_bytes(const ShortTimeTransform& description);

}  // namespace imago::signal
