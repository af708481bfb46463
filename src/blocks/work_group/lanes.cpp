// This file maps lanes to the work-items of a work-group. All butterflies of an item are held in
// registers; between two passes they go through local memory.
#include "blocks/lanes.hpp"

#include <memory>
#include <utility>

#include "blocks/convolution.hpp"
#include "blocks/work_group/index_map.hpp"
#include "blocks/work_group/load.hpp"
#include "blocks/work_group/order.hpp"
#include "blocks/work_group/reordered_axes.hpp"
#include "blocks/work_group/store.hpp"

namespace imago::blocks {
namespace {

class WorkGroupLanes final : public Lanes, public ProductSite {
 public:
  explicit WorkGroupLanes(const Frame& frame) : f_(frame), exchange_(make_exchanger(frame)) {}

  void pass(const Geometry& g, const Body& body) override {
    item_ = this_work_item(f_, *g.pass);
    Butterflies mine = butterflies_of(f_, item_, g);
    // Twiddles are on their way while values are exchanged.
    std::vector<Butterfly> butterflies;
    butterflies.reserve(mine.digits.size());
    for (const ir::Value& k : mine.digits) butterflies.push_back(body({k, 0}));
    const auto number = static_cast<std::size_t>(g.pass - f_.step.passes.data());
    std::vector<Points> x = legs_of(g, number, mine.reads);
    x = reordered_alone(f_, number, true, std::move(x), item_.index);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = butterflies[i](x[i]);
    x = reordered_alone(f_, number, false, std::move(x), item_.index);
    held_ = {std::move(x), std::move(mine.writes)};
    if (g.last) store(f_, *exchange_, item_, std::move(held_));
  }

  Index number() const override { return {item_.number, 0}; }
  Cx lone_element(const Index& k, const Cx& sum) override {
    return blocks::lone_element(f_, item_, k, sum);
  }

 private:
  std::vector<Points> legs_of(const Geometry& g, std::size_t number,
                              const std::vector<Site>& reads) {
    if (g.first) return load(f_, *exchange_, item_, reads);
    if (g.in_place) return std::move(held_.values);
    return ReorderedAxes(f_, *exchange_).exchanged(number, held_, reads);
  }

  const Frame& f_;
  std::unique_ptr<Exchanger> exchange_;
  WorkItem item_;  ///< of the pass, which its body asks for
  Held held_;      ///< what the pass before has left
};

}  // namespace

void with_work_group_lanes(const Frame& frame, const Passes& passes) {
  WorkGroupLanes lanes(frame);
  passes(lanes, lanes);
}

}  // namespace imago::blocks
