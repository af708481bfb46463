// This file moves the elements of reordered axes between global memory and the passes of the
// work-group mapping, and between passes.
#pragma once

#include <vector>

#include "blocks/elements.hpp"
#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/reordering.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

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

}  // namespace imago::blocks
