// This file orders the elements of a convolution.
#include "blocks/work_group/order.hpp"

#include <utility>

#include "blocks/convolution.hpp"
#include "blocks/edges/edge.hpp"
#include "blocks/elements.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Changes each value that can exist.
std::vector<Points> changed(const Frame& frame, const WorkItem& item, const ConvolvedEdge& edge,
                            Held held) {
  for (std::size_t i = 0; i < held.at.size(); ++i) {
    for (std::size_t r = 0; r < held.at[i].points.size(); ++r) {
      if (nothing_at(edge, held.at[i], r)) continue;
      const Value number = number_at(frame, item, held.at[i], r);
      const ir::Condition there = held.at[i].active && edge.exists(number);
      held.values[i][r] = edge.changed(held.values[i][r], {number, 0}, there);
    }
  }
  return std::move(held.values);
}

std::vector<Site> places_of(const ConvolvedEdge& edge, std::vector<Site> sites) {
  for (Site& site : sites) {
    for (Value& point : site.points) point = edge.place(point);
  }
  return sites;
}

}  // namespace

Value number_at(const Frame& frame, const WorkItem& item, const Site& site, std::size_t leg) {
  return number_of(frame, {site.points[leg], 0}, {item.number, 0}).base;
}

bool nothing_at(const ConvolvedEdge& edge, const Site& site, std::size_t leg) {
  return edge.nothing_from(static_cast<std::uint64_t>(site.stride) * leg);
}

std::vector<Points> convolved_in(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                                 const ConvolvedEdge& edge, Held elements) {
  if (!edge.facts().reorders) return changed(frame, item, edge, std::move(elements));
  const std::vector<Site> reads = elements.at;
  elements.at = places_of(edge, reads);
  return exchange.fetched(elements, reads);
}

std::vector<Points> convolved_out(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                                  const ConvolvedEdge& edge, Held results) {
  if (!edge.facts().reorders) return changed(frame, item, edge, std::move(results));
  std::vector<Points> elements = exchange.fetched(results, places_of(edge, results.at));
  for (Points& points : elements) {
    for (Cx& x : points) x = edge.changed(x, {}, ir::Condition::always());
  }
  return elements;
}

Cx lone_element(const Frame& frame, const WorkItem& item, const Index& k, const Cx& sum) {
  ir::Builder& b = frame.b;
  const ir::Condition here = item.active && ir::equal(k.base, b.integer(0));
  const Value zero = b.integer(0);
  const Cx raw = load_point(Input(frame), {item.in.base, zero}, {}, here);
  const Cx lone = as_loaded(frame, {raw}, {{zero, 0}, 1}, {})[0];
  b.when(here, [&] {
    store_point(Output(frame), {item.out.base, zero}, as_stored(frame, lone + sum));
  });
  return lone;
}

}  // namespace imago::blocks
