// This file is `imago explain`: it prints the plan for a problem on a real device or a device
// model, and the reasons. With --ranks it predicts times on many devices.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "compute.hpp"
#include "described_devices.hpp"
#include "engine/composition.hpp"
#include "engine/recipe.hpp"
#include "engine/tuning.hpp"
#include "formats/file.hpp"
#include "measure.hpp"
#include "model/model.hpp"
#include "model/rates.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "report_writer.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

struct ExplainSettings {
  Problem problem;
  Options options;
  Ranks ranks;
  std::string device, device_file, recipe, recipe_out;
  bool source = false, measure = false, json = false;
};

/// The cost model's prediction of a kernel.
struct Prediction {
  model::Cost cost;
  std::size_t local_bytes = 0;
};

/// A plan for a real device or a device model.
struct Explained {
  device::Facts facts;
  Transform transform;
  std::string plan;
  Estimate needed;
  std::vector<KernelSource> sources;
  std::vector<Prediction> predicted;     ///< one for each kernel
  std::vector<KernelBuild> builds = {};  ///< empty for a device model
  double seconds = 0;                    ///< to make the plan
  std::optional<CallTime> measured = {};
  std::vector<std::string> estimates = {};  ///< estimated figures of a device model
  std::string recipe = {};
};

/// Returns the recipe if it is requested. It is for both directions unless one was given, because a
/// program may need both.
std::string recipe_of(const ExplainSettings& settings, const device::Facts& facts) {
  if (!settings.json && settings.recipe_out.empty()) return {};
  Transform transform = settings.problem.transform();
  if (!settings.options.recipe) transform.directions = Directions::both;
  return profile::to_text(engine::recipe_of(engine::decide(transform, facts, settings.options)));
}

/// Returns the predictions for the kernels of the planned direction.
std::vector<Prediction> predictions(const engine::Blueprint& blueprint,
                                    const device::Facts& facts) {
  std::vector<Prediction> kernels;
  const kernel::Program& program = blueprint.first().program;
  for (const kernel::Launch& launch : program.launches) {
    const kernel::Step& step = program.steps[launch.step];
    kernels.push_back({model::predict(step, launch, facts), step.local_bytes()});
  }
  return kernels;
}

Explained explained_here(const ExplainSettings& settings) {
  const Transform transform = settings.problem.transform();
  const Session session = open_session(settings.device, transform.precision);
  Progress progress;
  const Planning planning(progress);
  const Stopwatch watch;
  const Plan plan(session.context, session.device, transform, settings.options);
  const double seconds = watch.seconds();
  const device::Facts plain = facts_of(session.device, settings.options);
  // The plan was chosen by the rates of a profile, if there is one for this device.
  const device::Facts facts = engine::Tuning(plain, settings.options).facts();
  Explained found{
      facts,           plan.transform(),
      plan.describe(), estimate(session.device, transform, settings.options),
      plan.sources(),  predictions(engine::decide(transform, plain, settings.options), facts),
      plan.builds(),   seconds};
  if (settings.measure) {
    require_memory(session, transform);
    progress.show("Measuring kernels");
    found.measured = measure_kernels(session, transform, settings.options);
  }
  return found;
}

Explained explained_elsewhere(const ExplainSettings& settings) {
  const Described described = find_described(settings.device_file);
  const device::Facts& facts = described.facts;
  const auto blueprint = engine::decide(settings.problem.transform(), facts, settings.options);
  Explained found{facts, settings.problem.transform(), blueprint.describe(), blueprint.estimate(),
                  {},    predictions(blueprint, facts)};
  for (const auto& kernel : blueprint.kernels) found.sources.push_back(engine::generate(kernel));
  found.estimates = described.estimates;
  return found;
}

/// A lower bound for the time of plans. Each element is read once and written once at the memory's
/// rate. The arithmetic is the usual count (5 N log2 N, half of it unless complex). Arrays that fit
/// into caches may be faster, mostly on CPUs.
struct Roofline {
  double memory = 0,
         arithmetic = 0;  ///< in seconds; arithmetic is 0 if the rate is unknown (f64)
  double seconds() const { return std::max(memory, arithmetic); }
};

Roofline roofline_of(const Explained& found) {
  const device::Rates rates = model::rates_of(found.facts);
  const Transform& transform = found.transform;
  Roofline roofline;
  roofline.memory = static_cast<double>(found.needed.signal_bytes + found.needed.spectrum_bytes) /
                    rates.copy_bytes;
  if (transform.precision == Precision::f64) return roofline;
  double points = 1;
  for (const std::size_t length : transform.lengths) points *= static_cast<double>(length);
  const double each = transform.kind == Kind::complex ? 5 : 2.5;
  roofline.arithmetic =
      each * points * std::log2(points) * static_cast<double>(transform.batch) / rates.flops;
  return roofline;
}

/// Adds the predicted time, with the time in which the device copies as many bytes if that was
/// measured.
void add_prediction(Report& report, const Explained& found) {
  const Estimate& needed = found.needed;
  const double copy = found.facts.rates.copy_bytes;
  const auto moved = static_cast<double>(needed.signal_bytes + needed.spectrum_bytes);
  report.line(
      "predicted", "{}{}", Field::seconds("predicted/seconds", needed.seconds),
      copy > 0 ? fmt::format(", {:.2f} of the copy's speed", moved / needed.seconds / copy) : "");
  report.rows("predicted/kernels", found.predicted, [](const Prediction& kernel) {
    const model::Cost& cost = kernel.cost;
    Report row;
    row.line("", "{}: memory {}, arithmetic {}, exchange {}{}",
             Field::seconds("seconds", cost.total), Field::seconds("memory_seconds", cost.memory),
             Field::seconds("arithmetic_seconds", cost.arithmetic),
             Field::seconds("exchange_seconds", cost.exchange),
             cost.registers == 0
                 ? ""
                 : fmt::format("; {} registers, {} of local memory, {} a unit", cost.registers,
                               bytes_text(kernel.local_bytes), counted(cost.groups, "group")));
    row.value("registers", cost.registers);
    row.value("groups_per_unit", cost.groups);
    row.value("occupancy", cost.occupancy);
    row.value("local_bytes", kernel.local_bytes);
    return row;
  });
}

Report report_of(const Roofline& least, double predicted) {
  Report report;
  report.line("roofline", "{}: one read and one write {}{}; predicted is {} times that",
              Field::seconds("seconds", least.seconds()),
              Field::seconds("memory_seconds", least.memory),
              least.arithmetic > 0 ? ", 5 N log2 N " + seconds_text(least.arithmetic) : "",
              fmt::format("{:.2f}", predicted / least.seconds()));
  report.value("arithmetic_seconds", least.arithmetic);
  return report;
}

void add_kernels(Report& report, const Explained& found, bool source) {
  if (!found.builds.empty())
    report.line("building", "{} in {}", counted(found.builds.size(), "kernel"),
                seconds_text(found.seconds));
  std::size_t i = 0;
  report.rows("kernels", found.sources, [&](const KernelSource& kernel) {
    Report row;
    if (!found.builds.empty()) {
      const KernelBuild& build = found.builds.at(i++);
      row.line("", "{} {} in {}", kernel.name,
               Field{"compiled", build.compiled, build.compiled ? "compiled" : "loaded"},
               Field::seconds("driver_seconds", build.seconds));
    }
    row.value("name", kernel.name);
    row.value("options", kernel.options);
    row.value("characters", kernel.source.size());
    if (source) row.value("source", kernel.source);
    return row;
  });
}

Report report_of(const Explained& found, bool source) {
  const Estimate& needed = found.needed;
  const auto plan = lines_of(found.plan);
  Report report;
  report.line("device", "{}", field_of(found.facts));
  report.value("estimates", found.estimates);
  if (!found.estimates.empty())
    report.line("estimates", "{}", fmt::format("{}", fmt::join(found.estimates, ", ")));
  report.line("problem", "{}", describe(found.transform));
  report.value("problem", to_json(found.transform));
  report.lines("plan", plan);
  report.value("plan", plan);
  report.value("plan_seconds", found.seconds);
  report.line("memory", "signal {}, spectrum {}, workspace {}, tables {}",
              Field::bytes("memory/signal_bytes", needed.signal_bytes),
              Field::bytes("memory/spectrum_bytes", needed.spectrum_bytes),
              Field::bytes("memory/workspace_bytes", needed.workspace_bytes),
              Field::bytes("memory/table_bytes", needed.table_bytes));
  report.line("per call", "{}, {} through global memory",
              Field{"launches", needed.kernels, counted(needed.kernels, "launch", "launches")},
              Field::bytes("bytes_moved", needed.bytes_moved));
  add_prediction(report, found);
  report.part("roofline", report_of(roofline_of(found), needed.seconds));
  if (found.measured) report.part("measured", report_of(*found.measured));
  add_kernels(report, found, source);
  report.value("recipe", found.recipe);
  return report;
}

void print(const Explained& found, const ExplainSettings& settings) {
  report_of(found, settings.source).print(settings.json);
  if (!settings.source || settings.json) return;
  for (const KernelSource& kernel : found.sources) {
    fmt::print("\n// {}\n// build options: {}\n{}", kernel.name,
               kernel.options.empty() ? "none" : kernel.options, kernel.source);
  }
}

int run(ExplainSettings settings) {
  if (!settings.recipe.empty()) settings.options.recipe = formats::read_file(settings.recipe);
  if (settings.ranks.count > 0) {
    return explain_ranks(settings.problem, settings.ranks, settings.device, settings.options,
                         settings.json);
  }
  Explained found =
      settings.device_file.empty() ? explained_here(settings) : explained_elsewhere(settings);
  found.recipe = recipe_of(settings, found.facts);
  if (!settings.recipe_out.empty()) formats::write_file(settings.recipe_out, found.recipe + "\n");
  print(found, settings);
  return kSuccess;
}

}  // namespace

Command explain_command(CLI::App& app) {
  const auto settings = std::make_shared<ExplainSettings>();
  CLI::App* sub = app.add_subcommand("explain", "Print the plan of a transform");
  add_shape(*sub, settings->problem);
  add_kinds(*sub, settings->problem.kinds, "complex");
  add_precision(*sub, settings->problem.precision);
  add_placement(*sub, settings->problem.placement);
  add_norm(*sub, settings->problem);
  add_planning(*sub, settings->options);
  add_device(*sub, settings->device);
  add_ranks(*sub, settings->ranks);
  sub->add_option("--device-file", settings->device_file,
                  "Plan for a device model, by name (imago devices --described) or from a file")
      ->type_name("NAME|FILE")
      ->excludes("--device")
      ->excludes("--ranks");
  sub->add_flag("--source", settings->source, "Print the generated kernels too")
      ->excludes("--ranks");
  sub->add_flag("--measure", settings->measure,
                "Measure the device time of a call and its kernels, on zeros")
      ->excludes("--ranks")
      ->excludes("--device-file");
  sub->add_option(
         "--recipe", settings->recipe,
         "Make the plan that --recipe-out wrote to FILE; ignore profiles and the cost model")
      ->type_name("FILE")
      ->excludes("--algorithm")
      ->excludes("--mapping")
      ->excludes("--ranks");
  sub->add_option("--recipe-out", settings->recipe_out,
                  "Write the serialized plan to FILE, for --recipe and Options::recipe")
      ->type_name("FILE")
      ->excludes("--ranks");
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
