// This file appends instructions to a kernel. Operators on Value fold constants, keep constant
// offsets outermost in integer sums (so that neighbouring addresses share their variable part) and
// reuse a value that was computed before. Integer values are indices: never negative where they are
// divided.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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

/// Names a memory of the kernel under construction.
struct MemoryId {
  std::uint32_t index = kNone;
};

class Builder {
 public:
  explicit Builder(std::string name, unsigned work_group_size);
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;
  Kernel take() { return std::move(kernel_); }

  // The signature, in order of the calls.
  MemoryId global(const std::string& name, Type element, bool read_only);
  Value parameter(const std::string& name, Type type);
  // Arrays of the work-group and of the work-item.
  MemoryId local(const std::string& name, Type element, std::size_t size);
  MemoryId private_array(const std::string& name, Type element, std::size_t size);
  Type element(MemoryId memory) const { return kernel_.memories[memory.index].element; }

  // Leaves.
  Value real(double number, Type type);
  Value integer(std::int64_t number, Type type = {Base::i32, 1});
  Value lane_constants(std::vector<int> values);
  Value group_id();
  Value local_id(unsigned work_group_size);

  // Vectors and conversions.
  Value splat(Value scalar, unsigned lanes);
  Value extract(Value vector, unsigned lane);
  Value pair(Value first, Value second);  ///< two scalars to a vector of two
  Value shuffle(Value a, Value b, std::vector<int> lanes);
  Value convert(Value value, Type type);
  Value never();                                       ///< a condition that is not met
  Value select(Value condition, Value yes, Value no);  ///< a condition not valid() means always

  // Arithmetic by name; the operators below use it.
  Value binary(Op op, Value a, Value b);
  Value unary(Op op, Value a);
  Value fma(Value a, Value b, Value c);

  // Memory.
  Value load(MemoryId memory, Value index, unsigned lanes = 1);
  Value load_if(Value condition, MemoryId memory, Value index);
  Value load_strided(MemoryId memory, Value index, std::int64_t stride, unsigned lanes);
  void store(MemoryId memory, Value index, Value value);
  void store_strided(MemoryId memory, Value index, Value value, std::int64_t stride);

  // Structure.
  /// Calls body(i) for i in [0, count). A count of one emits no loop.
  void loop(Value count, const std::function<void(Value)>& body);
  void loop(std::int64_t count, const std::function<void(Value)>& body);
  /// Emits body under a condition; a condition that is not valid() means always.
  void when(Value condition, const std::function<void()>& body);
  void barrier();

  std::optional<std::int64_t> constant_integer(Value value) const;
  std::optional<double> constant_real(Value value) const;
  /// Largest value that an integer can take, where it is known.
  std::optional<std::int64_t> largest(Value value) const;
  /// The parts of an integer sum x + c; anything else is x.
  std::pair<Value, std::int64_t> split(Value value) const;

 private:
  using Key =
      std::tuple<Op, Base, int, std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t, double>;
  MemoryId array(Memory memory);
  Value append(Instruction instruction);
  Value pure(Instruction instruction);
  std::optional<Value> quotient_by_multiplication(Value a, std::int64_t divisor);
  Value fold_integer(Op op, Value a, Value b);
  Value fold_real(Op op, Value a, Value b);
  Value plain(Op op, Value a, Value b, Type type);
  bool is_never(Value condition) const;
  Value with_offset(Value value, std::int64_t offset);
  void match(Value& a, Value& b);
  void set_largest(Value value, std::int64_t largest);
  std::optional<std::int64_t> bound_of(Op op, Value a, Value b) const;

  Kernel kernel_;
  std::vector<std::map<Key, std::uint32_t>> scopes_;
  std::map<std::vector<int>, std::int64_t> list_ids_;
  std::map<std::uint32_t, std::int64_t> largest_;
};

Value operator+(Value a, Value b);
Value operator-(Value a, Value b);
Value operator*(Value a, Value b);
Value operator/(Value a, Value b);
Value operator%(Value a, Value b);
Value operator-(Value a);
Value operator<(Value a, Value b);
Value operator&&(Value a, Value b);  ///< an invalid operand means true
// With a literal, which takes the type of the value.
Value operator+(Value a, std::int64_t b);
Value operator*(Value a, std::int64_t b);
Value operator/(Value a, std::int64_t b);
Value operator%(Value a, std::int64_t b);
Value operator<(Value a, std::int64_t b);
Value operator-(std::int64_t a, Value b);
Value scaled(Value a, double factor);  ///< float times literal
/// `yes` where an integer is 0, else `no`.
Value where_zero(Value tested, std::int64_t yes, Value no);

}  // namespace imago::ir
