// This file is `imago transform`: it computes the spectrum of an array or a recording, draws it and
// checks it.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis.hpp"
#include "base/half.hpp"
#include "base/system.hpp"
#include "catalogue/catalogue.hpp"
#include "command.hpp"
#include "compute.hpp"
#include "formats/file.hpp"
#include "interrupt.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "report_writer.hpp"
#include "session.hpp"
#include "signal.hpp"
#include "spectrum.hpp"
#include "transform_task.hpp"

namespace imago::command {
namespace {

struct TransformReport {
  std::string file, about, plan;
  bool explain = false;            ///< print the plan
  std::vector<std::string> notes;  ///< about padding, NaNs, half spectra
  device::Facts facts;
  Transform transform;
  double plan_seconds = 0, first_seconds = 0, seconds = 0;
  std::optional<CallTime> measured;
  std::optional<Check> check;
  Report strongest;
  std::string output, output_about, picture;  ///< empty: none
};

Report report_of(const Check& check, const Transform& transform) {
  const bool several = check.transforms > 1;
  Report report;
  report.line("check", "relative L2 error {}{} against FFTW in {}, bound {}: {}{}",
              Field::number("error", check.error, "{:.2e}"),
              several ? fmt::format(" of the worst of {} transforms", check.transforms) : "",
              transform.precision == Precision::f64 ? "long double" : "double",
              Field::number("bound", check.bound, "{:.2e}"),
              Field{"passed", check.passed(), check.passed() ? "passed" : "FAILED"},
              check.members < transform.batch
                  ? fmt::format(" ({} of the batch of {})", check.members, transform.batch)
                  : "");
  report.value("transforms", check.transforms);
  return report;
}

Report report_of(const TransformReport& found) {
  Report report;
  report.row("{}: {}", Field::plain("file", found.file), Field::plain("input", found.about));
  report.line("device", "{}", field_of(found.facts));
  report.line("transform", "{}", describe(found.transform));
  report.json.update(to_json(found.transform));
  report.value("notes", found.notes);
  report.lines("", found.notes);
  report.value("plan", found.plan);
  if (found.explain) report.lines("plan", lines_of(found.plan));
  add_times(report, found.plan_seconds, found.first_seconds, found.seconds);
  if (found.measured) report.part("measured", report_of(*found.measured));
  if (!found.strongest.text.empty()) report.append(found.strongest);
  if (found.check) report.part("check", report_of(*found.check, found.transform));
  add_file(report, "written", "output", found.output, found.output_about);
  add_file(report, "picture", "picture", found.picture);
  return report;
}

SpectrumInfo spectrum_info(const Signal& signal, const TransformTask& task,
                           const TransformSettings& settings, const device::Facts& facts) {
  SpectrumInfo info;
  info.captions = captions_of(
      formats::input_name(settings.file),
      fmt::format("{}; {} points{}{}", signal.about(), shape_text(task.transform.lengths),
                  task.frames > 1 ? fmt::format(" x {} frames", task.frames) : "",
                  settings.hann ? ", Hann window" : ""),
      facts);
  for (std::size_t row = 0; row < signal.rows(); ++row)
    info.row_names.push_back(signal.row_name(row));
  info.frames = task.frames;
  info.framing = task.framing;
  info.padded = (task.frames - 1) * task.framing.hop + task.framing.length > signal.samples();
  info.real = signal.real();
  info.half = task.transform.kind == Kind::real;
  info.full_scale = signal.full_scale();
  info.rate = signal.rate();
  info.centre = signal.centre();
  const std::size_t span = std::min(signal.samples(), task.framing.length);
  info.gain = scale_of(task.transform) * window_sum(task.window, span);
  info.lobe = {task.window, static_cast<double>(task.framing.length) / static_cast<double>(span)};
  info.view = settings.view;
  info.first = signal.first();
  info.bins();  // throws for a band without bins
  return info;
}

template <class Real>
std::vector<Real> framed_numbers(const Signal& signal, const TransformTask& task, bool real) {
  const auto values = cut(signal.values<Real>(), signal.rows(), task.framing, task.window);
  std::vector<Real> numbers;
  numbers.reserve(values.size() * (real ? 1 : 2));
  for (const std::complex<Real> value : values) {
    numbers.push_back(value.real());
    if (!real) numbers.push_back(value.imag());
  }
  return numbers;
}

/// Returns the input of the transform, in the device's format.
template <class Real>
std::vector<Real> numbers_of(const Signal& signal, const TransformTask& task, bool real) {
  const bool whole =
      task.frames == 1 && task.framing.length == signal.samples() && task.window == Window::none;
  auto numbers = whole ? signal.numbers<Real>(real) : framed_numbers<Real>(signal, task, real);
  if (task.transform.precision == Precision::f16) {
    for (Real& number : numbers) number = base::from_half(base::to_half(number));
  }
  return numbers;
}

/// Finds the tones and, on request, draws the 1-D transforms.
template <class Real>
std::string look(std::span<const std::complex<Real>> spectra, const SpectrumInfo& info,
                 TransformReport& report) {
  constexpr std::size_t kTones = 5;
  const Amplitudes values = amplitudes(spectra, info);
  report.strongest = strongest_of(values, info, kTones);
  return report.picture.empty() ? std::string() : picture(values, info);
}

/// Draws the first plane.
template <class Real>
std::string look_at_plane(std::span<const std::complex<Real>> spectra, const SpectrumInfo& lines,
                          const TransformTask& task) {
  PlaneInfo info;
  info.captions = lines.captions;
  if (task.transform.batch > 1)
    info.captions.subtitle += fmt::format(", the first of {}", task.transform.batch);
  info.rows = task.transform.lengths[0];
  info.columns = task.transform.lengths[1];
  info.half = lines.half;
  info.gain = lines.gain;
  return plane_picture(spectra, info);
}

/// NumPy has no complex float16 type, so the parts are another axis.
formats::Dtype result_type(const Transform& transform, std::vector<std::size_t>& shape) {
  using formats::Dtype;
  const bool real = writes_reals(transform);
  if (transform.precision == Precision::f16 && !real) shape.push_back(2);
  if (transform.precision == Precision::f16) return Dtype::float16;
  if (transform.precision == Precision::f32) return real ? Dtype::float32 : Dtype::complex64;
  return real ? Dtype::float64 : Dtype::complex128;
}

template <class Real>
void write(const std::vector<Real>& result, const std::string& drawing, const Signal& signal,
           const TransformTask& task, TransformReport& report) {
  const auto& interrupted = watch_interrupts();  // so that no incomplete file stays
  std::optional<formats::OutputFile> output, picture;
  if (!report.output.empty()) {
    std::vector<std::size_t> shape = output_shape(signal, task);
    const auto dtype = result_type(task.transform, shape);
    output.emplace(report.output);
    output->write(formats::npy_header(dtype, shape));
    if (task.transform.precision == Precision::f16) {
      const auto data = to_device(result, task.transform.precision);
      output->write({reinterpret_cast<const char*>(data.data()), data.size()});
    } else {
      output->write({reinterpret_cast<const char*>(result.data()), result.size() * sizeof(Real)});
    }
    report.output_about = formats::name(dtype) + " of shape " + formats::tuple_text(shape);
  }
  if (!report.picture.empty()) {
    picture.emplace(report.picture);
    picture->write(drawing);
  }
  if (interrupted) throw Failure("interrupted");
  if (output) output->commit();
  if (picture) picture->commit();
}

/// Notes NaNs and infinities: they make the whole result non-finite, so that no check is possible.
template <class Real>
void look_for_nans(const std::vector<Real>& numbers, const TransformSettings& settings,
                   TransformReport& report) {
  const auto finite = [](Real number) { return std::isfinite(number); };
  const auto first = std::find_if_not(numbers.begin(), numbers.end(), finite);
  if (first == numbers.end()) return;
  const auto bad = static_cast<std::size_t>(
      std::count_if(first, numbers.end(), [&](Real number) { return !finite(number); }));
  const std::string what =
      fmt::format("the input has {} that {} NaN or infinite as {}, the first is number {}",
                  counted(bad, "number"), bad == 1 ? "is" : "are", word(report.transform.precision),
                  first - numbers.begin());
  if (settings.check)
    throw Failure(fmt::format("{}: {}; --check needs finite numbers", report.file, what));
  report.notes.push_back(what);
}

/// Notes finite numbers whose sums are not finite.
template <class Real>
void note_overflow(const std::vector<Real>& result, TransformReport& report) {
  const auto bad = std::count_if(result.begin(), result.end(),
                                 [](Real number) { return !std::isfinite(number); });
  if (bad > 0)
    report.notes.push_back(
        fmt::format("the result has {} that {} NaN or infinite: the input is too large for {}",
                    counted(static_cast<std::size_t>(bad), "number"), bad == 1 ? "is" : "are",
                    word(report.transform.precision)));
}

constexpr std::size_t kMostNumbers = std::size_t{1} << 23;  // numbers of a small array

template <class Real>
void compute_all(const TransformSettings& settings, const Signal& signal, const TransformTask& task,
                 const Session& session, TransformReport& report) {
  Progress progress;
  auto numbers = numbers_of<Real>(signal, task, reads_reals(task.transform));
  look_for_nans(numbers, settings, report);
  Options options = settings.options;
  // One call of a small array is not worth a compilation, except to describe or to measure its
  // kernels. Generic kernels need more memory for large arrays.
  if (!settings.time && !settings.explain && numbers.size() <= kMostNumbers)
    options.first_call = FirstCall::automatic;
  const Computed<Real> computed =
      compute(session, task.transform, options, numbers, settings.check, progress);
  report.plan = computed.plan;
  report.plan_seconds = computed.plan_seconds;
  report.first_seconds = computed.first_seconds;
  report.seconds = computed.seconds;
  if (settings.time) {
    progress.show("Measuring kernels");
    report.measured = measure_kernels(session, task.transform, settings.options);
  }
  if (settings.check) {
    report.check = check(task.transform, numbers, computed.result,
                         catalogue::uses_pairs(session.device, options), progress);
  }
  if (report.check && !report.check->passed()) {
    report.output.clear();  // a wrong result is not written
    report.picture.clear();
  }
  if (report.notes.size() == task.notes.size()) note_overflow(computed.result, report);
  std::string drawing;
  const Transform& transform = task.transform;
  if (!settings.problem.inverse && transform.axes.empty() && settings.fourier()) {
    const SpectrumInfo info = spectrum_info(signal, task, settings, report.facts);
    if (settings.dimensions == 1)
      drawing = look(complex_of(computed.result), info, report);
    else if (!report.picture.empty())
      drawing = look_at_plane(complex_of(computed.result), info, task);
  }
  write(computed.result, drawing, signal, task, report);
}

int run(const TransformSettings& settings) {
  require_sense(settings);
  // For float16, the last axis may be the parts of complex numbers.
  const bool spectrum = settings.problem.inverse && settings.fourier();
  const Signal signal(base::path_of(settings.file), settings.dimensions, spectrum,
                      settings.recording);
  const auto& lengths = signal.lengths();
  if (!settings.picture.empty() && *std::min_element(lengths.begin(), lengths.end()) < 2)
    throw Misuse("a picture needs at least two samples along each dimension");
  const TransformTask task = make_task(signal, settings);
  const Session session = open_session(settings.device, task.transform.precision);
  require_memory(session, task.transform);
  TransformReport report;
  report.file = formats::input_name(settings.file);
  report.about = signal.about();
  report.notes = task.notes;
  report.facts = reported_facts_of(session.device);
  report.transform = task.transform;
  report.output = settings.output;
  report.picture = settings.picture;
  report.explain = settings.explain;
  const auto work =
      task.transform.precision == Precision::f64 ? compute_all<double> : compute_all<float>;
  work(settings, signal, task, session, report);
  report_of(report).print(settings.json, settings.pipes() ? stderr : stdout);
  if (report.check && !report.check->passed())
    throw Failure("the error exceeds the bound; nothing was written");
  return kSuccess;
}

void add_cutting(CLI::App& sub, TransformSettings& settings) {
  add_count(sub, "--dimensions", "COUNT", settings.dimensions,
            "Transform the last COUNT axes; the others are a batch")
      ->capture_default_str();
  add_count(sub, "--length", "N", settings.length,
            "Cut into frames of N samples, zero-padding the last; with --kind real --inverse, "
            "N samples per row [twice the bins less 2]");
  add_count(sub, "--hop", "N", settings.hop, "Start a frame every N samples [the length]");
  sub.add_flag("--hann", settings.hann, "Multiply each frame by a Hann window");
  add_recording(sub, settings.recording);
  add_section(sub, settings.recording);
  add_view(sub, settings.view);
}

}  // namespace

Command transform_command(CLI::App& app) {
  const auto settings = std::make_shared<TransformSettings>();
  CLI::App* sub =
      app.add_subcommand("transform", "Transform an array (.npy) or a recording (.wav, ...)");
  sub->add_option("file", settings->file,
                  ".npy file (rows), recording (channels), or - for standard input; with "
                  "--inverse, float16 with a last axis of 2 is complex")
      ->required();
  named_file(sub->add_option("--output,-o", settings->output,
                             "Write the result as .npy, or to standard output (-); complex float16 "
                             "gets a last axis of 2"));
  named_file(sub->add_option("--picture", settings->picture, "Draw the spectrum as .svg"));
  sub->add_flag("--check", settings->check,
                "Check against FFTW; exit 1 if the error exceeds the bound");
  sub->add_flag("--time", settings->time, "Measure the device time of a call and its kernels");
  add_cutting(*sub, *settings);
  add_kinds(*sub, settings->problem.kinds, "real for real input, else complex");
  settings->precision = add_precision(*sub, settings->problem.precision);
  settings->precision->default_str("the file's, f32 or f64");
  add_placement(*sub, settings->problem.placement);
  add_norm(*sub, settings->problem);
  add_planning(*sub, settings->options);
  add_explain(*sub, settings->explain);
  add_device(*sub, settings->device);
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
