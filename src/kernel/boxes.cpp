// This file applies to boxes the rotations between them and the transform.
#include "kernel/boxes.hpp"

#include <optional>
#include <variant>

namespace imago::kernel {
namespace {

/// Returns the rotation along an axis between step i and the transform.
std::uint64_t rotation_behind(const Hooked& hooked, std::size_t axis, std::size_t i, bool store) {
  const std::uint64_t n = hooked.lengths[axis];
  std::uint64_t by = 0;
  for (std::size_t j = store ? 0 : i + 1; j < (store ? i : hooked.steps.size()); ++j) {
    const auto* rotation = std::get_if<Rotation>(&hooked.steps[j]);
    if (rotation && rotation->axis == axis) by = (by + rotation->by) % n;
  }
  return store ? (n - by) % n : by;
}

/// Returns the indices that step i leaves along an axis; nullopt if it is no box there, or if the
/// indices are not contiguous.
std::optional<Interval> box_at(const Hooked& hooked, std::size_t axis, std::size_t i, bool store) {
  const auto* box = std::get_if<Box>(&hooked.steps[i]);
  if (!box || box->axis != axis) return {};
  const std::uint64_t n = hooked.lengths[axis],
                      begin = (box->begin + rotation_behind(hooked, axis, i, store)) % n,
                      size = box->end - box->begin;
  if (begin + size > n) return {};
  return Interval{begin, begin + size};
}

}  // namespace

Interval left_by_boxes(const Hooked& hooked, std::size_t axis, bool store) {
  Interval left{0, hooked.lengths[axis]};
  for (std::size_t i = 0; i < hooked.steps.size(); ++i) {
    if (const auto box = box_at(hooked, axis, i, store)) left = left & *box;
  }
  return left;
}

void drop_boxes(Hooked& hooked, std::size_t axis, const Interval& lines, bool store) {
  for (std::size_t i = hooked.steps.size(); i-- > 0;) {
    const auto box = box_at(hooked, axis, i, store);
    if (box && box->holds(lines))
      hooked.steps.erase(hooked.steps.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

double share_in_boxes(const Hooked& hooked, bool store) {
  double share = 1;
  for (std::size_t d = 0; d < hooked.lengths.size(); ++d) {
    std::uint64_t left = left_by_boxes(hooked, d, store).size();
    for (const HookStep& step : hooked.steps) {
      const auto* box = std::get_if<Box>(&step);
      if (box && box->axis == d) left = std::min(left, box->end - box->begin);
    }
    share *= static_cast<double>(left) / static_cast<double>(hooked.lengths[d]);
  }
  return share;
}

double stored_bytes(const Hooked& hooked, double number_bytes, bool real) {
  const Stored stored = hooked.stored;
  if (stored == Stored::i8 || stored == Stored::u8) number_bytes = 1;
  if (stored == Stored::i16 || stored == Stored::u16) number_bytes = 2;
  const Access* access = hooked.access();
  if (access && access->bytes != 0) return static_cast<double>(access->bytes);
  // A sum reads all its arrays, and the same number of weights.
  if (const WeightedSum* sum = hooked.sum()) number_bytes *= 2 * static_cast<double>(sum->count);
  return number_bytes * (real || hooked.real_in_memory() ? 1 : 2);
}

}  // namespace imago::kernel
