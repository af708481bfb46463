// This file separates the terms of integer sums.
#include "ir/sums.hpp"

#include <limits>
#include <numeric>

#include "ir/builder.hpp"

namespace imago::ir {

Value Sums::argument(Value value, unsigned number) const {
  const std::uint32_t id = recorder_.instruction(value).args[number];
  return recorder_.value(id, recorder_.kernel().code[id].type);
}

std::int64_t Sums::divisor_of(Value value) const {
  if (const auto known = divisors_.find(value.id()); known != divisors_.end()) return known->second;
  const Instruction& x = recorder_.instruction(value);
  switch (x.op) {
    case Op::constant:
      return x.integer < 0 ? -x.integer : x.integer;
    case Op::convert:
      return argument(value, 0).type().is_int() ? divisor_of(argument(value, 0)) : 1;
    case Op::add:
    case Op::sub:
      return std::gcd(divisor_of(argument(value, 0)), divisor_of(argument(value, 1)));
    case Op::mul: {
      // Other products may overflow.
      const auto factor = recorder_.constant_integer(argument(value, 1));
      return factor && *factor > 0 ? divisor_of(argument(value, 0)) * *factor : 1;
    }
    default:
      return 1;
  }
}

bool Sums::never_negative(Value value) const {
  const Instruction& x = recorder_.instruction(value);
  const auto both = [&](unsigned a, unsigned b) {
    return never_negative(argument(value, a)) && never_negative(argument(value, b));
  };
  switch (x.op) {
    case Op::constant:
      return x.integer >= 0;
    case Op::group_id:
    case Op::local_id:
      return true;
    case Op::add:
    case Op::mul:
    case Op::min:
    case Op::div:
      return both(0, 1);
    case Op::max:
    case Op::bit_and:
      return never_negative(argument(value, 0)) || never_negative(argument(value, 1));
    case Op::mod:
    case Op::shift_right:
      return never_negative(argument(value, 0));
    case Op::convert:
      return argument(value, 0).type().is_int() && never_negative(argument(value, 0));
    case Op::select:
      return both(1, 2);
    default:
      return false;
  }
}

/// Returns the value as an int if it is a converted int, else unchanged.
Value Sums::narrow(Value value) const {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const Type type{Base::i32, 1};
  if (value.type() == type) return value;
  const Instruction& x = recorder_.instruction(value);
  if (x.op == Op::convert && argument(value, 0).type() == type) return argument(value, 0);
  if (x.op == Op::constant && x.integer >= 0 && x.integer <= kMost)
    return recorder_.integer(x.integer, type);
  if (x.op != Op::mul) return value;
  const Value a = narrow(argument(value, 0)), b = narrow(argument(value, 1));
  const auto most_a = recorder_.largest(a), most_b = recorder_.largest(b);
  if (a.type() != type || b.type() != type || !most_a || !most_b || *most_a > kMost / (*most_b + 1))
    return value;
  return value.builder().binary(Op::mul, a, b);
}

void Sums::add(Value addend, std::int64_t divisor, Parts& parts) const {
  const Instruction& x = recorder_.instruction(addend);
  if (x.op == Op::add) {
    const Value a = argument(addend, 0), b = argument(addend, 1);
    add(a, divisor, parts);
    return add(b, divisor, parts);
  }
  addend = narrow(addend);
  Value& sum = divisor_of(addend) % divisor == 0 ? parts.multiple : parts.rest;
  if (!sum.valid()) {
    sum = addend;
  } else {
    Builder& b = addend.builder();
    sum = b.binary(Op::add, sum, addend);
  }
}

Parts Sums::parts(Value sum, std::int64_t divisor) const {
  Parts parts;
  add(sum, divisor, parts);
  return parts;
}

}  // namespace imago::ir
