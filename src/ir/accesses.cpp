// This file renders accesses to memory: elements of arrays, and the functions that convert
// half-precision numbers.
#include "ir/accesses.hpp"

#include <cstdint>
#include <utility>

#include "base/errors.hpp"
#include "ir/pairs.hpp"
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

Access::Access(const Kernel& kernel, const Instruction& instruction, Index index)
    : Access(kernel, instruction, kernel.memories[instruction.memory], std::move(index)) {}

Access::Access(const Kernel& kernel, const Instruction& instruction, Memory memory, Index index)
    : kernel_(kernel),
      instruction_(instruction),
      memory_(std::move(memory)),
      index_(std::move(index)) {}

Access Access::plane(const std::string& part) const {
  return {kernel_, instruction_, arrays_of(memory_)[part == ".high" ? 0 : 1], index_};
}

std::string Access::decoded(Type type, const std::string& bits) const {
  return pair_call(type, memory_.doubles ? "decode" : "unpack", {bits});
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
  if (is_pair(type)) return decoded(type, place(type, " const "));
  if (has_short_integers(memory_)) return load_integers(type);
  if (moves_pairs(kernel_, memory_, type))
    return joined({"load_", type_name(type), "(", memory_.name, " + ", index_.operand, ")"});
  if (!has_halves(memory_)) return place(type, " const ");
  return joined({half_function("vload", type), "(", halves(type), ")"});
}

std::string Access::store(Type type, const std::string& value) const {
  check_fit(type);
  if (has_planes(memory_)) {
    const Type part{Base::f32, type.lanes};
    return joined({plane(".high").store(part, value + ".high"), " ",
                   plane(".low").store(part, value + ".low")});
  }
  if (is_pair(type)) return joined({place(type, " "), " = ", encoded(type, value), ";"});
  if (has_short_integers(memory_)) return store_integers(type, value);
  if (moves_pairs(kernel_, memory_, type))
    return joined(
        {"store_", type_name(type), "(", memory_.name, " + ", index_.operand, ", ", value, ");"});
  if (!has_halves(memory_)) return joined({place(type, " "), " = ", value, ";"});
  return joined({half_function("vstore", type), "_rte(", value, ", ", halves(type), ");"});
}

std::string Access::load_lanes(Type type) const {
  if (has_planes(memory_)) {
    return pair_of_parts(type, [&](const std::string& part) {
      return plane(part).load_lanes({Base::f32, type.lanes});
    });
  }
  std::vector<std::string> components;
  for (unsigned lane = 0; lane < type.lanes; ++lane) components.push_back(load_lane(lane));
  const std::string all = vector_literal(type, components);
  return is_pair(type) ? decoded(type, all) : all;
}

std::string Access::load_lane(unsigned lane) const {
  if (has_halves(memory_))
    return joined({"vload_half(", lane_index(lane), ", ", memory_.name, ")"});
  return joined({memory_.name, "[", lane_index(lane), "]"});
}

std::string Access::store_lane(unsigned lane, const std::string& value) const {
  const std::string index = lane_index(lane);
  if (has_planes(memory_)) {
    return joined({plane(".high").store_lane(lane, value + ".high"), " ",
                   plane(".low").store_lane(lane, value + ".low")});
  }
  if (is_pair(memory_.element))
    return joined({memory_.name, "[", index, "] = ", encoded({Base::pair, 1}, value), ";"});
  if (has_short_integers(memory_))
    return joined({memory_.name, "[", index, "] = convert_", type_name(memory_.element.scalar()),
                   "_sat(", value, ");"});
  if (has_halves(memory_))
    return joined({"vstore_half_rte(", value, ", ", index, ", ", memory_.name, ");"});
  return joined({memory_.name, "[", index, "] = ", value, ";"});
}

std::string Access::load_integers(Type type) const {
  const bool whole = memory_.element.lanes == type.lanes;
  const std::string value =
      whole
          ? joined({memory_.name, "[", index_.bare, "]"})
          : joined({"vload", lanes_suffix(type), "(0, ", memory_.name, " + ", index_.operand, ")"});
  return joined({"convert_", type_name(type), "(", value, ")"});
}

std::string Access::store_integers(Type type, const std::string& value) const {
  const bool whole = memory_.element.lanes == type.lanes;
  const std::string narrow =
      joined({"convert_", type_name(Type{memory_.element.base, type.lanes}), "_sat(", value, ")"});
  if (whole) return joined({memory_.name, "[", index_.bare, "] = ", narrow, ";"});
  return joined({"vstore", lanes_suffix(type), "(", narrow, ", 0, ", memory_.name, " + ",
                 index_.operand, ");"});
}

void Access::check_fit(Type type) const {
  const Type element = memory_.element.of_values();
  if (element == type || element == type.scalar()) return;
  base::internal_error(
      joined({"kernel ", kernel_.name, ": ", type_name(type), " does not fit the elements of ",
              memory_.name, ", ", type_name(memory_.element)}));
}

/// Returns the lvalue of consecutive elements, or of one element of a vector-typed memory.
std::string Access::place(Type type, const char* qualifier) const {
  if (!is_unaligned(memory_, type)) return joined({memory_.name, "[", index_.bare, "]"});
  return joined({"*(", space_name(memory_.space), qualifier, unaligned_name(type), "*)(",
                 memory_.name, " + ", index_.operand, ")"});
}

/// Returns the name of a half-precision function. Elements of several halves have their own
/// alignment, and the functions with an `a` rely on it: they access memory once, whereas a GPU's
/// compiler would access it once per half.
std::string Access::half_function(const char* name, Type type) const {
  const bool aligned = memory_.element.lanes > 1;
  return joined({name, aligned ? "a_half" : "_half", lanes_suffix(type)});
}

/// Returns the last arguments of vload_half and vstore_half, which count in vectors of as many
/// halves as the type has lanes.
std::string Access::halves(Type type) const {
  if (memory_.element.lanes == type.lanes) return joined({index_.bare, ", ", memory_.name});
  return joined({"0, ", memory_.name, " + ", index_.operand});
}

std::string Access::lane_index(unsigned lane) const {
  const std::int64_t offset = instruction_.integer * lane;
  if (offset == 0) return index_.bare;
  const bool wide = offset != static_cast<std::int32_t>(offset);
  return joined({index_.operand, " + ", wide ? long_literal(offset) : int_literal(offset)});
}

}  // namespace imago::ir
