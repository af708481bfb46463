// This file times the sparse transform: the wall time of calls with a new seed and another signal
// each time, what its stages take on the device, and the voting method's optimisations on and off.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <random>

#include <CLI/CLI.hpp>

#include <imago/imago.hpp>

#include "problem/words.hpp"
#include "runtime/facts.hpp"
#include "sparse/verdict.hpp"
#include "sparse_device/audit.hpp"
#include "sparse_device/phase.hpp"
#include "sparse_device/voting.hpp"

namespace {

using namespace imago;
using Clock = std::chrono::steady_clock;

struct Settings {
  std::string device;
  unsigned log_length = 22;
  std::size_t length = 0, sparsity = 1000, runs = 100, signals = 4;
  Precision precision = Precision::f32;
  double noise = 0;
  SparseMethod method = SparseMethod::phase;
  Assurance assurance = Assurance::consistent;
  bool stages = false, optimisations = false;
  unsigned log_buckets = 0, rounds = 0, passes = 0;  // of the attempts whose stages are timed
};

/// A setting of the voting method's switches.
struct Variant {
  const char* name;
  sparse::VotingOptions options;
};

/// The paper's optimisations one by one, from none to all, and all but one.
std::vector<Variant> variants(Precision precision) {
  using sparse::VotingOptions;
  std::vector<Variant> list;
  const auto add = [&](const char* name, bool mapping, bool partition, bool threshold) {
    if (!partition && precision == Precision::f64) return;  // no atomics of doubles
    VotingOptions options;
    options.index_mapping = mapping;
    options.loop_partition = partition;
    options.threshold_selection = threshold;
    list.push_back({name, options});
  };
  add("none", false, false, false);
  add("index mapping alone", true, false, false);
  add("loop partition alone", false, true, false);
  add("threshold selection alone", false, false, true);
  add("both of the filter", true, true, false);
  add("all but index mapping", false, true, true);
  add("all but loop partition", true, false, true);
  add("default: all but layout", true, true, true);
  list.push_back({"default, layout transformed", {}});
  list.back().options.layout_transformation = true;
  list.push_back({"default, comb", {}});
  list.back().options.comb = true;
  list.push_back({"default, Gaussian window", {}});
  list.back().options.shape = sparse::FlatShape::gaussian;
  list.push_back({"default, not refined", {}});
  list.back().options.refinements = 0;
  return list;
}

double microseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
}

double report(const char* what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("%-12s median %9.1f us, best %9.1f, 90 %% %9.1f\n", what, times[times.size() / 2],
              times.front(), times[times.size() * 9 / 10]);
  return times[times.size() / 2];
}

double median_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

std::pair<cl_ulong, cl_ulong> span_of(const runtime::Traced& command) {
  cl_ulong from = 0, to = 0;
  clGetEventProfilingInfo(command.event.get(), CL_PROFILING_COMMAND_START, sizeof from, &from,
                          nullptr);
  clGetEventProfilingInfo(command.event.get(), CL_PROFILING_COMMAND_END, sizeof to, &to, nullptr);
  return {from, to};
}

/// The sum over commands whose name has one of these parts, on the device.
double traced(const std::vector<runtime::Traced>& trace, std::initializer_list<const char*> parts) {
  double sum = 0;
  for (const auto& command : trace) {
    const bool counts = std::any_of(parts.begin(), parts.end(), [&](const char* part) {
      return command.name.find(part) != std::string::npos;
    });
    if (!counts) continue;
    const auto [from, to] = span_of(command);
    sum += 1e-3 * static_cast<double>(to - from);
  }
  return sum;
}

void add_times(const std::vector<runtime::Traced>& trace, std::vector<std::string>& names,
               std::vector<std::vector<double>>& ran, std::vector<std::vector<double>>& waited) {
  cl_ulong before = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto [from, to] = span_of(trace[i]);
    if (names.size() <= i) {
      names.push_back(trace[i].name);
      ran.emplace_back();
      waited.emplace_back();
    }
    ran[i].push_back(1e-3 * static_cast<double>(to - from));
    waited[i].push_back(i == 0 ? 0 : 1e-3 * static_cast<double>(from - std::min(from, before)));
    before = to;
  }
}

struct Bench {
  explicit Bench(const Settings& s)
      : settings(s),
        device(find_device(s.device, s.precision)),
        context(device),
        queue(context, device, CL_QUEUE_PROFILING_ENABLE) {}

  /// k tones of amplitude 1 at random frequencies, made by the inverse dense transform.
  template <class T>
  cl::Buffer make_signal(const Plan& plan, const cl::Buffer& spectrum, unsigned seed) {
    std::mt19937_64 random(seed);
    queue.enqueueFillBuffer(spectrum, T(0), 0, plan.spectrum_bytes());
    for (std::size_t i = 0; i < settings.sparsity; ++i) {
      const std::size_t f = random() % settings.length;
      const auto value = std::polar<T>(1, static_cast<T>(random() % 6283) / 1000);
      queue.enqueueWriteBuffer(spectrum, CL_TRUE, f * sizeof value, sizeof value, &value);
    }
    cl::Buffer signal(context, CL_MEM_READ_WRITE, plan.signal_bytes());
    plan.inverse(queue, spectrum, signal);
    queue.finish();
    return signal;
  }

  void make_signals() {
    Transform t;
    t.lengths = {settings.length};
    t.precision = settings.precision;
    t.norm = Norm::none;
    const Plan plan(context, device, t);
    const cl::Buffer spectrum(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
    for (unsigned i = 0; i < settings.signals; ++i)
      signals.push_back(settings.precision == Precision::f64
                            ? make_signal<double>(plan, spectrum, i)
                            : make_signal<float>(plan, spectrum, i));
    time_dense(plan, spectrum);
  }

  void time_dense(const Plan& plan, const cl::Buffer& spectrum) {
    std::vector<double> times;
    for (std::size_t i = 0; i < std::min<std::size_t>(settings.runs, 20); ++i) {
      const auto start = Clock::now();
      plan.forward(queue, signals[i % signals.size()], spectrum);
      queue.finish();
      times.push_back(microseconds(start));
    }
    report("imago dense", times);
  }

  SparseTransform transform() const {
    SparseTransform t;
    t.length = settings.length;
    t.sparsity = settings.sparsity;
    t.precision = settings.precision;
    t.method = settings.method;
    t.noise = settings.noise;
    t.assurance = settings.assurance;
    return t;
  }

  void time_calls() {
    const SparsePlan plan(context, device, transform());
    std::printf("%s", plan.describe().c_str());
    const cl::CommandQueue plain(context, device);
    std::vector<double> times;
    std::map<std::string, int> outcomes;
    double error = 0;
    for (std::size_t i = 0; i < settings.runs + 5; ++i) {
      const auto start = Clock::now();
      const auto answer = plan.forward(plain, signals[i % signals.size()], {.seed = 1000 + i});
      if (i >= 5) times.push_back(microseconds(start));
      ++outcomes[std::string(base::word_of(problem::kVerdicts, answer.verdict)) + ", " +
                 std::to_string(answer.attempts) + " attempts, " +
                 std::to_string(answer.indices.size()) + " tones" +
                 (answer.used == SparseMethod::dense ? ", dense" : "")];
      error = std::max(error, answer.residual);
    }
    report(plan.transform().assurance == Assurance::verified ? "verified" : "sparse", times);
    for (const auto& [text, count] : outcomes) std::printf("  %4d x %s\n", count, text.c_str());
    std::printf("  largest residual %.1e\n", error);
  }

  /// One attempt of a method, number i.
  using Attempt = std::function<sparse::Reading(runtime::Sequence&, std::size_t)>;

  sparse_device::Signal signal_of(std::size_t i) const {
    return {signals[i % signals.size()](), 0};
  }

  /// Attempt i of a method.
  Attempt attempt_of(const std::shared_ptr<sparse_device::MethodRunner>& runner) const {
    return [this, runner](runtime::Sequence& sequence, std::size_t i) {
      return runner->attempt(sequence, signal_of(i), {.seed = 5000 + i});
    };
  }

  /// The method's own, but for what the command line names.
  sparse::PhaseParameters phase_parameters(const sparse::Request& request,
                                           const device::Facts& facts) const {
    auto parameters = sparse::phase_parameters(request, sparse::dear_on(facts)).value();
    auto& level = parameters.coarse.front();
    const unsigned rounds = settings.rounds > 0 ? settings.rounds : level.rounds;
    if (settings.log_buckets > 0)
      level = sparse::make_level(request.length, settings.log_buckets, level.step);
    level.rounds = rounds;
    if (settings.passes > 0) parameters.passes = settings.passes;
    return parameters;
  }

  Attempt phase_attempt() const {
    const auto request = sparse::make_request(transform());
    const auto target = engine::make_target(context(), device());
    const auto data = facts();
    const Options options;
    return attempt_of(std::make_shared<sparse_device::PhaseRunner>(
        sparse_device::Setup{target, data, request, options}, phase_parameters(request, data)));
  }

  Attempt voting_attempt(const sparse::VotingOptions& switches) const {
    auto t = transform();
    t.method = SparseMethod::voting;
    const auto request = sparse::make_request(t);
    const auto parameters = sparse::voting_parameters(request, switches);
    if (!parameters) throw Unsupported("the voting method does not take this length or sparsity");
    const auto target = engine::make_target(context(), device());
    const auto data = facts();
    const Options options;
    return attempt_of(std::make_shared<sparse_device::VotingRunner>(
        sparse_device::Setup{target, data, request, options}, *parameters));
  }

  /// Audits what an attempt found; nothing where no assurance asks for it.
  std::function<void(runtime::Sequence&, std::size_t, const sparse::Reading&)> audit() const {
    if (settings.assurance != Assurance::verified)
      return [](runtime::Sequence&, std::size_t, const sparse::Reading&) {};
    const auto request = sparse::make_request(transform());
    const auto target = engine::make_target(context(), device());
    const auto data = facts();
    const Options options;
    auto runner = std::make_shared<sparse_device::AuditRunner>(
        sparse_device::Setup{target, data, request, options});
    return
        [this, runner](runtime::Sequence& sequence, std::size_t i, const sparse::Reading& reading) {
          runner->audit(sequence, signal_of(i), reading.tones, i);
        };
  }

  device::Facts facts() const { return runtime::facts(device(), runtime::DiskCache::at({})); }

  /// Each command of an attempt on the device: how long it ran, and the gap before it.
  void time_stages() {
    const Attempt attempt =
        settings.method == SparseMethod::voting ? voting_attempt({}) : phase_attempt();
    const auto audit_of = audit();
    std::vector<std::vector<double>> ran, waited;
    std::vector<std::string> names;
    std::vector<double> plain, host;
    for (std::size_t i = 0; i < settings.runs; ++i) {
      std::vector<runtime::Traced> trace;
      runtime::Sequence sequence(queue(), true, &trace);
      runtime::Sequence untraced(queue(), true);
      auto begin = Clock::now();
      attempt(untraced, i);
      plain.push_back(microseconds(begin));
      begin = Clock::now();
      const auto reading = attempt(sequence, i);
      audit_of(sequence, i, reading);
      host.push_back(microseconds(begin));
      add_times(trace, names, ran, waited);
      if (i == 0) std::printf("%zu tones, %u rounds\n", reading.tones.size(), reading.rounds);
    }
    report("attempt", plain);
    report("traced", host);
    std::printf("%-24s %9s %9s %9s   (us, medians on the device)\n", "command", "ran", "best",
                "gap before");
    double sum = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::sort(ran[i].begin(), ran[i].end());
      std::sort(waited[i].begin(), waited[i].end());
      const double own = ran[i][ran[i].size() / 2], gap = waited[i][waited[i].size() / 2];
      sum += own + gap;
      std::printf("%-24s %9.2f %9.2f %9.2f\n", names[i].c_str(), own, ran[i].front(), gap);
    }
    std::printf("%-24s %9.2f\n", "sum", sum);
  }

  /// An attempt of the voting method with each setting of its switches. The filter's time misses
  /// what runs in a second queue.
  void time_optimisations() {
    std::printf("%-28s %10s %10s %10s %10s %6s %9s   (us, medians)\n", "optimisations", "attempt",
                "best", "filter", "cutoff", "tones", "residual");
    for (const auto& variant : variants(settings.precision)) {
      const Attempt attempt = voting_attempt(variant.options);
      std::vector<double> wall, filter, cutoff;
      sparse::Reading last;
      for (std::size_t i = 0; i < settings.runs + 3; ++i) {
        runtime::Sequence plain(queue(), true);
        const auto begin = Clock::now();
        last = attempt(plain, i);
        if (i >= 3) wall.push_back(microseconds(begin));
        std::vector<runtime::Traced> trace;
        runtime::Sequence sequence(queue(), true, &trace);
        attempt(sequence, i);
        filter.push_back(traced(trace, {"filter", "accumulate"}));
        cutoff.push_back(traced(trace, {"bins", "limit", "select", "sort", "take"}));
      }
      std::printf("%-28s %10.1f %10.1f %10.1f %10.1f %6zu %9.1e\n", variant.name, median_of(wall),
                  *std::min_element(wall.begin(), wall.end()), median_of(filter), median_of(cutoff),
                  last.tones.size(), last.residual);
      std::fflush(stdout);
    }
  }

  Settings settings;
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
  std::vector<cl::Buffer> signals;
};

/// What an option takes: the words of an enumeration.
template <class Value, std::size_t count>
CLI::CheckedTransformer choices(const std::array<base::Word<Value>, count>& words) {
  std::map<std::string, Value> known;
  for (const auto& word : words) known.emplace(word.text, word.value);
  return CLI::CheckedTransformer(known);
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app{"Times SparsePlan::forward(), with a new seed and another signal each time"};
  Settings settings;
  app.add_option("--device", settings.device, "index or part of a name");
  app.add_option("--log-length", settings.log_length, "n = 2^this");
  app.add_option("--length", settings.length, "n");
  app.add_option("--sparsity", settings.sparsity, "k");
  app.add_option("--runs", settings.runs);
  app.add_option("--signals", settings.signals, "in turn");
  app.add_option("--noise", settings.noise, "what the plan is told");
  app.add_option("--precision", settings.precision)
      ->transform(choices(base::without(problem::kPrecisions, Precision::f16)));
  app.add_flag("--stages", settings.stages, "time the stages of an attempt too");
  app.add_option("--log-buckets", settings.log_buckets, "of --stages: 0: the method's own");
  app.add_option("--rounds", settings.rounds, "of --stages: of peeling; 0: the method's own");
  app.add_option("--passes", settings.passes, "of --stages: of refinement; 0: the method's own");
  app.add_option("--method", settings.method)->transform(choices(problem::kSparseMethods));
  app.add_option("--assurance", settings.assurance)->transform(choices(problem::kAssurances));
  app.add_flag("--optimisations", settings.optimisations,
               "time attempts of the voting method with each of its switches on and off");
  CLI11_PARSE(app, count, arguments);
  if (settings.length == 0) settings.length = std::size_t{1} << settings.log_length;
  try {
    Bench bench(settings);
    bench.make_signals();
    if (settings.optimisations) {
      bench.time_optimisations();
      return 0;
    }
    bench.time_calls();
    if (settings.stages) bench.time_stages();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
