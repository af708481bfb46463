// This file loads and stores half spectra of packed real numbers.
#include "blocks/edges/folded_spectrum.hpp"

#include "blocks/edges/half_spectrum.hpp"
#include "blocks/edges/roots.hpp"

namespace imago::blocks {

Cx load_point(const kernel::FoldedSpectrum&, const Input& input, const Point& at,
              const Access& access) {
  const Frame& frame = input.frame();
  const ir::Value partner = partner_index(frame, at.index, at.p);
  const ir::Condition first = ir::equal(at.p, frame.b.integer(0));
  const Cx root = at.root.re.valid() ? at.root : root_in(frame, {at.p, 0}, 1);
  const Cx other = real_where(first, input.element(partner, access.spread, access.condition));
  const Cx own = real_where(first, input.element(at.index, access.spread, access.condition));
  return folded(own, other, root);
}

void store_point(const kernel::FoldedSpectrum&, const Output& output, const Point& at, const Cx& x,
                 const Spread& spread) {
  output.element(at.index, x, spread);
}

Cx joined(const kernel::FoldedSpectrum&, const Frame&, const Point& at, const Cx& point,
          const Cx& partner) {
  return unfolded(point, partner, at.root);
}

Cx unfolded(const Cx& z, const Cx& partner, const Cx& root) {
  return scaled(unfolded_twice(z, partner, root), 0.5);
}

Cx unfolded_twice(const Cx& z, const Cx& partner, const Cx& root) {
  const Cx even = {z.re + partner.re, z.im - partner.im};
  const Cx odd = times_minus_i({z.re - partner.re, z.im + partner.im}) * root;
  return even + odd;
}

Cx folded(const Cx& x, const Cx& partner, const Cx& root) {
  const Cx sum = {x.re + partner.re, x.im - partner.im};
  const Cx difference = {x.re - partner.re, x.im + partner.im};
  // Multiplies the difference by i / root; 1 / root is the conjugate of root.
  const Cx turned = difference * Cx{root.re, -root.im};
  return {sum.re - turned.im, sum.im + turned.re};
}

}  // namespace imago::blocks
