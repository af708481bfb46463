// This file handles edges whose elements are found by their number in the line
// (kernel::EdgeFacts::numbered): a point is made of elements, and an element of points, by these
// numbers.
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

/// Returns the value with this number in its line.
using ByNumber = std::function<Cx(ir::Value number)>;
/// Returns a ByNumber for a point or an element that joins two values: its first call returns the
/// value's own part, the second call its partner's.
ByNumber own_and_partner(const Cx& own, const Cx& partner);

/// Returns the point's own part at load, for points that join partners, before its factor.
Cx own_element(const NumberedLine& line, const Input& input, const Point& at, const Access& access);
/// Returns the point made of elements; `factors` are those of the point.
Cx point_of(const NumberedLine& line, ir::Value p, const Factors& factors, const ByNumber& element);
/// Returns the element made of points, if there are as many elements as points; `factors` are those
/// of the point its_point().
Cx element_of(const NumberedLine& line, ir::Value element, const Factors& factors,
              const ByNumber& point);
ir::Value its_point(const NumberedLine& line, ir::Value element);
/// Returns the number itself, or the number counted from the other end if the edge counts so.
ir::Value from_its_end(const NumberedLine& line, ir::Value number);

}  // namespace imago::blocks
