// This file times the sparse transform: the wall time of calls with a new seed and another signal
// each time, and what its stages take on the device.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <random>

#include <CLI/CLI.hpp>

#include <imago/imago.hpp>

#include "api/sparse_phase.hpp"
#include "runtime/facts.hpp"
#include "sparse/verdict.hpp"

namespace {

using namespace imago;
using Clock = std::chrono::steady_clock;

struct Settings {
  std::string device;
  unsigned log_length = 22;
  std::size_t length = 0, sparsity = 1000, runs = 100, signals = 4;
  Precision precision = Precision::f32;
  double noise = 0;
  bool stages = false, dense = false;
};

double microseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
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

  static double report(const char* what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    std::printf("%-12s median %9.1f us, best %9.1f, 90 %% %9.1f\n", what, times[times.size() / 2],
                times.front(), times[times.size() * 9 / 10]);
    return times[times.size() / 2];
  }

  SparseTransform transform() const {
    SparseTransform t;
    t.length = settings.length;
    t.sparsity = settings.sparsity;
    t.precision = settings.precision;
    t.method = settings.dense ? SparseMethod::dense : SparseMethod::phase;
    t.noise = settings.noise;
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
      const auto answer = plan.forward(plain, signals[i % signals.size()], {}, 1000 + i);
      if (i >= 5) times.push_back(microseconds(start));
      const char* verdicts[] = {"verified", "noise floor", "unverified"};
      ++outcomes[std::string(verdicts[static_cast<int>(answer.verdict)]) + ", " +
                 std::to_string(answer.attempts) + " attempts, " +
                 std::to_string(answer.indices.size()) + " tones" +
                 (answer.used == SparseMethod::dense ? ", dense" : "")];
      error = std::max(error, answer.residual);
    }
    report("sparse", times);
    for (const auto& [text, count] : outcomes) std::printf("  %4d x %s\n", count, text.c_str());
    std::printf("  largest residual %.1e\n", error);
  }

  /// Each command of an attempt on the device: how long it ran, and the gap before it.
  void time_stages() {
    const auto target = runtime::make_target(context(), device());
    const auto request = sparse::make_request(transform());
    const auto parameters = sparse::phase_parameters(request).value();
    const auto facts = runtime::facts(device(), runtime::DiskCache::at({}));
    api::PhaseRunner runner(target, facts, request, parameters, {});
    std::vector<std::vector<double>> ran, waited;
    std::vector<std::string> names;
    std::vector<double> host;
    for (std::size_t i = 0; i < settings.runs; ++i) {
      std::vector<runtime::Traced> trace;
      runtime::Sequence sequence(queue(), true, {}, &trace);
      api::PhaseRunner::Start start;
      start.draws = sparse::draw(request.length, 5000 + i, 0);
      const auto begin = Clock::now();
      const auto reading = runner.attempt(sequence, {signals[i % signals.size()](), 0}, start);
      host.push_back(microseconds(begin));
      add(trace, names, ran, waited);
      if (i == 0) std::printf("%u rounds found something\n", reading.rounds);
    }
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

  static void add(const std::vector<runtime::Traced>& trace, std::vector<std::string>& names,
                  std::vector<std::vector<double>>& ran, std::vector<std::vector<double>>& waited) {
    cl_ulong before = 0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      cl_ulong from = 0, to = 0;
      clGetEventProfilingInfo(trace[i].event.get(), CL_PROFILING_COMMAND_START, sizeof from, &from,
                              nullptr);
      clGetEventProfilingInfo(trace[i].event.get(), CL_PROFILING_COMMAND_END, sizeof to, &to,
                              nullptr);
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

  Settings settings;
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
  std::vector<cl::Buffer> signals;
};

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
  const std::map<std::string, Precision> precisions{{"f32", Precision::f32},
                                                    {"f64", Precision::f64}};
  app.add_option("--precision", settings.precision)->transform(CLI::CheckedTransformer(precisions));
  app.add_flag("--stages", settings.stages, "time the stages of an attempt too");
  app.add_flag("--dense", settings.dense, "SparseMethod::dense");
  CLI11_PARSE(app, count, arguments);
  if (settings.length == 0) settings.length = std::size_t{1} << settings.log_length;
  try {
    Bench bench(settings);
    bench.make_signals();
    bench.time_calls();
    if (settings.stages) bench.time_stages();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
