// This file exchanges values between work-items through local memory.
#include "blocks/exchange/local_memory.hpp"

#include "kernel/index_map.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

bool same(const ir::Condition& a, const ir::Condition& b) {
  return !a.is_always() && !b.is_always() && a.value().id() == b.value().id();
}

/// Returns the value that the executing work-item itself holds at a site; null if it holds none.
/// Equal ids are equal numbers in every work-item, because a kernel computes a value once. If ids
/// differ, nothing is known, and the value is read from local memory, which holds it in any case.
const Cx* own(const Held& held, const Site& site, std::size_t leg) {
  for (std::size_t i = 0; i < held.at.size(); ++i) {
    const Site& at = held.at[i];
    if (at.column.id() != site.column.id()) continue;
    // An idle butterfly holds no value, although others have its places.
    if (!at.busy.is_always() && !same(at.busy, site.busy)) continue;
    for (std::size_t s = 0; s < at.points.size(); ++s) {
      if (at.points[s].id() == site.points[leg].id()) return &held.values[i][s];
    }
  }
  return nullptr;
}

}  // namespace

void LocalMemory::exchange_part(const kernel::RegisterExchange& exchange, const Held& held,
                                const Part& part, const std::vector<Site>& reads,
                                const Take& take) {
  if (last_ && !last_->leaves_room_for(step_, exchange)) b_.barrier();
  last_ = exchange;
  write(held, part);
  b_.barrier();
  for (std::size_t i = 0; i < reads.size(); ++i) {
    for (std::size_t r = 0; r < reads[i].points.size(); ++r) {
      // If several work-items read a value, one of them already holds it.
      const Cx* const mine = exchange.shared ? own(held, reads[i], r) : nullptr;
      take(i, r, mine ? part(*mine) : b_.load_if(reads[i].busy, f_.local, address(reads[i], r)));
    }
  }
}

void LocalMemory::write(const Held& held, const Part& part) {
  for (std::size_t i = 0; i < held.values.size(); ++i) {
    b_.when(held.at[i].busy, [&] {
      for (std::size_t s = 0; s < held.values[i].size(); ++s) {
        const Value stored = part(held.values[i][s]);
        b_.store(f_.local, address(held.at[i], s), stored);
      }
    });
  }
}

Value LocalMemory::address(const Site& site, std::size_t leg) const {
  return kernel::local_address(step_, site.column, site.points[leg]);
}

}  // namespace imago::blocks
