// This file checks that invalid shapes and layouts are rejected with the field and its value. Each
// error is made in a transform that is valid otherwise. If imago does not support that transform,
// nothing is checked.
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>

#include <imago/error.hpp>

#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
using Change = std::function<void(Transform&)>;

struct Mistake {
  Change change;
  const char* text;  ///< part of the message: field and value
};

/// Returns four rows of six, three times; forward only, so that the spectrum is written and the
/// signal read.
Transform rows() {
  Transform t;
  t.lengths = {4, 6};
  t.batch = 3;
  t.directions = Directions::forward;
  return t;
}

Transform rows(Placement placement) {
  Transform t = rows();
  t.placement = placement;
  return t;
}

Transform real_rows(Placement placement) {
  Transform t = rows(placement);
  t.kind = Kind::real;
  return t;
}

Transform planar_rows(Placement placement) {
  Transform t = rows(placement);
  t.signal.storage = t.spectrum.storage = Storage::planar;
  return t;
}

void expect(const Transform& right, const std::vector<Mistake>& mistakes) {
  try {
    problem::make_problem(right);
  } catch (const Unsupported& error) {
    WARN("nothing to see yet: " << error.what());
    return;
  }
  for (const Mistake& mistake : mistakes) {
    Transform wrong = right;
    mistake.change(wrong);
    CAPTURE(mistake.text);
    CHECK_THROWS_AS(problem::make_problem(wrong), InvalidArgument);
    CHECK_THROWS_WITH(problem::make_problem(wrong), ContainsSubstring(mistake.text));
  }
}

TEST_CASE("strides that are zero or too few", "[problem][bad]") {
  expect(rows(), {{[](auto& t) {
                     t.spectrum = {.strides = {6, 0}, .distance = 24};
                   },
                   "spectrum.strides[1] is 0"},
                  {[](auto& t) {
                     // Only the input may have a stride of 0.
                     t.directions = Directions::both;
                     t.signal = {.strides = {0, 1}, .distance = 24};
                   },
                   "signal.strides[0] is 0"},
                  {[](auto& t) { t.signal = {.strides = {1}, .distance = 24}; },
                   "the size of signal.strides is 1"},
                  {[](auto& t) {
                     t.spectrum = {.strides = {24, 6, 1}, .distance = 24};
                   },
                   "the size of spectrum.strides is 3"},
                  {[](auto& t) {
                     t.signal.strides = {6, 1};
                   },
                   "signal.distance is 0"}});
}

TEST_CASE("data that are only read may have stride 0", "[problem]") {
  Transform t = rows();
  t.signal = {.strides = {0, 1}, .distance = 24};
  CHECK(problem::make_problem(t).signal.bytes() == (2 * 24 + 6) * sizeof(float) * 2);
}

TEST_CASE("results that overlap", "[problem][bad]") {
  const std::vector<Mistake> mistakes{
      {[](auto& t) {
         t.spectrum = {.strides = {5, 1}, .distance = 24};
       },
       "spectrum.strides[0] is 5"},
      {[](auto& t) {
         t.spectrum = {.strides = {1, 3}, .distance = 24};
       },
       "spectrum.strides[1] is 3"},
      {[](auto& t) {
         t.spectrum = {.strides = {6, 1}, .distance = 23};
       },
       "spectrum.distance is 23"},
      {[](auto& t) {
         t.spectrum = {.strides = {18, 3}, .distance = 3};
       },
       "spectrum.distance is 3"},
      {[](auto& t) { t.spectrum.distance = 1; }, "spectrum.distance is 1"}};
  expect(rows(), mistakes);
  Transform inverse = rows();
  inverse.directions = Directions::inverse;
  expect(inverse, {{[](auto& t) {
                      t.signal = {.strides = {5, 1}, .distance = 24};
                    },
                    "signal.strides[0] is 5"}});
  CHECK_NOTHROW(problem::make_problem([] {
    Transform t = rows();  // an STFT reads elements more than once
    t.signal = {.strides = {2, 1}, .distance = 5};
    return t;
  }()));
}

TEST_CASE("the spectrum of real data has n/2+1 elements in a row", "[problem][bad]") {
  expect(real_rows(Placement::out_of_place), {{[](auto& t) {
                                                 t.spectrum = {.strides = {3, 1}, .distance = 24};
                                               },
                                               "spectrum.strides[0] is 3"},
                                              {[](auto& t) {
                                                 t.spectrum = {.strides = {4, 1}, .distance = 15};
                                               },
                                               "spectrum.distance is 15"},
                                              {[](auto& t) {
                                                 t.axes = {Kind::real, Kind::real};
                                               },
                                               "axes"}});
}

TEST_CASE("shapes that overflow", "[problem][bad]") {
  const auto shape = [](std::vector<std::size_t> lengths) {
    return [lengths](Transform& t) { t.lengths = lengths; };
  };
  const std::size_t large = std::size_t{1} << 21;
  expect(rows(),
         {{shape({}), "the size of lengths is 0"},
          {shape({4, 0, 6}), "lengths[1] is 0"},
          {shape({large, large, large, large}), "lengths[2] is 2097152; batch x lengths must fit"},
          {shape(std::vector<std::size_t>(70, 2)), "must fit 64-bit addresses"},
          {shape({kHuge, 1}), "lengths[0] is"},
          {[](auto& t) { t.batch = 0; }, "batch is 0"},
          {[](auto& t) { t.batch = std::size_t{1} << 60; }, "batch is 1152921504606846976"},
          {[](auto& t) { t.axes = {Kind::complex}; }, "the size of axes is 1"}});
}

TEST_CASE("values that their enumerations do not have", "[problem][bad]") {
  expect(
      rows(),
      {{[](auto& t) { t.kind = static_cast<Kind>(77); }, "kind is 77"},
       {[](auto& t) {
          t.axes = {Kind::complex, static_cast<Kind>(11)};
        },
        "axes[1] is 11"},
       {[](auto& t) { t.precision = static_cast<Precision>(9); }, "precision is 9"},
       {[](auto& t) { t.placement = static_cast<Placement>(5); }, "placement is 5"},
       {[](auto& t) { t.directions = static_cast<Directions>(5); }, "directions is 5"},
       {[](auto& t) { t.norm = static_cast<Norm>(9); }, "norm is 9"},
       {[](auto& t) { t.signal.storage = static_cast<Storage>(5); }, "signal.storage is 5"},
       {[](auto& t) { t.spectrum.storage = static_cast<Storage>(5); }, "spectrum.storage is 5"}});
}

TEST_CASE("addresses that overflow", "[problem][bad]") {
  const std::size_t half = std::size_t{1} << 62;
  expect(rows(), {{[=](auto& t) { t.signal.offset = kHuge; }, "signal"},
                  {[=](auto& t) { t.spectrum.offset = kHuge / 8; }, "spectrum"},
                  {[=](auto& t) {
                     t.signal = {.strides = {half, 1}, .distance = 6};
                   },
                   "signal"},
                  {[=](auto& t) {
                     t.spectrum = {.strides = {6, kHuge}, .distance = 24};
                   },
                   "spectrum"},
                  {[=](auto& t) { t.spectrum.distance = half; }, "spectrum"}});
}

TEST_CASE("in place both layouts must be the same bytes", "[problem][bad]") {
  expect(rows(Placement::in_place),
         {{[](auto& t) { t.spectrum.offset = 1; }, "spectrum.offset is 1"},
          {[](auto& t) { t.signal.distance = 25; }, "in place"},
          {[](auto& t) {
             t.spectrum = {.strides = {7, 1}, .distance = 28};
           },
           "in place"},
          {[](auto& t) {
             t.signal = {.strides = {2, 1}, .distance = 5};
           },
           "signal"}});
}

void expect_unsupported(const Transform& t, const char* text) {
  CAPTURE(text);
  CHECK_THROWS_AS(problem::make_problem(t), Unsupported);
  CHECK_THROWS_WITH(problem::make_problem(t), ContainsSubstring(text));
}

TEST_CASE("results that interleave without overlapping are not done yet", "[problem][bad]") {
  Transform t;
  t.lengths = {2};
  t.batch = 3;
  t.spectrum = {.strides = {3}, .distance = 2};  // 0 3, 2 5, 4 7
  expect_unsupported(t, "spectrum.strides[0] is 3, and imago cannot write dimensions");
  t.spectrum = {.strides = {4}, .distance = 2};  // 0 4, 2 6, 4 8
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  t = rows();
  t.spectrum = {.strides = {9, 2}, .distance = 36};  // odd rows between the points of even ones
  expect_unsupported(t, "spectrum.strides[0] is 9");
  t.spectrum = {.strides = {7, 1},
                .distance = 23};  // 23 = 3 * 7 + 2, which no pair of strides shows
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
  t.lengths = {std::size_t{1} << 20, std::size_t{1} << 20};
  t.batch = 1;
  t.spectrum = {.strides = {(std::size_t{1} << 20) - 1, 1}, .distance = 0};
  CHECK_THROWS_AS(problem::make_problem(t), InvalidArgument);
}

/// Returns 'o' if results overlap, 'i' if they interleave, else '-'.
char verdict(const Transform& t) {
  try {
    problem::make_problem(t);
  } catch (const InvalidArgument&) {
    return 'o';
  } catch (const Unsupported&) {
    return 'i';
  }
  return '-';
}

bool overlaps(const Transform& t) {
  std::vector<std::size_t> places{0};
  const auto add = [&](std::size_t extent, std::size_t stride) {
    const auto before = places;
    for (std::size_t i = 1; i < extent; ++i)
      for (const auto place : before) places.push_back(place + i * stride);
  };
  for (std::size_t d = 0; d < t.lengths.size(); ++d) add(t.lengths[d], t.spectrum.strides[d]);
  add(t.batch, t.spectrum.distance);
  std::sort(places.begin(), places.end());
  return std::adjacent_find(places.begin(), places.end()) != places.end();
}

TEST_CASE("overlaps are told from what interleaves", "[problem][bad]") {
  std::mt19937 random(1);
  const auto up_to = [&](unsigned most) { return 1 + random() % most; };
  std::map<char, int> count;
  for (int i = 0; i < 20000; ++i) {
    Transform t;
    t.lengths = {up_to(5), up_to(5), up_to(5)};
    t.batch = up_to(4);
    t.directions = Directions::forward;
    t.spectrum = {.strides = {up_to(40), up_to(12), up_to(6)}, .distance = up_to(60)};
    const char found = verdict(t);
    ++count[found];
    REQUIRE((found == 'o') == overlaps(t));
  }
  CHECK(count['i'] > 100);
  CHECK(count['-'] > 100);
}

TEST_CASE("in place the field that differs is named", "[problem][bad]") {
  Transform t;
  t.lengths = {4, 6};
  t.placement = Placement::in_place;
  t.spectrum.strides = {7, 1};
  CHECK_THROWS_WITH(problem::make_problem(t), ContainsSubstring("spectrum.strides[0] is 7"));
  t.batch = 2;
  t.spectrum = {.strides = {6, 1}, .distance = 30};
  CHECK_THROWS_WITH(problem::make_problem(t), ContainsSubstring("spectrum.distance is 30"));
}

TEST_CASE("in place both sides are planar or none", "[problem][bad]") {
  expect(
      planar_rows(Placement::in_place),
      {{[](auto& t) { t.signal.storage = Storage::interleaved; }, "storage"},
       {[](auto& t) { t.spectrum.storage = Storage::interleaved; }, "storage"},
       // Real numbers are in one buffer, which cannot hold the two parts of their spectrum.
       {[](auto& t) { t.kind = Kind::real, t.signal.storage = Storage::interleaved; }, "storage"}});
}

TEST_CASE("cosine and sine transforms that cannot be", "[problem][bad]") {
  Transform cosines = rows();
  cosines.kind = Kind::dct1;
  expect(cosines,
         {{[](auto& t) {
             t.lengths = {4, 1};
           },
           "lengths[1] is 1"},
          {[](auto& t) { t.axes = {Kind::dct2}; }, "the size of axes is 1"},
          {[](auto& t) {
             t.axes = {Kind::dct2, Kind::dct2, Kind::dst1};
           },
           "the size of axes is 3"},
          {[](auto& t) { t.signal.storage = Storage::planar; }, "signal.storage is planar"},
          {[](auto& t) { t.spectrum.storage = Storage::planar; }, "spectrum.storage is planar"},
          {[](auto& t) {
             t.spectrum = {.strides = {5, 1}, .distance = 24};
           },
           "spectrum.strides[0] is 5"}});
  Transform beside = rows();
  beside.axes = {Kind::dst4, Kind::real};
  expect(beside, {{[](auto& t) { t.signal.storage = Storage::planar; }, "signal.storage is planar"},
                  {[](auto& t) {
                     t.lengths = {1, 6};
                     t.axes[0] = Kind::dct1;
                   },
                   "lengths[0] is 1"}});
  Transform in_place = rows(Placement::in_place);
  in_place.kind = Kind::dst1;
  expect(in_place, {{[](auto& t) { t.spectrum.offset = 1; }, "spectrum.offset is 1"},
                    {[](auto& t) { t.spectrum.distance = 25; }, "in place"}});
}

TEST_CASE("complex data may be planar beside cosine axes", "[problem]") {
  Transform t = planar_rows(Placement::out_of_place);
  t.axes = {Kind::dct2, Kind::complex};
  CHECK(problem::make_problem(t).signal.element_bytes == 4);
}

}  // namespace
}  // namespace imago
