// This file declares the parameters of kernels, and implements as_loaded() and as_stored().
#include "blocks/frame.hpp"

#include <string_view>

#include "base/precision.hpp"
#include "base/prime_field.hpp"
#include "kernel/signature.hpp"

namespace imago::blocks {
namespace {

ir::Type real_type(const kernel::Step& step) {
  const bool wide = step.precision == Precision::f64;
  if (base::is_prime_field(step.ring)) return {wide ? ir::Base::residue : ir::Base::residue32, 1};
  return {wide ? ir::Base::f64 : ir::Base::f32, 1};
}

/// Returns the type in memory of a side's numbers.
ir::Type stored_type(const kernel::Step& step, const kernel::Side& side) {
  constexpr ir::Base kIntegers[] = {ir::Base::i8, ir::Base::u8, ir::Base::i16, ir::Base::u16};
  if (side.hooked && side.hooked->stored != kernel::Stored::as_computed)
    return {kIntegers[static_cast<int>(side.hooked->stored) - 1], 1};
  return side.f16 ? ir::Type{ir::Base::f16, 1} : real_type(step);
}

/// Returns the type of a side's memory; a work-group moves the two parts of an element as one.
ir::Type element_type(const kernel::Step& step, const kernel::Side& side) {
  const ir::Type real = stored_type(step, side);
  const bool parts = side.planar || side.elements != kernel::Elements::complex ||
                     (side.hooked && side.hooked->real_in_memory());
  return step.interleaved() && !parts ? real.with_lanes(2) : real;
}

ir::Base base_of(kernel::InMemory type) {
  constexpr ir::Base kBases[] = {ir::Base::f32, ir::Base::f16, ir::Base::i8,
                                 ir::Base::u8,  ir::Base::i16, ir::Base::u16};
  return kBases[static_cast<int>(type)];
}
const char* suffix_of(kernel::InMemory type) {
  constexpr const char* kSuffixes[] = {"", "_f16", "_i8", "_u8", "_i16", "_u16"};
  return kSuffixes[static_cast<int>(type)];
}

/// Declares the parameters of one kernel, or of a phase, whose names end in `suffix`.
class Declarer {
 public:
  Declarer(ir::Builder& b, const kernel::Step& step, Frame& frame, const std::string& suffix)
      : b_(b), step_(step), f_(frame), suffix_(suffix) {}

  void declare(const kernel::KernelParameter& parameter) {
    using Role = kernel::KernelParameter::Role;
    switch (parameter.role) {
      case Role::memory:
        side_of(parameter).memory = add_memory(parameter, "");
        return;
      case Role::imaginary:
        side_of(parameter).im = add_memory(parameter, "_im");
        return;
      case Role::stored:
        side_of(parameter).stored[static_cast<std::size_t>(parameter.type)] =
            b_.global(named(parameter, suffix_of(parameter.type)), {base_of(parameter.type), 1},
                      parameter.of == Of::in);
        return;
      case Role::table:
        f_.table = b_.global("table" + suffix_, pairs_on_work_groups(f_.real), true);
        return;
      case Role::batch:
        f_.batch = b_.parameter("batch" + suffix_, {ir::Base::i32, 1});
        return;
      case Role::offset:
        side_of(parameter).offset = b_.parameter(named(parameter, "_offset"), wide_);
        return;
      case Role::distance:
        side_of(parameter).distance = b_.parameter(named(parameter, "_distance"), wide_);
        return;
      case Role::scale:
        f_.scale = b_.parameter("scale" + suffix_, f_.real);
        return;
      case Role::numbers:
        f_.numbers = b_.global_apart("numbers", {ir::Base::i32, 1});
        return;
      case Role::first_number:
        f_.first_number = b_.parameter("first_number", {ir::Base::i32, 1});
        return;
      case Role::origin:
        return add_origin(parameter);
      case Role::buffer:
        return add_buffer(parameter);
      case Role::buffer_offset:
        return add_buffer_offset(parameter);
      case Role::number:
        return add_number(parameter);
    }
  }

 private:
  using Of = kernel::KernelParameter::Of;

  FrameSide& side_of(const kernel::KernelParameter& parameter) {
    if (parameter.of == Of::in) return f_.in;
    return parameter.of == Of::out ? f_.out : f_.spectrum;
  }
  static std::string prefix_of(const kernel::KernelParameter& parameter) {
    return parameter.of == Of::in ? "in" : parameter.of == Of::out ? "out" : "turn";
  }
  std::string named(const kernel::KernelParameter& parameter, std::string_view part) const {
    std::string name = prefix_of(parameter);
    name += part;
    return name += suffix_;
  }
  /// Returns the type of complex numbers; work-items move both parts at once.
  ir::Type pairs_on_work_groups(ir::Type real) const {
    return step_.interleaved() ? real.with_lanes(2) : real;
  }
  ir::MemoryId add_memory(const kernel::KernelParameter& parameter, const std::string& part) {
    const bool input = parameter.of == Of::in;
    const std::string name = named(parameter, part);
    side_of(parameter).passed.push_back(std::string("(__global void*)").append(name));
    const kernel::Side& side = input ? step_.in : step_.out;
    return b_.global(name, element_type(step_, side), input, side.doubles);
  }
  const kernel::Hooked& hooked_of(const kernel::KernelParameter& parameter) const {
    return parameter.of == Of::in    ? *step_.in.hooked
           : parameter.of == Of::out ? *step_.out.hooked
                                     : *step_.convolution.hooked;
  }
  void add_origin(const kernel::KernelParameter& parameter) {
    FrameSide& side = side_of(parameter);
    const kernel::Hooked& hooked = hooked_of(parameter);
    // A filter's fused point has no memory: its only offset is the first element's number.
    const ir::Value origin = b_.parameter(named(parameter, "").append("_origin"), wide_);
    if (side.offset.valid())
      side.origin = origin;
    else
      side.offset = origin;
    b_.set_divisor(side.offset, static_cast<std::int64_t>(hooked.grain));
    side.distance = b_.integer(static_cast<std::int64_t>(hooked.distance), wide_);
  }
  std::string argument_name(const kernel::KernelParameter& parameter, std::size_t number) const {
    return named(parameter, "").append("_a").append(std::to_string(number));
  }
  void add_number(const kernel::KernelParameter& parameter) {
    auto& arguments = side_of(parameter).arguments;
    const std::string name = argument_name(parameter, arguments.size());
    const bool integer = parameter.argument.type == kernel::KernelArgument::Type::integer;
    FrameArgument& added = arguments.emplace_back();
    added.number = b_.parameter(name, integer ? ir::Type{ir::Base::i32, 1} : f_.real);
    added.passed = name;
  }
  static bool is_complex(const kernel::KernelParameter& parameter) {
    return parameter.argument.type == kernel::KernelArgument::Type::complex_buffer;
  }
  void add_buffer(const kernel::KernelParameter& parameter) {
    auto& arguments = side_of(parameter).arguments;
    const std::string name = argument_name(parameter, arguments.size());
    // Lanes load numbers from several pairs.
    const ir::Type type = is_complex(parameter) ? pairs_on_work_groups(f_.real) : f_.real;
    const bool callers = step_.pairs || step_.ring != base::Ring::none;
    arguments.emplace_back().memory = b_.global_apart(name, type, callers);
  }
  void add_buffer_offset(const kernel::KernelParameter& parameter) {
    auto& arguments = side_of(parameter).arguments;
    const std::string name = argument_name(parameter, arguments.size() - 1);
    arguments.back().offset = b_.parameter(name + "_offset", wide_);
    const std::string number = f_.real.base == ir::Base::f64 ? "double" : "float";
    arguments.back().passed = "(__global const " + number + (is_complex(parameter) ? "2" : "") +
                              "*)" + name + " + " + name + "_offset";
  }

  ir::Builder& b_;
  const kernel::Step& step_;
  Frame& f_;
  const std::string& suffix_;
  const ir::Type wide_{ir::Base::i64, 1};
};

}  // namespace

Frame::Frame(ir::Builder& builder, const kernel::Step& s, const std::string& suffix)
    : b(builder), step(s), real(real_type(s)) {
  if (s.reproducible) b.set_reproducible();
  if (s.inverse) b.set_inverse_roots();
  Declarer declarer(b, s, *this, suffix);
  for (const kernel::KernelParameter& parameter : kernel::signature_of(s))
    declarer.declare(parameter);
  if (const std::size_t bytes = s.local_bytes(); bytes > 0) {
    const ir::Type shared = real.with_lanes(kernel::local_parts(s.group().exchange));
    local = b.local("shared", shared, bytes / (base::bytes_of(s.precision) * shared.lanes));
  }
}

ir::Value Frame::group() const {
  return group_of_phase.valid() ? group_of_phase : b.convert(b.group_id(), {ir::Base::i32, 1});
}

Points as_loaded(const Frame& frame, const Points& values, const Legs& legs, const Index& phase) {
  const kernel::Step& step = frame.step;
  Points x = values;
  if (step.inverse && !is_word(frame.real)) {
    for (Cx& value : x) value = swapped(value);
  }
  if (step.four_step.order == 0) return x;
  multiply(x, {step.four_step, phase, frame.real, frame.table, step.tile, step.length}, legs);
  return x;
}

Cx as_stored(const Frame& frame, const Cx& value) {
  Cx x = value;
  if (frame.step.scaled) x = settled(Cx{x.re * frame.scale, x.im * frame.scale});
  if (is_word(frame.real)) return x;
  return frame.step.inverse != frame.step.convolution.swaps_back ? swapped(x) : x;
}

}  // namespace imago::blocks
