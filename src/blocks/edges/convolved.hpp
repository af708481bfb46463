// This file leads the elements of a convolution through the edge of their side (kernel::Convolved),
// by its facts: where they have other places, or factors, a table tells these.
#pragma once

#include <cstdint>
#include <optional>

#include "blocks/frame.hpp"

namespace imago::blocks {

/// Where a convolution begins (load) or ends (store): which points of the kernel have an element,
/// which one, and what becomes of it.
class ConvolvedEdge {
 public:
  ConvolvedEdge(const Frame& frame, const kernel::Side& side, kernel::End end);
  const kernel::ConvolvedFacts& facts() const { return facts_; }

  /// Whether the element of a number in the convolution exists.
  ir::Value exists(ir::Value number) const;
  /// Whether none of the elements from point `first` on exists, in any column.
  bool nothing_from(std::uint64_t first) const;
  /// The element of a point, in memory.
  ir::Value element(ir::Value point) const;
  /// The place of that element among the kernel's points.
  ir::Value place(ir::Value point) const;
  /// Elements number, number + step, .. one per lane: those of the DFT as the convolution takes
  /// them, its results as those of the DFT; zero stays where `condition` is not met.
  Cx changed(const Cx& x, const Index& number, ir::Value condition) const;

 private:
  const Frame& f_;
  const kernel::ConvolvedFacts facts_;
  const std::size_t table_;  ///< offset of the edge's section
  const bool at_load_;
};

/// The edge of the step at this end; none where no convolution begins or ends.
std::optional<ConvolvedEdge> convolved_at(const Frame& frame, kernel::End end);

}  // namespace imago::blocks
