// This file handles the butterflies of a work-item in a pass next to the combination of an axis's
// partners, points p and n - p (kernel::Pass::coupled). A couple is a pair of butterflies. A leg is
// an input or output of a butterfly. The R legs of a butterfly are D = n / R points apart, starting
// at its digit k < D. The partner of leg s, at k + D s, is leg R - 1 - s of the butterfly with the
// digit D - k. A work-item that holds both butterflies therefore needs no other work-item. The
// butterflies with the digits 0 and D / 2 have their partners among their own legs; they form a
// pair, too.
#pragma once

#include "blocks/complex.hpp"
#include "kernel/index_map.hpp"

namespace imago::blocks {

using Couples = kernel::CoupleIndex<ir::Value>;

/// Returns the partner of leg `leg` of a work-item's butterfly i. Butterflies 0 and 1 are the first
/// pair, 2 and 3 the next one, and so on.
Cx partner_in(const Couples& couples, ir::Value couple, const std::vector<Points>& held,
              std::size_t i, std::size_t leg);

}  // namespace imago::blocks
