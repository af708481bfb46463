// This file renders a kernel to OpenCL C: the preamble, the signature, the arrays, and a line for
// each statement and for each named value.
#include "ir/render.hpp"

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

/// Returns the local and private memories that the kernel uses.
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

bool has_barriers(const Kernel& kernel) {
  return std::any_of(kernel.code.begin(), kernel.code.end(),
                     [](const Instruction& x) { return is_barrier(x.op); });
}

class Statements {
 public:
  explicit Statements(const Kernel& kernel)
      : kernel_(kernel),
        values_(kernel),
        volatile_item_(kernel.volatile_item && has_barriers(kernel)) {
    for (std::uint32_t i = 0; i < kernel.code.size(); ++i) add(i);
  }

  const std::string& text() const { return text_; }

 private:
  void add(std::uint32_t index);
  void define(std::uint32_t index, const std::string& value);
  void store_strided(const Instruction& instruction);
  void open(const std::string& head);
  void close();
  void line(const std::string& text) { text_.append(indent_, ' ').append(text).append("\n"); }

  const Kernel& kernel_;
  const Expressions values_;
  const bool volatile_item_;
  std::string text_;
  unsigned indent_ = 2;
};

void Statements::add(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  const std::string type = type_name(x.type);
  switch (x.op) {
    case Op::store:
      return line(
          values_.access_of(x).store(kernel_.code[x.args[1]].type, values_.bare(x.args[1])));
    case Op::store_strided:
      return store_strided(x);
    case Op::loop_begin: {
      const std::string counter = values_.name(index), end = values_.operand(x.args[0]);
      return open(joined(
          {"for (", type, " ", counter, " = 0; ", counter, " < ", end, "; ++", counter, ")"}));
    }
    case Op::when_begin:
      return open(joined({"if (", values_.bare(x.args[0]), ")"}));
    case Op::loop_end:
    case Op::when_end:
      return close();
    case Op::barrier:
      return line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    case Op::await_groups:
    case Op::finish_group:
      return line(groups_counted(kernel_, x, values_.bare(x.args[0])));
    case Op::local_id:
      if (values_.is_inlined(index)) return;
      if (!volatile_item_) return define(index, values_.definition(index));
      line("volatile int kept_item = " + values_.definition(index) + ";");
      return define(index, "kept_item");
    default:
      if (!values_.is_inlined(index)) define(index, values_.definition(index));
  }
}

void Statements::define(std::uint32_t index, const std::string& value) {
  const std::string type = type_name(kernel_.code[index].type);
  line(joined({"const ", type, " ", values_.name(index), " = ", value, ";"}));
}

void Statements::store_strided(const Instruction& x) {
  const Access access = values_.access_of(x);
  const unsigned lanes = kernel_.code[x.args[1]].type.lanes;
  for (unsigned lane = 0; lane < lanes; ++lane)
    line(access.store_lane(lane, values_.lane(x.args[1], lane)));
}

void Statements::open(const std::string& head) {
  line(head + " {");
  indent_ += 2;
}

void Statements::close() {
  indent_ -= 2;
  line("}");
}

}  // namespace

std::string render(const Kernel& kernel) {
  const Statements statements(kernel);
  const char* const as_written = kernel.as_written ? "#pragma OPENCL FP_CONTRACT OFF\n" : "";
  return joined(
      {as_written, preamble(kernel), signature(kernel), arrays(kernel), statements.text(), "}\n"});
}

}  // namespace imago::ir
