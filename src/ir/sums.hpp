// This file separates the terms of integer sums by the numbers that divide them. Folding does not
// use it; it is for callers whose numbers consist of a base and a remainder.
#pragma once

#include <cstdint>
#include <map>

#include "ir/recorder.hpp"

namespace imago::ir {

/// An integer, as the sum `multiple` + `rest`.
struct Parts {
  Value multiple, rest;  ///< not valid(): 0
};

class Sums {
 public:
  explicit Sums(Recorder& recorder) : recorder_(recorder) {}

  void set_divisor(Value value, std::int64_t divisor) { divisors_[value.id()] = divisor; }
  /// Returns the terms that are known multiples of `divisor` > 0, and the others. The others are
  /// ints if they are converted ints.
  Parts parts(Value sum, std::int64_t divisor) const;
  bool never_negative(Value value) const;

 private:
  Value argument(Value value, unsigned number) const;
  /// Returns a number that divides the value; 0: the value is 0.
  std::int64_t divisor_of(Value value) const;
  Value narrow(Value value) const;
  void add(Value addend, std::int64_t divisor, Parts& parts) const;

  Recorder& recorder_;
  std::map<std::uint32_t, std::int64_t> divisors_;
};

}  // namespace imago::ir
