// This file builds the hand-written kernels of a nonuniform transform.
#include "api/nufft_kernels.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/stopwatch.hpp"
#include "nufft/bins.hpp"
#include "runtime/opencl.hpp"

namespace imago::api {
namespace {

using nufft_device::Setup;
using nufft_device::Spreading;

/// Returns the size of a call: numbers that are spread over the grid, and the grid.
std::uint64_t points_of(const Setup& setup) {
  return setup.transform.batch * (setup.design.cells() + setup.transform.points);
}

/// Equal keys have equal kernels.
std::string key_of(const Setup& setup) {
  std::string key;
  for (const auto& [_, kernel] :
       nufft_device::kernels_of(setup.transform, setup.design, setup.facts))
    key += kernel.name + kernel.options;
  return key + " on " + setup.target.identity.hex();
}

/// Returns the generic design; empty if the options do not want it, or there is none.
std::optional<nufft::Design> generic_design(const Setup& setup, FirstCall first_call) {
  if (first_call == FirstCall::compile || setup.options.deterministic) return {};
  if (first_call == FirstCall::automatic && nufft_device::Programs::are_built(setup)) return {};
  return nufft::generic(setup.design, setup.transform, setup.facts);
}

}  // namespace

NufftKernels::NufftKernels(const Setup& setup) {
  const FirstCall first_call = first_call_of(setup.options);
  const auto generic = generic_design(setup, first_call);
  first_ = std::make_shared<const Spreading>(
      generic ? Setup{setup.target, setup.facts, setup.transform, *generic, setup.options} : setup);
  if (!generic || first_call == FirstCall::generic) return;
  // The build may outlive the plan, and so the context's other references.
  upgrade_ = std::make_shared<UpgradeOf<Spreading>>(
      std::move(first_), points_of(setup), key_of(setup),
      [context = std::make_shared<const runtime::Handle<cl_context>>(
           runtime::Handle<cl_context>::shared(setup.target.context)),
       target = setup.target, facts = setup.facts, transform = setup.transform,
       design = setup.design, options = setup.options]() -> Shared {
        return std::make_shared<const Spreading>(Setup{target, facts, transform, design, options});
      });
}

bool wait_in_turn(std::chrono::milliseconds most,
                  std::initializer_list<std::function<bool(std::chrono::milliseconds)>> waits) {
  const auto end = base::end_of_wait(most);
  return std::all_of(waits.begin(), waits.end(), [&](const auto& wait) {
    return wait(std::chrono::ceil<std::chrono::milliseconds>(
        std::max(end - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0))));
  });
}

NufftKernels compensated_kernels(const Setup& setup) {
  NufftTransform transform = setup.transform;
  transform.types = NufftTypes::type1;
  const nufft::Design design = nufft::compensated(setup.design, transform, setup.facts);
  return NufftKernels({setup.target, setup.facts, transform, design, setup.options});
}

}  // namespace imago::api
