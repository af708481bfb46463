// This file applies the hooks of a side (kernel::Hooked) between the load/store layer
// (blocks/elements) and memory.
#pragma once

#include "blocks/elements.hpp"
#include "blocks/hooked_array.hpp"

namespace imago::blocks {

/// Loads elements. They are zero outside boxes, and if the condition, which requires one lane, is
/// false.
Cx load_hooked(const Input& input, const Numbers& at, const ir::Condition& condition);
ir::Value load_hooked_real(const Input& input, const Numbers& at, const ir::Condition& condition);

/// Loads an element's factors long before store_hooked() needs them. It is for the work-group
/// mapping; the order of elements does not matter.
void load_factors(const Output& output, const Numbers& at, const ir::Condition& condition);
/// Loads the number in memory to which accumulate() adds an element, before store_hooked() needs
/// it: loads between stores would wait for each other.
void load_summand(const Output& output, const Numbers& at);
void store_hooked(const Output& output, const Numbers& at, const Cx& x);
void store_hooked_real(const Output& output, const Numbers& at, ir::Value x);

/// Returns true if the text of a side's hooks, repeated for each leg of a butterfly, is so
/// long that the legs pass through the hooks in a loop. `at` is the place of the first leg.
bool hooks_need_loop(const Frame& frame, const kernel::Side& side, const Numbers& at,
                     unsigned legs);
/// Returns the same for the hooks of a filter.
bool filter_needs_loop(const Frame& frame, const Numbers& at, unsigned legs);

/// Returns an element of the spectrum after the hooks of a filter; `exists` is the condition under
/// which the element exists.
Cx filtered(const Frame& frame, const Numbers& at, const Cx& x, const ir::Condition& exists);

}  // namespace imago::blocks
