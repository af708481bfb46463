// This file tests which cases a suite holds and what data they get.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <imago/error.hpp>

#include "bench/case.hpp"
#include "bench/signal.hpp"
#include "support/catch.hpp"

using imago::test::Approx;
using namespace imago;
using namespace imago::bench;

namespace {

const Case* find(const std::vector<Case>& cases, std::size_t length,
                 Precision precision = Precision::f32) {
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const Case& each) {
    return each.length == length && each.precision == precision;
  });
  return found == cases.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("the suite of the large GPU fills it, and its largest case holds one transform") {
  const auto cases = suite("h200");
  CHECK(cases.size() == 25 + 9);
  REQUIRE(find(cases, 4) != nullptr);
  CHECK(find(cases, 4)->batch == 8388608);
  CHECK(find(cases, 1000)->batch == 33554);
  CHECK(find(cases, 15625)->batch == 2147);
  CHECK(find(cases, std::size_t{1} << 25)->batch == 1);
  CHECK(find(cases, std::size_t{1} << 26)->batch == 1);
  for (const Case& each : cases) CHECK(each.placement == Placement::in_place);
}

TEST_CASE("the suite of CPUs holds both precisions") {
  const auto cases = suite("cpu");
  CHECK(cases.size() == 2 * 16);
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    REQUIRE(find(cases, 16, precision) != nullptr);
    CHECK(find(cases, 16, precision)->batch == 65536);
    REQUIRE(find(cases, 65536, precision) != nullptr);
    CHECK(find(cases, 65536, precision)->batch == 16);
    CHECK(find(cases, 1008, precision)->batch == 1040);
  }
}

TEST_CASE("every suite that is listed exists, and others are refused with the list") {
  for (const auto& info : suites()) CHECK_FALSE(suite(info.name).empty());
  CHECK_THROWS_WITH(suite("gpu"),
                    test::ContainsSubstring("gpu") && test::ContainsSubstring("h200"));
}

TEST_CASE("free form") {
  const auto cases = free_form({8, 1024}, 512, Precision::f64, Placement::out_of_place);
  REQUIRE(cases.size() == 2);
  CHECK(cases[0] == Case{8, 64, Precision::f64, Placement::out_of_place});
  CHECK(cases[1].batch == 1);
  CHECK(free_form({8}, 512, Precision::f32, Placement::in_place, 3)[0].batch == 3);
  CHECK_THROWS_AS(free_form({0}, 512), InvalidArgument);
  CHECK(flops({1024, 2}) == Approx(2 * 5 * 1024 * 10));
  CHECK(bytes({1024, 2, Precision::f64}) == 32768);
}

TEST_CASE("in-place data stays finite and above the subnormals for the calls that are promised") {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const std::size_t length : {std::size_t{4}, std::size_t{1000}, std::size_t{1} << 20}) {
      const Case problem{length, 1, precision, Placement::in_place};
      const Signal signal = make_signal(problem);
      const bool f64 = precision == Precision::f64;
      const int smallest = f64 ? -1022 : -126, largest = f64 ? 1023 : 127;
      double most = 0;
      for (std::size_t i = 0; i < 2 * length; ++i) {
        double value = 0;
        if (f64) {
          std::memcpy(&value, signal.data.data() + 8 * i, 8);
        } else {
          float single = 0;
          std::memcpy(&single, signal.data.data() + 4 * i, 4);
          value = single;
        }
        most = std::max(most, std::abs(value));
      }
      // Growth is sqrt(length) per call; single outputs lie within a few standard deviations.
      const double growth =
          std::log2(static_cast<double>(length)) / 2 * static_cast<double>(finite_calls(problem));
      CHECK(std::log2(most) + growth + 3 < largest);
      CHECK(std::log2(most) > smallest + 30);
      CHECK(finite_calls(problem) >= 16);
    }
  }
  CHECK(finite_calls({1024, 1, Precision::f32, Placement::out_of_place}) > 1000000);
}
