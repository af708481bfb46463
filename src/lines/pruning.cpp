// This file computes the intervals of indices, group by group.
#include "lines/pruning.hpp"

namespace imago::lines {
namespace {

// Boxes in scratch have a cost, so pruning must leave at most 7/8 of all lines.
constexpr std::uint64_t kMost = 7, kOf = 8;

}  // namespace

Pruning::Pruning(const std::vector<AxisGroup>& groups, const Boxed& boxed,
                 const std::vector<std::uint64_t>& lengths)
    : groups_(groups), lengths_(lengths) {
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) prune(axis, boxed);
}

void Pruning::prune(std::size_t axis, const Boxed& boxed) {
  Axis intervals;
  want(axis, boxed, intervals);
  hold(axis, boxed, intervals);
  const bool saves = saves_lines(axis, intervals);
  if (!saves) {
    for (auto* all : {&intervals.lines, &intervals.read, &intervals.held, &intervals.wanted})
      std::fill(all->begin(), all->end(), whole(axis));
  }
  pays_ = pays_ || saves;
  axes_.push_back(std::move(intervals));
}

kernel::Interval Pruning::filtered(std::size_t group, std::size_t axis, const Boxed& boxed) const {
  const bool passes =
      groups_[group].filters || (groups_[group].turns && !groups_[group].goes_along(axis));
  return passes ? left_by_boxes(*boxed.filter, axis, false) : whole(axis);
}

/// Computes the wanted intervals from the last group to the first: a line needs all of its
/// elements.
void Pruning::want(std::size_t axis, const Boxed& boxed, Axis& intervals) const {
  const std::size_t count = groups_.size();
  auto& wanted = intervals.wanted;
  wanted.assign(count + 1, whole(axis));
  if (boxed.store && !groups_.back().goes_along(axis))
    wanted[count] = left_by_boxes(*boxed.store, axis, true);
  for (std::size_t i = count; i-- > 0;) {
    if (!groups_[i].goes_along(axis)) wanted[i] = wanted[i + 1];
    wanted[i] = wanted[i] & filtered(i, axis, boxed);
  }
}

/// Computes the held intervals from the first group to the last: a line fills all of its elements
/// that are wanted.
void Pruning::hold(std::size_t axis, const Boxed& boxed, Axis& intervals) const {
  const std::size_t count = groups_.size();
  auto& [lines, read, held, wanted] = intervals;
  lines.assign(count, whole(axis)), read = lines;
  held.assign(count + 1, whole(axis));
  if (boxed.load && !groups_.front().goes_along(axis))
    held[0] = left_by_boxes(*boxed.load, axis, false);
  for (std::size_t i = 0; i < count; ++i) {
    const kernel::Interval left = filtered(i, axis, boxed), source = held[i] & left;
    if (groups_[i].goes_along(axis)) {
      held[i + 1] = wanted[i + 1];
    } else {
      // The last group writes zeros, too. Lanes of lines that begin at the box of one side are not
      // aligned to the box of the other.
      if (i + 1 < count)
        lines[i] = source & wanted[i + 1];
      else if (source.holds(wanted[count]))
        lines[i] = wanted[count];
      held[i + 1] = lines[i];
    }
    read[i] = groups_[i].filters ? lines[i] & left : lines[i];
  }
}

bool Pruning::saves_lines(std::size_t axis, const Axis& intervals) const {
  bool saves = false;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].goes_along(axis)) continue;
    const std::uint64_t left = intervals.lines[i].size();
    if (left == 0) return false;  // kernels need at least one line
    saves = saves || left * kOf <= lengths_[axis] * kMost;
  }
  return saves;
}

std::vector<kernel::HookStep> Pruning::boxes(std::size_t group, bool store) const {
  std::vector<kernel::HookStep> boxes;
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    const Axis& axis = axes_[d];
    const kernel::Interval& box = store ? axis.wanted[group + 1] : axis.held[group];
    const bool needed =
        store ? groups_[group].goes_along(d) && box != whole(d) : !box.holds(axis.read[group]);
    if (needed) boxes.emplace_back(kernel::Box{static_cast<std::uint32_t>(d), box.begin, box.end});
  }
  return boxes;
}

}  // namespace imago::lines
