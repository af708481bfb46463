// This file moves values between lanes: transpositions in registers by two-operand shuffles.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/builder.hpp"

namespace imago::blocks {

using Vectors = std::vector<ir::Value>;

/// Returns `count` vectors from `count` vectors of `lanes` that hold a block of memory in order:
/// lane l of vector s is element l * count + s of the block (array of structures to structure of
/// arrays). Blocks that share vectors have equal parts of the lanes.
Vectors to_components(const Vectors& block, unsigned abreast = 1);
/// Returns the inverse of to_components(): lane l of vector s becomes element l * count + s of the
/// block.
Vectors from_components(const Vectors& components);
/// Returns a vector with lane l from index + l * apart of a memory of scalars. For one lane,
/// elements may be of any type. If there is a condition and it is false, the result is zero.
ir::Value gathered(ir::Builder& b, ir::MemoryId memory, ir::Value index, std::int64_t apart,
                   unsigned lanes, const ir::Condition& condition);
/// Returns the vector repeated `times` times.
ir::Value repeated(ir::Value vector, unsigned times);
/// Returns the vector with the lanes of `low`, followed by those of `high`.
ir::Value from_halves(ir::Value low, ir::Value high);
/// Returns the first (0) or the second (1) half of a vector's lanes.
ir::Value half_of(ir::Value vector, unsigned number);
/// Returns one vector of scalars, one for each lane.
ir::Value from_lanes(const Vectors& lanes);

}  // namespace imago::blocks
