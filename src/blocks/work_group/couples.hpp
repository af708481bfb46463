// This file is about the butterflies of a work-item in a pass next to where the points of an axis
// meet their partners: point p the point n - p (kernel::Pass::coupled). The legs of a butterfly lie
// D = n / R points apart, from its digit k < D on, which is what its work-item finishes or begins
// with. The partner of leg s, k + D s, is leg R - 1 - s of the butterfly with the digit D - k, so
// that both in one work-item need no one else; digit 0 has its partners among its own legs, and is
// coupled with D / 2, which has, too.
#pragma once

#include "blocks/complex.hpp"
#include "kernel/index_map.hpp"

namespace imago::blocks {

using Couples = kernel::CoupleIndex<ir::Value>;

/// The partner of leg `leg` of butterfly i of those that a work-item holds: couple after couple,
/// the members of each one after the other.
Cx partner_in(const Couples& couples, ir::Value couple, const std::vector<Points>& held,
              std::size_t i, std::size_t leg);

}  // namespace imago::blocks
