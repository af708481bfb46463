// This file executes passes whose points are in local memory.
#include "blocks/work_group/in_place.hpp"

#include "base/integers.hpp"
#include "blocks/work_group/load.hpp"
#include "blocks/work_group/store.hpp"
#include "kernel/index_map.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

Site legs_at(const WorkItem& item, Value first, std::int64_t stride, unsigned radix) {
  const ir::Condition always = ir::Condition::always();  // the caller tests it
  Site site{always, always, item.column, stride, {}};
  for (unsigned r = 0; r < radix; ++r) site.points.push_back(first + stride * r);
  return site;
}

/// One pass of the executing work-item.
class InPlacePass {
 public:
  InPlacePass(const Frame& frame, Exchanger& exchange, const WorkItem& item,
              const Geometry& geometry)
      : f_(frame), b_(frame.b), exchange_(exchange), item_(item), g_(geometry) {}

  /// Computes butterfly `number`.
  void butterfly(Value number, const Body& radix) const {
    const auto index = kernel::butterfly_index(*g_.pass, number, number);
    const Butterfly compute = radix({index.digit(), 0});
    const Points x = compute(g_.first ? loaded(index) : fetched(index));
    if (g_.last) return store(f_, exchange_, item_, {{x}, {writes(index)}});
    const Site at = places(index);
    for (std::size_t s = 0; s < x.size(); ++s)
      b_.store(f_.local, at.points[s], b_.pair(x[s].re, x[s].im));
  }

 private:
  using Index = kernel::ButterflyIndex<Value>;

  Points loaded(const Index& index) const {
    const Site reads = legs_at(item_, index.first_read(), index.read_stride(), g_.radix);
    return load(f_, exchange_, item_, {reads})[0];
  }
  Site writes(const Index& index) const {
    return legs_at(item_, index.first_write(), index.write_stride(), g_.radix);
  }
  Points fetched(const Index& index) const {
    Points x;
    for (const Value& place : places(index).points) {
      const Value both = b_.load(f_.local, place);
      x.push_back({b_.extract(both, 0), b_.extract(both, 1)});
    }
    return x;
  }
  Site places(const Index& index) const {
    const kernel::Step& step = f_.step;
    const auto [first, stride] = kernel::in_place(step, index, step.group().padding);
    const Value column = item_.column * static_cast<std::int64_t>(step.column_span());
    return legs_at(item_, first + column, stride, g_.radix);
  }

  const Frame& f_;
  ir::Builder& b_;
  Exchanger& exchange_;
  const WorkItem& item_;
  const Geometry& g_;
};

}  // namespace

void pass_in_place(const Frame& f, Exchanger& exchange, const WorkItem& item, const Geometry& g,
                   const Body& radix) {
  const InPlacePass pass(f, exchange, item, g);
  const auto items = static_cast<std::int64_t>(f.step.group().items),
             count = static_cast<std::int64_t>(f.step.length / g.radix);
  f.b.loop(base::ceil_divide(count, items), [&](Value round) {
    const Value number = item.index + round * items;
    const ir::Condition busy = count % items == 0 ? ir::Condition::always() : number < count;
    f.b.when(item.active && busy, [&] { pass.butterfly(number, radix); });
  });
  if (!g.last) f.b.barrier();
}

}  // namespace imago::blocks
