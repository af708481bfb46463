// This file leads the elements of a convolution through the edge of their side (plan::Convolved):
// each edge is a class in the file of its name.
#pragma once

#include <cstdint>
#include <memory>

#include "blocks/frame.hpp"

namespace imago::blocks {

/// Where a convolution begins (load) or ends (store): which points of the kernel have an element,
/// which one, and what becomes of it.
class ConvolvedEdge {
 public:
  ConvolvedEdge(const Frame& frame, plan::End end);
  ConvolvedEdge(const ConvolvedEdge&) = delete;
  ConvolvedEdge& operator=(const ConvolvedEdge&) = delete;
  virtual ~ConvolvedEdge() = default;
  const plan::ConvolvedFacts& facts() const { return facts_; }

  /// Whether the element of a number in the convolution exists. Invalid: always.
  ir::Value exists(ir::Value number) const;
  /// Whether none of the elements from point `first` on exists, in any column.
  bool nothing_from(std::uint64_t first) const;
  /// The element of a point, in memory.
  ir::Value element(ir::Value point) const;
  /// The place of that element among the kernel's points.
  virtual ir::Value place(ir::Value point) const { return point; }
  /// Elements number, number + step, .. one per lane: those of the DFT as the convolution takes
  /// them, its results as those of the DFT; zero stays where `condition` is not met.
  Cx changed(const Cx& x, const Index& number, ir::Value condition) const;

 protected:
  /// Factors of elements; not valid: none.
  virtual Cx factor(const Index&, unsigned /*lanes*/, ir::Value /*condition*/) const { return {}; }

  const Frame& f_;
  const bool at_load_;
  const std::size_t table_;  ///< offset of the edge's section

 private:
  const plan::ConvolvedFacts facts_;
};

using ConvolvedEdgePtr = std::unique_ptr<const ConvolvedEdge>;
/// The edge of the step at this end; null: no convolution begins or ends there.
ConvolvedEdgePtr convolved_at(const Frame& frame, plan::End end);

}  // namespace imago::blocks
