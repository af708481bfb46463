// This file defines what differs between the languages that a kernel is rendered to. The renderer
// and its parts are the same for all of them.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::ir {

/// The text of an index in a memory: between brackets or commas, and next to an operator.
struct IndexText {
  std::string bare, operand;
};

class Language {
 public:
  virtual ~Language() = default;

  /// Returns everything before the kernel's arrays: definitions, and the signature with its brace.
  virtual std::string head(const Kernel& kernel) const = 0;
  virtual std::string type(Type type) const = 0;
  /// Returns the declaration of a local or private array, without a pair in it.
  virtual std::string array(const Memory& memory) const = 0;

  // Values.
  virtual std::string group_id() const = 0;
  virtual std::string component(unsigned lane) const = 0;
  /// Returns scalars as one value: one for each lane, or one for all.
  virtual std::string vector(Type type, const std::vector<std::string>& components) const = 0;
  /// Returns lanes of two vectors of the same type as a vector with a name of its own.
  virtual std::string shuffled(Type type, const std::string& first, const std::string& second,
                               const std::vector<int>& lanes) const = 0;
  /// Returns the function that computes an operation that function_name() knows.
  virtual std::string function(Op op, Type type) const = 0;
  /// Returns a product of floats, which compilers must not fuse with a sum if the language says so.
  virtual std::string product(Type type, const std::string& text) const = 0;
  virtual std::string converted(Type type, const IndexText& value) const = 0;

  // Memory.
  /// Returns the lvalue of consecutive elements of a memory of scalars, of any alignment.
  virtual std::string unaligned(const Memory& memory, Type type, bool loads,
                                const IndexText& index) const = 0;
  /// Returns a loaded vector, whose type may have an alignment of its own, as an operand of ?:.
  virtual std::string chosen(Type type, const std::string& loaded) const = 0;
  virtual std::string load_halves(const Memory& memory, Type type,
                                  const IndexText& index) const = 0;
  virtual std::string load_half(const Memory& memory, const std::string& index) const = 0;
  virtual std::string store_halves(const Memory& memory, Type type, const IndexText& index,
                                   const std::string& value) const = 0;
  virtual std::string store_half(const Memory& memory, const std::string& index,
                                 const std::string& value) const = 0;
  /// For elements that are short integers.
  virtual std::string load_integers(const Memory& memory, Type type,
                                    const IndexText& index) const = 0;
  virtual std::string store_integers(const Memory& memory, Type type, const IndexText& index,
                                     const std::string& value) const = 0;
  virtual std::string store_integer(const Memory& memory, const std::string& index,
                                    const std::string& value) const = 0;
};

const Language& opencl_c();
/// C with vectors as GCC and clang have them (kernels/vectors.h).
const Language& vector_c();

}  // namespace imago::ir
