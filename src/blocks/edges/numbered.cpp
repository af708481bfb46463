// This file calls the functions of edges whose elements are found by their numbers.
#include "blocks/edges/numbered.hpp"

#include <utility>

#include "blocks/edges/cosines.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

CosineLine cosines(const NumberedLine& line) {
  return {line.b, std::get<kernel::Cosines>(line.edge), line.points};
}

}  // namespace

NumberedLine line_in(const Frame& frame) { return {frame.b, frame.step.in.edge, frame.step.line}; }

NumberedLine line_out(const Frame& frame) {
  return {frame.b, frame.step.out.edge, frame.step.line};
}

ByNumber own_and_partner(const Cx& own, const Cx& partner) {
  return [own, partner, first = true](Value) mutable {
    return std::exchange(first, false) ? own : partner;
  };
}

Cx own_element(const NumberedLine& line, const Input& input, const Point& at,
               const Access& access) {
  return own_element(cosines(line), input, at, access);
}

Cx point_of(const NumberedLine& line, Value p, const Factors& factors, const ByNumber& element) {
  return point_of(cosines(line), p, factors, element);
}

Cx element_of(const NumberedLine& line, Value element, const Factors& factors,
              const ByNumber& point) {
  return element_of(cosines(line), element, factors, point);
}

Value its_point(const NumberedLine& line, Value element) {
  return its_point(cosines(line), element);
}

Value from_its_end(const NumberedLine& line, Value number) {
  return from_its_end(cosines(line), number);
}

}  // namespace imago::blocks
