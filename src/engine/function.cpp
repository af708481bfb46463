// This file generates a transform as a function.
#include "engine/function.hpp"

#include <imago/error.hpp>

#include "blocks/emit.hpp"
#include "engine/composition.hpp"
#include "ir/render.hpp"

namespace imago::engine {
namespace {

// Bytes of local memory that stay free for the caller, for example for an atomic counter.
constexpr std::size_t kLeftLocal = 64;

/// Returns the direction with `columns` transforms per work-group; nothing if that is not legal, or
/// not one launch.
std::optional<Direction> direction_of(const Transform& transform, const device::Facts& facts,
                                      unsigned items, unsigned columns) try {
  Options options;
  options.profiles = false;
  options.f64 = F64::native;  // the hand-written code around the function has doubles
  options.parameters.mapping = Mapping::work_group;
  options.parameters.algorithm = Algorithm::single;
  options.parameters.kernels = {{.items = items / columns, .columns = columns}};
  auto direction = decide(transform, facts, options).forward;
  if (!direction || direction->program.launches.size() != 1) return {};
  const auto& step = direction->program.steps.front();
  if (step.work_group_size() != items || step.local_bytes() == 0 || step.scaled) return {};
  if (step.local_bytes() + kLeftLocal > facts.local_bytes) return {};
  return direction;
} catch (const InvalidArgument&) {  // this length cannot use such groups
  return {};
}

}  // namespace

std::optional<TransformFunction> transform_function(const Transform& transform,
                                                    const device::Facts& facts, unsigned items) {
  std::optional<Direction> best;
  for (unsigned columns = 1; columns <= items; columns *= 2) {
    auto direction = direction_of(transform, facts, items, columns);
    if (direction && (!best || direction->seconds < best->seconds)) best = std::move(direction);
  }
  if (!best) return {};
  const auto& program = best->program;
  const auto& step = program.steps.front();
  ir::Kernel code = blocks::emit_function(step);
  code.volatile_item = !facts.keeps_loads;
  TransformFunction function;
  function.name = code.name;
  function.source = ir::render(code);
  function.groups = program.launches.front().groups;
  function.local_bytes = step.local_bytes();
  if (step.has_table) function.table = program.tables.at(program.launches.front().table);
  return function;
}

}  // namespace imago::engine
