// This file tests lengths without radices, and their neighbours, on a device against FFTW in a
// higher precision.
#include <algorithm>

#include "base/integers.hpp"
#include "catalogue/catalogue.hpp"
#include "kernel/radices.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;
using catalogue::Case;

namespace {

constexpr std::uint64_t kEvery = 600;  // lengths of the sweep

/// Returns a case whose combination of properties depends on `turn`.
Case rotated(std::uint64_t length, Mapping mapping, Precision precision, std::uint64_t turn) {
  constexpr std::uint64_t kBatches[] = {1, 2, 3, 17, 40};
  Case problem;
  problem.lengths = {length};
  problem.precision = precision;
  problem.batch = length <= 2000 ? kBatches[turn % 5] : 1 + turn % 2;
  problem.placement = turn % 2 == 0 ? Placement::out_of_place : Placement::in_place;
  problem.direction =
      turn / 2 % 2 == 0 ? catalogue::Direction::forward : catalogue::Direction::inverse;
  problem.norm = turn / 4 % 2 == 0 ? Norm::none : Norm::ortho;
  // In place, a default target has the layout of the source.
  problem.source.offset = turn % 3;
  problem.source.distance = length + turn / 2 % 3;
  problem.source.strides = {1};
  if (problem.placement == Placement::out_of_place) problem.target.offset = 1;
  problem.parameters.mapping = mapping;
  return problem;
}

void verify(const Case& problem) {
  static catalogue::Verifier verifier(test::default_device().context,
                                      test::default_device().device);
  UNSCOPED_INFO(problem.name());
  const auto outcome = verifier.verify(problem);
  CAPTURE(problem.name(), outcome.error, outcome.bound, outcome.detail);
  CHECK(outcome.verdict == catalogue::Verdict::passed);
}

void verify_all(const std::vector<std::uint64_t>& lengths, Mapping mapping) {
  std::uint64_t turn = 0;
  for (const auto length : lengths) {
    for (const auto precision : {Precision::f32, Precision::f64})
      verify(rotated(length, mapping, precision, 3 * turn + 1));
    ++turn;
  }
}

}  // namespace

TEST_CASE("lengths without radices, chosen ones", "[long]") {
  verify_all({17, 34, 37, 74, 127, 167, 289, 961, 1009, 1019, 4093, 8191},
             GENERATE(Mapping::vector, Mapping::work_group));
}

TEST_CASE("lengths with a large prime radix", "[long]") {
  verify_all({41 * 3, 43 * 16, 47 * 2, 53 * 8, 59 * 5, 61 * 64, 37 * 41, 61 << 12},
             GENERATE(Mapping::vector, Mapping::work_group));
}

TEST_CASE("long lengths without radices", "[long]") {
  verify_all({65537, 2 * 10007, 13 * 9973}, GENERATE(Mapping::vector, Mapping::work_group));
}

TEST_CASE("half spectra of lengths without radices", "[long]") {
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  std::uint64_t turn = 0;
  for (const std::uint64_t length : {74, 134, 257, 427, 514, 999, 2099, 3172}) {
    Case problem = rotated(length, mapping, turn % 2 == 0 ? Precision::f32 : Precision::f64, turn);
    problem.kind = Kind::real;
    problem.direction = catalogue::Direction::forward;
    problem.source = {}, problem.target = {};
    verify(problem);
    ++turn;
  }
}

TEST_CASE("every length to 600", "[.][sweep]") {
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t n = 1; n <= kEvery; ++n) lengths.push_back(n);
  verify_all(lengths, mapping);
}

TEST_CASE("primes near a million", "[.][sweep]") {
  verify_all({99991, 999983, 1000003}, GENERATE(Mapping::vector, Mapping::work_group));
}
