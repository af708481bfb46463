// This file appends instructions to a kernel. Operators on Value fold constants, keep constant
// offsets outermost in integer sums (so that neighbouring addresses share their variable part) and
// reuse a value that was computed before. Integer values are indices: never negative where they are
// divided.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/folding.hpp"
#include "ir/kernel.hpp"
#include "ir/recorder.hpp"
#include "ir/sums.hpp"
#include "ir/value.hpp"

namespace imago::ir {

/// Names a memory of the kernel under construction.
struct MemoryId {
  std::uint32_t index = kNone;
};

class Builder {
 public:
  explicit Builder(std::string name, unsigned work_group_size);
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;
  Kernel take() { return std::move(recorder_.kernel()); }

  // The signature, in order of the calls.
  MemoryId global(const std::string& name, Type element, bool read_only);
  /// Read-only, and nothing that the kernel writes lies in it: loads need not wait for stores.
  MemoryId global_apart(const std::string& name, Type element);
  Value parameter(const std::string& name, Type type);
  /// Two atomic ints, 0 before the kernel and behind it: the tickets that its work-groups took, and
  /// the groups that have finished. A kernel has at most one such pair.
  MemoryId counters(const std::string& name);
  // Arrays of the work-group and of the work-item. An array that the kernel has under that name and
  // of that type is shared, and grows to the larger size; one of another type gets another name.
  MemoryId local(const std::string& name, Type element, std::size_t size);
  MemoryId private_array(const std::string& name, Type element, std::size_t size);
  Type element(MemoryId memory) const { return recorder_.kernel().memories[memory.index].element; }

  // Leaves.
  Value real(double number, Type type) { return recorder_.real(number, type); }
  Value integer(std::int64_t number, Type type = {Base::i32, 1}) {
    return recorder_.integer(number, type);
  }
  Value lane_constants(std::vector<int> values);
  Value group_id();
  Value local_id(unsigned work_group_size);

  // Vectors and conversions.
  Value splat(Value scalar, unsigned lanes) { return folding_.splat(scalar, lanes); }
  Value extract(Value vector, unsigned lane);
  Value pair(Value first, Value second);  ///< two scalars to a vector of two
  Value shuffle(Value a, Value b, std::vector<int> lanes);
  Value convert(Value value, Type type) { return folding_.convert(value, type); }
  Value never() { return folding_.never(); }           ///< a condition that is not met
  Value select(Value condition, Value yes, Value no);  ///< a condition not valid() means always

  Value at_least(Value x, Value least);  ///< the larger of two floats; NaN where x is

  // Arithmetic by name; the operators below use it.
  Value binary(Op op, Value a, Value b) { return folding_.binary(op, a, b); }
  Value unary(Op op, Value a) { return folding_.unary(op, a); }
  Value fma(Value a, Value b, Value c) { return folding_.fma(a, b, c); }
  /// Calls a user's function of up to three values. The texts define it: the kernel has each of
  /// them once, in this order.
  Value user_call(const std::vector<std::string>& texts, const UserCall& call, Type result,
                  const std::vector<Value>& arguments);

  // Memory.
  Value load(MemoryId memory, Value index, unsigned lanes = 1);
  Value load_if(Value condition, MemoryId memory, Value index, unsigned lanes = 1);
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

  // Order between work-groups, for kernels of several phases; called by whole groups. Groups take
  // tickets in the order in which they start, so who awaits only groups with smaller tickets waits
  // for running ones. OpenCL promises no such thing of group_id().
  Value take_ticket(MemoryId counters);  ///< i32, the same for all work-items; once in a group
  /// Returns when so many groups have finished; what they stored is visible behind it.
  void await(MemoryId counters, Value groups);
  /// The last thing that a group does; the last one of `groups` sets the counters back to 0.
  void finish(MemoryId counters, Value groups);

  std::optional<std::int64_t> constant_integer(Value value) const {
    return recorder_.constant_integer(value);
  }
  std::optional<double> constant_real(Value value) const { return recorder_.constant_real(value); }
  /// Largest value that an integer can take, where it is known.
  std::optional<std::int64_t> largest(Value value) const { return recorder_.largest(value); }
  /// The parts of an integer sum x + c; anything else is x.
  std::pair<Value, std::int64_t> split(Value value) const { return recorder_.split(value); }
  /// Says that an integer is a multiple.
  void set_divisor(Value value, std::int64_t divisor) { sums_.set_divisor(value, divisor); }
  const Sums& sums() const { return sums_; }

 private:
  MemoryId add(Memory memory);
  MemoryId array(Memory memory);

  Recorder recorder_;
  Folding folding_;
  Sums sums_;
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
