// This file counts how often one batch of launches answers: attempts of the phase method with
// chosen rounds of peeling, passes of refinement and buckets, many draws on a few signals.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>

#include <CLI/CLI.hpp>

#include <imago/imago.hpp>

#include "catalogue/tones.hpp"
#include "problem/words.hpp"
#include "runtime/facts.hpp"
#include "sparse/verdict.hpp"
#include "sparse_device/phase.hpp"

namespace {

using namespace imago;

struct Settings {
  std::string device;
  unsigned log_length = 20, seeds = 100, signals = 2;
  std::size_t sparsity = 1000;
  Precision precision = Precision::f32;
  double snr_db = 1e9, range_db = 0;
  std::vector<unsigned> rounds{2, 3, 4}, passes{2}, log_buckets{0};
  bool gpu_groups = false;
};

struct Sums {
  unsigned runs = 0, once = 0, sure = 0;
  double commands = 0, error = 0, worst = 0;
};

sparse::Request request_of(const Settings& s) {
  SparseTransform t;
  t.length = std::size_t{1} << s.log_length;
  t.sparsity = s.sparsity;
  t.precision = s.precision;
  return sparse::make_request(t);
}

/// Mean error of a tone over the largest, against the coefficients that the signal was made of.
double error_of(const sparse::Reading& reading, const catalogue::SparseSignal& signal) {
  const auto n = static_cast<double>(signal.samples.size());
  double sum = 0, largest = 0;
  std::map<std::uint64_t, std::complex<double>> found;
  for (const auto& tone : reading.tones) found[tone.frequency] = tone.amplitude;
  for (std::size_t i = 0; i < signal.indices.size(); ++i) {
    const auto at = found.find(signal.indices[i]);
    const auto value = at == found.end() ? std::complex<double>(0) : at->second;
    sum += std::abs(n * value - signal.values[i]);
    largest = std::max(largest, std::abs(signal.values[i]));
  }
  return sum / largest / static_cast<double>(std::max<std::size_t>(1, signal.indices.size()));
}

struct Bench {
  explicit Bench(const Settings& s)
      : settings(s),
        device(find_device(s.device, s.precision)),
        context(device),
        queue(context, device),
        request(request_of(s)),
        target(engine::make_target(context(), device())),
        facts(runtime::facts(device(), runtime::DiskCache::at({}))) {
    if (s.gpu_groups) facts.type = device::Type::gpu;
  }

  template <class T>
  cl::Buffer upload(const catalogue::SparseSignal& signal) {
    auto data = catalogue::stored<T>(signal, false);
    return {context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, data.size() * sizeof(T),
            data.data()};
  }

  void run(const sparse::PhaseParameters& parameters, const catalogue::SparseSignal& signal,
           const cl::Buffer& buffer, Sums& sums) {
    const Options options;
    sparse_device::PhaseRunner runner(sparse_device::Setup{target, facts, request, options},
                                      parameters);
    std::size_t fewest = ~std::size_t{0};
    for (unsigned seed = 0; seed < settings.seeds; ++seed) {
      std::vector<runtime::Traced> trace;
      runtime::Sequence sequence(queue(), true, &trace);
      const auto reading = runner.attempt(sequence, {buffer(), 0}, {.seed = 77000 + seed});
      fewest = std::min(fewest, trace.size());
      const auto decision = sparse::judge(reading, {}, parameters, request.tolerance);
      const double error = error_of(reading, signal);
      if (getenv("XB"))
        std::printf(
            "tones %zu worst/noise %.2f residual %.2e difference %.2e energy %.3f checked %llu\n",
            reading.tones.size(), reading.worst / reading.noise, reading.residual,
            reading.difference, reading.energy, (unsigned long long)reading.checked);
      ++sums.runs;
      sums.once += trace.size() == fewest;
      sums.sure += decision.next == sparse::Next::accept_consistent;
      sums.commands += static_cast<double>(trace.size());
      sums.error += error;
      sums.worst = std::max(sums.worst, error);
    }
  }

  void run_support(catalogue::Support support) {
    for (const unsigned buckets : settings.log_buckets) {
      for (const unsigned rounds : settings.rounds) {
        for (const unsigned passes : settings.passes) {
          auto parameters = sparse::phase_parameters(request, sparse::dear_on(facts)).value();
          parameters.passes = passes;
          auto& level = parameters.coarse.front();
          if (buckets > 0) level = sparse::make_level(request.length, buckets, level.step);
          level.rounds = rounds;
          Sums sums;
          for (unsigned i = 0; i < settings.signals; ++i)
            run(parameters, signals(support, i), buffers(support, i), sums);
          std::printf("%-12s %6llu %6u %6u %6u/%-5u %6u %8.2f %9.1e %9.1e\n",
                      catalogue::name(support).c_str(),
                      static_cast<unsigned long long>(parameters.coarse.front().buckets()), rounds,
                      passes, sums.once, sums.runs, sums.sure, sums.commands / sums.runs,
                      sums.error / sums.runs, sums.worst);
          std::fflush(stdout);
        }
      }
    }
  }

  using Key = std::pair<catalogue::Support, unsigned>;
  const catalogue::SparseSignal& signals(catalogue::Support support, unsigned i) {
    auto& signal = made[{support, i}];
    if (signal.samples.empty()) {
      catalogue::Tones tones;
      tones.length = request.length;
      tones.sparsity = settings.sparsity;
      tones.support = support;
      tones.snr_db = settings.snr_db;
      tones.dynamic_range_db = settings.range_db;
      tones.seed = i;
      signal = catalogue::make_signal(tones);
    }
    return signal;
  }
  const cl::Buffer& buffers(catalogue::Support support, unsigned i) {
    auto& buffer = uploaded[{support, i}];
    if (!buffer())
      buffer = settings.precision == Precision::f64 ? upload<double>(signals(support, i))
                                                    : upload<float>(signals(support, i));
    return buffer;
  }

  Settings settings;
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
  sparse::Request request;
  runtime::Target target;
  device::Facts facts;
  std::map<Key, catalogue::SparseSignal> made;
  std::map<Key, cl::Buffer> uploaded;
};

}  // namespace

int main(int count, char** arguments) {
  CLI::App app{
      "How often one batch of launches answers. Columns: support, buckets, rounds, passes, "
      "attempts "
      "with one batch of all, those that may say `consistent`, commands in the mean, mean and "
      "worst "
      "mean error of a tone"};
  Settings settings;
  bool structured = false;
  app.add_option("--device", settings.device, "index or part of a name");
  app.add_option("--log-length", settings.log_length, "n = 2^this");
  app.add_option("--sparsity", settings.sparsity, "k");
  app.add_option("--seeds", settings.seeds, "draws for each signal");
  app.add_option("--signals", settings.signals);
  app.add_option("--snr", settings.snr_db, "dB");
  app.add_option("--range", settings.range_db, "dB of the amplitudes");
  app.add_option("--rounds", settings.rounds)->delimiter(',');
  app.add_option("--passes", settings.passes)->delimiter(',');
  app.add_option("--log-buckets", settings.log_buckets, "0: the method's own")->delimiter(',');
  app.add_option("--precision", settings.precision)
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Precision>{{"f32", Precision::f32}, {"f64", Precision::f64}}));
  app.add_flag("--structured", structured, "runs, equally spaced tones and blocks too");
  app.add_flag("--gpu-groups", settings.gpu_groups, "the kernels' GPU way on any device");
  CLI11_PARSE(app, count, arguments);
  try {
    Bench bench(settings);
    std::printf("%-12s %6s %6s %6s %12s %6s %8s %9s %9s\n", "support", "B", "rounds", "passes",
                "one batch", "sure", "commands", "error", "worst");
    bench.run_support(catalogue::Support::random);
    if (!structured) return 0;
    for (const auto support : {catalogue::Support::run, catalogue::Support::equal,
                               catalogue::Support::apart_1024, catalogue::Support::blocks})
      bench.run_support(support);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
