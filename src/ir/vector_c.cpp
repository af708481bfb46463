// This file is C as a language of the renderer: C99 with the vectors of GCC and clang. The kernel
// is a function of its group's number. kernels/vectors.h defines the types and functions that it
// uses.
#include <algorithm>
#include <cstdint>

#include "base/errors.hpp"
#include "ir/language.hpp"
#include "ir/residues.hpp"
#include "ir/spelling.hpp"

namespace imago::ir {
namespace {

/// Throws Unsupported for a kernel that is more than one work-item after the other.
void check(const Kernel& kernel) {
  const auto refuse = [&](const std::string& what, const std::string& instead) {
    base::unsupported(joined({"C has no spelling for the kernel ", kernel.name, ", ", what}),
                      instead);
  };
  const std::string vectors = "set parameters.mapping to vector";
  if (kernel.work_group_size != 1)
    refuse("whose groups have " + std::to_string(kernel.work_group_size) + " work-items", vectors);
  if (!kernel.texts.empty())
    refuse("which contains a function in OpenCL C", "use a ready-made hook");
  for (const Memory& memory : kernel.memories) {
    if (memory.space == Space::local) refuse("which has local memory", vectors);
    if (memory.counters)
      refuse("whose groups wait for each other", "set parameters.launches to Launches::several");
    if (is_residue(memory.element)) base::internal_error("residues have no text in C");
    if (memory.doubles || memory.element.base == Base::pair)
      refuse("which computes f64 by pairs of f32", "set options.f64 to F64::native");
  }
}

const char* base_of(Base base) {
  switch (base) {
    case Base::boolean:
      return "bool";
    case Base::i32:
      return "i32";
    case Base::i64:
      return "i64";
    case Base::f16:
      return "f16";
    case Base::f32:
      return "f32";
    case Base::f64:
      return "f64";
    case Base::i8:
      return "i8";
    case Base::u8:
      return "u8";
    case Base::i16:
      return "i16";
    case Base::u16:
      return "u16";
    case Base::pair:
    case Base::residue:
    case Base::residue32:
      break;  // check() refuses them
  }
  base::internal_error("a type of the IR has no name in C");
}

/// Returns a name such as f32x4, which is also the end of the names of functions.
std::string name_of(Type type) {
  return type.lanes == 1 ? base_of(type.base)
                         : joined({base_of(type.base), "x", std::to_string(type.lanes)});
}

std::string scalar_name(Base base) {
  switch (base) {
    case Base::boolean:
      return "bool";
    case Base::f32:
      return "float";
    case Base::f64:
      return "double";
    case Base::i32:
      return "int32_t";
    case Base::i64:
      return "int64_t";
    case Base::i8:
      return "int8_t";
    case Base::u8:
      return "uint8_t";
    case Base::i16:
      return "int16_t";
    case Base::u16:
      return "uint16_t";
    case Base::f16:
    case Base::pair:
    case Base::residue:
    case Base::residue32:
      break;
  }
  return base_of(base);
}

/// Returns the type of elements in the caller's memory, which need only the alignment of numbers.
std::string pointee(Type element) {
  if (element.base == Base::f16 || is_short(element.base) || element.lanes == 1)
    return scalar_name(element.base);
  return name_of(element) + "_u";
}

/// Returns the number of the first of an access's numbers.
std::string first_number(const Memory& memory, const IndexText& index) {
  if (memory.element.lanes == 1) return index.operand;
  return joined({index.operand, " * ", std::to_string(memory.element.lanes)});
}

class VectorC : public Language {
 public:
  std::string head(const Kernel& kernel) const override {
    check(kernel);
    std::string text = joined({"static void ", kernel.name, "("});
    for (const Argument& argument : kernel.arguments) {
      if (argument.kind == Argument::Kind::parameter) {
        const Parameter& parameter = kernel.parameters[argument.index];
        text += joined({type(parameter.type), " ", parameter.name, ", "});
      } else {
        const Memory& memory = kernel.memories[argument.index];
        text += joined({memory.read_only ? "const " : "", pointee(memory.element),
                        memory.apart ? "* restrict " : "* ", memory.name, ", "});
      }
    }
    return text.append("int64_t group) {\n");
  }
  std::string type(Type type) const override {
    return type.lanes == 1 ? scalar_name(type.base) : name_of(type);
  }
  std::string array(const Memory& memory) const override {
    return joined({"  ALIGNED(64) ", type(memory.element), " ", memory.name, "[",
                   std::to_string(memory.size), "];\n"});
  }

  std::string group_id() const override { return "group"; }
  std::string component(unsigned lane) const override {
    return joined({"[", std::to_string(lane), "]"});
  }
  std::string vector(Type type, const std::vector<std::string>& components) const override {
    if (type.lanes == 1) return components[0];
    if (components.size() == 1) return joined({"ALL_", name_of(type), "(", components[0], ")"});
    std::string text = joined({"((", name_of(type), ")"});
    const char* separator = "{";
    for (const std::string& component : components) {
      text.append(separator).append(component);
      separator = ", ";
    }
    return text.append("})");
  }
  std::string shuffled(Type, const std::string& first, const std::string& second,
                       const std::vector<int>& lanes) const override {
    std::string text = joined({"__builtin_shufflevector(", first, ", ", second});
    for (const int lane : lanes) text.append(", ").append(std::to_string(lane));
    return text.append(")");
  }
  std::string function(Op op, Type type) const override {
    return joined({function_name(op, type), "_", name_of(type)});
  }
  std::string product(Type type, const std::string& text) const override {
    return joined({"apart_", name_of(type), "(", text, ")"});
  }
  std::string converted(Type type, const IndexText& value) const override {
    if (type.lanes == 1) return joined({"(", this->type(type), ")", value.operand});
    return joined({"__builtin_convertvector(", value.bare, ", ", name_of(type), ")"});
  }

  std::string unaligned(const Memory& memory, Type type, bool loads,
                        const IndexText& index) const override {
    return joined({"*(", loads ? "const " : "", name_of(type), "_u*)(", memory.name, " + ",
                   index.operand, ")"});
  }
  std::string chosen(Type type, const std::string& loaded) const override {
    return type.lanes == 1 ? loaded : joined({"(", name_of(type), ")", loaded});
  }
  std::string load_halves(const Memory& memory, Type type, const IndexText& index) const override {
    return joined(
        {"load_halves_", name_of(type), "(", memory.name, " + ", first_number(memory, index), ")"});
  }
  std::string load_half(const Memory& memory, const std::string& index) const override {
    return joined({"(float)", memory.name, "[", index, "]"});
  }
  std::string store_halves(const Memory& memory, Type type, const IndexText& index,
                           const std::string& value) const override {
    return joined({"store_halves_", name_of(type), "(", memory.name, " + ",
                   first_number(memory, index), ", ", value, ");"});
  }
  std::string store_half(const Memory& memory, const std::string& index,
                         const std::string& value) const override {
    return joined({memory.name, "[", index, "] = (f16)", value, ";"});
  }
  std::string load_integers(const Memory& memory, Type type,
                            const IndexText& index) const override {
    const std::string first = first_number(memory, index);
    std::vector<std::string> numbers;
    for (unsigned lane = 0; lane < type.lanes; ++lane)
      numbers.push_back(joined({memory.name, "[", first, " + ", std::to_string(lane), "]"}));
    return vector(type, numbers);
  }
  std::string store_integers(const Memory& memory, Type type, const IndexText& index,
                             const std::string& value) const override {
    const std::string first = first_number(memory, index);
    if (type.lanes == 1) return store_integer(memory, first, value);
    std::string text;
    for (unsigned lane = 0; lane < type.lanes; ++lane) {
      text += (lane == 0 ? "" : " ") +
              store_integer(memory, first + " + " + std::to_string(lane), value + component(lane));
    }
    return text;
  }
  std::string store_integer(const Memory& memory, const std::string& index,
                            const std::string& value) const override {
    const Base base = memory.element.base;
    return joined({memory.name, "[", index, "] = saturated_", base_of(base), "(", value, ");"});
  }
};

}  // namespace

const Language& vector_c() {
  static const VectorC language;
  return language;
}

}  // namespace imago::ir
