// This file defines a value of a kernel under construction.
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

}  // namespace imago::ir
