// This file finds the functions that the build generated from the passes of small transforms, for
// the instruction set of this machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <imago/transform.hpp>

namespace imago::small {

/// A generated function (src/passes/passes.hpp). `scale` is the type of its numbers.
template <class Real>
using LineFunction = void (*)(const Real* from, Real* to, const Real* table, Real scale,
                              std::int64_t done, std::int64_t left, std::int64_t imaginary,
                              std::int64_t inverse, std::int64_t group);

/// Returns the instruction set of the functions in use, such as "x86-64-v3"; empty if the library
/// has none for this machine.
std::string_view instruction_set();

/// Returns the address of a generated function; null if there is none of that name.
void (*address_of(const std::string& name))();

template <class Real>
LineFunction<Real> function_of(const std::string& name) {
  return reinterpret_cast<LineFunction<Real>>(address_of(name));
}

}  // namespace imago::small
