// This file checks axes and factors.
#include "problem/checks.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include "base/errors.hpp"

namespace imago::problem {
namespace {

std::string text_of(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

template <class Real>
void check_range(const std::string& field, double number, const char* precision) {
  using Limits = std::numeric_limits<Real>;
  const double size = std::fabs(number), least = Limits::min(), most = Limits::max();
  if (number == 0 || (size >= least && size <= most)) return;
  base::invalid(field, number,
                "in " + std::string(precision) + " its magnitude must be from " + text_of(least) +
                    " to " + text_of(most));
}

}  // namespace

void check_axis(const std::string& name, std::size_t axis, std::size_t dimensions, const char* of) {
  if (axis >= dimensions)
    base::invalid(name, axis,
                  "it must be a dimension of the " + std::string(of) + ", from 0 to " +
                      std::to_string(dimensions - 1));
}

void check_number(const std::string& field, double number, Precision precision) {
  if (!std::isfinite(number)) base::invalid(field, number, "it must be a finite number");
  // The arithmetic of f16 is f32.
  if (precision == Precision::f64)
    check_range<double>(field, number, "f64");
  else
    check_range<float>(field, number, "f32");
}

void check_factor(const std::string& field, double factor, Precision precision) {
  if (factor == 0 || !std::isfinite(factor))
    base::invalid(field, factor, "it must be a finite number that is not 0");
  check_number(field, factor, precision);
}

}  // namespace imago::problem
