// This file is `imago channel`: it cuts a channel out of the spectrum of a recording. A stream
// filters the samples with a band-pass and returns every D-th result, which the host then shifts to
// frequency 0. For other rates, a second stream has L results for M of these. Recordings of any
// length, and pipes, are processed in blocks.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <imago/stream.hpp>

#include "base/integers.hpp"
#include "channel_filter.hpp"
#include "channel_input.hpp"
#include "channel_task.hpp"
#include "command.hpp"
#include "formats/file.hpp"
#include "formats/sample_writer.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report_writer.hpp"
#include "resampler.hpp"
#include "runtime/opencl.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

/// Cuts in one precision. Blocks of two slots are in the queue at a time, so that the host reads
/// and writes while the device computes.
template <class Real, class Number>
class Cutter {
 public:
  Cutter(const ChannelTask& task, const Session& session, const Options& options,
         Progress& progress)
      : task_(task),
        session_(session),
        rotation_(task.shift, task.decimation, *task.recording.rate) {
    FirFilter filter{
        .kind = Kind::complex,
        .precision = sizeof(Real) == 8 ? Precision::f64 : Precision::f32,
        .lengths = {block_size()},
        .taps = task.taps == 1 ? std::vector<std::complex<double>>{1.0}
                               : shifted(task.filter.response(), task.shift, *task.recording.rate),
        .decimation = task.decimation};
    if (task.recording.integer_scale)
      filter.ends.load.push_back(
          imago::hook::from_integer(Integer::i16, *task.recording.integer_scale));
    if (!task.recording.complex) filter.ends.load.push_back(imago::hook::from_real());
    {
      const Planning planning(progress);
      stream_.emplace(session.queue, filter, options);
      if (task.resampling)
        resampler_.emplace(session, *task.resampling, stream_->most_results(), options);
    }
    for (Slot& slot : slots_) {
      slot.samples.resize(block_size() * parts());
      slot.results.resize(stream_->most_results());
      slot.from = make_buffer(session, stream_->input_bytes(block_size()));
      slot.to = make_buffer(session, stream_->result_bytes(stream_->most_results()));
    }
    skipped_ = (task.zeros() + task.delay()) / task.decimation;
  }

  Cutter(const Cutter&) = delete;
  Cutter& operator=(const Cutter&) = delete;
  ~Cutter() { clFinish(session_.queue()); }  // the slots' memory is in use until then

  std::string describe() const {
    return stream_->describe() + (resampler_ ? "\n" + resampler_->describe() : "");
  }
  std::uint64_t lost() const { return lost_; }        ///< results that are not finite
  std::uint64_t written() const { return written_; }  ///< results

  /// Cuts all samples. `advance` is called with the number of samples that were read.
  template <class Advance>
  std::uint64_t run(SampleInput& input, formats::SampleWriter& output, const Advance& advance) {
    std::uint64_t read = 0;
    std::size_t turn = 0;
    for (std::size_t zeros = task_.zeros();; zeros = 0, ++turn) {
      Slot& slot = slots_[turn % slots_.size()];
      take(slot, output);
      const std::size_t count = fill(input, slot, zeros);
      if (count == 0 && zeros == 0) break;
      read += count;
      start(
          slot, [&] { return stream_->push(slot.from, zeros + count, slot.to); }, zeros + count);
      advance(read);
      if (count == 0) break;
    }
    most_ = read == 0 ? 0 : base::ceil_divide(read, task_.decimation);
    Slot& last = slots_[turn % slots_.size()];
    take(slots_[(turn + 1) % slots_.size()], output);
    take(last, output);
    start(
        last, [&] { return stream_->finish(last.to); }, 0);
    take(last, output);
    if (resampler_) {
      resampler_->finish(channel_);
      write(output);
    }
    return read;
  }

 private:
  struct Slot {
    std::vector<Number> samples;
    std::vector<std::complex<Real>> results;
    cl::Buffer from, to;
    std::size_t count = 0;  ///< results that are under way
    cl::Event done;
  };

  std::size_t parts() const { return task_.recording.complex ? 2 : 1; }
  /// Returns the samples of a block with the zeros: a tenth of a second at least, of a fast radio.
  std::size_t block_size() const {
    constexpr std::size_t kMost = std::size_t{1} << 18;
    const auto quarter = static_cast<std::size_t>(*task_.recording.rate / 4);
    return std::clamp(quarter, kMost / 16, kMost) + task_.decimation;
  }

  /// Reads samples behind `zeros` zeros. Returns their number.
  std::size_t fill(SampleInput& input, Slot& slot, std::size_t zeros) {
    const std::size_t most = block_size() - task_.decimation, channels = task_.recording.channels;
    Number* const to = slot.samples.data() + zeros * parts();
    std::fill(slot.samples.data(), to, Number(0));
    if (channels == 1) return input.read(most, to);
    all_channels_.resize(most * channels * parts());
    const std::size_t count = input.read(most, all_channels_.data());
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(all_channels_.data() + (i * channels + task_.channel) * parts(), parts(),
                  to + i * parts());
    return count;
  }

  template <class Run>
  void start(Slot& slot, const Run& push, std::size_t samples) {
    const cl_command_queue queue = session_.queue();
    if (samples > 0)
      runtime::check(
          clEnqueueWriteBuffer(queue, slot.from(), CL_FALSE, 0, stream_->input_bytes(samples),
                               slot.samples.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
    slot.count = push();
    if (slot.count == 0) return finish(session_);
    cl_event done = nullptr;
    runtime::check(
        clEnqueueReadBuffer(queue, slot.to(), CL_FALSE, 0, stream_->result_bytes(slot.count),
                            slot.results.data(), 0, nullptr, &done),
        "clEnqueueReadBuffer");
    slot.done = cl::Event(done, false);
    runtime::check(clFlush(queue), "clFlush");
  }

  /// Waits for the results of a slot, shifts them to frequency 0 and writes them.
  void take(Slot& slot, formats::SampleWriter& output) {
    if (slot.count == 0) return;
    const cl_event done = slot.done();
    runtime::check(clWaitForEvents(1, &done), "clWaitForEvents");
    const std::size_t begin = std::min<std::uint64_t>(slot.count, skipped_);
    skipped_ -= begin;
    const auto end = begin + static_cast<std::size_t>(
                                 std::min<std::uint64_t>(slot.count - begin, most_ - results_));
    channel_.clear();
    for (std::size_t i = begin; i < end; ++i, ++results_)
      channel_.push_back(std::complex<double>(slot.results[i]) * rotation_.at(results_));
    slot.count = 0;
    if (resampler_) resampler_->push(channel_);
    write(output);
  }

  void write(formats::SampleWriter& output) {
    numbers_.clear();
    for (const std::complex<double>& result : channel_) {
      if (!std::isfinite(result.real()) || !std::isfinite(result.imag())) ++lost_;
      numbers_.push_back(result.real());
      numbers_.push_back(result.imag());
    }
    written_ += channel_.size();
    output.write(numbers_);
  }

  const ChannelTask& task_;
  const Session& session_;
  Rotation rotation_;
  std::optional<Stream> stream_;
  std::array<Slot, 2> slots_;
  std::vector<Number> all_channels_;
  std::optional<Resampler<Real>> resampler_;
  std::vector<std::complex<double>> channel_;
  std::vector<double> numbers_;
  std::uint64_t skipped_ = 0;  ///< results before the first sample
  std::uint64_t results_ = 0, most_ = ~std::uint64_t{0}, written_ = 0, lost_ = 0;
};

struct ChannelReport {
  std::string file, about, plan = {};
  device::Facts facts;
  ChannelTask task;
  formats::RawFormat format;
  std::uint64_t samples = 0, results = 0, lost = 0, clipped = 0;
  double seconds = 0;
  std::vector<std::string> outputs = {}, replaced = {};
};

Report report_of(const ChannelReport& found, bool explain) {
  const ChannelTask& task = found.task;
  Report report;
  report.row("{}: {}", Field::plain("file", found.file), Field::plain("input", found.about));
  report.line("device", "{}", field_of(found.facts));
  report.line("channel", "{} wide at {}, {} samples per second",
              Field{"width", 2 * task.filter.pass, formats::hertz_text(2 * task.filter.pass)},
              Field{"centre", task.centre(), formats::hertz_text(task.centre())},
              Field{"rate", task.rate(), rate_text(task.rate())});
  report.line(
      "filter", "{} taps, -{} dB from {} on{}", Field::plain("filter/taps", task.taps),
      Field{"filter/attenuation", task.filter.attenuation, rate_text(task.filter.attenuation)},
      Field{"filter/stop", task.filter.stop, formats::hertz_text(task.filter.stop)},
      Field{"decimation", task.decimation,
            task.decimation > 1 ? fmt::format(", one of {} results", task.decimation) : ""});
  if (task.resampling) {
    const Resampling& change = *task.resampling;
    report.line(
        "resampled", "{} for {} of its results, {} taps, -{} dB from {} on",
        Field::plain("resampling/up", change.up), Field::plain("resampling/down", change.down),
        Field::plain("resampling/taps", change.filter.taps()),
        Field{"resampling/attenuation", change.filter.attenuation,
              rate_text(change.filter.attenuation)},
        Field{"resampling/stop", change.filter.stop, formats::hertz_text(change.filter.stop)});
  }
  report.value("shift", task.shift);
  report.value("filter/cutoff", task.filter.cutoff());
  report.value("filter/beta", task.filter.beta());
  if (found.lost > 0)
    report.line("note", "{} NaN or infinite: so are samples of the input",
                Field::count("not_finite", found.lost, "result"));
  if (found.clipped > 0)
    report.line("note", "{} beyond full scale, and clipped",
                Field::count("clipped", found.clipped, "number"));
  report.value("plan", found.plan);
  if (explain) report.lines("plan", lines_of(found.plan));
  const double length = static_cast<double>(found.samples) / *task.recording.rate;
  report.line("time", "{} for {} of signal ({} times faster)",
              Field::seconds("seconds/calls", found.seconds), seconds_text(length),
              number_text(length / found.seconds, 1));
  report.value("samples", {{"read", found.samples}, {"written", found.results}});
  for (const std::string& output : found.outputs)
    report.line("written", "{} ({} samples of {}){}", formats::output_name(output), found.results,
                base::word_of(formats::kRawFormats, found.format),
                std::count(found.replaced.begin(), found.replaced.end(), output) > 0
                    ? ", which replaces a file"
                    : "");
  report.value("outputs", found.outputs);
  report.value("replaced", found.replaced);
  return report;
}

template <class Real, class Number>
void cut_channel(const ChannelSettings& settings, const Session& session, SampleInput& input,
                 formats::SampleWriter& output, ChannelReport& report) {
  Progress progress;
  Options options = settings.options;
  options.first_call = FirstCall::automatic;
  Cutter<Real, Number> cutter(report.task, session, options, progress);
  report.plan = cutter.describe();
  const std::atomic<bool>& interrupted = watch_interrupts();
  const std::uint64_t total = input.moments().value_or(0);
  const Stopwatch watch;
  report.samples = cutter.run(input, output, [&](std::uint64_t read) {
    if (interrupted) throw Failure("interrupted");
    constexpr std::uint64_t kUnit = 1000;  // a total of 0 means that it is unknown
    progress.show("Filtering thousands of samples", read / kUnit, total / kUnit);
  });
  if (interrupted) throw Failure("interrupted");
  if (report.samples == 0) throw Failure(report.file + ": has no samples");
  output.commit();
  report.seconds = watch.seconds();
  report.results = cutter.written(), report.lost = cutter.lost();
}

int run(const ChannelSettings& settings) {
  if (!settings.at && !settings.shift)
    throw Misuse("name the frequency of the channel: --at HZ, or --shift HZ from the centre");
  require_not_input(settings.output, settings.file);
  const std::string output_name = formats::output_name(settings.output);
  const formats::RawFormat format = formats::named(output_name, [&] {
    return formats::written_format(settings.output, settings.output_format, true);
  });
  SampleInput input(settings.file, settings.recording);
  const ChannelTask task = task_of(settings, input.info());
  const bool wide = task.recording.double_samples;
  const Session session = open_session(settings.device, wide ? Precision::f64 : Precision::f32);
  ChannelReport report{.file = formats::input_name(settings.file),
                       .about = input.about(),
                       .facts = facts_of(session.device, settings.options),
                       .task = task,
                       .format = format};
  formats::SampleWriter output(settings.output,
                               {.format = format, .rate = task.rate(), .centre = task.centre()});
  const auto work = task.recording.integer_scale ? cut_channel<float, std::int16_t>
                    : wide                       ? cut_channel<double, double>
                                                 : cut_channel<float, float>;
  try {
    work(settings, session, input, output, report);
  } catch (const InvalidArgument&) {
    if (task.resampling) throw unsuited_ratio(settings, task);
    throw;
  }
  report.clipped = output.clipped(), report.outputs = output.paths();
  report.replaced = output.replaced();
  report_of(report, settings.explain)
      .print(settings.json, settings.output == formats::kStandard ? stderr : stdout);
  return kSuccess;
}

}  // namespace

Command channel_command(CLI::App& app) {
  const auto settings = std::make_shared<ChannelSettings>();
  CLI::App* sub = app.add_subcommand(
      "channel", "Cut a channel out of the spectrum of a recording: shift, filter, decimate");
  sub->add_option("file", settings->file,
                  "Recording (" + formats::endings_text() +
                      "), raw samples with --format, or - for standard input")
      ->required();
  CLI::Option* const at =
      sub->add_option("--at", settings->at,
                      "Cut out the channel at HZ, such as 100.2M: this frequency becomes 0")
          ->type_name("HZ")
          ->transform(hertz(false));
  sub->add_option("--shift", settings->shift,
                  "Cut out the channel at HZ from the centre, such as -250k, instead of --at")
      ->type_name("HZ")
      ->transform(hertz(false))
      ->excludes(at);
  sub->add_option("--width", settings->width, "Pass a band of HZ around it")
      ->type_name("HZ")
      ->transform(hertz(true))
      ->required();
  sub->add_option("--output-rate", settings->output_rate,
                  "Write HZ samples per second, such as 48k [1.25 widths, or more]")
      ->type_name("HZ")
      ->transform(hertz(true));
  named_file(sub->add_option("--output,-o", settings->output,
                             "Write .wav, .sigmf-meta, raw samples (.cf32, .cs16, ...), or - for "
                             "standard output")
                 ->required());
  add_raw_format(*sub, "--output-format", settings->output_format,
                 "Write samples of this type [that of the ending, or cf32]");
  sub->add_option("--attenuation", settings->attenuation, "Attenuate other frequencies by DB")
      ->type_name("DB")
      ->transform(positive())
      ->check(CLI::Range(21.0, 200.0))
      ->capture_default_str();
  add_recording(*sub, settings->recording);
  add_section(*sub, settings->recording);
  add_count(*sub, "--channel", "N", settings->channel,
            "Read channel N of several in a file, counted from 1 (no frequency)");
  add_planning(*sub, settings->options);
  add_explain(*sub, settings->explain);
  add_device(*sub, settings->device);
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
