// This file decides how `imago transform` processes a signal: the transforms and the frames.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "analysis.hpp"
#include "options.hpp"
#include "signal.hpp"

namespace CLI {
class Option;
}

namespace imago::command {

struct TransformSettings {
  std::string file, device, output, picture;
  Problem problem;
  Options options;
  CLI::Option* precision = nullptr;  ///< to find out if it was given
  std::size_t dimensions = 1;
  std::size_t length = 0, hop = 0;  ///< 0: not given
  formats::RecordingOptions recording;
  View view;
  bool hann = false, check = false, time = false, explain = false, json = false;

  bool has_real_axis() const;
  /// True if all named axes are complex or real.
  bool fourier() const;
  /// True if the report goes to standard error, because a result goes to standard output.
  bool pipes() const;
};

/// The processing of a signal.
struct TransformTask {
  Framing framing;                 ///< framing of a 1-D batch element; otherwise all of its points
  std::size_t frames = 1;          ///< per row
  std::vector<std::string> notes;  ///< about padding and half spectra
  Transform transform;
  Window window = Window::none;
};

/// Throws Misuse if options contradict each other; reads no file.
void require_sense(const TransformSettings& settings);
/// Throws Misuse if options do not suit the signal.
TransformTask make_task(const Signal& signal, const TransformSettings& settings);
std::vector<std::size_t> output_shape(const Signal& signal, const TransformTask& task);

}  // namespace imago::command
