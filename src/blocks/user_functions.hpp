// This file writes what stands around a user's function (kernel::Snippet): the types that its text
// sees, and the function that kernels call, which finds the element's indices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "kernel/hooks.hpp"

namespace imago::blocks {

/// The function that kernels call, and the texts that define it, in the order in which a kernel has
/// them. A kernel has each text once.
struct UserFunction {
  std::string name;
  std::vector<std::string> texts;
};

/// Names, in a compiler's messages, the declaration that a text's function must have.
std::string prototype_label(const std::string& field);

/// What the elements of a hook are made of.
struct UserElements {
  ir::Type number;  ///< f32 or f64
  bool real;        ///< else complex
};

/// T f(T x, long number, long place, parameters..): an element, its number, and that within its
/// batch member.
UserFunction user_function(const UserElements& elements, const kernel::Hooked& hooked,
                           const kernel::Snippet& snippet);

/// Elements that a function takes at once, in vectors of `width`: lane l < `lanes` is l times
/// these further than lane 0, and what lies behind holds the same again.
struct UserLanes {
  unsigned width = 1, lanes = 1;
  std::uint64_t element = 0, member = 0;
  std::vector<std::uint64_t> indices = {};
};
/// imago_complex f(T re, T im, long2 first, parameters..), or T f(T x, long2 first, parameters..):
/// T a vector, `first` the number and the place of lane 0.
UserFunction user_function_of_lanes(const UserElements& elements, const kernel::Hooked& hooked,
                                    const kernel::Snippet& snippet, const UserLanes& lanes);

/// T f(long offset, memory.., userdata), at load; T f(T x, long offset, memory.., userdata), at
/// store, whose result says nothing. `planar`: memory is two.
UserFunction user_access(const UserElements& elements, const kernel::Snippet& snippet, bool planar,
                         bool store);

}  // namespace imago::blocks
