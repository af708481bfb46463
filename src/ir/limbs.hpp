// This file computes butterflies modulo p = 2^64 - 2^32 + 1 with limbs instead of words, on
// work-groups. Sums of words modulo p have carries, which are most of a GPU's instructions. Limbs
// have none: a value between two products is x = l0 + 2^24 l1 + 2^48 l2 + 2^72 l3 with signed
// integers of 32 bits. A factor 2^24 moves limbs, since 2^96 is -1.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ir/kernel.hpp"

namespace imago::ir {

/// Rewrites the sums of a kernel, if it computes modulo p with scalars. The words of its local
/// memory are then congruent to residues, but may be as large as p or larger.
Kernel in_limbs(Kernel kernel);

/// Returns the definitions of the functions of limbs; empty for a kernel without them.
std::string limbs_definitions(const Kernel& kernel);

/// Returns the expression of an operation that makes, turns or joins limbs, and an empty text for
/// others. `text` returns the text of a value.
std::string limbs_expression(const Kernel& kernel, const Instruction& x,
                             const std::function<std::string(std::uint32_t)>& text);

/// Returns true for a product of words whose result may be as large as p or larger.
bool is_raw_product(const Instruction& x);

}  // namespace imago::ir
