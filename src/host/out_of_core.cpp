// This file implements passes over host memory.
#include "host/out_of_core.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/errors.hpp"
#include "host/strided_pass.hpp"
#include "problem/kinds.hpp"

namespace imago::host {
namespace {

/// Minimum bytes of the rows of a pass, if axes are combined into one pass that could also be in
/// two. This is a page of the host.
constexpr std::size_t kShortRow = 4096;

/// One dimension of the whole array; strides in bytes.
struct Axis {
  Kind kind = Kind::identity;
  std::size_t length = 1, from_extent = 1, to_extent = 1;
  std::size_t from_stride = 0, between_stride = 0, to_stride = 0;
  std::optional<std::size_t> turns_with = {};  ///< for the columns of a long 1-D transform: the
                                               ///< axis of its rows
  bool done = false;
};

/// The array between two passes.
struct Between {
  PassMemory memory = PassMemory::to;
  std::size_t begin = 0, element = 8;
  bool complex = true;
};

class PassPlanner {
 public:
  PassPlanner(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes);
  PassSchedule schedule();

 private:
  void lie_between();
  void pack_between();
  bool split_long_axes();
  void split(std::size_t axis, std::size_t columns);
  std::vector<std::size_t> next_group() const;
  std::vector<std::size_t> order() const;
  bool holds(const std::vector<std::size_t>& group) const;
  std::size_t bytes_of(const std::vector<std::size_t>& group) const;
  std::size_t row_bytes(const std::vector<std::size_t>& group) const;
  void add(PassSchedule& schedule, const std::vector<std::size_t>& group);
  StridedPass strided_pass(const std::vector<std::size_t>& group, bool first, bool last) const;
  [[noreturn]] void too_little(std::size_t needs) const;

  const problem::Problem& problem_;
  const bool inverse_;
  const Budget& budget_;
  Shapes& shapes_;
  const problem::Side &from_, &to_;
  std::vector<Axis> axes_;
  Between between_;
  std::size_t scratch_bytes_ = 0;
  bool has_long_lines_ = false;
  const bool to_real_;  ///< an inverse transform to a real signal
};

PassPlanner::PassPlanner(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes)
    : problem_(whole.problem),
      inverse_(inverse),
      budget_(budget),
      shapes_(shapes),
      from_(problem_.side(inverse, false)),
      to_(problem_.side(inverse, true)),
      to_real_(!from_.real && to_.real) {
  const auto add = [&](Kind kind, std::size_t n, std::size_t d) {
    Axis axis{kind, n, from_.lengths[d], to_.lengths[d]};
    axis.from_stride = from_.strides[d] * from_.element_bytes;
    axis.to_stride = to_.strides[d] * to_.element_bytes;
    axes_.push_back(axis);
  };
  if (problem_.batch > 1) {
    Axis batch{Kind::identity, problem_.batch, problem_.batch, problem_.batch};
    batch.from_stride = from_.distance * from_.element_bytes;
    batch.to_stride = to_.distance * to_.element_bytes;
    axes_.push_back(batch);
  }
  for (std::size_t d = 0; d < problem_.kinds.size(); ++d)
    add(problem_.kinds[d], problem_.lengths[d], d);
  for (Axis& axis : axes_) axis.done = axis.kind == Kind::identity;
}

/// Chooses the memory between two passes: the output if its elements fit, else temporary memory,
/// because the input must stay unchanged.
void PassPlanner::lie_between() {
  const bool from_real = from_.real, to_real = to_.real;
  between_ = {PassMemory::to, to_.offset * to_.element_bytes, to_.element_bytes, !to_real};
  for (Axis& axis : axes_) axis.between_stride = axis.to_stride;
  if (!has_long_lines_ && from_real == to_real) return;
  if (!has_long_lines_ && from_real) return;
  between_.complex = !(from_real && to_real);
  between_.element = from_real ? to_.element_bytes : from_.element_bytes;
  if (!has_long_lines_ && problem_.placement == Placement::in_place) {
    between_ = {PassMemory::from, from_.offset * from_.element_bytes, from_.element_bytes, true};
    for (Axis& axis : axes_) axis.between_stride = axis.from_stride;
    return;
  }
  pack_between();
}

void PassPlanner::pack_between() {
  between_.memory = PassMemory::scratch;
  between_.begin = 0;
  scratch_bytes_ = between_.element;
  for (std::size_t d = axes_.size(); d-- > 0;) {
    axes_[d].between_stride = scratch_bytes_;
    scratch_bytes_ *= std::min(axes_[d].from_extent, axes_[d].to_extent);
  }
}

/// Returns the bytes of a piece with these axes whole and one element of the others.
std::size_t PassPlanner::bytes_of(const std::vector<std::size_t>& group) const {
  std::size_t from = from_.element_bytes, to = to_.element_bytes;
  for (const std::size_t d : group) {
    from *= axes_[d].from_extent;
    to *= axes_[d].to_extent;
  }
  return std::max(from, to);
}

/// Returns the contiguous bytes of the axes outside the group, at most kShortRow.
std::size_t PassPlanner::row_bytes(const std::vector<std::size_t>& group) const {
  std::size_t fastest = axes_.size(), stride = 0;
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    if (axes_[d].length == 1 || (fastest != axes_.size() && axes_[d].to_stride >= stride)) continue;
    fastest = d;
    stride = axes_[d].to_stride;
  }
  if (fastest == axes_.size() || std::find(group.begin(), group.end(), fastest) != group.end())
    return to_.element_bytes;
  return std::min(kShortRow, axes_[fastest].to_extent * to_.element_bytes);
}

bool PassPlanner::holds(const std::vector<std::size_t>& group) const {
  // Input, output and workspace, twice for the first two so that copies and computing overlap.
  constexpr std::size_t kSides = 5;
  const std::size_t columns = group.size() == 1 ? 1 : row_bytes(group) / to_.element_bytes;
  const std::size_t bytes = bytes_of(group) * std::max<std::size_t>(1, columns);
  return bytes <= budget_.largest && bytes <= budget_.memory / kSides;
}

/// Returns the axes in the order of the passes. The real axis comes first, with the fastest axes;
/// an inverse transform has the reverse order. The columns of a long 1-D transform precede its
/// rows.
std::vector<std::size_t> PassPlanner::order() const {
  std::vector<std::size_t> found;
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    if (!axes_[d].done) found.push_back(d);
  }
  const auto rank = [&](std::size_t d) {
    if (axes_[d].kind == Kind::real) return inverse_ ? 2 : 0;
    return axes_[d].turns_with ? 0 : 1;
  };
  std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    const bool faster = axes_[a].to_stride < axes_[b].to_stride;
    return to_real_ ? axes_[a].to_stride > axes_[b].to_stride : faster;
  });
  return found;
}

/// Returns as many axes as one pass can have, in the order of the passes. The real axis may share
/// its pass with others.
std::vector<std::size_t> PassPlanner::next_group() const {
  const auto candidates = order();
  std::vector<std::size_t> group;
  for (const std::size_t d : candidates) {
    auto more = group;
    more.push_back(d);
    const bool turned = std::any_of(group.begin(), group.end(), [&](std::size_t other) {
      return axes_[other].turns_with || axes_[d].turns_with;
    });
    if (!group.empty() && (turned || !holds(more))) break;
    group = std::move(more);
  }
  return group;
}

void PassPlanner::too_little(std::size_t needs) const {
  base::unsupported("one chunk of " + std::to_string(needs) +
                        " bytes, its result and its workspace do not fit the allowed " +
                        std::to_string(budget_.memory) + " bytes (" +
                        std::to_string(budget_.largest) + " in one buffer)",
                    "raise HostOptions::memory_limit, or use a device with more memory");
}

/// Splits an axis into columns x rows points. `axis` becomes that of the columns, whose index is
/// the slower one in the input and the faster one in the output. The axis of the rows follows it.
void PassPlanner::split(std::size_t axis, std::size_t columns) {
  Axis& slow = axes_[axis];
  const std::size_t rows = slow.length / columns;
  Axis fast{slow.kind, rows, rows, rows};
  fast.from_stride = slow.from_stride;
  fast.to_stride = slow.to_stride * columns;
  slow.length = slow.from_extent = slow.to_extent = columns;
  slow.from_stride *= rows;
  slow.turns_with = axis + 1;
  axes_.insert(axes_.begin() + static_cast<std::ptrdiff_t>(axis) + 1, fast);
}

/// Splits 1-D transforms that exceed the budget into columns and rows; false if that is impossible.
bool PassPlanner::split_long_axes() {
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    if (axes_[d].done || holds({d})) continue;
    const std::size_t n = axes_[d].length;
    const bool possible =
        axes_[d].kind == Kind::complex && !from_.real && !to_.real && !has_long_lines_;
    if (!possible) return false;
    auto columns = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
    while (columns > 1 && n % columns != 0) --columns;
    if (columns < 2) return false;
    split(d, columns);
    has_long_lines_ = true;
    if (!holds({d}) || !holds({d + 1})) return false;
    ++d;
  }
  return true;
}

StridedPass PassPlanner::strided_pass(const std::vector<std::size_t>& group, bool first,
                                      bool last) const {
  StridedPass pass;
  const bool from_complex = first ? !from_.real : between_.complex;
  const bool to_complex = last ? !to_.real : between_.complex;
  pass.from_element = first ? from_.element_bytes : between_.element;
  pass.to_element = last ? to_.element_bytes : between_.element;
  pass.from_begin = first ? from_.offset * from_.element_bytes : between_.begin;
  pass.to_begin = last ? to_.offset * to_.element_bytes : between_.begin;
  const bool fourier = std::any_of(group.begin(), group.end(), [&](std::size_t d) {
    return axes_[d].kind == Kind::complex || axes_[d].kind == Kind::real;
  });
  // The other kinds act on real numbers, so the parts of complex numbers form a
  // dimension.
  const bool parts = !fourier && from_complex && to_complex;
  if (parts) pass.from_element /= 2, pass.to_element /= 2;
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    const Axis& axis = axes_[d];
    const bool inside = std::find(group.begin(), group.end(), d) != group.end();
    Dimension dimension;
    dimension.kind = inside ? axis.kind : Kind::identity;
    // A half spectrum that is only a batch dimension here keeps its stored length.
    const bool half = axis.kind == Kind::real && !inside;
    dimension.length = half ? std::min(axis.from_extent, axis.to_extent) : axis.length;
    dimension.from_extent = half ? dimension.length : axis.from_extent;
    dimension.to_extent = half ? dimension.length : axis.to_extent;
    dimension.from_stride = (first ? axis.from_stride : axis.between_stride) / pass.from_element;
    dimension.to_stride = (last ? axis.to_stride : axis.between_stride) / pass.to_element;
    pass.dimensions.push_back(dimension);
    if (inside && axis.turns_with)
      pass.twiddles = LineTwiddles{d, *axis.turns_with, axis.length * axes_[d + 1].length};
  }
  if (parts) pass.dimensions.push_back({Kind::identity, 2, 2, 2, 1, 1});
  const double scale = inverse_ ? problem_.inverse_scale : problem_.forward_scale;
  pass.how.precision = problem_.precision;
  pass.how.directions = inverse_ ? Directions::inverse : Directions::forward;
  pass.how.scale = last ? Scale{scale, scale} : Scale{1, 1};
  pass.how.orthogonal = problem_.orthonormal;
  return pass;
}

void PassPlanner::add(PassSchedule& schedule, const std::vector<std::size_t>& group) {
  for (const std::size_t d : group) axes_[d].done = true;
  const bool first = schedule.passes.empty();
  const bool last = order().empty();
  const StridedPass strided = strided_pass(group, first, last);
  auto pass = cut(strided, budget_, shapes_);
  if (!pass) too_little(smallest_piece(strided));
  pass->from = first ? PassMemory::from : between_.memory;
  pass->to = last ? PassMemory::to : between_.memory;
  if (pass->from == PassMemory::scratch || pass->to == PassMemory::scratch)
    schedule.scratch_bytes = scratch_bytes_;
  schedule.passes.push_back(std::move(*pass));
}

PassSchedule PassPlanner::schedule() {
  if (!split_long_axes()) {
    std::size_t longest = 0;
    for (std::size_t d = 0; d < axes_.size(); ++d) {
      if (!axes_[d].done) longest = std::max(longest, bytes_of({d}));
    }
    too_little(longest);
  }
  lie_between();
  PassSchedule schedule;
  // Without a transformed axis, the data is only copied and scaled.
  if (order().empty()) add(schedule, {});
  while (!order().empty()) add(schedule, next_group());
  return schedule;
}

/// True if, in place, each piece writes only the bytes that it read.
bool stays_in_place(const problem::Problem& p) {
  const problem::Side &a = p.signal, &b = p.spectrum;
  if (a.offset * a.element_bytes != b.offset * b.element_bytes) return false;
  if (p.batch > 1 && a.distance * a.element_bytes != b.distance * b.element_bytes) return false;
  for (std::size_t d = 0; d < a.strides.size(); ++d) {
    const bool real = p.kinds[d] == Kind::real;
    if (real && (a.strides[d] != 1 || b.strides[d] != 1)) return false;
    if (!real && p.lengths[d] > 1 &&
        a.strides[d] * a.element_bytes != b.strides[d] * b.element_bytes)
      return false;
  }
  return true;
}

}  // namespace

std::string why_no_passes(const Whole& whole) {
  const problem::Problem& p = whole.problem;
  for (const bool inverse : {false, true}) {
    if (p.hooked[inverse][false] || p.hooked[inverse][true]) return "the transform has hooks";
  }
  if (p.precision == Precision::f16) return "f16 would be rounded between two passes";
  for (const problem::Side* side : {&p.signal, &p.spectrum}) {
    if (side->storage != Storage::interleaved) return "the storage is not interleaved";
  }
  if (p.placement == Placement::in_place && !stays_in_place(p))
    return "the transform is in place, and its layouts differ";
  return {};
}

PassSchedule passes(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes) {
  return PassPlanner(whole, inverse, budget, shapes).schedule();
}

}  // namespace imago::host
