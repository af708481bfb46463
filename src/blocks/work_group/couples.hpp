// This file handles the butterflies of a work-item in a pass next to the combination of an axis's
// partners, points p and n - p (kernel::Pass::coupled). The legs of a butterfly are D = n / R
// points apart, starting at its digit k < D. The partner of leg s, at k + D s, is leg R - 1 - s of
// the butterfly with the digit D - k. A work-item that holds both butterflies needs no other. Digit
// 0 has its partners among its own legs, and so has D / 2; these two are a pair.
#pragma once

#include "blocks/complex.hpp"
#include "kernel/index_map.hpp"

namespace imago::blocks {

using Couples = kernel::CoupleIndex<ir::Value>;

/// Returns the partner of leg `leg` of a work-item's butterfly i. Butterflies are counted pair
/// after pair, with the two members of a pair in sequence.
Cx partner_in(const Couples& couples, ir::Value couple, const std::vector<Points>& held,
              std::size_t i, std::size_t leg);

}  // namespace imago::blocks
