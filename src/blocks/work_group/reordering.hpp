// This file reorders the elements of axes (kernel::ReorderedAxis) in a kernel of the work-group
// mapping: into points before an axis's first pass, into elements after its last one.
#pragma once

#include <vector>

#include "blocks/edges/numbered.hpp"
#include "blocks/edges/roots.hpp"

namespace imago::blocks {

/// One axis on one side of its passes.
struct AxisSide {
  const kernel::ReorderedAxis* axis;
  bool load;             ///< true: elements become points; false: points become elements
  bool coupled = false;  ///< work-items combine partners themselves
};

/// Computes the values that are read before a pass, if several axes are reordered there.
class Reordering {
 public:
  /// Prepares the values before pass `pass`, or before the store if there is no such pass.
  Reordering(const Frame& frame, std::size_t pass);

  bool any() const { return !sides_.empty(); }
  /// Returns true if a value is made of several others.
  bool joins() const { return sources(f_.b.integer(0)).size() > 1; }
  /// Returns the places in the transform whose values make the one at `place`.
  std::vector<ir::Value> sources(ir::Value place) const;
  /// Returns the value at `place`, made of the values at its sources.
  Cx made(ir::Value place, const Points& found) const;

 private:
  void add(const AxisSide& side);
  using Digits = std::vector<ir::Value>;  ///< one for each axis
  Digits digits(ir::Value place) const;
  using ByDigits = std::function<Cx(const Digits& digits)>;
  ir::Value place_of(const Digits& digits, const Digits& own, ir::Value place) const;
  Cx made(ir::Value place, const ByNumber& at, bool factors) const;
  Cx made(const Digits& digits, std::size_t from, const ByDigits& at, bool factors) const;

  const Frame& f_;
  std::vector<AxisSide> sides_;
};

/// Reorders the points of a work-item's butterflies without other work-items, before a pass
/// (`load`) or after it. It handles axes that the work-item holds whole, and points with partners
/// in couples (pairs of butterflies). The first couple has the number `couple`, and the number of
/// each next one is larger by the work-items of the group.
std::vector<Points> reordered_alone(const Frame& frame, std::size_t pass, bool load,
                                    std::vector<Points> held, ir::Value couple);

}  // namespace imago::blocks
