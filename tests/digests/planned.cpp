// This file plans the problems of the digests.
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

#include "digests/problems.hpp"
#include "engine/composition.hpp"
#include "kernel/key.hpp"

namespace imago::digests {
namespace {

/// Returns everything around the kernels: launches, tables, scratch and the model's prediction.
std::string surroundings(const engine::Direction& direction) {
  const kernel::Program& program = direction.program;
  std::ostringstream text;
  text.precision(4);
  for (const kernel::Launch& launch : program.launches) {
    text << launch.step << ' ' << launch.table << ' ' << launch.scale << ' ' << launch.batch << ' '
         << launch.groups;
    for (const kernel::Place& place : {launch.in, launch.out})
      text << ' ' << static_cast<int>(place.memory) << ' ' << place.offset << ' ' << place.distance;
    for (const int argument : launch.arguments) text << ' ' << argument;
    text << '\n';
  }
  for (const kernel::Table& table : program.tables) {
    text << "table of " << table.values() << ':';
    for (const kernel::Section& section : table.sections)
      text << ' ' << section.index() << ' ' << kernel::entries(section);
    text << '\n';
  }
  text << program.scratch_bytes << ' ' << program.bytes_moved << ' ' << direction.chunk << ' '
       << direction.seconds << '\n';
  return text.str();
}

const std::optional<engine::Direction>& direction_of(const engine::Blueprint& blueprint) {
  return blueprint.forward ? blueprint.forward : blueprint.inverse;
}

std::vector<std::string> texts_of(const engine::Blueprint& blueprint) {
  std::vector<std::string> texts{surroundings(*direction_of(blueprint))};
  for (const auto& kernel : blueprint.kernels) texts.push_back(engine::anonymous_source(kernel));
  return texts;
}

/// Returns the numbers and the table of generic kernels, which are what they compute.
std::string data_of(const engine::Direction& direction) {
  const kernel::GenericData& data = direction.program.generic;
  std::ostringstream text;
  text.precision(17);
  for (const std::int32_t number : data.numbers) text << number << ' ';
  for (const double number : data.table) text << number << ' ';
  return text.str();
}

/// Returns the text of a generic kernel, which thousands of problems share.
std::string generic_source(const engine::Kernel& kernel) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::string key = kernel.code.name() + kernel.options;
  const std::lock_guard lock(mutex);
  std::string& text = known[key];
  if (text.empty()) text = engine::anonymous_source(kernel);
  return text;
}

std::vector<std::string> texts_of_generic(const engine::Blueprint& blueprint) {
  std::vector<std::string> texts{surroundings(*direction_of(blueprint))};
  for (const auto& kernel : blueprint.kernels) texts.push_back(generic_source(kernel));
  for (const auto* direction : {&blueprint.forward, &blueprint.inverse}) {
    if (*direction) texts.push_back(data_of(**direction));
  }
  return texts;
}

std::string description_of(const engine::Blueprint& blueprint) {
  std::string text = blueprint.describe();
  for (const auto& kernel : blueprint.kernels) {
    kernel::KeyText key;
    for (const auto& step : kernel.code.phases) each_field(step, key);
    text += "// " + key.text() + '\n';
  }
  return text;
}

}  // namespace

Problem planned(const device::Facts& facts, std::string group, std::string name,
                const problem::Computation& computation, const Options& options, Made made) {
  Problem problem{&facts, std::move(group), std::move(name), {}, {}};
  if (made == Made::generic) {
    problem.texts = [&facts, computation, options]() -> std::vector<std::string> {
      const auto blueprint = engine::decide_generic(computation, facts, options);
      return blueprint ? texts_of_generic(*blueprint) : std::vector<std::string>{"none"};
    };
    problem.blueprint = [&facts, computation, options] {
      return engine::decide_generic(computation, facts, options).value_or(engine::Blueprint());
    };
    return problem;
  }
  const auto decided = [&facts, computation, options] {
    return engine::decide(computation, facts, options);
  };
  problem.texts = [decided] { return texts_of(decided()); };
  problem.blueprint = decided;
  problem.describe = [decided] { return description_of(decided()); };
  return problem;
}

Problem planned_rows(const device::Facts& facts, std::string group, std::string name,
                     const RaggedTransform& rows) {
  Problem problem{&facts, std::move(group), std::move(name), {}, {}};
  problem.texts = [&facts, rows] {
    return texts_of_generic(engine::decide(problem::make_rows(rows), facts, Options()));
  };
  return problem;
}

}  // namespace imago::digests
