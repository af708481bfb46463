// This file is `sparse_trials time` and `rounds`. It measures calls with a new seed and another
// signal each time, their stages on the device, and the voting method's optimisations on and off.
// It also counts how often one batch of launches is enough.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>

#include <CLI/CLI.hpp>

#include "options.hpp"
#include "problem/words.hpp"
#include "runtime/facts.hpp"
#include "sparse_device/audit.hpp"
#include "sparse_device/phase.hpp"
#include "sparse_device/voting.hpp"
#include "trials.hpp"

namespace imago::trials {
namespace {

using catalogue::Support;
using Times = std::vector<double>;  // in microseconds

struct Settings {
  std::string device;
  unsigned log_length = 22;
  SparseTransform transform;
  catalogue::Tones tones;
  std::size_t signals = 4, runs = 100;
  bool stages = false, optimisations = false, structured = false, gpu_groups = false, each = false;
  std::vector<unsigned> log_buckets{0}, rounds{0}, passes{0};
};

/// Parameters of the phase method that differ from its own; 0: its own.
struct Peeling {
  unsigned log_buckets = 0, rounds = 0, passes = 0;
};

/// A combination of the voting method's options.
struct Variant {
  const char* name;
  sparse::VotingOptions options;
};

/// Returns the paper's optimisations one by one, from none to all, and all but one.
std::vector<Variant> variants(Precision precision) {
  std::vector<Variant> list;
  const auto add = [&](const char* name, bool mapping, bool partition, bool threshold) {
    if (!partition && precision == Precision::f64) return;  // atomics of doubles do not exist
    list.push_back({name,
                    {.index_mapping = mapping,
                     .loop_partition = partition,
                     .threshold_selection = threshold}});
  };
  add("none", false, false, false);
  add("index mapping alone", true, false, false);
  add("loop partition alone", false, true, false);
  add("threshold selection alone", false, false, true);
  add("both of the filter", true, true, false);
  add("all but index mapping", false, true, true);
  add("all but loop partition", true, false, true);
  add("default: all but layout", true, true, true);
  list.push_back({"default, layout transformed", {.layout_transformation = true}});
  list.push_back({"default, comb", {.comb = true}});
  list.push_back({"default, Gaussian window", {.shape = sparse::FlatShape::gaussian}});
  list.push_back({"default, not refined", {.refinements = 0}});
  return list;
}

double timed(const std::function<void()>& call) {
  const double start = now();
  call();
  return 1e6 * (now() - start);
}

double median(Times& times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void report(const char* what, Times times) {
  const double middle = median(times);
  std::printf("%-12s median %9.1f us, best %9.1f, 90 %% %9.1f\n", what, middle, times.front(),
              times[times.size() * 9 / 10]);
}

/// A command on the device, in microseconds.
struct Span {
  std::string name;
  double from = 0, to = 0;
};
std::vector<Span> spans(const std::vector<runtime::Traced>& trace) {
  std::vector<Span> all;
  for (const auto& command : trace) {
    const auto at = [&](cl_profiling_info what) {
      cl_ulong time = 0;
      clGetEventProfilingInfo(command.event.get(), what, sizeof time, &time, nullptr);
      return 1e-3 * static_cast<double>(time);
    };
    all.push_back({command.name, at(CL_PROFILING_COMMAND_START), at(CL_PROFILING_COMMAND_END)});
  }
  return all;
}

/// Returns the sum over commands whose name contains one of these parts.
double sum_of(const std::vector<Span>& spans, std::initializer_list<const char*> parts) {
  double sum = 0;
  for (const auto& span : spans)
    if (std::any_of(parts.begin(), parts.end(),
                    [&](const char* part) { return span.name.find(part) != std::string::npos; }))
      sum += span.to - span.from;
  return sum;
}

/// A device with signals, and attempts of the methods on them.
struct Trial {
  using Runner = std::shared_ptr<sparse_device::MethodRunner>;

  Trial(const Settings& settings, Support support)
      : settings(settings),
        transform(settings.transform),
        support(support),
        machine(settings.device, transform.precision, CL_QUEUE_PROFILING_ENABLE),
        facts(runtime::facts(machine.device(), runtime::DiskCache::at({}))),
        request(sparse::make_request(transform)) {
    if (settings.gpu_groups) facts.type = device::Type::gpu;
    auto tones = settings.tones;
    tones.length = transform.length;
    tones.sparsity = transform.sparsity;
    tones.support = support;
    for (tones.seed = 0; tones.seed < settings.signals; ++tones.seed) {
      signals.push_back(catalogue::make_signal(tones));
      buffers.push_back(machine.upload(signals.back(), transform));
      signals.back().samples = {};
    }
  }

  const cl::Buffer& signal(std::size_t i) const { return buffers[i % buffers.size()]; }

  sparse::Reading attempt(const Runner& runner, std::size_t i,
                          std::vector<runtime::Traced>* trace = nullptr) const {
    runtime::Sequence sequence(machine.queue(), trace);
    return runner->attempt(sequence, {signal(i)(), 0}, {.seed = 5000 + i});
  }

  template <class Made, class... Parameters>
  std::shared_ptr<Made> make(const sparse::Request& made_for, const Parameters&... chosen) const {
    const auto target = engine::make_target(machine.context(), machine.device());
    const Options options;
    return std::make_shared<Made>(sparse_device::Setup{target, facts, made_for, options},
                                  chosen...);
  }

  sparse::PhaseParameters parameters(const Peeling& peeling) const {
    auto parameters = sparse::phase_parameters(request, sparse::dear_on(facts)).value();
    auto& level = parameters.coarse.front();
    const unsigned rounds = peeling.rounds > 0 ? peeling.rounds : level.rounds;
    if (peeling.log_buckets > 0)
      level = sparse::make_level(request.length, peeling.log_buckets, level.step);
    level.rounds = rounds;
    if (peeling.passes > 0) parameters.passes = peeling.passes;
    return parameters;
  }

  Runner voting(const sparse::VotingOptions& switches) const {
    auto t = transform;
    t.method = SparseMethod::voting;
    const auto request = sparse::make_request(t);
    const auto parameters = sparse::voting_parameters(request, switches);
    if (!parameters) throw Unsupported("the voting method does not take this length or sparsity");
    return make<sparse_device::VotingRunner>(request, *parameters);
  }

  void dense() const {
    Transform t;
    t.lengths = {transform.length};
    t.precision = transform.precision;
    const Plan plan(machine.context, machine.device, t);
    const cl::Buffer spectrum(machine.context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
    Times times;
    for (std::size_t i = 0; i < std::min<std::size_t>(settings.runs, 20); ++i)
      times.push_back(timed([&] {
        plan.forward(machine.queue, signal(i), spectrum);
        machine.queue.finish();
      }));
    report("imago dense", times);
  }

  void calls() const {
    const SparsePlan plan(machine.context, machine.device, transform);
    std::printf("%s", plan.describe().c_str());
    const cl::CommandQueue plain(machine.context, machine.device);
    Times times;
    std::map<std::string, int> outcomes;
    double error = 0;
    for (std::size_t i = 0; i < settings.runs + 5; ++i) {
      SparseSpectrum answer;
      const double time =
          timed([&] { answer = plan.forward(plain, signal(i), {.seed = 1000 + i}); });
      if (i >= 5) times.push_back(time);
      ++outcomes[std::string(base::word_of(problem::kVerdicts, answer.verdict)) + ", " +
                 std::to_string(answer.attempts) + " attempts, " +
                 std::to_string(answer.indices.size()) + " tones" +
                 (answer.used == SparseMethod::dense ? ", dense" : "")];
      error = std::max(error, answer.residual);
    }
    report(transform.assurance == Assurance::verified ? "verified" : "sparse", times);
    for (const auto& [text, count] : outcomes) std::printf("  %4d x %s\n", count, text.c_str());
    std::printf("  largest residual %.1e\n", error);
  }

  /// Prints each command of an attempt on the device, with its duration and the gap before it.
  void stages(const Peeling& peeling) const {
    const Runner runner = transform.method == SparseMethod::voting
                              ? voting({})
                              : make<sparse_device::PhaseRunner>(request, parameters(peeling));
    std::shared_ptr<sparse_device::AuditRunner> audit;
    if (transform.assurance == Assurance::verified)
      audit = make<sparse_device::AuditRunner>(request);
    std::vector<std::pair<Times, Times>> stages;  // run time, waiting time
    std::vector<std::string> names;
    Times plain, host;
    for (std::size_t i = 0; i < settings.runs; ++i) {
      std::vector<runtime::Traced> trace;
      sparse::Reading reading;
      plain.push_back(timed([&] { attempt(runner, i); }));
      host.push_back(timed([&] {
        reading = attempt(runner, i, &trace);
        runtime::Sequence sequence(machine.queue(), &trace);
        if (audit) audit->audit(sequence, {signal(i)(), 0}, reading.tones, i);
      }));
      const auto commands = spans(trace);
      for (std::size_t c = 0; c < commands.size(); ++c) {
        if (names.size() == c) {
          names.push_back(commands[c].name);
          stages.emplace_back();
        }
        stages[c].first.push_back(commands[c].to - commands[c].from);
        stages[c].second.push_back(c > 0 ? std::max(0.0, commands[c].from - commands[c - 1].to)
                                         : 0);
      }
      if (i == 0) std::printf("%zu tones, %u rounds\n", reading.tones.size(), reading.rounds);
    }
    report("attempt", plain);
    report("traced", host);
    std::printf("%-24s %9s %9s %9s   (us, medians on the device)\n", "command", "ran", "best",
                "gap before");
    double sum = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto& [ran, waited] = stages[i];
      const double own = median(ran), gap = median(waited);
      sum += own + gap;
      std::printf("%-24s %9.2f %9.2f %9.2f\n", names[i].c_str(), own, ran.front(), gap);
    }
    std::printf("%-24s %9.2f\n", "sum", sum);
  }

  /// Prints an attempt of the voting method with each combination of its options. The filter's time
  /// excludes the second queue.
  void optimisations() const {
    std::printf("%-28s %10s %10s %10s %10s %6s %9s   (us, medians)\n", "optimisations", "attempt",
                "best", "filter", "cutoff", "tones", "residual");
    for (const auto& variant : variants(transform.precision)) {
      const Runner runner = voting(variant.options);
      Times wall, filter, cutoff;
      sparse::Reading last;
      for (std::size_t i = 0; i < settings.runs + 3; ++i) {
        const double time = timed([&] { last = attempt(runner, i); });
        if (i >= 3) wall.push_back(time);
        std::vector<runtime::Traced> trace;
        attempt(runner, i, &trace);
        filter.push_back(sum_of(spans(trace), {"filter", "accumulate"}));
        cutoff.push_back(sum_of(spans(trace), {"bins", "limit", "select", "sort", "take"}));
      }
      const double middle = median(wall);
      std::printf("%-28s %10.1f %10.1f %10.1f %10.1f %6zu %9.1e\n", variant.name, middle,
                  wall.front(), median(filter), median(cutoff), last.tones.size(), last.residual);
      std::fflush(stdout);
    }
  }

  /// Returns the mean error of a tone, relative to the largest, compared with the signal's
  /// coefficients.
  double error_of(const sparse::Reading& reading, std::size_t signal) const {
    SparseSpectrum found;
    for (const auto& tone : reading.tones) {
      found.indices.push_back(tone.frequency);
      found.values.push_back(static_cast<double>(transform.length) * tone.amplitude);
    }
    return catalogue::compare(found, signals[signal]).mean_error;
  }

  /// Prints how many of `runs` attempts for each signal need only one batch of launches.
  void rounds(const Peeling& peeling) const {
    const auto chosen = parameters(peeling);
    unsigned once = 0, sure = 0;
    double commands = 0, sum = 0, worst = 0;
    for (std::size_t signal = 0; signal < settings.signals; ++signal) {
      const Runner runner = make<sparse_device::PhaseRunner>(request, chosen);
      std::size_t fewest = ~std::size_t{0};
      for (std::size_t run = 0; run < settings.runs; ++run) {
        std::vector<runtime::Traced> trace;
        const auto reading = attempt(runner, run * settings.signals + signal, &trace);
        const double error = error_of(reading, signal);
        if (settings.each)
          std::printf(
              "tones %zu worst/noise %.2f residual %.2e difference %.2e energy %.3f "
              "checked %llu\n",
              reading.tones.size(), reading.worst / reading.noise, reading.residual,
              reading.difference, reading.energy, static_cast<unsigned long long>(reading.checked));
        fewest = std::min(fewest, trace.size());
        once += trace.size() == fewest;
        sure += runner->judge(reading, {}).next == sparse::Next::accept_consistent;
        commands += static_cast<double>(trace.size());
        sum += error;
        worst = std::max(worst, error);
      }
    }
    const auto all = static_cast<double>(settings.signals * settings.runs);
    std::printf("%-14s %6llu %6u %6u %6u/%-5.0f %6u %8.2f %9.1e %9.1e\n",
                catalogue::name(support).c_str(),
                static_cast<unsigned long long>(chosen.coarse.front().buckets()),
                chosen.coarse.front().rounds, chosen.passes, once, all, sure, commands / all,
                sum / all, worst);
    std::fflush(stdout);
  }

  const Settings& settings;
  const SparseTransform& transform;
  Support support;
  Machine machine;
  device::Facts facts;
  sparse::Request request;
  std::vector<catalogue::SparseSignal> signals;  ///< without their samples
  std::vector<cl::Buffer> buffers;
};

void each_peeling(const Settings& settings, const std::function<void(const Peeling&)>& body) {
  for (const unsigned log_buckets : settings.log_buckets)
    for (const unsigned rounds : settings.rounds)
      for (const unsigned passes : settings.passes) body({log_buckets, rounds, passes});
}

int run_time(const Settings& settings) {
  const Trial trial(settings, Support::random);
  trial.dense();
  if (settings.optimisations) {
    trial.optimisations();
    return 0;
  }
  trial.calls();
  if (settings.stages)
    each_peeling(settings, [&](const Peeling& peeling) { trial.stages(peeling); });
  return 0;
}

int run_rounds(const Settings& settings) {
  std::printf("%-14s %6s %6s %6s %12s %6s %8s %9s %9s\n", "support", "B", "rounds", "passes",
              "one batch", "sure", "commands", "error", "worst");
  std::vector supports{Support::random};
  if (settings.structured)
    supports = {Support::random, Support::run, Support::equal, Support::apart_1024,
                Support::blocks};
  for (const auto support : supports) {
    const Trial trial(settings, support);
    each_peeling(settings, [&](const Peeling& peeling) { trial.rounds(peeling); });
  }
  return 0;
}

/// Adds the options of both sub-commands.
command::Command make_command(CLI::App& app, const std::shared_ptr<Settings>& s,
                              int (*run)(const Settings&)) {
  s->transform.sparsity = 1000;
  s->transform.method = SparseMethod::phase;
  command::add_device(app, s->device);
  command::add_sparse_precision(app, s->transform.precision);
  app.add_option("--log-length", s->log_length, "n = 2^this")->capture_default_str();
  app.add_option("--length", s->transform.length, "n");
  app.add_option("--sparsity", s->transform.sparsity, "k")->capture_default_str();
  app.add_option("--signals", s->signals, "In turn")->capture_default_str();
  app.add_option("--snr", s->tones.snr_db, "Signal over noise, dB");
  app.add_option("--range", s->tones.dynamic_range_db, "Of the amplitudes, dB");
  app.add_option("--log-buckets", s->log_buckets, "Of attempts; 0: the method's own")
      ->delimiter(',');
  app.add_option("--rounds", s->rounds, "Of peeling; 0: the method's own")->delimiter(',');
  app.add_option("--passes", s->passes, "Of refinement; 0: the method's own")->delimiter(',');
  return {&app, [s, run] {
            if (s->transform.length == 0) s->transform.length = std::size_t{1} << s->log_length;
            return run(*s);
          }};
}

}  // namespace

command::Command time_command(CLI::App& parent) {
  auto& app = *parent.add_subcommand(
      "time", "Time SparsePlan::forward(), with a new seed and another signal each time");
  const auto s = std::make_shared<Settings>();
  const auto command = make_command(app, s, run_time);
  command::add_method(app, s->transform.method);
  command::add_assurance(app, s->transform.assurance);
  app.add_option("--runs", s->runs);
  app.add_option("--noise", s->transform.noise, "What the plan is told");
  app.add_flag("--stages", s->stages, "Time the stages of attempts too");
  app.add_flag("--optimisations", s->optimisations,
               "Time attempts of the voting method with each of its switches on and off");
  return command;
}

command::Command rounds_command(CLI::App& parent) {
  auto& app = *parent.add_subcommand(
      "rounds",
      "Count how often one batch of launches answers. Columns: support, buckets, rounds, passes, "
      "attempts with one batch of all, those that may say `consistent`, commands in the mean, mean "
      "and worst mean error of a tone");
  const auto s = std::make_shared<Settings>();
  s->log_length = 20;
  s->signals = 2;
  s->rounds = {2, 3, 4};
  s->passes = {2};
  app.add_option("--seeds", s->runs, "Draws for each signal");
  app.add_flag("--structured", s->structured, "Runs, equally spaced tones and blocks too");
  app.add_flag("--gpu-groups", s->gpu_groups, "The kernels' GPU way on any device");
  app.add_flag("--each", s->each, "Print a line for each attempt");
  return make_command(app, s, run_rounds);
}

}  // namespace imago::trials
