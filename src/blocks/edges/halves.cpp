// This file loads and stores the elements of prime fields.
#include "blocks/edges/halves.hpp"

#include "blocks/edges/roots.hpp"

namespace imago::blocks {

Cx load_point(const kernel::Halves&, const Input& input, const Point& at, const Access& access) {
  const Cx x = input.element(at.index, access.spread, access.condition);
  const int step = access.spread.along_line && access.spread.width > 1 ? 1 : 0;
  const Cx root =
      at.root.re.valid() ? at.root : root_in(input.frame(), {at.p, step}, access.spread.width);
  const ir::Value sum = x.re + x.im, difference = x.re - x.im;
  return {sum, difference * root.re};
}

void store_point(const kernel::Halves&, const Output& output, const Point& at, const Cx& x,
                 const Spread& spread) {
  output.element(at.index, x, spread);
}

}  // namespace imago::blocks
