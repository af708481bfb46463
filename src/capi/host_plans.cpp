// This file implements imago.h, without nonuniform transforms: C functions that use a HostPlan. No
// exception leaves them.
#include <imago/imago.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <imago/devices.hpp>
#include <imago/host_plan.hpp>

#include "base/errors.hpp"
#include "base/words.hpp"
#include "capi/calls.hpp"
#include "host/kept_plans.hpp"
#include "host/small_calls.hpp"

// The name is declared in imago.h.
struct imago_plan : imago::capi::OwnsWithLayouts<imago::HostPlan> {
  static constexpr const char* kName = "plan";
  const imago::host::SmallDirections* small = nullptr;  ///< the object's functions; null: none
};

namespace imago {

base::ThreadText& capi::last_error() {
  thread_local base::ThreadText message;
  return message;
}

Pool capi::pool_of(const imago_options& options, Precision precision) {
  return options.device ? Pool({find_device(options.device, precision)})
                        : host::kept_plans(precision)->pool();
}

namespace {

/// The caller's struct with the memory that it points to.
struct OwnedKernels : imago_kernels {
  OwnedKernels(std::vector<KernelSource> all, const std::vector<KernelBuild>& builds)
      : imago_kernels{}, held(std::move(all)) {
    for (std::size_t i = 0; i < held.size(); ++i) {
      texts[0].push_back(held[i].name.c_str());
      texts[1].push_back(held[i].source.c_str());
      texts[2].push_back(held[i].options.c_str());
      flags.push_back(builds[i].compiled ? 1 : 0);
      times.push_back(builds[i].seconds);
    }
    size = sizeof(imago_kernels);
    count = held.size();
    names = texts[0].data(), sources = texts[1].data(), options = texts[2].data();
    compiled = flags.data(), seconds = times.data();
  }
  std::vector<KernelSource> held;
  std::vector<const char*> texts[3];
  std::vector<int> flags;
  std::vector<double> times;
};

}  // namespace

const imago_kernels* capi::list_of(std::vector<KernelSource> sources,
                                   const std::vector<KernelBuild>& builds) {
  return new OwnedKernels(std::move(sources), builds);
}

namespace {

imago_plan* make_plan(const imago_transform& transform, const imago_options& options) {
  const Transform what = capi::transform_of(transform);
  const Pool pool = capi::pool_of(options, what.precision);
  HostOptions how;
  how.plan.deterministic = options.deterministic != 0;
  how.plan.reproducible = options.reproducible != 0;
  how.plan.f64 = capi::f64_of(options);
  how.memory_limit = options.memory_limit;
  auto* const plan = new imago_plan{{{pool, what, how}}};
  plan->small = HostPlanParts::small_of(plan->object);
  return plan;
}

/// Computes by the processor's functions. Returns false if they do not, for any reason.
bool executes_small(bool inverse, const imago_plan* handle, const void* from, void* to) noexcept {
  if (handle == nullptr || handle->small == nullptr) return false;
  const host::SmallDirections& small = *handle->small;
  // After a failure in place, the plan could not compute it again.
  if (from == to || !small.suits(inverse, from, to)) return false;
  try {
    small.direction(inverse)->run(from, to);
    return true;
  } catch (...) {
    return false;
  }
}

/// C's arrays have no type and no size: those of the plan are taken for granted.
void execute(bool inverse, const imago_plan* handle, const void* from, void* to) {
  const HostPlan& plan = capi::given(handle, "plan").object;
  const std::size_t sizes[] = {plan.signal_bytes(), plan.spectrum_bytes()};
  const ConstHostArray source(from, sizes[inverse]);
  const HostArray target(to, sizes[!inverse]);
  if (from == to && plan.transform().placement == Placement::in_place)
    inverse ? plan.inverse(target) : plan.forward(target);
  else
    inverse ? plan.inverse(source, target) : plan.forward(source, target);
}

}  // namespace
}  // namespace imago

namespace capi = imago::capi;

imago_status imago_plan_create(const imago_transform* transform, const imago_options* options,
                               imago_plan** plan) {
  return capi::create(plan, "plan", [&] {
    const auto what = capi::known(transform, "transform");
    return imago::make_plan(what, options ? capi::known(options, "options") : imago_options{});
  });
}

void imago_plan_destroy(imago_plan* plan) { delete plan; }

imago_status imago_execute_forward(const imago_plan* plan, const void* signal, void* spectrum) {
  if (imago::executes_small(false, plan, signal, spectrum)) return IMAGO_SUCCESS;
  return capi::guarded(capi::last_error(), [&] { imago::execute(false, plan, signal, spectrum); });
}

imago_status imago_execute_inverse(const imago_plan* plan, const void* spectrum, void* signal) {
  if (imago::executes_small(true, plan, spectrum, signal)) return IMAGO_SUCCESS;
  return capi::guarded(capi::last_error(), [&] { imago::execute(true, plan, spectrum, signal); });
}

size_t imago_signal_bytes(const imago_plan* plan) {
  return capi::size_of<&imago::HostPlan::signal_bytes>(plan);
}
size_t imago_spectrum_bytes(const imago_plan* plan) {
  return capi::size_of<&imago::HostPlan::spectrum_bytes>(plan);
}

imago_status imago_plan_layout(const imago_plan* plan, imago_side side, imago_layout* layout) {
  return capi::store_layout(plan, side, layout);
}

imago_status imago_plan_kernels(const imago_plan* plan, const imago_kernels** kernels) {
  return capi::store_kernels(plan, kernels);
}
void imago_kernels_destroy(const imago_kernels* kernels) {
  delete static_cast<const imago::OwnedKernels*>(kernels);
}

size_t imago_plan_describe(const imago_plan* plan, char* text, size_t size) {
  return capi::copy_text<&imago::HostPlan::describe>(plan, text, size);
}

const char* imago_last_error(void) { return capi::last_error().c_str(); }

const char* imago_version(void) { return IMAGO_VERSION; }
