// This file is `imago bench`: the front end of the benchmark library.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <imago/host.hpp>

#include "bench/bench.hpp"
#include "command.hpp"
#include "formats/file.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "temporary_folder.hpp"

namespace imago::command {
namespace {

struct Settings {
  std::vector<std::string> suites{"quick"}, shapes;
  std::string device, json, picture;
  bench::Case like;  ///< all but its lengths; batch 0: not given
  std::size_t points = std::size_t{1} << 20;
  bool list = false, as_found = false, unchecked = false;
  bench::Settings measure;
  /// Whether they were given; --json without a file means standard output.
  CLI::Option *kind_given = nullptr, *precision_given = nullptr, *placement_given = nullptr,
              *json_given = nullptr;
};

std::vector<bench::Case> named_shapes(const Settings& settings) {
  std::vector<std::vector<std::size_t>> shapes;
  shapes.reserve(settings.shapes.size());
  for (const std::string& each : settings.shapes) shapes.push_back(parse_shape(each));
  bench::Case like = settings.like;
  const bool batched = like.batch != 0;
  if (!batched) like.batch = 1;
  return bench::free_form(shapes, batched ? 0 : settings.points, like);
}

/// What is given beside a suite replaces what the suite says.
std::vector<bench::Case> cases(const Settings& settings) {
  if (!settings.shapes.empty()) return named_shapes(settings);
  std::vector<bench::Case> cases;
  for (const std::string& name : settings.suites) {
    const auto suite = bench::suite(name);
    cases.insert(cases.end(), suite.begin(), suite.end());
  }
  for (bench::Case& each : cases) {
    if (!settings.kind_given->empty()) each.kind = settings.like.kind;
    if (!settings.precision_given->empty()) each.precision = settings.like.precision;
    if (!settings.placement_given->empty()) each.placement = settings.like.placement;
    if (settings.like.batch != 0) each.batch = settings.like.batch;
  }
  return cases;
}

void list_choices() {
  for (const bench::SuiteInfo& suite : bench::suites()) {
    fmt::print("suite    {:<12} {}\n", suite.name, suite.about);
  }
  fmt::print("engines  {}\n", fmt::join(bench::engine_names(), ", "));
}

void write(const std::string& path, const std::string& text) {
  formats::OutputFile file(path);
  file.write(text);
  file.commit();
}

/// Measures, with rows shown as they are finished unless `quiet`.
bench::Report measure(const bench::Settings& settings, bool quiet) {
  Progress bar;
  const auto show = [&bar, quiet](const std::string& text) {
    if (quiet) return;
    bar.clear();
    fmt::print("{}", text);
    std::fflush(stdout);
  };
  bench::Callbacks callbacks;
  callbacks.interrupt = &watch_interrupts();
  callbacks.facts = [&](const bench::Facts& facts) { show(bench::table_head(facts)); };
  callbacks.row = [&](const bench::Row& row) { show(bench::table_row(row)); };
  callbacks.progress = [&](const bench::Progress& progress) {
    bar.show(progress.stage, progress.done, progress.total);
  };
  return bench::run(settings, callbacks);
}

/// Gives the drivers' own kernel caches (PoCL, NVIDIA) an empty folder, which goes when the process
/// ends: cold plans are cold, warm ones find what the cold ones left. Only has an effect before the
/// process's first OpenCL call.
void empty_driver_caches() {
  static const TemporaryFolder folder("imago-bench");
  setenv("POCL_CACHE_DIR", folder.path().c_str(), 1);
  setenv("CUDA_CACHE_PATH", folder.path().c_str(), 1);
}

int run(Settings settings) {
  if (settings.list) {
    list_choices();
    return kSuccess;
  }
  if (!settings.as_found) empty_driver_caches();
  settings.measure.plans = settings.as_found ? bench::Plans::as_found : bench::Plans::cold_and_warm;
  settings.measure.check = !settings.unchecked;
  if (settings.measure.peers == std::vector<std::string>{"none"})
    settings.measure.peers = {"imago"};
  settings.measure.cases = cases(settings);
  settings.measure.suite = settings.shapes.empty()
                               ? fmt::format("{}", fmt::join(settings.suites, ","))
                               : "given lengths";
  settings.measure.device = find_device(settings.device, settings.measure.cases.at(0).precision);
  const bool json_printed = !settings.json_given->empty() && settings.json.empty();

  const bench::Report report = measure(settings.measure, json_printed);
  if (json_printed) {
    fmt::print("{}\n", bench::to_json(report));
  } else {
    fmt::print("{}", bench::table_summary(report));
  }
  if (!settings.json.empty()) write(settings.json, bench::to_json(report));
  if (!settings.picture.empty()) write(settings.picture, bench::to_svg(report));
  if (report.interrupted) throw Failure("interrupted; what was measured until then is reported");
  return kSuccess;
}

void add_outputs(CLI::App& sub, Settings& settings) {
  // An option's own value cannot be optional beside an empty default, so it is taken as a list.
  const auto set_json = [&settings](const std::vector<std::string>& files) {
    if (!files.empty()) settings.json = files[0];
  };
  settings.json_given =
      sub.add_option_function<std::vector<std::string>>(
             "--json", set_json, "Report as JSON, to a file or to standard output")
          ->type_name("[FILE]")
          ->expected(0, 1);
  sub.add_option("--picture", settings.picture, "Draw GB/s over the points as SVG")
      ->type_name("FILE");
}

void add_measuring(CLI::App& sub, Settings& settings) {
  bench::Settings& measure = settings.measure;
  sub.add_option("--peers", measure.peers,
                 "Engines beside imago, or none; else those that suit the device")
      ->type_name("LIST")
      ->delimiter(',');
  sub.add_option("--seconds", measure.seconds_per_case, "Of measuring, for a case")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  sub.add_option("--threads", measure.threads, "For FFTW; else the CPU device's compute units")
      ->type_name("COUNT");
  sub.add_flag("--estimate", measure.fftw_estimate,
               "Plan FFTW with FFTW_ESTIMATE, not FFTW_MEASURE");
  sub.add_flag("--as-found", settings.as_found, "Make each plan once, with the caches as they are");
  sub.add_flag("--no-check", settings.unchecked,
               "Do not compare results with FFTW in more precision");
}

}  // namespace

Command bench_command(CLI::App& app) {
  const auto settings = std::make_shared<Settings>();
  settings->like.batch = 0;
  CLI::App* sub = app.add_subcommand("bench", "Time imago beside other libraries");
  CLI::Option* suite = sub->add_option("--suite", settings->suites,
                                       "Named lists of cases (--list): h200,h200-shapes")
                           ->type_name("LIST")
                           ->delimiter(',')
                           ->capture_default_str();
  sub->add_option("--lengths", settings->shapes, "Shapes instead of a suite: 256,1024,64x64")
      ->type_name("LIST")
      ->delimiter(',')
      ->excludes(suite);
  sub->add_option("--points", settings->points,
                  "With --lengths: points in all, which gives the batch")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  sub->add_option("--batch", settings->like.batch, "Transforms in a call")
      ->type_name("COUNT")
      ->check(CLI::PositiveNumber);
  settings->kind_given = add_kind(*sub, settings->like.kind);
  settings->precision_given = add_precision(*sub, settings->like.precision);
  settings->placement_given = add_placement(*sub, settings->like.placement);
  add_measuring(*sub, *settings);
  add_planning(*sub, settings->measure.options);
  add_device(*sub, settings->device);
  add_outputs(*sub, *settings);
  sub->add_flag("--list", settings->list, "List suites and engines");
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
