// This file is `imago transform`: the spectrum of an array or a recording, its picture and its
// check.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "analysis.hpp"
#include "base/half.hpp"
#include "base/integers.hpp"
#include "command.hpp"
#include "compute.hpp"
#include "formats/file.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "plan/planner.hpp"
#include "session.hpp"
#include "signal.hpp"
#include "spectrum.hpp"

namespace imago::command {
namespace {

namespace fs = std::filesystem;

struct Settings {
  std::string file, device, output, picture;
  Problem problem;
  Options options;
  CLI::Option* precision = nullptr;  ///< whether it was given
  std::size_t dimensions = 1;
  std::size_t length = 0, hop = 0;  ///< 0: not given
  double rate = 0;                  ///< 0: the file's
  bool hann = false, check = false, json = false;
};

/// A frame may be longer than the signal, for a finer spectrum: so many times, or so many samples.
constexpr std::size_t kMostPadding = 64, kShortFrame = std::size_t{1} << 20;

/// What is done with a signal.
struct Task {
  Framing framing;         ///< of a member that is one line; else all of its points
  std::size_t frames = 1;  ///< of a row
  std::string note;        ///< about padding; else empty
  Transform transform;
  Window window = Window::none;
};

bool is_real(const Settings& settings) { return settings.problem.kind == Kind::real; }
/// Cosine and sine transforms: from real numbers to real numbers.
bool is_trigonometric(Kind kind) { return kind != Kind::complex && kind != Kind::real; }
bool takes_reals(const Problem& problem) {
  return is_trigonometric(problem.kind) || (problem.kind == Kind::real && !problem.inverse);
}

void require_sense_of_frames(const Settings& settings) {
  const bool lined = settings.hop != 0 || settings.hann;
  // Of a half spectrum the length of the signal cannot be told for sure.
  const bool framed =
      lined || (settings.length != 0 && !(settings.problem.inverse && is_real(settings)));
  if (settings.problem.inverse && framed)
    throw Misuse(
        "--inverse takes whole rows: no --hop, --hann, and --length only with --kind real");
  if (settings.dimensions > 1 && framed)
    throw Misuse("--dimensions of more than 1 take whole arrays: no --length, --hop, --hann");
  if (settings.hop != 0 && settings.length == 0) throw Misuse("--hop needs --length");
  if (settings.hop > settings.length) {
    throw Misuse(fmt::format("hop is {}: at most the length, {}", settings.hop, settings.length));
  }
}

void require_sense(const Settings& settings) {
  require_sense_of_frames(settings);
  if (is_trigonometric(settings.problem.kind) && !settings.picture.empty())
    throw Misuse(fmt::format("--kind is {}, and --picture draws spectra of complex and real",
                             word(settings.problem.kind)));
  if (settings.problem.inverse && !settings.picture.empty()) {
    throw Misuse("--inverse gives a signal, and --picture draws a spectrum");
  }
  if (settings.dimensions > 2 && !settings.picture.empty())
    throw Misuse("--picture draws spectra of one or two dimensions");
  for (const std::string& output : {settings.output, settings.picture}) {
    std::error_code missing;
    if (!output.empty() && fs::equivalent(output, settings.file, missing)) {
      throw Misuse(output + " is the input: name another file for the result");
    }
  }
  if (!settings.output.empty() && settings.output == settings.picture) {
    throw Misuse("--output and --picture name the same file");
  }
}

/// Of the real signal whose half spectrum the rows of `signal` are.
std::size_t length_of_half(const Signal& signal, const Settings& settings) {
  const std::size_t half = signal.lengths().back();
  const std::size_t length = settings.length != 0 ? settings.length : 2 * (half - 1);
  if (length == 0) throw Misuse("one element is the half spectrum of one sample: say --length 1");
  if (length / 2 + 1 == half) return length;
  throw Misuse(
      fmt::format("--length is {}: rows of {} elements are half spectra of {} or {} samples",
                  length, half, 2 * half - 2, 2 * half - 1));
}

/// Lines that are cut into frames, or padded as a whole.
void frame(const Signal& signal, const Settings& settings, Task& task) {
  const bool framed = settings.length != 0;
  task.framing.length = framed ? settings.length : signal.samples();
  const std::size_t most = std::max(kShortFrame, kMostPadding * signal.samples());
  if (task.framing.length > most)
    throw Misuse(fmt::format("--length is {}: of {} samples at most {}, with zeros after them",
                             task.framing.length, signal.samples(), most));
  task.framing.hop = settings.hop != 0 ? settings.hop : task.framing.length;
  task.frames = task.framing.count(signal.samples());
  task.window = settings.hann ? Window::hann : Window::none;
  const std::size_t covered = (task.frames - 1) * task.framing.hop + task.framing.length;
  if (framed && covered > signal.samples()) {
    task.note = fmt::format("{} zeros after the last sample", covered - signal.samples());
  }
}

Task make_task(const Signal& signal, const Settings& settings) {
  const bool half = is_real(settings) && settings.problem.inverse;
  if (takes_reals(settings.problem) && !signal.real()) {
    throw Misuse(fmt::format("{} is {}: --kind {} takes real numbers", settings.file,
                             signal.about(), word(settings.problem.kind)));
  }
  Task task;
  Problem problem = settings.problem;
  if (settings.precision->empty() && signal.wants_double()) problem.precision = Precision::f64;
  problem.shape = shape_text(signal.lengths());
  task.transform = problem.transform();
  if (signal.lengths().size() == 1 && !half) {
    frame(signal, settings, task);
    task.transform.lengths = {task.framing.length};
  } else {
    task.framing = {signal.samples(), signal.samples()};
    if (half) task.transform.lengths.back() = length_of_half(signal, settings);
  }
  task.transform.batch = signal.rows() * task.frames;
  return task;
}

std::vector<std::size_t> output_shape(const Signal& signal, const Task& task) {
  std::vector<std::size_t> shape = signal.leading();
  if (task.frames > 1) shape.push_back(task.frames);
  shape.insert(shape.end(), task.transform.lengths.begin(), task.transform.lengths.end());
  const bool inverse = task.transform.directions == Directions::inverse;
  if (task.transform.kind == Kind::real && !inverse) shape.back() = shape.back() / 2 + 1;
  return shape;
}

SpectrumInfo spectrum_info(const Signal& signal, const Task& task, const Settings& settings,
                           const device::Facts& facts) {
  SpectrumInfo info;
  info.title = fs::path(settings.file).filename().string();
  info.subtitle =
      fmt::format("{}; {} points{}{}", signal.about(), shape_text(task.transform.lengths),
                  task.frames > 1 ? fmt::format(" x {} frames", task.frames) : "",
                  settings.hann ? ", Hann window" : "");
  info.footer = fmt::format("by imago on {}", facts.name);
  for (std::size_t row = 0; row < signal.rows(); ++row)
    info.row_names.push_back(signal.row_name(row));
  info.frames = task.frames;
  info.framing = task.framing;
  info.real = signal.real();
  info.half = task.transform.kind == Kind::real;
  info.full_scale = signal.recording();
  info.rate = settings.rate > 0 ? settings.rate : signal.rate();
  info.gain = scale_of(task.transform) *
              window_sum(task.window, std::min(signal.samples(), task.framing.length));
  return info;
}

/// All that the report says.
struct Report {
  std::string file, about, note, plan;
  device::Facts facts;
  Transform transform;
  double plan_seconds = 0, first_seconds = 0, seconds = 0;
  std::optional<Check> check;
  std::vector<Tone> tones;
  bool in_hertz = false;
  std::string level_unit;
  std::string output, output_about, picture;
};

void print(const Report& report) {
  fmt::print("{}: {}\n", report.file, report.about);
  fmt::print("device     {}\ntransform  {}\n", describe(report.facts), describe(report.transform));
  if (!report.note.empty()) fmt::print("           {}\n", report.note);
  std::string plan = report.plan;
  while (plan.ends_with('\n')) plan.pop_back();
  for (std::size_t at = 0; (at = plan.find('\n', at)) != std::string::npos; at += 12) {
    plan.replace(at, 1, "\n           ");
  }
  fmt::print("plan       {}\n", plan);
  fmt::print("time       {} (first call {}, plan made in {})\n", seconds_text(report.seconds),
             seconds_text(report.first_seconds), seconds_text(report.plan_seconds));
  const char* label = "strongest";
  for (const Tone& tone : report.tones) {
    fmt::print("{:<10} {:>10.{}f} {} {:>8.1f} {}\n", label, tone.frequency, report.in_hertz ? 1 : 6,
               report.in_hertz ? "Hz" : "cycles per sample", tone.decibels, report.level_unit);
    label = "";
  }
  if (report.check) {
    fmt::print("check      relative L2 error {:.2e} against FFTW in {}, bound {:.2e}: {}{}\n",
               report.check->error,
               report.transform.precision == Precision::f64 ? "long double" : "double",
               report.check->bound, report.check->passed() ? "passed" : "FAILED",
               report.check->transforms < report.transform.batch
                   ? fmt::format(" ({} of {} transforms)", report.check->transforms,
                                 report.transform.batch)
                   : "");
  }
  if (!report.output.empty())
    fmt::print("written    {} ({})\n", report.output, report.output_about);
  if (!report.picture.empty()) fmt::print("picture    {}\n", report.picture);
}

nlohmann::json json_of(const Report& report) {
  nlohmann::json json{{"file", report.file},
                      {"input", report.about},
                      {"device", to_json(report.facts)},
                      {"kind", word(report.transform.kind)},
                      {"lengths", report.transform.lengths},
                      {"batch", report.transform.batch},
                      {"precision", word(report.transform.precision)},
                      {"placement", word(report.transform.placement)},
                      {"norm", word(report.transform.norm)},
                      {"inverse", report.transform.directions == Directions::inverse},
                      {"padding", report.note},
                      {"plan", report.plan},
                      {"seconds",
                       {{"plan", report.plan_seconds},
                        {"first_call", report.first_seconds},
                        {"call", report.seconds}}}};
  for (const Tone& tone : report.tones) {
    json["strongest"].push_back({{report.in_hertz ? "hertz" : "cycles_per_sample", tone.frequency},
                                 {"decibels", tone.decibels}});
  }
  if (report.check) {
    json["check"] = {{"error", report.check->error},
                     {"bound", report.check->bound},
                     {"transforms", report.check->transforms},
                     {"passed", report.check->passed()}};
  }
  if (!report.output.empty()) json["output"] = report.output;
  if (!report.picture.empty()) json["picture"] = report.picture;
  return json;
}

template <class Real>
std::vector<Real> framed_numbers(const Signal& signal, const Task& task, bool real) {
  const auto values = cut(signal.values<Real>(), signal.rows(), task.framing, task.window);
  std::vector<Real> numbers;
  numbers.reserve(values.size() * (real ? 1 : 2));
  for (const std::complex<Real> value : values) {
    numbers.push_back(value.real());
    if (!real) numbers.push_back(value.imag());
  }
  return numbers;
}

/// What the transform reads, as the device stores it.
template <class Real>
std::vector<Real> numbers_of(const Signal& signal, const Task& task, bool real) {
  const bool whole =
      task.frames == 1 && task.framing.length == signal.samples() && task.window == Window::none;
  auto numbers = whole ? signal.numbers<Real>(real) : framed_numbers<Real>(signal, task, real);
  if (task.transform.precision == Precision::f16) {
    for (Real& number : numbers) number = base::from_half(base::to_half(number));
  }
  return numbers;
}

/// The tones and, on request, the picture of lines.
template <class Real>
std::string look(std::span<const std::complex<Real>> spectra, const SpectrumInfo& info,
                 Report& report) {
  constexpr std::size_t kTones = 5;
  const Amplitudes values = amplitudes(spectra, info);
  report.tones = strongest(values, info, kTones);
  report.in_hertz = info.rate.has_value();
  report.level_unit = info.level_unit();
  return report.picture.empty() ? std::string() : picture(values, info);
}

/// The picture of the first plane.
template <class Real>
std::string look_at_plane(std::span<const std::complex<Real>> spectra, const SpectrumInfo& lines,
                          const Task& task) {
  PlaneInfo info;
  info.title = lines.title;
  info.subtitle = lines.subtitle;
  if (task.transform.batch > 1)
    info.subtitle += fmt::format(", the first of {}", task.transform.batch);
  info.footer = lines.footer;
  info.rows = task.transform.lengths[0];
  info.columns = task.transform.lengths[1];
  info.half = lines.half;
  info.gain = lines.gain;
  return plane_picture(spectra, info);
}

/// NumPy has no complex halves: their parts are another axis.
formats::Dtype result_type(const Transform& transform, std::vector<std::size_t>& shape) {
  using formats::Dtype;
  const bool real = is_trigonometric(transform.kind) ||
                    (transform.kind == Kind::real && transform.directions == Directions::inverse);
  if (transform.precision == Precision::f16 && !real) shape.push_back(2);
  if (transform.precision == Precision::f16) return Dtype::float16;
  if (transform.precision == Precision::f32) return real ? Dtype::float32 : Dtype::complex64;
  return real ? Dtype::float64 : Dtype::complex128;
}

template <class Real>
void write(const std::vector<Real>& result, const std::string& drawing, const Signal& signal,
           const Task& task, Report& report) {
  const auto& interrupted = watch_interrupts();  // so that no half of a file stays
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
    report.output_about = fmt::format("{} of shape ({}{})", formats::name(dtype),
                                      fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  }
  if (!report.picture.empty()) {
    picture.emplace(report.picture);
    picture->write(drawing);
  }
  if (interrupted) throw Failure("interrupted");
  if (output) output->commit();
  if (picture) picture->commit();
}

template <class Real>
int work(const Settings& settings, const Signal& signal, const Task& task) {
  const Session session = open_session(settings.device, task.transform.precision);
  require_memory(session, task.transform);
  Progress progress;
  auto numbers = numbers_of<Real>(signal, task, takes_reals(settings.problem));
  const Computed<Real> computed =
      compute(session, task.transform, settings.options, numbers, settings.check, progress);

  Report report;
  report.file = settings.file;
  report.about = signal.about();
  report.note = task.note;
  report.plan = computed.plan;
  report.facts = facts_of(session.device);
  report.transform = task.transform;
  report.plan_seconds = computed.plan_seconds;
  report.first_seconds = computed.first_seconds;
  report.seconds = computed.seconds;
  report.output = settings.output;
  report.picture = settings.picture;
  if (settings.check) report.check = check(task.transform, numbers, computed.result, progress);
  if (report.check && !report.check->passed()) {
    report.output.clear();  // a wrong result is not kept
    report.picture.clear();
  }
  std::string drawing;
  if (!settings.problem.inverse && !is_trigonometric(settings.problem.kind)) {
    const SpectrumInfo info = spectrum_info(signal, task, settings, report.facts);
    if (settings.dimensions == 1)
      drawing = look(complex_of(computed.result), info, report);
    else if (!report.picture.empty())
      drawing = look_at_plane(complex_of(computed.result), info, task);
  }
  write(computed.result, drawing, signal, task, report);
  progress.clear();
  settings.json ? fmt::print("{}\n", dump(json_of(report))) : print(report);
  if (report.check && !report.check->passed()) {
    throw Failure("the result is off by more than the bound; nothing was written");
  }
  return kSuccess;
}

int run(const Settings& settings) {
  require_sense(settings);
  const bool spectrum = settings.problem.inverse && !is_trigonometric(settings.problem.kind);
  const Signal signal(settings.file, settings.dimensions, spectrum);
  const auto& lengths = signal.lengths();
  if (!settings.picture.empty() && *std::min_element(lengths.begin(), lengths.end()) < 2)
    throw Misuse("a picture needs at least two samples along each dimension");
  const Task task = make_task(signal, settings);
  return task.transform.precision == Precision::f64 ? work<double>(settings, signal, task)
                                                    : work<float>(settings, signal, task);
}

}  // namespace

Command transform_command(CLI::App& app) {
  const auto settings = std::make_shared<Settings>();
  CLI::App* sub =
      app.add_subcommand("transform", "Transform an array (.npy) or a recording (.wav)");
  sub->add_option("file", settings->file,
                  ".npy: each row (or more, --dimensions) is transformed; .wav: each channel. With "
                  "--inverse the last axis of float16 is the real and the imaginary part")
      ->required();
  sub->add_option("--output,-o", settings->output,
                  "Write the result as .npy; complex halves as float16 with a last axis of 2")
      ->type_name("FILE");
  sub->add_option("--picture", settings->picture, "Draw the spectrum as SVG")->type_name("FILE");
  sub->add_flag("--check", settings->check,
                "Compare with FFTW in a higher precision; fails where it is off");
  sub->add_option("--dimensions", settings->dimensions,
                  "How many of the array's last axes are transformed; the others are a batch")
      ->type_name("1-3")
      ->capture_default_str()
      ->check(CLI::Range(1, 3));
  sub->add_option("--length", settings->length,
                  "Cut into frames of so many samples, the last one padded; with --kind real "
                  "--inverse: samples of the result's rows, else twice the spectrum's less two")
      ->type_name("N")
      ->check(positive());
  sub->add_option("--hop", settings->hop,
                  "Samples between the starts of two frames; else the length")
      ->type_name("N")
      ->check(positive());
  sub->add_flag("--hann", settings->hann, "Multiply with a Hann window first");
  sub->add_option("--rate", settings->rate, "Samples per second, for the frequencies of an array")
      ->type_name("HZ")
      ->check(positive());
  add_kind(*sub, settings->problem.kind);
  settings->precision = add_precision(*sub, settings->problem.precision);
  add_placement(*sub, settings->problem.placement);
  add_norm(*sub, settings->problem);
  add_planning(*sub, settings->options);
  add_device(*sub, settings->device);
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
