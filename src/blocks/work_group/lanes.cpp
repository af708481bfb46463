// This file maps lanes to the work-items of a work-group. An item holds all its butterflies in
// registers, and between two passes they go through local memory; or it holds one at a time, and
// the points are in local memory.
#include "blocks/lanes.hpp"

#include <memory>
#include <utility>

#include "blocks/convolution.hpp"
#include "blocks/work_group/in_place.hpp"
#include "blocks/work_group/index_map.hpp"
#include "blocks/work_group/load.hpp"
#include "blocks/work_group/order.hpp"
#include "blocks/work_group/reordered_axes.hpp"
#include "blocks/work_group/store.hpp"

namespace imago::blocks {
namespace {

class WorkGroupLanes final : public Lanes {
 public:
  explicit WorkGroupLanes(const Frame& frame) : f_(frame), exchange_(make_exchanger(frame)) {}

  void pass(const Geometry& g, const Body& radix) override {
    const WorkItem item = this_work_item(f_, *g.pass);
    if (f_.step.group().exchange == Exchange::in_place)
      return pass_in_place(f_, *exchange_, item, g, radix);
    const Body body = g.turns ? with_product(f_, g, radix, column_of(item)) : radix;
    Butterflies mine = butterflies_of(f_, item, g);
    // Twiddles and the factors of elements are loaded while values are exchanged.
    std::vector<Butterfly> butterflies;
    butterflies.reserve(mine.digits.size());
    for (const ir::Value& k : mine.digits) butterflies.push_back(body({k, 0}));
    const auto number = static_cast<std::size_t>(g.pass - f_.step.passes.data());
    if (g.last) load_factors(f_, item, mine.writes);
    std::vector<Points> x = legs_of(g, item, number, mine.reads);
    x = reordered_alone(f_, number, true, std::move(x), item.index);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = butterflies[i](x[i]);
    x = reordered_alone(f_, number, false, std::move(x), item.index);
    held_ = {std::move(x), std::move(mine.writes)};
    if (g.last) store(f_, *exchange_, item, std::move(held_));
  }

 private:
  ConvolvedColumn column_of(const WorkItem& item) const {
    return {{item.number, 0}, item.active, [this, item](const Index& k, const Cx& sum) {
              return lone_element(f_, item, k, sum);
            }};
  }

  std::vector<Points> legs_of(const Geometry& g, const WorkItem& item, std::size_t number,
                              const std::vector<Site>& reads) {
    if (g.first) return load(f_, *exchange_, item, reads);
    if (g.in_place) return std::move(held_.values);
    return ReorderedAxes(f_, *exchange_).exchanged(number, held_, reads);
  }

  const Frame& f_;
  std::unique_ptr<Exchanger> exchange_;
  Held held_;  ///< results of the pass before
};

}  // namespace

void with_lanes(const kernel::WorkGroup&, const Frame& frame,
                const std::function<void(Lanes&)>& passes) {
  WorkGroupLanes lanes(frame);
  passes(lanes);
}

}  // namespace imago::blocks
