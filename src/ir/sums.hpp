// This file takes sums of ints apart by what their parts are multiples of. Folding does not ask it:
// it is for callers that know numbers to be made of a base and what lies behind it.
#pragma once

#include <cstdint>
#include <map>

#include "ir/recorder.hpp"

namespace imago::ir {

/// An integer that is `multiple` + `rest`.
struct Parts {
  Value multiple, rest;  ///< not valid(): 0
};

class Sums {
 public:
  explicit Sums(Recorder& recorder) : recorder_(recorder) {}

  void set_divisor(Value value, std::int64_t divisor) { divisors_[value.id()] = divisor; }
  /// The parts that are known multiples of `divisor` > 0, and the others; these as ints where they
  /// are ints made long.
  Parts parts(Value sum, std::int64_t divisor) const;
  bool never_negative(Value value) const;

 private:
  Value argument(Value value, unsigned number) const;
  /// A number that divides the value; 0: it is 0.
  std::int64_t divisor_of(Value value) const;
  Value narrow(Value value) const;
  void add(Value addend, std::int64_t divisor, Parts& parts) const;

  Recorder& recorder_;
  std::map<std::uint32_t, std::int64_t> divisors_;
};

}  // namespace imago::ir
