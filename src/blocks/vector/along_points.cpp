// This file lays lanes along the points of a line.
#include "blocks/vector/along_points.hpp"

#include <vector>

#include "base/integers.hpp"
#include "blocks/vector/tile.hpp"

namespace imago::blocks {

using ir::Value;

void over_points(ir::Builder& b, const kernel::Step& step, std::uint64_t count,
                 const std::function<void(Value, unsigned)>& body) {
  if (count == 0) return;
  unsigned width = widest_vector(step);
  while (width > count || (step.stores_once() && count % width != 0)) width /= 2;
  b.loop(to_signed(base::ceil_divide(count, width)),
         [&](Value i) { body(along(b, i, width, count), width); });
}

Value reversed(Value x) {
  std::vector<int> lanes(x.type().lanes);
  for (std::size_t l = 0; l < lanes.size(); ++l) lanes[l] = static_cast<int>(lanes.size() - 1 - l);
  return lanes.size() == 1 ? x : x.builder().shuffle(x, x, lanes);
}

Cx reversed(const Cx& x) { return {reversed(x.re), reversed(x.im)}; }

}  // namespace imago::blocks
