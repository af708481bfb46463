// This file measures kernels by OpenCL's profiling events.
#include "measure.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/engine.hpp"
#include "kernel/key.hpp"
#include "options.hpp"
#include "report_writer.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"
#include "runtime/opencl.hpp"
#include "runtime/queue.hpp"

namespace imago::command {
namespace {

using Events = std::vector<runtime::Handle<cl_event>>;

constexpr double kSeconds = 0.3;  // duration of the measurement
constexpr std::size_t kFewest = 3, kMost = 1000;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double moment(const runtime::Handle<cl_event>& event, cl_profiling_info which) {
  cl_ulong nanoseconds = 0;
  runtime::check(
      clGetEventProfilingInfo(event.get(), which, sizeof nanoseconds, &nanoseconds, nullptr),
      "clGetEventProfilingInfo");
  return 1e-9 * static_cast<double>(nanoseconds);
}

/// The engine of a plan's only direction, with its input and output.
class Measured {
 public:
  Measured(const Session& session, const Transform& transform, const Options& options)
      : queue_(runtime::make_queue(session.context(), session.device(), CL_QUEUE_PROFILING_ENABLE)),
        engine_(engine::make_engine(engine::make_target(session.context(), session.device()),
                                    runtime::facts(session.device(), engine::disk_cache(options)),
                                    transform, options)) {
    const bool inverse = !engine_.forward;
    const auto bytes = [&](bool spectrum) { return engine_.blueprint.problem.bytes(spectrum); };
    const bool in_place = transform.placement == Placement::in_place;
    const auto zeros = [&](std::size_t size) {
      return runtime::allocate_zeros(session.context(), size);
    };
    input_ = zeros(bytes(inverse));
    if (!in_place) output_ = zeros(bytes(!inverse));
    if (engine_.scratch_bytes() > 0) scratch_ = zeros(engine_.scratch_bytes());
  }

  /// Returns the seconds until the end of the call, by the host's clock.
  double call(Events& events) const {
    runtime::Call call;
    call.queue = queue_.get();
    call.input = {input_.get()};
    call.output = {output_ ? output_.get() : input_.get()};
    call.scratch = {scratch_.get(), engine_.counters.get()};
    call.trace = &events;
    const Stopwatch watch;
    engine_.of(!engine_.forward)->enqueue(call);
    runtime::check(clFinish(queue_.get()), "clFinish");
    return watch.seconds();
  }

  const engine::Direction& direction() const { return engine_.blueprint.first(); }
  const kernel::Program& program() const { return direction().program; }

 private:
  runtime::Handle<cl_command_queue> queue_;
  engine::Engine engine_;
  runtime::Handle<cl_mem> input_, output_, scratch_;
};

/// Returns the bytes that a launch moves: equal shares of its 1-D transform, as in the plan's text,
/// or of the whole program if the batch is divided.
double bytes_of(const engine::Direction& direction, std::size_t launch) {
  std::size_t first = 0, launches = 0;
  for (const auto& line : direction.lines) launches += line.program.launches.size();
  const bool whole = launches == direction.program.launches.size();
  for (const auto& line : direction.lines) {
    const std::size_t count = line.program.launches.size();
    if (whole && launch < first + count)
      return static_cast<double>(line.program.bytes_moved) / static_cast<double>(count);
    first += count;
  }
  return static_cast<double>(direction.program.bytes_moved) /
         static_cast<double>(direction.program.launches.size());
}

/// Returns the kernels without times, and the index of the kernel of each command.
std::pair<std::vector<KernelTime>, std::vector<std::size_t>> kernels_of(
    const engine::Direction& direction) {
  const auto codes = kernel::kernels_of(direction.program);
  std::vector<KernelTime> kernels;
  std::vector<std::size_t> kernel_of;
  for (const kernel::Command& command : kernel::commands_of(direction.program)) {
    const std::string name = codes.at(command.kernel).name();
    auto known = std::find_if(kernels.begin(), kernels.end(),
                              [&](const KernelTime& each) { return each.name == name; });
    if (known == kernels.end()) known = kernels.insert(known, {name});
    ++known->launches;
    for (std::size_t i = command.first; i < command.end; ++i)
      known->bytes += bytes_of(direction, i);
    kernel_of.push_back(static_cast<std::size_t>(known - kernels.begin()));
  }
  return {std::move(kernels), std::move(kernel_of)};
}

double gigabytes(double bytes, double seconds) { return seconds > 0 ? bytes / seconds / 1e9 : 0; }

}  // namespace

CallTime measure_kernels(const Session& session, const Transform& transform,
                         const Options& options) {
  const Measured job(session, transform, options);
  CallTime time;
  time.bytes = static_cast<double>(job.program().bytes_moved);
  if (job.program().launches.empty()) return time;
  std::vector<std::size_t> kernel_of;
  std::tie(time.kernels, kernel_of) = kernels_of(job.direction());
  std::vector<std::vector<double>> kernels(time.kernels.size());
  std::vector<double> spans, hosts;
  Events warm;
  for (double left = kSeconds + job.call(warm);
       spans.size() < kFewest || (left > 0 && spans.size() < kMost); left -= hosts.back()) {
    Events events;
    hosts.push_back(job.call(events));
    std::vector<double> sums(kernels.size());
    for (std::size_t i = 0; i < events.size(); ++i)
      sums[kernel_of.at(i)] += moment(events[i], CL_PROFILING_COMMAND_END) -
                               moment(events[i], CL_PROFILING_COMMAND_START);
    for (std::size_t i = 0; i < sums.size(); ++i) kernels[i].push_back(sums[i]);
    spans.push_back(moment(events.back(), CL_PROFILING_COMMAND_END) -
                    moment(events.front(), CL_PROFILING_COMMAND_START));
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) time.kernels[i].seconds = median(kernels[i]);
  time.calls = spans.size(), time.span = median(spans), time.host = median(hosts);
  return time;
}

Report report_of(const CallTime& time) {
  Report report;
  report.line("measured",
              "{} a call by the host's clock, {} from the first kernel's begin to the last one's "
              "end: {} GB/s (medians of {})",
              Field::seconds("call_seconds", time.host), Field::seconds("span_seconds", time.span),
              fmt::format("{:.3g}", gigabytes(time.bytes, time.span)),
              Field::count("calls", time.calls, "call"));
  report.value("bytes", time.bytes);
  report.rows("kernels", time.kernels, [&](const KernelTime& kernel) {
    Report row;
    row.line("", "{:>8}  {:>4} %  {:>9}  {:>6} GB/s  {}{}",
             Field::seconds("seconds", kernel.seconds),
             fmt::format("{:.1f}", time.span > 0 ? 100 * kernel.seconds / time.span : 0.0),
             Field{"bytes", kernel.bytes, bytes_text(static_cast<std::size_t>(kernel.bytes))},
             fmt::format("{:.3g}", gigabytes(kernel.bytes, kernel.seconds)),
             Field::plain("name", kernel.name),
             kernel.launches > 1 ? fmt::format(", {} launches", kernel.launches) : "");
    row.value("launches", kernel.launches);
    return row;
  });
  return report;
}

}  // namespace imago::command
