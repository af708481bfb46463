// This file is `imago explain`: what imago would do for a problem on a device, and why; with
// --ranks what it would take on many.
#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

struct Settings {
  Problem problem;
  Options options;
  Ranks ranks;
  std::string device;
  bool source = false, json = false;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// What is shown of a plan.
struct Explained {
  const Plan& plan;
  const device::Facts& facts;
  Estimate estimate;
  double seconds = 0;  ///< it took to make the plan
  bool source = false;
};

nlohmann::json kernels_of(const Explained& explained) {
  auto kernels = nlohmann::json::array();
  const auto builds = explained.plan.builds();
  for (const KernelSource& kernel : explained.plan.sources()) {
    const KernelBuild& build = builds.at(kernels.size());
    kernels.push_back({{"name", kernel.name},
                       {"options", kernel.options},
                       {"characters", kernel.source.size()},
                       {"compiled", build.compiled},
                       {"driver_seconds", build.seconds}});
    if (explained.source) kernels.back()["source"] = kernel.source;
  }
  return kernels;
}

nlohmann::json report(const Explained& explained) {
  const Plan& plan = explained.plan;
  const Transform& transform = plan.transform();
  return {{"device", to_json(explained.facts)},
          {"problem",
           {{"lengths", transform.lengths},
            {"batch", transform.batch},
            {"kind", word(transform.kind)},
            {"precision", word(transform.precision)},
            {"placement", word(transform.placement)},
            {"norm", word(transform.norm)},
            {"inverse", transform.directions == Directions::inverse}}},
          {"plan", lines_of(plan.describe())},
          {"memory",
           {{"signal_bytes", plan.signal_bytes()},
            {"spectrum_bytes", plan.spectrum_bytes()},
            {"workspace_bytes", plan.workspace_bytes()},
            {"table_bytes", plan.table_bytes()}}},
          {"bytes_moved", explained.estimate.bytes_moved},
          {"launches", explained.estimate.kernels},
          {"plan_seconds", explained.seconds},
          {"kernels", kernels_of(explained)}};
}

void print_building(const Explained& explained) {
  const auto builds = explained.plan.builds();
  fmt::print("building   {} kernel{} in {:.0f} ms\n", builds.size(), builds.size() == 1 ? "" : "s",
             1e3 * explained.seconds);
  for (const KernelBuild& build : builds) {
    fmt::print("{:<10} {} {} in {:.1f} ms\n", "", build.name,
               build.compiled ? "compiled" : "loaded", 1e3 * build.seconds);
  }
}

void print(const Explained& explained) {
  const Plan& plan = explained.plan;
  fmt::print("device     {}\nproblem    {}\n", describe(explained.facts),
             describe(plan.transform()));
  const char* label = "plan";
  for (const std::string& line : lines_of(plan.describe())) {
    fmt::print("{:<10} {}\n", label, line);
    label = "";
  }
  fmt::print("memory     signal {}, spectrum {}, workspace {}, tables {}\n",
             bytes_text(plan.signal_bytes()), bytes_text(plan.spectrum_bytes()),
             bytes_text(plan.workspace_bytes()), bytes_text(plan.table_bytes()));
  fmt::print("per call   {} launches, {} through global memory\n", explained.estimate.kernels,
             bytes_text(explained.estimate.bytes_moved));
  print_building(explained);
  if (!explained.source) return;
  for (const KernelSource& kernel : plan.sources()) {
    fmt::print("\n// {}\n// build options: {}\n{}", kernel.name,
               kernel.options.empty() ? "none" : kernel.options, kernel.source);
  }
}

int run(const Settings& settings) {
  if (settings.ranks.count > 0) {
    return explain_ranks(settings.problem, settings.ranks, settings.device, settings.options,
                         settings.json);
  }
  const Transform transform = settings.problem.transform();
  const Session session = open_session(settings.device, transform.precision);
  Progress progress;
  const Planning planning(progress);
  const auto begin = std::chrono::steady_clock::now();
  const Plan plan(session.context, session.device, transform, settings.options);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  const Estimate needed = estimate(session.device, transform, settings.options);
  const device::Facts facts = facts_of(session.device, settings.options);
  progress.clear();
  const Explained explained{plan, facts, needed, taken.count(), settings.source};
  if (settings.json) {
    fmt::print("{}\n", dump(report(explained)));
  } else {
    print(explained);
  }
  return kSuccess;
}

}  // namespace

Command explain_command(CLI::App& app) {
  const auto settings = std::make_shared<Settings>();
  CLI::App* sub = app.add_subcommand("explain", "Show the plan for a problem, line by line");
  add_shape(*sub, settings->problem);
  add_kind(*sub, settings->problem.kind);
  add_precision(*sub, settings->problem.precision);
  add_placement(*sub, settings->problem.placement);
  add_norm(*sub, settings->problem);
  add_planning(*sub, settings->options);
  add_device(*sub, settings->device);
  add_ranks(*sub, settings->ranks);
  sub->add_flag("--source", settings->source, "Show the generated kernels too")
      ->excludes("--ranks");
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
