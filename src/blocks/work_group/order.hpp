// This file holds what a work-group does for the elements of a convolution: Bluestein's chirp,
// Rader's order, and Rader's element 0.
#pragma once

#include <functional>

#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Number of a leg in the convolution.
ir::Value number_at(const Frame& frame, const WorkItem& item, const Site& site, std::size_t leg);
/// Whether the leg lies beyond all elements in every butterfly.
bool nothing_at(const plan::Step& step, const Site& site, std::size_t leg);

/// Calls apply(value, its chirp) for every held element that can exist.
void with_chirp(const Frame& frame, const WorkItem& item, Held& held,
                const std::function<void(Cx& value, const Cx& factor)>& apply);

/// Loaded elements, which go where Rader's order has them: the values at the same sites then.
std::vector<Points> into_order(const Frame& frame, Exchanger& exchange, Held elements);
/// Results, which are fetched from where Rader's order has them: the elements of the DFT at the
/// same sites, neighbours for neighbouring work-items.
std::vector<Points> out_of_order(const Frame& frame, Exchanger& exchange, const Held& results);

/// ConvolvedColumn::lone_element.
Cx lone_element(const Frame& frame, const WorkItem& item, const Index& k, const Cx& sum);

}  // namespace imago::blocks
