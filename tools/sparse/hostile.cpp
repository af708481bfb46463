// This file attacks the sparse transform: signals that it may be wrong about, by every method, and
// how often an answer claims what is not true. `sparse_hostile --runs 20000` is the table of
// docs/sparse.md.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <random>

#include <CLI/CLI.hpp>

#include <imago/imago.hpp>

#include "catalogue/hostile.hpp"

namespace {

using namespace imago;

struct Settings {
  std::string device;
  unsigned runs = 1000, first = 0;
  double minutes = 1e9;
};

SparseTransform config(SparseMethod method, std::size_t length, Precision precision, Kind kind) {
  SparseTransform t;
  t.method = method;
  t.length = length;
  t.precision = precision;
  t.kind = kind;
  t.sparsity = 10;
  t.allow_dense = false;
  return t;
}

/// All methods, precisions and kinds; the last four: a sparsity that is not known, noise that is
/// told, and the dense transform to fall back to.
std::vector<SparseTransform> configs() {
  constexpr auto kPhase = SparseMethod::phase, kVoting = SparseMethod::voting,
                 kDense = SparseMethod::dense;
  constexpr auto kF32 = Precision::f32, kF64 = Precision::f64;
  constexpr auto kComplex = Kind::complex, kReal = Kind::real;
  std::vector<SparseTransform> all = {
      config(kPhase, 1 << 15, kF32, kComplex), config(kPhase, 1 << 15, kF32, kReal),
      config(kPhase, 1 << 15, kF64, kComplex), config(kPhase, 1 << 15, kF64, kReal),
      config(kPhase, 30011, kF32, kComplex),   config(kPhase, 30000, kF64, kReal),
      config(kPhase, 1 << 17, kF32, kComplex), config(kVoting, 1 << 14, kF32, kComplex),
      config(kVoting, 1 << 14, kF32, kReal),   config(kVoting, 1 << 14, kF64, kComplex),
      config(kDense, 1 << 14, kF32, kComplex), config(kDense, 1 << 14, kF64, kReal)};
  const auto base = all.front();
  all.push_back(base);
  all.back().sparsity = 0;
  all.push_back(base);
  all.back().noise = 0.01;
  all.push_back(base);
  all.back().allow_dense = true;
  all.push_back(all.back());
  all.back().method = SparseMethod::automatic;
  return all;
}

struct Sums {
  unsigned runs = 0, wrong = 0, beyond = 0;
  std::map<Verdict, unsigned> verdicts;
};

/// Runs on one device, with a plan for each way to ask.
class Attack {
 public:
  explicit Attack(const Settings& settings)
      : device_(find_device(settings.device)),
        context_(device_),
        queue_(context_, device_),
        configs_(configs()) {}

  void run(unsigned number);
  /// The number of false claims.
  unsigned print() const;

 private:
  const SparsePlan& plan(std::size_t config, Assurance assurance);
  cl::Buffer upload(const std::vector<std::complex<double>>& samples,
                    const SparseTransform& transform) const;

  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::vector<SparseTransform> configs_;
  std::map<std::pair<std::size_t, Assurance>, std::unique_ptr<SparsePlan>> plans_;
  std::map<std::string, Sums> sums_;
  std::random_device fresh_;
};

const SparsePlan& Attack::plan(std::size_t config, Assurance assurance) {
  auto& plan = plans_[{config, assurance}];
  if (!plan) {
    auto transform = configs_[config];
    transform.assurance = assurance;
    plan = std::make_unique<SparsePlan>(context_, device_, transform);
  }
  return *plan;
}

template <class T>
cl::Buffer buffer_of(const cl::Context& context, const std::vector<std::complex<double>>& samples,
                     bool real) {
  std::vector<T> data;
  for (const auto& sample : samples) {
    data.push_back(static_cast<T>(sample.real()));
    if (!real) data.push_back(static_cast<T>(sample.imag()));
  }
  return {context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, data.size() * sizeof(T), data.data()};
}

cl::Buffer Attack::upload(const std::vector<std::complex<double>>& samples,
                          const SparseTransform& transform) const {
  const bool real = transform.kind == Kind::real;
  return transform.precision == Precision::f64 ? buffer_of<double>(context_, samples, real)
                                               : buffer_of<float>(context_, samples, real);
}

void Attack::run(unsigned number) {
  const std::size_t families = catalogue::hostile_families().size();
  catalogue::Hostile hostile;
  hostile.family = number % families;
  hostile.seed = number;
  std::mt19937 random(number);
  const std::size_t config = random() % configs_.size();
  hostile.transform = configs_[config];
  hostile.transform.seed = 0;  // of those that are made against one
  const auto assurance = random() % 2 == 0 ? Assurance::consistent : Assurance::verified;
  const bool uses_it = catalogue::made_against_seed(hostile.family) && random() % 2 == 0;
  const auto samples = catalogue::make_hostile(hostile);
  Call call;
  if (uses_it) call.seed = hostile.transform.seed;
  const auto answer =
      plan(config, assurance).forward(queue_, upload(samples, hostile.transform), call);
  const auto truth = catalogue::truth_of(answer, hostile.transform, samples);
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

unsigned Attack::print() const {
  Sums all;
  const auto line = [](const std::string& name, const Sums& s) {
    const auto of = [&](Verdict verdict) {
      const auto it = s.verdicts.find(verdict);
      return it == s.verdicts.end() ? 0u : it->second;
    };
    std::printf("%-34s %6u %9u %11u %12u %11u %6u %7u\n", name.c_str(), s.runs,
                of(Verdict::verified), of(Verdict::consistent), of(Verdict::noise_floor),
                of(Verdict::unverified), s.wrong, s.beyond);
  };
  std::printf("%-34s %6s %9s %11s %12s %11s %6s %7s\n", "family", "runs", "verified", "consistent",
              "noise floor", "unverified", "false", "beyond");
  for (const auto& [name, sums] : sums_) {
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
  Attack attack(settings);
  const auto start = std::chrono::steady_clock::now();
  unsigned done = 0;
  for (; done < settings.runs; ++done) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    if (passed.count() > 60 * settings.minutes) break;
    attack.run(settings.first + done);
    if (done % 1000 == 999) std::fprintf(stderr, "%u runs\n", done + 1);
  }
  return attack.print() > 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app{
      "Signals that the sparse transform may be wrong about. Columns: verdicts; verified answers "
      "that are false; consistent ones of which more samples differ than the answer says"};
  Settings settings;
  app.add_option("--device", settings.device, "index or part of a name");
  app.add_option("--runs", settings.runs);
  app.add_option("--first", settings.first, "number of the first run: the same signals again");
  app.add_option("--minutes", settings.minutes, "no more than so many");
  CLI11_PARSE(app, count, arguments);
  try {
    return run(settings);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
