// This file collects the arguments that the hooks of one end need in each call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "problem/problem.hpp"

namespace imago::problem {

/// The arguments in the order of the hooks. It checks their names.
class ArgumentList {
 public:
  /// Starts a list for an end whose array has these lengths.
  ArgumentList(const std::vector<std::uint64_t>& lengths, std::uint64_t batch)
      : lengths_(lengths), batch_(batch) {}

  void add(const std::string& field, HookArgument argument);
  /// Adds the buffer of `multiply`, which is the caller's `field`. It has factors for each of
  /// `arrays` arrays; `real`: their elements are real.
  void add_factors(const std::string& field, const hook::Multiply& multiply, std::uint64_t arrays,
                   bool real);
  /// Adds the first buffer of `add` likewise.
  void add_terms(const std::string& field, const hook::Add& add, bool real);
  std::vector<HookArgument> take() { return std::move(arguments_); }

 private:
  const std::vector<std::uint64_t>& lengths_;
  const std::uint64_t batch_;
  std::vector<HookArgument> arguments_;
};

}  // namespace imago::problem
