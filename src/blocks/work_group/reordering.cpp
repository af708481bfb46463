// This file reorders the elements of axes.
#include "blocks/work_group/reordering.hpp"

#include "blocks/work_group/couples.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Returns value `number` of the axis, made of the values that `at` returns. Without its factor, it
/// only calls `at`.
Cx made_along(const Frame& f, const AxisSide& side, Value number, const ByNumber& at,
              bool with_factor = true) {
  const NumberedLine line{f.b, side.axis->edge, side.axis->points};
  if (side.coupled) return at(from_its_end(line, number));
  const kernel::End end = side.load ? kernel::End::load : kernel::End::store;
  const kernel::EdgeFacts edge = kernel::facts_of(line.edge, end, line.points);
  const Value zero = f.b.real(0, f.real), p = side.load ? number : its_point(line, number);
  Factors factors{{zero, zero}, {zero, zero}};
  if (with_factor) factors.own = root_at(f, edge.roots, p);
  if (with_factor && edge.unfolds) factors.unfolding = root_at(f, edge.roots.fourth(), p);
  return side.load ? point_of(line, p, factors, at) : element_of(line, number, factors, at);
}

/// Returns true if points of the axis are combined with their partners in couples on this side of
/// its passes.
bool is_coupled(const kernel::Step& step, const kernel::ReorderedAxis& axis, bool load) {
  return !axis.alone() && axis.joins_at_load() == load &&
         step.passes[axis.joining_pass()].coupled > 0;
}

/// Returns the points of a whole axis that one work-item holds.
Points reordered_whole(const Frame& f, const AxisSide& side, const Points& x) {
  Points result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Value number = f.b.integer(static_cast<std::int64_t>(i));
    result.push_back(made_along(f, side, number, [&](Value source) {
      return x.at(static_cast<std::size_t>(f.b.constant_integer(source).value()));
    }));
  }
  return result;
}

/// Returns the points of couples, each joined with its partner.
std::vector<Points> joined(const Frame& f, const AxisSide& side, const std::vector<Points>& held,
                           Value couple) {
  const kernel::Pass& pass = f.step.passes[side.axis->joining_pass()];
  const Couples couples(pass);
  const NumberedLine line{f.b, side.axis->edge, side.axis->points};
  const auto legs = static_cast<std::int64_t>(pass.radix);
  const auto apart = static_cast<std::int64_t>(line.points) / legs;
  std::vector<Points> result(held.size());
  for (std::size_t i = 0; i < held.size(); ++i) {
    const Value its = couple + static_cast<std::int64_t>(i / 2 * f.step.group().items);
    for (std::int64_t leg = 0; leg < legs; ++leg) {
      const auto at = static_cast<std::size_t>(leg);
      const Value point = couples.digit(its, i % 2) + leg * apart;
      const Value number = side.load ? point : from_its_end(line, point);
      const Cx partner = partner_in(couples, its, held, i, at);
      result[i].push_back(
          made_along(f, {side.axis, side.load}, number, own_and_partner(held[i][at], partner)));
    }
  }
  return result;
}

}  // namespace

Reordering::Reordering(const Frame& frame, std::size_t pass) : f_(frame) {
  for (const kernel::ReorderedAxis& axis : f_.step.group().axes) {
    if (axis.alone()) continue;
    if (axis.first == pass) add({&axis, true, is_coupled(f_.step, axis, true)});
    if (axis.last + 1 == pass) add({&axis, false, is_coupled(f_.step, axis, false)});
  }
}

void Reordering::add(const AxisSide& side) {
  if (!side.coupled || side.axis->from_end()) sides_.push_back(side);
}

std::vector<Value> Reordering::sources(Value place) const {
  std::vector<Value> places;
  const Value zero = f_.b.real(0, f_.real);
  made(
      place,
      [&](Value source) {
        places.push_back(source);
        return Cx{zero, zero};
      },
      false);
  return places;
}

Cx Reordering::made(Value place, const Points& found) const {
  auto next = found.begin();
  return made(
      place, [&](Value) { return *next++; }, true);
}

/// Returns the place with these digits: `place` itself if they are its own digits.
Value Reordering::place_of(const Digits& digits, const Digits& own, Value place) const {
  Value sum = f_.b.integer(0);
  bool same = true;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    same = same && digits[i].id() == own[i].id();
    sum = sum + digits[i] * static_cast<std::int64_t>(f_.step.group().axes[i].inner);
  }
  return same ? place : sum;
}

Cx Reordering::made(Value place, const ByNumber& at, bool factors) const {
  const Digits own = digits(place);
  return made(
      own, 0, [&](const Digits& source) { return at(place_of(source, own, place)); }, factors);
}

Reordering::Digits Reordering::digits(Value place) const {
  Digits result;
  for (const kernel::ReorderedAxis& axis : f_.step.group().axes) {
    result.push_back(place / static_cast<std::int64_t>(axis.inner) %
                     static_cast<std::int64_t>(axis.points));
  }
  return result;
}

Cx Reordering::made(const Digits& digits, std::size_t from, const ByDigits& at,
                    bool factors) const {
  if (from == sides_.size()) return at(digits);
  const auto axis = static_cast<std::size_t>(sides_[from].axis - f_.step.group().axes.data());
  return made_along(
      f_, sides_[from], digits[axis],
      [&](Value number) {
        Digits moved = digits;
        moved[axis] = number;
        return made(moved, from + 1, at, factors);
      },
      factors);
}

std::vector<Points> reordered_alone(const Frame& frame, std::size_t pass, bool load,
                                    std::vector<Points> held, Value couple) {
  for (const kernel::ReorderedAxis& axis : frame.step.group().axes) {
    const AxisSide side{&axis, load};
    if (axis.alone() && axis.first == pass) {
      for (Points& x : held) x = reordered_whole(frame, side, x);
    } else if (is_coupled(frame.step, axis, load) && axis.joining_pass() == pass) {
      return joined(frame, side, held, couple);
    }
  }
  return held;
}

}  // namespace imago::blocks
