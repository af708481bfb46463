// This file arranges the elements of cosine axes.
#include "blocks/arrangement.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Number `number` of the axis, of those that `at` finds. Without its factor it only asks for them.
Cx made_along(const Frame& f, const Arranged& side, Value number, const ByNumber& at,
              bool with_factor = true) {
  const plan::Cosines& cosines = side.axis->cosines;
  const CosineLine line{f.b, cosines, cosines.elements};
  const plan::Roots roots =
      side.load ? roots_in(cosines, line.points) : roots_out(cosines, line.points);
  const Value zero = f.b.real(0, f.real), p = side.load ? number : its_point(line, number);
  const Cx root = with_factor ? root_at(f, roots, p) : Cx{zero, zero};
  return side.load ? point_of(line, p, root, at) : element_of(line, number, root, at);
}

}  // namespace

Arrangement::Arrangement(const Frame& frame, std::size_t pass) : f_(frame) {
  for (const plan::CosineAxis& axis : f_.step.cosine_axes) {
    if (axis.alone()) continue;
    if (axis.first == pass) sides_.push_back({&axis, true});
    if (axis.last + 1 == pass) sides_.push_back({&axis, false});
  }
}

std::vector<Value> Arrangement::sources(Value place) const {
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

Cx Arrangement::made(Value place, const Points& found) const {
  auto next = found.begin();
  return made(
      place, [&](Value) { return *next++; }, true);
}

/// The place with these digits: `place` itself if they are its own.
Value Arrangement::place_of(const Digits& digits, const Digits& own, Value place) const {
  Value sum = f_.b.integer(0);
  bool same = true;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    same = same && digits[i].id() == own[i].id();
    sum = sum + digits[i] * static_cast<std::int64_t>(f_.step.cosine_axes[i].inner);
  }
  return same ? place : sum;
}

Cx Arrangement::made(Value place, const ByNumber& at, bool factors) const {
  const Digits own = digits(place);
  return made(
      own, 0, [&](const Digits& source) { return at(place_of(source, own, place)); }, factors);
}

Arrangement::Digits Arrangement::digits(Value place) const {
  Digits result;
  for (const plan::CosineAxis& axis : f_.step.cosine_axes) {
    result.push_back(place / static_cast<std::int64_t>(axis.inner) %
                     static_cast<std::int64_t>(axis.cosines.elements));
  }
  return result;
}

Cx Arrangement::made(const Digits& digits, std::size_t from, const ByDigits& at,
                     bool factors) const {
  if (from == sides_.size()) return at(digits);
  const auto axis = static_cast<std::size_t>(sides_[from].axis - f_.step.cosine_axes.data());
  return made_along(
      f_, sides_[from], digits[axis],
      [&](Value number) {
        Digits moved = digits;
        moved[axis] = number;
        return made(moved, from + 1, at, factors);
      },
      factors);
}

Points arranged_whole(const Frame& frame, std::size_t pass, bool load, const Points& x) {
  for (const plan::CosineAxis& axis : frame.step.cosine_axes) {
    if (!axis.alone() || axis.first != pass) continue;
    Points result;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Value number = frame.b.integer(static_cast<std::int64_t>(i));
      result.push_back(made_along(frame, {&axis, load}, number, [&](Value source) {
        return x.at(static_cast<std::size_t>(frame.b.constant_integer(source).value()));
      }));
    }
    return result;
  }
  return x;
}

}  // namespace imago::blocks
