// This file decides how `imago transform` processes a signal.
#include "transform_task.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "compute.hpp"
#include "formats/file.hpp"
#include "process.hpp"

namespace imago::command {
namespace {

bool is_fourier(Kind kind) { return kind == Kind::complex || kind == Kind::real; }

void require_sense_of_frames(const TransformSettings& settings) {
  const bool lined = settings.hop != 0 || settings.hann;
  // A half spectrum does not determine the length of the signal.
  const bool framed =
      lined || (settings.length != 0 && !(settings.problem.inverse && settings.has_real_axis()));
  if (settings.problem.inverse && framed)
    throw Misuse(
        "--inverse needs whole rows: omit --hop and --hann, and use --length only with --kind "
        "real");
  if (settings.dimensions > 1 && framed)
    throw Misuse("--dimensions above 1 needs whole arrays: omit --length, --hop and --hann");
  if (settings.hop != 0 && settings.length == 0)
    throw Misuse("--hop needs --length: give the samples of a frame");
  if (settings.hop > settings.length) {
    throw Misuse(fmt::format("--hop is {}: it must be at most the length, {}", settings.hop,
                             settings.length));
  }
}

/// Checks the kinds as far as possible; the number of axes is known only from the file.
void require_sense_of_kinds(const TransformSettings& settings) {
  const std::size_t axes = settings.problem.kinds.size();
  if (axes > 1 && axes != settings.dimensions)
    throw Misuse(fmt::format("--kind names {0} axes, but --dimensions is {1}: use --dimensions {0}",
                             axes, settings.dimensions));
}

void require_sense_of_outputs(const TransformSettings& settings) {
  require_other_files(settings.output, settings.picture, settings.file);
  require_ending("--output", settings.output, {".npy"});
  require_ending("--picture", settings.picture, {".svg"});
  if (settings.output == formats::kStandard && terminal_width(stdout))
    throw Misuse(
        "--output is -, but standard output is a terminal: redirect it to a file or a pipe");
}

/// Returns the length of the real signal whose half spectrum has `half` elements along the real
/// axis.
std::size_t length_of_half(std::size_t half, const TransformSettings& settings) {
  const std::size_t length = settings.length != 0 ? settings.length : 2 * (half - 1);
  if (length == 0) throw Misuse("one element is the half spectrum of one sample: use --length 1");
  if (length / 2 + 1 == half) return length;
  throw Misuse(
      fmt::format("--length is {}: rows of {} elements are half spectra of {} or {} samples",
                  length, half, 2 * half - 2, 2 * half - 1));
}

/// Divides rows into frames, or pads them as a whole.
void frame(const Signal& signal, const TransformSettings& settings, TransformTask& task) {
  const bool framed = settings.length != 0;
  task.framing.length = framed ? settings.length : signal.samples();
  const std::size_t most = longest_frame(signal.samples());
  if (task.framing.length > most)
    throw Misuse(fmt::format("--length is {}: {} samples allow at most {}, zero-padded",
                             task.framing.length, signal.samples(), most));
  task.framing.hop = settings.hop != 0 ? settings.hop : task.framing.length;
  task.frames = task.framing.count(signal.samples());
  task.window = settings.hann ? Window::hann : Window::none;
  const std::size_t covered = (task.frames - 1) * task.framing.hop + task.framing.length;
  if (framed && covered > signal.samples())
    task.notes.push_back(counted(covered - signal.samples(), "zero") + " after the last sample");
}

/// Completes the requested problem with the properties of the file.
Problem problem_of(const Signal& signal, const TransformSettings& settings) {
  Problem problem = settings.problem;
  if (problem.kinds.empty() && signal.real() && !problem.inverse) problem.kinds = {Kind::real};
  if (settings.precision->empty() && signal.wants_double()) problem.precision = Precision::f64;
  problem.shape = shape_text(signal.lengths());
  return problem;
}

}  // namespace

bool TransformSettings::has_real_axis() const {
  return std::count(problem.kinds.begin(), problem.kinds.end(), Kind::real) > 0;
}

bool TransformSettings::fourier() const {
  return std::all_of(problem.kinds.begin(), problem.kinds.end(), is_fourier);
}

bool TransformSettings::pipes() const {
  return output == formats::kStandard || picture == formats::kStandard;
}

void require_sense(const TransformSettings& settings) {
  require_sense_of_frames(settings);
  require_sense_of_kinds(settings);
  const auto& kinds = settings.problem.kinds;
  if (settings.has_real_axis() && kinds.back() != Kind::real)
    throw Misuse("--kind has real before the last axis: name real for the last axis only");
  if (!settings.fourier() && !settings.picture.empty())
    throw Misuse(
        "--picture draws spectra of complex and real axes, but --kind has others: omit --picture");
  if (settings.problem.inverse && !settings.picture.empty()) {
    throw Misuse("--picture draws a spectrum, but --inverse computes a signal: omit one of them");
  }
  if (settings.dimensions > 2 && !settings.picture.empty())
    throw Misuse("--picture draws spectra of one or two dimensions: use --dimensions 1 or 2");
  require_sense_of_outputs(settings);
}

TransformTask make_task(const Signal& signal, const TransformSettings& settings) {
  const bool half = settings.has_real_axis() && settings.problem.inverse;
  TransformTask task;
  task.transform = problem_of(signal, settings).transform();
  Transform& transform = task.transform;
  if (reads_reals(transform) && !signal.real())
    throw Misuse(fmt::format("{} is {}: --kind {} needs real numbers", settings.file,
                             signal.about(), kinds_text(transform)));
  if (signal.lengths().size() == 1 && !half) {
    frame(signal, settings, task);
    transform.lengths = {task.framing.length};
  } else {
    task.framing = {signal.samples(), signal.samples()};
    if (half) transform.lengths.back() = length_of_half(transform.lengths.back(), settings);
  }
  transform.batch = signal.rows() * task.frames;
  if (transform.kind == Kind::real && !settings.problem.inverse)
    task.notes.push_back(fmt::format(
        "real input: {} of {} points of the spectrum are stored, the others are their conjugates",
        transform.lengths.back() / 2 + 1, transform.lengths.back()));
  return task;
}

std::vector<std::size_t> output_shape(const Signal& signal, const TransformTask& task) {
  std::vector<std::size_t> shape = signal.leading();
  if (task.frames > 1) shape.push_back(task.frames);
  const auto member = shape_written(task.transform);
  shape.insert(shape.end(), member.begin(), member.end());
  return shape;
}

}  // namespace imago::command
