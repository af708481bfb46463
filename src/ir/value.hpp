// This file defines values and conditions of a kernel under construction.
#pragma once

#include <cstdint>

#include "ir/kernel.hpp"

namespace imago::ir {

class Builder;

/// A value of the kernel under construction. Cheap to copy; valid as long as its builder.
class Value {
 public:
  Value() = default;
  Value(Builder* builder, std::uint32_t id, Type type) : builder_(builder), id_(id), type_(type) {}
  Builder& builder() const { return *builder_; }
  std::uint32_t id() const { return id_; }
  Type type() const { return type_; }
  bool valid() const { return builder_ != nullptr; }

 private:
  Builder* builder_ = nullptr;
  std::uint32_t id_ = kNone;
  Type type_;
};

/// A condition of the kernel under construction: a boolean value, or always or never true.
class Condition {
 public:
  explicit Condition(Value value) : state_(State::by_value), value_(value) {}
  static Condition always() { return Condition(State::always); }
  static Condition never() { return Condition(State::never); }
  bool is_always() const { return state_ == State::always; }
  bool is_never() const { return state_ == State::never; }
  /// The boolean value of a condition that is neither always nor never true.
  Value value() const { return value_; }

 private:
  enum class State { always, never, by_value };
  explicit Condition(State state) : state_(state) {}
  State state_;
  Value value_;
};

}  // namespace imago::ir
