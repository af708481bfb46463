// This file is `sparse_trials hostile`. It attacks the sparse transform with signals that may
// defeat it, with every method, and counts false claims. `--runs 20000` gives the table of
// docs/measured/sparse.md.
#include <cstdio>
#include <map>
#include <random>

#include <CLI/CLI.hpp>

#include "catalogue/hostile.hpp"
#include "options.hpp"
#include "trials.hpp"

namespace imago::trials {
namespace {

struct Settings {
  std::string device;
  unsigned runs = 1000, first = 0;
  double minutes = 1e9;
};

/// Returns all methods, precisions and kinds. The last four have an unknown sparsity, a known noise
/// level, and the dense transform as a fallback.
std::vector<SparseTransform> configs() {
  constexpr auto kPhase = SparseMethod::phase, kVoting = SparseMethod::voting,
                 kDense = SparseMethod::dense;
  constexpr auto kF32 = Precision::f32, kF64 = Precision::f64;
  constexpr auto kComplex = Kind::complex, kReal = Kind::real;
  const auto config = [](SparseMethod method, std::size_t length, Precision precision, Kind kind) {
    return SparseTransform{length, 10, kind, precision, method, false};
  };
  std::vector<SparseTransform> all = {
      config(kPhase, 1 << 15, kF32, kComplex), config(kPhase, 1 << 15, kF32, kReal),
      config(kPhase, 1 << 15, kF64, kComplex), config(kPhase, 1 << 15, kF64, kReal),
      config(kPhase, 30011, kF32, kComplex),   config(kPhase, 30000, kF64, kReal),
      config(kPhase, 1 << 17, kF32, kComplex), config(kVoting, 1 << 14, kF32, kComplex),
      config(kVoting, 1 << 14, kF32, kReal),   config(kVoting, 1 << 14, kF64, kComplex),
      config(kDense, 1 << 14, kF32, kComplex), config(kDense, 1 << 14, kF64, kReal)};
  all.resize(16, all.front());
  all[12].sparsity = 0;
  all[13].noise = 0.01;
  all[14].allow_dense = all[15].allow_dense = true;
  all[15].method = SparseMethod::automatic;
  return all;
}

struct Sums {
  unsigned runs = 0, wrong = 0, beyond = 0;
  std::map<Verdict, unsigned> verdicts;
};

/// Runs on one device, with a plan for each configuration.
class Attack {
 public:
  explicit Attack(const std::string& device) : machine_(device) {}
  void run(unsigned number);
  /// Prints the results and returns the number of false claims.
  unsigned print();

 private:
  const SparsePlan& plan(std::size_t config, Assurance assurance);

  Machine machine_;
  const std::vector<SparseTransform> configs_ = configs();
  std::map<std::pair<std::size_t, Assurance>, std::unique_ptr<SparsePlan>> plans_;
  std::map<std::string, Sums> sums_;
};

const SparsePlan& Attack::plan(std::size_t config, Assurance assurance) {
  auto& plan = plans_[{config, assurance}];
  if (!plan) {
    auto transform = configs_[config];
    transform.assurance = assurance;
    plan = std::make_unique<SparsePlan>(machine_.context, machine_.device, transform);
  }
  return *plan;
}

void Attack::run(unsigned number) {
  const std::size_t families = catalogue::hostile_families().size();
  catalogue::Hostile hostile;
  hostile.family = number % families;
  hostile.seed = number;
  std::mt19937 random(number);
  const std::size_t config = random() % configs_.size();
  hostile.transform = configs_[config];
  hostile.transform.seed = 0;  // for signals that are designed against one seed
  const auto assurance = random() % 2 == 0 ? Assurance::consistent : Assurance::verified;
  const bool uses_it = catalogue::made_against_seed(hostile.family) && random() % 2 == 0;
  const catalogue::SparseSignal signal{catalogue::make_hostile(hostile), {}, {}};
  SparseCall call;
  if (uses_it) call.seed = hostile.transform.seed;
  const auto answer =
      plan(config, assurance)
          .forward(machine_.queue, machine_.upload(signal, hostile.transform), call);
  const auto truth = catalogue::truth_of(answer, hostile.transform, signal.samples);
  auto& sums = sums_[catalogue::hostile_families()[hostile.family] + (uses_it ? ", and used" : "")];
  ++sums.runs;
  ++sums.verdicts[answer.verdict];
  if (answer.verdict == Verdict::consistent && truth.share > answer.unseen) ++sums.beyond;
  if (!catalogue::is_false(answer, truth, hostile.transform)) return;
  ++sums.wrong;
  std::printf(
      "run %u, config %zu: FALSE: residual %.3e, said %.3e; missed %.3e, value %.3e, floor %.3e\n",
      number, config, truth.residual, answer.residual, truth.worst_missed, truth.worst_value,
      answer.floor);
}

unsigned Attack::print() {
  Sums all;
  const auto line = [](const std::string& name, Sums& s) {
    std::printf("%-34s %6u %9u %11u %12u %11u %6u %7u\n", name.c_str(), s.runs,
                s.verdicts[Verdict::verified], s.verdicts[Verdict::consistent],
                s.verdicts[Verdict::noise_floor], s.verdicts[Verdict::unverified], s.wrong,
                s.beyond);
  };
  std::printf("%-34s %6s %9s %11s %12s %11s %6s %7s\n", "family", "runs", "verified", "consistent",
              "noise floor", "unverified", "false", "beyond");
  for (auto& [name, sums] : sums_) {
    line(name, sums);
    all.runs += sums.runs;
    all.wrong += sums.wrong;
    all.beyond += sums.beyond;
    for (const auto& [verdict, count] : sums.verdicts) all.verdicts[verdict] += count;
  }
  line("all", all);
  std::fflush(stdout);
  return all.wrong;
}

int run(const Settings& settings) {
  Attack attack(settings.device);
  const double end = now() + 60 * settings.minutes;
  for (unsigned done = 0; done < settings.runs && now() <= end; ++done) {
    attack.run(settings.first + done);
    if (done % 1000 == 999) std::fprintf(stderr, "%u runs\n", done + 1);
  }
  return attack.print() > 0 ? 1 : 0;
}

}  // namespace

command::Command hostile_command(CLI::App& parent) {
  auto& app = *parent.add_subcommand(
      "hostile",
      "Try signals that the sparse transform may be wrong about. Columns: verdicts; verified "
      "answers "
      "that are false; consistent ones of which more samples differ than the answer says");
  const auto s = std::make_shared<Settings>();
  command::add_device(app, s->device);
  app.add_option("--runs", s->runs);
  app.add_option("--first", s->first, "Number of the first run: the same signals again");
  app.add_option("--minutes", s->minutes, "No more than this");
  return {&app, [s] { return run(*s); }};
}

}  // namespace imago::trials
