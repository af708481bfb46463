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

/// Returns the file name that compilers report for errors in the prototype of a user's function.
/// `field` is the option that holds the user's text. The prototype is generated; the user's
/// function must match it.
std::string prototype_label(const std::string& field);

/// The type of a hook's elements.
struct UserElements {
  ir::Type number;  ///< f32 or f64
  bool real;        ///< false: complex
};

/// Returns the function T f(T x, long number, long place, parameters..). `x` is the element of the
/// array, `number` its linear index in the packed array, and `place` its linear index in its batch
/// element.
UserFunction user_function(const UserElements& elements, const kernel::Hooked& hooked,
                           const kernel::Snippet& snippet);

/// The elements that a function processes at once, in vectors of `width` lanes. The first `lanes`
/// lanes hold different elements, and later lanes repeat them. The other fields are distances from
/// lane to lane: of the linear index, of the index in the batch, and of the index along each
/// dimension.
struct UserLanes {
  unsigned width = 1, lanes = 1;
  std::uint64_t element = 0, member = 0;
  std::vector<std::uint64_t> indices = {};
};
/// Returns the function imago_complex f(T re, T im, long2 first, parameters..) or T f(T x, long2
/// first, parameters..). T is a vector. `first` holds `number` and `place` of lane 0, as for
/// user_function().
UserFunction user_function_of_lanes(const UserElements& elements, const kernel::Hooked& hooked,
                                    const kernel::Snippet& snippet, const UserLanes& lanes);

/// Returns the function T f(long offset, memory.., userdata) at load, or T f(T x, long offset,
/// memory.., userdata) at store, whose result is ignored. With `planar` there are two memories.
UserFunction user_access(const UserElements& elements, const kernel::Snippet& snippet, bool planar,
                         bool store);

}  // namespace imago::blocks
