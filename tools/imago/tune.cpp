// This file is `imago tune`: it searches for the fastest parameters for the user's device and
// stores them in a profile (tuning file), which all programs that use imago read afterwards.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <imago/devices.hpp>

#include "base/system.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "profile/file.hpp"
#include "profile/ladder.hpp"
#include "profile/words.hpp"
#include "profile/write.hpp"
#include "progress.hpp"
#include "report_writer.hpp"
#include "session.hpp"
#include "temporary_folder.hpp"
#include "tune_child.hpp"
#include "tune_report.hpp"
#include "tuner/session.hpp"

namespace imago::command {
namespace {

struct TuneSettings {
  tuner::Wishes wishes;  ///< without the shapes
  std::string device, cache, folder;
  JsonTarget json;
  std::vector<std::string> lengths;
  std::string log;  ///< file with the log of a program, whose untuned classes are tuned
  std::size_t jobs = 0;
  double patience = 60;
  bool uniform = false, show = false, child = false, events = false;

  /// True if a program reads standard output.
  bool quiet() const { return events || json.printed(); }
};

/// Prints a line of JSON for the program that started this one; if that has ended, nobody needs it.
void tell(const nlohmann::json& event) {
  const std::string line = event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

std::filesystem::path path_of(const TuneSettings& settings, const device::Facts& facts) {
  const std::filesystem::path folder =
      settings.folder.empty() ? profile::home_folder() : base::path_of(settings.folder);
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

ChildSettings child_settings(const TuneSettings& settings) {
  ChildSettings child;
  child.device = settings.device;
  child.cache = settings.cache;
  child.builders = static_cast<unsigned>(settings.jobs);
  child.patience = settings.patience;
  return child;
}

/// Returns the classes that a program's log (IMAGO_LOG=info) names as untuned, each once.
std::vector<profile::ProblemClass> untuned_in(const std::string& path) {
  std::ifstream file(base::path_of(path));
  if (!file) throw Failure(fmt::format("{} cannot be read", path));
  constexpr std::string_view kBefore = "no profile has tuned parameters for class ";
  std::vector<profile::ProblemClass> classes;
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(kBefore);
    if (at == std::string::npos) continue;
    const auto found = profile::class_of_key(std::string_view(line).substr(at + kBefore.size()));
    if (found && std::find(classes.begin(), classes.end(), *found) == classes.end())
      classes.push_back(*found);
  }
  if (classes.empty())
    throw Failure(
        fmt::format("{} names no untuned transform: run the program with IMAGO_LOG=info "
                    "and keep its standard error",
                    path));
  return classes;
}

tuner::Wishes wishes_of(const TuneSettings& settings, const device::Facts& facts) {
  tuner::Wishes wishes = settings.wishes;
  for (const auto& text : settings.lengths) {
    auto shape = parse_shape(text, "--lengths");
    if (std::count(shape.begin(), shape.end(), 0) > 0)
      throw Misuse(fmt::format("--lengths has {}, and must be positive", text));
    wishes.shapes.push_back(std::move(shape));
  }
  if (!settings.log.empty()) wishes.classes = untuned_in(settings.log);
  wishes = tuner::wishes_for(facts, std::move(wishes), settings.jobs);
  if (settings.uniform) wishes.search.exhaustive = true, wishes.search.only = tuner::is_uniform;
  return wishes;
}

/// Shows a session on the terminal.
class Terminal final : public tuner::Observer {
 public:
  Terminal(const TuneSettings& settings, const std::atomic<bool>& interrupted)
      : settings_(settings), interrupted_(interrupted) {}

  bool stops() const override {
    return interrupted_.load() || (settings_.events && std::ferror(stdout) != 0);
  }
  void measures_device() override { show("Measuring the device"); }
  void begins(const std::vector<profile::ProblemClass>& problems) override {
    names_.clear();
    for (const auto& problem : problems) names_ += (names_.empty() ? "" : ", ") + title(problem);
    show(names_ + ": listing candidates");
  }
  void builds(std::size_t built, std::size_t building) override {
    show(names_ + ": compiling candidates", built, building);
  }
  void tries(const profile::ProblemClass& problem, std::size_t done, std::size_t total,
             double best) override {
    show(fmt::format("{}: candidate {}, best {}", title(problem), done, seconds_text(best)),
         total == 0 ? 0 : done, total);
  }
  void ends(const tuner::Tuned& row) override {
    progress_.clear();
    if (row.result.best()) {
      const Report report = command::report_of(row);
      if (settings_.events) return tell({{"tuned", report.json}});
      if (settings_.quiet()) return;
      fmt::print("{}", report.text);
      std::fflush(stdout);
    } else if (!row.result.unsettled && !row.result.tried.empty()) {
      note("failed", fmt::format("{}: no candidate worked: {}", title(row.problem),
                                 row.result.tried.front().failure));
    }
  }
  void disturbed(const std::string& what) override { note("unstable", what); }
  void leaves_out(const std::vector<profile::ProblemClass>& classes, double seconds) override {
    std::string text;
    for (const auto& problem : classes) text += (text.empty() ? "" : ",") + problem.shape();
    text += fmt::format(": {:g} s were not enough", settings_.wishes.budget);
    if (seconds > 0) text += fmt::format(", and these may need {:.0f} s", std::ceil(seconds));
    note("left out", text + "; continue with --resume, or raise --budget");
  }
  void clear() { progress_.clear(); }

 private:
  void show(const std::string& stage, std::size_t done = 0, std::size_t total = 0) {
    if (settings_.events) return tell({{"stage", stage}, {"done", done}, {"total", total}});
    progress_.show(stage, done, total);
  }
  /// Prints a line that is no row.
  void note(const char* label, const std::string& text) {
    if (settings_.events) return tell({{"note", fmt::format("{}: {}", label, text)}});
    progress_.clear();
    fmt::print(settings_.quiet() ? stderr : stdout, "{:<10} {}\n", label, printable(text));
  }
  static std::string title(const profile::ProblemClass& problem) {
    return fmt::format("{} x {}", problem.shape(), problem.batch);
  }

  const TuneSettings& settings_;
  const std::atomic<bool>& interrupted_;
  std::string names_;  ///< names of the tuned problems
  Progress progress_;
};

/// Returns the fastest rates of the device in all profiles, those of the folder and the shipped
/// ones.
device::Rates known_rates(const TuneSettings& settings, const device::Facts& facts) {
  return profile::Ladder(facts, profile::usual_sources(settings.folder)).fastest_rates();
}

constexpr double kBusy = 0.5;  ///< running programs per core
/// Returns the number of running programs per core over the last minute; 0 if unknown.
double others_load() {
  return base::running_programs() / std::max(1u, std::thread::hardware_concurrency());
}

int tune_all(const TuneSettings& settings, const cl::Device& device, const device::Facts& facts) {
  const tuner::Wishes wishes = wishes_of(settings, facts);  // before the load, because it may throw
  const auto path = path_of(settings, facts);
  auto before = present(path);
  const auto& interrupted = watch_interrupts();
  ChildJudge judge(child_settings(settings));
  Terminal terminal(settings, interrupted);
  const double load = others_load();
  if (load > kBusy)
    terminal.disturbed(fmt::format(
        "the machine is busy ({:.1f} other processes per core): times may be unstable", load));
  const bool busy = load > kBusy && facts.type == device::Type::cpu;
  tuner::Session session(wishes, facts,
                         {path, std::move(before), known_rates(settings, facts), busy}, judge,
                         terminal);
  session.measure_rates([&] { return tuner::calibrate(device(), facts); });
  terminal.clear();
  const bool quiet = settings.quiet();
  if (!quiet) fmt::print("device     {}\n{}", describe(session.facts()), tuned_head());
  session.run();
  terminal.clear();
  if (settings.json.given())
    settings.json.write(dump(tuned_json(session.tuned(), session.facts())));
  if (settings.events) tell({{"profile", path.string()}});
  if (!quiet)
    fmt::print("{}profile    {}\n", tuned_summary(session.tuned()), printable(path.string()));
  if (terminal.stops()) throw Failure("interrupted; finished lengths are in the profile");
  const auto& tuned = session.tuned();
  const bool any = std::any_of(tuned.begin(), tuned.end(),
                               [](const auto& row) { return row.result.best() != nullptr; });
  if (!any && !session.pending().empty()) throw Failure("nothing could be tuned");
  return kSuccess;
}

void show(const TuneSettings& settings, const device::Facts& facts) {
  const auto path = path_of(settings, facts);
  std::string name = path.string();
  auto profile = present(path);
  if (!profile && settings.folder.empty()) {
    if (const auto source = profile::source_of(facts)) {
      name = source->name();
      profile = source->profile();
    }
  }
  if (!profile)
    throw Failure(fmt::format("no profile of this device in {}{}; make one with imago tune",
                              path.string(), settings.folder.empty() ? " nor with imago" : ""));
  if (settings.json.given()) return settings.json.write(profile::to_text(*profile));
  fmt::print("{}", base::printable_lines(profile_table(*profile)));
  fmt::print("profile    {}\n", printable(name));
}

void check_kind(Kind kind) {
  std::string allowed;
  for (const auto& each : profile::kKinds) {
    if (each.value == kind) return;
    allowed.append(allowed.empty() ? "" : ", ").append(each.text);
  }
  throw Misuse(fmt::format("--kind is {}, and must be one of {}", word(kind), allowed));
}

int run(TuneSettings settings) {
  if (settings.child) return tune_child(settings.device, settings.cache);
  check_kind(settings.wishes.kind);
  const cl::Device device = find_device(settings.device, settings.wishes.precision);
  const device::Facts facts = facts_of(device);
  if (settings.show) {
    show(settings, facts);
    return kSuccess;
  }
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  if (settings.jobs == 0) settings.jobs = cores;
  const TemporaryFolder temporary("imago-tune");  // for kernels of candidates that lose
  if (settings.cache.empty()) settings.cache = temporary.path().string();
  return tune_all(settings, device, facts);
}

}  // namespace

Command tune_command(CLI::App& app) {
  auto settings = std::make_shared<TuneSettings>();
  CLI::App* sub = app.add_subcommand("tune", "Find the fastest parameters for a device");
  add_device(*sub, settings->device);
  auto* lengths = sub->add_option("--lengths", settings->lengths,
                                  "Tune these lengths: 256,1024,64x64,2^20 [a usual table]")
                      ->delimiter(',');
  sub->add_option("--budget", settings->wishes.budget, "Stop after this many seconds in all")
      ->capture_default_str()
      ->transform(positive());
  sub->add_option("--patience", settings->patience, "Give a candidate up after this many seconds")
      ->capture_default_str()
      ->transform(positive());
  sub->add_flag("--exhaustive", settings->wishes.search.exhaustive,
                "Try every candidate, or a sample of --most");
  sub->add_flag("--uniform", settings->uniform,
                "Try the HBPL set: one radix, every work-group size");
  sub->add_option("--most", settings->wishes.search.most,
                  "Try at most this many candidates with --exhaustive")
      ->capture_default_str()
      ->transform(as_count());
  sub->add_option("--seed", settings->wishes.search.seed, "Seed the sample of --exhaustive")
      ->capture_default_str();
  auto* batch = sub->add_option("--batch", settings->wishes.batch,
                                "Transform this many arrays per call [a saturating batch]")
                    ->transform(as_count());
  sub->add_option("--points", settings->wishes.points, "Choose the batch for this many points")
      ->transform(as_count())
      ->excludes(batch);
  sub->add_option("--from-program", settings->log,
                  "Tune the transforms that a program's log (IMAGO_LOG=info) names as untuned")
      ->type_name("LOG")
      ->excludes(lengths)
      ->excludes(batch);
  add_kind(*sub, settings->wishes.kind);
  add_precision(*sub, settings->wishes.precision);
  add_f64(*sub, settings->wishes.f64);
  add_placement(*sub, settings->wishes.placement);
  sub->add_option("--jobs", settings->jobs, "Compile ahead in this many processes [one per core]")
      ->transform(as_count(0));
  sub->add_option("--profiles", settings->folder, "Keep the profile in this folder [the user's]");
  sub->add_option("--cache", settings->cache, "Keep the candidates' kernels in this folder");
  sub->add_flag("--resume", settings->wishes.resume,
                "Skip lengths that the profile has for this driver");
  sub->add_flag("--show", settings->show, "Print the profile; measure nothing");
  add_json(*sub, settings->json);
  // Internal: child processes of the tuner, and lines of JSON on standard output for a program
  // (imago.tune()).
  sub->add_flag("--child", settings->child)->group("");
  sub->add_flag("--events", settings->events)->group("");
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
