// This file renders the values of a kernel as expressions, for the renderer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/accesses.hpp"
#include "ir/kernel.hpp"
#include "ir/language.hpp"
#include "ir/pairs.hpp"
#include "ir/residues.hpp"

namespace imago::ir {

/// Returns true if Language::shuffled() selects the lanes, instead of one expression per lane.
bool needs_shuffle(const Kernel& kernel, const Instruction& instruction);

/// Renders values. Scalar integers that are used once are written at their use, so that address
/// arithmetic reads as one expression; every other value has a name.
class Expressions {
 public:
  Expressions(const Kernel& kernel, const Language& language);

  bool is_inlined(std::uint32_t index) const;
  std::string name(std::uint32_t index) const;
  /// Returns the expression that instruction `index` computes.
  std::string definition(std::uint32_t index) const;
  /// Returns the value as an operand of any operator.
  std::string operand(std::uint32_t index) const;
  /// Returns the value as text between brackets or commas.
  std::string bare(std::uint32_t index) const;
  /// Returns one lane of a value as an operand.
  std::string lane(std::uint32_t index, unsigned lane) const;
  Access access_of(const Instruction& instruction) const;

 private:
  std::string operand(const Instruction& instruction, int n) const {
    return operand(instruction.args[n]);
  }
  std::string bare(const Instruction& instruction, int n) const {
    return bare(instruction.args[n]);
  }
  std::string of_pairs(std::uint32_t index) const;
  std::string dot(std::uint32_t index) const;
  std::string simple(const Instruction& instruction) const;
  std::string vector(const Instruction& instruction, const std::string& part) const;
  std::string loaded(const Instruction& instruction) const;
  std::string leaf(const Instruction& instruction) const;
  std::string call(const std::string& function, const Instruction& instruction) const;
  std::string user_call(const Instruction& x) const;
  std::string shuffle(const Instruction& instruction, const std::string& part) const;

  const Kernel& kernel_;
  const Language& language_;
  std::vector<unsigned> uses_;  ///< uses in the text, by value
  RawPairs pairs_;
  ResidueUnits units_;
};

}  // namespace imago::ir
