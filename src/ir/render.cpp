// This file renders a kernel to OpenCL C 1.2. Scalar integers that are used once are written where
// they are used, so that address arithmetic reads as one expression; every other value gets a line
// and a name of its own.
#include "ir/render.hpp"

#include <cstdint>
#include <set>
#include <utility>

#include "base/errors.hpp"
#include "ir/spelling.hpp"

namespace imago::ir {
namespace {

/// Whether the text of an inlined value needs no parentheses beside an operator.
bool binds_tightly(const Instruction& x) {
  if (function_name(x.op, x.type) != nullptr) return true;
  switch (x.op) {
    case Op::constant:
      return x.type.lanes == 1;  // the components of a vector may be asked for
    case Op::argument:
    case Op::group_id:
    case Op::local_id:
    case Op::convert:
      return true;
    default:
      return false;
  }
}

class Renderer {
 public:
  explicit Renderer(const Kernel& kernel) : kernel_(kernel), uses_(kernel.code.size()) {
    count_uses();
  }

  std::string text() {
    for (std::uint32_t i = 0; i < kernel_.code.size(); ++i) statement(i);
    return preamble() + signature() + arrays() + body_ + "}\n";
  }

 private:
  void count_uses();
  bool is_inlined(std::uint32_t index) const;
  std::string named(std::uint32_t index) const;

  std::string operand(std::uint32_t index);
  std::string bare(std::uint32_t index);
  std::string operand(const Instruction& instruction, int n) {
    return operand(instruction.args[n]);
  }
  std::string expression(const Instruction& instruction);
  std::string leaf(const Instruction& instruction);
  std::string call(const char* function, const Instruction& instruction);
  std::string convert(const Instruction& instruction);
  std::string shuffle(const Instruction& instruction);
  std::string vector_literal(Type type, const std::vector<std::string>& components) const;

  bool of_halves(const Instruction& x) const {
    return kernel_.memories[x.memory].element.base == Base::f16;
  }
  void check_fit(const Instruction& instruction, Type type) const;
  std::string place(const Instruction& instruction, Type type, bool stores);
  std::string half_function(const Instruction& instruction, const char* name, Type type) const;
  std::string halves(const Instruction& instruction, Type type);
  std::string strided_index(const Instruction& instruction, unsigned lane);
  std::string load(const Instruction& instruction);
  std::string load_strided(const Instruction& instruction);

  void statement(std::uint32_t index);
  void store(const Instruction& instruction);
  void store_strided(const Instruction& instruction);
  void line(const std::string& text) { body_ += std::string(indent_, ' ') + text + "\n"; }

  bool uses_double() const;
  std::string preamble() const;
  std::string shuffle_macros() const;
  std::string signature() const;
  std::string arrays() const;

  const Kernel& kernel_;
  std::vector<unsigned> uses_;
  std::string body_;
  unsigned indent_ = 2;
  std::set<std::pair<Base, unsigned>> shuffles_;   ///< base and lanes of the results
  std::set<std::pair<Base, unsigned>> unaligned_;  ///< vector types that access arrays of scalars
};

void Renderer::count_uses() {
  for (const Instruction& instruction : kernel_.code) {
    for (const std::uint32_t argument : instruction.args) {
      if (argument != kNone) ++uses_[argument];
    }
    // These write their operands once per lane.
    if (instruction.op == Op::load_strided || instruction.op == Op::store_strided) {
      ++uses_[instruction.args[0]];
    }
  }
}

bool Renderer::is_inlined(std::uint32_t index) const {
  const Instruction& instruction = kernel_.code[index];
  switch (instruction.op) {
    case Op::constant:
    case Op::argument:
      return true;
    case Op::load:
    case Op::load_if:
    case Op::load_strided:
    case Op::loop_begin:
      return false;
    default:
      return uses_[index] <= 1 && instruction.type.lanes == 1 && !instruction.type.is_float();
  }
}

std::string Renderer::named(std::uint32_t index) const {
  return (kernel_.code[index].op == Op::loop_begin ? "i" : "v") + std::to_string(index);
}

/// The value as it can stand beside any operator.
std::string Renderer::operand(std::uint32_t index) {
  return !is_inlined(index) || binds_tightly(kernel_.code[index]) ? bare(index)
                                                                  : "(" + bare(index) + ")";
}

/// The value as it can stand between brackets or commas.
std::string Renderer::bare(std::uint32_t index) {
  return is_inlined(index) ? expression(kernel_.code[index]) : named(index);
}

std::string Renderer::expression(const Instruction& x) {
  if (const char* symbol = infix(x.op)) return operand(x, 0) + symbol + operand(x, 1);
  if (const char* function = function_name(x.op, x.type)) return call(function, x);
  switch (x.op) {
    case Op::neg:
      return "-" + operand(x, 0);
    case Op::select:
      return operand(x, 0) + " ? " + operand(x, 1) + " : " + operand(x, 2);
    case Op::convert:
      return convert(x);
    case Op::splat:
      if (x.type.lanes == 1) return bare(x.args[0]);
      return "(" + type_name(x.type) + ")(" + bare(x.args[0]) + ")";
    case Op::pair:
      return vector_literal(x.type, {bare(x.args[0]), bare(x.args[1])});
    case Op::extract:
      if (kernel_.code[x.args[0]].type.lanes == 1) return bare(x.args[0]);
      return operand(x, 0) + component(static_cast<unsigned>(x.integer));
    case Op::shuffle:
      return shuffle(x);
    case Op::load:
      return load(x);
    case Op::load_if:
      return operand(x, 1) + " ? " + load(x) + " : " + zero(x.type);
    case Op::load_strided:
      return load_strided(x);
    default:
      return leaf(x);
  }
}

std::string Renderer::leaf(const Instruction& x) {
  switch (x.op) {
    case Op::constant: {
      const std::string literal = scalar_literal(x);
      return x.type.lanes == 1 ? literal : "(" + type_name(x.type) + ")(" + literal + ")";
    }
    case Op::constant_lanes: {
      std::vector<std::string> components;
      for (const int value : kernel_.lists[x.integer]) {
        components.push_back(int_literal(value));
      }
      return vector_literal(x.type, components);
    }
    case Op::argument:
      return kernel_.parameters[x.integer].name;
    case Op::group_id:
      return "(long)get_group_id(0)";
    case Op::local_id:
      return "(int)get_local_id(0)";
    default:
      base::internal_error("kernel " + kernel_.name + ": an operation has no text");
  }
}

std::string Renderer::call(const char* function, const Instruction& x) {
  std::string text = std::string(function) + "(";
  const char* separator = "";
  for (const std::uint32_t argument : x.args) {
    if (argument == kNone) break;
    text += separator + bare(argument);
    separator = ", ";
  }
  return text + ")";
}

std::string Renderer::convert(const Instruction& x) {
  if (x.type.lanes == 1) return "(" + type_name(x.type) + ")" + operand(x, 0);
  return "convert_" + type_name(x.type) + "(" + bare(x.args[0]) + ")";
}

std::string Renderer::vector_literal(Type type, const std::vector<std::string>& components) const {
  if (type.lanes == 1) return components[0];
  std::string text = "(" + type_name(type) + ")(";
  for (std::size_t i = 0; i < components.size(); ++i) text += (i == 0 ? "" : ", ") + components[i];
  return text + ")";
}

std::string Renderer::shuffle(const Instruction& x) {
  const std::vector<int>& lanes = kernel_.lists[x.integer];
  const int source = kernel_.code[x.args[0]].type.lanes;
  const std::string first = operand(x, 0);
  const std::string second = x.args[1] == kNone ? first : operand(x, 1);
  if (source == 1 || lanes.size() == 1) {
    std::vector<std::string> components;
    for (const int lane : lanes) {
      components.push_back((lane < source ? first : second) +
                           (source == 1 ? "" : component(static_cast<unsigned>(lane % source))));
    }
    return vector_literal(x.type, components);
  }
  bool one_source = true;
  for (const int lane : lanes) one_source = one_source && lane < source;
  shuffles_.emplace(x.type.base, x.type.lanes);
  std::string text =
      "SHUFFLE_" + type_name(x.type) + "(" + first + ", " + (one_source ? first : second);
  for (const int lane : lanes) text += ", " + std::to_string(lane);
  return text + ")";
}

/// Values are one element, or several consecutive ones of a memory of scalars.
void Renderer::check_fit(const Instruction& x, Type type) const {
  const Memory& memory = kernel_.memories[x.memory];
  const Type element = memory.element.of_values();
  if (element == type || element == type.scalar()) return;
  base::internal_error("kernel " + kernel_.name + ": " + type_name(type) +
                       " does not fit the elements of " + memory.name + ", " +
                       type_name(memory.element));
}

/// The lvalue of consecutive elements, or of one element of a vector-typed memory.
std::string Renderer::place(const Instruction& x, Type type, bool stores) {
  const Memory& memory = kernel_.memories[x.memory];
  if (memory.element == type) return memory.name + "[" + bare(x.args[0]) + "]";
  unaligned_.emplace(type.base, type.lanes);
  return std::string("*(") + space_name(memory.space) + (stores ? " " : " const ") +
         unaligned_name(type) + "*)(" + memory.name + " + " + operand(x, 0) + ")";
}

/// Elements of several halves lie on their own alignment, which the functions with an `a` rely on:
/// one access, where a GPU's compiler would make one for each half.
std::string Renderer::half_function(const Instruction& x, const char* name, Type type) const {
  const bool aligned = kernel_.memories[x.memory].element.lanes > 1;
  return name + std::string(aligned ? "a_half" : "_half") + lanes_suffix(type);
}

/// The last arguments of vload_half and vstore_half, which count in vectors of that many halves.
std::string Renderer::halves(const Instruction& x, Type type) {
  const Memory& memory = kernel_.memories[x.memory];
  if (memory.element.lanes == type.lanes) return bare(x.args[0]) + ", " + memory.name;
  return "0, " + memory.name + " + " + operand(x, 0);
}

std::string Renderer::load(const Instruction& x) {
  check_fit(x, x.type);
  if (!of_halves(x)) return place(x, x.type, false);
  return half_function(x, "vload", x.type) + "(" + halves(x, x.type) + ")";
}

void Renderer::store(const Instruction& x) {
  const Type type = kernel_.code[x.args[1]].type;
  check_fit(x, type);
  if (!of_halves(x)) return line(place(x, type, true) + " = " + bare(x.args[1]) + ";");
  line(half_function(x, "vstore", type) + "_rte(" + bare(x.args[1]) + ", " + halves(x, type) +
       ");");
}

std::string Renderer::strided_index(const Instruction& x, unsigned lane) {
  const std::int64_t offset = x.integer * lane;
  std::string index = bare(x.args[0]);
  if (offset != 0) {
    const bool wide = offset != static_cast<std::int32_t>(offset);
    const std::string literal = wide ? long_literal(offset) : int_literal(offset);
    index = operand(x, 0) + " + " + literal;
  }
  return index;
}

std::string Renderer::load_strided(const Instruction& x) {
  const std::string& name = kernel_.memories[x.memory].name;
  std::vector<std::string> components;
  for (unsigned lane = 0; lane < x.type.lanes; ++lane) {
    const std::string index = strided_index(x, lane);
    components.push_back(of_halves(x) ? "vload_half(" + index + ", " + name + ")"
                                      : name + "[" + index + "]");
  }
  return vector_literal(x.type, components);
}

void Renderer::store_strided(const Instruction& x) {
  const std::string& name = kernel_.memories[x.memory].name;
  const unsigned lanes = kernel_.code[x.args[1]].type.lanes;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::string value = operand(x, 1) + (lanes == 1 ? "" : component(lane));
    const std::string index = strided_index(x, lane);
    line(of_halves(x) ? "vstore_half_rte(" + value + ", " + index + ", " + name + ");"
                      : name + "[" + index + "] = " + value + ";");
  }
}

void Renderer::statement(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  switch (x.op) {
    case Op::store:
      return store(x);
    case Op::store_strided:
      return store_strided(x);
    case Op::loop_begin: {
      const std::string counter = named(index);
      line("for (" + type_name(x.type) + " " + counter + " = 0; " + counter + " < " +
           operand(x, 0) + "; ++" + counter + ") {");
      indent_ += 2;
      return;
    }
    case Op::when_begin:
      line("if (" + bare(x.args[0]) + ") {");
      indent_ += 2;
      return;
    case Op::loop_end:
    case Op::when_end:
      indent_ -= 2;
      return line("}");
    case Op::barrier:
      return line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    default:
      if (!is_inlined(index))
        line("const " + type_name(x.type) + " " + named(index) + " = " + expression(x) + ";");
  }
}

bool Renderer::uses_double() const {
  for (const Instruction& x : kernel_.code) {
    if (x.type.base == Base::f64) return true;
  }
  for (const Memory& memory : kernel_.memories) {
    if (memory.element.base == Base::f64) return true;
  }
  for (const Parameter& parameter : kernel_.parameters) {
    if (parameter.type.base == Base::f64) return true;
  }
  return false;
}

std::string Renderer::preamble() const {
  std::string text;
  if (uses_double()) text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  if (!shuffles_.empty()) text += shuffle_macros();
  for (const auto& [base, lanes] : unaligned_) {
    const Type type{base, static_cast<std::uint8_t>(lanes)};
    const bool eight_bytes = base == Base::f64 || base == Base::i64;
    text += "typedef " + type_name(type) + " " + unaligned_name(type) + " __attribute__((aligned(" +
            (eight_bytes ? "8" : "4") + ")));\n";
  }
  return text.empty() ? text : text + "\n";
}

/// OpenCL C 1.2 has no variadic macros: one macro for each type of result.
std::string Renderer::shuffle_macros() const {
  std::string builtin, standard;
  for (const auto& [base, lanes] : shuffles_) {
    const Type type{base, static_cast<std::uint8_t>(lanes)};
    const bool eight_bytes = base == Base::f64 || base == Base::i64;
    std::string list = "i0";
    for (unsigned lane = 1; lane < lanes; ++lane) list += ", i" + std::to_string(lane);
    const std::string head = "#define SHUFFLE_" + type_name(type) + "(a, b, " + list + ") ";
    builtin += head + "__builtin_shufflevector(a, b, " + list + ")\n";
    standard += head + "shuffle2(a, b, (" + (eight_bytes ? "ulong" : "uint") +
                std::to_string(lanes) + ")(" + list + "))\n";
  }
  return "#if defined(__has_builtin)\n"
         "#if __has_builtin(__builtin_shufflevector)\n"
         "#define HAS_SHUFFLEVECTOR\n"
         "#endif\n"
         "#endif\n"
         "#if defined(HAS_SHUFFLEVECTOR)\n" +
         builtin + "#else\n" + standard + "#endif\n";
}

std::string Renderer::signature() const {
  std::string text = "__kernel __attribute__((reqd_work_group_size(" +
                     std::to_string(kernel_.work_group_size) + ", 1, 1)))\nvoid " + kernel_.name +
                     "(";
  const char* separator = "";
  for (const Argument& argument : kernel_.arguments) {
    text += separator;
    separator = ", ";
    if (argument.kind == Argument::Kind::parameter) {
      const Parameter& parameter = kernel_.parameters[argument.index];
      text += type_name(parameter.type) + " " + parameter.name;
    } else {
      const Memory& memory = kernel_.memories[argument.index];
      text += std::string(space_name(memory.space)) + (memory.read_only ? " const " : " ") +
              pointee_name(memory.element) + "* " + memory.name;
    }
  }
  return text + ") {\n";
}

std::string Renderer::arrays() const {
  std::string text;
  std::set<std::uint32_t> used;
  for (const Instruction& x : kernel_.code) used.insert(x.memory);
  for (std::uint32_t i = 0; i < kernel_.memories.size(); ++i) {
    const Memory& memory = kernel_.memories[i];
    if (memory.space == Space::global || used.count(i) == 0) continue;
    text += memory.space == Space::local ? "  __local " : "  ";
    text += type_name(memory.element) + " " + memory.name + "[" + std::to_string(memory.size) +
            "] __attribute__((aligned(64)));\n";
  }
  return text;
}

}  // namespace

std::string render(const Kernel& kernel) { return Renderer(kernel).text(); }

}  // namespace imago::ir
