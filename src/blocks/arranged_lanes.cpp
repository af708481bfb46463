// This file moves the elements of cosine axes.
#include "blocks/arranged_lanes.hpp"

#include <utility>

namespace imago::blocks {

using ir::Value;

ArrangedLanes::ArrangedLanes(const Frame& frame, LocalExchange& exchange)
    : f_(frame),
      b_(frame.b),
      step_(frame.step),
      input_(frame),
      output_(frame),
      exchange_(exchange) {}

/// A work-item's elements, of all of the group's: neighbours for neighbouring `place`s, which are
/// those of the work-items in some order.
std::vector<Seat> ArrangedLanes::elements_of(Value place, bool columns_fastest) const {
  const auto length = static_cast<std::int64_t>(step_.length),
             tile = static_cast<std::int64_t>(step_.tile),
             items = static_cast<std::int64_t>(step_.group().items);
  std::vector<Seat> seats;
  for (std::int64_t done = 0; done < length; done += items) {
    const Value e = place + done * tile;
    seats.push_back(columns_fastest ? seat_at(f_, e / tile, e % tile)
                                    : seat_at(f_, e % length, e / length));
  }
  return seats;
}

/// The work-item's place among those that store, in the order of the elements that they store.
Value ArrangedLanes::place_at_store() const {
  const Value lid = b_.local_id(step_.work_group_size());
  const std::int64_t run = step_.group().store_run;
  return run == 0 ? lid : lid / run * run + lid % (run / 2) * 2 + lid / (run / 2) % 2;
}

std::vector<Site> ArrangedLanes::sites_of(const std::vector<Seat>& seats) const {
  std::vector<Site> sites;
  for (const Seat& seat : seats) {
    const Value busy = seat.item < static_cast<std::int64_t>(step_.length) &&
                       seat.column < static_cast<std::int64_t>(step_.tile);
    sites.push_back({seat.active && busy, busy, seat.column, 1, {seat.item}});
  }
  return sites;
}

std::vector<Points> ArrangedLanes::load(const Seat& seat, const std::vector<Site>& points) {
  if (step_.group().loads_in_order) return load_in_order(seat, points);
  const auto seats = elements_of(b_.local_id(step_.work_group_size()), false);
  const auto at = sites_of(seats);
  std::vector<Points> held;
  for (std::size_t i = 0; i < seats.size(); ++i)
    held.push_back({element_at(seats[i], at[i], seats[i].item)});
  return exchanged(0, {held, at}, points);
}

/// Elements that are their work-items' points, or nearly: only mirror images are others'.
std::vector<Points> ArrangedLanes::load_in_order(const Seat& seat,
                                                 const std::vector<Site>& points) {
  const Arrangement arrangement(f_, 0);
  std::vector<Points> held(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const Value& point : points[i].points) {
      const auto sources = arrangement.sources(point);
      const bool joins = sources.size() > 1;
      const Cx x = element_at(seat, points[i], joins ? point : sources[0]);
      held[i].push_back(joins ? x : arrangement.made(point, {x}));
    }
  }
  return arrangement.joins() ? exchanged(0, {held, points}, points) : held;
}

Cx ArrangedLanes::element_at(const Seat& seat, const Site& site, Value number) const {
  return input_.element(input_.index(seat.in.base, number), {}, site.active);
}

/// Elements that are their work-items' points, perhaps backwards.
void ArrangedLanes::store_in_order(const Seat& seat, const Held& held) {
  const Arrangement arrangement(f_, step_.passes.size());
  for (std::size_t i = 0; i < held.at.size(); ++i) {
    b_.when(held.at[i].active, [&] {
      for (std::size_t s = 0; s < held.at[i].points.size(); ++s) {
        const Value number = arrangement.sources(held.at[i].points[s])[0];
        output_.element(output_.index(seat.out.base, number), store_hook(f_, held.values[i][s]));
      }
    });
  }
}

void ArrangedLanes::store(const Seat& seat, const Held& held) {
  if (!step_.group().reorders_at_store) return store_in_order(seat, held);
  const bool columns_fastest = step_.passes.back().columns_fastest;
  const auto seats = elements_of(place_at_store(), columns_fastest);
  const auto sites = sites_of(seats);
  exchange(step_.passes.size(), held, sites, [&](std::size_t i, std::size_t, const Cx& x) {
    b_.when(sites[i].active, [&] {
      output_.element(output_.index(seats[i].out.base, seats[i].item), store_hook(f_, x));
    });
  });
}

std::vector<Points> ArrangedLanes::exchanged(std::size_t pass, const Held& held,
                                             const std::vector<Site>& reads) {
  std::vector<Points> next(reads.size());
  exchange(pass, held, reads,
           [&](std::size_t i, std::size_t, const Cx& x) { next[i].push_back(x); });
  return next;
}

void ArrangedLanes::exchange(std::size_t pass, const Held& held, const std::vector<Site>& reads,
                             const LocalExchange::Use& use) {
  const Arrangement arrangement(f_, pass);
  if (!arrangement.any()) return exchange_.fetch(held, reads, use);
  std::vector<Site> sources = reads;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    sources[i].points.clear();
    for (const Value& point : reads[i].points) {
      for (const Value& source : arrangement.sources(point)) sources[i].points.push_back(source);
    }
  }
  const std::size_t each = sources[0].points.size() / reads[0].points.size();
  Points found;
  const auto take = [&](std::size_t i, std::size_t s, const Cx& x) {
    found.push_back(x);
    if (found.size() < each) return;
    use(i, s / each, arrangement.made(reads[i].points[s / each], std::exchange(found, {})));
  };
  exchange_.fetch(held, sources, take, each > 1);
}

}  // namespace imago::blocks
