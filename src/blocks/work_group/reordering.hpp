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
  bool load;             ///< elements become points; else the other way round
  bool coupled = false;  ///< work-items join partners themselves
};

/// What the values that are read in front of a pass are made of, where several axes are reordered
/// on the way.
class Reordering {
 public:
  /// In front of pass `pass`, or of the store where there is no such pass.
  Reordering(const Frame& frame, std::size_t pass);

  bool any() const { return !sides_.empty(); }
  /// Whether values are made of several.
  bool joins() const { return sources(f_.b.integer(0)).size() > 1; }
  /// The places in the transform whose values make the one at `place`.
  std::vector<ir::Value> sources(ir::Value place) const;
  /// The value at `place`, of those at its sources.
  Cx made(ir::Value place, const Points& found) const;

 private:
  void add(const AxisSide& side);
  using Digits = std::vector<ir::Value>;  ///< one per axis
  Digits digits(ir::Value place) const;
  using ByDigits = std::function<Cx(const Digits& digits)>;
  ir::Value place_of(const Digits& digits, const Digits& own, ir::Value place) const;
  Cx made(ir::Value place, const ByNumber& at, bool factors) const;
  Cx made(const Digits& digits, std::size_t from, const ByDigits& at, bool factors) const;

  const Frame& f_;
  std::vector<AxisSide> sides_;
};

/// What a work-item makes of the points of its butterflies on its own, before a pass (`load`) or
/// after it: whole axes that it has, and points with partners in couples, the first of which
/// is number `couple`, the others `items` further each.
std::vector<Points> reordered_alone(const Frame& frame, std::size_t pass, bool load,
                                    std::vector<Points> held, ir::Value couple);

}  // namespace imago::blocks
