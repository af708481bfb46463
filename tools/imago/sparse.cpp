// This file is `imago sparse`: it finds the few large coefficients of the spectrum of a file or a
// synthetic signal, and their verdict.
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <imago/sparse.hpp>

#include "base/system.hpp"
#include "catalogue/tones.hpp"
#include "command.hpp"
#include "compute.hpp"
#include "formats/file.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "session.hpp"
#include "signal.hpp"
#include "sparse_report.hpp"

namespace imago::command {
namespace {

constexpr double kSilent = 1e9;  // signal-to-noise ratio in decibels that means no noise
constexpr std::size_t kTones = 50;
/// For shorter files, a dense transform (some ten milliseconds on a CPU) is faster than compiling
/// the kernels of a sparse method.
constexpr std::size_t kDenseBelow = std::size_t{1} << 22;

struct SparseSettings {
  std::string file, device, output, picture;
  SparseTransform transform;
  Options options;
  CLI::Option *kind_given = nullptr, *precision = nullptr, *snr_given = nullptr;
  std::size_t tones = 0, row = 0, top = 10;
  double snr = kSilent;
  formats::RecordingOptions recording;
  bool no_dense = false, explain = false, json = false;

  /// True if the report goes to standard error, because a result goes to standard output.
  bool pipes() const { return output == formats::kStandard || picture == formats::kStandard; }
};

/// True if no method was requested, and the file is so short that the method makes no difference.
bool is_short(const SparseSettings& settings) {
  return !settings.file.empty() && settings.transform.length < kDenseBelow &&
         settings.transform.method == SparseMethod::automatic && !settings.no_dense;
}

bool is_synthetic(const SparseSettings& settings) { return settings.file.empty(); }

void require_sense(const SparseSettings& settings) {
  if (is_synthetic(settings) && settings.transform.length == 0)
    throw Misuse("a file is needed, or --length for a synthetic signal");
  if (!is_synthetic(settings) && settings.transform.length != 0)
    throw Misuse("--length is for synthetic signals, but a file is given: omit one of them");
  if (!is_synthetic(settings) && (settings.tones != 0 || !settings.snr_given->empty()))
    throw Misuse("--tones and --snr are for synthetic signals, but a file is given: omit them");
  if (constexpr double kMost = 300; !settings.snr_given->empty() && std::abs(settings.snr) > kMost)
    throw Misuse(
        fmt::format("--snr is {}: it must be from -{} to {} dB", settings.snr, kMost, kMost));
  require_other_files(settings.output, settings.picture, settings.file);
  require_ending("--picture", settings.picture, {".svg"});
}

/// The input data, in the device's format.
struct Input {
  std::string source, about;
  std::optional<double> rate;
  double centre = 0;
  std::vector<std::byte> data;
  std::optional<catalogue::SparseSignal> known;  ///< without its samples
};

template <class Real>
Input synthetic(const SparseSettings& settings) {
  const SparseTransform& t = settings.transform;
  catalogue::Tones tones;
  tones.length = t.length;
  tones.sparsity = settings.tones != 0 ? settings.tones : t.sparsity != 0 ? t.sparsity : kTones;
  tones.real = t.kind == Kind::real;
  tones.seed = static_cast<unsigned>(t.seed.value_or(0));
  tones.snr_db = settings.snr;
  const std::size_t most = tones.real ? (t.length - 1) / 2 : t.length;
  if (tones.sparsity > most)
    throw Misuse(fmt::format("--tones is {}, but a signal of {} points has at most {}",
                             tones.sparsity, t.length, most));
  Input input;
  input.source = "synthetic";
  input.about = fmt::format(
      "{} tones{}", tones.sparsity,
      settings.snr < kSilent ? fmt::format(", noise at {} dB", settings.snr) : ", no noise");
  input.rate = settings.recording.rate;
  input.known = catalogue::make_signal(tones);
  input.data = to_device(catalogue::stored<Real>(*input.known, tones.real), t.precision);
  input.known->samples = {};
  return input;
}

template <class Real>
Input from_file(const SparseSettings& settings, const Signal& signal) {
  const bool real = settings.transform.kind == Kind::real;
  const auto values = signal.values<Real>();
  std::vector<Real> numbers;
  for (std::size_t i = 0; i < signal.samples(); ++i) {
    const auto& value = values[settings.row * signal.samples() + i];
    numbers.push_back(value.real());
    if (!real) numbers.push_back(value.imag());
  }
  Input input;
  input.source = formats::input_name(settings.file);
  input.about = signal.about();
  if (signal.rows() > 1) input.about += ", " + signal.row_name(settings.row);
  input.rate = signal.rate();
  input.centre = signal.centre();
  input.data = to_device(numbers, settings.transform.precision);
  return input;
}

template <class Real>
Input make_input(const SparseSettings& settings, const std::optional<Signal>& signal) {
  return signal ? from_file<Real>(settings, *signal) : synthetic<Real>(settings);
}

void solve(const Session& session, const SparsePlan& plan, const Input& input, SparseReport& report,
           Progress& progress) {
  const cl::Buffer buffer = make_buffer(session, plan.signal_bytes());
  upload(session, buffer, input.data.data(), input.data.size());
  const auto timed = [&] {
    const Stopwatch watch;
    report.spectrum = plan.forward(session.queue, buffer);
    return watch.seconds();
  };
  progress.show_wait(kFirstCall);
  report.first_seconds = timed();
  progress.show("Transforming");
  report.seconds = timed();
  report.tones = sparse_tones(report.spectrum, plan.transform());
  if (!input.known) return;
  const auto comparison = catalogue::compare(report.spectrum, *input.known);
  report.comparison = {input.known->indices.size(), comparison.missed, comparison.spurious,
                       comparison.mean_error};
}

void write(const SparseReport& report) {
  const auto& interrupted = watch_interrupts();  // so that no incomplete file stays
  std::optional<formats::OutputFile> output, drawing;
  if (!report.output.empty()) output.emplace(report.output).write(to_csv(report.spectrum));
  if (!report.picture.empty()) drawing.emplace(report.picture).write(picture(report));
  if (interrupted) throw Failure("interrupted");
  if (output) output->commit();
  if (drawing) drawing->commit();
}

/// Opens the signal; its shape completes the settings.
std::optional<Signal> open_signal(SparseSettings& settings) {
  if (is_synthetic(settings)) return {};
  std::optional<Signal> signal(std::in_place, base::path_of(settings.file), 1, false,
                               settings.recording);
  SparseTransform& t = settings.transform;
  t.length = signal->samples();
  if (settings.row >= signal->rows())
    throw Misuse(fmt::format("--row is {}, but {} has {}; rows count from 0", settings.row,
                             formats::input_name(settings.file), signal->rows()));
  const std::string name = formats::input_name(settings.file);
  if (settings.kind_given->empty() && signal->real()) t.kind = Kind::real;
  if (t.kind == Kind::real && !signal->real())
    throw Misuse(fmt::format("{} is {}: --kind real needs real numbers", name, signal->about()));
  if (settings.precision->empty() && signal->wants_double()) t.precision = Precision::f64;
  return signal;
}

/// Returns a report with everything that is known before the signal is read.
SparseReport begin_report(const SparseSettings& settings, const std::optional<Signal>& signal,
                          const Session& session, const SparsePlan& plan) {
  SparseReport report;
  report.facts = facts_of(session.device, settings.options);
  report.transform = settings.transform;
  report.plan = plan.describe();
  if (is_short(settings))
    report.plan = "dense: the file is short" + report.plan.substr(report.plan.find('\n'));
  report.workspace_bytes = plan.workspace_bytes();
  report.top = settings.top;
  report.source = is_synthetic(settings) ? "synthetic" : formats::input_name(settings.file);
  report.about = signal ? signal->about() : "not made, the plan alone";
  report.output = settings.output;
  report.picture = settings.picture;
  return report;
}

int run(SparseSettings settings) {
  require_sense(settings);
  const auto signal = open_signal(settings);
  settings.transform.allow_dense = !settings.no_dense;
  const Session session = open_session(settings.device, settings.transform.precision);
  Progress progress;
  const Planning planning(progress);
  const Stopwatch watch;
  SparseTransform transform = settings.transform;
  if (is_short(settings)) transform.method = SparseMethod::dense;
  const SparsePlan plan(session.context, session.device, transform, settings.options);
  const double plan_seconds = watch.seconds();
  auto report = begin_report(settings, signal, session, plan);
  report.plan_seconds = plan_seconds;
  if (settings.explain) {
    progress.clear();
    plan_of(report).print(settings.json);
    return kSuccess;
  }
  progress.show("Reading the signal");
  const Input input = settings.transform.precision == Precision::f64
                          ? make_input<double>(settings, signal)
                          : make_input<float>(settings, signal);
  report.source = input.source;
  report.about = input.about;
  report.rate = input.rate;
  report.centre = input.centre;
  solve(session, plan, input, report, progress);
  write(report);
  progress.clear();
  report_of(report).print(settings.json, settings.pipes() ? stderr : stdout);
  return kSuccess;
}

void add_signal(CLI::App& sub, SparseSettings& settings) {
  sub.add_option(
      "file", settings.file,
      ".npy file (one row), recording (one channel), or - for standard input [a synthetic signal]");
  sub.add_option("--row", settings.row, "Read this row or channel, counted from 0")
      ->capture_default_str()
      ->transform(as_count(0));
  add_recording(sub, settings.recording);
  add_count(sub, "--length", "N", settings.transform.length,
            "Make a synthetic signal of N samples");
  add_count(sub, "--tones", "K", settings.tones,
            "Give the synthetic signal K tones [the sparsity, or 50]");
  settings.snr_given =
      sub.add_option(
             "--snr", settings.snr,
             "Add noise to the synthetic signal, at this signal-to-noise ratio in dB [none]")
          ->type_name("DB")
          ->transform(number());
}

void add_transform(CLI::App& sub, SparseSettings& settings) {
  SparseTransform& t = settings.transform;
  add_count(sub, "--sparsity", "K", t.sparsity, "Expect K coefficients; 0 estimates their number",
            0)
      ->capture_default_str();
  sub.add_option("--noise", t.noise, "Expect this ratio ||noise|| / ||signal||; 0 estimates it")
      ->type_name("SHARE")
      ->check(share());
  sub.add_option("--tolerance", t.tolerance,
                 "Accept this relative residual; 0 is 1e-4 (f32), 1e-7 (f64), or the noise")
      ->type_name("SHARE")
      ->check(share());
  sub.add_option("--seed", t.seed, "Seed the attempts [random] and the synthetic signal [0]");
  add_method(sub, t.method);
  add_assurance(sub, t.assurance);
  sub.add_flag("--no-dense", settings.no_dense,
               "Never compute the dense transform instead of another method");
  settings.kind_given = add_sparse_kind(sub, t.kind);
  settings.precision = add_sparse_precision(sub, t.precision);
}

}  // namespace

Command sparse_command(CLI::App& app) {
  const auto settings = std::make_shared<SparseSettings>();
  CLI::App* sub = app.add_subcommand("sparse", "Find the few large coefficients of a long signal");
  add_signal(*sub, *settings);
  add_transform(*sub, *settings);
  sub->add_option("--top", settings->top, "List this many coefficients")
      ->capture_default_str()
      ->transform(as_count(0));
  named_file(sub->add_option(
      "--output,-o", settings->output,
      "Write index,real,imaginary of each coefficient as text, or to standard output (-)"));
  named_file(sub->add_option("--picture", settings->picture, "Draw the spectrum as .svg"));
  sub->add_flag("--explain", settings->explain,
                "Print stages, launches, samples and predicted time; compute nothing");
  add_cache(*sub, settings->options);
  add_device(*sub, settings->device);
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
