// This file is about edges whose elements have numbers in their line (kernel::EdgeFacts::numbered):
// a point is made of elements, and an element of points, by these numbers.
#pragma once

#include <functional>

#include "blocks/edges/roots.hpp"
#include "blocks/elements.hpp"

namespace imago::blocks {

/// A line with such an edge at one end.
struct NumberedLine {
  ir::Builder& b;
  const kernel::Edge& edge;
  std::uint64_t points;
};
NumberedLine line_in(const Frame& frame);
NumberedLine line_out(const Frame& frame);

/// The value with this number in its line.
using ByNumber = std::function<Cx(ir::Value number)>;
/// What a point or an element is made of that joins two: its own number is asked for, then that of
/// its partner.
ByNumber own_and_partner(const Cx& own, const Cx& partner);

/// Returns what a point that joins partners has of its own at load, before its factor.
Cx own_element(const NumberedLine& line, const Input& input, const Point& at, const Access& access);
/// The point made of its elements; `factors`: its own.
Cx point_of(const NumberedLine& line, ir::Value p, const Factors& factors, const ByNumber& element);
/// The element made of points, the other way round, where there are as many. `factors`: those
/// of the point that its_point() names.
Cx element_of(const NumberedLine& line, ir::Value element, const Factors& factors,
              const ByNumber& point);
ir::Value its_point(const NumberedLine& line, ir::Value element);
/// The number itself, or counted from the other end where the edge does so.
ir::Value from_its_end(const NumberedLine& line, ir::Value number);

}  // namespace imago::blocks
