// This file is about the butterflies of a work-item in a pass next to where the points of an axis
// meet their partners: point p the point n - p (plan::Pass::coupled). The legs of a butterfly
// lie D = n / R points apart, from its digit k < D on, which is what its work-item finishes or
// begins with. The partner of leg s, k + D s, is leg R - 1 - s of the butterfly with the digit D -
// k, so that both in one work-item need no one else; digit 0 has its partners among its own legs,
// and is coupled with D / 2, which has, too.
#pragma once

#include "blocks/frame.hpp"

namespace imago::blocks {

class Couples {
 public:
  Couples(const Frame& frame, const plan::Pass& pass)
      : b_(frame.b),
        digits_(static_cast<std::int64_t>(pass.coupled)),
        from_digit_(static_cast<std::int64_t>(pass.from_digit())) {}

  /// The number among the pass's butterflies of one of a couple, `member` 0 or 1.
  ir::Value butterfly(ir::Value couple, std::size_t member) const;
  /// Its digit k.
  ir::Value digit(ir::Value couple, std::size_t member) const;
  /// The partner of leg `leg` of butterfly i of those that the work-item holds: couple after
  /// couple, the members of each one after the other.
  Cx partner(ir::Value couple, const std::vector<Points>& held, std::size_t i,
             std::size_t leg) const;

 private:
  ir::Value first_digit(ir::Value couple) const;
  ir::Value alone(ir::Value couple) const;  ///< whether its butterflies have their own partners

  ir::Builder& b_;
  const std::int64_t digits_;      ///< D
  const std::int64_t from_digit_;  ///< butterflies from one to the next
};

}  // namespace imago::blocks
