// This file gathers the arguments that the hooks of an end take from each call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "problem/problem.hpp"

namespace imago::problem {

/// Throws InvalidArgument where the transform has no such dimension; `name` is the field.
void check_axis(const std::string& name, std::size_t axis, std::size_t dimensions);

/// The arguments in the order of the hooks; names are checked.
class ArgumentList {
 public:
  /// Of an end whose array has these lengths.
  ArgumentList(const std::vector<std::uint64_t>& lengths, std::uint64_t batch)
      : lengths_(lengths), batch_(batch) {}

  void add(const std::string& field, HookArgument argument);
  struct Factors {
    std::uint64_t sets = 1;  ///< of as many arrays
    bool real = false;       ///< of real elements
  };
  /// `field` is that of `multiply`.
  void add_factors(const std::string& field, const hook::Multiply& multiply,
                   const Factors& factors);
  std::vector<HookArgument> take() { return std::move(arguments_); }

 private:
  const std::vector<std::uint64_t>& lengths_;
  const std::uint64_t batch_;
  std::vector<HookArgument> arguments_;
};

}  // namespace imago::problem
