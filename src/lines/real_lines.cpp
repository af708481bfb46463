// This file plans lines of real numbers.
#include "lines/real_lines.hpp"

#include <algorithm>
#include <utility>

#include "lines/loops.hpp"

namespace imago::lines {
namespace {

// Shortest lines that make pairs. The rounding errors of one line of a pair are as large as the
// other line's values, so only lines of one batch element make pairs. Shorter lines are too often,
// by chance, much smaller than others.
constexpr std::uint64_t kShortestPairs = 8;

/// Returns true if kernels can process the pairs; those of the vector mapping fold one whole line
/// at a time.
bool can_fold(const Request& pairs, const LineContext& context) {
  const bool apart = pairs.in.pair_stride * pairs.out.pair_stride != 1;
  return context.takes_whole(pairs, apart, context.points() / (2 * pairs.length));
}

/// Returns true if no pair along the loop has lines of two batch elements. `rows` are loops within
/// a batch element, and one of them may be the fastest part of this loop.
bool pairs_stay_within(const Loop& loop, const std::vector<Loop>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](const Loop& row) {
    if (row.in_stride != loop.in_stride || row.out_stride != loop.out_stride) return false;
    const bool halves = loop.in_stride == 1 || loop.out_stride == 1;
    return row.extent == loop.extent || (!halves && row.extent % 2 == 0);
  });
}

}  // namespace

void make_real(Request& line, const LineContext& context) {
  const bool inverse = context.inverse;
  const auto set_sides = [&](Request& r, kernel::Elements reals, const kernel::Edge& spectrum) {
    (inverse ? r.out : r.in).elements = reals;
    (inverse ? r.in : r.out).edge = spectrum;
  };
  set_sides(line, kernel::Elements::real, kernel::HalfSpectrum{});
  if (line.length % 2 != 0) return;
  Request pairs = line;
  set_sides(pairs, kernel::Elements::pairs, kernel::FoldedSpectrum{});
  pairs.length /= 2;
  LineSide& side = inverse ? pairs.out : pairs.in;
  side.pair_stride = side.stride;
  side.stride *= 2;
  if (can_fold(pairs, context)) line = std::move(pairs);
}

Request single_reals(Request line, const std::vector<Loop>& loops, bool varies) {
  line.in.elements = line.out.elements = kernel::Elements::real;
  set_loops(line, loops, varies);
  return line;
}

std::vector<Request> real_lines(const Request& line, const LineContext& context,
                                std::vector<Loop> loops, const std::vector<Loop>& rows) {
  // The last bits of a line of a pair depend on the other line.
  if (line.length < kShortestPairs || context.problem.alike)
    return {single_reals(line, loops, context.problem.varies)};
  const auto within = [&](const Loop& loop) { return pairs_stay_within(loop, rows); };
  auto chosen = std::find_if(loops.rbegin(), loops.rend(), [&](const Loop& loop) {
    return loop.extent % 2 == 0 && within(loop);
  });
  if (chosen == loops.rend()) chosen = std::find_if(loops.rbegin(), loops.rend(), within);
  if (chosen == loops.rend()) return {single_reals(line, loops, false)};
  Loop& loop = *chosen;
  Request pairs = line, last = line;
  last.rest = true;
  last.in.offset += (loop.extent - 1) * loop.in_stride;
  last.out.offset += (loop.extent - 1) * loop.out_stride;
  const bool odd = loop.extent % 2 != 0;
  const bool halves = loop.in_stride == 1 || loop.out_stride == 1;
  loop.extent /= 2;
  pairs.in.elements = pairs.out.elements = kernel::Elements::pairs;
  pairs.in.pair_stride = loop.in_stride * (halves ? loop.extent : 1);
  pairs.out.pair_stride = loop.out_stride * (halves ? loop.extent : 1);
  if (!halves) loop.in_stride *= 2, loop.out_stride *= 2;
  set_loops(pairs, loops);
  if (!odd) return {pairs};
  loop.extent = 1;
  return {pairs, single_reals(last, loops, false)};
}

}  // namespace imago::lines
