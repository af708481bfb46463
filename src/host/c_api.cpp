// This file implements imago.h, without nonuniform transforms: C functions that use a HostPlan. No
// exception leaves them.
#include <imago/imago.h>

#include <array>
#include <string>
#include <utility>

#include <imago/devices.hpp>
#include <imago/host_plan.hpp>

#include "base/errors.hpp"
#include "base/words.hpp"
#include "host/c_calls.hpp"
#include "host/c_structs.hpp"
#include "host/kept_plans.hpp"

// The name is declared in imago.h.
struct imago_plan {
  imago::HostPlan plan;
  imago::Layout signal, spectrum;
};

namespace imago {

std::string& host::last_error() {
  thread_local std::string message;
  return message;
}

Pool host::pool_of(const imago_options& options, Precision precision) {
  return options.device ? Pool({find_device(options.device, precision)})
                        : kept_plans(precision)->pool();
}

namespace {

constexpr std::array kSpectrumSide = {false, true};
constexpr auto kSideWords =
    std::to_array<base::Word<bool>>({{"signal", false}, {"spectrum", true}});

imago_plan* make_plan(const imago_transform& transform, const imago_options& options) {
  const Transform what = host::transform_of(transform);
  const Pool pool = host::pool_of(options, what.precision);
  HostPlan plan(
      pool, what,
      {.plan = {.deterministic = options.deterministic != 0, .f64 = host::f64_of(options)},
       .memory_limit = options.memory_limit});
  Layout signal = plan.signal_layout(), spectrum = plan.spectrum_layout();
  return new imago_plan{std::move(plan), std::move(signal), std::move(spectrum)};
}

/// C's arrays have no type and no size: those of the plan are taken for granted.
void execute(bool inverse, const imago_plan* handle, const void* from, void* to) {
  const HostPlan& plan = host::given(handle, "plan").plan;
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

imago_status imago_plan_create(const imago_transform* transform, const imago_options* options,
                               imago_plan** plan) {
  return imago::host::guarded(imago::host::last_error(), [&] {
    if (!plan) imago::base::invalid("plan", "null", "give a pointer to the result");
    *plan = nullptr;
    const auto what = imago::host::known(transform, "transform");
    *plan =
        imago::make_plan(what, options ? imago::host::known(options, "options") : imago_options{});
  });
}

void imago_plan_destroy(imago_plan* plan) { delete plan; }

imago_status imago_execute_forward(const imago_plan* plan, const void* signal, void* spectrum) {
  return imago::host::guarded(imago::host::last_error(),
                              [&] { imago::execute(false, plan, signal, spectrum); });
}

imago_status imago_execute_inverse(const imago_plan* plan, const void* spectrum, void* signal) {
  return imago::host::guarded(imago::host::last_error(),
                              [&] { imago::execute(true, plan, spectrum, signal); });
}

size_t imago_signal_bytes(const imago_plan* plan) { return plan ? plan->plan.signal_bytes() : 0; }
size_t imago_spectrum_bytes(const imago_plan* plan) {
  return plan ? plan->plan.spectrum_bytes() : 0;
}

imago_status imago_plan_layout(const imago_plan* plan, imago_side side, imago_layout* layout) {
  return imago::host::guarded(imago::host::last_error(), [&] {
    const imago_plan& handle = imago::host::given(plan, "plan");
    if (!layout) imago::base::invalid("layout", "null", "give a pointer to the result");
    const bool spectrum =
        imago::host::chosen(imago::kSpectrumSide, imago::kSideWords, side, "side");
    const imago::Layout& found = spectrum ? handle.spectrum : handle.signal;
    *layout = {found.strides.data(), found.distance, found.offset};
  });
}

const char* imago_last_error(void) { return imago::host::last_error().c_str(); }

const char* imago_version(void) { return IMAGO_VERSION; }
