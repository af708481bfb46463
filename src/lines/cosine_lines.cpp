// This file plans lines of cosine and sine transforms.
#include "lines/cosine_lines.hpp"

#include "lines/loops.hpp"
#include "lines/mapping.hpp"
#include "lines/real_lines.hpp"

namespace imago::lines {
namespace {

/// Returns true if kernels can join the points of a DCT-II after its DFT, because they hold whole
/// lines of the request.
bool can_join(const Request& line, const LineContext& context) {
  // If results must not depend on the batch, neither may this: lines may be adjacent in a batch
  // although those of a single batch element are not.
  const bool apart = line.adjacent() || context.problem.alike;
  return context.takes_whole(line, apart, context.counted(line.lines() * line.batch));
}

/// Returns true if the lines, real numbers without pairs, can be computed with half as many points.
bool can_halve(Request line, const kernel::Cosines& cosines, const LineContext& context) {
  const bool alone = line.in.elements == kernel::Elements::real && !line.remains();
  if (!alone || cosines.elements % 2 != 0) return false;
  line.length /= 2;
  return cosines.half_length(line.length) &&
         (!cosines.is(Kind::dct2, Kind::dst2) || can_join(line, context));
}

/// Halves the points along the fastest of several axes, if it has real numbers.
void halve_fastest(Request& line) {
  std::uint64_t& points = line.axes.back();
  if (line.in.elements != kernel::Elements::real || line.remains() || points % 2 != 0) return;
  points /= 2, line.length /= 2;
}

/// Returns the points of the DFT that computes a line of one axis.
std::uint64_t points_of(const Request& line, const kernel::Cosines& cosines,
                        const LineContext& context) {
  if (can_halve(line, cosines, context)) return cosines.elements / 2;
  const bool three = cosines.is(Kind::dct3, Kind::dst3);
  const bool two = cosines.is(Kind::dct2, Kind::dst2) && can_join(line, context);
  return three || two ? cosines.elements : extended_length(cosines);
}

}  // namespace

kernel::Cosines cosines_of(const LineContext& context, std::size_t axis) {
  const problem::Problem& p = context.problem;
  return {p.kind(axis, context.inverse), p.lengths[axis], p.orthonormal};
}

bool takes_several(const LineContext& context, std::size_t axis) {
  return rules_of(context.mapping).reorders_in_local_memory &&
         cosines_of(context, axis).can_be_reordered(context.problem.lengths[axis]);
}

std::vector<Request> cosine_lines(Request line, const LineContext& context,
                                  const std::vector<std::size_t>& axes,
                                  const std::vector<Loop>& loops, const std::vector<Loop>& rows) {
  const bool several = axes.size() > 1, reals = context.problem.only_real();
  const kernel::Cosines cosines = cosines_of(context, axes[0]);
  if (!several) line.in.edge = line.out.edge = cosines;
  for (const std::size_t axis : axes) {
    if (several) line.axis_edges.push_back(cosines_of(context, axis));
  }
  line.inverse = false;
  const bool pairs = reals && !(cosines.is(Kind::dct4, Kind::dst4) && line.length % 2 == 0);
  std::vector<Request> lines;
  if (pairs)
    lines = real_lines(line, context, loops, rows);
  else if (reals)
    lines.push_back(single_reals(line, loops));
  else
    set_loops(lines.emplace_back(line), loops);
  for (Request& each : lines) {
    if (several)
      halve_fastest(each);
    else
      each.length = points_of(each, cosines, context);
  }
  return lines;
}

}  // namespace imago::lines
