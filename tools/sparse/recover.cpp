// This file is `sparse_trials recover`, the statistics of the sparse transform. It runs rows of
// signals with known coefficients, with many seeds each, and counts how many were recovered, wrong,
// or left to the dense transform.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>

#include <CLI/CLI.hpp>

#include "options.hpp"
#include "trials.hpp"

namespace imago::trials {
namespace {

struct Row {
  std::string name;
  catalogue::Tones tones;
  SparseTransform transform;
};

struct Settings {
  std::string device, filter;
  unsigned seeds = 10;
  SparseMethod method = SparseMethod::phase;
  Assurance assurance = Assurance::consistent;
  bool list = false, no_dense = false;
};

std::string size_name(std::uint64_t n) {
  if (!std::has_single_bit(n)) return std::to_string(n);
  return "2^" + std::to_string(std::countr_zero(n));
}

Row row(std::uint64_t n, std::uint64_t k, Precision precision) {
  Row r;
  r.tones.length = r.transform.length = n;
  r.tones.sparsity = r.transform.sparsity = k;
  r.transform.precision = precision;
  r.name =
      (precision == Precision::f64 ? "f64 " : "f32 ") + size_name(n) + " k=" + std::to_string(k);
  return r;
}

Row with(Row r, const std::string& name) {
  r.name += " " + name;
  return r;
}

void add_variants(std::vector<Row>& rows, const Row& base) {
  for (const auto support :
       {catalogue::Support::run, catalogue::Support::run_at_dc, catalogue::Support::equal,
        catalogue::Support::apart_1024, catalogue::Support::blocks}) {
    rows.push_back(with(base, catalogue::name(support)));
    rows.back().tones.support = support;
  }
  for (const double db : {40.0, 60.0}) {
    rows.push_back(with(base, "range " + std::to_string(static_cast<int>(db)) + " dB"));
    rows.back().tones.dynamic_range_db = db;
  }
  for (const double db : {60.0, 40.0, 20.0, 10.0}) {
    rows.push_back(with(base, "noise " + std::to_string(static_cast<int>(db)) + " dB"));
    rows.back().tones.snr_db = db;
    rows.push_back(with(rows.back(), "told"));
    rows.back().transform.noise = std::pow(10.0, -db / 20);
  }
  const std::size_t k = base.transform.sparsity;
  for (const std::size_t hint : {std::size_t{0}, k / 4, 4 * k}) {
    rows.push_back(with(base, "hint " + std::to_string(hint)));
    rows.back().transform.sparsity = hint;
  }
  rows.push_back(with(base, "real"));
  rows.back().tones.real = true;
  rows.back().transform.kind = Kind::real;
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const unsigned log : {14u, 16u, 18u, 20u, 22u, 24u}) {
      for (const std::uint64_t k : {1, 50, 300, 1000, 4000}) {
        const std::uint64_t n = std::uint64_t{1} << log;
        if (32 * k <= n) rows.push_back(row(n, k, precision));
      }
    }
    for (const std::uint64_t n : {100000, 100003, 59049}) rows.push_back(row(n, 50, precision));
    for (const std::uint64_t n : {1000000, 1000003, 1594323}) {
      rows.push_back(row(n, 50, precision));
      rows.push_back(row(n, 1000, precision));
    }
    add_variants(rows, row(1 << 18, 300, precision));
    add_variants(rows, row(1 << 22, 1000, precision));
    // Not sparse: no tone stands out, or too many do.
    rows.push_back(with(row(1 << 16, 30000, precision), "not sparse"));
    rows.back().transform.sparsity = 100;
    rows.push_back(with(row(1 << 18, 100000, precision), "not sparse"));
    rows.back().transform.sparsity = 1000;
  }
  return rows;
}

struct Sums {
  unsigned runs = 0, recovered = 0, dense = 0, wrong = 0;
  std::size_t spurious = 0;
  double error = 0, worst_error = 0, attempts = 0, ms = 0;
  std::map<Verdict, unsigned> verdicts;
};

/// True if the claim is false: a coefficient above the floor is missing, or one is spurious.
bool is_false(const SparseSpectrum& answer, const catalogue::Comparison& c) {
  return answer.verdict != Verdict::unverified && (c.spurious > 0 || c.worst_missed > answer.floor);
}

void run_seed(const Row& r, unsigned seed, const Machine& machine, const SparsePlan& plan,
              Sums& sums) {
  auto tones = r.tones;
  tones.seed = seed;
  const auto signal = catalogue::make_signal(tones);
  const cl::Buffer buffer = machine.upload(signal, r.transform);
  const double start = now();
  const auto answer = plan.forward(machine.queue, buffer, {.seed = 1000 + seed});
  sums.ms += 1e3 * (now() - start);
  const auto c = catalogue::compare(answer, signal);
  ++sums.runs;
  if (c.missed == 0 && c.spurious == 0) ++sums.recovered;
  if (answer.used == SparseMethod::dense) ++sums.dense;
  if (is_false(answer, c)) {
    ++sums.wrong;
    std::fprintf(stderr,
                 "%s, seed %u: %zu spurious, at most %.2e; %zu missed, at most %.2e; floor %.2e, "
                 "residual %.2e\n",
                 r.name.c_str(), seed, c.spurious, c.worst_spurious, c.missed, c.worst_missed,
                 answer.floor, answer.residual);
  }
  sums.spurious += c.spurious;
  sums.error += c.mean_error;
  sums.worst_error = std::max(sums.worst_error, c.mean_error);
  sums.attempts += answer.attempts;
  ++sums.verdicts[answer.verdict];
}

void print(const Row& r, Sums& s) {
  std::printf("%-34s %4u/%-4u %5zu %9.1e %9.1e %5u %5.2f %5u/%u/%u/%u %5u %9.2f\n", r.name.c_str(),
              s.recovered, s.runs, s.spurious, s.error / s.runs, s.worst_error, s.dense,
              s.attempts / s.runs, s.verdicts[Verdict::verified], s.verdicts[Verdict::consistent],
              s.verdicts[Verdict::noise_floor], s.verdicts[Verdict::unverified], s.wrong,
              s.ms / s.runs);
  std::fflush(stdout);
}

/// Returns the row of this name, else the rows whose name contains it; all for an empty name.
/// Throws InvalidArgument if there is none.
std::vector<Row> rows_of(const std::string& name) {
  auto rows = all_rows();
  const bool exact =
      std::any_of(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
  std::erase_if(rows, [&](const Row& r) {
    return exact ? r.name != name : r.name.find(name) == std::string::npos;
  });
  if (rows.empty())
    throw InvalidArgument("--rows is " + name + ": part of a name that --list prints");
  return rows;
}

int run(const Settings& settings) {
  const Machine machine(settings.device);
  const auto rows = rows_of(settings.filter);
  unsigned wrong = 0;
  std::printf("%-34s %9s %5s %9s %9s %5s %5s %11s %5s %9s\n", "row", "recovered", "spur.", "error",
              "worst", "dense", "tries", "ver/con/nf/un", "false", "ms");
  for (auto r : rows) {
    if (settings.list) {
      std::printf("%s\n", r.name.c_str());
      continue;
    }
    r.transform.method = settings.method;
    r.transform.allow_dense = !settings.no_dense;
    r.transform.assurance = settings.assurance;
    try {
      const SparsePlan plan(machine.context, machine.device, r.transform);
      Sums first, sums;
      run_seed(r, 0, machine, plan,
               first);  // drivers finish their work at the first launch, which would distort the
                        // time
      for (unsigned seed = 0; seed < settings.seeds; ++seed) run_seed(r, seed, machine, plan, sums);
      print(r, sums);
      wrong += sums.wrong;
    } catch (const Unsupported& error) {
      std::printf("%-34s refused: %s\n", r.name.c_str(), error.what());
    }
  }
  if (wrong > 0) std::printf("%u answers claim what is not true\n", wrong);
  return wrong > 0 ? 1 : 0;
}

}  // namespace

command::Command recover_command(CLI::App& parent) {
  auto& app = *parent.add_subcommand(
      "recover",
      "Count recoveries. Columns: runs with every coefficient and no other; spurious ones; mean "
      "and "
      "worst mean error per coefficient over the largest; runs left to the dense transform; "
      "attempts; verified/consistent/noise floor/unverified; false claims; milliseconds of a call");
  const auto s = std::make_shared<Settings>();
  command::add_device(app, s->device);
  command::add_method(app, s->method);
  command::add_assurance(app, s->assurance);
  app.add_option("--rows", s->filter, "The row of this name, else rows whose name has this part");
  app.add_option("--seeds", s->seeds, "Runs per row")->capture_default_str();
  app.add_flag("--list", s->list, "Print the rows' names");
  app.add_flag("--no-dense", s->no_dense, "Never fall back to the dense transform");
  return {&app, [s] { return run(*s); }};
}

}  // namespace imago::trials
