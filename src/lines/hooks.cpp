// This file converts the hooks of a problem.
#include "lines/hooks.hpp"

#include <algorithm>
#include <utility>

namespace imago::lines {
namespace {

constexpr std::uint64_t kNarrowNumbers = std::uint64_t{1} << 31;

kernel::Stored stored_as(Integer type) {
  switch (type) {
    case Integer::i8:
      return kernel::Stored::i8;
    case Integer::u8:
      return kernel::Stored::u8;
    case Integer::i16:
      return kernel::Stored::i16;
    case Integer::u16:
      break;
  }
  return kernel::Stored::u16;
}

/// Converts the hooks of one end.
class Resolver {
 public:
  Resolver(const problem::Problem& p, const problem::HookedEnd& end, bool inverse,
           const std::vector<std::uint64_t>& lengths)
      : end_(end), all_(p.arguments(inverse)), batch_(p.batch) {
    hooked_.lengths = lengths;
    hooked_.memory = {end_.memory.strides, end_.memory.distance};
    hooked_.wide = end_.elements >= kNarrowNumbers;
    if (end_.integers) hooked_.stored = stored_as(*end_.integers);
    for (const auto* other : {&p.hooked[inverse][false], &p.hooked[inverse][true], &p.filter}) {
      if (*other) ends_.push_back(&**other);
    }
  }

  kernel::Hooked resolve() {
    for (at_ = 0; at_ < end_.hooks.size(); ++at_)
      std::visit([this](const auto& hook) { add(hook); }, end_.hooks[at_]);
    return std::move(hooked_);
  }

 private:
  /// Returns the index, among the kernel's arguments, of the hook's next argument.
  std::uint32_t next_argument() {
    const problem::HookArgument& argument = end_.arguments[argument_++];
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&](const auto& other) { return other.name == argument.name; });
    const kernel::KernelArgument wanted{static_cast<kernel::KernelArgument::Type>(argument.type),
                                        static_cast<std::uint32_t>(found - all_.begin())};
    auto& known = hooked_.arguments;
    const auto at = std::find(known.begin(), known.end(), wanted);
    const auto number = static_cast<std::uint32_t>(at - known.begin());
    if (at == known.end()) known.push_back(wanted);
    return number;
  }

  void add(const hook::Scale& scale) {
    kernel::Scaling scaling{kernel::Number::of(scale.factor), -1};
    if (!scale.argument.empty()) scaling.argument = static_cast<int>(next_argument());
    hooked_.steps.emplace_back(scaling);
  }

  void add(const hook::Multiply& multiply) { hooked_.steps.emplace_back(factors(multiply)); }

  void add(const hook::WeightedSum& sum) {
    kernel::Factors weights = factors(sum.weights);
    const std::uint64_t set =
        weights.places.distance != 0 ? weights.places.distance * batch_ : size_of(sum.weights.axes);
    hooked_.steps.emplace_back(kernel::WeightedSum{std::move(weights), sum.count, sum.stride, set});
  }

  bool has(const std::optional<std::vector<std::size_t>>& axes, std::size_t axis) const {
    return !axes || std::find(axes->begin(), axes->end(), axis) != axes->end();
  }
  /// Returns the size of a packed array that has only these dimensions.
  std::uint64_t size_of(const std::optional<std::vector<std::size_t>>& axes) const {
    std::uint64_t size = 1;
    for (std::size_t d = 0; d < hooked_.lengths.size(); ++d)
      size *= has(axes, d) ? hooked_.lengths[d] : 1;
    return size;
  }

  kernel::Factors factors(const hook::Multiply& multiply) {
    kernel::Factors factors;
    factors.argument = next_argument();
    factors.complex =
        hooked_.arguments[factors.argument].type == kernel::KernelArgument::Type::complex_buffer;
    factors.conjugate = multiply.conjugate && factors.complex;
    factors.of_real = multiply.of_real;
    factors.places.strides.assign(hooked_.lengths.size(), 0);
    std::uint64_t next = 1;
    for (std::size_t d = hooked_.lengths.size(); d-- > 0;) {
      if (!has(multiply.axes, d)) continue;
      factors.places.strides[d] = next;
      next *= hooked_.lengths[d];
    }
    if (multiply.batched) factors.places.distance = next;
    return factors;
  }

  void add(const hook::Add& add) {
    kernel::Addition step;
    step.terms = factors({.argument = add.argument});
    if (!add.strides.empty())
      step.terms.places.strides.assign(add.strides.begin(), add.strides.end());
    step.terms.places.distance = add.distance;
    step.offset = add.offset, step.factor = kernel::Number::of(add.factor);
    if (!add.times.empty()) {
      step.times = static_cast<int>(next_argument());
      step.axis = static_cast<std::uint32_t>(add.axis);
    }
    if (!add.argument_of_offset.empty()) {
      step.argument = static_cast<int>(next_argument());
      step.unit = add.unit;
    }
    hooked_.steps.emplace_back(std::move(step));
  }

  void add(const hook::ZeroOutside& box) {
    hooked_.steps.emplace_back(
        kernel::Box{static_cast<std::uint32_t>(box.axis), box.begin, box.end});
  }

  void add(const hook::Frames& frames) {
    kernel::Framing framing{static_cast<std::uint32_t>(frames.frames),
                            static_cast<std::uint32_t>(frames.axis), frames.hop, frames.before,
                            frames.samples};
    if (!frames.argument.empty())
      framing.argument = static_cast<int>(next_argument()), framing.unit = frames.unit;
    hooked_.steps.emplace_back(framing);
    hooked_.memory.before = frames.before * hooked_.memory.strides[frames.axis];
  }

  void add(const hook::Stored& stored) {
    if (stored.scale != 1)
      hooked_.steps.emplace_back(kernel::Scaling{kernel::Number::of(stored.scale), -1});
  }

  void add(const hook::Power& power) {
    hooked_.steps.emplace_back(kernel::Power{power.decibels, kernel::Number::of(power.floor)});
  }

  void add(const hook::Conjugate&) { hooked_.steps.emplace_back(kernel::Conjugation{}); }

  void add(const hook::Accumulate&) { hooked_.steps.emplace_back(kernel::Accumulation{}); }

  void add(const hook::RealPart&) { hooked_.steps.emplace_back(kernel::RealPart{}); }

  void add(const hook::Shift& shift) {
    for (const std::size_t axis : shift.axes) {
      const std::uint64_t n = hooked_.lengths[axis];
      const std::uint64_t by = shift.back ? n - n / 2 : n / 2;
      if (by % n != 0)
        hooked_.steps.emplace_back(kernel::Rotation{static_cast<std::uint32_t>(axis), by});
    }
  }

  void add(const hook::Roll& roll) {
    const auto n = static_cast<std::int64_t>(hooked_.lengths[roll.axis]);
    const auto by = static_cast<std::uint64_t>((roll.by % n + n) % n);
    if (by != 0)
      hooked_.steps.emplace_back(kernel::Rotation{static_cast<std::uint32_t>(roll.axis), by});
  }

  void add(const hook::Modulate& modulate) {
    const auto order = static_cast<std::int64_t>(modulate.denominator);
    // The roots in the blocks have the opposite sign.
    const std::int64_t turns = (order - modulate.numerator % order) % order;
    hooked_.steps.emplace_back(kernel::Modulation{static_cast<std::uint32_t>(modulate.axis),
                                                  static_cast<std::uint64_t>(turns),
                                                  modulate.denominator});
  }

  void add(const hook::LineTwiddle& twiddle) {
    kernel::LineTwiddle step{static_cast<std::uint32_t>(twiddle.along),
                             static_cast<std::uint32_t>(twiddle.column),
                             twiddle.points,
                             twiddle.first,
                             -1,
                             twiddle.conjugate};
    if (!twiddle.argument.empty()) step.argument = static_cast<int>(next_argument());
    hooked_.steps.emplace_back(step);
  }

  void add(const hook::Code& code) {
    kernel::Snippet snippet{code.text, code.function, field_of(code.text), {}, code.lanes};
    for (std::size_t i = 0; i < code.parameters.size(); ++i)
      snippet.arguments.push_back(next_argument());
    hooked_.steps.emplace_back(std::move(snippet));
  }

  void add(const hook::Access& access) {
    kernel::Snippet call{access.text, access.function, field_of(access.text), {}, false};
    if (!access.userdata.empty()) call.arguments.push_back(next_argument());
    hooked_.steps.emplace_back(kernel::Access{std::move(call), access.bytes});
  }

  /// Returns the name of a text's field. If several hooks share a text, it is the first hook's
  /// field: a kernel may have both ends, but contains the text once.
  std::string field_of(const std::string& text) const {
    for (const auto* end : ends_) {
      for (std::size_t i = 0; i < end->hooks.size(); ++i) {
        const auto* code = std::get_if<hook::Code>(&end->hooks[i]);
        const auto* access = std::get_if<hook::Access>(&end->hooks[i]);
        if ((code && code->text == text) || (access && access->text == text))
          return end->name_of(i);
      }
    }
    return {};
  }

  const problem::HookedEnd& end_;
  std::vector<const problem::HookedEnd*> ends_;
  const std::vector<problem::HookArgument> all_;
  const std::uint64_t batch_;
  std::size_t at_ = 0, argument_ = 0;
  kernel::Hooked hooked_;
};

}  // namespace

std::optional<kernel::Hooked> hooked_end(const problem::Problem& problem, bool inverse,
                                         bool store) {
  if (!problem.hooked[inverse][store]) return std::nullopt;
  return Resolver(problem, *problem.hooked[inverse][store], inverse,
                  problem.side(inverse, store).lengths)
      .resolve();
}

std::optional<kernel::Hooked> filter_hooks(const problem::Problem& problem) {
  if (!problem.filter) return std::nullopt;
  return Resolver(problem, *problem.filter, false, problem.spectrum_lengths()).resolve();
}

}  // namespace imago::lines
