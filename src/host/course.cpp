// This file implements what courses are made of.
#include "host/course.hpp"

#include <algorithm>
#include <utility>

namespace imago::host {
namespace {

/// Scratch is at most a few times the data: where so much more memory is there nobody asks.
constexpr std::size_t kPlenty = 16;
constexpr std::size_t kPieces = 16;
constexpr std::size_t kLeastPiece = std::size_t{8} << 20, kMostPiece = std::size_t{32} << 20;

}  // namespace

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
