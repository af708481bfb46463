// This file is the way of values from work-item to work-item, through local memory.
#include "blocks/exchange/local_memory.hpp"

#include "plan/index_map.hpp"

namespace imago::blocks {

using ir::Value;

void LocalExchange::fetch(const Held& held, const std::vector<Site>& reads, const Use& use,
                          bool shared) {
  const bool before = std::exchange(shared_, shared);
  if (used_ && (before || !returns(held.at))) b_.barrier();
  if (step_.group().exchange == Exchange::interleaved) {
    return turn(
        held, [&](const Cx& x) { return b_.pair(x.re, x.im); }, reads,
        [&](std::size_t i, std::size_t r, Value v) {
          use(i, r, {b_.extract(v, 0), b_.extract(v, 1)});
        });
  }
  std::vector<std::vector<Value>> re(reads.size());
  turn(
      held, [](const Cx& x) { return x.re; }, reads,
      [&](std::size_t i, std::size_t, Value v) { re[i].push_back(v); });
  if (shared || !returns(held.at)) b_.barrier();
  turn(
      held, [](const Cx& x) { return x.im; }, reads,
      [&](std::size_t i, std::size_t r, Value v) {
        use(i, r, {re[i][r], v});
      });
}

std::vector<Points> LocalExchange::fetched(const Held& held, const std::vector<Site>& reads) {
  std::vector<Points> values(reads.size());
  fetch(held, reads, [&](std::size_t i, std::size_t, const Cx& x) { values[i].push_back(x); });
  return values;
}

template <class Part, class Take>
void LocalExchange::turn(const Held& held, Part part, const std::vector<Site>& reads, Take take) {
  for (std::size_t i = 0; i < held.values.size(); ++i) {
    b_.when(held.at[i].busy, [&] {
      for (std::size_t s = 0; s < held.values[i].size(); ++s)
        b_.store(f_.local, index(held.at[i], s), part(held.values[i][s]));
    });
  }
  b_.barrier();
  used_ = true;
  read_.clear();
  for (std::size_t i = 0; i < reads.size(); ++i) {
    for (std::size_t r = 0; r < reads[i].points.size(); ++r) {
      read_.emplace(reads[i].column.id(), reads[i].points[r].id());
      const Cx* const mine = shared_ ? own(held, reads[i], r) : nullptr;
      take(i, r, mine ? part(*mine) : b_.load_if(reads[i].busy, f_.local, index(reads[i], r)));
    }
  }
}

/// What the work-item that asks has there.
const Cx* LocalExchange::own(const Held& held, const Site& site, std::size_t leg) const {
  for (std::size_t i = 0; i < held.at.size(); ++i) {
    const Site& at = held.at[i];
    if (at.column.id() != site.column.id()) continue;
    // An idle butterfly has nothing, though others have its places.
    if (at.busy.valid() && !(site.busy.valid() && at.busy.id() == site.busy.id())) continue;
    for (std::size_t s = 0; s < at.points.size(); ++s) {
      if (at.points[s].id() == site.points[leg].id()) return &held.values[i][s];
    }
  }
  return nullptr;
}

/// Whether every work-item writes where it alone has read: the others need not have done so.
bool LocalExchange::returns(const std::vector<Site>& at) const {
  for (const Site& site : at) {
    for (const Value& point : site.points) {
      if (read_.count({site.column.id(), point.id()}) == 0) return false;
    }
  }
  return true;
}

Value LocalExchange::index(const Site& site, std::size_t leg) const {
  return plan::local_address(step_, site.column, site.points[leg]);
}

}  // namespace imago::blocks
