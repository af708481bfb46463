// This file spells types, literals and operators in OpenCL C, for the renderer.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::ir {

/// The parts one behind the other. GCC 12 warns where a literal is added in front of a string.
std::string joined(std::initializer_list<std::string_view> parts);

std::string type_name(Type type);
/// What the names of vector types and functions end with: nothing for a scalar.
std::string lanes_suffix(Type type);
/// Type of the elements in a kernel's signature; vload_half and vstore_half take halves one by one.
std::string pointee_name(Type element);
/// A vector type that is aligned like its components, to read and write arrays of scalars.
std::string unaligned_name(Type type);
/// The macro whose result is a vector of that type, with any lanes of two others.
std::string shuffle_macro(Type type);
const char* space_name(Space space);
/// ".s0" to ".sf".
std::string component(unsigned lane);

std::string int_literal(std::int64_t value);
std::string long_literal(std::int64_t value);
/// The value of a constant, without its lanes; floats read back as exactly the same value.
std::string scalar_literal(const Instruction& constant);
/// Scalars as one value of a type: one for each lane, or one for all.
std::string vector_literal(Type type, const std::vector<std::string>& components);
std::string zero(Type type);

/// The operator between two operands, or nullptr.
const char* infix(Op op);
/// The OpenCL function that computes an operation of this type, or nullptr.
const char* function_name(Op op, Type type);

}  // namespace imago::ir
