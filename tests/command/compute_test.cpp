// This file tests the layout of host data on the device, and the check of results.
#include "compute.hpp"

#include <complex>
#include <numbers>

#include "support/catch.hpp"

namespace imago::command {
namespace {

Transform transform_of(Kind kind, Placement placement, Directions directions) {
  Transform transform;
  transform.kind = kind;
  transform.placement = placement;
  transform.directions = directions;
  transform.lengths = {2, 5};
  transform.batch = 3;
  return transform;
}

TEST_CASE("rows of complex data are dense on both sides") {
  const Transform transform = transform_of(Kind::complex, Placement::in_place, Directions::forward);
  for (const Rows& rows : {rows_read(transform), rows_written(transform)}) {
    CHECK(rows.count == 6);
    CHECK(rows.length == 10);
    CHECK(rows.pitch == 10);
  }
}

TEST_CASE("rows of real data are padded in place, and their spectra are half") {
  for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
    const Transform forward = transform_of(Kind::real, placement, Directions::forward);
    const Transform inverse = transform_of(Kind::real, placement, Directions::inverse);
    for (const Rows& signal : {rows_read(forward), rows_written(inverse)}) {
      CHECK(signal.count == 6);
      CHECK(signal.length == 5);
      CHECK(signal.pitch == (placement == Placement::in_place ? 6 : 5));
    }
    for (const Rows& spectrum : {rows_written(forward), rows_read(inverse)}) {
      CHECK(spectrum.numbers() == 6 * 6);
      CHECK(spectrum.pitch == 6);
    }
  }
}

TEST_CASE("rows of cosine transforms are real on both sides, without padding") {
  for (const Directions direction : {Directions::forward, Directions::inverse}) {
    const Transform transform = transform_of(Kind::dct2, Placement::in_place, direction);
    for (const Rows& rows : {rows_read(transform), rows_written(transform)}) {
      CHECK(rows.count == 6);
      CHECK(rows.length == 5);
      CHECK(rows.pitch == 5);
    }
  }
}

TEST_CASE("paddings come and go") {
  const Rows rows{2, 3, 4};
  const std::vector<float> dense{1, 2, 3, 4, 5, 6};
  CHECK(padded(dense, rows) == std::vector<float>{1, 2, 3, 0, 4, 5, 6, 0});
  CHECK(packed(std::vector<float>{1, 2, 3, 9, 4, 5, 6, 9}, rows) == dense);
}

TEST_CASE("the check passes what is right and sees one wrong number, complex and real") {
  Progress progress;
  for (const Kind kind : {Kind::complex, Kind::real}) {
    Transform transform = transform_of(kind, Placement::out_of_place, Directions::forward);
    transform.batch = 2;
    const std::size_t part = kind == Kind::real ? 1 : 2, columns = kind == Kind::real ? 3 : 5;
    // An impulse at (1, 1) of the second member: waves of modulus 1.
    std::vector<double> data(2 * 10 * part), result;
    data[(10 + 5 + 1) * part] = 1;
    result.resize(2 * columns * 2);
    for (std::size_t u = 0; u < 2; ++u)
      for (std::size_t v = 0; v < columns; ++v) {
        const double turns = static_cast<double>(u) / 2 + static_cast<double>(v) / 5;
        const auto wave = std::polar(1.0, -2 * std::numbers::pi * turns);
        result.push_back(wave.real());
        result.push_back(wave.imag());
      }
    transform.precision =
        Precision::f32;  // sets the bound; std::polar is not more accurate than f64
    const Check right = check(transform, data, result, false, progress);
    CHECK(right.transforms == 2);
    CHECK(right.passed());
    result.back() += 1e-3;
    CHECK_FALSE(check(transform, data, result, false, progress).passed());
  }
}

TEST_CASE("the check measures the worst member by its own norm") {
  Progress progress;
  Transform transform;
  transform.kind = Kind::dct2;
  transform.lengths = {1};  // X[0] = 2 x[0]
  transform.batch = 2;
  transform.directions = Directions::forward;
  const std::vector<double> data{1e7, 1};
  std::vector<double> result{2e7, 2};
  CHECK(check(transform, data, result, false, progress).error == 0);
  result[1] += 1;  // a rounding error of the other member
  const Check wrong = check(transform, data, result, false, progress);
  CHECK(wrong.error == test::Approx(0.5));
  CHECK_FALSE(wrong.passed());
}

TEST_CASE("places along an axis that is only batch are transforms of their own") {
  Progress progress;
  Transform transform;
  transform.axes = {Kind::identity, Kind::dct2};
  transform.lengths = {2, 1};
  transform.directions = Directions::forward;
  const Check wrong = check(transform, std::vector<double>{1e7, 1}, {2e7, 3}, false, progress);
  CHECK(wrong.transforms == 2);
  CHECK_FALSE(wrong.passed());
}

}  // namespace
}  // namespace imago::command
