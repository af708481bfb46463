// This file implements hooks.h: functions that add hooks to a list. No exception leaves them.
#include <imago/hooks.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <imago/hooks.hpp>

#include "capi/calls.hpp"

// The name is declared in imago.h.
struct imago_hooks {
  std::vector<imago::Hook> list;
};

namespace imago::capi {
namespace {

constexpr auto kIntegers = std::to_array<base::Word<Integer>>(
    {{"i8", Integer::i8}, {"u8", Integer::u8}, {"i16", Integer::i16}, {"u16", Integer::u16}});
using ParameterType = hook::Parameter::Type;
constexpr auto kParameterTypes =
    std::to_array<base::Word<ParameterType>>({{"real buffer", ParameterType::real_buffer},
                                              {"complex buffer", ParameterType::complex_buffer},
                                              {"real number", ParameterType::real},
                                              {"integer", ParameterType::integer}});

/// Returns a text of the caller, which may be null if it is optional.
std::string optional_text(const char* text) { return text ? text : ""; }
std::string text_of(const char* text, const char* name) { return &given(text, name); }

std::vector<std::size_t> axes_list(const std::size_t* axes, std::size_t count) {
  return {axes, axes + count};
}

hook::Multiply factors_of(const imago_factors& factors) {
  hook::Multiply made{.argument = text_of(factors.argument, "factors.argument"),
                      .batched = factors.batched != 0,
                      .real = factors.real != 0,
                      .conjugate = factors.conjugate != 0,
                      .of_real = factors.of_real != 0};
  if (factors.axes) made.axes = axes_list(factors.axes, factors.axes_count);
  return made;
}

hook::Frames frames_of(const imago_frames& frames) {
  hook::Frames made{.frames = frames.frames,
                    .axis = frames.axis,
                    .before = frames.before,
                    .samples = frames.samples,
                    .argument = optional_text(frames.argument)};
  if (frames.hop != 0) made.hop = frames.hop;
  if (frames.unit != 0) made.unit = frames.unit;
  return made;
}

hook::Code code_of(const imago_code& code) {
  hook::Code made{.text = text_of(code.text, "code.text"),
                  .function = text_of(code.function, "code.function"),
                  .lanes = code.lanes != 0};
  if (code.parameters_count > 0) given(code.parameters, "code.parameters");
  for (std::size_t i = 0; i < code.parameters_count; ++i) {
    const imago_parameter& parameter = code.parameters[i];
    made.parameters.push_back({chosen(kParameterTypes, parameter.type, "parameter.type"),
                               text_of(parameter.argument, "parameter.argument")});
  }
  return made;
}

hook::LineTwiddle line_twiddle_of(const imago_line_twiddle& twiddle) {
  return {.along = twiddle.along,
          .column = twiddle.column,
          .points = twiddle.points,
          .first = twiddle.first,
          .argument = optional_text(twiddle.argument),
          .conjugate = twiddle.conjugate != 0};
}

hook::Add addition_of(const imago_addition& addition) {
  hook::Add made{.argument = text_of(addition.argument, "addition.argument"),
                 .distance = addition.distance,
                 .offset = addition.offset,
                 .real = addition.real != 0,
                 .factor = addition.factor,
                 .times = optional_text(addition.times),
                 .axis = addition.axis,
                 .argument_of_offset = optional_text(addition.argument_of_offset)};
  if (addition.strides) made.strides = axes_list(addition.strides, addition.strides_count);
  if (addition.unit != 0) made.unit = addition.unit;
  return made;
}

/// Adds the hook that `make` returns.
template <class Make>
imago_status add(imago_hooks* hooks, const Make& make) noexcept {
  return guarded(last_error(), [&] {
    given(hooks, "hooks");
    hooks->list.emplace_back(make());
  });
}

}  // namespace

std::vector<Hook> list_of(const imago_hooks* list) {
  return list ? list->list : std::vector<Hook>{};
}

Hooks ends_of(const imago_hooks* load, const imago_hooks* store) {
  return {list_of(load), list_of(store)};
}

}  // namespace imago::capi

namespace capi = imago::capi;
namespace hook = imago::hook;
using capi::add;

imago_status imago_hooks_create(imago_hooks** hooks) {
  return capi::create(hooks, "hooks", [] { return new imago_hooks; });
}

void imago_hooks_destroy(imago_hooks* hooks) { delete hooks; }

imago_status imago_hook_scale(imago_hooks* hooks, double factor) {
  return add(hooks, [&] { return hook::scale(factor); });
}

imago_status imago_hook_scale_by(imago_hooks* hooks, const char* argument) {
  return add(hooks, [&] { return hook::scale(capi::text_of(argument, "argument")); });
}

imago_status imago_hook_window(imago_hooks* hooks, size_t axis, const char* argument) {
  return add(hooks, [&] { return hook::window(axis, capi::text_of(argument, "argument")); });
}

imago_status imago_hook_multiply(imago_hooks* hooks, const imago_factors* factors) {
  return add(hooks, [&] { return capi::factors_of(capi::known(factors, "factors")); });
}

imago_status imago_hook_weighted_sum(imago_hooks* hooks, const imago_factors* weights, size_t count,
                                     size_t stride) {
  return add(hooks, [&] {
    return hook::WeightedSum{capi::factors_of(capi::known(weights, "factors")), count, stride};
  });
}

imago_status imago_hook_zero_outside(imago_hooks* hooks, size_t axis, size_t begin, size_t end) {
  return add(hooks, [&] { return hook::zero_outside(axis, begin, end); });
}

imago_status imago_hook_integer(imago_hooks* hooks, imago_integer type, double scale) {
  return add(hooks, [&] {
    return hook::Stored{capi::chosen(capi::kIntegers, type, "type"), scale};
  });
}

imago_status imago_hook_power(imago_hooks* hooks) {
  return add(hooks, [] { return hook::power(); });
}

imago_status imago_hook_decibels(imago_hooks* hooks, double floor) {
  return add(hooks, [&] { return hook::decibels(floor); });
}

imago_status imago_hook_real_part(imago_hooks* hooks) {
  return add(hooks, [] { return hook::RealPart{}; });
}

imago_status imago_hook_conjugate(imago_hooks* hooks) {
  return add(hooks, [] { return hook::conjugate(); });
}

imago_status imago_hook_accumulate(imago_hooks* hooks) {
  return add(hooks, [] { return hook::accumulate(); });
}

imago_status imago_hook_shift(imago_hooks* hooks, size_t count, const size_t* axes, int back) {
  return add(hooks, [&] {
    if (count > 0) capi::given(axes, "axes");
    return hook::Shift{capi::axes_list(axes, count), back != 0};
  });
}

imago_status imago_hook_roll(imago_hooks* hooks, size_t axis, int64_t by) {
  return add(hooks, [&] { return hook::roll(axis, by); });
}

imago_status imago_hook_modulate(imago_hooks* hooks, size_t axis, int64_t numerator,
                                 uint64_t denominator) {
  return add(hooks, [&] { return hook::modulate(axis, numerator, denominator); });
}

imago_status imago_hook_frames(imago_hooks* hooks, const imago_frames* frames) {
  return add(hooks, [&] { return capi::frames_of(capi::known(frames, "frames")); });
}

imago_status imago_hook_code(imago_hooks* hooks, const imago_code* code) {
  return add(hooks, [&] { return capi::code_of(capi::known(code, "code")); });
}

imago_status imago_hook_access(imago_hooks* hooks, const char* text, const char* function,
                               const char* userdata, size_t bytes) {
  return add(hooks, [&] {
    return hook::Access{capi::text_of(text, "text"), capi::text_of(function, "function"),
                        capi::optional_text(userdata), bytes};
  });
}

imago_status imago_hook_line_twiddle(imago_hooks* hooks, const imago_line_twiddle* twiddle) {
  return add(hooks, [&] { return capi::line_twiddle_of(capi::known(twiddle, "line_twiddle")); });
}

imago_status imago_hook_add(imago_hooks* hooks, const imago_addition* addition) {
  return add(hooks, [&] { return capi::addition_of(capi::known(addition, "addition")); });
}
