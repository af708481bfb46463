// This file implements imago.h: C functions that use a HostPlan. No exception leaves them.
#include <imago/imago.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include <imago/devices.hpp>
#include <imago/host_plan.hpp>

#include "base/errors.hpp"
#include "host/kept_plans.hpp"
#include "problem/words.hpp"

// The name is declared in imago.h.
struct imago_plan {
  imago::HostPlan plan;
  imago::Layout signal, spectrum;
};

namespace imago {
namespace {

thread_local std::string last_error;

imago_status failed(imago_status status, const char* text) noexcept {
  constexpr std::size_t kMost = 4000;  // a message may repeat an input of any length
  try {
    const std::size_t length = std::strlen(text);
    last_error.assign(text, std::min(length, kMost));
    if (length > kMost) last_error += " ..";
  } catch (const std::bad_alloc&) {
    last_error.clear();
  }
  return status;
}

/// Calls `work` and converts an exception to a status.
template <class Work>
imago_status guarded(const Work& work) noexcept {
  try {
    work();
    return IMAGO_SUCCESS;
  } catch (const InvalidArgument& error) {
    return failed(IMAGO_INVALID_ARGUMENT, error.what());
  } catch (const Unsupported& error) {
    return failed(IMAGO_UNSUPPORTED, error.what());
  } catch (const DeviceError& error) {
    return failed(IMAGO_DEVICE_ERROR, error.what());
  } catch (const ProfileError& error) {
    return failed(IMAGO_PROFILE_ERROR, error.what());
  } catch (const Stopped& error) {
    return failed(IMAGO_STOPPED, error.what());
  } catch (const Error& error) {
    return failed(IMAGO_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    return failed(IMAGO_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return failed(IMAGO_INTERNAL_ERROR, error.what());
  } catch (...) {
    return failed(IMAGO_INTERNAL_ERROR, "an unknown exception");
  }
}

template <class T>
const T& given(const T* pointer, const char* name) {
  if (!pointer) base::invalid(name, "null", "give a pointer that is not null");
  return *pointer;
}

/// Returns the caller's struct. It may come from a later version if its additional fields are 0.
template <class Struct>
Struct known(const Struct* pointer, const std::string& name) {
  const std::size_t size = given(pointer, name.c_str()).size;
  if (size < sizeof(Struct))
    base::invalid(
        name + ".size", size,
        "it must be at least sizeof(imago_" + name + "), " + std::to_string(sizeof(Struct)));
  const auto* bytes = reinterpret_cast<const char*>(pointer);
  for (std::size_t i = sizeof(Struct); i < size; ++i) {
    if (bytes[i] != 0)
      base::unsupported(name + " sets fields that this version of imago does not know",
                        "install the version that the program was compiled for, or a later one");
  }
  return *pointer;
}

/// Returns "0 (forward), 1 (inverse)" for the values of the numbers 0, 1, ...
template <class Value, std::size_t size, class Words>
std::string numbered(const std::array<Value, size>& values, const Words& words) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i)
    text.append(i == 0 ? "" : ", ")
        .append(std::to_string(i))
        .append(" (")
        .append(base::word_of(words, values[i]))
        .append(")");
  return text;
}

/// Returns the value of a C enumerator. The caller may have passed any number.
template <class Value, std::size_t size, class Words, class Choice>
Value chosen(const std::array<Value, size>& values, const Words& words, const Choice& choice,
             const std::string& name) {
  unsigned number = 0;
  static_assert(sizeof number == sizeof choice);
  std::memcpy(&number, &choice, sizeof number);
  if (number >= size) base::invalid(name, number, "it must be one of " + numbered(values, words));
  return values[number];
}

constexpr std::array kKinds = {Kind::complex, Kind::real, Kind::dct1,    Kind::dct2,
                               Kind::dct3,    Kind::dct4, Kind::dst1,    Kind::dst2,
                               Kind::dst3,    Kind::dst4, Kind::identity};
constexpr std::array kPrecisions = {Precision::f32, Precision::f64, Precision::f16};
constexpr std::array kPlacements = {Placement::out_of_place, Placement::in_place};
constexpr std::array kDirections = {Directions::both, Directions::forward, Directions::inverse};
constexpr std::array kNorms = {Norm::backward, Norm::ortho, Norm::forward, Norm::none};
constexpr std::size_t kMostDimensions = 64;
constexpr std::array kSpectrumSide = {false, true};
constexpr auto kSideWords =
    std::to_array<base::Word<bool>>({{"signal", false}, {"spectrum", true}});

Layout layout_of(const imago_layout& layout, std::size_t dimensions) {
  Layout made{.distance = layout.distance, .offset = layout.offset};
  if (layout.strides) made.strides.assign(layout.strides, layout.strides + dimensions);
  return made;
}

Transform transform_of(const imago_transform& t) {
  Transform made;
  made.kind = chosen(kKinds, problem::kKinds, t.kind, "kind");
  made.precision = chosen(kPrecisions, problem::kPrecisions, t.precision, "precision");
  // Lengths of at least 2 soon multiply to more than 64 bits hold. A larger number of dimensions is
  // thus a mistake, and must not be used to read memory.
  if (t.dimensions > kMostDimensions)
    base::invalid("dimensions", t.dimensions,
                  "it must be at most " + std::to_string(kMostDimensions));
  if (t.dimensions > 0) {
    const std::size_t* lengths = &given(t.lengths, "lengths");
    made.lengths.assign(lengths, lengths + t.dimensions);
  }
  for (std::size_t i = 0; t.axes && i < t.dimensions; ++i)
    made.axes.push_back(
        chosen(kKinds, problem::kKinds, t.axes[i], "axes[" + std::to_string(i) + "]"));
  if (t.batch != 0) made.batch = t.batch;
  made.placement = chosen(kPlacements, problem::kPlacements, t.placement, "placement");
  made.directions = chosen(kDirections, problem::kDirections, t.directions, "directions");
  made.norm = chosen(kNorms, problem::kNorms, t.norm, "norm");
  if (t.forward_scale != 0 || t.inverse_scale != 0)
    made.scale = Scale{t.forward_scale, t.inverse_scale};
  made.signal = layout_of(t.signal, t.dimensions);
  made.spectrum = layout_of(t.spectrum, t.dimensions);
  return made;
}

imago_plan* make_plan(const imago_transform& transform, const imago_options& options) {
  const Transform what = transform_of(transform);
  const Pool pool = options.device ? Pool({find_device(options.device, what.precision)})
                                   : host::kept_plans(what.precision)->pool();
  HostPlan plan(pool, what,
                {.plan = {.deterministic = options.deterministic != 0},
                 .memory_limit = options.memory_limit});
  Layout signal = plan.signal_layout(), spectrum = plan.spectrum_layout();
  return new imago_plan{std::move(plan), std::move(signal), std::move(spectrum)};
}

/// C's arrays have no type and no size: those of the plan are taken for granted.
void execute(bool inverse, const imago_plan* handle, const void* from, void* to) {
  const HostPlan& plan = given(handle, "plan").plan;
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
  return imago::guarded([&] {
    if (!plan) imago::base::invalid("plan", "null", "give a pointer to the result");
    *plan = nullptr;
    const auto what = imago::known(transform, "transform");
    *plan = imago::make_plan(what, options ? imago::known(options, "options") : imago_options{});
  });
}

void imago_plan_destroy(imago_plan* plan) { delete plan; }

imago_status imago_execute_forward(const imago_plan* plan, const void* signal, void* spectrum) {
  return imago::guarded([&] { imago::execute(false, plan, signal, spectrum); });
}

imago_status imago_execute_inverse(const imago_plan* plan, const void* spectrum, void* signal) {
  return imago::guarded([&] { imago::execute(true, plan, spectrum, signal); });
}

size_t imago_signal_bytes(const imago_plan* plan) { return plan ? plan->plan.signal_bytes() : 0; }
size_t imago_spectrum_bytes(const imago_plan* plan) {
  return plan ? plan->plan.spectrum_bytes() : 0;
}

imago_status imago_plan_layout(const imago_plan* plan, imago_side side, imago_layout* layout) {
  return imago::guarded([&] {
    const imago_plan& handle = imago::given(plan, "plan");
    if (!layout) imago::base::invalid("layout", "null", "give a pointer to the result");
    const bool spectrum = imago::chosen(imago::kSpectrumSide, imago::kSideWords, side, "side");
    const imago::Layout& found = spectrum ? handle.spectrum : handle.signal;
    *layout = {found.strides.data(), found.distance, found.offset};
  });
}

const char* imago_last_error(void) { return imago::last_error.c_str(); }

const char* imago_version(void) { return IMAGO_VERSION; }
