// This file generates the code around a user's function (kernel::Snippet): the types that its text
// uses, and the function that kernels call, which computes the element's indices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "kernel/hooks.hpp"

namespace imago::blocks {

/// The function that kernels call, and the texts that define it, in their order in the kernel. Each
/// kernel contains each text once.
struct UserFunction {
  std::string name;
  std::vector<std::string> texts;
};

/// Returns the name, in compiler messages, of the declaration that a text's function must match.
std::string prototype_label(const std::string& field);

/// The type of a hook's elements.
struct UserElements {
  ir::Type number;  ///< f32 or f64
  bool real;        ///< false: complex
};

/// Returns the function T f(T x, long number, long place, parameters..) for an element, its number,
/// and its number within its batch member.
UserFunction user_function(const UserElements& elements, const kernel::Hooked& hooked,
                           const kernel::Snippet& snippet);

/// The elements that a function processes at once, in vectors of `width`. Lane l < `lanes` is l
/// times these distances after lane 0; later lanes repeat the same elements.
struct UserLanes {
  unsigned width = 1, lanes = 1;
  std::uint64_t element = 0, member = 0;
  std::vector<std::uint64_t> indices = {};
};
/// Returns the function imago_complex f(T re, T im, long2 first, parameters..) or T f(T x, long2
/// first, parameters..). T is a vector; `first` holds the number of lane 0, and its number within
/// its batch member.
UserFunction user_function_of_lanes(const UserElements& elements, const kernel::Hooked& hooked,
                                    const kernel::Snippet& snippet, const UserLanes& lanes);

/// Returns the function T f(long offset, memory.., userdata) at load, or T f(T x, long offset,
/// memory.., userdata) at store, whose result is ignored. With `planar` there are two memories.
UserFunction user_access(const UserElements& elements, const kernel::Snippet& snippet, bool planar,
                         bool store);

}  // namespace imago::blocks
