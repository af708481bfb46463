// This file renders accesses to memory, for the renderer.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "ir/language.hpp"

namespace imago::ir {

/// Returns true if consecutive elements of the memory are accessed as one vector with only the
/// alignment of an element.
bool is_unaligned(const Memory& memory, Type values);

/// Returns true if a work-item of a group moves two numbers, at once if they are aligned. GPUs do
/// not move unaligned vectors at once, and compilers do not know that most are aligned.
bool moves_pairs(const Kernel& kernel, const Memory& memory, Type values);
/// Returns the definitions of functions that do.
std::string pair_moves(Type values);

/// Returns the arrays of the kernel's text that hold a memory: two for pairs in private memory.
std::vector<Memory> arrays_of(const Memory& memory);

/// An instruction's access to memory. A value is one element, or several consecutive elements of a
/// memory of scalars.
class Access {
 public:
  using Index = IndexText;
  Access(const Kernel& kernel, const Language& language, const Instruction& instruction,
         Index index);

  /// Doubles are decoded to pairs that only sums and products use (kernels/pairs.cl).
  void decode_raw() { decodes_raw_ = true; }
  std::string load(Type type) const;
  /// Returns the statement that stores.
  std::string store(Type type, const std::string& value) const;
  std::string load_lanes(Type type) const;  ///< a strided access
  /// Returns the statement that stores one lane of a strided access.
  std::string store_lane(unsigned lane, const std::string& value) const;

 private:
  Access(const Kernel& kernel, const Language& language, const Instruction& instruction,
         Memory memory, Index index);
  Access plane(const std::string& part) const;
  std::string residues(Type type, const char* function, const std::string& words) const;
  std::string decoded(Type type, const std::string& bits) const;
  std::string encoded(Type type, const std::string& value) const;
  std::string load_lane(unsigned lane) const;
  void check_fit(Type type) const;
  std::string place(Type type, bool loads) const;
  std::string lane_index(unsigned lane) const;

  const Kernel& kernel_;
  const Language& language_;
  const Instruction& instruction_;
  const Memory memory_;
  Index index_;
  bool decodes_raw_ = false;
};

}  // namespace imago::ir
