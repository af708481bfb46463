// This file renders the text before a kernel's statements: the preamble, the signature and the
// arrays.
#include "ir/declarations.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "ir/accesses.hpp"
#include "ir/counters.hpp"
#include "ir/expressions.hpp"
#include "ir/pairs.hpp"
#include "ir/spelling.hpp"

namespace imago::ir {
namespace {

/// Vector types by base and lanes, so that each is declared once and in a fixed order.
using VectorTypes = std::set<std::pair<Base, std::uint8_t>>;

bool is_f64(Type type) { return type.base == Base::f64; }
bool has_eight_bytes(Base base) {
  return base == Base::f64 || base == Base::i64 || base == Base::pair;
}

bool uses_double(const Kernel& kernel) {
  return std::any_of(kernel.code.begin(), kernel.code.end(),
                     [](const Instruction& x) { return is_f64(x.type); }) ||
         std::any_of(kernel.memories.begin(), kernel.memories.end(),
                     [](const Memory& memory) { return is_f64(memory.element); }) ||
         std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [](const Parameter& parameter) { return is_f64(parameter.type); });
}

/// Returns the types of shuffle results.
VectorTypes shuffled_types(const Kernel& kernel) {
  VectorTypes types;
  for (const Instruction& x : kernel.code) {
    if (!needs_shuffle_macro(kernel, x)) continue;
    types.emplace(is_pair(x.type) ? Base::f32 : x.type.base, x.type.lanes);
  }
  return types;
}

/// Returns the types that access arrays of scalars: unaligned ones, or those of `pairs`
/// (moves_pairs()).
VectorTypes unaligned_types(const Kernel& kernel, bool pairs) {
  VectorTypes types;
  for (const Instruction& x : kernel.code) {
    if (x.op != Op::load && x.op != Op::load_if && x.op != Op::store) continue;
    const Type type = x.op == Op::store ? kernel.code[x.args[1]].type : x.type;
    const Memory memory = arrays_of(kernel.memories[x.memory])[0];
    const Type own{is_pair(type) ? memory.element.base : type.base, type.lanes};
    if (is_unaligned(memory, own) && moves_pairs(kernel, memory, type) == pairs)
      types.emplace(own.base, own.lanes);
  }
  return types;
}

/// Returns one macro for each type of result, because OpenCL C 1.2 has no variadic macros.
std::string shuffle_macros(const VectorTypes& types) {
  std::string builtin, standard;
  for (const auto& [base, lanes] : types) {
    std::string list = "i0";
    for (unsigned lane = 1; lane < lanes; ++lane) list.append(", i").append(std::to_string(lane));
    const std::string head =
        joined({"#define ", shuffle_macro({base, lanes}), "(a, b, ", list, ") "});
    builtin += joined({head, "__builtin_shufflevector(a, b, ", list, ")\n"});
    const std::string mask =
        joined({has_eight_bytes(base) ? "ulong" : "uint", lanes_suffix({base, lanes})});
    standard += joined({head, "shuffle2(a, b, (", mask, ")(", list, "))\n"});
  }
  return joined(
      {"#if defined(__has_builtin)\n"
       "#if __has_builtin(__builtin_shufflevector)\n"
       "#define HAS_SHUFFLEVECTOR\n"
       "#endif\n"
       "#endif\n"
       "#if defined(HAS_SHUFFLEVECTOR)\n",
       builtin, "#else\n", standard, "#endif\n"});
}

std::string declared(const Kernel& kernel, const Argument& argument) {
  if (argument.kind == Argument::Kind::parameter) {
    const Parameter& parameter = kernel.parameters[argument.index];
    return joined({stored_name(parameter.type), " ", parameter.name});
  }
  const Memory& memory = kernel.memories[argument.index];
  if (memory.counters) return joined({"volatile __global atomic_int* ", memory.name});
  return joined({space_name(memory.space), memory.read_only ? " const " : " ",
                 pointee_name(memory.element), memory.apart ? "* restrict " : "* ", memory.name});
}

}  // namespace

std::string preamble(const Kernel& kernel) {
  std::string text;
  if (uses_double(kernel)) text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  if (const auto types = shuffled_types(kernel); !types.empty()) text += shuffle_macros(types);
  for (const auto& [base, lanes] : unaligned_types(kernel, true)) text += pair_moves({base, lanes});
  for (const auto& [base, lanes] : unaligned_types(kernel, false)) {
    const Type type{base, lanes};
    text += joined({"typedef ", stored_name(type), " ", unaligned_name(type),
                    " __attribute__((aligned(", has_eight_bytes(base) ? "8" : "4", ")));\n"});
  }
  text += pair_definitions(kernel);
  text += counter_functions(kernel);
  for (const std::string& user : kernel.texts) text += user;
  return text.empty() ? text : text.append("\n");
}

std::string signature(const Kernel& kernel) {
  std::string text =
      kernel.is_function
          ? joined({"static inline void ", kernel.name, "("})
          : joined({"__kernel __attribute__((reqd_work_group_size(",
                    std::to_string(kernel.work_group_size), ", 1, 1)))\nvoid ", kernel.name, "("});
  const char* separator = "";
  for (const Memory& memory : kernel.memories) {
    if (!kernel.is_function || memory.space != Space::local) continue;
    text += joined({separator, "__local ", stored_name(memory.element), "* ", memory.name});
    separator = ", ";
  }
  for (const Argument& argument : kernel.arguments) {
    text.append(separator).append(declared(kernel, argument));
    separator = ", ";
  }
  return text.append(") {\n");
}

std::string arrays(const Kernel& kernel) {
  std::string text;
  std::set<std::uint32_t> used;
  for (const Instruction& x : kernel.code) used.insert(x.memory);
  for (std::uint32_t i = 0; i < kernel.memories.size(); ++i) {
    const Memory& memory = kernel.memories[i];
    if (memory.space == Space::global || used.count(i) == 0) continue;
    if (memory.space == Space::local && kernel.is_function) continue;
    for (const Memory& array : arrays_of(memory)) {
      text += joined({array.space == Space::local ? "  __local " : "  ", stored_name(array.element),
                      " ", array.name, "[", std::to_string(array.size),
                      "] __attribute__((aligned(64)));\n"});
    }
  }
  return text.append(ticket_declaration(kernel));
}

}  // namespace imago::ir
