// This file implements strips.
#include "strips.hpp"

#include <cstring>
#include <exception>
#include <thread>

namespace imago::mpi {
namespace {

void copy_rows(const BoxOrder& what, const CopyEnd& from, const CopyEnd& to, const Span& rows) {
  const auto& [order, box, element_bytes] = what;
  const std::size_t run = box[order.back()].count;
  for (std::size_t row = rows.begin; row < rows.begin + rows.count; ++row) {
    std::size_t a = from.place.offset, b = to.place.offset, rest = row;
    for (std::size_t i = order.size() - 1; i-- > 0;) {
      const std::size_t axis = order[i], at = rest % box[axis].count;
      rest /= box[axis].count;
      a += at * from.place.strides[axis];
      b += at * to.place.strides[axis];
    }
    std::memcpy(to.data + b * element_bytes, from.data + a * element_bytes, run * element_bytes);
  }
}

}  // namespace

Strips strips(const Axes& order, const Box& container, const Box& part, std::size_t element_bytes) {
  if (elements(part) == 0) return {};
  const Place where = place(order, container, part);
  Strips found{where.offset * element_bytes, element_bytes, {}};
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t count = part[order[i]].count;
    const std::size_t stride = where.strides[order[i]] * element_bytes;
    if (count == 1) continue;
    if (stride == found.bytes)
      found.bytes *= count;
    else
      found.loops.push_back({count, stride});
  }
  return found;
}

void copy_box(const BoxOrder& what, const CopyEnd& from, const CopyEnd& to, std::size_t threads) {
  const std::size_t count = elements(what.box);
  if (count == 0) return;
  const std::size_t rows = count / what.box[what.order.back()].count;
  const auto copy = [&](std::size_t i) { copy_rows(what, from, to, share(rows, threads, i)); };
  std::vector<std::jthread> helpers;
  std::size_t next = 1;
  try {
    helpers.reserve(threads);
    for (; next < threads; ++next) helpers.emplace_back(copy, next);
  } catch (const std::exception&) {  // the system refuses a thread: this one does its work
  }
  for (; next < threads; ++next) copy(next);
  copy(0);
}

}  // namespace imago::mpi
