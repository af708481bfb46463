// This file is `imago tune`: it searches the fastest parameters for the user's device and keeps
// them in a profile, which every program that uses imago reads from then on.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <imago/host.hpp>

#include "command.hpp"
#include "engine/tuning.hpp"
#include "interrupt.hpp"
#include "model/model.hpp"
#include "options.hpp"
#include "plan/choice.hpp"
#include "plan/lines.hpp"
#include "plan/planner.hpp"
#include "problem/problem.hpp"
#include "profile/file.hpp"
#include "profile/ladder.hpp"
#include "profile/words.hpp"
#include "progress.hpp"
#include "session.hpp"
#include "temporary_folder.hpp"
#include "tune/calibrate.hpp"
#include "tune/search.hpp"
#include "tune_child.hpp"
#include "tune_report.hpp"

namespace imago::command {
namespace {

struct Settings {
  std::string device, cache, folder, json, mapping = "automatic";
  std::vector<std::string> lengths;
  std::size_t points = 0, jobs = 0;
  Kind kind = Kind::complex;
  Precision precision = Precision::f32;
  Placement placement = Placement::in_place;
  double budget = 120, patience = 60;
  tune::Settings search;
  bool uniform = false, resume = false, show = false, child = false;
};

/// What most programs ask for: powers of two, and the round numbers between them.
const std::vector<std::string> kUsual{"4",     "8",     "16",     "32",      "64",   "128",
                                      "256",   "512",   "1024",   "2048",    "4096", "8192",
                                      "16384", "65536", "131072", "1048576", "100",  "360",
                                      "1000",  "1536",  "10000",  "16777216"};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Of reals twice as many, which are as many bytes.
std::size_t default_points(Kind kind, const device::Facts& facts) {
  const std::size_t points = std::size_t{1} << (facts.type == device::Type::cpu ? 20 : 25);
  return kind == Kind::complex ? points : 2 * points;
}

profile::ProblemClass class_of(const Settings& settings, const device::Facts& facts,
                               const std::string& shape) {
  const std::size_t points =
      settings.points != 0 ? settings.points : default_points(settings.kind, facts);
  profile::ProblemClass problem;
  problem.kind = settings.kind;
  for (const std::size_t length : parse_shape(shape)) problem.lengths.push_back(length);
  if (problem.points() == 0)
    throw Misuse(fmt::format("--lengths has {}, and must be positive", shape));
  problem.precision = settings.precision;
  problem.placement = settings.placement;
  problem.batch = std::max<std::size_t>(1, points / problem.points());
  return problem;
}

/// The set that HBPL searched (section 6, tables 5 to 8): one radix from 2 to 16 and what it leaves
/// of the length, as many points per work-item, work-groups of every size.
bool is_uniform(const Parameters& candidate) {
  if (candidate.kernels.size() != 1) return false;
  const KernelParameters& kernel = candidate.kernels[0];
  const unsigned radix = kernel.radices[0];
  const bool rest_is_last = std::all_of(kernel.radices.begin(), kernel.radices.end() - 1,
                                        [&](unsigned each) { return each == radix; });
  return rest_is_last && radix <= 16 && (radix & (radix - 1)) == 0 &&
         kernel.radices.back() <= radix && kernel.exchange == Exchange::interleaved &&
         kernel.twiddles == Twiddles::product && std::size_t{kernel.items} * radix == kernel.length;
}

/// The line that all others are like: where reals go in twos, the last of an odd number is left.
plan::Request request_of(const profile::ProblemClass& problem, const device::Facts& facts) {
  const auto lines =
      plan::lines(problem::make_problem(engine::transform_of(problem)), false, {}, facts);
  const bool together = lines.size() == 1 || lines[1].remains();
  if (!together)
    throw Misuse(fmt::format(
        "--lengths has {}, whose axes take kernels of their own here: tune each", problem.shape()));
  return lines.front();
}

std::filesystem::path path_of(const Settings& settings, const device::Facts& facts) {
  const std::filesystem::path folder =
      settings.folder.empty() ? profile::home_folder() : std::filesystem::path(settings.folder);
  if (folder.empty())
    throw Failure("no folder for profiles: set IMAGO_PROFILE_DIR or HOME, or give --profiles");
  return folder / profile::file_name(facts);
}

std::optional<profile::Profile> present(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  try {
    return profile::load(path);
  } catch (const ProfileError& error) {
    fmt::print(stderr, "imago: ignored: {}\n", error.what());
    return std::nullopt;
  }
}

const profile::Entry* entry_of(const std::optional<profile::Profile>& profile,
                               const profile::ProblemClass& problem) {
  if (!profile) return nullptr;
  for (const auto& entry : profile->entries) {
    if (entry.problem == problem) return &entry;
  }
  return nullptr;
}

/// A run over all lengths.
class Tuning {
 public:
  Tuning(const Settings& settings, const cl::Device& device, const device::Facts& facts)
      : settings_(settings),
        device_(device),
        facts_(facts),
        path_(path_of(settings, facts)),
        before_(present(path_)),
        interrupted_(watch_interrupts()),
        judge_(child_settings()) {
    if (before_ && !profile::same_device(before_->device, profile::device_of(facts)))
      before_.reset();
  }

  int run() {
    measure_rates();
    print_head();
    const auto classes = pending();
    const double end = now() + settings_.budget;
    for (std::size_t i = 0; i < classes.size() && !interrupted_; ++i) {
      tune::Settings search = settings_.search;
      search.budget = (end - now()) / static_cast<double>(classes.size() - i);
      if (!search.exhaustive && search.budget <= 0) {
        report_left({classes.begin() + static_cast<std::ptrdiff_t>(i), classes.end()});
        break;
      }
      one(classes[i], search);
    }
    progress_.clear();
    if (!settings_.json.empty()) write_json();
    fmt::print("{}", tuned_summary(rows_));
    fmt::print("profile    {}\n", path_.string());
    if (interrupted_) throw Failure("interrupted; what was finished is in the profile");
    if (rows_.empty() && !classes.empty()) throw Failure("nothing could be tuned");
    return kSuccess;
  }

 private:
  ChildSettings child_settings() const {
    ChildSettings child;
    child.device = settings_.device;
    child.cache = settings_.cache;
    child.quiet = facts_.type == device::Type::cpu;
    child.builders = static_cast<unsigned>(settings_.jobs);
    child.patience = settings_.patience;
    return child;
  }

  void print_head() const {
    fmt::print("device     {}\n", describe(facts_));
    fmt::print("{}", tuned_head());
  }

  /// A search may take longer than its share: others then get none.
  void report_left(const std::vector<profile::ProblemClass>& classes) const {
    std::string lengths;
    for (const auto& problem : classes) lengths += (lengths.empty() ? "" : ",") + problem.shape();
    fmt::print("left out   {}: {:g} s were not enough; --resume goes on, --budget gives more\n",
               lengths, settings_.budget);
  }

  std::vector<profile::ProblemClass> pending() const {
    std::vector<profile::ProblemClass> classes;
    for (const std::string& shape : settings_.lengths.empty() ? kUsual : settings_.lengths) {
      const auto problem = class_of(settings_, facts_, shape);
      request_of(problem, facts_);  // says before all others which one cannot be tuned
      const auto* known = entry_of(before_, problem);
      const bool done = settings_.resume && known && known->driver.empty() &&
                        before_->device.driver == facts_.driver;
      if (!done) classes.push_back(problem);
    }
    return classes;
  }

  void one(const profile::ProblemClass& problem, const tune::Settings& settings) {
    const std::string title = fmt::format("{} x {}", problem.shape(), problem.batch);
    progress_.show(title + ": looks at the space");
    const auto request = request_of(problem, facts_);
    // What imago would take without a profile comes first; a second run starts from the first.
    const Parameters own = plan::choose(request, facts_, model::seconds);
    std::vector<Parameters> first{own, plan::complete(request, facts_, {})};
    if (const auto* known = entry_of(before_, problem)) first.push_back(known->parameters);
    const plan::Space space(request, facts_, own.mapping);
    const tune::Cost cost = [&](const Parameters& candidate) {
      return cost_of(request, candidate);
    };
    tune::Callbacks callbacks;
    callbacks.now = now;
    callbacks.stop = [this] { return interrupted_.load(); };
    callbacks.progress = [&](std::size_t done, std::size_t total, double best) {
      progress_.show(fmt::format("{}: candidate {}, best {}", title, done, seconds_text(best)),
                     settings_.search.exhaustive ? done : 0,
                     settings_.search.exhaustive ? total : 0);
    };
    judge_.set_problem(problem);
    const double start = now();
    tune::Result result = tune::search(space, first, cost, judge_, settings, callbacks);
    Tuned row{problem, own, std::move(result), now() - start};
    progress_.clear();
    if (const auto* best = row.result.best()) {
      save(problem, *best);
      fmt::print("{}", tuned_row(row));
      std::fflush(stdout);
    } else if (!row.result.tried.empty()) {
      fmt::print(stderr, "imago: {}: no candidate worked: {}\n", title,
                 row.result.tried.front().failure);
    }
    rows_.push_back(std::move(row));
  }

  void save(const profile::ProblemClass& problem, const tune::Tried& best) const {
    profile::Profile measured;
    measured.device = profile::device_of(facts_);
    measured.entries.push_back({problem, best.parameters, best.seconds, {}});
    profile::add(path_, measured);
  }

  double cost_of(const plan::Request& request, const Parameters& candidate) const {
    try {
      return model::seconds(plan::make_program(request, facts_, candidate), facts_);
    } catch (const Error&) {
      return std::numeric_limits<double>::infinity();
    }
  }

  void write_json() const {
    std::ofstream file(settings_.json);
    file << dump(tuned_json(rows_, facts_)) << '\n';
    if (!file.flush()) throw Failure(fmt::format("{} cannot be written", settings_.json));
  }

  /// Once per device and driver: the model needs them.
  void measure_rates() {
    const bool known =
        before_ && before_->rates.copy_bytes > 0 && before_->device.driver == facts_.driver;
    if (known) {
      facts_.rates = before_->rates;
      return;
    }
    progress_.show("measures the device");
    facts_.rates = tune::calibrate(device_(), facts_);
    profile::Profile measured;
    measured.device = profile::device_of(facts_);
    measured.rates = facts_.rates;
    profile::add(path_, measured);
    progress_.clear();
  }

  const Settings& settings_;
  const cl::Device device_;
  device::Facts facts_;
  const std::filesystem::path path_;
  std::optional<profile::Profile> before_;
  const std::atomic<bool>& interrupted_;
  ChildJudge judge_;
  Progress progress_;
  std::vector<Tuned> rows_;
};

void show(const Settings& settings, const device::Facts& facts) {
  const auto path = path_of(settings, facts);
  const auto profile = present(path);
  if (!profile) throw Failure(fmt::format("no profile in {}", path.string()));
  fmt::print("{}", profile_table(*profile));
  fmt::print("profile    {}\n", path.string());
}

void check_kind(Kind kind) {
  std::string allowed;
  for (const auto& each : profile::kKinds) {
    if (each.value == kind) return;
    allowed.append(allowed.empty() ? "" : ", ").append(each.text);
  }
  throw Misuse(fmt::format("--kind is {}, and profiles know {}", word(kind), allowed));
}

int run(Settings settings) {
  if (settings.child) return tune_child(settings.device, settings.cache);
  check_kind(settings.kind);
  const cl::Device device = find_device(settings.device, settings.precision);
  const device::Facts facts = facts_of(device);
  if (settings.show) {
    show(settings, facts);
    return kSuccess;
  }
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  if (settings.jobs == 0) settings.jobs = cores;
  // A CPU compiles while it does not compute: no more than one candidate per process at a time.
  const bool cpu = facts.type == device::Type::cpu;
  if (cpu) settings.search.seconds_per_timing = 0.015;  // other programs disturb it
  settings.search.ahead = cpu ? settings.jobs : 2 * settings.jobs;
  if (settings.uniform) settings.search.exhaustive = true, settings.search.only = is_uniform;
  const TemporaryFolder temporary("imago-tune");  // for kernels of candidates that lose
  if (settings.cache.empty()) settings.cache = temporary.path().string();
  return Tuning(settings, device, facts).run();
}

}  // namespace

Command tune_command(CLI::App& app) {
  auto settings = std::make_shared<Settings>();
  CLI::App* sub = app.add_subcommand("tune", "Find the fastest parameters for a device");
  add_device(*sub, settings->device);
  sub->add_option("--lengths", settings->lengths,
                  "Lengths: 256,1024,64x64; else a table of usual ones")
      ->delimiter(',');
  sub->add_option("--budget", settings->budget, "Seconds for all lengths together")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  sub->add_option("--patience", settings->patience, "Seconds until a candidate counts as hanging")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  sub->add_flag("--exhaustive", settings->search.exhaustive,
                "Try every candidate, or a sample where there are more than --most");
  sub->add_flag("--uniform", settings->uniform,
                "Try every candidate of HBPL's set: one radix, every work-group size");
  sub->add_option("--most", settings->search.most, "Candidates of an exhaustive search")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  sub->add_option("--seed", settings->search.seed, "Of the sample")->capture_default_str();
  sub->add_option("--points", settings->points, "Points in all, which gives the batch")
      ->check(CLI::PositiveNumber);
  add_kind(*sub, settings->kind);
  add_precision(*sub, settings->precision);
  add_placement(*sub, settings->placement);
  sub->add_option("--jobs", settings->jobs, "Processes that compile ahead; else one per core");
  sub->add_option("--profiles", settings->folder, "Folder of the profile; else the user's");
  sub->add_option("--cache", settings->cache, "Keep the candidates' kernels in this folder");
  sub->add_flag("--resume", settings->resume, "Skip what the profile has for this driver");
  sub->add_flag("--show", settings->show, "Show the profile, measure nothing");
  sub->add_option("--json", settings->json, "Write every candidate to this file");
  sub->add_flag("--child", settings->child)->group("");  // internal
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
