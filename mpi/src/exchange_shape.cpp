// This file implements the shapes of exchanges.
#include <algorithm>

#include "exchange.hpp"

namespace imago::mpi {
namespace {

Box common(const Box& a, const Box& b) {
  Box found;
  for (std::size_t axis = 0; axis < a.size(); ++axis) {
    const std::size_t begin = std::max(a[axis].begin, b[axis].begin);
    const std::size_t end = std::min(a[axis].begin + a[axis].count, b[axis].begin + b[axis].count);
    found.push_back({begin, end > begin ? end - begin : 0});
  }
  return found;
}

}  // namespace

Box ExchangeShape::piece(std::size_t rank, std::size_t piece) const {
  Box box = near[rank];
  const Span part = share(box[join].count, pieces, piece);
  box[join] = {box[join].begin + part.begin, part.count};
  return box;
}

std::size_t ExchangeShape::piece_begin(std::size_t piece) const {
  Box before = near[me];
  before[join].count = share(before[join].count, pieces, piece).begin;
  return elements(before) * element_bytes;
}

Strips ExchangeShape::near_strips(std::size_t rank, std::size_t piece) const {
  const Box mine = this->piece(me, piece);
  Strips found = strips(order, mine, common(mine, far[rank]), element_bytes);
  found.offset += piece_begin(piece);
  return found;
}

Strips ExchangeShape::far_strips(std::size_t rank, std::size_t piece) const {
  return strips(order, far[me], common(this->piece(rank, piece), far[me]), element_bytes);
}

}  // namespace imago::mpi
