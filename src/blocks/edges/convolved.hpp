// This file applies the edge of a convolution (kernel::Convolved) to the elements of its side. If
// elements have other places or factors, it reads them from a table.
#pragma once

#include <cstdint>
#include <optional>

#include "blocks/frame.hpp"

namespace imago::blocks {

/// The start (load) or the end (store) of a convolution: which points of the kernel have an
/// element, which element, and how it changes.
class ConvolvedEdge {
 public:
  ConvolvedEdge(const Frame& frame, const kernel::Side& side, kernel::End end);
  const kernel::ConvolvedFacts& facts() const { return facts_; }

  /// Returns a condition: the element with this number in the convolution exists.
  ir::Condition exists(ir::Value number) const;
  /// Returns true if no column has an element at or after point `first`.
  bool nothing_from(std::uint64_t first) const;
  /// Returns the element, in memory, of a point.
  ir::Value element(ir::Value point) const;
  /// Returns the place of that element among the kernel's points.
  ir::Value place(ir::Value point) const;
  /// Returns the elements number, number + step and so on, one for each lane, as changed by the
  /// edge: at load from the DFT's elements to those of the convolution, at store back. If
  /// `condition` is false, zero stays zero.
  Cx changed(const Cx& x, const Index& number, const ir::Condition& condition) const;

 private:
  const Frame& f_;
  const kernel::ConvolvedFacts facts_;
  const std::size_t table_;  ///< table offset of the edge's section
  const bool at_load_;
};

/// Returns the edge of the step at this end; nullopt if no convolution begins or ends there.
std::optional<ConvolvedEdge> convolved_at(const Frame& frame, kernel::End end);

}  // namespace imago::blocks
