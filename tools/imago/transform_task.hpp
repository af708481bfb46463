// This file decides what `imago transform` does with a signal: which transforms, of which frames.
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
  CLI::Option* precision = nullptr;  ///< whether it was given
  std::size_t dimensions = 1;
  std::size_t length = 0, hop = 0;  ///< 0: not given
  double rate = 0;                  ///< 0: the file's
  bool hann = false, check = false, time = false, explain = false, json = false;

  bool has_real_axis() const;
  /// Whether all axes that are named are complex or real ones.
  bool fourier() const;
  /// Whether the report goes to standard error, as a result takes standard output.
  bool pipes() const;
};

/// What is done with a signal.
struct TransformTask {
  Framing framing;                 ///< of a member that is one line; else all of its points
  std::size_t frames = 1;          ///< of a row
  std::vector<std::string> notes;  ///< about padding and half spectra
  Transform transform;
  Window window = Window::none;
};

/// Throws Misuse for options that do not fit each other; no file is read.
void require_sense(const TransformSettings& settings);
/// Throws Misuse for options that do not fit the signal.
TransformTask make_task(const Signal& signal, const TransformSettings& settings);
std::vector<std::size_t> output_shape(const Signal& signal, const TransformTask& task);

}  // namespace imago::command
