// This file implements the pieces of passes, and their budget.
#include "host/passes.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"

namespace imago::host {
namespace {

/// If the memory is this many times as large as the buffers, the workspace is not estimated. It
/// needs at most a few times the bytes of the data.
constexpr std::size_t kPlenty = 16;
constexpr std::size_t kPieces = 16;
constexpr std::size_t kLeastPiece = std::size_t{8} << 20, kMostPiece = std::size_t{32} << 20;

}  // namespace

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

std::size_t Shapes::add(Shape shape) {
  const auto found = std::find(all_.begin(), all_.end(), shape);
  if (found != all_.end()) return static_cast<std::size_t>(found - all_.begin());
  all_.push_back(std::move(shape));
  return all_.size() - 1;
}

bool Budget::holds(const Transform& transform, const Slot::Bytes& bytes, std::size_t slots) const {
  const std::size_t buffers = slots * (bytes.from + bytes.to);
  if (bytes.from > largest || bytes.to > largest || buffers > memory) return false;
  return buffers <= memory / kPlenty || buffers + scratch(transform) <= memory;
}

std::size_t Budget::piece_bytes(std::size_t whole) const {
  return std::clamp(whole / kPieces / devices, kLeastPiece, kMostPiece);
}

}  // namespace imago::host
