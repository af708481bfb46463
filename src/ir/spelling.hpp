// This file spells types, literals and operators in OpenCL C, for the renderer.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::ir {

/// Returns the parts joined to one string. GCC 12 warns about adding a literal before a string.
std::string joined(std::initializer_list<std::string_view> parts);

std::string type_name(Type type);
/// Returns the suffix of the names of vector types and functions; empty for a scalar.
std::string lanes_suffix(Type type);
/// Returns the type of elements in memory, except f16.
std::string stored_name(Type element);
/// Returns the type of the elements in a kernel's signature; vload_half and vstore_half need
/// pointers to single halves.
std::string pointee_name(Type element);
/// Returns the name of a vector type with the alignment of its components, for arrays of scalars.
std::string unaligned_name(Type type);
/// Returns the name of the macro that makes a vector of that type from any lanes of two others.
std::string shuffle_macro(Type type);
const char* space_name(Space space);
/// Returns ".s0" to ".sf".
std::string component(unsigned lane);

std::string int_literal(std::int64_t value);
std::string long_literal(std::int64_t value);
/// Returns the value of a constant, without its lanes; floats read back as exactly the same value.
std::string scalar_literal(const Instruction& constant);
/// Returns scalars as one value of a type: one for each lane, or one for all. For pairs, both are
/// as in memory.
std::string vector_literal(Type type, const std::vector<std::string>& components);
/// Returns the zero of a type's lanes.
std::string zero_literal(Type type);

/// Returns the operator between two operands, or nullptr.
const char* infix(Op op);
/// Returns the OpenCL function that computes an operation of this type, or nullptr.
const char* function_name(Op op, Type type);

}  // namespace imago::ir
