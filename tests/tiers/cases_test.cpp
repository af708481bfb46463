// This file tests the catalogue itself: the names, and the contents of the tiers.
#include <algorithm>
#include <set>

#include "base/integers.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/planned_lengths.hpp"
#include "catalogue/side.hpp"
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
  return std::tuple(c.lengths, c.parameters.mapping, c.placement, c.direction, c.precision);
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
  problem.lengths = {4096};
  problem.precision = Precision::f64;
  problem.source.offset = 3;
  problem.parameters.mapping = Mapping::vector;
  problem.parameters.algorithm = Algorithm::hierarchy;
  KernelParameters kernel;
  kernel.length = 64;
  kernel.radices = {8, 8};
  kernel.items = 4;
  kernel.columns = 2;
  kernel.lanes = 8;
  kernel.axis = LaneAxis::points;
  kernel.exchange = Exchange::split;
  kernel.twiddles = Twiddles::product;
  kernel.four_step = Twiddles::polynomial;
  problem.parameters.kernels = {kernel, KernelParameters{}};
  CHECK(problem.name() ==
        "4096*1-f64-out-forward-backward-s3+0-vector-hierarchy-k64:r8.8:i4:c2:l8:points:split:"
        "product:fpolynomial-k0");
  CHECK(parse(problem.name()) == problem);
}

TEST_CASE("a name holds the shape, the kinds and both layouts") {
  Case problem;
  problem.lengths = {3, 64, 48};
  problem.batch = 5;
  problem.precision = Precision::f16;
  problem.axes = {Kind::identity, Kind::complex, Kind::real};
  problem.source = {.strides = {1, 200, 4}, .distance = 20000, .offset = 2};
  problem.target = {.distance = 10, .offset = 1, .storage = Storage::planar};
  CHECK(problem.name() ==
        "3x64x48*5-f16-out-forward-backward-axes_icr-s2:1.200.4/20000-t1/10:planar");
  CHECK(parse(problem.name()) == problem);
  problem.axes = {};
  problem.kind = Kind::real;
  problem.target.distance = 3 * 64 * 25 + 7;
  CHECK(problem.name() == "3x64x48*5-f16-out-forward-backward-real-s2:1.200.4/20000-t1+7:planar");
  CHECK(parse(problem.name()) == problem);
}

TEST_CASE("a name holds cosine and sine transforms") {
  Case problem;
  problem.lengths = {8, 8};
  for (const auto& [kind, word] : {std::pair(Kind::dct1, "dct1"), std::pair(Kind::dct4, "dct4"),
                                   std::pair(Kind::dst3, "dst3")}) {
    problem.kind = kind;
    CHECK(problem.name() == std::string("8x8*1-f32-out-forward-backward-") + word);
    CHECK(parse(problem.name()) == problem);
  }
  problem.kind = Kind::complex;
  problem.axes = {Kind::dst2, Kind::complex};
  CHECK(problem.name() == "8x8*1-f32-out-forward-backward-axes_S2c");
  CHECK(parse(problem.name()) == problem);
}

TEST_CASE("names of the older form are of one dimension") {
  const auto problem = parse("360x17-f32-out-forward-ortho-s3+2-vector");
  CHECK(problem == parse("360*17-f32-out-forward-ortho-s3+2-vector"));
  CHECK(problem.lengths == std::vector<std::uint64_t>{360});
  CHECK(problem.batch == 17);
  CHECK(problem.source.distance == 362);
}

TEST_CASE("a text that is no name is rejected") {
  for (const auto* name :
       {"", "12", "12*1-f32-out-forward", "12*1-f8-out-forward-none", "*1-f32-out-forward-none",
        "12*1-f32-out-forward-none-", "12*1-f32-out-forward-none-s3",
        "12*1-f32-out-forward-none-k4:q3", "12*-f32-out-forward-none", "-12*1-f32-out-forward-none",
        "12-f32-out-forward-none", "4x4x4-f32-out-forward-none", "4x*2-f32-out-forward-none",
        "4x4*2-f32-out-forward-none-axes_c", "4x4*2-f32-out-forward-none-axes_cq",
        "4x4*2-f32-out-forward-none-axes_cC", "4x4*2-f32-out-forward-none-axes_cC5",
        "4*2-f32-out-forward-none-dct5", "12*1-f32-out-forward-none-s3:1:planar:planar",
        // name() writes these differently: a default, two orders, a distance that is a gap.
        "12*1-f32-out-forward-none-s0+0", "12*1-f32-out-forward-none-vector-real",
        "12*2-f32-out-forward-none-s0/14", "012*1-f32-out-forward-none"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(parse(name), InvalidArgument);
  }
}

TEST_CASE("in place the target lies where the source does") {
  const auto same = parse("12*3-f32-in-forward-none-s3+2").transform();
  CHECK(same.spectrum == same.signal);
  // Real: 12 + 2 padded numbers, 7 complex ones.
  auto real = parse("4x12*3-f32-in-forward-none-real-s6+4").transform();
  CHECK(real.signal == Layout{.distance = 4 * 14 + 4, .offset = 6});
  CHECK(real.spectrum == Layout{.distance = 4 * 7 + 2, .offset = 3});
  real = parse("4x12*3-f32-in-inverse-none-real-s3:8.1/40").transform();
  CHECK(real.spectrum == Layout{.strides = {8, 1}, .distance = 40, .offset = 3});
  CHECK(real.signal == Layout{.strides = {16, 1}, .distance = 80, .offset = 6});
  const auto cosine = parse("4x12*3-f32-in-forward-none-dct2-s3+1").transform();
  CHECK(cosine.signal == Layout{.distance = 49, .offset = 3});
  CHECK(cosine.spectrum == cosine.signal);
}

TEST_CASE("the factor of a norm counts transformed axes only") {
  CHECK(parse("3x4x5*2-f32-out-forward-forward-axes_icc").scale() == 1.0 / 20);
  CHECK(parse("3x4x6*2-f32-out-inverse-backward-real").scale() == 1.0 / 72);
  CHECK(parse("3x5x6*2-f32-out-inverse-backward-axes_iC1S1").scale() == 1.0 / (8 * 14));
  CHECK(parse("4x9*2-f32-out-forward-forward-axes_rS4").scale() == 1.0 / (4 * 18));
}

TEST_CASE("Rader's and Bluestein's algorithm may err three times as much") {
  const auto bound = [](const char* name) { return error_bound(parse(name)); };
  CHECK(bound("31*1-f32-out-forward-none") == error_bound(Precision::f32, 31));
  CHECK(bound("37*1-f32-out-forward-none") == 3 * error_bound(Precision::f32, 37));
  CHECK(bound("4x74*1-f64-out-forward-none-real") == 3 * error_bound(Precision::f64, 4 * 74));
  CHECK(bound("37x8*1-f64-out-forward-none-axes_ic") == error_bound(Precision::f64, 8));
  // The bound of cosine and sine transforms is that of the equivalent DFT.
  CHECK(bound("31*1-f32-out-forward-none-dct2") == error_bound(Precision::f32, 62));
  CHECK(bound("37*1-f32-out-forward-none-dct2") == 3 * error_bound(Precision::f32, 74));
  CHECK(bound("37*1-f32-out-forward-none-dct1") == error_bound(Precision::f32, 72));
  CHECK(bound("36*1-f32-out-forward-none-dst1") == 3 * error_bound(Precision::f32, 74));
  CHECK(bound("37*1-f16-out-forward-none") ==
        test::Approx(0x1p-11 + 3 * error_bound(Precision::f32, 37)));
}

TEST_CASE("every tier rotates through everything") {
  const auto tier = GENERATE(Tier::ci, Tier::full);
  const auto facts = GENERATE(test::wide_cpu(), test::large_gpu());
  const auto all = cases(tier, 7, facts);
  const auto batches = collect(all, [](const Case& c) { return c.batch; });
  for (const std::uint64_t batch : {1, 2, 3, 17, 1000}) CHECK(batches.count(batch) == 1);
  const auto rotated = collect(all, [](const Case& c) {
    return std::tuple(c.parameters.mapping, c.precision, c.placement, c.direction, c.norm);
  });
  CHECK(rotated.size() >= 2 * 2 * 2 * 2 * 4);
  const auto spaced = collect(all, [](const Case& c) {
    return std::pair(c.source.offset,
                     c.source.distance == 0 ? 0 : c.source.distance - c.lengths[0]);
  });
  for (const std::uint64_t gap : {0, 1, 3, 5, 16}) {
    CHECK(std::any_of(spaced.begin(), spaced.end(),
                      [gap](const auto& spacing) { return spacing.second == gap; }));
  }
  CHECK(collect(all, [](const Case& c) { return c.parameters.algorithm; }).size() >= 3);
}

TEST_CASE("a tier depends on the seed, and on nothing else") {
  CHECK(cases(Tier::ci, 1, test::wide_cpu()) == cases(Tier::ci, 1, test::wide_cpu()));
  CHECK_FALSE(cases(Tier::ci, 1, test::wide_cpu()) == cases(Tier::ci, 2, test::wide_cpu()));
}

TEST_CASE("every tier has every rank, kind, spread, storage and precision, and their pairs") {
  const auto tier = GENERATE(Tier::ci, Tier::full);
  const auto all = cases(tier, 3, test::wide_cpu());
  CHECK(collect(all, [](const Case& c) { return c.lengths.size(); }).size() == 4);
  const auto kinds = collect(all, [](const Case& c) {
    const auto kinds = c.kinds();
    return std::tuple(c.lengths.size(), c.real(),
                      std::count(kinds.begin(), kinds.end(), Kind::identity) > 0);
  });
  CHECK(kinds.size() == 4 * 2 * 2 - 2);  // one dimension has no identity axis
  CHECK(collect(all, [](const Case& c) {
          return std::tuple(c.precision, c.real(), c.placement, c.direction);
        }).size() == 3 * 2 * 2 * 2);
  CHECK(collect(all, [](const Case& c) {
          return std::tuple(c.placement, layout_of(c, true).storage, layout_of(c, false).storage);
        }).size() == 4 + 2);
  const auto read_twice = [](const Case& c) { return overlaps(side_of(c, true)); };
  CHECK(std::count_if(all.begin(), all.end(), [&](const Case& c) {
          return c.source.distance != 0 && c.lengths.size() > 1 && read_twice(c);
        }) > 0);
}

TEST_CASE("the full tier holds every combination of smooth lengths to 1024") {
  const auto have = collect(cases(Tier::full, 1, test::wide_cpu()), combination);
  std::size_t missing = 0;
  for (const auto length : planned_lengths(1024)) {
    for (const auto mapping : {Mapping::work_group, Mapping::vector}) {
      for (const auto placement : {Placement::out_of_place, Placement::in_place}) {
        for (const auto direction : {Direction::forward, Direction::inverse}) {
          for (const auto precision : {Precision::f32, Precision::f64}) {
            missing += 1 - have.count({{length}, mapping, placement, direction, precision});
          }
        }
      }
    }
  }
  CHECK(missing == 0);
}

TEST_CASE("the full tier holds every length to 4096, complex and real, and long rough ones") {
  const auto all = cases(Tier::full, 1, test::wide_cpu());
  const auto have =
      collect(all, [](const Case& c) { return std::tuple(c.lengths, c.real(), c.precision); });
  std::size_t missing = 0;
  for (std::uint64_t length = 1; length <= 4096; ++length) {
    for (const bool real : {false, true}) {
      for (const auto precision : {Precision::f32, Precision::f64})
        missing += 1 - have.count({{length}, real, precision});
    }
  }
  CHECK(missing == 0);
  const auto lengths = collect(all, [](const Case& c) { return c.lengths[0]; });
  CHECK(*lengths.rbegin() == 1u << 24);
  const auto rough = std::count_if(lengths.begin(), lengths.end(), [](std::uint64_t length) {
    return length > 4096 && length <= 1000000 && base::largest_prime_factor(length) > 13;
  });
  CHECK(rough >= 60);
}

TEST_CASE("the full tier holds every cosine and sine transform of every length to 1024") {
  const auto all = cases(Tier::full, 1, test::wide_cpu());
  const auto have = collect(all, [](const Case& c) { return std::tuple(c.kind, c.lengths); });
  std::size_t missing = 0;
  std::uint64_t longest = 0;
  for (const auto kind : {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                          Kind::dst3, Kind::dst4}) {
    for (std::uint64_t length = kind == Kind::dct1 ? 2 : 1; length <= 1024; ++length)
      missing += 1 - have.count({kind, {length}});
    CHECK(have.count({kind, {std::uint64_t{1} << 20}}) == 1);
  }
  CHECK(missing == 0);
  for (const Case& c : all)
    if (is_trigonometric(c.kind)) longest = std::max(longest, c.lengths[0]);
  CHECK(longest == (1u << 20) + 1);
}

TEST_CASE("every tier has cosine and sine transforms in every way") {
  const auto tier = GENERATE(Tier::ci, Tier::full);
  auto all = cases(tier, 5, test::wide_cpu());
  std::erase_if(all, [](const Case& c) { return !c.only_real(); });
  CHECK(collect(all, [](const Case& c) {
          return std::tuple(c.placement, c.direction, c.norm);
        }).size() == 2 * 2 * 4);
  CHECK(collect(all, [](const Case& c) {
          return std::tuple(c.kind, c.direction, c.precision, c.parameters.mapping);
        }).size() >= 8 * 2 * 2 * 2 * 3 / 4);
}

TEST_CASE("the CI tier holds the planner's boundaries") {
  const auto facts = GENERATE(test::wide_cpu(), test::large_gpu());
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  Variant like;
  like.parameters.mapping = mapping;
  const auto found = boundaries(like, 1u << 17, facts);
  REQUIRE(found.size() >= 2);
  const auto lengths = collect(cases(Tier::ci, 1, facts), [](const Case& c) {
    return std::pair(c.parameters.mapping, c.lengths[0]);
  });
  for (const auto length : found) {
    CAPTURE(length, facts.name, static_cast<int>(mapping));
    CHECK(lengths.count({mapping, length}) == 1);
  }
}

TEST_CASE("a device without doubles gets f64 cases, which it computes in pairs") {
  const auto all = cases(Tier::ci, 1, test::small_gpu());
  CHECK(std::any_of(all.begin(), all.end(),
                    [](const Case& problem) { return problem.precision == Precision::f64; }));
}

TEST_CASE("planned lengths have small prime factors, and the planner takes all others, too") {
  const auto lengths = planned_lengths(300);
  const std::set<std::uint64_t> all(lengths.begin(), lengths.end());
  for (std::uint64_t n = 1; n <= 300; ++n) {
    CAPTURE(n);
    Variant variant;
    variant.length = n;
    CHECK((base::largest_prime_factor(n) <= 13) == (all.count(n) == 1));
    CHECK(program_of(variant, test::wide_cpu()).has_value());
  }
}
