// This file builds the kernels of engines.
#include "engine/engine.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/errors.hpp"
#include "engine/generator_version.hpp"
#include "engine/proof.hpp"
#include "engine/user_errors.hpp"
#include "runtime/memory.hpp"
#include "runtime/signature.hpp"

namespace imago::engine {
namespace {

std::vector<runtime::KernelCode> codes(const runtime::Target& target, const Blueprint& blueprint,
                                       device::Type type) {
  std::vector<runtime::KernelCode> codes;
  for (const auto& kernel : blueprint.kernels) {
    runtime::KernelCode code;
    code.name = kernel.code.name();
    code.options = kernel.options;
    // Somebody waits for a generic kernel, which PoCL would compile again to return its binary.
    code.kept = !blueprint.is_generic() || !runtime::is_pocl(target.device);
    code.generate = [&kernel] { return generate(kernel).source; };
    if (type == device::Type::cpu) {  // PoCL: see KernelCode
      code.rehearse = [&target, &kernel](cl_kernel compiled) {
        runtime::rehearse(target, kernel.code, kernel.table_bytes, compiled);
      };
    }
    codes.push_back(std::move(code));
  }
  return codes;
}

std::vector<runtime::ProgramPointer> build_kernels(const runtime::Target& target,
                                                   const Blueprint& blueprint, device::Type type,
                                                   const runtime::DiskCache& disk) {
  try {
    auto kernels = runtime::build(target, codes(target, blueprint, type), disk);
    // Building it again, even from PoCL's cache, takes longer than the rest of a plan.
    if (blueprint.is_generic() && runtime::is_pocl(target.device))
      for (const auto& kernel : kernels) runtime::hold(kernel);
    return kernels;
  } catch (const DeviceError& error) {
    blame_user_text(blueprint, error);
    throw;
  }
}

std::unique_ptr<const runtime::Executable> make_executable(
    const runtime::Target& target, const std::optional<Direction>& direction,
    const std::vector<runtime::ProgramPointer>& kernels, const runtime::DiskCache& disk) {
  if (!direction) return nullptr;
  std::vector<runtime::ProgramPointer> of_program;
  for (const std::size_t index : direction->kernels) of_program.push_back(kernels.at(index));
  return std::make_unique<const runtime::Executable>(target, direction->program,
                                                     std::move(of_program), disk);
}

}  // namespace

runtime::Target make_target(cl_context context, cl_device_id device) {
  return runtime::make_target(context, device, generator_version());
}

runtime::DiskCache disk_cache(const Options& options) {
  return options.disk_cache ? runtime::DiskCache::at(options.cache_directory)
                            : runtime::DiskCache();
}

Engine::Engine(const runtime::Target& target, Blueprint decided, device::Type type,
               const runtime::DiskCache& disk)
    : blueprint(std::move(decided)) {
  const auto kernels = build_kernels(target, blueprint, type, disk);
  for (const auto& kernel : kernels)
    builds.push_back({kernel->name(), kernel->made().compiled, kernel->made().seconds});
  forward = make_executable(target, blueprint.forward, kernels, disk);
  inverse = make_executable(target, blueprint.inverse, kernels, disk);
}

std::vector<KernelSource> Engine::sources() const {
  std::vector<KernelSource> sources;
  for (const Kernel& kernel : blueprint.kernels) sources.push_back(generate(kernel));
  return sources;
}

bool are_kernels_built(const runtime::Target& target, const Blueprint& blueprint, device::Type type,
                       const runtime::DiskCache& disk) {
  return runtime::are_built(target, codes(target, blueprint, type), disk);
}

Engine make_engine(const runtime::Target& target, const device::Facts& facts,
                   const Transform& transform, const Options& options) {
  Engine engine;
  const auto disk = disk_cache(options);
  decide_and_build(transform, facts, options, [&](Blueprint blueprint) {
    prove(target.device, facts, blueprint, options);
    engine = Engine(target, std::move(blueprint), facts.type, disk);
  });
  if (engine.blueprint.first().program.one_launch)
    engine.counters = runtime::allocate_zeros(target.context, kernel::kCounterBytes);
  return engine;
}

Engine make_generic_engine(const runtime::Target& target, const device::Facts& facts,
                           const Transform& transform, const Options& options) {
  auto blueprint = decide_generic(transform, facts, options);
  if (!blueprint) base::internal_error("no generic kernels for a transform of the self-test");
  return Engine(target, std::move(*blueprint), facts.type, disk_cache(options));
}

std::vector<runtime::ProgramPointer> build_ahead(const runtime::Target& target,
                                                 const device::Facts& facts,
                                                 const std::vector<Transform>& transforms,
                                                 const Options& options) {
  std::vector<Blueprint> blueprints;
  for (const auto& transform : transforms) blueprints.push_back(decide(transform, facts, options));
  std::vector<runtime::KernelCode> all;
  for (const auto& blueprint : blueprints) {
    auto some = codes(target, blueprint, facts.type);
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  for (auto& code : all) code.kept = false;
  return runtime::build(target, all, disk_cache(options));
}

}  // namespace imago::engine
