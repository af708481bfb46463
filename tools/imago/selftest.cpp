// This file is `imago selftest`: it runs the catalogue of problems on the user's device, and checks
// each against FFTW in a higher precision, convolutions against sums.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/system.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/convolutions.hpp"
#include "command.hpp"
#include "engine/generator_version.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report_writer.hpp"
#include "selftest_log.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

// Number of consecutive cases in one part. They mostly share kernels, so that one process compiles
// each kernel.
constexpr std::size_t kDealt = 16;
// By default one case of so many is checked. A prime: kinds, precisions and placements alternate.
constexpr std::size_t kSampled = 31;
// One case on a CPU of two cores with empty caches, most of it the compiler (docs/command.md).
constexpr double kSecondsPerCase = 1.7;

/// A part of a tier for one of `count` processes: every count-th run of kDealt cases; `first`
/// counts from 1.
struct Part {
  std::size_t first = 1, count = 1;

  std::string text() const { return fmt::format("{}/{}", first, count); }
};

/// Parses for example "2/8". Throws CLI::ValidationError.
Part parse_part(const std::string& text) {
  Part part;
  const char* const end = text.data() + text.size();
  const auto [slash, bad_first] = std::from_chars(text.data(), end, part.first);
  const auto [last, bad_count] = std::from_chars(std::min(slash + 1, end), end, part.count);
  const bool whole = bad_first == std::errc() && bad_count == std::errc() && slash != end &&
                     *slash == '/' && last == end;
  if (!whole || part.first == 0 || part.first > part.count)
    throw CLI::ValidationError("--part", "is " + text + ", and must be K/N with K from 1 to N");
  return part;
}

struct SelftestSettings {
  std::string device, log;
  std::vector<std::string> filters;  ///< a case's name must contain one of them; empty: all cases
  Part part;
  Options options;
  std::uint64_t seed = 1;
  bool full = false, standard = false, list = false, json = false;

  /// True if a sample of the standard cases is checked. Options that choose cases choose among all.
  bool samples() const { return !full && !standard && !list && filters.empty() && part.count == 1; }
};

struct Summary {
  std::map<Verdict, std::size_t> counts;
  std::size_t planned = 0, resumed = 0;
  double worst = 0;  ///< largest error over its bound, pooled or of one transform, in this run
  std::string worst_name;
  std::vector<std::string> failures;  ///< lines of the log
  double seconds = 0;
  bool interrupted = false;

  void count(Verdict verdict, const std::string& line) {
    ++counts[verdict];
    if (verdict == Verdict::failed) failures.push_back(line);
  }
  std::size_t of(Verdict verdict) const {
    const auto found = counts.find(verdict);
    return found == counts.end() ? 0 : found->second;
  }
  std::string line() const {
    std::size_t finished = 0;
    std::string parts;
    for (const Verdict verdict : kVerdicts) {
      finished += of(verdict);
      parts += fmt::format("{} {} {}", parts.empty() ? ":" : ",", of(verdict), word(verdict));
    }
    return fmt::format("{}{} of {} cases in {}{}", interrupted ? "interrupted after " : "",
                       finished, planned, seconds_text(seconds), parts);
  }
};

/// A case with its name.
struct CaseCheck {
  std::string name;
  std::function<catalogue::Outcome(catalogue::Verifier&, const Session&, const Options&)> run;
};

/// Returns the tier: transforms, then convolutions.
std::vector<CaseCheck> all_checks(const SelftestSettings& settings, const device::Facts& facts) {
  const auto tier = settings.full ? catalogue::Tier::full : catalogue::Tier::ci;
  std::vector<CaseCheck> checks;
  for (auto& each : catalogue::cases(tier, settings.seed, facts)) {
    std::string name = each.name();
    checks.push_back({std::move(name), [each = std::move(each)](auto& verifier, auto&, auto&) {
                        return verifier.verify(each);
                      }});
  }
  for (auto& each : catalogue::convolutions(tier)) {
    std::string name = each.name();
    checks.push_back({std::move(name), [each = std::move(each)](auto&, auto& session, auto& with) {
                        return catalogue::verify(each, session.context, session.device, with);
                      }});
  }
  return checks;
}

std::vector<CaseCheck> chosen_checks(const SelftestSettings& settings, const device::Facts& facts) {
  constexpr auto npos = std::string::npos;
  auto checks = all_checks(settings, facts);
  for (const std::string& filter : settings.filters) {
    if (std::none_of(checks.begin(), checks.end(),
                     [&](const CaseCheck& each) { return each.name.find(filter) != npos; }))
      throw Misuse(
          fmt::format("--filter is {}: it is part of no case's name (see --list)", filter));
  }
  std::erase_if(checks, [&](const CaseCheck& each) {
    const auto named = [&](const std::string& filter) { return each.name.find(filter) != npos; };
    const auto& filters = settings.filters;
    return !filters.empty() && std::none_of(filters.begin(), filters.end(), named);
  });
  const auto& [first, count] = settings.part;
  std::vector<CaseCheck> part;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const bool chosen = settings.samples() ? i % kSampled == 0 : i / kDealt % count == first - 1;
    if (chosen) part.push_back(std::move(checks[i]));
  }
  return part;
}

/// Returns the first line of the log, with all conditions that results depend on.
std::string run_name(const SelftestSettings& settings, const device::Facts& facts) {
  const std::string part = settings.part.count > 1 ? ", part " + settings.part.text() : "";
  return fmt::format("{} tier{}, seed {}, {}, driver {}, generator {}",
                     settings.full        ? "full"
                     : settings.samples() ? "sampled"
                                          : "ci",
                     part, settings.seed, describe(facts), facts.driver,
                     engine::generator_version());
}

/// Returns the larger of the pooled error over its bound and of the worst transform's over its own.
double share_of_bound(const catalogue::Outcome& outcome) {
  if (!(outcome.bound > 0 && outcome.worst_bound > 0)) return 0;
  return std::max(outcome.error / outcome.bound, outcome.worst / outcome.worst_bound);
}

Summary verify_all(const SelftestSettings& settings, const Session& session,
                   const std::vector<CaseCheck>& checks, SelftestLog* log) {
  const auto& interrupted = watch_interrupts();
  Summary summary;
  summary.planned = checks.size();
  std::vector<const CaseCheck*> pending;
  for (const auto& each : checks) {
    const auto done = log ? log->entries().find(each.name)
                          : std::map<std::string, SelftestLog::Entry>::const_iterator();
    if (!log || done == log->entries().end()) {
      pending.push_back(&each);
    } else {
      ++summary.resumed;
      summary.count(done->second.verdict, done->second.line);
    }
  }
  catalogue::Verifier verifier(session.context, session.device, settings.options);
  Progress progress;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if ((summary.interrupted = interrupted)) break;
    const std::string& name = pending[i]->name;
    progress.show(name, i, pending.size());
    const catalogue::Outcome outcome = pending[i]->run(verifier, session, settings.options);
    const std::string line = log_line(name, outcome);
    if (log) log->append(line);
    summary.count(outcome.verdict, line);
    if (outcome.verdict == Verdict::failed) {
      progress.clear();
      fmt::print(stderr, "{}\n", printable(line));
    }
    const double share = share_of_bound(outcome);
    if (share > summary.worst) {
      summary.worst = share;
      summary.worst_name = name;
    }
  }
  return summary;
}

Report report_of(const Summary& summary, const device::Facts& facts) {
  Report report;
  report.line("device", "{}", field_of(facts));
  if (summary.resumed > 0) report.line("resumed", "{} finished before", summary.resumed);
  if (!summary.worst_name.empty())
    report.line("worst", "{:.2f} of the bound, by {}", summary.worst, summary.worst_name);
  for (const std::string& failure : summary.failures) report.row("{}", printable(failure));
  report.line("selftest", "{}", summary.line());
  for (const Verdict verdict : kVerdicts) report.value(word(verdict), summary.of(verdict));
  report.json.update({{"cases", summary.planned},
                      {"resumed", summary.resumed},
                      {"worst_share_of_bound", summary.worst},
                      {"worst", summary.worst_name},
                      {"failures", summary.failures},
                      {"seconds", summary.seconds},
                      {"interrupted", summary.interrupted}});
  return report;
}

int run(const SelftestSettings& settings) {
  const Session session = open_session(settings.device, Precision::f32);
  const device::Facts facts = facts_of(session.device, settings.options);
  const auto checks = chosen_checks(settings, facts);
  if (settings.list) {
    std::vector<std::string> names;
    for (const CaseCheck& each : checks) names.push_back(each.name);
    list_of("cases", names).print(settings.json);
    return kSuccess;
  }
  std::optional<SelftestLog> log;
  if (!settings.log.empty()) log.emplace(base::path_of(settings.log), run_name(settings, facts));
  if (!settings.json && checks.size() > 1) {
    fmt::print("planned    {} cases, about {} on a CPU of two cores, less on a GPU or if cached\n",
               checks.size(), seconds_text(kSecondsPerCase * static_cast<double>(checks.size())));
    std::fflush(stdout);
  }
  const Stopwatch watch;
  Summary summary = verify_all(settings, session, checks, log ? &*log : nullptr);
  summary.seconds = watch.seconds();
  if (log) log->append("# " + summary.line());
  report_of(summary, facts).print(settings.json);
  if (summary.interrupted) {
    throw Failure(log ? fmt::format("interrupted; continue with --resume {}", settings.log)
                      : "interrupted");
  }
  if (!summary.failures.empty()) {
    throw Failure(fmt::format("{} of {} cases failed", summary.failures.size(), summary.planned));
  }
  return kSuccess;
}

}  // namespace

Command selftest_command(CLI::App& app) {
  const auto settings = std::make_shared<SelftestSettings>();
  settings->options.trust_device = true;  // the test itself checks the device
  settings->options.profiles = false;     // by default, the same cases on every machine
  CLI::App* sub = app.add_subcommand("selftest", "Check imago against FFTW (about a minute)");
  sub->add_flag("--full", settings->full, "Check every length and combination (hours)");
  sub->add_flag("--standard", settings->standard,
                "Check the standard cases (40 minutes on two cores)");
  sub->add_option("--resume", settings->log,
                  "Log finished cases in FILE, and skip those that it has")
      ->type_name("FILE");
  sub->add_option("--filter", settings->filters,
                  "Check only cases with TEXT in their names; repeatable")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  sub->add_option_function<std::string>(
         "--part", [settings](const std::string& text) { settings->part = parse_part(text); },
         "Check the K-th of N shares; use one log per share")
      ->type_name("K/N");
  sub->add_option("--seed", settings->seed, "Seed the sample")->capture_default_str();
  sub->add_flag("--list", settings->list, "List the names of the cases; check nothing");
  const auto keep = [settings](const std::string& folder) {
    settings->options.cache_directory = base::path_of(folder);
  };
  sub->add_option_function<std::string>("--cache", keep, "Keep compiled kernels in FOLDER")
      ->type_name("FOLDER")
      ->group(kAdvanced);
  add_f64(*sub, settings->options.f64);
  add_profiles(*sub, settings->options);
  add_device(*sub, settings->device);
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
