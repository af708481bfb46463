// This file implements the description of courses.
#include "host/describe.hpp"

#include <set>

namespace imago::host {
namespace {

std::string shapes_of(const Round& round) {
  std::set<std::size_t> shapes;
  round.pieces.for_each_kind([&](const Piece& piece) { shapes.insert(piece.shape); });
  std::string text = shapes.size() == 1 ? "shape" : "shapes";
  for (const std::size_t shape : shapes) text.append(" ").append(std::to_string(shape));
  return text;
}

}  // namespace

std::string describe(const Course& course, const std::string& direction) {
  std::string text;
  if (course.whole && !course.rounds.empty())
    text += direction + ": as a whole, shape " + std::to_string(course.whole->shape) + "\n";
  for (std::size_t i = 0; i < course.rounds.size(); ++i) {
    const Round& round = course.rounds[i];
    const PassBytes bytes = bytes_of(round.pieces);
    text += direction + ", pass " + std::to_string(i + 1) + " of " +
            std::to_string(course.rounds.size()) + ": " + std::to_string(round.pieces.size()) +
            " pieces of " + shapes_of(round) + ", at most " + std::to_string(bytes.from) + " and " +
            std::to_string(bytes.to) + " bytes, " + std::to_string(round.slots) +
            " at a time on a device\n";
  }
  return text;
}

}  // namespace imago::host
