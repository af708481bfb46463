// This file computes the elements of reordered axes, and moves them.
#include "blocks/work_group/reordered_axes.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "blocks/edges/half_cosines.hpp"
#include "blocks/work_group/couples.hpp"
#include "kernel/index_map.hpp"

namespace imago::blocks {

using ir::Value;

namespace {

/// One axis on one side of its passes.
struct AxisSide {
  const kernel::ReorderedAxis* axis;
  bool load;             ///< true: elements become points; false: points become elements
  bool coupled = false;  ///< work-items combine partners themselves
};

CosineLine line_of(const Frame& f, const AxisSide& side) {
  return {f.b, std::get<kernel::Cosines>(side.axis->edge), side.axis->points};
}

/// Returns value `number` of the axis, made of the values that `at` returns. Without its factor, it
/// only calls `at`.
Cx made_along(const Frame& f, const AxisSide& side, Value number, const ByNumber& at,
              bool with_factor = true) {
  const CosineLine line = line_of(f, side);
  if (side.coupled) return at(from_its_end(line, number));
  const kernel::End end = side.load ? kernel::End::load : kernel::End::store;
  const kernel::EdgeFacts edge = kernel::facts_of(side.axis->edge, end, line.points);
  const Value zero = f.b.real(0, f.real), p = side.load ? number : its_point(line, number);
  const kernel::Side& roots = side.load ? f.step.in : f.step.out;
  const Factors factors =
      with_factor ? factors_along(f, edge, roots.roots, p) : Factors{{zero, zero}, {zero, zero}};
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
  const CosineLine line = line_of(f, side);
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

/// Computes the values that are read before a pass, if several axes are reordered there.
class Reordering {
 public:
  /// Prepares the values before pass `pass`, or before the store if there is no such pass.
  Reordering(const Frame& frame, std::size_t pass);

  bool any() const { return !sides_.empty(); }
  /// Returns true if a value is made of several others.
  bool joins() const { return sources(f_.b.integer(0)).size() > 1; }
  /// Returns the places in the transform whose values make the one at `place`.
  std::vector<ir::Value> sources(ir::Value place) const;
  /// Returns the value at `place`, made of the values at its sources.
  Cx made(ir::Value place, const Points& found) const;

 private:
  void add(const AxisSide& side);
  using Digits = std::vector<ir::Value>;  ///< one for each axis
  Digits digits(ir::Value place) const;
  using ByDigits = std::function<Cx(const Digits& digits)>;
  ir::Value place_of(const Digits& digits, const Digits& own, ir::Value place) const;
  Cx made(ir::Value place, const ByNumber& at, bool factors) const;
  Cx made(const Digits& digits, std::size_t from, const ByDigits& at, bool factors) const;

  const Frame& f_;
  /// Each is made of the values of the next one. The points of an axis are made of the elements of
  /// the axis before it, so elements that join points come last.
  std::vector<AxisSide> sides_;
};

Reordering::Reordering(const Frame& frame, std::size_t pass) : f_(frame) {
  for (const kernel::ReorderedAxis& axis : f_.step.group().axes) {
    if (axis.alone()) continue;
    if (axis.first == pass) add({&axis, true, is_coupled(f_.step, axis, true)});
    if (axis.last + 1 == pass) add({&axis, false, is_coupled(f_.step, axis, false)});
  }
  // Other elements than those that join points only change places and signs, before or after.
  std::stable_partition(sides_.begin(), sides_.end(), [](const AxisSide& side) {
    return side.load || side.coupled || side.axis->joins_at_load();
  });
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

/// The pair at a place of the transform, for an axis whose rows have twice as many real numbers as
/// points.
class HalvedRow {
 public:
  HalvedRow(const Frame& frame, const kernel::ReorderedAxis& axis, Value place)
      : line_{frame.b, std::get<kernel::Cosines>(axis.edge), axis.points} {
    const bool one = axis.points == frame.step.length;
    pair_ = one ? place : place % static_cast<std::int64_t>(axis.points);
    if (!one) first_ = (place - pair_) * 2;
  }

  Reals partners() const { return in_row(partners_at(line_, pair_)); }
  Reals parts() const { return in_row(parts_of_point(line_, pair_)); }
  Cx as_neighbours(const Cx& x) const { return blocks::as_neighbours(line_, pair_, x); }

 private:
  Reals in_row(Reals reals) const {
    if (!first_.valid()) return reals;
    reals.first = reals.first + first_, reals.second = reals.second + first_;
    return reals;
  }

  const CosineLine line_;
  Value pair_;
  Value first_;  ///< first real number of the row; not valid: 0
};

}  // namespace

ReorderedAxes::ReorderedAxes(const Frame& frame, Exchanger& exchange)
    : f_(frame),
      b_(frame.b),
      step_(frame.step),
      input_(frame),
      output_(frame),
      exchange_(exchange) {}

/// Returns a work-item's part of the group's elements. Adjacent `place`s get adjacent elements;
/// places are those of the work-items in some order.
std::vector<WorkItem> ReorderedAxes::elements_of(Value place, bool columns_fastest) const {
  const auto length = static_cast<std::int64_t>(step_.length),
             tile = static_cast<std::int64_t>(step_.tile),
             items = static_cast<std::int64_t>(step_.group().items);
  std::vector<WorkItem> elements;
  for (std::int64_t done = 0; done < length; done += items) {
    const Value e = place + done * tile;
    const auto at = kernel::coordinates_of(step_, length, columns_fastest, e);
    elements.push_back(work_item_at(f_, at.index, at.column));
  }
  return elements;
}

/// Returns the work-item's place in the order of the elements that are stored.
Value ReorderedAxes::place_at_store() const {
  const Value lid = b_.local_id(step_.work_group_size());
  const std::int64_t run = step_.group().store_run;
  if (run == 0) return lid;
  const Value second = lid / (run / 2) % 2, pair = lid % (run / 2) * 2;
  return lid / run * run + pair + second;
}

std::vector<Site> ReorderedAxes::sites_of(const std::vector<WorkItem>& elements) const {
  std::vector<Site> sites;
  for (const WorkItem& item : elements) {
    const ir::Condition busy = item.index < static_cast<std::int64_t>(step_.length) &&
                               item.column < static_cast<std::int64_t>(step_.tile);
    sites.push_back({item.active && busy, busy, item.column, 1, {item.index}});
  }
  return sites;
}

std::vector<Points> ReorderedAxes::load(const WorkItem& item, const std::vector<Site>& points) {
  if (step_.group().loads_in_order) return load_in_order(item, points);
  const bool columns_fastest = step_.passes.front().columns_fastest;
  const auto elements = elements_of(b_.local_id(step_.work_group_size()), columns_fastest);
  const auto at = sites_of(elements);
  std::vector<Points> held;
  for (std::size_t i = 0; i < elements.size(); ++i)
    held.push_back({element_at(elements[i], at[i], elements[i].index)});
  return exchanged(0, {held, at}, points);
}

/// Loads elements that belong to the points of the same work-item; only partners belong to others.
std::vector<Points> ReorderedAxes::load_in_order(const WorkItem& item,
                                                 const std::vector<Site>& points) {
  const Reordering reordering(f_, 0);
  std::vector<Points> held(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const Value& point : points[i].points) {
      const auto sources = reordering.sources(point);
      const bool joins = sources.size() > 1;
      const Cx x = element_at(item, points[i], joins ? point : sources[0]);
      held[i].push_back(joins ? x : reordering.made(point, {x}));
    }
  }
  return step_.group().reorders_at_load ? exchanged(0, {held, points}, points) : held;
}

Cx ReorderedAxes::element_at(const WorkItem& item, const Site& site, Value place) const {
  const kernel::ReorderedAxis* const halved = step_.halved_axis();
  const Cx x = halved ? pair_at(*halved, item, site, place)
                      : input_.element(input_.index(item.in.base, place), {}, site.active);
  return as_loaded(f_, {x}, {{place, 0}, 1}, {item.phase, 0})[0];
}

Cx ReorderedAxes::pair_at(const kernel::ReorderedAxis& axis, const WorkItem& item, const Site& site,
                          Value place) const {
  const HalvedRow row(f_, axis, place);
  const auto load = [&](Value number) {
    return input_.element(input_.index(item.in.base, number), {}, site.active);
  };
  if (step_.in.elements == kernel::Elements::pairs) return row.as_neighbours(load(place));
  const Reals reals = axis.joins_at_load() ? row.partners() : row.parts();
  return signed_as(reals, {load(reals.first).re, load(reals.second).re});
}

void ReorderedAxes::store_at(const WorkItem& item, Value place, const Cx& x) const {
  const auto index = [&](Value number) { return output_.index(item.out.base, number); };
  const Cx value = as_stored(f_, x);
  const kernel::ReorderedAxis* const halved = step_.halved_axis();
  if (!halved) return output_.element(index(place), value);
  const HalvedRow row(f_, *halved, place);
  if (step_.out.elements == kernel::Elements::pairs) {
    const Cx pair = row.as_neighbours(value);
    return output_.element(index(place), pair);
  }
  const Reals reals = row.partners();
  output_.real(index(reals.first), value.re, {});
  output_.real(index(reals.second), value.im, {});
}

/// Stores elements that belong to the points of the same work-item, in order or in reverse.
void ReorderedAxes::store_in_order(const WorkItem& item, const Held& held) {
  const Reordering reordering(f_, step_.passes.size());
  for (std::size_t i = 0; i < held.at.size(); ++i) {
    b_.when(held.at[i].active, [&] {
      for (std::size_t s = 0; s < held.at[i].points.size(); ++s) {
        store_at(item, reordering.sources(held.at[i].points[s])[0], held.values[i][s]);
      }
    });
  }
}

void ReorderedAxes::store(const WorkItem& item, const Held& held) {
  if (!step_.group().reorders_at_store) return store_in_order(item, held);
  const bool columns_fastest = step_.passes.back().columns_fastest;
  const auto elements = elements_of(place_at_store(), columns_fastest);
  const auto sites = sites_of(elements);
  exchange(step_.passes.size(), held, sites, [&](std::size_t i, std::size_t, const Cx& x) {
    b_.when(sites[i].active, [&] { store_at(elements[i], elements[i].index, x); });
  });
}

std::vector<Points> ReorderedAxes::exchanged(std::size_t pass, const Held& held,
                                             const std::vector<Site>& reads) {
  std::vector<Points> next(reads.size());
  exchange(pass, held, reads,
           [&](std::size_t i, std::size_t, const Cx& x) { next[i].push_back(x); });
  return next;
}

void ReorderedAxes::exchange(std::size_t pass, const Held& held, const std::vector<Site>& reads,
                             const Exchanger::Use& use) {
  const Reordering reordering(f_, pass);
  if (!reordering.any()) return exchange_.fetch(held, reads, use);
  std::vector<Site> sources = reads;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    sources[i].points.clear();
    for (const Value& point : reads[i].points) {
      for (const Value& source : reordering.sources(point)) sources[i].points.push_back(source);
    }
  }
  const std::size_t each = sources[0].points.size() / reads[0].points.size();
  Points found;
  const auto take = [&](std::size_t i, std::size_t s, const Cx& x) {
    found.push_back(x);
    if (found.size() < each) return;
    use(i, s / each, reordering.made(reads[i].points[s / each], std::exchange(found, {})));
  };
  exchange_.fetch(held, sources, take);
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
