// This file is `imago bench`: the front end of the benchmark library.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <imago/cuda.hpp>
#include <imago/devices.hpp>

#include "base/system.hpp"
#include "bench/bench.hpp"
#include "bench/compare.hpp"
#include "bench/sparse.hpp"
#include "bench/submission.hpp"
#include "command.hpp"
#include "formats/file.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report_writer.hpp"
#include "session.hpp"
#include "temporary_folder.hpp"

namespace imago::command {
namespace {

using bench::kRanks;
constexpr const char* kAboutRanks =
    "3-D complex over MPI ranks, compared with FFTW-MPI: mpirun -np 4 imago bench --suite ranks";

struct BenchSettings {
  std::vector<std::string> suites{"quick"}, shapes, compared, drawn;
  std::string device, picture, submission, launch = "opencl";
  JsonTarget json;
  bench::Case like = bench::forward_case({1}, 0);  ///< the common properties of all cases, without
                                                   ///< lengths; batch 0: not given
  std::size_t points = std::size_t{1} << 20;
  bool list = false, as_found = false, unchecked = false, single = false;
  bench::Settings measure;
  /// Options whose presence matters.
  CLI::Option *suites_given = nullptr, *points_given = nullptr, *kind_given = nullptr,
              *precision_given = nullptr, *placement_given = nullptr, *submission_given = nullptr;
};

std::vector<bench::Case> named_shapes(const BenchSettings& settings) {
  std::vector<std::vector<std::size_t>> shapes;
  shapes.reserve(settings.shapes.size());
  for (const std::string& each : settings.shapes) shapes.push_back(parse_shape(each));
  bench::Case like = settings.like;
  const bool batched = like.batch != 0 || (settings.single && settings.points_given->empty());
  if (like.batch == 0) like.batch = 1;
  return bench::free_form(shapes, batched ? 0 : settings.points, like);
}

/// Returns the cases; options override the properties of a suite.
std::vector<bench::Case> cases(const BenchSettings& settings) {
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

/// Returns the requested timing, else that of all suites.
bench::Timing timing_of(const BenchSettings& settings) {
  if (settings.single) return bench::Timing::single_calls;
  if (!settings.shapes.empty()) return bench::Timing::trains;
  const bench::Timing timing = bench::timing_of(settings.suites.at(0));
  for (const std::string& name : settings.suites)
    if (bench::timing_of(name) != timing)
      throw Misuse(
          fmt::format("--suite is {}: suites of single calls cannot be combined with others",
                      fmt::join(settings.suites, ",")));
  return timing;
}

/// Returns the suites and the libraries.
Report choices() {
  auto suites = bench::suites();
  for (const bench::SuiteInfo& sparse : bench::sparse_suites()) suites.push_back(sparse);
  suites.push_back({kRanks, kAboutRanks});
  Report report;
  report.rows("suites", suites, [](const bench::SuiteInfo& suite) {
    Report row;
    row.row("suite    {:<12} {}", Field::plain("name", suite.name),
            Field::plain("about", suite.about));
    return row;
  });
  report.row("engines  {}", fmt::format("{}", fmt::join(bench::engine_names(), ", ")));
  report.value("engines", bench::engine_names());
  return report;
}

/// The output during a run: progress and, unless `quiet`, text as it is made.
class Talk {
 public:
  explicit Talk(bool quiet) : quiet_(quiet) {
    callbacks_.interrupt = &watch_interrupts();
    callbacks_.progress = [this](const bench::Progress& progress) {
      bar_.show(progress.stage, progress.done, progress.total);
    };
  }
  void show(const std::string& text) {
    if (quiet_) return;
    bar_.clear();
    fmt::print("{}", base::printable_lines(text));
    std::fflush(stdout);
  }
  bench::Callbacks& callbacks() { return callbacks_; }

 private:
  bool quiet_;
  Progress bar_;
  bench::Callbacks callbacks_;
};

bench::Report measure(const bench::Settings& settings, bool quiet) {
  Talk talk(quiet);
  const bench::Timing timing = settings.timing;
  talk.callbacks().facts = [&](const bench::Facts& facts) {
    talk.show(bench::table_head(facts, timing));
  };
  talk.callbacks().row = [&](const bench::Row& row) { talk.show(bench::table_row(row, timing)); };
  return bench::run(settings, talk.callbacks());
}

bench::SparseReport measure_sparse(const bench::Settings& settings,
                                   const std::vector<bench::SparseCase>& cases, bool quiet) {
  Talk talk(quiet);
  talk.callbacks().facts = [&](const bench::Facts& facts) {
    talk.show(bench::sparse_table_head(facts));
  };
  return bench::run_sparse(settings, cases, talk.callbacks(), [&](const bench::SparseRow& row) {
    talk.show(bench::sparse_table_row(row));
  });
}

/// Gives the drivers' own kernel caches (PoCL, NVIDIA) an empty folder, which is removed at the end
/// of the process. Cold plans are then cold, and warm plans find the results of the cold ones. Only
/// works before the process's first OpenCL call.
void empty_driver_caches() {
  static const TemporaryFolder folder("imago-bench");
  setenv("POCL_CACHE_DIR", folder.path().c_str(), 1);
  setenv("CUDA_CACHE_PATH", folder.path().c_str(), 1);
}

template <class Found>
int report_on(const BenchSettings& settings, const Found& report, const std::string& summary) {
  if (!settings.json.printed()) fmt::print("{}", summary);
  if (settings.json.given()) settings.json.write(bench::to_json(report));
  if (!settings.picture.empty()) formats::write_file(settings.picture, bench::to_svg(report));
  if (report.interrupted) throw Failure("interrupted; the report has the rows that were finished");
  return kSuccess;
}

/// Writes the report without personal data, if requested.
void submit(const BenchSettings& settings, const bench::Report& report) {
  if (settings.submission_given->empty()) return;
  if (report.interrupted)
    throw Failure("interrupted: a submission needs all rows, so none was written");
  const std::string path =
      settings.submission.empty() ? bench::submission_name(report) : settings.submission;
  formats::write_file(path, bench::to_submission(report));
  if (settings.json.printed()) return;
  fmt::print(
      "written    {}: times, device, driver and build; no names of people, machines or folders.\n"
      "           Read it, then send it: docs/benchmarks.md says where\n",
      printable(path));
}

/// Returns the cases of a suite of sparse transforms; empty if there is none among the suites.
std::vector<bench::SparseCase> sparse_cases(const BenchSettings& settings) {
  std::vector<bench::SparseCase> cases;
  for (const std::string& name : settings.suites) {
    const auto suite = bench::sparse_suite(name);
    if (suite.empty() && cases.empty()) continue;
    if (suite.empty() || settings.suites.size() > 1)
      throw Misuse(
          fmt::format("--suite is {}: a suite of sparse transforms cannot be combined with others",
                      fmt::join(settings.suites, ",")));
    cases = suite;
  }
  if (cases.empty() || !settings.shapes.empty()) return {};
  if (settings.single)
    throw Misuse("--single does not apply to suites of sparse transforms: omit it");
  if (!settings.submission_given->empty())
    throw Misuse("--submit does not apply to suites of sparse transforms: omit it");
  if (!settings.kind_given->empty() || !settings.placement_given->empty() ||
      settings.like.batch != 0)
    throw Misuse(
        "--kind, --placement and --batch do not apply to suites of sparse transforms: omit them");
  for (auto& each : cases)
    if (!settings.precision_given->empty()) each.precision = settings.like.precision;
  return cases;
}

/// True if the suite is that of ranks, which runs alone because another program measures it.
bool is_of_ranks(const BenchSettings& settings) {
  const auto& suites = settings.suites;
  if (std::find(suites.begin(), suites.end(), kRanks) == suites.end()) return false;
  if (suites.size() > 1)
    throw Misuse(fmt::format("--suite is {}: {} cannot be combined with others",
                             fmt::join(suites, ","), kRanks));
  return true;
}

/// Replaces this process by the program that measures transforms over ranks.
[[noreturn]] void become_ranks(std::vector<std::string> arguments) {
  const auto here = base::own_program().parent_path();
  for (const char* const place : {"imago_ranks", "../bench/ranks/imago_ranks"}) {
    std::string program = here / place;
    if (!std::filesystem::exists(program)) continue;
    std::vector<char*> words{program.data()};
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    release_interrupts();
    execv(program.c_str(), words.data());
  }
  throw Failure("imago_ranks is not in " + here.string() +
                ": build imago with MPI and FFTW-MPI (libopenmpi-dev, libfftw3-mpi-dev)");
}

[[noreturn]] void measure_ranks(const BenchSettings& settings) {
  std::vector<std::string> words{"--seconds", std::to_string(settings.measure.seconds_per_case)};
  if (!settings.precision_given->empty())
    words.insert(words.end(), {"--precision", word(settings.like.precision)});
  if (!settings.measure.peers.empty())
    words.insert(words.end(),
                 {"--peers", fmt::format("{}", fmt::join(settings.measure.peers, ","))});
  if (settings.json.printed()) throw Misuse("--json needs a file name with --suite ranks");
  if (!settings.submission_given->empty())
    throw Misuse("--submit does not apply to --suite ranks: omit it");
  if (settings.json.given()) words.insert(words.end(), {"--json", settings.json.file});
  if (!settings.picture.empty()) words.insert(words.end(), {"--picture", settings.picture});
  become_ranks(words);
}

/// Returns names as in `imago selftest`; sparse transforms have none there.
std::vector<std::string> case_names(const BenchSettings& settings,
                                    const std::vector<bench::SparseCase>& sparse) {
  std::vector<std::string> names;
  names.reserve(sparse.size());
  for (const auto& each : sparse)
    names.push_back(fmt::format("{} of {}, {}", each.sparsity, each.length, word(each.precision)));
  if (!sparse.empty()) return names;
  for (const bench::Case& each : cases(settings)) names.push_back(each.name());
  return names;
}

/// Writes JSON as --json requests, else the text.
void print(const BenchSettings& settings, const std::string& json, const std::string& text) {
  if (settings.json.given()) return settings.json.write(json);
  fmt::print("{}", base::printable_lines(text));
}
void print(const BenchSettings& settings, const Report& report) {
  print(settings, dump(report.json), report.text);
}

bench::Report report_in(const std::string& path) {
  return bench::from_json(formats::read_file(path), path);
}

/// Draws one report as its run does; draws several reports as imago's results on each device.
int draw(const BenchSettings& settings) {
  if (settings.picture.empty()) throw Misuse("--draw needs --picture: name the file to draw");
  std::vector<bench::Report> reports;
  for (const std::string& path : settings.drawn) reports.push_back(report_in(path));
  formats::write_file(settings.picture,
                      reports.size() == 1 ? bench::to_svg(reports[0]) : bench::to_svg(reports));
  fmt::print("picture    {}\n", printable(settings.picture));
  return kSuccess;
}

int compare(const BenchSettings& settings) {
  const std::string &before = settings.compared.at(0), &after = settings.compared.at(1);
  const auto comparison = bench::compare(report_in(before), report_in(after));
  print(settings, bench::to_json(comparison, before, after),
        bench::to_text(comparison, before, after));
  return kSuccess;
}

int run(BenchSettings settings) {
  if (!settings.compared.empty()) return compare(settings);
  if (!settings.drawn.empty()) return draw(settings);
  const bool chosen = !settings.suites_given->empty() || !settings.shapes.empty();
  if (settings.list && !chosen) {
    print(settings, choices());
    return kSuccess;
  }
  if (is_of_ranks(settings)) {
    if (!settings.list) measure_ranks(settings);
    print(settings, list_of("cases", {kAboutRanks}));
    return kSuccess;
  }
  const auto sparse = sparse_cases(settings);
  if (settings.list) {
    print(settings, list_of("cases", case_names(settings, sparse)));
    return kSuccess;
  }
  if (!settings.as_found) empty_driver_caches();
  auto& measured = settings.measure;
  measured.plans = settings.as_found ? bench::Plans::as_found : bench::Plans::cold_and_warm;
  measured.check = !settings.unchecked;
  if (measured.peers == std::vector<std::string>{"none"}) measured.peers = {"imago"};
  if (sparse.empty()) {
    measured.cases = cases(settings);
    measured.timing = timing_of(settings);
  }
  measured.suite = settings.shapes.empty() ? fmt::format("{}", fmt::join(settings.suites, ","))
                                           : "given lengths";
  measured.device = find_device(
      settings.device, sparse.empty() ? measured.cases.at(0).precision : sparse[0].precision);
  if (settings.launch != "opencl") {
    measured.graphs = settings.launch == "graph";
    measured.device = CudaScope().device();
    measured.clock = bench::Clock::host;  // CUDA's queues take no times
  }
  const bool quiet = settings.json.printed();
  if (!sparse.empty()) {
    const auto report = measure_sparse(measured, sparse, quiet);
    return report_on(settings, report, bench::sparse_summary(report));
  }
  const bench::Report report = measure(measured, quiet);
  const int status = report_on(settings, report, bench::table_summary(report));
  submit(settings, report);
  return status;
}

void add_outputs(CLI::App& sub, BenchSettings& settings) {
  add_json(sub, settings.json);
  sub.add_option(
         "--picture", settings.picture,
         "Draw as SVG: GB/s; single calls: speedup; ranks: ms, of all runs in --json's file; "
         "sparse: figure 5 of the cusFFT paper")
      ->type_name("FILE");
}

/// Submissions must be comparable: whole suites, checked, with imago's own plans.
void add_submission(CLI::App& sub, BenchSettings& settings) {
  settings.submission_given = add_optional(sub, "--submit", settings.submission,
                                           "Write a file for the page of sent benchmarks, without "
                                           "personal data [named after device and suite]");
  for (const char* const other :
       {"--lengths", "--batch", "--kind", "--precision", "--placement", "--single", "--estimate",
        "--no-check", "--algorithm", "--mapping", "--workspace-limit", "--list", "--compare",
        "--draw"})
    settings.submission_given->excludes(sub.get_option(other));
}

void add_measuring(CLI::App& sub, BenchSettings& settings) {
  bench::Settings& measure = settings.measure;
  sub.add_option("--peers", measure.peers,
                 "Compare with these libraries, or none [those that suit the device]")
      ->type_name("LIST")
      ->delimiter(',');
  sub.add_option("--launch", settings.launch,
                 "Launch imago's kernels on an NVIDIA GPU by: opencl, cuda, graph")
      ->type_name("WORD")
      ->check(CLI::IsMember({"opencl", "cuda", "graph"}))
      ->capture_default_str();
  sub.add_option("--seconds", measure.seconds_per_case, "Measure each case for this many seconds")
      ->capture_default_str()
      ->transform(positive());
  sub.add_option("--threads", measure.threads,
                 "Run FFTW and oneMKL on COUNT threads [the CPU's compute units]")
      ->type_name("COUNT")
      ->transform(as_count(0));
  sub.add_flag("--estimate", measure.fftw_estimate,
               "Plan FFTW with FFTW_ESTIMATE instead of FFTW_MEASURE");
  sub.add_flag("--as-found", settings.as_found, "Make each plan once, with existing caches");
  sub.add_flag("--no-check", settings.unchecked, "Do not check results against FFTW");
}

}  // namespace

Command bench_command(CLI::App& app) {
  const auto settings = std::make_shared<BenchSettings>();
  CLI::App* sub = app.add_subcommand("bench", "Compare the speed of imago with other libraries");
  settings->suites_given = sub->add_option("--suite", settings->suites,
                                           "Measure lists of cases (see --list): h200,h200-shapes")
                               ->type_name("LIST")
                               ->delimiter(',')
                               ->capture_default_str();
  sub->add_option("--lengths", settings->shapes,
                  "Measure shapes instead of a suite: 256,1024,64x64,2^20")
      ->type_name("LIST")
      ->delimiter(',')
      ->excludes(settings->suites_given);
  settings->points_given = sub->add_option("--points", settings->points,
                                           "Choose the batch of --lengths for this many points")
                               ->capture_default_str()
                               ->transform(as_count());
  add_count(*sub, "--batch", "COUNT", settings->like.batch, "Transform COUNT arrays per call");
  settings->kind_given = add_kind(*sub, settings->like.kind);
  settings->precision_given = add_precision(*sub, settings->like.precision);
  settings->placement_given = add_placement(*sub, settings->like.placement);
  sub->add_flag("--single", settings->single,
                "Measure single synchronous calls by the host's clock, of one transform unless "
                "--points or --batch is given");
  add_measuring(*sub, *settings);
  add_planning(*sub, settings->measure.options);
  add_device(*sub, settings->device);
  add_outputs(*sub, *settings);
  const auto listed =
      sub->add_flag("--list", settings->list,
                    "List suites and libraries; with --suite or --lengths, their cases");
  sub->add_option("--compare", settings->compared,
                  "Compare two --json reports row by row; measure nothing")
      ->type_name("A.json B.json")
      ->expected(2)
      ->excludes(settings->suites_given)
      ->excludes(listed)
      ->excludes(sub->get_option("--lengths"))
      ->excludes(sub->get_option("--picture"));
  sub->add_option("--draw", settings->drawn,
                  "Draw a --json report again (--picture), or imago in several; measure nothing")
      ->type_name("A.json...")
      ->excludes(settings->suites_given)
      ->excludes(sub->get_option("--compare"))
      ->excludes(sub->get_option("--lengths"));
  add_submission(*sub, *settings);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
