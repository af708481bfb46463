// This file computes with angles as exact fractions of a turn, so that multiples of an angle lose
// no digits.
#pragma once

#include <complex>
#include <cstdint>

namespace imago::base {

/// An angle modulo one turn, in units of 2^-128 turns. Multiples wrap exactly.
class Turns {
 public:
  Turns() = default;
  /// The angle nearest to `turns`, which is finite.
  explicit Turns(long double turns);
  /// Returns a / rate turns, rounded down. |a / rate| must be at most 2^32.
  static Turns quotient(double a, double rate);
  /// Returns (b - a) / (rate count) turns, for angles a / rate and b / rate as in quotient() and a
  /// count from 1 to 2^62. The error is at most 2^-127 turns.
  static Turns step(double a, double b, double rate, std::uint64_t count);

  Turns operator*(std::uint64_t times) const { return Turns(bits_ * times); }
  Turns operator+(Turns other) const { return Turns(bits_ + other.bits_); }
  /// Returns exp(-2 pi i turns). The angle is rounded to 2^-59 turns; both parts are the doubles
  /// nearest to the result.
  std::complex<double> root() const;

 private:
  __extension__ using Wide = unsigned __int128;
  struct Mixed;
  explicit Turns(Wide bits) : bits_(bits) {}

  Wide bits_ = 0;
};

}  // namespace imago::base
