// This file leads elements through the hooks of their side (kernel::Hooked), between the door
// (blocks/elements) and memory.
#pragma once

#include "blocks/elements.hpp"
#include "blocks/hooked_array.hpp"

namespace imago::blocks {

/// Zero where the condition, which asks for one lane, is not met, and outside of boxes.
Cx load_hooked(const Input& input, const Numbers& at, ir::Value condition);
ir::Value load_hooked_real(const Input& input, const Numbers& at, ir::Value condition);

/// Loads an element's factors long before store_hooked wants them: work-items, in any order.
void load_factors(const Output& output, const Numbers& at, ir::Value condition);
void store_hooked(const Output& output, const Numbers& at, const Cx& x);
void store_hooked_real(const Output& output, const Numbers& at, ir::Value x);

/// An element of the spectrum that a filter turns in; `exists`: the condition on which there is
/// one.
Cx filtered(const Frame& frame, const Numbers& at, const Cx& x, ir::Value exists);

}  // namespace imago::blocks
