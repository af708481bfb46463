// This file tests the catalogue itself: names, and that the tiers hold what they promise.
#include <set>

#include "catalogue/catalogue.hpp"
#include "catalogue/variants.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;
using namespace imago::catalogue;

namespace {

template <class Key>
auto collect(const std::vector<Case>& all, Key key) {
  std::set<decltype(key(all[0]))> values;
  for (const auto& problem : all) values.insert(key(problem));
  return values;
}

auto combination(const Case& c) {
  return std::tuple(c.length, c.parameters.mapping, c.placement, c.direction, c.precision);
}

}  // namespace

TEST_CASE("a name stands for one case") {
  const auto tier = GENERATE(Tier::ci, Tier::full);
  const auto all = cases(tier, 1, test::wide_cpu());
  std::set<std::string> names;
  for (const auto& problem : all) {
    const auto name = problem.name();
    REQUIRE(names.insert(name).second);
    REQUIRE(parse(name) == problem);
  }
}

TEST_CASE("a name holds every parameter") {
  Case problem;
  problem.length = 4096;
  problem.precision = Precision::f64;
  problem.source = {3, 0};
  problem.parameters.mapping = Mapping::vector;
  problem.parameters.algorithm = Algorithm::hierarchy;
  KernelParameters kernel;
  kernel.length = 64;
  kernel.radices = {8, 8};
  kernel.items = 4;
  kernel.columns = 2;
  kernel.lanes = 8;
  kernel.axis = LaneAxis::points;
  kernel.exchange = Exchange::in_turn;
  kernel.twiddles = Twiddles::product;
  kernel.between = Twiddles::polynomial;
  problem.parameters.kernels = {kernel, KernelParameters{}};
  CHECK(problem.name() ==
        "4096x1-f64-out-forward-backward-s3+0-vector-hierarchy-k64:r8.8:i4:c2:l8:points:in_turn:"
        "product:bpolynomial-k0");
  CHECK(parse(problem.name()) == problem);
}

TEST_CASE("what is no name is refused") {
  for (const auto* name : {"", "12", "12x1-f32-out-forward", "12x1-f16-out-forward-none",
                           "x1-f32-out-forward-none", "12x1-f32-out-forward-none-",
                           "12x1-f32-out-forward-none-s3", "12x1-f32-out-forward-none-k4:q3",
                           "12x-f32-out-forward-none", "-12x1-f32-out-forward-none"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(parse(name), InvalidArgument);
  }
}

TEST_CASE("every tier rotates through everything") {
  const auto tier = GENERATE(Tier::ci, Tier::full);
  const auto facts = GENERATE(test::wide_cpu(), test::large_gpu());
  const auto all = cases(tier, 7, facts);
  CHECK(collect(all, [](const Case& c) { return c.batch; }) ==
        std::set<std::uint64_t>{1, 2, 3, 17, 1000});
  const auto rotated = collect(all, [](const Case& c) {
    return std::tuple(c.parameters.mapping, c.precision, c.placement, c.direction, c.norm);
  });
  CHECK(rotated.size() >= 2 * 2 * 2 * 2 * 4);
  CHECK(collect(all, [](const Case& c) {
          return std::pair(c.source.offset, c.source.gap);
        }).size() == 7);
  CHECK(collect(all, [](const Case& c) { return c.parameters.algorithm; }).size() >= 3);
}

TEST_CASE("a tier depends on the seed, and on nothing else") {
  CHECK(cases(Tier::ci, 1, test::wide_cpu()) == cases(Tier::ci, 1, test::wide_cpu()));
  CHECK_FALSE(cases(Tier::ci, 1, test::wide_cpu()) == cases(Tier::ci, 2, test::wide_cpu()));
}

TEST_CASE("the full tier holds every length and combination to 1024, and every length to 4096") {
  const auto all = cases(Tier::full, 1, test::wide_cpu());
  const auto have = collect(all, combination);
  std::size_t missing = 0;
  for (const auto length : planned_lengths(1024)) {
    for (const auto mapping : {Mapping::work_group, Mapping::vector}) {
      for (const auto placement : {Placement::out_of_place, Placement::in_place}) {
        for (const auto direction : {Direction::forward, Direction::inverse}) {
          for (const auto precision : {Precision::f32, Precision::f64}) {
            missing += 1 - have.count({length, mapping, placement, direction, precision});
          }
        }
      }
    }
  }
  CHECK(missing == 0);
  const auto lengths = collect(all, [](const Case& c) { return c.length; });
  for (const auto length : planned_lengths(4096)) REQUIRE(lengths.count(length) == 1);
  CHECK(*lengths.rbegin() == 1u << 24);
}

TEST_CASE("the CI tier holds the planner's boundaries") {
  const auto facts = GENERATE(test::wide_cpu(), test::large_gpu());
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  Variant like;
  like.parameters.mapping = mapping;
  const auto found = boundaries(like, 1u << 17, facts);
  REQUIRE(found.size() >= 2);
  const auto lengths = collect(cases(Tier::ci, 1, facts), [](const Case& c) {
    return std::pair(c.parameters.mapping, c.length);
  });
  for (const auto length : found) {
    CAPTURE(length, facts.name, static_cast<int>(mapping));
    CHECK(lengths.count({mapping, length}) == 1);
  }
}

TEST_CASE("a device without f64 gets no f64 case") {
  for (const auto& problem : cases(Tier::ci, 1, test::small_gpu()))
    REQUIRE(problem.precision == Precision::f32);
}

TEST_CASE("planned lengths are those that the planner takes") {
  const auto lengths = planned_lengths(300);
  const std::set<std::uint64_t> all(lengths.begin(), lengths.end());
  for (std::uint64_t n = 1; n <= 300; ++n) {
    CAPTURE(n);
    Variant variant;
    variant.length = n;
    CHECK(program_of(variant, test::wide_cpu()).has_value() == (all.count(n) == 1));
  }
}
