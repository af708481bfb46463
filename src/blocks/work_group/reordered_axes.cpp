// This file moves the elements of reordered axes.
#include "blocks/work_group/reordered_axes.hpp"

#include <utility>

#include "blocks/edges/half_cosines.hpp"
#include "kernel/index_map.hpp"

namespace imago::blocks {

using ir::Value;

namespace {

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

}  // namespace imago::blocks
