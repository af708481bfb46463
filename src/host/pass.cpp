// This file implements the pieces of passes, and counts their bytes.
#include "host/pass.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"

namespace imago::host {

Pieces::Pieces(std::vector<Piece> once) { add({std::move(once)}); }

void Pieces::add(Block block) {
  size_ += block.pattern.size() * block.times;
  blocks_.push_back(std::move(block));
}

Piece Pieces::operator[](std::size_t index) const {
  for (const Block& block : blocks_) {
    const std::size_t count = block.pattern.size() * block.times;
    if (index >= count) {
      index -= count;
      continue;
    }
    const std::size_t turn = index / block.pattern.size();
    Piece piece = block.pattern[index % block.pattern.size()];
    piece.from.begin += turn * block.from_step;
    piece.to.begin += turn * block.to_step;
    piece.number += turn * block.number_step;
    return piece;
  }
  base::internal_error("a pass has fewer pieces");
}

PassBytes bytes_of(const Pieces& pieces) {
  PassBytes found;
  for (const Pieces::Block& block : pieces.blocks()) {
    for (const Piece& piece : block.pattern) {
      const std::size_t from = piece.from.bytes(), to = piece.to.bytes();
      found.from = std::max(found.from, from);
      found.to = std::max(found.to, to);
      found.all += block.times * (from + (piece.has_gaps ? 2 * to : to));
    }
  }
  return found;
}

}  // namespace imago::host
