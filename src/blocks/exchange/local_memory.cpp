// This file is the way of values from work-item to work-item through local memory.
#include "blocks/exchange/local_memory.hpp"

#include "kernel/index_map.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// What the work-item that asks has there. A kernel computes a value once: where ids are the same,
/// so are the numbers, in every work-item. Where they are not, nothing is known, and the value is
/// read from local memory, where it is in any case.
const Cx* own(const Held& held, const Site& site, std::size_t leg) {
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

}  // namespace

void LocalMemory::turn(const kernel::RegisterExchange& exchange, const Held& held, const Part& part,
                       const std::vector<Site>& reads, const Take& take) {
  if (last_ && !last_->leaves_room_for(step_, exchange)) b_.barrier();
  last_ = exchange;
  write(held, part);
  b_.barrier();
  for (std::size_t i = 0; i < reads.size(); ++i) {
    for (std::size_t r = 0; r < reads[i].points.size(); ++r) {
      // What several ask for is at hand for one of them.
      const Cx* const mine = exchange.shared ? own(held, reads[i], r) : nullptr;
      take(i, r, mine ? part(*mine) : b_.load_if(reads[i].busy, f_.local, address(reads[i], r)));
    }
  }
}

void LocalMemory::write(const Held& held, const Part& part) {
  for (std::size_t i = 0; i < held.values.size(); ++i) {
    b_.when(held.at[i].busy, [&] {
      for (std::size_t s = 0; s < held.values[i].size(); ++s)
        b_.store(f_.local, address(held.at[i], s), part(held.values[i][s]));
    });
  }
}

Value LocalMemory::address(const Site& site, std::size_t leg) const {
  return kernel::local_address(step_, site.column, site.points[leg]);
}

}  // namespace imago::blocks
