// This file is `imago bench`: a front end of the benchmark library.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <imago/host.hpp>

#include "bench/bench.hpp"
#include "command.hpp"
#include "formats/file.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

struct Settings {
  std::string suite = "quick", device, json, picture;
  std::vector<std::size_t> lengths;
  std::vector<std::string> peers;
  Precision precision = Precision::f32;
  Placement placement = Placement::in_place;
  std::size_t batch = 0, points = std::size_t{1} << 20;
  CLI::Option* json_option = nullptr;  ///< without a file the report goes to standard output
  bool list = false, drivers_caches = false;
  bench::Settings measure;
};

std::vector<bench::Case> cases(const Settings& settings) {
  if (settings.lengths.empty()) return bench::suite(settings.suite);
  return bench::free_form(settings.lengths, settings.points, settings.precision, settings.placement,
                          settings.batch);
}

void list_choices() {
  for (const bench::SuiteInfo& suite : bench::suites()) fmt::print("suite {:<12} {}\n", suite.name, suite.about);
  fmt::print("engines: {}\n", fmt::join(bench::engine_names(), ", "));
}

void write(const std::string& path, const std::string& text) {
  formats::OutputFile file(path);
  file.write(text);
  file.commit();
}

int run(Settings settings) {
  if (settings.list) {
    list_choices();
    return kSuccess;
  }
  if (!settings.drivers_caches) bench::disable_driver_caches();
  settings.measure.cases = cases(settings);
  settings.measure.suite = settings.lengths.empty() ? settings.suite : "free form";
  settings.measure.peers = settings.peers;
  settings.measure.device = find_device(settings.device, settings.measure.cases.at(0).precision);
  const bool json_to_stdout = !settings.json_option->empty() && settings.json.empty();

  Progress bar;
  bench::Callbacks callbacks;
  callbacks.interrupt = &watch_interrupts();
  callbacks.progress = [&](const bench::Progress& progress) {
    bar.set_total(progress.total);
    bar.show(progress.done, progress.stage);
  };
  callbacks.row = [&](const bench::Row& row) {
    bar.clear();
    if (json_to_stdout) return;
    fmt::print("{}", bench::table_row(row));
    std::fflush(stdout);
  };
  const bench::Report report = bench::run(settings.measure, callbacks);
  bar.clear();
  if (json_to_stdout) fmt::print("{}\n", bench::to_json(report));
  else fmt::print("{}", bench::table_summary(report));
  if (!settings.json.empty()) write(settings.json, bench::to_json(report));
  if (!settings.picture.empty()) write(settings.picture, bench::to_svg(report));
  if (report.interrupted) throw Failure("interrupted; what was measured is reported");
  return kSuccess;
}

}  // namespace

}  // namespace imago::command
