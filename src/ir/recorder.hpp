// This file records the instructions of a kernel under construction, and the known properties of
// their values. It reuses values that were computed before, and keeps constants and the bounds of
// integers.
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
  /// Values of this recorder belong to `builder`.
  explicit Recorder(Builder* builder) : builder_(builder), scopes_(1) {}

  Kernel& kernel() { return kernel_; }
  const Kernel& kernel() const { return kernel_; }
  const Instruction& instruction(Value value) const { return kernel_.code[value.id()]; }
  /// Returns the value of an earlier instruction.
  Value value(std::uint32_t id, Type type) const { return {builder_, id, type}; }

  /// Appends a new instruction, even if an equal one exists.
  Value append(Instruction instruction);
  /// Returns the value of an instruction without effects; reuses an equal one that is visible.
  Value pure(Instruction instruction);
  Value real(double number, Type type);
  Value integer(std::int64_t number, Type type);
  /// Returns the index of a list among the kernel's lists.
  std::int64_t list(std::vector<int> values);
  /// Values that are computed inside a scope are not visible after it.
  void open_scope() { scopes_.emplace_back(); }
  void close_scope() { scopes_.pop_back(); }

  std::optional<std::int64_t> constant_integer(Value value) const;
  std::optional<double> constant_real(Value value) const;
  /// Returns the largest possible value of an integer, if it is known.
  std::optional<std::int64_t> largest(Value value) const;
  void set_largest(Value value, std::int64_t largest) { largest_[value.id()] = largest; }
  /// Returns the parts of an integer sum x + c; for other values c is 0.
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
