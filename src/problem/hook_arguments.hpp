// This file collects the arguments that the hooks of one end need in each call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "problem/problem.hpp"

namespace imago::problem {

/// Throws InvalidArgument if the transform has no such dimension; `name` is the field.
void check_axis(const std::string& name, std::size_t axis, std::size_t dimensions,
                const char* of = "transform");

/// The arguments in the order of the hooks. It checks their names.
class ArgumentList {
 public:
  /// Starts a list for an end whose array has these lengths.
  ArgumentList(const std::vector<std::uint64_t>& lengths, std::uint64_t batch)
      : lengths_(lengths), batch_(batch) {}

  void add(const std::string& field, HookArgument argument);
  struct Factors {
    std::uint64_t sets = 1;  ///< number of arrays that have factors of their own
    bool real = false;       ///< true if elements are real
  };
  /// Adds the buffer of `multiply`, which is the caller's `field`.
  void add_factors(const std::string& field, const hook::Multiply& multiply,
                   const Factors& factors);
  std::vector<HookArgument> take() { return std::move(arguments_); }

 private:
  const std::vector<std::uint64_t>& lengths_;
  const std::uint64_t batch_;
  std::vector<HookArgument> arguments_;
};

}  // namespace imago::problem
