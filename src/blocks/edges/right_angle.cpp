// This file loads and stores the halves of lines that are convolved at a right angle.
#include "blocks/edges/right_angle.hpp"

#include "blocks/edges/roots.hpp"

namespace imago::blocks {
namespace {

Index points_at(const Point& at, const Spread& spread) {
  return {at.p, spread.along_line && spread.width > 1 ? 1 : 0};
}

}  // namespace

Cx load_point(const kernel::RightAngle&, const Input& input, const Point& at,
              const Access& access) {
  const Cx x = input.element(at.index, access.spread, access.condition);
  const bool known = at.root.re.valid();
  const Cx root =
      known ? at.root : root_in(input.frame(), points_at(at, access.spread), access.spread.width);
  return x * Cx{root.re, -root.im};
}

void store_point(const kernel::RightAngle&, const Output& output, const Point& at, const Cx& x,
                 const Spread& spread) {
  const bool known = at.root.re.valid();
  const Cx root = known ? at.root : root_out(output.frame(), points_at(at, spread), spread.width);
  output.element(at.index, x * root, spread);
}

}  // namespace imago::blocks
