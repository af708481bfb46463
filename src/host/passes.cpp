// This file implements the pieces of passes, and their budget.
#include "host/passes.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/errors.hpp"

namespace imago::host {
namespace {

/// If the memory is this many times as large as the buffers, the workspace is not estimated. It
/// needs at most a few times the bytes of the data.
constexpr std::size_t kPlenty = 16;
constexpr std::size_t kPieces = 16;
constexpr std::size_t kLeastPiece = std::size_t{8} << 20, kMostPiece = std::size_t{32} << 20;

std::string shapes_of(const HostPass& pass) {
  std::set<std::size_t> shapes;
  pass.pieces.for_each_kind([&](const Piece& piece) { shapes.insert(piece.shape); });
  std::string text = shapes.size() == 1 ? "shape" : "shapes";
  for (const std::size_t shape : shapes) text.append(" ").append(std::to_string(shape));
  return text;
}

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

std::string describe(const PassSchedule& schedule, const std::string& direction) {
  std::string text;
  if (schedule.whole && !schedule.passes.empty())
    text += direction + ": as a whole, shape " + std::to_string(schedule.whole->shape) + "\n";
  for (std::size_t i = 0; i < schedule.passes.size(); ++i) {
    const HostPass& pass = schedule.passes[i];
    const PassBytes bytes = bytes_of(pass.pieces);
    text += direction + ", pass " + std::to_string(i + 1) + " of " +
            std::to_string(schedule.passes.size()) + ": " + std::to_string(pass.pieces.size()) +
            " pieces of " + shapes_of(pass) + ", at most " + std::to_string(bytes.from) + " and " +
            std::to_string(bytes.to) + " bytes, " + std::to_string(pass.slots) +
            " at a time on a device\n";
  }
  return text;
}

}  // namespace imago::host
