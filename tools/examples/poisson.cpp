// This file is an example of mixed kinds. It solves Poisson's equation -(u_xx +
// u_yy) = f on the unit square, with u_x = 0 at x = 0 and x = 1 (insulated),
// and u = 0 at y = 0 and y = 1. Second differences have cosines (x) and sines
// (y) as eigenvectors, so a DCT-II along x and a DST-I along y reduce the
// equation to a division (G. Strang, "The discrete cosine transform", SIAM
// Review 41, 1999).
//
// `poisson <convergence.svg>` solves it on finer and finer grids and compares
// with the exact solution. It fails if the error does not decrease with the
// square of the points along an axis.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "charts/sheet.hpp"
#include "formats/file.hpp"
#include "transformer.hpp"

namespace imago::examples {
namespace {

using Values = std::vector<double>;

constexpr std::size_t kCoarsest = 16, kFinest = 1024;
constexpr double kOrder = 2, kOrderOff = 0.15;

/// The exact solution is X(x) Y(y): a cubic with zero slope at both ends, and a
/// curve that is zero there.
struct Exact {
  double value, second;  ///< the value and its second derivative
};
Exact along_x(double x) { return {x * x * (3 - 2 * x), 6 - 12 * x}; }
Exact along_y(double y) {
  return {y * (1 - y) * std::exp(y), -(3 * y + y * y) * std::exp(y)};
}

/// n cells along x with values at their centres, and n inner points of n+1
/// intervals along y.
class Grid {
 public:
  explicit Grid(std::size_t n) : n_(n) {}
  double x(std::size_t j) const {
    return (static_cast<double>(j) + 0.5) * step_x();
  }
  double y(std::size_t i) const {
    return static_cast<double>(i + 1) * step_y();
  }
  double step_x() const { return 1 / static_cast<double>(n_); }
  double step_y() const { return 1 / static_cast<double>(n_ + 1); }

  /// Returns values of a function, in rows of constant y.
  template <class Function>
  Values values(Function function) const {
    Values all;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) all.push_back(function(i, j));
    return all;
  }
  Values right_side() const {
    return values([this](std::size_t i, std::size_t j) {
      const Exact a = along_x(x(j)), b = along_y(y(i));
      return -(a.second * b.value + a.value * b.second);
    });
  }
  Values solution() const {
    return values([this](std::size_t i, std::size_t j) {
      return along_x(x(j)).value * along_y(y(i)).value;
    });
  }
  /// Returns the eigenvalues of the second differences for each coefficient.
  Values eigenvalues() const {
    const auto second = [](double step, double turns) {
      const double half = std::sin(std::numbers::pi / 2 * turns) * 2 / step;
      return half * half;
    };
    return values([&](std::size_t i, std::size_t j) {
      return second(step_x(), static_cast<double>(j) * step_x()) +
             second(step_y(), static_cast<double>(i + 1) * step_y());
    });
  }

 private:
  std::size_t n_;
};

/// Returns the largest difference from the exact solution on a grid.
double error(const Transformer& transformer, std::size_t n) {
  const Grid grid(n);
  const Transform mixed{.axes = {Kind::dst1, Kind::dct2},
                        .precision = Precision::f64,
                        .lengths = {n, n}};
  Values u = grid.right_side();
  transformer.run(mixed, Directions::forward, u);
  const Values eigenvalues = grid.eigenvalues();
  for (std::size_t i = 0; i < u.size(); ++i) u[i] /= eigenvalues[i];
  transformer.run(mixed, Directions::inverse, u);
  const Values exact = grid.solution();
  double largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double off = std::abs(u[i] - exact[i]);
    if (!(off <= largest)) largest = off;  // also true for a NaN
  }
  return largest;
}

struct Row {
  double points, error;
};

/// Draws errors over the points along an axis, and a line of the expected
/// slope.
std::string chart(const std::vector<Row>& rows) {
  charts::Panel panel;
  for (const Row& row : rows) {
    series_of(panel, "Error of the grid's solution", charts::Mark::dots)
        .points.push_back({row.points, row.error});
    const double expected =
        rows.front().error * std::pow(rows.front().points / row.points, kOrder);
    series_of(panel, "1 / points^2", charts::Mark::curve)
        .points.push_back({row.points, expected});
  }
  fit_x(panel, "Points along an axis", charts::Scale::powers_of_two);
  fit_y(panel, "Largest error", charts::Scale::powers_of_ten);
  charts::Sheet sheet{
      "Poisson's equation by DCT-II and DST-I", "", "", {std::move(panel)}};
  sheet.panel_width = 640;
  sheet.panel_height = 340;
  return charts::draw(sheet);
}

int run(const std::string& picture_path) {
  const Transformer transformer(Precision::f64);
  std::vector<Row> rows;
  std::printf("     grid   largest error   order\n");
  for (std::size_t n = kCoarsest; n <= kFinest; n *= 2) {
    rows.push_back({static_cast<double>(n), error(transformer, n)});
    std::printf("%4zux%-4zu   %13.3e", n, n, rows.back().error);
    if (rows.size() > 1) {
      const double order =
          std::log2(rows[rows.size() - 2].error / rows.back().error);
      std::printf("   %5.2f", order);
      if (!(std::abs(order - kOrder) < kOrderOff))
        throw std::runtime_error(
            "the error must fall with the square of the points");
    }
    std::printf("\n");
  }
  formats::OutputFile file(picture_path);
  file.write(chart(rows));
  file.commit();
  return 0;
}

}  // namespace
}  // namespace imago::examples

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s <convergence.svg>\n", arguments[0]);
    return 2;
  }
  try {
    return imago::examples::run(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "poisson: %s\n", error.what());
    return 1;
  }
}
