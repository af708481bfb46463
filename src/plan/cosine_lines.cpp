// This file plans lines of cosine and sine transforms.
#include "plan/cosine_lines.hpp"

#include "plan/loops.hpp"
#include "plan/real_lines.hpp"

namespace imago::plan {
namespace {

/// Points of the DFT behind a line of one axis.
std::uint64_t points_of(const Request& line, const Cosines& cosines, const LineContext& context) {
  const bool three = cosines.is(Kind::dct3, Kind::dst3);
  const bool apart = line.adjacent() || context.problem.alike;  // a lone member's lines are not
  const bool two = cosines.is(Kind::dct2, Kind::dst2) &&
                   context.takes_whole(line, apart, context.counted(line.lines() * line.batch));
  return three || two ? cosines.elements : extended_length(cosines);
}

}  // namespace

Cosines cosines_of(const LineContext& context, std::size_t axis) {
  const problem::Problem& p = context.problem;
  return {p.kind(axis, context.inverse), p.lengths[axis], p.orthonormal};
}

bool takes_several(const LineContext& context, std::size_t axis) {
  return context.mapping == Mapping::work_group &&
         cosines_of(context, axis).can_be_reordered(context.problem.lengths[axis]);
}

std::vector<Request> cosine_lines(Request line, const LineContext& context,
                                  const std::vector<std::size_t>& axes,
                                  const std::vector<Loop>& loops, const std::vector<Loop>& rows) {
  const bool several = axes.size() > 1, reals = context.problem.only_real();
  const Cosines cosines = cosines_of(context, axes[0]);
  if (!several) line.in.edge = line.out.edge = cosines;
  for (const std::size_t axis : axes) {
    if (several) line.axis_edges.push_back(cosines_of(context, axis));
  }
  line.inverse = false;
  const bool half_length =
      !several && reals && cosines.half_length(line.length) && line.length % 2 == 0;
  std::vector<Request> lines;
  if (half_length)
    lines.push_back(single_reals(line, loops));
  else if (reals)
    lines = real_lines(line, context, loops, rows);
  else
    set_loops(lines.emplace_back(line), loops);
  for (Request& each : lines) {
    if (half_length)
      each.length /= 2;
    else if (!several)
      each.length = points_of(each, cosines, context);
  }
  return lines;
}

}  // namespace imago::plan
