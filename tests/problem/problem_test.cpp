// This file checks which Transforms are valid, and the Problems made from them.
#include "problem/problem.hpp"
#include "problem/layout.hpp"
#include "problem/make_problem.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <imago/error.hpp>

#include "support/catch.hpp"

namespace imago {
namespace {

Transform transform(std::size_t length, std::size_t batch = 1) {
  Transform t;
  t.lengths = {length};
  t.batch = batch;
  return t;
}

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();

TEST_CASE("defaults: packed, row-major, inverse(forward(x)) == x", "[problem]") {
  const auto p = problem::make_problem(transform(360, 7));
  CHECK(p.lengths == std::vector<std::uint64_t>{360});
  CHECK(p.batch == 7);
  CHECK(p.signal == p.spectrum);
  CHECK(p.signal.distance == 360);
  CHECK(p.signal.bytes() == 360 * 7 * 8);
  CHECK(p.forward_scale == 1);
  CHECK(p.inverse_scale == 1.0 / 360);
  CHECK((p.has_forward() && p.has_inverse()));
}

TEST_CASE("norms", "[problem]") {
  auto t = transform(64);
  const auto factors = [&](Norm norm) {
    t.norm = norm;
    const auto p = problem::make_problem(t);
    return std::pair(p.forward_scale, p.inverse_scale);
  };
  CHECK(factors(Norm::none) == std::pair(1.0, 1.0));
  CHECK(factors(Norm::backward) == std::pair(1.0, 1.0 / 64));
  CHECK(factors(Norm::forward) == std::pair(1.0 / 64, 1.0));
  CHECK(factors(Norm::ortho) == std::pair(0.125, 0.125));
}

TEST_CASE("offsets and distances decide the bytes, not the key", "[problem]") {
  auto t = transform(10, 3);
  t.precision = Precision::f64;
  const auto key = problem::make_problem(t).key();
  t.signal.distance = 16;
  t.signal.offset = 5;
  const auto p = problem::make_problem(t);
  CHECK(p.signal.bytes() == (5 + 2 * 16 + 10) * 16);
  CHECK(p.spectrum.bytes() == 30 * 16);
  CHECK(p.key() == key);
  t.precision = Precision::f32;
  CHECK(problem::make_problem(t).key() != key);
}

TEST_CASE("lengths, batch and kinds that make no sense", "[problem]") {
  Transform t;
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);  // no lengths
  CHECK_THROWS_AS(problem::make_problem(transform(0)), InvalidArgument);
  CHECK_THROWS_AS(problem::make_problem(transform(8, 0)), InvalidArgument);
  t = transform(8);
  t.axes = {Kind::complex, Kind::complex};
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
}

TEST_CASE("the text names field, value and what is allowed", "[problem]") {
  using test::ContainsSubstring;
  CHECK_THROWS_WITH(problem::make_problem(transform(0)),
                    ContainsSubstring("lengths[0] is 0") && ContainsSubstring("at least 1"));
  auto t = transform(8, 2);
  t.spectrum.distance = 7;
  CHECK_THROWS_WITH(problem::make_problem(t),
                    ContainsSubstring("spectrum.distance is 7") && ContainsSubstring("8"));
}

TEST_CASE("overflow of addresses", "[problem]") {
  CHECK_THROWS_AS(problem::make_problem(transform(kHuge)), InvalidArgument);
  CHECK_THROWS_AS(problem::make_problem(transform(std::size_t{1} << 40, std::size_t{1} << 30)),
                  InvalidArgument);
  auto t = transform(8, 2);
  t.signal.distance = kHuge - 4;
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  t = transform(8);
  t.signal.offset = kHuge - 4;
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  CHECK_NOTHROW(problem::make_problem(transform(1, std::size_t{1} << 40)));
}

TEST_CASE("members may overlap where they are only read", "[problem]") {
  auto t = transform(8, 4);
  t.directions = Directions::forward;
  t.signal.distance = 2;  // a sliding window
  CHECK(problem::make_problem(t).signal.end == 3 * 2 + 8);
  t.directions = Directions::both;
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  t.directions = Directions::inverse;
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  t.directions = Directions::forward;
  t.placement = Placement::in_place;
  t.spectrum = t.signal;
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
}

TEST_CASE("strides", "[problem]") {
  auto t = transform(8, 2);
  t.signal.strides = {1};
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);  // no distance
  t.signal.distance = 8;
  CHECK_NOTHROW(problem::make_problem(t));
  t.signal.strides = {0};
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  t.signal.strides = {1, 1};
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  t.signal.strides = {2};
  t.signal.distance = 1;  // the batch is between the points
  CHECK(problem::make_problem(t).signal.end == 16);
  t.signal.strides = {1};
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);  // the inverse would write them twice
}

TEST_CASE("in place both layouts cover the same bytes", "[problem]") {
  auto t = transform(8, 2);
  t.placement = Placement::in_place;
  CHECK_NOTHROW(problem::make_problem(t));
  t.signal.offset = 1;
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  t.spectrum.offset = 1;
  CHECK_NOTHROW(problem::make_problem(t));
  t.signal.distance = 9;
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  t.batch = 1;  // the distance is not used then
  CHECK_NOTHROW(problem::make_problem(t));
}

TEST_CASE("several dimensions", "[problem]") {
  auto t = transform(8, 5);
  t.lengths = {4, 6, 8};
  t.axes = {Kind::complex, Kind::identity, Kind::complex};
  t.norm = Norm::ortho;
  const auto p = problem::make_problem(t);
  CHECK(p.signal.strides == std::vector<std::uint64_t>{48, 8, 1});
  CHECK(p.signal.distance == 192);
  CHECK(p.signal.bytes() == 5 * 192 * 8);
  CHECK(p.forward_scale == 1 / std::sqrt(32.0));  // the identity axis does not count
  t.spectrum.strides = {1, 20, 120};
  t.spectrum.distance = 4;
  CHECK(problem::make_problem(t).spectrum.end == 20 * 6 * 8);
  t.spectrum.strides = {1, 19, 120};
  using test::ContainsSubstring;
  CHECK_THROWS_WITH(problem::make_problem(t),
                    ContainsSubstring("spectrum.strides[1] is 19") && ContainsSubstring("20"));
}

TEST_CASE("in place a layout may become another one of the same bytes", "[problem]") {
  auto t = transform(8);
  t.placement = Placement::in_place;
  t.lengths = {4, 8};
  t.spectrum.strides = {1, 4};
  CHECK_NOTHROW(problem::make_problem(t));
  t.spectrum.strides = {1, 5};
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
}

TEST_CASE("real data: half a spectrum, in place padded as FFTW's", "[problem]") {
  auto t = transform(8, 3);
  t.kind = Kind::real;
  t.lengths = {6, 9};
  auto p = problem::make_problem(t);
  CHECK(p.kinds == std::vector<Kind>{Kind::complex, Kind::real});
  CHECK(p.signal.bytes() == 3 * 54 * 4);
  CHECK(p.spectrum.bytes() == 3 * 30 * 8);
  CHECK(p.inverse_scale == 1.0 / 54);
  t.placement = Placement::in_place;
  p = problem::make_problem(t);
  CHECK(p.signal.strides == std::vector<std::uint64_t>{10, 1});
  CHECK(p.signal.distance == 2 * p.spectrum.distance);
  t.signal.strides = {9, 1};
  t.signal.distance = 60;
  CHECK(problem::make_problem(t).signal.bytes() == (2 * 60 + 54) * 4);
  t = transform(8);
  t.lengths = {4, 8};
  t.axes = {Kind::real, Kind::real};
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
}

TEST_CASE("rows of reals meet those of their spectra where these begin twice as far", "[problem]") {
  auto t = transform(8, 3);
  t.kind = Kind::real;
  t.lengths = {4, 6};
  t.placement = Placement::in_place;
  const auto meet = [&] { return problem::rows_meet(problem::make_problem(t)); };
  CHECK(meet());
  t.signal = {.strides = {10, 1}, .distance = 44, .offset = 6};
  t.spectrum = {.strides = {5, 1}, .distance = 22, .offset = 3};
  CHECK(meet());
  const Transform good = t;
  const auto meets_with = [&](auto change) {
    t = good;
    change(t);
    return meet();
  };
  CHECK_FALSE(meets_with([](Transform& u) { u.signal.strides = {11, 1}; }));
  CHECK_FALSE(meets_with([](Transform& u) { u.spectrum.strides = {4, 1}; }));
  CHECK_FALSE(meets_with([](Transform& u) {
    u.signal.strides = {20, 2}, u.signal.distance = 88;
    u.spectrum.strides = {10, 1}, u.spectrum.distance = 44;
  }));
  CHECK_FALSE(meets_with([](Transform& u) { u.spectrum.strides = {1, 5}; }));
  CHECK_FALSE(meets_with([](Transform& u) { u.signal.distance = 45; }));
  CHECK_FALSE(meets_with([](Transform& u) { u.signal.offset = 7; }));
  CHECK_FALSE(meets_with([](Transform& u) { u.spectrum.offset = 6; }));
  CHECK(meets_with([](Transform& u) { u.batch = 1, u.signal.distance = 0; }));
  // Rows of six real numbers every six, of four complex ones every three: the input may overlap.
  t = good;
  t.signal = {.strides = {6, 1}, .distance = 24};
  t.spectrum = {.strides = {3, 1}, .distance = 12};
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  t.directions = Directions::inverse;
  CHECK_FALSE(meet());
  t = good;
  t.lengths = {1, 6};  // strides of one point have no meaning
  t.signal.strides = {3, 1};
  CHECK(meet());
}

TEST_CASE("cosine and sine transforms take reals to reals", "[problem]") {
  auto t = transform(8, 3);
  t.kind = Kind::dct2;
  t.lengths = {6, 9};
  auto p = problem::make_problem(t);
  CHECK(p.only_real());
  CHECK((p.signal.real && p.spectrum.real));
  CHECK(p.signal == p.spectrum);
  CHECK(p.signal.bytes() == 3 * 54 * 4);
  CHECK(p.key() == "dct2-6x9-f32-out_of_place");
  t.placement = Placement::in_place;  // without padding
  t.precision = Precision::f64;
  CHECK(problem::make_problem(t).signal.bytes() == 3 * 54 * 8);
  t.kind = Kind::complex;
  t.axes = {Kind::identity, Kind::dst3};
  CHECK(problem::make_problem(t).only_real());
  t.axes = {Kind::identity, Kind::identity};  // nothing defines these as real
  CHECK_FALSE(problem::make_problem(t).only_real());
}

TEST_CASE("cosine and sine axes beside Fourier axes", "[problem]") {
  auto t = transform(8, 2);
  t.lengths = {6, 4, 9};
  t.axes = {Kind::dct1, Kind::dst2, Kind::complex};
  auto p = problem::make_problem(t);
  CHECK_FALSE((p.only_real() || p.signal.real || p.spectrum.real));
  CHECK(p.signal.bytes() == 2 * 216 * 8);
  CHECK(p.key() == "axes_C1S2c-6x4x9-f32-out_of_place");
  t.axes = {Kind::dct1, Kind::real, Kind::dct4};
  p = problem::make_problem(t);
  CHECK((p.signal.real && !p.spectrum.real));
  CHECK(p.signal.bytes() == 2 * 216 * 4);
  CHECK(p.spectrum.lengths == std::vector<std::uint64_t>{6, 3, 9});
}

TEST_CASE("the inverse of II is III", "[problem]") {
  auto t = transform(4);
  t.lengths = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
  t.axes = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,     Kind::dst1,
            Kind::dst2, Kind::dst3, Kind::dst4, Kind::identity, Kind::complex};
  const auto p = problem::make_problem(t);
  std::vector<Kind> inverse;
  for (std::size_t axis = 0; axis < t.axes.size(); ++axis) {
    CHECK(p.kind(axis, false) == t.axes[axis]);
    inverse.push_back(p.kind(axis, true));
  }
  CHECK(inverse == std::vector<Kind>{Kind::dct1, Kind::dct3, Kind::dct2, Kind::dct4, Kind::dst1,
                                     Kind::dst3, Kind::dst2, Kind::dst4, Kind::identity,
                                     Kind::complex});
}

TEST_CASE("norms count the DFT that a cosine or sine transform stands for", "[problem]") {
  auto t = transform(4);
  t.lengths = {5, 6, 7, 8, 3};
  t.axes = {Kind::dct1, Kind::dst1, Kind::dst3, Kind::complex, Kind::identity};
  const double n = 8.0 * 14 * 14 * 8;
  CHECK(problem::make_problem(t).inverse_scale == 1 / n);
  CHECK_FALSE(problem::make_problem(t).orthonormal);
  t.norm = Norm::ortho;
  CHECK(problem::make_problem(t).forward_scale == 1 / std::sqrt(n));
  CHECK(problem::make_problem(t).orthonormal);
  t.axes.assign(5, Kind::dct4);
  CHECK(problem::make_problem(t).forward_scale == 1 / std::sqrt(32.0 * 5 * 6 * 7 * 8 * 3));
}

TEST_CASE("factors and orthogonal ends go apart from the norm", "[problem]") {
  auto t = transform(4);
  t.kind = Kind::dct2, t.norm = Norm::ortho;
  t.scale = Scale{2.5, -0.25};
  CHECK(problem::make_problem(t).forward_scale == 2.5);
  CHECK(problem::make_problem(t).inverse_scale == -0.25);
  CHECK(problem::make_problem(t).orthonormal);
  t.orthogonal = false;
  CHECK_FALSE(problem::make_problem(t).orthonormal);
  t.norm = Norm::none, t.orthogonal = true;
  CHECK(problem::make_problem(t).orthonormal);
  t.scale = Scale{1, 0};
  CHECK_THROWS_WITH(problem::make_problem(t), Catch::Matchers::StartsWith("scale.inverse is 0; "));
}

TEST_CASE("in place both sides are one buffer, of the larger one's size", "[problem]") {
  const auto sizes = [](Transform t) {
    t.placement = Placement::in_place;
    const auto p = problem::make_problem(t);
    return std::pair(p.bytes(false), p.bytes(true));
  };
  Transform rows{.kind = Kind::real, .lengths = {50}};
  CHECK(sizes(rows) == std::pair<std::size_t, std::size_t>(208, 208));
  for (const Directions only : {Directions::forward, Directions::inverse}) {
    rows.directions = only;
    CHECK(sizes(rows) == std::pair<std::size_t, std::size_t>(208, 208));
  }
  rows.batch = 3, rows.signal.distance = 70;  // 2 * 70 + 50 real numbers, 3 * 26 complex ones
  rows.spectrum.distance = 26;
  CHECK(sizes(rows) == std::pair<std::size_t, std::size_t>(190 * 4, 190 * 4));
  rows.spectrum.distance = 40;  // 2 * 40 + 26 complex numbers
  CHECK(sizes(rows) == std::pair<std::size_t, std::size_t>(106 * 8, 106 * 8));
  CHECK(sizes(transform(50)) == std::pair<std::size_t, std::size_t>(400, 400));
  const auto apart = problem::make_problem(Transform{.kind = Kind::real, .lengths = {50}});
  CHECK((apart.bytes(false) == 200 && apart.bytes(true) == 208));
}

TEST_CASE("factors that the precision cannot hold are refused", "[problem]") {
  auto t = transform(4);
  const auto refused = [&](Precision precision, double forward, double inverse,
                           const std::string& front) {
    t.precision = precision, t.scale = Scale{forward, inverse};
    CAPTURE(precision, forward, inverse);
    CHECK_THROWS_WITH(problem::make_problem(t), Catch::Matchers::StartsWith(front));
  };
  const std::string range = "; in f32 its magnitude must be from 1.17549e-38 to 3.40282e+38";
  refused(Precision::f32, 1e300, 1, "scale.forward is 1e+300" + range);
  refused(Precision::f32, 1, -1e-300, "scale.inverse is -1e-300" + range);
  refused(Precision::f32, 1e-40, 1, "scale.forward is 1e-40" + range);
  refused(Precision::f16, 1e39, 1, "scale.forward is 1e+39" + range);
  refused(Precision::f64, 1e-310, 1,
          "scale.forward is 1e-310; in f64 its magnitude must be from 2.2");
  t.precision = Precision::f64, t.scale = Scale{1e300, 1e-300};
  CHECK_NOTHROW(problem::make_problem(t));
  t.precision = Precision::f32, t.scale = Scale{3e38, 1.2e-38};
  CHECK_NOTHROW(problem::make_problem(t));
  FilterShape filter{.lengths = {1 << 20}, .scale = 1e60};
  CHECK_THROWS_WITH(problem::make_problem(filter), Catch::Matchers::StartsWith("scale is 1e+60"));
  filter.scale = 1e-35;
  CHECK_THROWS_WITH(problem::make_problem(filter),
                    Catch::Matchers::StartsWith("scale over the number of points is 9.5"));
}

TEST_CASE("elements in half precision have half the bytes", "[problem]") {
  auto t = transform(8);
  t.precision = Precision::f16;
  const auto complex = problem::make_problem(t);
  CHECK(complex.signal.bytes() == 8 * 4);
  CHECK(complex.key() == "complex-8-f16-out_of_place");
  t.spectrum.storage = Storage::planar;
  CHECK(problem::make_problem(t).spectrum.bytes() == 8 * 2);
  t = transform(8);
  t.kind = Kind::real;
  t.precision = Precision::f16;
  CHECK(problem::make_problem(t).signal.bytes() == 8 * 2);
  CHECK(problem::make_problem(t).spectrum.bytes() == 5 * 4);
}

}  // namespace
}  // namespace imago
