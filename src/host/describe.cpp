// This file implements the description of passes.
#include "host/describe.hpp"

#include <set>

namespace imago::host {
namespace {

std::string shapes_of(const HostPass& pass) {
  std::set<std::size_t> shapes;
  pass.pieces.for_each_kind([&](const Piece& piece) { shapes.insert(piece.shape); });
  std::string text = shapes.size() == 1 ? "shape" : "shapes";
  for (const std::size_t shape : shapes) text.append(" ").append(std::to_string(shape));
  return text;
}

}  // namespace

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
