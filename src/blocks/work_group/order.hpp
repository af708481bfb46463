// This file holds what a work-group does for the elements of a convolution, where it begins and
// where it ends: their places and factors, and the element that stays beside it.
#pragma once

#include "blocks/edges/convolved.hpp"
#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Number of a leg in the convolution.
ir::Value number_at(const Frame& frame, const WorkItem& item, const Site& site, std::size_t leg);
/// Whether the leg lies beyond all elements in every butterfly.
bool nothing_at(const ConvolvedEdge& edge, const Site& site, std::size_t leg);

/// Loaded elements as the convolution takes them, or its results as elements of the DFT, at the
/// same sites. Where they have other places they go there through local memory: at load to the
/// places, at store from them, so that neighbouring work-items have neighbouring elements.
std::vector<Points> convolved_in(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                                 const ConvolvedEdge& edge, Held elements);
std::vector<Points> convolved_out(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                                  const ConvolvedEdge& edge, Held results);

/// ConvolvedColumn::lone_element.
Cx lone_element(const Frame& frame, const WorkItem& item, const Index& k, const Cx& sum);

}  // namespace imago::blocks
