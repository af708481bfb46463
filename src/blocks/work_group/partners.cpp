// This file finds partners: among a work-item's own points, or in local memory.
#include "blocks/work_group/partners.hpp"

#include "blocks/work_group/couples.hpp"

namespace imago::blocks {
namespace {

using ir::Value;
using Use = Exchanger::Use;

void in_couples(const Frame& f, const WorkItem& item, const Held& held, const Use& use) {
  const Couples couples(f.step.passes.back());
  for (std::size_t i = 0; i < held.values.size(); ++i) {
    const Value couple = item.index + static_cast<std::int64_t>(i / 2 * f.step.group().items);
    for (std::size_t s = 0; s < held.values[i].size(); ++s)
      use(i, s, partner_in(couples, couple, held.values, i, s));
  }
}

}  // namespace

void with_partners_of_points(const Frame& f, Exchanger& exchange, const WorkItem& item,
                             const Held& held, const Use& use) {
  if (f.step.passes.back().coupled > 0) return in_couples(f, item, held, use);
  if (f.step.group().fetches_partners_at_store)
    return with_partners_in_memory(f, exchange, item, held, use);
  const Points& all = held.values[0];  // one work-item holds them all
  for (std::size_t s = 0; s < all.size(); ++s) use(0, s, all[(all.size() - s) % all.size()]);
}

void with_partners_in_memory(const Frame& f, Exchanger& exchange, const WorkItem& item,
                             const Held& held, const Use& use) {
  ir::Builder& b = f.b;
  // Column c of several has the numbers c + columns * s. The partner of s is length - 1 - s in the
  // partner column for c > 0, and length - s for c = 0.
  const auto length = static_cast<std::int64_t>(f.step.length);
  const bool several = item.partner_column.valid();
  const Value last = several ? b.integer(length - 1) : Value{}, whole = b.integer(length);
  const Value end = several ? b.select(item.holds_first, whole, last) : whole;
  std::vector<Site> partners = held.at;
  for (Site& site : partners) {
    if (several) site.column = item.partner_column;
    // Number 0, a first leg, is its own partner.
    const ir::Condition own = ir::equal(site.points[0], b.integer(0)) && item.holds_first;
    for (Value& point : site.points) point = end - point;
    site.points[0] = b.select(own, b.integer(0), site.points[0]);
  }
  exchange.fetch(held, partners, use);
}

}  // namespace imago::blocks
