// This file appends instructions to a kernel. Operators on Value fold constants, keep constant
// offsets outermost in integer sums (so that adjacent addresses share their variable part), and
// reuse values that were computed before. Integer values are indices: they are never negative when
// they are divided.
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

/// Identifies a memory of the kernel under construction.
struct MemoryId {
  std::uint32_t index = kNone;
};

class Builder {
 public:
  explicit Builder(std::string name, unsigned work_group_size);
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;
  Kernel take() { return std::move(recorder_.kernel()); }

  /// Makes settled() round values. The arithmetic of a formula then does not depend on the code
  /// around it (Options::reproducible).
  void set_reproducible() { reproducible_ = true, folding_.keep_rounded(); }

  /// Makes factors roots of the inverse transform, in a ring of words (blocks/complex.hpp).
  void set_inverse_roots() { inverse_roots_ = true; }
  bool inverse_roots() const { return inverse_roots_; }

  // The signature, in the order of the calls.
  /// True for `doubles`: the memory holds doubles also if the kernel computes in pairs.
  MemoryId global(const std::string& name, Type element, bool read_only, bool doubles = false);
  /// Adds a read-only memory that does not overlap the memory that the kernel writes: loads need
  /// not wait for stores.
  MemoryId global_apart(const std::string& name, Type element, bool doubles = false);
  Value parameter(const std::string& name, Type type);
  /// Adds two atomic ints that are 0 before and after the kernel: the tickets that its work-groups
  /// took, and the groups that have finished. A kernel has at most one such pair.
  MemoryId counters(const std::string& name);
  // Arrays of the work-group and of the work-item. Calls with the name and the type of an existing
  // array share it, and it grows to the larger size. An array of another type gets another name.
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
  Value pair(Value first, Value second);  ///< two scalars as a vector of two
  Value shuffle(Value a, Value b, std::vector<int> lanes);
  Value convert(Value value, Type type) { return folding_.convert(value, type); }
  /// Compares by Op::less or Op::equal; operator< and equal() use it.
  Condition compare(Op op, Value a, Value b) { return folding_.compare(op, a, b); }
  Value select(const Condition& condition, Value yes, Value no);

  Value at_least(Value x, Value least);  ///< the larger of two floats; NaN if x is NaN

  // Arithmetic by operation; the operators below use it.
  Value binary(Op op, Value a, Value b) { return folding_.binary(op, a, b); }
  Value unary(Op op, Value a) { return folding_.unary(op, a); }
  Value fma(Value a, Value b, Value c) { return folding_.fma(a, b, c); }
  /// Calls a user's function of up to three values. The texts define it; the kernel contains each
  /// of them once, in this order.
  Value user_call(const std::vector<std::string>& texts, const UserCall& call, Type result,
                  const std::vector<Value>& arguments);

  // Memory.
  Value load(MemoryId memory, Value index, unsigned lanes = 1);
  Value load_if(const Condition& condition, MemoryId memory, Value index, unsigned lanes = 1);
  Value load_strided(MemoryId memory, Value index, std::int64_t stride, unsigned lanes);
  void store(MemoryId memory, Value index, Value value);
  void store_strided(MemoryId memory, Value index, Value value, std::int64_t stride);

  // Control flow.
  /// Calls body(i) for i in [0, count). A count of one emits no loop.
  void loop(Value count, const std::function<void(Value)>& body);
  void loop(std::int64_t count, const std::function<void(Value)>& body);
  /// Emits body under a condition.
  void when(const Condition& condition, const std::function<void()>& body);
  void barrier();
  /// Keeps the loads before it from moving behind it.
  void fence();

  // Order between work-groups, for kernels of several phases; all work-items of a group make these
  // calls. Groups take tickets in the order in which they start, so a group that awaits only
  // smaller tickets waits for running groups. OpenCL does not guarantee this for group_id().
  Value take_ticket(MemoryId counters);  ///< i32, the same for all work-items; once per group
  /// Waits until `groups` groups have finished; their stores are visible afterwards.
  void await(MemoryId counters, Value groups);
  /// Ends a group; the last one of `groups` sets the counters back to 0.
  void finish(MemoryId counters, Value groups);

  std::optional<std::int64_t> constant_integer(Value value) const {
    return recorder_.constant_integer(value);
  }
  std::optional<double> constant_real(Value value) const { return recorder_.constant_real(value); }
  /// Returns the largest possible value of an integer, if it is known.
  std::optional<std::int64_t> largest(Value value) const { return recorder_.largest(value); }
  /// Returns the parts of an integer sum x + c; for other values c is 0.
  std::pair<Value, std::int64_t> split(Value value) const { return recorder_.split(value); }
  /// Declares that an integer is a multiple of `divisor`.
  void set_divisor(Value value, std::int64_t divisor) { sums_.set_divisor(value, divisor); }
  const Sums& sums() const { return sums_; }

 private:
  friend Value rounded(Value x);
  friend Value settled(Value x);
  MemoryId add(Memory memory);
  MemoryId array(Memory memory);

  Recorder recorder_;
  Folding folding_;
  Sums sums_;
  bool reproducible_ = false, inverse_roots_ = false;
};

Value operator+(Value a, Value b);
Value operator-(Value a, Value b);
Value operator*(Value a, Value b);
Value operator/(Value a, Value b);
Value operator%(Value a, Value b);
Value operator-(Value a);
Condition operator<(Value a, Value b);
Condition equal(Value a, Value b);
Condition operator&&(const Condition& a, const Condition& b);
// Operators with a literal, which gets the type of the value.
Value operator+(Value a, std::int64_t b);
Value operator*(Value a, std::int64_t b);
Value operator/(Value a, std::int64_t b);
Value operator%(Value a, std::int64_t b);
Condition operator<(Value a, std::int64_t b);
Value operator-(std::int64_t a, Value b);
Value scaled(Value a, double factor);  ///< float times literal
/// Returns the value, which is rounded before sums use it: a product does not become part of an
/// fma, and a pair is normalised.
Value rounded(Value x);
/// Returns the result of a formula: rounded in reproducible kernels, else as it is.
Value settled(Value x);
/// Returns `yes` if an integer is 0, else `no`.
Value where_zero(Value tested, std::int64_t yes, Value no);

}  // namespace imago::ir
