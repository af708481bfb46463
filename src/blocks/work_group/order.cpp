// This file orders the elements of a convolution.
#include "blocks/work_group/order.hpp"

#include "blocks/convolution.hpp"
#include "blocks/elements.hpp"

namespace imago::blocks {

using ir::Value;

Value number_at(const Frame& frame, const WorkItem& item, const Site& site, std::size_t leg) {
  return number_of(frame, {site.points[leg], 0}, {item.number, 0}).base;
}

bool nothing_at(const plan::Step& step, const Site& site, std::size_t leg) {
  return nothing_from(step, static_cast<std::uint64_t>(site.stride) * leg);
}

void with_chirp(const Frame& frame, const WorkItem& item, Held& held,
                const std::function<void(Cx& value, const Cx& factor)>& apply) {
  for (std::size_t i = 0; i < held.at.size(); ++i) {
    for (std::size_t r = 0; r < held.at[i].points.size(); ++r) {
      if (nothing_at(frame.step, held.at[i], r)) continue;
      const Value number = number_at(frame, item, held.at[i], r);
      const Value there = held.at[i].active && exists(frame, number);
      apply(held.values[i][r], chirp(frame, {number, 0}, 1, there));
    }
  }
}

std::vector<Points> into_order(const Frame& frame, Exchanger& exchange, Held elements) {
  const std::vector<Site> reads = elements.at;
  for (Site& site : elements.at) {
    for (Value& point : site.points) point = place_in(frame, point);
  }
  return exchange.fetched(elements, reads);
}

std::vector<Points> out_of_order(const Frame& frame, Exchanger& exchange, const Held& results) {
  std::vector<Site> places = results.at;
  for (Site& site : places) {
    for (Value& point : site.points) point = place_out(frame, point);
  }
  std::vector<Points> elements = exchange.fetched(results, places);
  for (Points& points : elements) {
    for (Cx& x : points) x = returned(x, {});
  }
  return elements;
}

Cx lone_element(const Frame& frame, const WorkItem& item, const Index& k, const Cx& sum) {
  ir::Builder& b = frame.b;
  const Value here = item.active && b.binary(ir::Op::equal, k.base, b.integer(0));
  const Value zero = b.integer(0);
  const Cx raw = Input(frame).point({item.in.base, zero}, {}, here);
  const Cx lone = load_hook(frame, {raw}, {{zero, 0}, 1}, {})[0];
  b.when(here, [&] { Output(frame).point({item.out.base, zero}, store_hook(frame, lone + sum)); });
  return lone;
}

}  // namespace imago::blocks
