// This file handles the elements of a convolution in a work-group, at its start and its end: their
// places and factors, and the element that stays outside the convolution.
#pragma once

#include "blocks/edges/convolved.hpp"
#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Returns the number, in the convolution, of a butterfly's leg (input or output).
ir::Value number_at(const Frame& frame, const WorkItem& item, const Site& site, std::size_t leg);
/// Returns true if the leg is beyond all elements in every butterfly.
bool nothing_at(const ConvolvedEdge& edge, const Site& site, std::size_t leg);

/// Convert elements of the DFT to those of the convolution after the load, and its results back
/// before the store, at the same sites. If elements have other places, they go through local
/// memory, to their places at load and from them at store. Adjacent work-items then access adjacent
/// elements.
std::vector<Points> convolved_in(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                                 const ConvolvedEdge& edge, Held elements);
std::vector<Points> convolved_out(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                                  const ConvolvedEdge& edge, Held results);

/// Implements ConvolvedColumn::lone_element.
Cx lone_element(const Frame& frame, const WorkItem& item, const Index& k, const Cx& sum);

}  // namespace imago::blocks
