// This file checks the references of cosine and sine transforms: against their definitions, and
// against their inverses.
#include <cmath>
#include <numbers>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "catalogue/reference.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::catalogue;

namespace {

using Wide = long double;
using Values = std::vector<Wide>;

constexpr Kind kCosines[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                             Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

Values random_values(std::size_t count) {
  Random random(count);
  Values values(count);
  for (auto& value : values) value = random.uniform();
  return values;
}

Values run(const Case& problem, const Values& values) {
  Reference<Wide> reference(problem);
  REQUIRE(reference.input().size() == values.size());
  std::copy(values.begin(), values.end(), reference.input().begin());
  const auto result = reference.run();
  return {result.begin(), result.end()};
}

/// Returns the factor of x[j] in X[k], as the public header defines it.
Wide factor(Kind kind, std::size_t n, std::size_t j, std::size_t k) {
  const auto points = static_cast<Wide>(n), at = static_cast<Wide>(j), to = static_cast<Wide>(k);
  const auto turn = [](Wide phase) { return std::numbers::pi_v<Wide> * phase; };
  const Wide sign = k % 2 == 0 ? 1 : -1;
  const bool first = j == 0, last = j + 1 == n;
  switch (kind) {
    case Kind::dct1:
      return first ? 1 : last ? sign : 2 * std::cos(turn(at * to / (points - 1)));
    case Kind::dct2:
      return 2 * std::cos(turn((at + 0.5L) * to / points));
    case Kind::dct3:
      return first ? 1 : 2 * std::cos(turn(at * (to + 0.5L) / points));
    case Kind::dct4:
      return 2 * std::cos(turn((at + 0.5L) * (to + 0.5L) / points));
    case Kind::dst1:
      return 2 * std::sin(turn((at + 1) * (to + 1) / (points + 1)));
    case Kind::dst2:
      return 2 * std::sin(turn((at + 0.5L) * (to + 1) / points));
    case Kind::dst3:
      return last ? sign : 2 * std::sin(turn((at + 1) * (to + 0.5L) / points));
    default:
      return 2 * std::sin(turn((at + 0.5L) * (to + 0.5L) / points));
  }
}

Case line(Kind kind, std::uint64_t length) {
  Case problem;
  problem.lengths = {length};
  problem.kind = kind;
  problem.norm = Norm::none;
  return problem;
}

void check_close(const Values& found, const Values& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    REQUIRE(std::abs(found[i] - expected[i]) < 1e-16L * static_cast<Wide>(found.size()));
}

}  // namespace

TEST_CASE("references of cosine and sine transforms agree with the definitions") {
  for (const Kind kind : kCosines) {
    for (const std::size_t n : {1, 2, 3, 4, 5, 8, 13}) {
      if (kind == Kind::dct1 && n == 1) continue;
      CAPTURE(static_cast<int>(kind), n);
      const Values x = random_values(n);
      Values expected(n);
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j) expected[k] += factor(kind, n, j, k) * x[j];
      check_close(run(line(kind, n), x), expected);
    }
  }
}

TEST_CASE("ortho references are orthogonal matrices") {
  for (const Kind kind : kCosines) {
    for (const std::size_t n : {1, 2, 3, 8}) {
      if (kind == Kind::dct1 && n == 1) continue;
      CAPTURE(static_cast<int>(kind), n);
      Case problem = line(kind, n);
      problem.norm = Norm::ortho;
      std::vector<Values> columns;
      for (std::size_t j = 0; j < n; ++j) {
        Values unit(n);
        unit[j] = 1;
        columns.push_back(run(problem, unit));
      }
      for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
          Wide product = 0;
          for (std::size_t k = 0; k < n; ++k) product += columns[a][k] * columns[b][k];
          const auto points = static_cast<Wide>(problem.points());
          REQUIRE(std::abs(product / points - (a == b ? 1 : 0)) < 1e-17L);
        }
      }
    }
  }
}

TEST_CASE("references of mixed kinds undo each other") {
  for (const auto* name :
       {"4*1-f64-out-forward-none-dct1", "5x6*1-f64-out-forward-none-axes_C2S3",
        "5x6*1-f64-out-forward-ortho-axes_C2S3", "3x4x5*1-f64-out-forward-ortho-axes_S2C1C3",
        "4x6*1-f64-out-forward-none-axes_S1c", "4x6*1-f64-out-forward-ortho-axes_cC1",
        "3x4x6*1-f64-out-forward-ortho-axes_C3cr", "3x4x5*1-f64-out-forward-none-axes_iS4r",
        "3x5*1-f64-out-forward-ortho-axes_S2r", "2x3x4*1-f64-out-forward-ortho-axes_S3iC2"}) {
    CAPTURE(name);
    const Case forward = parse(name);
    Case inverse = forward;
    inverse.direction = Direction::inverse;
    const std::size_t words = forward.real() || forward.only_real() ? 1 : 2;
    const Values signal = random_values(packed_size(forward, true) * words);
    Values back = run(inverse, run(forward, signal));
    for (auto& value : back) value /= static_cast<Wide>(forward.points());
    check_close(back, signal);
  }
}

TEST_CASE("beside a Fourier axis cosines act on both parts") {
  // Each axis is transformed by a case of its own.
  const Case both = parse("3x8*1-f64-out-forward-none-axes_C2c"),
             rows = parse("3x8*1-f64-out-forward-none-axes_ic"),
             columns = parse("3x16*1-f64-out-forward-none-axes_C2i");
  const Values signal = random_values(48);
  check_close(run(both, signal), run(columns, run(rows, signal)));
}
