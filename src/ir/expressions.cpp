// This file renders the values of a kernel as expressions.
#include "ir/expressions.hpp"

#include <algorithm>
#include <cstddef>

#include "base/errors.hpp"
#include "ir/counters.hpp"
#include "ir/limbs.hpp"
#include "ir/spelling.hpp"

namespace imago::ir {
namespace {

/// Returns true if the text of an inlined value needs no parentheses next to an operator.
bool binds_tightly(const Instruction& x) {
  if (function_name(x.op, x.type) != nullptr) return true;
  switch (x.op) {
    case Op::constant:
      return x.type.lanes == 1;  // components of a vector may be selected
    case Op::argument:
    case Op::group_id:
    case Op::local_id:
    case Op::convert:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool needs_shuffle(const Kernel& kernel, const Instruction& x) {
  return x.op == Op::shuffle && x.type.lanes > 1 && kernel.code[x.args[0]].type.lanes > 1;
}

Expressions::Expressions(const Kernel& kernel, const Language& language)
    : kernel_(kernel),
      language_(language),
      uses_(kernel.code.size()),
      pairs_(raw_pairs(kernel)),
      units_(residue_units(kernel)) {
  for (const Instruction& instruction : kernel.code) {
    for (const std::uint32_t argument : instruction.args) {
      if (argument != kNone) ++uses_[argument];
    }
    // Strided operations write their operands once per lane.
    if (instruction.op == Op::load_strided || instruction.op == Op::store_strided) {
      ++uses_[instruction.args[0]];
    }
  }
}

bool Expressions::is_inlined(std::uint32_t index) const {
  const Instruction& instruction = kernel_.code[index];
  if (units_.joined[index] || pairs_.joined[index]) return true;
  switch (instruction.op) {
    case Op::constant:
    case Op::argument:
      return true;
    case Op::load:
    case Op::load_if:
    case Op::load_strided:
    case Op::loop_begin:
    case Op::take_ticket:
      return false;
    default:
      return uses_[index] <= 1 && instruction.type.lanes == 1 && !instruction.type.is_float();
  }
}

std::string Expressions::name(std::uint32_t index) const {
  return joined({kernel_.code[index].op == Op::loop_begin ? "i" : "v", std::to_string(index)});
}

std::string Expressions::operand(std::uint32_t index) const {
  const bool alone = !is_inlined(index) || binds_tightly(kernel_.code[index]);
  return alone ? bare(index) : joined({"(", bare(index), ")"});
}

std::string Expressions::bare(std::uint32_t index) const {
  return is_inlined(index) ? definition(index) : name(index);
}

Access Expressions::access_of(const Instruction& x) const {
  return {kernel_, language_, x, {bare(x, 0), operand(x, 0)}};
}

std::string Expressions::definition(std::uint32_t index) const {
  const Instruction& x = kernel_.code[index];
  if (is_pair(x.type) || (x.args[0] != kNone && is_pair(kernel_.code[x.args[0]].type)))
    return of_pairs(index);
  if (is_residue(x.type) && has_residues(x.op))
    return residue_expression(kernel_, index, units_, [&](auto value) { return bare(value); });
  const std::string of_limbs =
      limbs_expression(kernel_, x, [&](auto value) { return bare(value); });
  return of_limbs.empty() ? simple(x) : of_limbs;
}

/// Returns the expression of an operation on pairs, or from or to them.
std::string Expressions::of_pairs(std::uint32_t index) const {
  const Instruction& x = kernel_.code[index];
  const Type type = kernel_.code[x.args[0] == kNone ? 0 : x.args[0]].type;
  if (is_dot(kernel_, x)) return dot(index);
  if (pairs_.normalised[index]) return pair_call(x.type, "moved", {simple(x)});
  if (const char* function = pair_function(x.op))
    return call(joined({type_name(type), pairs_.raw[index] ? "_raw_" : "_", function}), x);
  const auto part_of = [&](const std::string& part) { return vector(x, part); };
  switch (x.op) {
    case Op::constant:
      return pair_literal(x.type, x.number);
    case Op::argument:
      return pair_call(x.type, "unpack", {leaf(x)});
    case Op::convert: {
      const char* const words[] = {"of_int", "of_long", "to_int", "to_long"};
      const bool from = is_pair(x.type);
      const bool wide = (from ? type : x.type).base == Base::i64;
      return pair_call(from ? x.type : type, words[(from ? 0 : 2) + (wide ? 1 : 0)], {bare(x, 0)});
    }
    case Op::splat:
    case Op::pair:
    case Op::extract:
    case Op::shuffle:
      return pair_of_parts(x.type, part_of);
    default:
      return simple(x);
  }
}

/// Returns the expression of an fma that adds a product (is_dot()).
std::string Expressions::dot(std::uint32_t index) const {
  const Instruction& x = kernel_.code[index];
  const Instruction& added = kernel_.code[x.args[2]];
  return pair_call(x.type, pairs_.raw[index] ? "raw_dot" : "dot",
                   {bare(x, 0), bare(x, 1), bare(added, 0), bare(added, 1)});
}

/// Returns the expression of an operation without pairs, or of one that treats them like floats.
std::string Expressions::simple(const Instruction& x) const {
  if (const char* symbol = infix(x.op)) {
    const std::string text = joined({operand(x, 0), symbol, operand(x, 1)});
    return x.op == Op::mul && x.type.is_float() ? language_.product(x.type, text) : text;
  }
  if (function_name(x.op, x.type) != nullptr) return call(language_.function(x.op, x.type), x);
  switch (x.op) {
    case Op::neg:
      return joined({"-", operand(x, 0)});
    case Op::select:
      return joined({operand(x, 0), " ? ", operand(x, 1), " : ", operand(x, 2)});
    case Op::at_least:
      return joined(
          {operand(x, 0), " < ", operand(x, 1), " ? ", operand(x, 1), " : ", operand(x, 2)});
    case Op::convert:
      return language_.converted(x.type, {bare(x, 0), operand(x, 0)});
    case Op::splat:
    case Op::pair:
    case Op::extract:
    case Op::shuffle:
      return vector(x, {});
    case Op::user_call:
      return user_call(x);
    case Op::load:
    case Op::load_if:
    case Op::load_strided:
      return loaded(x);
    default:
      return leaf(x);
  }
}

/// Returns the expression of an operation that moves lanes. For pairs, `part` selects one float of
/// the operands and of the result.
std::string Expressions::vector(const Instruction& x, const std::string& part) const {
  const Type type = part.empty() ? x.type : Type{Base::f32, x.type.lanes};
  switch (x.op) {
    case Op::splat:
      return language_.vector(type, {bare(x, 0) + part});
    case Op::pair:
      return language_.vector(type, {bare(x, 0) + part, bare(x, 1) + part});
    case Op::extract:
      if (kernel_.code[x.args[0]].type.lanes == 1) return bare(x, 0) + part;
      return operand(x, 0) + part + language_.component(static_cast<unsigned>(x.integer));
    default:
      return shuffle(x, part);
  }
}

std::string Expressions::lane(std::uint32_t index, unsigned lane) const {
  const Type type = kernel_.code[index].type;
  if (type.lanes == 1) return operand(index);
  if (!is_pair(type)) return operand(index) + language_.component(lane);
  return pair_of_parts(type.scalar(), [&](const std::string& part) {
    return operand(index) + part + language_.component(lane);
  });
}

std::string Expressions::loaded(const Instruction& x) const {
  Access access = access_of(x);
  if (pairs_.raw[static_cast<std::size_t>(&x - kernel_.code.data())]) access.decode_raw();
  if (x.op == Op::load) return access.load(x.type);
  if (x.op == Op::load_if)
    return joined({operand(x, 1), " ? ", language_.chosen(x.type, access.load(x.type)), " : ",
                   is_pair(x.type) ? pair_literal(x.type, 0)
                                   : language_.vector(x.type, {zero_literal(x.type)})});
  return access.load_lanes(x.type);
}

std::string Expressions::leaf(const Instruction& x) const {
  switch (x.op) {
    case Op::constant:
      return language_.vector(x.type, {scalar_literal(x)});
    case Op::constant_lanes: {
      std::vector<std::string> components;
      for (const int value : kernel_.lists[x.integer]) components.push_back(int_literal(value));
      return language_.vector(x.type, components);
    }
    case Op::argument:
      return kernel_.parameters[x.integer].name;
    case Op::group_id:
      return language_.group_id();
    case Op::local_id:
      return "(int)get_local_id(0)";
    case Op::take_ticket:
      return ticket_taken(kernel_, x);
    default:
      base::internal_error(joined({"kernel ", kernel_.name, ": an operation has no text"}));
  }
}

std::string Expressions::call(const std::string& function, const Instruction& x) const {
  std::string text = function;
  const char* separator = "(";
  for (const std::uint32_t argument : x.args) {
    if (argument == kNone) break;
    text.append(separator).append(bare(argument));
    separator = ", ";
  }
  return text.append(")");
}

std::string Expressions::user_call(const Instruction& x) const {
  const UserCall& called = kernel_.user_calls[x.integer];
  std::string text = call(called.function, x);
  text.pop_back();
  for (const std::string& argument : called.arguments) text.append(", ").append(argument);
  return text.append(")").append(called.part);
}

std::string Expressions::shuffle(const Instruction& x, const std::string& part) const {
  const std::vector<int>& lanes = kernel_.lists[x.integer];
  const int source = kernel_.code[x.args[0]].type.lanes;
  const Type type = part.empty() ? x.type : Type{Base::f32, x.type.lanes};
  const std::string first = operand(x, 0) + part;
  const std::string second = x.args[1] == kNone ? first : operand(x, 1) + part;
  if (!needs_shuffle(kernel_, x)) {
    std::vector<std::string> components;
    components.reserve(lanes.size());
    for (const int lane : lanes) {
      components.push_back((lane < source ? first : second) +
                           (source == 1 ? "" : component(static_cast<unsigned>(lane % source))));
    }
    return language_.vector(type, components);
  }
  const bool one_source =
      std::all_of(lanes.begin(), lanes.end(), [&](int lane) { return lane < source; });
  return language_.shuffled(type, first, one_source ? first : second, lanes);
}

}  // namespace imago::ir
