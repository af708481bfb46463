// This file finds mirror images: among a work-item's own points, or in local memory.
#include "blocks/images.hpp"

#include "blocks/couples.hpp"

namespace imago::blocks {

using ir::Value;

void Images::of_points(const Seat& seat, const Held& held, const Use& use) {
  if (step_.passes.back().coupled > 0) return in_couples(seat, held, use);
  if (step_.group().fetches_partners_at_store) return of_elements(seat, held, use);
  const Points& all = held.values[0];  // one work-item holds them all
  for (std::size_t s = 0; s < all.size(); ++s) use(0, s, all[(all.size() - s) % all.size()]);
}

void Images::in_couples(const Seat& seat, const Held& held, const Use& use) const {
  const Couples couples(f_, step_.passes.back());
  for (std::size_t i = 0; i < held.values.size(); ++i) {
    const Value couple = seat.item + static_cast<std::int64_t>(i / 2 * step_.group().items);
    for (std::size_t s = 0; s < held.values[i].size(); ++s)
      use(i, s, couples.image(couple, held.values, i, s));
  }
}

void Images::of_elements(const Seat& seat, const Held& held, const Use& use) {
  // Column c of several has numbers c + columns * s: but for c = 0, s ends where its image begins.
  const auto length = static_cast<std::int64_t>(step_.length);
  const bool several = seat.image_column.valid();
  const Value end = several ? b_.select(seat.foremost, b_.integer(length), b_.integer(length - 1))
                            : b_.integer(length);
  std::vector<Site> at = held.at;
  for (Site& site : at) {
    if (several) site.column = seat.image_column;
    // Number 0, a first leg, is its own image.
    const Value own = b_.binary(ir::Op::equal, site.points[0], b_.integer(0)) && seat.foremost;
    for (Value& point : site.points) point = end - point;
    site.points[0] = b_.select(own, b_.integer(0), site.points[0]);
  }
  exchange_.fetch(held, at, use);
}

}  // namespace imago::blocks
