// This file rotates complex values by fractions of a circle.
#include "blocks/complex.hpp"

#include <numeric>

#include "base/roots.hpp"

namespace imago::blocks {

Cx rotated(const Cx& a, unsigned phase, unsigned order) {
  phase %= order;
  const unsigned common = std::gcd(phase, order);
  const unsigned p = phase / common, n = order / common;
  const double half = 0.70710678118654752440;
  if (n == 1) return a;
  if (n == 2) return {-a.re, -a.im};
  if (n == 4) return p == 1 ? times_minus_i(a) : Cx{-a.im, a.re};
  if (n == 8) {
    const Cx sum{ir::scaled(a.re + a.im, half),
                 ir::scaled(a.im - a.re, half)};  // a (1 - i) / sqrt 2
    return rotated(sum, p / 2, 4);
  }
  const auto root = base::root_of_unity(p, n);
  const ir::Value imim = ir::scaled(a.im, root.imag()), rere = ir::scaled(a.re, root.real());
  const ir::Value re = rere - imim;
  const ir::Value imre = ir::scaled(a.im, root.real()), reim = ir::scaled(a.re, root.imag());
  // If a is real, these are products, which sums would contract.
  return settled(Cx{re, reim + imre});
}

}  // namespace imago::blocks
