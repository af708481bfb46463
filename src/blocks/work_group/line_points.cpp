// This file computes points of lines and their factors.
#include "blocks/work_group/line_points.hpp"

namespace imago::blocks {

using ir::Value;

Value line_point(Value first, Value point, std::uint64_t step) {
  const Value p = point * static_cast<std::int64_t>(step);
  return first.valid() ? first + p : p;
}

bool legs_around(const Frame& frame, Value first, bool convolves) {
  return !convolves && !frame.step.reproducible && !frame.b.constant_integer(first);
}

Cx turned_root(const Frame& frame, const kernel::Roots& roots, const Cx& root, const Site& site,
               std::size_t leg) {
  if (!root.re.valid()) return {};
  const auto legs = static_cast<unsigned>(site.points.size());
  return rotated(root, static_cast<unsigned>(leg), roots.turns(frame.step.line) * legs);
}

}  // namespace imago::blocks
