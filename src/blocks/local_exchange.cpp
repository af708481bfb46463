// This file is the way of values from work-item to work-item, through local memory.
#include "blocks/local_exchange.hpp"

namespace imago::blocks {

using ir::Value;

void LocalExchange::fetch(const std::vector<Points>& held, const std::vector<Site>& at,
                          const std::vector<Site>& reads, const Use& use, bool own) {
  held_ = &held, at_ = &at, own_ = own;
  if (step_.exchange == Exchange::together) {
    return turn([&](const Cx& x) { return b_.pair(x.re, x.im); }, reads,
                [&](std::size_t i, std::size_t r, Value v) {
                  use(i, r, {b_.extract(v, 0), b_.extract(v, 1)});
                });
  }
  std::vector<std::vector<Value>> re(reads.size());
  turn([](const Cx& x) { return x.re; }, reads,
       [&](std::size_t i, std::size_t, Value v) { re[i].push_back(v); });
  turn([](const Cx& x) { return x.im; }, reads,
       [&](std::size_t i, std::size_t r, Value v) {
         use(i, r, {re[i][r], v});
       });
}

template <class Part, class Take>
void LocalExchange::turn(Part part, const std::vector<Site>& reads, Take take) {
  if (used_ && !returns()) b_.barrier();
  used_ = true, shared_ = own_;
  read_.clear();
  for (std::size_t i = 0; i < held_->size(); ++i) {
    b_.when((*at_)[i].busy, [&] {
      for (std::size_t s = 0; s < (*held_)[i].size(); ++s)
        b_.store(f_.local, index((*at_)[i], s), part((*held_)[i][s]));
    });
  }
  b_.barrier();
  for (std::size_t i = 0; i < reads.size(); ++i) {
    for (std::size_t r = 0; r < reads[i].points.size(); ++r) {
      read_.emplace(reads[i].column.id(), reads[i].points[r].id());
      take(i, r, read(part, reads[i], r));
    }
  }
}

/// Whether every work-item writes where it alone has read: the others need not have done so.
bool LocalExchange::returns() const {
  if (shared_) return false;
  for (const Site& at : *at_) {
    for (const Value& point : at.points) {
      if (read_.count({at.column.id(), point.id()}) == 0) return false;
    }
  }
  return true;
}

template <class Part>
Value LocalExchange::read(Part part, const Site& site, std::size_t leg) const {
  for (std::size_t i = 0; own_ && i < at_->size(); ++i) {
    const Site& at = (*at_)[i];
    for (std::size_t s = 0; s < at.points.size(); ++s) {
      if (at.points[s].id() == site.points[leg].id() && at.column.id() == site.column.id())
        return part((*held_)[i][s]);
    }
  }
  return b_.load_if(site.busy, f_.local, index(site, leg));
}

Value LocalExchange::index(const Site& site, std::size_t leg) const {
  const Value point = site.points[leg];
  const auto stride = static_cast<std::int64_t>(step_.column_span());
  const Value padded =
      step_.padding == 0 ? point : point + point / static_cast<std::int64_t>(step_.padding);
  return padded + site.column * stride;
}

}  // namespace imago::blocks
