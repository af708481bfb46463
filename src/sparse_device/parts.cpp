// This file holds the common parts of the runners of the sparse methods.
#include "sparse_device/parts.hpp"

#include <cmath>
#include <numeric>

#include "kernels/text.hpp"
#include "runtime/memory.hpp"
#include "sparse/attempt.hpp"

namespace imago::sparse_device {

std::string join_files(const std::vector<const char*>& files) {
  std::string text;
  for (const char* file : files) text += kernels::text(file);
  return text;
}

std::string build_options(const device::Facts& facts, bool waits) {
  return (waits ? "-cl-std=" + facts.waiting : engine::kBuildOptions) + engine::item_options(facts);
}

std::size_t check_groups(const device::Facts& facts) {
  constexpr std::size_t kOfCpu = 32;  // a work-group's fixed cost exceeds the work of one vector
  return facts.type == device::Type::cpu ? kOfCpu : std::size_t{sparse::IMAGO_CHECK_GROUPS};
}

std::string sparse_build_options(const sparse::Request& request, const device::Facts& facts,
                                 bool waits) {
  const bool f64 = request.precision == Precision::f64;
  // Vectors of 64 bytes; if the device's are shorter, the compiler uses several.
  const int samples = facts.type != device::Type::cpu ? 1 : f64 ? 8 : 16;
  return build_options(facts, waits) + (f64 ? "" : " -cl-single-precision-constant") +
         defined("IMAGO_DOUBLE", int{f64}) + defined("IMAGO_REAL_SIGNAL", int{request.real}) +
         defined("IMAGO_CHECKERS", check_groups(facts)) + defined("IMAGO_CHECK_VECTOR", samples);
}

runtime::Handle<cl_mem> upload_reals(cl_context context, const std::vector<double>& values,
                                     Precision precision) {
  if (precision == Precision::f64)
    return runtime::allocate_copy(context, values.size() * sizeof(double), values.data());
  const std::vector<float> rounded(values.begin(), values.end());
  return runtime::allocate_copy(context, rounded.size() * sizeof(float), rounded.data());
}

double gain_of(const std::vector<double>& taps) {
  return std::sqrt(std::inner_product(taps.begin(), taps.end(), taps.begin(), 0.0));
}

Options own_choice(Options options) {
  options.parameters = {};
  options.scratch.workspace = nullptr;
  return options;
}

Transform bucket_transform(const sparse::Request& request, std::size_t points, std::size_t batch) {
  Transform transform;
  transform.precision = request.precision;
  transform.lengths = {points};
  transform.batch = batch;
  transform.placement = Placement::in_place;
  transform.directions = Directions::forward;
  return transform;
}

engine::Engine bucket_engine(const Setup& setup, std::size_t points, std::size_t batch) {
  return engine::make_engine(setup.target, setup.facts,
                             bucket_transform(setup.request, points, batch),
                             own_choice(setup.options));
}

Estimate estimate_of(const Setup& setup, const Transform& transform) {
  return engine::decide(transform, setup.facts, own_choice(setup.options)).estimate();
}

void KernelLists::add(const engine::Engine& engine) {
  table_bytes += engine.blueprint.table_bytes();
  for (std::size_t i = 0; i < engine.builds.size(); ++i) {
    const KernelBuild& build = engine.builds[i];
    if (std::any_of(builds.begin(), builds.end(),
                    [&](const KernelBuild& other) { return other.name == build.name; }))
      continue;
    sources.push_back(engine::generate(engine.blueprint.kernels[i]));
    builds.push_back(build);
  }
}

}  // namespace imago::sparse_device
