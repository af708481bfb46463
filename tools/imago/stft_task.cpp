// This file implements the division into frames, and the loop over a recording's parts.
#include "stft_task.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/integers.hpp"
#include "command.hpp"
#include "compute.hpp"
#include "interrupt.hpp"
#include "options.hpp"

namespace imago::command {
namespace {

/// Size of the levels of a part, unless one frame needs more.
constexpr std::size_t kPartBytes = std::size_t{64} << 20;

/// Returns the request with the number of frames per part: as many as fit kPartBytes, in parts of
/// about equal size.
StftRequest request_of(const StftTask& task, bool decibels) {
  const std::size_t most = std::max<std::size_t>(1, kPartBytes / (4 * task.band.all()));
  const std::size_t parts = base::ceil_divide(task.frames, most);
  const formats::RecordingInfo& recording = task.recording;
  return {.channels = recording.channels,
          .complex = recording.complex,
          .integer_scale = recording.integer_scale,
          .framing = task.framing,
          .window = task.window,
          .span = task.span,
          .frames = base::ceil_divide(task.frames, parts),
          .decibels = decibels,
          .precision = task.precision()};
}

void require_memory(const Session& session, const StftRequest& request, const Options& options) {
  const Estimate estimate = imago::estimate(session.device, stft_transform(request), options);
  const device::Facts facts = facts_of(session.device, options);
  const std::uint64_t sides = estimate.signal_bytes + estimate.spectrum_bytes,
                      largest = std::max(estimate.signal_bytes, estimate.spectrum_bytes),
                      device = sides + estimate.workspace_bytes + estimate.table_bytes;
  const std::uint64_t host = 3 * sides + (facts.type == device::Type::cpu ? device : 0);
  command::require_memory(facts, fmt::format("frames of {} samples need", request.framing.length),
                          device, largest, host);
}

}  // namespace

std::string StftTask::channel_name(std::size_t i) const {
  return recording.channels > 1 ? fmt::format("channel {}", channels.at(i) + 1) : "";
}

StftTask make_stft_task(const StftSettings& settings, const formats::Recording& recording,
                        std::size_t overlap) {
  const formats::RecordingInfo& info = recording.info();
  const std::size_t samples = info.frames;
  StftTask task{
      .about = recording.about(), .recording = info, .framing = {}, .channels = {}, .band = {}};
  task.window = settings.window;
  task.framing = {settings.frame, settings.hop};
  const std::size_t most = longest_frame(samples);
  if (settings.frame > most)
    throw Misuse(fmt::format("--frame is {}: {} samples allow at most {}, zero-padded",
                             settings.frame, samples, most));
  if (task.framing.hop == 0) task.framing.hop = std::max<std::size_t>(1, settings.frame / overlap);
  if (task.framing.hop > settings.frame)
    throw Misuse(
        fmt::format("--hop is {}: it must be at most the frame, {}", settings.hop, settings.frame));
  if (settings.frame < 2)
    throw Misuse(fmt::format("--frame is {}: it must be at least 2 samples", settings.frame));
  if (settings.channel > info.channels)
    throw Misuse(fmt::format("--channel is {}: {} has channels 1 to {}", settings.channel,
                             formats::input_name(settings.file), info.channels));
  if (samples < 2)
    throw Failure(fmt::format("{} has {} sample: a spectrum needs at least 2",
                              formats::input_name(settings.file), samples));
  task.span = std::min(samples, settings.frame);
  task.band = {settings.frame, !info.complex};
  task.band = bins_of(settings.view, task.frequencies());
  task.frames = task.framing.count(samples);
  for (std::size_t i = 0; i < info.channels; ++i)
    if (settings.channel == 0 || settings.channel == i + 1) task.channels.push_back(i);
  return task;
}

StftRun::StftRun(const StftSettings& settings, formats::Recording& recording,
                 const Session& session, StftReport& report, bool decibels)
    : recording_(recording), report_(report) {
  const StftRequest request = request_of(report.task, decibels);
  require_memory(session, request, settings.options);
  {
    const Planning planning(progress_);
    Options options = settings.options;
    options.first_call = FirstCall::automatic;  // long recordings swap to kernels of their own
    stft_.emplace(session, request, options);
  }
  report_.plan = stft_->describe();
  interrupted_ = &watch_interrupts();  // so that no incomplete file stays
}

void StftRun::require_no_interrupt() const {
  if (*interrupted_) throw Failure("interrupted");
}

void StftRun::compute(std::size_t i, const Use& use) {
  const StftTask& task = report_.task;
  for (std::size_t frame = 0; frame < task.frames; frame += stft_->frames()) {
    require_no_interrupt();
    const std::size_t count = std::min(stft_->frames(), task.frames - frame);
    load(task.channels.at(i), frame, count);
    if (stft_->first_seconds() == 0) {
      progress_.show_wait(kFirstCall);
      stft_->compile(task.channels.at(i));
    }
    progress_.show("Transforming frames", i * task.frames + frame,
                   task.channels.size() * task.frames);
    const std::span levels =
        std::span(stft_->run(task.channels.at(i))).first(count * stft_->bins());
    if (task.bins() == stft_->bins()) {
      use(frame, levels, stft_->exponent());
      continue;
    }
    band_.clear();
    for (std::size_t at = task.band.begin; at < levels.size(); at += stft_->bins())
      band_.insert(band_.end(), &levels[at], &levels[at] + task.bins());
    use(frame, band_, stft_->exponent());
  }
  report_.first_seconds = stft_->first_seconds();
  report_.seconds = stft_->seconds();
}

void StftRun::load(std::size_t channel, std::size_t frame, std::size_t count) {
  const Framing& framing = report_.task.framing;
  const std::size_t first = frame * framing.hop,
                    moments = std::min((count - 1) * framing.hop + framing.length,
                                       recording_.info().frames - first);
  formats::named(report_.file, [&] { stft_->load(recording_, first, moments); });
  const bool last = frame + count == report_.task.frames;
  report_.lost_samples += stft_->not_finite(channel, last ? moments : count * framing.hop);
}

}  // namespace imago::command
