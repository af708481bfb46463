// This file turns a WelchTransform into the transforms that compute it.
#pragma once

#include <cstddef>

#include <imago/short_time_transform.hpp>
#include <imago/welch_transform.hpp>

#include "problem/computation.hpp"

namespace imago::signal {

/// Names of the arguments that the plan itself supplies; short_time.hpp has that of the window.
inline constexpr const char *kFirstFrameArgument = "first_frame",
                            *kConjugatedArgument = "welch_spectra",
                            *kWeightsArgument = "welch_weights";

/// Returns the short-time transform of all frames of the signal, or of the second one. Throws
/// InvalidArgument for a description that is not allowed.
ShortTimeTransform all_frames(const WelchTransform& description, bool other = false);

// The functions below need a description that passed all_frames().

/// Returns the layout of the results with its defaults filled in.
Layout result_layout(const WelchTransform& description);
/// Returns the transform of some frames of the first signal to their packed spectra.
problem::Computation kept_frames(const WelchTransform& description, std::size_t frames);
/// Returns the transform of some frames of the only or the second signal, which adds their squares,
/// or their products with the spectra of kept_frames(), to the first of `rows` sums.
problem::Computation added_frames(const WelchTransform& description, std::size_t frames,
                                  std::size_t rows);
/// Returns the transform that adds `count` times `left` sums to `left` of them, each multiplied by
/// one of `count` weights. If one is left, it is the result.
problem::Computation added_sums(const WelchTransform& description, std::size_t count,
                                std::size_t left);

}  // namespace imago::signal
