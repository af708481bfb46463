// This file folds values as they are appended, by their known properties: constants, constant
// offsets (which stay outermost in integer sums), and the bounds of indices.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/recorder.hpp"

namespace imago::ir {

class Folding {
 public:
  explicit Folding(Recorder& recorder) : recorder_(recorder) {}

  /// Keeps negations of rounded differences.
  void keep_rounded() { keeps_rounded_ = true; }

  Value splat(Value scalar, unsigned lanes);
  Value convert(Value value, Type type);
  Value binary(Op op, Value a, Value b);
  Value unary(Op op, Value a);
  Value fma(Value a, Value b, Value c);
  Condition compare(Op op, Value a, Value b);  ///< Op::less or Op::equal

 private:
  using Folded = std::optional<Value>;  ///< nullopt if no rule applies

  Value with_offset(Value value, std::int64_t offset);
  void match(Value& a, Value& b);
  Folded difference(Value a, Value b);
  Folded sum(Value a, Value b);
  Folded product(Value a, Value b);
  Folded division(Op op, Value a, Value b);
  Folded quotient_by_multiplication(Value a, std::int64_t divisor);
  Folded division_by_multiplication(Op op, Value a, Value b);
  Folded simplified(Op op, Value a, Value b);
  Value fold_integer(Op op, Value a, Value b);
  Value fold_real(Op op, Value a, Value b);

  bool keeps_rounded_ = false;
  Recorder& recorder_;
};

}  // namespace imago::ir
