// This file records the instructions of a kernel under construction, and what is known of their
// values: a value that was computed before is reused, constants and the bounds of integers are
// kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/value.hpp"

namespace imago::ir {

class Recorder {
 public:
  /// Its values are those of `builder`.
  explicit Recorder(Builder* builder) : builder_(builder), scopes_(1) {}

  Kernel& kernel() { return kernel_; }
  const Kernel& kernel() const { return kernel_; }
  const Instruction& instruction(Value value) const { return kernel_.code[value.id()]; }
  /// The value that an instruction before has.
  Value value(std::uint32_t id, Type type) const { return {builder_, id, type}; }

  /// A new instruction, whatever was computed before.
  Value append(Instruction instruction);
  /// An instruction without effects, which is reused where it is seen.
  Value pure(Instruction instruction);
  Value real(double number, Type type);
  Value integer(std::int64_t number, Type type);
  /// The place of a list among the kernel's lists.
  std::int64_t list(std::vector<int> values);
  /// What is computed between them is not seen behind.
  void open_scope() { scopes_.emplace_back(); }
  void close_scope() { scopes_.pop_back(); }

  std::optional<std::int64_t> constant_integer(Value value) const;
  std::optional<double> constant_real(Value value) const;
  /// Largest value that an integer can take, where it is known.
  std::optional<std::int64_t> largest(Value value) const;
  void set_largest(Value value, std::int64_t largest) { largest_[value.id()] = largest; }
  /// The parts of an integer sum x + c; anything else is x.
  std::pair<Value, std::int64_t> split(Value value) const;

 private:
  using Key =
      std::tuple<Op, Base, int, std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t, double>;

  Builder* builder_;
  Kernel kernel_;
  std::vector<std::map<Key, std::uint32_t>> scopes_;
  std::map<std::vector<int>, std::int64_t> list_ids_;
  std::map<std::uint32_t, std::int64_t> largest_;
};

}  // namespace imago::ir
