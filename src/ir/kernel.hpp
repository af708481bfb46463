// This file defines the linear typed code that the blocks write: values in single-assignment form,
// structured loops and conditions, memory. It has no complex numbers, lanes, passes or twiddles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ring.hpp"

namespace imago::ir {

/// The types f16 and the short integers exist in global memory only. Loads of f16 return f32
/// values, and stores accept them; the values of short integers are i32. A pair is the sum of two
/// f32 in the place of an f64 (ir/pairs.hpp), and a residue is an element of the kernel's ring
/// (ir/residues.hpp).
enum class Base : std::uint8_t {
  boolean,
  i32,
  i64,
  f16,
  f32,
  f64,
  i8,
  u8,
  i16,
  u16,
  pair,
  residue,
  residue32  ///< a residue of a ring whose words have 32 bits
};
constexpr bool is_short(Base base) { return base >= Base::i8 && base <= Base::u16; }

/// A scalar (lanes 1) or an OpenCL vector (2, 4, 8, 16).
struct Type {
  Base base = Base::i32;
  std::uint8_t lanes = 1;
  bool is_float() const {
    return base == Base::f32 || base == Base::f64 || base == Base::pair || base == Base::residue ||
           base == Base::residue32;
  }
  bool is_int() const { return base == Base::i32 || base == Base::i64; }
  Type scalar() const { return {base, 1}; }
  Type with_lanes(unsigned n) const { return {base, static_cast<std::uint8_t>(n)}; }
  /// Returns the type of values that are loaded from and stored to memory of this type.
  Type of_values() const {
    return {base == Base::f16 ? Base::f32 : is_short(base) ? Base::i32 : base, lanes};
  }
  friend bool operator==(const Type&, const Type&) = default;
};

enum class Op : std::uint8_t {
  // leaves
  constant,        ///< number (floats) or integer (ints, booleans), the same in every lane
  constant_lanes,  ///< integer: index into Kernel::lists; one integer for each lane (an int vector)
  argument,        ///< integer: index into Kernel::parameters (a scalar)
  group_id,        ///< get_group_id(0), i64
  local_id,        ///< get_local_id(0), i32
  // arithmetic; operands have the type of the result, and scalars do not mix with vectors
  add,
  sub,
  mul,
  div,
  mod,
  neg,
  fma,  ///< args[0] * args[1] + args[2]
  min,
  max,
  bit_and,
  bit_xor,
  shift_left,
  shift_right,
  less,
  equal,  ///< boolean; scalar operands (less: signed)
  logical_and,
  select,  ///< args[0] (scalar boolean) ? args[1] : args[2]
  rint,    ///< to nearest even, floats
  native_sin,
  native_cos,  ///< f32
  log2,        ///< floats
  at_least,    ///< args[0] < args[1] ? args[1] : args[2], floats; args[2] is args[0], so NaN stays
  convert,     ///< to the type of the result (floats to ints truncate)
  // vectors
  splat,      ///< scalar to vector
  pair,       ///< two scalars to a vector of two
  extract,    ///< integer: the lane
  user_call,  ///< result of Kernel::user_calls[integer] on args
  /// Lanes of args[0], args[1] (same type) by Kernel::lists[integer]; as many as the list has.
  shuffle,
  // memory: `memory` names it; args[0]: index in its elements (scalar int)
  load,           ///< type's lanes consecutive elements (or one element of a vector-typed memory)
  load_if,        ///< args[1] (scalar boolean) ? load : zero; touches no memory when false
  load_strided,   ///< lane l from index + l * integer (scalar elements)
  store,          ///< args[1]: the value
  store_strided,  ///< args[1]: the value; lane l to index + l * integer (scalar elements)
  // structure (no value)
  loop_begin,  ///< for (i = 0; i < args[0]; ++i); its value is i
  loop_end,
  when_begin,  ///< if (args[0])
  when_end,
  barrier,  ///< for local memory
  fence,    ///< loads before it do not move behind it
  // counters: `memory` names them; all work-items of a group execute the same ones; args[0] of the
  // last two: work-groups (i32)
  take_ticket,   ///< number of groups that took a ticket before, i32; once per group
  await_groups,  ///< waits until args[0] groups have finished, whose stores are then visible
  finish_group   ///< ends this group; the last one of args[0] groups sets both counters back to 0
};

/// Returns true if the work-items of a group wait for each other at the operation.
constexpr bool is_barrier(Op op) {
  return op == Op::barrier || op == Op::take_ticket || op == Op::await_groups ||
         op == Op::finish_group;
}

inline constexpr std::uint32_t kNone = 0xffffffffu;

/// One instruction. Its value, if it has one, is identified by its index in Kernel::code.
struct Instruction {
  Op op = Op::constant;
  Type type;
  std::uint32_t args[3] = {kNone, kNone, kNone};
  std::int64_t integer = 0;
  double number = 0;
  std::uint32_t memory = kNone;  ///< index into Kernel::memories
  bool is_rounded = false;       ///< rounded, or normalised, before sums use it (ir::rounded)
};

enum class Space { global, local, private_ };

/// Memory that a kernel uses. Global memories are kernel arguments, in the order of
/// Kernel::arguments. Local memories are arrays of the work-group. The kernel declares them,
/// because NVIDIA's OpenCL allows 226 KB for these, but only 48 KB, less its own use, for an
/// argument. Private memories are arrays of the work-item.
struct Memory {
  std::string name;
  Space space = Space::global;
  Type element;            ///< scalar, or {f16|f32|f64, 2}: both numbers at once
  std::size_t size = 0;    ///< elements; local and private only
  bool read_only = false;  ///< global only
  bool counters = false;   ///< global only: two atomic ints, tickets and finished groups
  bool apart = false;      ///< global only: does not overlap memory that the kernel writes
  /// Global only: memory holds the caller's numbers, also if values are pairs or residues.
  bool doubles = false;
};

struct Parameter {
  std::string name;
  Type type;
};

/// A kernel argument: a memory or a scalar parameter.
struct Argument {
  enum class Kind { memory, parameter } kind = Kind::memory;
  std::uint32_t index = 0;
};

/// A call of a generated pure function, which calls the function in a user's text. The operands of
/// Op::user_call are its first arguments; `arguments` are the names of those that follow.
struct UserCall {
  std::string function;
  std::vector<std::string> arguments = {};
  std::string part = {};  ///< text after the call that selects a part of the result (".re")
};

struct Kernel {
  std::string name;
  unsigned work_group_size = 1;  ///< required, one-dimensional
  /// True for a function that does the work of one work-group, for a hand-written kernel. Its first
  /// arguments are its local memories, as pointers.
  bool is_function = false;
  /// True if kernels with barriers read local_id() from volatile memory. Some compilers otherwise
  /// compute indices again after a barrier, and then also repeat loads.
  bool volatile_item = false;
  /// True if the compiler must not fuse products and sums that are separate in the code.
  bool as_written = false;
  base::Ring ring = base::Ring::none;  ///< the ring of its residues
  std::vector<Memory> memories;
  std::vector<Parameter> parameters;
  std::vector<Argument> arguments;      ///< in the order of the signature
  std::vector<std::vector<int>> lists;  ///< shuffle masks and lane constants
  std::vector<std::string> texts;       ///< OpenCL C before the kernel: definitions for user_calls
  std::vector<UserCall> user_calls;
  std::vector<Instruction> code;
};

}  // namespace imago::ir
