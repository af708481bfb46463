// This file holds the signature of the kernels and the hooks.
#include "blocks/frame.hpp"

#include "plan/exchange.hpp"

namespace imago::blocks {
namespace {

ir::Type real_type(Precision precision) {
  return {precision == Precision::f64 ? ir::Base::f64 : ir::Base::f32, 1};
}

/// What the numbers of a side are in memory.
ir::Type stored_type(const plan::Step& step, const plan::Side& side) {
  constexpr ir::Base kIntegers[] = {ir::Base::i8, ir::Base::u8, ir::Base::i16, ir::Base::u16};
  if (side.hooked && side.hooked->stored != plan::Stored::as_computed)
    return {kIntegers[static_cast<int>(side.hooked->stored) - 1], 1};
  return side.f16 ? ir::Type{ir::Base::f16, 1} : real_type(step.precision);
}

/// What a side of the step is made of; a work-group moves the two parts of an element as one.
ir::Type element_type(const plan::Step& step, const plan::Side& side) {
  const ir::Type real = stored_type(step, side);
  const bool parts = side.planar || side.elements != plan::Elements::complex ||
                     (side.hooked && side.hooked->makes_real());
  return step.on_work_group() && !parts ? real.with_lanes(2) : real;
}

/// Adds the memory of a side, whose names begin in `prefix`.
void add_memory(ir::Builder& b, const plan::Step& step, const plan::Side& from, FrameSide& side,
                const std::string& prefix, const std::string& suffix) {
  const bool input = &from == &step.in;
  const auto add = [&](const std::string& name) {
    side.passed.push_back("(__global void*)" + name);
    return b.global(name, element_type(step, from), input);
  };
  side.memory = add(prefix + suffix);
  if (from.planar) side.im = add(prefix + "_im" + suffix);
}

/// Adds the arguments of a side's hooks, whose names begin in `prefix`.
void add_hooks(ir::Builder& b, const plan::Step& step, const plan::Hooked& hooked, FrameSide& side,
               const std::string& prefix) {
  using Type = plan::KernelArgument::Type;
  const ir::Type wide{ir::Base::i64, 1}, real = real_type(step.precision);
  // A filter's turn has no memory: it begins with a number.
  (side.offset.valid() ? side.origin : side.offset) = b.parameter(prefix + "_origin", wide);
  b.set_divisor(side.offset, static_cast<std::int64_t>(hooked.grain));
  side.distance = b.integer(static_cast<std::int64_t>(hooked.distance), wide);
  for (const plan::KernelArgument& argument : hooked.arguments) {
    const std::string name = prefix + "_a" + std::to_string(side.arguments.size());
    FrameArgument& added = side.arguments.emplace_back();
    if (!argument.is_buffer()) {
      const bool integer = argument.type == Type::integer;
      added.number = b.parameter(name, integer ? ir::Type{ir::Base::i32, 1} : real);
      added.passed = name;
      continue;
    }
    const bool complex = argument.type == Type::complex_buffer;
    // Work-items load both numbers at once; lanes take them from several pairs.
    added.memory =
        b.global_apart(name, complex && step.on_work_group() ? real.with_lanes(2) : real);
    added.offset = b.parameter(name + "_offset", wide);
    const std::string number = real.base == ir::Base::f64 ? "double" : "float";
    added.passed =
        "(__global const " + number + (complex ? "2" : "") + "*)" + name + " + " + name + "_offset";
  }
}

}  // namespace

Frame::Frame(ir::Builder& builder, const plan::Step& s, const std::string& suffix)
    : b(builder), step(s), real(real_type(s.precision)) {
  const auto named = [&suffix](const char* name) { return name + suffix; };
  const ir::Type element = s.on_work_group() ? real.with_lanes(2) : real;
  const ir::Type wide{ir::Base::i64, 1};
  add_memory(b, s, s.in, in, "in", suffix);
  add_memory(b, s, s.out, out, "out", suffix);
  if (s.has_table) table = b.global(named("table"), element, true);
  if (const std::size_t bytes = s.local_bytes(); bytes > 0) {
    const ir::Type shared = real.with_lanes(plan::local_parts(s.group().exchange));
    const std::size_t size = (real.base == ir::Base::f64 ? 8 : 4) * std::size_t{shared.lanes};
    local = b.local("shared", shared, bytes / size);
  }
  batch = b.parameter(named("batch"), {ir::Base::i32, 1});
  in.offset = b.parameter(named("in_offset"), wide);
  in.distance = b.parameter(named("in_distance"), wide);
  out.offset = b.parameter(named("out_offset"), wide);
  out.distance = b.parameter(named("out_distance"), wide);
  if (s.scaled) scale = b.parameter(named("scale"), real);
  if (s.in.hooked) add_hooks(b, s, *s.in.hooked, in, named("in"));
  if (s.out.hooked) add_hooks(b, s, *s.out.hooked, out, named("out"));
  if (s.convolution.hooked) add_hooks(b, s, *s.convolution.hooked, turn, named("turn"));
}

ir::Value Frame::group() const {
  return group_of_phase.valid() ? group_of_phase : b.convert(b.group_id(), {ir::Base::i32, 1});
}

Points load_hook(const Frame& frame, const Points& values, const Legs& legs, const Index& phase) {
  const plan::Step& step = frame.step;
  Points x = values;
  if (step.inverse) {
    for (Cx& value : x) value = swapped(value);
  }
  if (step.four_step.order == 0) return x;
  multiply(x, {step.four_step.twiddles, step.four_step.order, phase, frame.real}, legs);
  return x;
}

Cx store_hook(const Frame& frame, const Cx& value) {
  Cx x = value;
  if (frame.step.scaled) x = {x.re * frame.scale, x.im * frame.scale};
  return frame.step.inverse != frame.step.convolution.swaps_back ? swapped(x) : x;
}

}  // namespace imago::blocks
