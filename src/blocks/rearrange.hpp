// This file moves values between lanes: transpositions in registers from two-operand shuffles.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/builder.hpp"

namespace imago::blocks {

using Vectors = std::vector<ir::Value>;

/// `count` vectors of `lanes` hold a block of memory in order. Returns `count` vectors: lane l of
/// vector s is element l * count + s of the block (an array of structures made a structure of
/// arrays). Blocks abreast have equal parts of the lanes.
Vectors to_components(const Vectors& block, unsigned abreast = 1);
/// The reverse: vector s, lane l becomes element l * count + s of the block.
Vectors from_components(const Vectors& components);
/// Lane l from index + l * apart of a memory of scalars (one lane: an element of any); zero where
/// there is a condition that is not met.
ir::Value gathered(ir::Builder& b, ir::MemoryId memory, ir::Value index, std::int64_t apart,
                   unsigned lanes, ir::Value condition);
/// The vector so many times over.
ir::Value repeated(ir::Value vector, unsigned times);
/// One vector of a scalar for each lane.
ir::Value from_lanes(const Vectors& lanes);

}  // namespace imago::blocks
