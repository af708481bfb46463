// This file tests the cases of the suites and their data.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include <imago/error.hpp>

#include "bench/case.hpp"
#include "bench/signal.hpp"
#include "catalogue/stored.hpp"
#include "problem/words.hpp"
#include "support/catch.hpp"

using imago::test::Approx;
using namespace imago;
using namespace imago::bench;

namespace {

const Case* find(const std::vector<Case>& cases, std::size_t length,
                 Precision precision = Precision::f32) {
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const Case& each) {
    return each.lengths == std::vector{length} && each.precision == precision;
  });
  return found == cases.end() ? nullptr : &*found;
}

double largest_number(const Signal& signal, Precision precision) {
  return catalogue::with_precision(precision, [&]<Precision constant>() {
    using Stored = catalogue::Stored<constant>;
    typename Stored::Word word;
    double most = 0;
    for (std::size_t i = 0; i < signal.data.size() / sizeof word; ++i) {
      std::memcpy(&word, signal.data.data() + i * sizeof word, sizeof word);
      most = std::max(most, std::abs(static_cast<double>(Stored::unpack(word))));
    }
    return most;
  });
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

TEST_CASE("the suites of shapes hold primes, planes, cubes and real data, in place") {
  for (const auto& [name, total] : {std::pair{"h200-shapes", std::size_t{1} << 25},
                                    std::pair{"cpu-shapes", std::size_t{1} << 20}}) {
    using Count = std::map<std::string, std::size_t>;
    Count anchors, of_users;  // anchors are the first 18, which older tables have
    std::size_t place = 0;
    for (const Case& each : suite(name)) {
      ++(place++ < 18 ? anchors : of_users)[family(each)];
      CHECK(each.placement == Placement::in_place);
      CHECK(each.precision == Precision::f32);
      CHECK(each.batch == std::max<std::size_t>(1, total / elements(each)));
    }
    CHECK(anchors == Count{{"large primes", 5}, {"2-D", 4}, {"3-D", 4}, {"real powers of two", 5}});
    CHECK(of_users == Count{{"large primes", 1},
                            {"mixed lengths", 8},
                            {"2-D", 4},
                            {"3-D", 4},
                            {"real mixed lengths", 3},
                            {"real 2-D", 4},
                            {"real 3-D", 4}});
  }
}

TEST_CASE("the suites of shapes hold the sizes that users have, complex and where natural real") {
  for (const char* name : {"h200-shapes", "cpu-shapes"}) {
    const auto cases = suite(name);
    const auto holds = [&](const std::vector<std::uint64_t>& lengths, Kind kind) {
      return std::any_of(cases.begin(), cases.end(), [&](const Case& each) {
        return each.lengths == lengths && each.kind == kind;
      });
    };
    for (const std::uint64_t length : {1331, 2310, 4199, 16807, 30030, 78125})
      CHECK(holds({length}, Kind::complex));
    for (const Kind kind : {Kind::complex, Kind::real}) {
      for (const std::uint64_t length : {44100, 48000, 1000000}) CHECK(holds({length}, kind));
      for (const std::uint64_t side : {300, 511}) CHECK(holds({side, side}, kind));
      for (const std::uint64_t side : {96, 100, 192, 384}) CHECK(holds({side, side, side}, kind));
      CHECK(holds({1080, 1920}, kind));
      CHECK(holds({3000, 4000}, kind));
    }
  }
}

TEST_CASE("the suites of cosine transforms hold lines and blocks, out of place") {
  for (const auto& [name, total, lines] :
       {std::tuple{"h200-dct", std::size_t{1} << 26, 9}, {"cpu-dct", std::size_t{1} << 21, 13}}) {
    std::map<std::string, int> families;
    for (const Case& each : suite(name)) {
      ++families[family(each)];
      CHECK(each.placement == Placement::out_of_place);
      CHECK(each.batch == total / elements(each));
    }
    for (const std::string kind : {"dct2", "dct3"}) {
      CHECK(families[kind + " powers of two"] == lines);
      CHECK(families[kind + " 2-D"] == 3);
    }
  }
}

TEST_CASE("the suites of squares hold those of HBPL's table 12") {
  for (const auto& [name, total] : {std::pair{"h200-squares-dct", std::size_t{1} << 26},
                                    {"cpu-squares-dct", std::size_t{1} << 21}}) {
    const auto cases = suite(name);
    REQUIRE(cases.size() == 9);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::size_t side = std::size_t{4} << i;
      CHECK(cases[i] == forward_case({side, side}, total / side / side, Precision::f32,
                                     Placement::out_of_place, Kind::dct2));
    }
  }
}

TEST_CASE("the suites of single calls hold one transform of each, in place") {
  for (const auto& [name, most] :
       {std::pair{"h200-single", std::size_t{1} << 24}, {"cpu-single", std::size_t{1} << 22}}) {
    CHECK(timing_of(name) == Timing::single_calls);
    std::map<std::string, std::size_t> families;
    std::size_t longest = 0, doubles = 0;
    for (const Case& each : suite(name)) {
      CHECK(each.batch == 1);
      CHECK(each.placement == Placement::in_place);
      if (each.lengths.size() == 1) longest = std::max<std::size_t>(longest, each.lengths[0]);
      doubles += each.precision == Precision::f64;
      ++families[family(each)];
    }
    CHECK(longest == most);
    CHECK(doubles == 5);
    for (const char* its : {"powers of two", "mixed lengths", "large primes", "2-D", "3-D",
                            "real powers of two", "real 2-D", "real 3-D"})
      CHECK(families[its] > 0);
  }
  CHECK(timing_of("h200") == Timing::trains);
}

TEST_CASE("the GPU's suite of single calls is the table of anchors and some f64") {
  const auto cases = suite("h200-single");
  CHECK(cases.size() == 39 + 5);
  const auto holds = [&](std::vector<std::uint64_t> lengths, Kind kind) {
    return std::find(cases.begin(), cases.end(),
                     forward_case(std::move(lengths), 1, Precision::f32, Placement::in_place,
                                  kind)) != cases.end();
  };
  for (const std::size_t length : {1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216,
                                   1000000, 44100, 531441, 480000, 1000003})
    CHECK(holds({length}, Kind::complex));
  for (const std::size_t side : {256, 512, 1024, 2048, 300, 511, 4096, 8192})
    CHECK(holds({side, side}, Kind::complex));
  for (const std::size_t side : {64, 96, 100, 128, 192, 256, 384, 512})
    CHECK(holds({side, side, side}, Kind::complex));
  for (const std::size_t side : {128, 256, 512}) CHECK(holds({side, side, side}, Kind::real));
  for (const std::size_t length : {65536, 1048576, 16777216}) CHECK(holds({length}, Kind::real));
  for (const Kind kind : {Kind::complex, Kind::real}) {
    CHECK(holds({1080, 1920}, kind));
    CHECK(holds({1024, 1024}, kind));
  }
  CHECK(holds({3000, 4000}, Kind::complex));
}

TEST_CASE("every suite that is listed exists, and others are refused with the list") {
  for (const auto& info : suites()) CHECK_FALSE(suite(info.name).empty());
  CHECK_THROWS_WITH(suite("gpu"),
                    test::ContainsSubstring("gpu") && test::ContainsSubstring("h200"));
}

TEST_CASE("free form") {
  const Case like = forward_case({}, 3, Precision::f64, Placement::out_of_place, Kind::real);
  const auto cases = free_form({{8}, {32, 32}}, 512, like);
  REQUIRE(cases.size() == 2);
  CHECK(cases[0] == forward_case({8}, 64, Precision::f64, Placement::out_of_place, Kind::real));
  CHECK(cases[1].batch == 1);
  CHECK(free_form({{8}}, 0, like)[0].batch == 3);
  for (const std::vector<std::size_t>& wrong :
       {std::vector<std::size_t>{}, {0}, {4, 0}, {2, 2, 2, 2}, {std::size_t{1} << 40, 1 << 22}}) {
    INFO(wrong.size());
    CHECK_THROWS_AS(free_form({wrong}, 512), InvalidArgument);
  }
  for (const auto& [length, kind] : {std::pair(8, Kind::identity), std::pair(1, Kind::dct1)}) {
    const Case wrong = forward_case({}, 1, Precision::f32, Placement::in_place, kind);
    CHECK_THROWS_AS(free_form({{static_cast<std::size_t>(length)}}, 512, wrong), InvalidArgument);
  }
}

TEST_CASE("operations, bytes and names of cases") {
  const Case complex = forward_case({4, 1024}, 2);
  CHECK(flops(complex) == Approx(2 * 5 * 4096 * 12));
  CHECK(signal_bytes(complex) == 65536);
  CHECK(spectrum_bytes(complex) == 65536);
  CHECK(moved_bytes(complex) == 131072);
  CHECK(name(complex) == "4x1024 x 2 f32 in place");
  const Case half = forward_case({4, 1024}, 2, Precision::f16);
  CHECK(moved_bytes(half) == 65536);
  CHECK(name(half) == "4x1024 x 2 f16 in place");
  Case real = forward_case({3, 10}, 7, Precision::f64, Placement::in_place, Kind::real);
  CHECK(flops(real) == Approx(7 * 2.5 * 30 * std::log2(30)));
  CHECK(signal_bytes(real) == 7 * 3 * 12 * 8);
  CHECK(spectrum_bytes(real) == 7 * 3 * 6 * 16);
  CHECK(moved_bytes(real) == 7 * 3 * (10 * 8 + 6 * 16));
  real.placement = Placement::out_of_place;
  CHECK(signal_bytes(real) == 7 * 3 * 10 * 8);
  real.lengths = {3, 9};
  CHECK(spectrum_bytes(real) == 7 * 3 * 5 * 16);
  CHECK(name(real) == "3x9 x 7 real f64 out of place");
  const Case cosine = forward_case({8, 8}, 5, Precision::f32, Placement::in_place, Kind::dct2);
  CHECK(flops(cosine) == Approx(5 * 2.5 * 64 * 6));
  CHECK(signal_bytes(cosine) == 5 * 64 * 4);
  CHECK(spectrum_bytes(cosine) == 5 * 64 * 4);
  CHECK(moved_bytes(cosine) == 2 * 5 * 64 * 4);
  CHECK(name(cosine) == "8x8 x 5 dct2 f32 in place");
}

TEST_CASE("families") {
  const auto of = [](std::vector<std::size_t> lengths, Kind kind = Kind::complex) {
    return family(forward_case(std::move(lengths), 1, Precision::f32, Placement::in_place, kind));
  };
  CHECK(of({1024}) == "powers of two");
  CHECK(of({1001}) == "mixed lengths");
  CHECK(of({34}) == "large primes");
  CHECK(of({17, 17}) == "2-D");
  CHECK(of({8, 8, 8}) == "3-D");
  CHECK(of({1024}, Kind::real) == "real powers of two");
  CHECK(of({8, 8}, Kind::real) == "real 2-D");
  CHECK(of({1024}, Kind::dst3) == "dst3 powers of two");
}

TEST_CASE("in-place data stays finite and above the subnormals for the calls that are promised") {
  for (const auto& [word, precision] : problem::kPrecisions) {
    for (const std::size_t length : {std::size_t{4}, std::size_t{1000}, std::size_t{1} << 20}) {
      const Case problem = forward_case({length}, 1, precision, Placement::in_place);
      const Signal signal = make_signal(problem);
      const bool f64 = precision == Precision::f64, f16 = precision == Precision::f16;
      const int smallest = f64 ? -1022 : f16 ? -24 : -126, largest = f64 ? 1023 : f16 ? 16 : 127;
      const double most = largest_number(signal, precision);
      // Growth is sqrt(length) per call; single outputs are within a few standard deviations.
      const double growth =
          std::log2(static_cast<double>(length)) / 2 * static_cast<double>(finite_calls(problem));
      CHECK(std::log2(most) + growth + 3 < largest);
      CHECK(std::log2(most) > smallest + (f16 ? 10 : 30));
      CHECK(finite_calls(problem) >= (f16 ? 2 : 16));
    }
  }
  CHECK(finite_calls(forward_case({1024}, 1, Precision::f32, Placement::out_of_place)) > 1000000);
}
