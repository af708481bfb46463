// This file divides lines of any length into launches.
#include "generic/long_lines.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/integers.hpp"

namespace imago::generic {
namespace {

constexpr std::uint64_t kLeastSplit = 64;  // points of a line that is cut to fill the lanes
constexpr std::uint64_t kMostConvolved = std::uint64_t{1} << 18;

/// True for products of 2, 3 and 5.
bool is_cheap(std::uint64_t length) {
  for (const unsigned prime : {2u, 3u, 5u})
    while (length % prime == 0) length /= prime;
  return length == 1;
}

/// Returns the loops of lines that are packed at one end, each `elements` complex elements long.
std::vector<Loop> packed(std::vector<Loop> loops, std::uint64_t Loop::*end,
                         std::uint64_t elements) {
  std::uint64_t stride = 2 * elements;
  for (Loop& loop : loops) {
    loop.*end = stride;
    stride = checked(stride * loop.extent);
  }
  return loops;
}

std::vector<Loop> behind(const Loop& first, const std::vector<Loop>& others) {
  std::vector<Loop> all{first};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Axis plain_axis(std::uint64_t points, bool inverse) {
  Axis axis;
  axis.points = axis.load.count = axis.store.count = points;
  axis.inverse = inverse;
  return axis;
}

/// Returns the points of the convolution that computes a DFT.
std::uint64_t convolved_length(const Launches& launches, std::uint64_t points) {
  const std::uint64_t least = 2 * points - 1;
  const std::uint64_t multiple = least > launches.most_points() ? 64 : 1;
  std::uint64_t length = base::ceil_divide(least, multiple) * multiple;
  while (!is_cheap(length)) length += multiple;
  return length;
}

/// True if a line fits into a tile, or both lines of its convolution do.
bool fits(const Launches& launches, std::uint64_t points) {
  return (launches.has_radices(points) ? points : convolved_length(launches, points)) <=
         launches.most_points();
}

/// Returns the number of columns if the lines need the two steps of add_two_steps(), else
/// 0. A few long lines do, too: their columns fill the lanes. So do those whose convolution does
/// not fit into a tile, if those of their columns and rows do.
std::uint64_t columns_of(const Launches& launches, const Lines& lines) {
  const std::uint64_t n = lines.axis.points;
  std::uint64_t longest = 1;
  for (const Loop& loop : lines.loops) longest = std::max(longest, loop.extent);
  const bool fills = !launches.vectors() || longest >= launches.lanes() || n < kLeastSplit;
  const bool radices = launches.has_radices(n), whole = fits(launches, n);
  if (whole && (fills || !radices || lines.twiddle > 0)) return 0;
  const auto rank = [&](std::uint64_t columns) {
    const bool both = launches.has_radices(columns) && launches.has_radices(n / columns);
    return std::tuple(both, columns % launches.lanes() == 0, columns);
  };
  std::uint64_t best = 0;
  for (std::uint64_t columns = 2; columns * columns <= 4 * n && columns < n; ++columns) {
    if (n % columns != 0 || !fits(launches, columns) || !fits(launches, n / columns)) continue;
    // The elements of a column have factors and lists of their own, as a convolution's have.
    if (!launches.has_radices(n / columns) && !lines.axis.load.is_plain()) continue;
    if (best == 0 || rank(columns) > rank(best)) best = columns;
  }
  if (best == 0 && radices && !whole) refuse();
  return best;
}

void add_convolution(Launches& launches, const Lines& lines) {
  const std::uint64_t length = convolved_length(launches, lines.axis.points);
  if (length > kMostConvolved) refuse();
  if (launches.rows() && length <= launches.most_points())
    return launches.add_convolution(lines, convolution_of(lines.axis, length, true));
  const Convolution both = convolution_of(lines.axis, length);
  Lines forth = lines, back = lines;
  forth.axis = both.forth, back.axis = both.back;
  forth.scale = 1, forth.twiddle = 0;
  forth.out = back.in = launches.scratch(length * lines.count());
  forth.loops = packed(lines.loops, &Loop::out_stride, length);
  back.loops = packed(lines.loops, &Loop::in_stride, length);
  add_lines(launches, forth);
  add_lines(launches, back);
}

/// The four-step algorithm (Govindaraju et al., fig. 5). The first lines are columns, whose points
/// are `columns` elements apart, and are multiplied by twiddle factors. The second ones are the
/// rows; result k of row r is stored at k * rows + r. If the results are not just these points, or
/// a convolution makes points that have factors, another launch makes the results.
void add_two_steps(Launches& launches, const Lines& lines, std::uint64_t columns) {
  const Axis& axis = lines.axis;
  const std::uint64_t n = axis.points, rows = n / columns, elements = n * lines.count();
  Lines first;
  first.axis = plain_axis(rows, axis.inverse);
  first.twiddle = n, first.conjugate_twiddle = axis.inverse;
  first.in = lines.in, first.out = launches.scratch(elements);
  // Lists hold elements of the line, so that the columns begin at the same place.
  const bool lists = axis.load.is_combination();
  if (!lists) first.in.stride *= columns;
  first.out.stride = 2 * columns;
  first.loops =
      behind({columns, lists ? 0 : lines.in.stride, 2}, packed(lines.loops, &Loop::out_stride, n));
  if (axis.load.is_plain())
    add_lines(launches, first);
  else
    launches.add(first, {axis.load, columns}, {first.axis.store});

  const bool convolves = !launches.has_radices(rows) || !launches.has_radices(columns);
  const bool third = axis.store.is_combination() || axis.store.count != n ||
                     (!launches.has_radices(columns) && !axis.store.is_plain());
  Lines second;
  second.axis = plain_axis(columns, axis.inverse);
  second.in = first.out, second.in.stride = 2;
  second.out = third ? launches.scratch(elements) : lines.out;
  const std::uint64_t point = second.out.stride;
  second.out.stride = rows * point;
  second.loops = packed(lines.loops, &Loop::in_stride, n);
  if (third) second.loops = packed(second.loops, &Loop::out_stride, n);
  second.loops = behind({rows, 2 * columns, point}, second.loops);
  if (!third) second.scale = lines.scale;
  if (third || axis.store.is_plain()) {
    add_lines(launches, second);
  } else {
    Edge store = axis.store;
    store.count = columns;
    launches.add(second, {second.axis.load}, {store, rows});
  }
  if (!third) return;

  Lines last;
  last.in = second.out, last.in.stride = 2, last.out = lines.out;
  last.scale = lines.scale;
  const Edge results = as_combination(convolves ? convolved(axis.store) : axis.store);
  last.loops =
      behind({results.count, 0, lines.out.stride}, packed(lines.loops, &Loop::in_stride, n));
  launches.add(last, {results, 1}, {last.axis.store});
}

}  // namespace

void add_lines(Launches& launches, const Lines& lines) {
  if (const auto columns = columns_of(launches, lines))
    return add_two_steps(launches, lines, columns);
  if (!launches.has_radices(lines.axis.points)) return add_convolution(launches, lines);
  launches.add(lines, {lines.axis.load}, {lines.axis.store});
}

}  // namespace imago::generic
