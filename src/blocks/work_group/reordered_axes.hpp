// This file reorders the elements of axes (kernel::ReorderedAxis) in a kernel of the work-group
// mapping: into points before an axis's first pass, into elements after its last one. It moves them
// between global memory and the passes, and between passes.
#pragma once

#include <vector>

#include "blocks/elements.hpp"
#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Moves elements with other work-items of the group.
class ReorderedAxes {
 public:
  ReorderedAxes(const Frame& frame, Exchanger& exchange);

  /// Returns the points at the sites of the first pass.
  std::vector<Points> load(const WorkItem& item, const std::vector<Site>& points);
  /// Exchanges the values of all work-items, and returns those at `reads` before pass `pass`.
  std::vector<Points> exchanged(std::size_t pass, const Held& held, const std::vector<Site>& reads);
  void store(const WorkItem& item, const Held& held);

 private:
  std::vector<WorkItem> elements_of(ir::Value place, bool columns_fastest) const;
  ir::Value place_at_store() const;
  std::vector<Site> sites_of(const std::vector<WorkItem>& elements) const;
  std::vector<Points> load_in_order(const WorkItem& item, const std::vector<Site>& points);
  void store_in_order(const WorkItem& item, const Held& held);
  /// Returns the value in memory for the point at a place: an element, or a pair of real numbers.
  Cx element_at(const WorkItem& item, const Site& site, ir::Value place) const;
  Cx pair_at(const kernel::ReorderedAxis& axis, const WorkItem& item, const Site& site,
             ir::Value place) const;
  void store_at(const WorkItem& item, ir::Value place, const Cx& x) const;
  void exchange(std::size_t pass, const Held& held, const std::vector<Site>& reads,
                const Exchanger::Use& use);

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
  const Input input_;
  const Output output_;
  Exchanger& exchange_;
};

/// Reorders the points of a work-item's butterflies without other work-items, before a pass
/// (`load`) or after it. It handles axes that the work-item holds whole, and points with partners
/// in couples (pairs of butterflies). The first couple has the number `couple`, and the number of
/// each next one is larger by the work-items of the group.
std::vector<Points> reordered_alone(const Frame& frame, std::size_t pass, bool load,
                                    std::vector<Points> held, ir::Value couple);

}  // namespace imago::blocks
