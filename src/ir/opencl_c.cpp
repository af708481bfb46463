// This file is OpenCL C as a language of the renderer: the preamble, the signature, and what its
// types and functions are called.
#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "ir/accesses.hpp"
#include "ir/counters.hpp"
#include "ir/expressions.hpp"
#include "ir/language.hpp"
#include "ir/pairs.hpp"
#include "ir/residues.hpp"
#include "ir/spelling.hpp"

namespace imago::ir {
namespace {

/// Vector types by base and lanes, so that each is declared once and in a fixed order.
using VectorTypes = std::set<std::pair<Base, std::uint8_t>>;

bool is_f64(Type type) { return type.base == Base::f64; }
bool has_eight_bytes(Base base) {
  return base == Base::f64 || base == Base::i64 || base == Base::pair || base == Base::residue;
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
    if (!needs_shuffle(kernel, x)) continue;
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

/// Returns the extensions, macros, types and functions that the kernel needs.
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
  text += residue_definitions(kernel);
  text += counter_functions(kernel);
  for (const std::string& user : kernel.texts) text += user;
  return text.empty() ? text : text.append("\n");
}

/// Returns the signature, including the opening brace.
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

/// Returns the name of a half-precision function. Elements of several halves have their own
/// alignment, and the functions with an `a` rely on it: they access memory once, whereas a GPU's
/// compiler would access it once per half.
std::string half_function(const char* name, const Memory& memory, Type type) {
  const bool aligned = memory.element.lanes > 1;
  return joined({name, aligned ? "a_half" : "_half", lanes_suffix(type)});
}

/// Returns the last arguments of vload_half and vstore_half, which count in vectors of as many
/// halves as the type has lanes.
std::string halves(const Memory& memory, Type type, const IndexText& index) {
  if (memory.element.lanes == type.lanes) return joined({index.bare, ", ", memory.name});
  return joined({"0, ", memory.name, " + ", index.operand});
}

class OpenclC : public Language {
 public:
  std::string head(const Kernel& kernel) const override {
    const char* const as_written = kernel.as_written ? "#pragma OPENCL FP_CONTRACT OFF\n" : "";
    return joined({as_written, preamble(kernel), signature(kernel)});
  }
  std::string type(Type type) const override { return type_name(type); }
  std::string array(const Memory& memory) const override {
    return joined({memory.space == Space::local ? "  __local " : "  ", stored_name(memory.element),
                   " ", memory.name, "[", std::to_string(memory.size),
                   "] __attribute__((aligned(64)));\n"});
  }

  std::string group_id() const override { return "(long)get_group_id(0)"; }
  std::string component(unsigned lane) const override { return ir::component(lane); }
  std::string vector(Type type, const std::vector<std::string>& components) const override {
    return vector_literal(type, components);
  }
  std::string shuffled(Type type, const std::string& first, const std::string& second,
                       const std::vector<int>& lanes) const override {
    std::string text = joined({shuffle_macro(type), "(", first, ", ", second});
    for (const int lane : lanes) text.append(", ").append(std::to_string(lane));
    return text.append(")");
  }
  std::string function(Op op, Type type) const override { return function_name(op, type); }
  std::string product(Type, const std::string& text) const override { return text; }
  std::string converted(Type type, const IndexText& value) const override {
    if (type.lanes == 1) return joined({"(", type_name(type), ")", value.operand});
    return joined({"convert_", type_name(type), "(", value.bare, ")"});
  }

  std::string unaligned(const Memory& memory, Type type, bool loads,
                        const IndexText& index) const override {
    return joined({"*(", space_name(memory.space), loads ? " const " : " ", unaligned_name(type),
                   "*)(", memory.name, " + ", index.operand, ")"});
  }
  std::string chosen(Type, const std::string& loaded) const override { return loaded; }
  std::string load_halves(const Memory& memory, Type type, const IndexText& index) const override {
    return joined({half_function("vload", memory, type), "(", halves(memory, type, index), ")"});
  }
  std::string load_half(const Memory& memory, const std::string& index) const override {
    return joined({"vload_half(", index, ", ", memory.name, ")"});
  }
  std::string store_halves(const Memory& memory, Type type, const IndexText& index,
                           const std::string& value) const override {
    return joined({half_function("vstore", memory, type), "_rte(", value, ", ",
                   halves(memory, type, index), ");"});
  }
  std::string store_half(const Memory& memory, const std::string& index,
                         const std::string& value) const override {
    return joined({"vstore_half_rte(", value, ", ", index, ", ", memory.name, ");"});
  }
  std::string load_integers(const Memory& memory, Type type,
                            const IndexText& index) const override {
    const bool whole = memory.element.lanes == type.lanes;
    const std::string value =
        whole
            ? joined({memory.name, "[", index.bare, "]"})
            : joined({"vload", lanes_suffix(type), "(0, ", memory.name, " + ", index.operand, ")"});
    return joined({"convert_", type_name(type), "(", value, ")"});
  }
  std::string store_integers(const Memory& memory, Type type, const IndexText& index,
                             const std::string& value) const override {
    const bool whole = memory.element.lanes == type.lanes;
    const std::string narrow =
        joined({"convert_", type_name(Type{memory.element.base, type.lanes}), "_sat(", value, ")"});
    if (whole) return joined({memory.name, "[", index.bare, "] = ", narrow, ";"});
    return joined({"vstore", lanes_suffix(type), "(", narrow, ", 0, ", memory.name, " + ",
                   index.operand, ");"});
  }
  std::string store_integer(const Memory& memory, const std::string& index,
                            const std::string& value) const override {
    return joined({memory.name, "[", index, "] = convert_", type_name(memory.element.scalar()),
                   "_sat(", value, ");"});
  }
};

}  // namespace

const Language& opencl_c() {
  static const OpenclC language;
  return language;
}

}  // namespace imago::ir
