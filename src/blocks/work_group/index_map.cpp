// This file computes the butterflies of a work-item.
#include "blocks/work_group/index_map.hpp"

#include "kernel/index_map.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Returns the number, out of `count`, of the work-item's i-th butterfly.
Value butterfly_of(const Frame& f, const WorkItem& item, const kernel::Pass& pass, std::int64_t i,
                   std::int64_t count) {
  const Value number = kernel::butterfly_number(f.step, pass, item.index, i);
  return item.reversed.is_never()
             ? number
             : f.b.select(item.reversed, f.b.integer(count - 1) - number, number);
}

Site site_of(const WorkItem& item, const ir::Condition& busy, Value first, std::int64_t stride,
             unsigned radix) {
  Site result{item.active && busy, busy, item.column, stride, {}};
  for (unsigned r = 0; r < radix; ++r) result.points.push_back(first + stride * r);
  return result;
}

}  // namespace

Butterflies butterflies_of(const Frame& f, const WorkItem& item, const Geometry& g) {
  ir::Builder& b = f.b;
  const auto count = static_cast<std::int64_t>(f.step.length / g.radix),
             items = static_cast<std::int64_t>(f.step.group().items);
  Butterflies result;
  for (std::int64_t i = 0; i * items < count; ++i) {
    const Value j = butterfly_of(f, item, *g.pass, i, count);
    const ir::Condition busy = (i + 1) * items > count ? j < count : ir::Condition::always();
    const Value inside = busy.is_always() ? j : b.binary(ir::Op::min, j, b.integer(count - 1));
    const auto index = kernel::butterfly_index(*g.pass, j, inside);
    result.digits.push_back(index.digit());
    result.reads.push_back(site_of(item, busy, index.first_read(), index.read_stride(), g.radix));
    result.writes.push_back(
        site_of(item, busy, index.first_write(), index.write_stride(), g.radix));
  }
  return result;
}

Site as_moved(const WorkItem& item, Site site) {
  if (item.reversed.is_never()) return site;
  ir::Builder& b = item.index.builder();
  const std::vector<Value> legs = site.points;
  for (std::size_t s = 0; s < legs.size(); ++s)
    site.points[s] = b.select(item.reversed, legs[legs.size() - 1 - s], legs[s]);
  return site;
}

Points as_moved(const WorkItem& item, const Points& x) {
  if (item.reversed.is_never()) return x;
  Points result;
  for (std::size_t s = 0; s < x.size(); ++s)
    result.push_back(unless(item.reversed, x[s], x[x.size() - 1 - s]));
  return result;
}

}  // namespace imago::blocks
