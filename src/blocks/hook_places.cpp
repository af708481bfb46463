// This file computes the places of elements before and after the hooks of their side.
#include "blocks/hook_places.hpp"

#include <algorithm>
#include <initializer_list>
#include <variant>

#include "base/integers.hpp"

namespace imago::blocks {
using ir::Value;

HookPlaces::HookPlaces(ir::Builder& builder, const kernel::Hooked& hooked, const HookedArray& array,
                       const FrameSide& memory)
    : b_(builder), hooked_(hooked), array_(array), origin_(memory.origin) {
  const ir::Type wide{ir::Base::i64, 1};
  for (const kernel::HookStep& step : hooked.steps) {
    const auto* framing = std::get_if<kernel::Framing>(&step);
    if (!framing || framing->argument < 0) continue;
    const auto argument = static_cast<std::size_t>(framing->argument);
    later_ = b_.convert(memory.arguments[argument].number, wide) * base::to_signed(framing->unit);
    origin_ = origin_ + later_ * base::to_signed(hooked.memory.strides[framing->axis]);
  }
}

std::optional<Numbers> HookPlaces::moved(const kernel::HookStep& step, const Numbers& at,
                                         bool back) const {
  const auto* rotation = std::get_if<kernel::Rotation>(&step);
  if (!rotation) return at;
  const std::uint64_t n = hooked_.lengths[rotation->axis];
  return array_.rotated(rotation->axis, back ? n - rotation->by : rotation->by, at);
}

std::optional<std::vector<Numbers>> HookPlaces::numbers_before(const Numbers& at) const {
  std::vector<Numbers> numbers(hooked_.steps.size() + 1, at);
  for (std::size_t i = hooked_.steps.size(); i-- > 0;) {
    const auto before = moved(hooked_.steps[i], numbers[i + 1], true);
    if (!before) return {};
    numbers[i] = *before;
  }
  if (!takes_all_lanes(numbers) || !place(numbers.front())) return {};
  return numbers;
}

std::optional<std::vector<Numbers>> HookPlaces::numbers_behind(const Numbers& at) const {
  std::vector<Numbers> numbers{at};
  for (const kernel::HookStep& step : hooked_.steps) {
    const auto behind = moved(step, numbers.back(), false);
    if (!behind) return {};
    numbers.push_back(*behind);
  }
  if (!takes_all_lanes(numbers) || !place(numbers.back())) return {};
  return numbers;
}

std::optional<std::vector<Numbers>> HookPlaces::numbers_at(const Numbers& at) const {
  std::vector<Numbers> numbers(hooked_.steps.size() + 1, at);
  if (!takes_all_lanes(numbers)) return {};
  return numbers;
}

bool HookPlaces::takes_all_lanes(const std::vector<Numbers>& numbers) const {
  for (std::size_t i = 0; i < hooked_.steps.size(); ++i) {
    if (!takes_lanes(hooked_.steps[i], numbers[i])) return false;
  }
  return true;
}

namespace {

/// Returns true if a step can process the lanes at `at` together, because the indices that it needs
/// are evenly spaced. A step without an operator() does not compile.
struct LaneTaker {
  const HookedArray& array;
  const Numbers& at;
  std::size_t axes;

  bool has_index(std::size_t axis) const { return array.index(axis, at).has_value(); }

  bool operator()(const kernel::Scaling&) const { return true; }
  bool operator()(const kernel::Factors& factors) const {
    return array.place(factors.places, at).has_value();
  }
  bool operator()(const kernel::WeightedSum& sum) const { return (*this)(sum.weights); }
  bool operator()(const kernel::Box& box) const { return has_index(box.axis); }
  bool operator()(const kernel::Framing& framing) const {
    return has_index(framing.frames) && has_index(framing.axis);
  }
  bool operator()(const kernel::Power&) const { return true; }
  bool operator()(const kernel::Conjugation&) const { return true; }
  bool operator()(const kernel::Accumulation&) const { return true; }
  bool operator()(const kernel::RealPart&) const { return true; }
  bool operator()(const kernel::Rotation&) const { return true; }
  bool operator()(const kernel::Modulation& modulation) const { return has_index(modulation.axis); }
  bool operator()(const kernel::LineTwiddle& twiddle) const {
    return has_index(twiddle.along) && has_index(twiddle.column);
  }
  bool operator()(const kernel::Addition& addition) const {
    return (*this)(addition.terms) && (addition.times < 0 || has_index(addition.axis));
  }
  bool operator()(const kernel::Snippet& snippet) const {
    if (!snippet.lanes) return true;  // called one by one
    for (std::size_t d = 0; d < axes; ++d) {
      if (!has_index(d)) return false;
    }
    return array.member(at).has_value();
  }
  bool operator()(const kernel::Access&) const { return true; }
};

}  // namespace

bool HookPlaces::takes_lanes(const kernel::HookStep& step, const Numbers& at) const {
  return at.spread.width == 1 || std::visit(LaneTaker{array_, at, hooked_.lengths.size()}, step);
}

bool HookPlaces::ragged(const std::vector<Numbers>& numbers) const {
  for (std::size_t i = 0; i < hooked_.steps.size(); ++i) {
    if (cuts_lanes(hooked_.steps[i], numbers[i])) return true;
  }
  return false;
}

/// Returns true if some lanes may be inside and others outside.
bool HookPlaces::cuts_lanes(const kernel::HookStep& step, const Numbers& at) const {
  if (at.spread.width == 1) return false;
  const auto cuts = [&](std::size_t axis, std::initializer_list<std::uint64_t> bounds) {
    const std::uint64_t span = array_.index(axis, at)->apart * at.spread.width;
    return span != 0 &&
           (!array_.aligned(axis, at) ||
            std::any_of(bounds.begin(), bounds.end(), [&](auto bound) { return bound % span; }));
  };
  if (const auto* framing = std::get_if<kernel::Framing>(&step))
    return array_.index(framing->frames, at)->apart != 0 ||
           cuts(framing->axis, {framing->hop, framing->before, framing->samples,
                                framing->argument < 0 ? 0 : framing->unit});
  const auto* box = std::get_if<kernel::Box>(&step);
  return box && cuts(box->axis, {box->begin, box->end});
}

/// Indices increase from lane to lane, so all lanes are inside if the first and the last one are.
ir::Condition HookPlaces::last_inside(const std::vector<Numbers>& numbers) const {
  std::vector<Numbers> last;
  for (const Numbers& at : numbers) last.push_back(array_.lane(at, at.spread.width - 1));
  return inside(last);
}

std::optional<LaneIndex> HookPlaces::place(const Numbers& at) const {
  auto place = array_.place(hooked_.memory, at);
  if (place) place->first = place->first + origin_;
  return place;
}

ir::Condition HookPlaces::inside(const kernel::Box& box, const Numbers& at) const {
  const Value index = array_.index(box.axis, at)->first;
  const ir::Condition below =
      box.end < hooked_.lengths[box.axis] ? is_below(index, box.end) : ir::Condition::always();
  return is_from(index, box.begin) && below;
}

ir::Condition HookPlaces::inside(const kernel::Framing& framing, const Numbers& at) const {
  const ir::Type wide{ir::Base::i64, 1};
  const auto index = [&](std::size_t axis) {
    return b_.convert(array_.index(axis, at)->first, wide);
  };
  const Value before = b_.integer(base::to_signed(framing.before), wide);
  const Value in_frame = index(framing.axis);
  Value sample = index(framing.frames) * base::to_signed(framing.hop) + in_frame - before;
  if (framing.argument >= 0) sample = sample + later_;
  return b_.integer(-1, wide) < sample && sample < base::to_signed(framing.samples);
}

ir::Condition HookPlaces::inside(const std::vector<Numbers>& numbers) const {
  ir::Condition all = ir::Condition::always();
  for (std::size_t i = 0; i < hooked_.steps.size(); ++i) {
    ir::Condition own = ir::Condition::always();
    if (const auto* box = std::get_if<kernel::Box>(&hooked_.steps[i]))
      own = inside(*box, numbers[i]);
    if (const auto* framing = std::get_if<kernel::Framing>(&hooked_.steps[i]))
      own = inside(*framing, numbers[i]);
    all = all && own;
  }
  return all;
}

}  // namespace imago::blocks
