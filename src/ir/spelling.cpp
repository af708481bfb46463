// This file spells types, literals and operators in OpenCL C, independent of the locale.
#include "ir/spelling.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/errors.hpp"

namespace imago::ir {
namespace {

const char* base_name(Base base) {
  switch (base) {
    case Base::boolean:
      return "bool";
    case Base::i32:
      return "int";
    case Base::i64:
      return "long";
    case Base::f16:
      return "half";
    case Base::f32:
      return "float";
    case Base::f64:
      return "double";
    case Base::i8:
      return "char";
    case Base::u8:
      return "uchar";
    case Base::i16:
      return "short";
    case Base::u16:
      return "ushort";
    case Base::pair:
      return "pair";
    case Base::residue:
      return "ulong";
    case Base::residue32:
      return "uint";
  }
  base::internal_error("a type of the IR has no base");
}

/// Returns the shortest decimal that reads back as exactly this value.
template <class T>
std::string float_literal(T value, const char* suffix) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "(-INFINITY)" : "INFINITY";
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), std::abs(value)).ptr;
  std::string text(digits.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  text += suffix;
  return std::signbit(value) ? joined({"(-", text, ")"}) : text;
}

template <class T>
std::string integer_literal(std::int64_t wide, const char* suffix) {
  const T value = static_cast<T>(wide);
  if (value == std::numeric_limits<T>::min())
    return joined({"(", std::to_string(value + 1), suffix, " - 1)"});
  const std::string text = std::to_string(value) + suffix;
  return value < 0 ? joined({"(", text, ")"}) : text;
}

}  // namespace

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

std::string type_name(Type type) { return base_name(type.base) + lanes_suffix(type); }

std::string lanes_suffix(Type type) { return type.lanes == 1 ? "" : std::to_string(type.lanes); }

std::string stored_name(Type element) {
  return element.base == Base::pair ? "ulong" + lanes_suffix(element) : type_name(element);
}

std::string pointee_name(Type element) {
  return stored_name(element.base == Base::f16 ? element.scalar() : element);
}

std::string unaligned_name(Type type) { return stored_name(type) + "_u"; }

std::string shuffle_macro(Type type) { return joined({"SHUFFLE_", type_name(type)}); }

const char* space_name(Space space) {
  switch (space) {
    case Space::global:
      return "__global";
    case Space::local:
      return "__local";
    case Space::private_:
      return "__private";
  }
  base::internal_error("a memory of the IR has no address space");
}

std::string component(unsigned lane) { return std::string(".s") + "0123456789abcdef"[lane]; }

std::string int_literal(std::int64_t value) { return integer_literal<std::int32_t>(value, ""); }
std::string long_literal(std::int64_t value) { return integer_literal<std::int64_t>(value, "L"); }

std::string scalar_literal(const Instruction& instruction) {
  switch (instruction.type.base) {
    case Base::boolean:
      return instruction.integer != 0 ? "true" : "false";
    case Base::i32:
      return int_literal(instruction.integer);
    case Base::i64:
      return long_literal(instruction.integer);
    case Base::f16:
    case Base::i8:
    case Base::u8:
    case Base::i16:
    case Base::u16:
    case Base::pair:
      break;  // no value has this type, or it has two literals
    case Base::f32:
      return float_literal(static_cast<float>(instruction.number), "f");
    case Base::f64:
      return float_literal(instruction.number, "");
    case Base::residue:
      return std::to_string(static_cast<std::uint64_t>(instruction.integer)) + "UL";
    case Base::residue32:
      return std::to_string(static_cast<std::uint64_t>(instruction.integer)) + "U";
  }
  base::internal_error("a constant of the IR has no type");
}

std::string vector_literal(Type type, const std::vector<std::string>& components) {
  if (type.lanes == 1) return components[0];
  std::string text = joined({"(", stored_name(type), ")"});
  const char* separator = "(";
  for (const std::string& component : components) {
    text.append(separator).append(component);
    separator = ", ";
  }
  return text.append(")");
}

std::string zero_literal(Type type) {
  Instruction constant;
  constant.type = type.scalar();
  return scalar_literal(constant);
}

const char* infix(Op op) {
  switch (op) {
    case Op::add:
      return " + ";
    case Op::sub:
      return " - ";
    case Op::mul:
      return " * ";
    case Op::div:
      return " / ";
    case Op::mod:
      return " % ";
    case Op::bit_and:
      return " & ";
    case Op::bit_xor:
      return " ^ ";
    case Op::shift_left:
      return " << ";
    case Op::shift_right:
      return " >> ";
    case Op::less:
      return " < ";
    case Op::equal:
      return " == ";
    case Op::logical_and:
      return " && ";
    default:
      return nullptr;
  }
}

const char* function_name(Op op, Type type) {
  switch (op) {
    case Op::fma:
      return "fma";
    case Op::min:
      return type.is_float() ? "fmin" : "min";
    case Op::max:
      return type.is_float() ? "fmax" : "max";
    case Op::rint:
      return "rint";
    case Op::native_sin:
      return "native_sin";
    case Op::native_cos:
      return "native_cos";
    case Op::log2:
      return "log2";
    default:
      return nullptr;
  }
}

}  // namespace imago::ir
