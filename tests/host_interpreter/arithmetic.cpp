// This file computes the results of operations on values of an interpreted kernel.
#include "interpreter/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/prime_field.hpp"

namespace imago::interpreter {

using ir::Base;
using ir::Instruction;
using ir::Kernel;
using ir::kNone;
using ir::Op;
using ir::Type;

namespace {

class Arithmetic {
 public:
  Arithmetic(const Kernel& kernel, WorkItems& items, std::uint32_t index)
      : kernel_(kernel), items_(items), index_(index), x_(kernel.code[index]) {}

  void run();

 private:
  template <class T>
  void floats();
  template <class T>
  void integers();
  void residues();
  template <class T>
  T divided(T dividend, T divisor, bool remainder) const;
  void convert();
  template <class T, class Function>
  void map(Function function);

  const Kernel& kernel_;
  WorkItems& items_;
  const std::uint32_t index_;
  const Instruction& x_;
};

void Arithmetic::run() {
  if (x_.op == Op::convert) return convert();
  switch (kernel_.code[x_.args[0]].type.base) {
    case Base::f16:
    case Base::i8:
    case Base::u8:
    case Base::i16:
    case Base::u16:
    case Base::pair:
      fail(kernel_, "a value has numbers that only memory has");
    case Base::residue:
    case Base::residue32:
      return residues();
    case Base::f32:
      return floats<float>();
    case Base::f64:
      return floats<double>();
    case Base::i32:
      return integers<std::int32_t>();
    case Base::boolean:
    case Base::i64:
      return integers<std::int64_t>();
  }
}

/// Sets every lane to the result of `function` on the same lane of the operands, as type T.
template <class T, class Function>
void Arithmetic::map(Function function) {
  const std::uint32_t first = x_.args[0];
  const std::uint32_t second = x_.args[1] == kNone ? first : x_.args[1];
  const std::uint32_t third = x_.args[2] == kNone ? first : x_.args[2];
  items_.set(index_, [&](std::uint32_t item, unsigned lane) {
    const auto operand = [&](std::uint32_t of) { return get<T>(items_.cells(of, item)[lane]); };
    return put(function(operand(first), operand(second), operand(third)));
  });
}

/// Returns a * b + c, rounded once. That of mingw's C library rounds the product of floats, too.
template <class T>
T fused(T a, T b, T c) {
#ifdef __MINGW32__
  if constexpr (sizeof(T) == sizeof(float)) return static_cast<T>(double{a} * b + c);
#endif
  return std::fma(a, b, c);
}

template <class T>
void Arithmetic::floats() {
  switch (x_.op) {
    case Op::add:
      return map<T>([](T a, T b, T) { return a + b; });
    case Op::sub:
      return map<T>([](T a, T b, T) { return a - b; });
    case Op::mul:
      return map<T>([](T a, T b, T) { return a * b; });
    case Op::div:
      return map<T>([](T a, T b, T) { return a / b; });
    case Op::neg:
      return map<T>([](T a, T, T) { return -a; });
    case Op::fma:
      return map<T>([](T a, T b, T c) { return fused(a, b, c); });
    case Op::min:
      return map<T>([](T a, T b, T) { return std::fmin(a, b); });
    case Op::max:
      return map<T>([](T a, T b, T) { return std::fmax(a, b); });
    case Op::less:
      return map<T>([](T a, T b, T) { return a < b; });
    case Op::equal:
      return map<T>([](T a, T b, T) { return a == b; });
    case Op::rint:
      return map<T>([](T a, T, T) { return std::nearbyint(a); });
    case Op::native_sin:
      return map<T>([](T a, T, T) { return std::sin(a); });
    case Op::native_cos:
      return map<T>([](T a, T, T) { return std::cos(a); });
    case Op::log2:
      return map<T>([](T a, T, T) { return std::log2(a); });
    case Op::at_least:
      return map<T>([](T a, T b, T) { return a < b ? b : a; });
    default:
      fail(kernel_, "an operation has no meaning for floats");
  }
}

/// Computes integer operations; integers wrap, as on every device.
template <class T>
void Arithmetic::integers() {
  using U = std::make_unsigned_t<T>;
  constexpr U kLastBit = std::numeric_limits<U>::digits - 1;
  switch (x_.op) {
    case Op::add:
      return map<T>([](U a, U b, U) { return static_cast<T>(a + b); });
    case Op::sub:
      return map<T>([](U a, U b, U) { return static_cast<T>(a - b); });
    case Op::mul:
      return map<T>([](U a, U b, U) { return static_cast<T>(a * b); });
    case Op::fma:
      return map<T>([](U a, U b, U c) { return static_cast<T>(a * b + c); });
    case Op::neg:
      return map<T>([](U a, U, U) { return static_cast<T>(U{0} - a); });
    case Op::div:
      return map<T>([this](T a, T b, T) { return divided(a, b, false); });
    case Op::mod:
      return map<T>([this](T a, T b, T) { return divided(a, b, true); });
    case Op::min:
      return map<T>([](T a, T b, T) { return std::min(a, b); });
    case Op::max:
      return map<T>([](T a, T b, T) { return std::max(a, b); });
    case Op::bit_and:
      return map<T>([](T a, T b, T) { return a & b; });
    case Op::bit_xor:
      return map<T>([](T a, T b, T) { return a ^ b; });
    case Op::shift_left:
      return map<T>([](U a, U b, U) { return static_cast<T>(a << (b & kLastBit)); });
    case Op::shift_right:
      return map<T>([](T a, U b, T) { return a >> (b & kLastBit); });
    case Op::less:
      return map<T>([](T a, T b, T) { return a < b; });
    case Op::equal:
      return map<T>([](T a, T b, T) { return a == b; });
    case Op::logical_and:
      return map<T>([](T a, T b, T) { return a != 0 && b != 0; });
    default:
      fail(kernel_, "an operation has no meaning for integers");
  }
}

/// Computes in the kernel's prime field. The second factor of a product is a constant of a kernel
/// or of a table.
void Arithmetic::residues() {
  using Word = std::uint64_t;
  const base::PrimeField& field = base::prime_field(kernel_.ring);
  const auto product = [&](Word a, Word b) { return field.of_factor(field.product(a, b)); };
  switch (x_.op) {
    case Op::add:
      return map<Word>([&](Word a, Word b, Word) { return field.sum(a, b); });
    case Op::sub:
      return map<Word>([&](Word a, Word b, Word) { return field.difference(a, b); });
    case Op::mul:
      return map<Word>([&](Word a, Word b, Word) { return product(a, b); });
    case Op::neg:
      return map<Word>([&](Word a, Word, Word) { return field.difference(0, a); });
    case Op::fma:
      return map<Word>([&](Word a, Word b, Word c) { return field.sum(product(a, b), c); });
    default:
      fail(kernel_, "an operation has no meaning for residues");
  }
}

template <class T>
T Arithmetic::divided(T dividend, T divisor, bool remainder) const {
  if (divisor == 0) fail(kernel_, "an integer is divided by zero");
  if (divisor == -1) {  // the quotient of the smallest integer would overflow
    using U = std::make_unsigned_t<T>;
    return remainder ? T{0} : static_cast<T>(U{0} - static_cast<U>(dividend));
  }
  return remainder ? dividend % divisor : dividend / divisor;
}

void Arithmetic::convert() {
  const Base from = kernel_.code[x_.args[0]].type.base;
  items_.set(index_, [&](std::uint32_t item, unsigned lane) {
    return converted(kernel_, items_.cells(x_.args[0], item)[lane], from, x_.type.base);
  });
}

}  // namespace

void compute_lanewise(const Kernel& kernel, WorkItems& items, std::uint32_t index) {
  Arithmetic(kernel, items, index).run();
}

Cell converted(const Kernel& kernel, Cell value, Base from, Base to) {
  const bool from_float = Type{from, 1}.is_float();
  if (to == Base::residue || to == Base::residue32) {  // a scaling factor
    const base::PrimeField& field = base::prime_field(kernel.ring);
    return put(field.factor(field.of_scale(value.number)));
  }
  if (to == Base::f64) return from_float ? value : put(static_cast<double>(value.integer));
  if (to == Base::f32) {
    return put(from_float ? static_cast<float>(value.number) : static_cast<float>(value.integer));
  }
  if (from_float) {
    const double limit = to == Base::i32 ? 0x1p31 : 0x1p63;
    const double whole = std::trunc(value.number);
    if (!(whole >= -limit && whole < limit))
      fail(kernel, "a float does not fit the integer it is converted to");
    return put(static_cast<std::int64_t>(whole));
  }
  if (to == Base::boolean) return put<std::int64_t>(value.integer != 0);
  return to == Base::i32 ? put<std::int64_t>(static_cast<std::int32_t>(value.integer)) : value;
}

}  // namespace imago::interpreter
