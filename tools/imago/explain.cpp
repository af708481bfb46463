// This file is `imago explain`: it prints the plan for a problem on a real device or a device
// model, and the reasons. With --ranks it predicts times on many devices.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "compute.hpp"
#include "described_devices.hpp"
#include "engine/composition.hpp"
#include "engine/recipe.hpp"
#include "engine/tuning.hpp"
#include "formats/input_file.hpp"
#include "measure.hpp"
#include "model/model.hpp"
#include "model/rates.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "session.hpp"
#include "terminal.hpp"

namespace imago::command {
namespace {

struct ExplainSettings {
  Problem problem;
  Options options;
  Ranks ranks;
  std::string device, device_file, recipe, recipe_out;
  bool source = false, measure = false, json = false;
};

/// A plan for a real device or a device model.
struct Explained {
  device::Facts facts;
  Transform transform;
  std::string plan;
  Estimate needed;
  std::vector<KernelSource> sources;
  nlohmann::json predicted;              ///< one for each kernel
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

/// Returns the cost model's prediction of each kernel of the planned direction.
nlohmann::json predictions(const engine::Blueprint& blueprint, const device::Facts& facts) {
  auto kernels = nlohmann::json::array();
  const auto& direction = blueprint.forward ? blueprint.forward : blueprint.inverse;
  const kernel::Program& program = direction->program;
  for (const kernel::Launch& launch : program.launches) {
    const kernel::Step& step = program.steps[launch.step];
    const model::Cost cost = model::predict(step, launch, facts);
    kernels.push_back({{"seconds", cost.total},
                       {"memory_seconds", cost.memory},
                       {"arithmetic_seconds", cost.arithmetic},
                       {"exchange_seconds", cost.exchange},
                       {"registers", cost.registers},
                       {"groups_per_unit", cost.groups},
                       {"occupancy", cost.occupancy},
                       {"local_bytes", step.local_bytes()}});
  }
  return kernels;
}

Explained explained_here(const ExplainSettings& settings) {
  const Transform transform = settings.problem.transform();
  const Session session = open_session(settings.device, transform.precision);
  Progress progress;
  const Planning planning(progress);
  const auto begin = std::chrono::steady_clock::now();
  const Plan plan(session.context, session.device, transform, settings.options);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  const device::Facts plain = facts_of(session.device, settings.options);
  // The plan was chosen by the rates of a profile, if there is one for this device.
  const device::Facts facts = engine::Tuning(plain, settings.options).facts();
  Explained found{
      facts,           plan.transform(),
      plan.describe(), estimate(session.device, transform, settings.options),
      plan.sources(),  predictions(engine::decide(transform, plain, settings.options), facts),
      plan.builds(),   taken.count()};
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
  const auto& direction = blueprint.forward ? blueprint.forward : blueprint.inverse;
  Explained found{facts, settings.problem.transform(), blueprint.describe(), {},
                  {},    predictions(blueprint, facts)};
  found.needed = {.signal_bytes = blueprint.problem.bytes(false),
                  .spectrum_bytes = blueprint.problem.bytes(true),
                  .workspace_bytes = blueprint.workspace_bytes(),
                  .table_bytes = blueprint.table_bytes(),
                  .kernels = kernel::commands_of(direction->program).size(),
                  .bytes_moved = direction->program.bytes_moved,
                  .seconds = direction->seconds};
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

nlohmann::json kernels_of(const Explained& found, bool source) {
  auto kernels = nlohmann::json::array();
  for (const KernelSource& kernel : found.sources) {
    const std::size_t i = kernels.size();
    kernels.push_back(
        {{"name", kernel.name}, {"options", kernel.options}, {"characters", kernel.source.size()}});
    if (!found.builds.empty()) {
      kernels.back()["compiled"] = found.builds.at(i).compiled;
      kernels.back()["driver_seconds"] = found.builds[i].seconds;
    }
    if (source) kernels.back()["source"] = kernel.source;
  }
  return kernels;
}

nlohmann::json report(const Explained& found, bool source) {
  const Transform& transform = found.transform;
  nlohmann::json json{
      {"device", to_json(found.facts)},
      {"problem",
       {{"lengths", transform.lengths},
        {"batch", transform.batch},
        {"kind", kinds_text(transform)},
        {"precision", word(transform.precision)},
        {"placement", word(transform.placement)},
        {"norm", word(transform.norm)},
        {"inverse", transform.directions == Directions::inverse}}},
      {"plan", lines_of(found.plan)},
      {"memory",
       {{"signal_bytes", found.needed.signal_bytes},
        {"spectrum_bytes", found.needed.spectrum_bytes},
        {"workspace_bytes", found.needed.workspace_bytes},
        {"table_bytes", found.needed.table_bytes}}},
      {"bytes_moved", found.needed.bytes_moved},
      {"launches", found.needed.kernels},
      {"predicted", {{"seconds", found.needed.seconds}, {"kernels", found.predicted}}},
      {"roofline",
       {{"seconds", roofline_of(found).seconds()},
        {"memory_seconds", roofline_of(found).memory},
        {"arithmetic_seconds", roofline_of(found).arithmetic}}},
      {"estimates", found.estimates},
      {"plan_seconds", found.seconds},
      {"kernels", kernels_of(found, source)}};
  json["recipe"] = found.recipe;
  if (found.measured) json["measured"] = to_json(*found.measured);
  return json;
}

std::string building(const Explained& found) {
  const auto& builds = found.builds;
  if (builds.empty()) return {};
  std::string text = fmt::format("building   {} in {}\n", counted(builds.size(), "kernel"),
                                 seconds_text(found.seconds));
  for (const KernelBuild& build : builds)
    text += fmt::format("{:<10} {} {} in {}\n", "", build.name,
                        build.compiled ? "compiled" : "loaded", seconds_text(build.seconds));
  return text;
}

/// Returns the predicted time, with the time in which the device copies as many bytes if that was
/// measured.
std::string prediction(const Explained& found) {
  const double copy = found.facts.rates.copy_bytes;
  std::string text = "predicted  " + seconds_text(found.needed.seconds);
  if (copy > 0)
    text +=
        fmt::format(", {:.2f} of the copy's speed",
                    static_cast<double>(found.needed.signal_bytes + found.needed.spectrum_bytes) /
                        found.needed.seconds / copy);
  text += "\n";
  for (const auto& kernel : found.predicted) {
    const auto time = [&](const char* name) { return seconds_text(kernel[name].get<double>()); };
    text +=
        fmt::format("           {}: memory {}, arithmetic {}, exchange {}", time("seconds"),
                    time("memory_seconds"), time("arithmetic_seconds"), time("exchange_seconds"));
    if (kernel["registers"] != 0)
      text += fmt::format("; {} registers, {} of local memory, {} a unit",
                          kernel["registers"].get<int>(),
                          bytes_text(kernel["local_bytes"].get<std::size_t>()),
                          counted(kernel["groups_per_unit"].get<unsigned>(), "group"));
    text += "\n";
  }
  return text;
}

std::string roofline(const Explained& found) {
  const Roofline least = roofline_of(found);
  std::string text = fmt::format("roofline   {}: one read and one write {}",
                                 seconds_text(least.seconds()), seconds_text(least.memory));
  if (least.arithmetic > 0) text += fmt::format(", 5 N log2 N {}", seconds_text(least.arithmetic));
  return text +
         fmt::format("; predicted is {:.2f} times that\n", found.needed.seconds / least.seconds());
}

std::string text_of(const Explained& found) {
  std::string text = fmt::format("device     {}\n", describe(found.facts));
  if (!found.estimates.empty())
    text += fmt::format("estimates  {}\n", fmt::join(found.estimates, ", "));
  text += fmt::format("problem    {}\n", describe(found.transform));
  const char* label = "plan";
  for (const std::string& line : lines_of(found.plan))
    text += fmt::format("{:<10} {}\n", std::exchange(label, ""), line);
  const Estimate& needed = found.needed;
  text += fmt::format("memory     signal {}, spectrum {}, workspace {}, tables {}\n",
                      bytes_text(needed.signal_bytes), bytes_text(needed.spectrum_bytes),
                      bytes_text(needed.workspace_bytes), bytes_text(needed.table_bytes));
  text +=
      fmt::format("per call   {}, {} through global memory\n",
                  counted(needed.kernels, "launch", "launches"), bytes_text(needed.bytes_moved));
  text += prediction(found) + roofline(found);
  if (found.measured) text += table(*found.measured);
  return text + building(found);
}

void print(const Explained& found, bool source) {
  print_report(text_of(found));
  if (!source) return;
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
  if (!settings.recipe_out.empty()) {
    formats::OutputFile file(settings.recipe_out);
    file.write(found.recipe + "\n");
    file.commit();
  }
  if (settings.json)
    fmt::print("{}\n", dump(report(found, settings.source)));
  else
    print(found, settings.source);
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
