// This file emits transforms of a few real numbers as complex ones of half the length.
#include "passes/reals.hpp"

#include <cstdint>

#include "blocks/butterfly.hpp"
#include "blocks/complex.hpp"
#include "ir/contract.hpp"
#include "passes/signature.hpp"

namespace imago::passes {
namespace {

using blocks::Cx;
using blocks::Points;
using ir::Value;

class RealEmitter {
 public:
  RealEmitter(const RealTransform& of, ir::Base base)
      : m_(of.length / 2), inverse_(of.inverse), s_(name_of(of, base), base), b_(s_.b) {}

  ir::Kernel kernel() {
    inverse_ ? to_signal() : to_spectrum();
    return ir::contract(b_.take());
  }

 private:
  static Cx mirrored_point(const Cx& x) { return {x.re, -x.im}; }
  /// Returns 1, or -1 if the argument `inverse` is not 0.
  Value side() {
    const Value plus = b_.real(1, s_.real), minus = b_.real(-1, s_.real);
    return b_.select(ir::equal(s_.inverse, b_.integer(0)), plus, minus);
  }
  Value number(std::int64_t place) { return b_.load(s_.from, b_.integer(place)); }
  void write(std::int64_t place, Value x) { b_.store(s_.to, b_.integer(place), x); }

  void to_spectrum() {
    Points z;
    for (unsigned j = 0; j < m_; ++j) {
      const Value re = number(2 * j);
      z.push_back({re, number(2 * j + 1)});
    }
    z = blocks::butterfly(z);
    const Value sign = side(), half = s_.scale * b_.real(0.5, s_.real);
    const Value first = (z[0].re + z[0].im) * s_.scale, zero = b_.real(0, s_.real);
    write_point(0, {first, zero}, sign);
    const Value last = (z[0].re - z[0].im) * s_.scale;
    write_point(m_, {last, zero}, sign);
    if (m_ % 2 == 0) {
      const Cx middle = mirrored_point(z[m_ / 2]);
      const Value re = middle.re * s_.scale;
      write_point(m_ / 2, {re, middle.im * s_.scale}, sign);
    }
    for (unsigned k = 1; 2 * k < m_; ++k) {
      const Cx other = mirrored_point(z[m_ - k]);
      const Cx even = z[k] + other, odd = blocks::times_minus_i(z[k] - other);
      const Cx turned = blocks::rotated(odd, k, 2 * m_);
      const Cx low = even + turned;
      const Value re = low.re * half;
      write_point(k, {re, low.im * half}, sign);
      const Cx high = mirrored_point(even - turned);
      const Value high_re = high.re * half;
      write_point(m_ - k, {high_re, high.im * half}, sign);
    }
  }
  void write_point(std::int64_t point, const Cx& x, Value sign) {
    write(2 * point, x.re);
    write(2 * point + 1, x.im * sign);
  }

  void to_signal() {
    const Value sign = side();
    Points x;
    for (unsigned k = 0; k <= m_; ++k) {
      const Value re = number(2 * k);
      // The imaginary parts of the ends are not read.
      x.push_back({re, k == 0 || k == m_ ? re : number(2 * k + 1) * sign});
    }
    Points z(m_);
    const Value sum = x[0].re + x[m_].re;
    z[0] = {sum, x[0].re - x[m_].re};
    if (m_ % 2 == 0) z[m_ / 2] = blocks::scaled(mirrored_point(x[m_ / 2]), 2);
    for (unsigned k = 1; 2 * k < m_; ++k) {
      const Cx other = mirrored_point(x[m_ - k]);
      const Cx even = x[k] + other, difference = x[k] - other;
      // i exp(2 pi i k / 2m) difference, by its conjugate
      const Cx turned = mirrored_point(
          blocks::times_minus_i(blocks::rotated(mirrored_point(difference), k, 2 * m_)));
      z[k] = even + turned;
      z[m_ - k] = mirrored_point(even - turned);
    }
    for (Cx& point : z) point = blocks::swapped(point);
    z = blocks::butterfly(z);
    for (unsigned j = 0; j < m_; ++j) {
      write(2 * j, z[j].im * s_.scale);
      write(2 * j + 1, z[j].re * s_.scale);
    }
  }

  const unsigned m_;
  const bool inverse_;
  FunctionSignature s_;
  ir::Builder& b_;
};

}  // namespace

std::string name_of(const RealTransform& real_transform, ir::Base real) {
  return "real" + std::to_string(real_transform.length) +
         (real == ir::Base::f64 ? "_f64_" : "_f32_") + (real_transform.inverse ? 'i' : 'f');
}

ir::Kernel emit(const RealTransform& real_transform, ir::Base real) {
  return RealEmitter(real_transform, real).kernel();
}

std::vector<RealTransform> all_reals() {
  std::vector<RealTransform> reals;
  for (const unsigned length : {4, 8, 16})
    for (const bool inverse : {false, true}) reals.push_back({length, inverse});
  return reals;
}

}  // namespace imago::passes
