// This file renders accesses to memory: elements of arrays, and the functions that convert
// half-precision numbers.
#include "ir/accesses.hpp"

#include <cstdint>
#include <utility>

#include "base/errors.hpp"
#include "ir/pairs.hpp"
#include "ir/residues.hpp"
#include "ir/spelling.hpp"

namespace imago::ir {
namespace {

bool has_halves(const Memory& memory) { return memory.element.base == Base::f16; }
bool has_short_integers(const Memory& memory) { return is_short(memory.element.base); }

/// Returns true if the two floats of a pair are in two arrays.
bool has_planes(const Memory& memory) {
  return is_pair(memory.element) && memory.space == Space::private_;
}

}  // namespace

bool is_unaligned(const Memory& memory, Type values) {
  return !has_halves(memory) && !has_short_integers(memory) && memory.element != values;
}

bool moves_pairs(const Kernel& kernel, const Memory& memory, Type values) {
  return kernel.work_group_size > 1 && memory.space == Space::global && values.lanes == 2 &&
         values.is_float() && !is_pair(values) && memory.element == values.scalar();
}

std::string pair_moves(Type values) {
  const std::string number = type_name(values.scalar()), both = type_name(values);
  const std::string aligned = joined({"((uintptr_t)p % sizeof(", both, ") == 0)"});
  return joined({"static inline ",
                 both,
                 " load_",
                 both,
                 "(__global const ",
                 number,
                 "* p) {\n  if ",
                 aligned,
                 " return *(__global const ",
                 both,
                 "*)p;\n  return (",
                 both,
                 ")(p[0], p[1]);\n}\nstatic inline void store_",
                 both,
                 "(__global ",
                 number,
                 "* p, ",
                 both,
                 " x) {\n  if ",
                 aligned,
                 "\n    *(__global ",
                 both,
                 "*)p = x;\n  else\n    p[0] = x.s0, p[1] = x.s1;\n}\n"});
}

std::vector<Memory> arrays_of(const Memory& memory) {
  if (!has_planes(memory)) return {memory};
  std::vector<Memory> planes(2, memory);
  for (Memory& plane : planes) plane.element.base = Base::f32;
  planes[0].name += "_high", planes[1].name += "_low";
  return planes;
}

Access::Access(const Kernel& kernel, const Language& language, const Instruction& instruction,
               Index index)
    : Access(kernel, language, instruction, kernel.memories[instruction.memory], std::move(index)) {
}

Access::Access(const Kernel& kernel, const Language& language, const Instruction& instruction,
               Memory memory, Index index)
    : kernel_(kernel),
      language_(language),
      instruction_(instruction),
      memory_(std::move(memory)),
      index_(std::move(index)) {}

Access Access::plane(const std::string& part) const {
  return {kernel_, language_, instruction_, arrays_of(memory_)[part == ".high" ? 0 : 1], index_};
}

/// Returns words in memory as residues, or residues as words: the caller's memory holds integers.
std::string Access::residues(Type type, const char* function, const std::string& words) const {
  // The caller's memory holds words of the prime fields.
  if (!is_residue(type) || !memory_.doubles || kernel_.ring != base::Ring::m61) return words;
  return joined({"residue", lanes_suffix(type), function, "(", words, ")"});
}

std::string Access::decoded(Type type, const std::string& bits) const {
  const char* const decode = decodes_raw_ ? "raw_decode" : "decode";
  return pair_call(type, memory_.doubles ? decode : "unpack", {bits});
}

std::string Access::encoded(Type type, const std::string& value) const {
  return pair_call(type, memory_.doubles ? "encode" : "pack", {value});
}

std::string Access::load(Type type) const {
  check_fit(type);
  if (has_planes(memory_)) {
    return pair_of_parts(type, [&](const std::string& part) {
      return plane(part).load({Base::f32, type.lanes});
    });
  }
  if (is_pair(type)) return decoded(type, place(type, true));
  if (has_short_integers(memory_)) return language_.load_integers(memory_, type, index_);
  if (moves_pairs(kernel_, memory_, type))
    return residues(
        type, "_decode",
        joined({"load_", type_name(type), "(", memory_.name, " + ", index_.operand, ")"}));
  if (!has_halves(memory_)) return residues(type, "_decode", place(type, true));
  return language_.load_halves(memory_, type, index_);
}

std::string Access::store(Type type, const std::string& stored) const {
  check_fit(type);
  const std::string value = residues(type, "_encode", stored);
  if (has_planes(memory_)) {
    const Type part{Base::f32, type.lanes};
    return joined({plane(".high").store(part, value + ".high"), " ",
                   plane(".low").store(part, value + ".low")});
  }
  if (is_pair(type)) return joined({place(type, false), " = ", encoded(type, value), ";"});
  if (has_short_integers(memory_)) return language_.store_integers(memory_, type, index_, value);
  if (moves_pairs(kernel_, memory_, type))
    return joined(
        {"store_", type_name(type), "(", memory_.name, " + ", index_.operand, ", ", value, ");"});
  if (!has_halves(memory_)) return joined({place(type, false), " = ", value, ";"});
  return language_.store_halves(memory_, type, index_, value);
}

std::string Access::load_lanes(Type type) const {
  if (has_planes(memory_)) {
    return pair_of_parts(type, [&](const std::string& part) {
      return plane(part).load_lanes({Base::f32, type.lanes});
    });
  }
  std::vector<std::string> components;
  for (unsigned lane = 0; lane < type.lanes; ++lane) components.push_back(load_lane(lane));
  const std::string all = language_.vector(type, components);
  return is_pair(type) ? decoded(type, all) : residues(type, "_decode", all);
}

std::string Access::load_lane(unsigned lane) const {
  if (has_halves(memory_)) return language_.load_half(memory_, lane_index(lane));
  return joined({memory_.name, "[", lane_index(lane), "]"});
}

std::string Access::store_lane(unsigned lane, const std::string& stored) const {
  const std::string index = lane_index(lane);
  const std::string value = residues(memory_.element.scalar(), "_encode", stored);
  if (has_planes(memory_)) {
    return joined({plane(".high").store_lane(lane, value + ".high"), " ",
                   plane(".low").store_lane(lane, value + ".low")});
  }
  if (is_pair(memory_.element))
    return joined({memory_.name, "[", index, "] = ", encoded({Base::pair, 1}, value), ";"});
  if (has_short_integers(memory_)) return language_.store_integer(memory_, index, value);
  if (has_halves(memory_)) return language_.store_half(memory_, index, value);
  return joined({memory_.name, "[", index, "] = ", value, ";"});
}

void Access::check_fit(Type type) const {
  const Type element = memory_.element.of_values();
  if (element == type || element == type.scalar()) return;
  base::internal_error(
      joined({"kernel ", kernel_.name, ": ", type_name(type), " does not fit the elements of ",
              memory_.name, ", ", type_name(memory_.element)}));
}

/// Returns the lvalue of consecutive elements, or of one element of a vector-typed memory.
std::string Access::place(Type type, bool loads) const {
  if (!is_unaligned(memory_, type)) return joined({memory_.name, "[", index_.bare, "]"});
  return language_.unaligned(memory_, type, loads, index_);
}

std::string Access::lane_index(unsigned lane) const {
  const std::int64_t offset = instruction_.integer * lane;
  if (offset == 0) return index_.bare;
  const bool wide = offset != static_cast<std::int32_t>(offset);
  return joined({index_.operand, " + ", wide ? long_literal(offset) : int_literal(offset)});
}

}  // namespace imago::ir
