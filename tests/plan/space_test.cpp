// This file tests the space of parameters: it must be legal, without repetitions, and as large as
// printed.
#include "plan/space.hpp"
#include "plan/make_program.hpp"

#include <algorithm>
#include <set>

#include <imago/error.hpp>

#include "kernel/radices.hpp"
#include "plan/cuts.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;
using namespace imago::plan;

namespace {

lines::Request request_of(std::uint64_t length) {
  lines::Request request;
  request.length = length;
  request.batch = 17;
  request.in.distance = request.out.distance = length;
  return request;
}

/// Returns the compositions of `bits` into parts from 1 to 5: ordered factorisations of a power of
/// two.
std::size_t compositions(int bits) {
  if (bits == 0) return 1;
  std::size_t sum = 0;
  for (int part = 1; part <= std::min(bits, 5); ++part) sum += compositions(bits - part);
  return sum;
}

}  // namespace

TEST_CASE("Every ordered factorisation is found once") {
  for (int bits = 1; bits <= 13; ++bits) {
    auto found = ordered_factorisations(std::uint64_t{1} << bits, kernel::all_radices(), 99);
    CHECK(found.size() == compositions(bits));
    std::sort(found.begin(), found.end());
    CHECK(std::unique(found.begin(), found.end()) == found.end());
  }
  CHECK(ordered_factorisations(101, kernel::all_radices(), 99).empty());
  CHECK(ordered_factorisations(64, kernel::all_radices(), 2).size() ==
        5);  // 2.32 4.16 8.8 16.4 32.2
}

TEST_CASE("Candidates of several axes have passes along one after the other") {
  auto request = request_of(48);
  request.axes = {8, 6};
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto facts = mapping == Mapping::vector ? test::wide_cpu() : test::large_gpu();
  const Space space(request, facts, mapping);
  REQUIRE(space.size() > 100);
  std::set<std::vector<unsigned>> radices;
  for (const auto& candidate : space.sample(space.size(), 1)) {
    REQUIRE(candidate.kernels.size() == 1);
    REQUIRE_NOTHROW(complete(request, facts, candidate));
    radices.insert(candidate.kernels[0].radices);
  }
  CHECK(radices.size() == 4 * 3);  // 8 2.4 4.2 2.2.2, 6 2.3 3.2
}

TEST_CASE("Every candidate of a small space is legal and different, and has a program") {
  const auto length = GENERATE(1, 2, 6, 16, 30, 64);
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  for (const auto& facts : {test::wide_cpu(), test::large_gpu(), test::small_gpu()}) {
    const auto request = request_of(static_cast<std::uint64_t>(length));
    const Space space(request, facts, mapping);
    REQUIRE(space.size() > 0);
    const auto all = space.sample(space.size(), 1);
    REQUIRE(all.size() == space.size());
    for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 300) {
      REQUIRE(complete(request, facts, all[i]) == all[i]);
      REQUIRE_NOTHROW(make_program(request, facts, all[i]));
      REQUIRE(std::count(all.begin(), all.end(), all[i]) == 1);
    }
  }
}

TEST_CASE("Several axes are never split over kernels") {
  auto request = request_of(4096);
  request.axes = {64, 64};
  const Space space(request, test::large_gpu(), Mapping::work_group);
  REQUIRE(space.splits().size() == 1);
  CHECK(space.splits()[0].algorithm == Algorithm::single);
}

TEST_CASE("A large space holds the sizes of work-groups, exchanges and transforms per group") {
  auto request = request_of(1024);
  request.batch = 1 << 12;  // otherwise it is split, too
  const Space space(request, test::large_gpu(), Mapping::work_group);
  REQUIRE(space.splits().size() == 1);
  bool found[4][2][3] = {};
  for (const auto& kernel : *space.splits()[0].kernels[0]) {
    for (int size = 0; size < 4; ++size) {
      for (int columns = 0; columns < 3; ++columns) {
        if (kernel.items * kernel.columns == (64u << size) && kernel.columns == (1u << columns))
          found[size][kernel.exchange == Exchange::split][columns] = true;
      }
    }
  }
  for (const auto& exchanges : found) {
    for (const auto& columns : exchanges) CHECK((columns[0] && columns[1] && columns[2]));
  }
}

TEST_CASE("Samples are the same for the same seed, and each candidate is there once") {
  const Space space(request_of(1 << 20), test::large_gpu(), Mapping::work_group);
  const auto one = space.sample(400, 7), again = space.sample(400, 7), other = space.sample(400, 8);
  CHECK(one.size() == 400);
  CHECK(one == again);
  CHECK(one != other);
  for (const auto& candidate : one)
    CHECK_NOTHROW(make_program(request_of(1 << 20), test::large_gpu(),
                               complete(request_of(1 << 20), test::large_gpu(), candidate)));
}

TEST_CASE("Neighbours differ in one kernel and are in the space") {
  const auto request = request_of(1 << 16);
  const auto facts = test::large_gpu();
  const Space space(request, facts, Mapping::work_group);
  const auto from = space.sample(3, 5).at(1);
  const auto near = space.neighbours(from);
  REQUIRE(near.size() > 5);
  for (const auto& candidate : near) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < from.kernels.size(); ++i)
      different += candidate.kernels[i] != from.kernels[i];
    REQUIRE(different == 1);
    REQUIRE_NOTHROW(complete(request, facts, candidate));
  }
}

TEST_CASE("A space of several lines has the products of theirs, for each way to cut") {
  const auto facts = test::large_gpu();
  Transform transform{.lengths = {64, 32}};
  const auto problem = problem::make_problem(transform);
  const auto ways = cuts(problem, facts);
  REQUIRE(ways.size() == 2);  // one kernel for both axes, or one for each
  CHECK(ways[0].lines.size() == 1);
  CHECK(ways[1].lines.size() == 2);
  CHECK(ways[1].algorithm == Algorithm::hierarchy);
  const Space space(ways, facts, Mapping::work_group);
  const Space apart({ways[1]}, facts, Mapping::work_group);
  CHECK(apart.size() == Space(ways[1].lines[0], facts, Mapping::work_group).size() *
                            Space(ways[1].lines[1], facts, Mapping::work_group).size());
  CHECK(space.size() > apart.size());
  std::set<std::size_t> kernels;
  for (const auto& candidate : space.sample(100, 3)) {
    kernels.insert(candidate.kernels.size());
    const auto requests = lines_of(problem, false, candidate, facts);
    const auto shares = share(candidate, requests);
    for (std::size_t i = 0; i < requests.size(); ++i)
      REQUIRE_NOTHROW(complete(requests[i], facts, shares[i]));
  }
  CHECK(kernels == std::set<std::size_t>{1, 2});
  const auto from = apart.sample(1, 1).at(0);
  const auto near = space.neighbours(from);
  REQUIRE(near.size() > 5);
  for (const auto& candidate : near) REQUIRE(candidate.kernels.size() == 2);
}

TEST_CASE("A space of several convolved lines holds what they are shared out to") {
  const auto facts = test::large_gpu();
  const auto problem = problem::make_problem(Transform{.lengths = {511, 73}});
  const Space space(cuts(problem, facts), facts, Mapping::work_group);
  for (const auto& candidate : space.sample(50, 3)) {
    const auto requests = lines_of(problem, false, candidate, facts);
    const auto shares = share(candidate, requests);
    for (std::size_t i = 0; i < requests.size(); ++i)
      REQUIRE_NOTHROW(complete(requests[i], facts, shares[i]));
  }
}

TEST_CASE("A space larger than numbers count is sampled all the same") {
  const auto facts = test::large_gpu();
  const Transform transform{.lengths = {1 << 14, 1 << 14, 1 << 14}};
  const Space space(cuts(problem::make_problem(transform), facts), facts, Mapping::work_group);
  CHECK(space.size() == ~std::uint64_t{0});
  CHECK(space.sample(50, 1).size() == 50);
}

TEST_CASE("Small transforms are split though one kernel takes them") {
  auto request = request_of(2048);
  const auto splits = [&] {
    return Space(request, test::large_gpu(), Mapping::work_group).splits();
  };
  request.batch = 1 << 13;
  CHECK(splits().size() == 1);
  request.batch = 1;
  CHECK(splits().size() > 1);
}

TEST_CASE("No work-group of a single transform holds idle columns, unless it would be too small") {
  auto request = request_of(1024);
  request.batch = 1;
  const Space space(request, test::large_gpu(), Mapping::work_group);
  std::size_t singles = 0;
  for (const auto& split : space.splits()) {
    if (split.algorithm != Algorithm::single) continue;
    for (const auto& kernel : *split.kernels[0]) {
      ++singles;
      CHECK((kernel.columns == 1 || kernel.items * kernel.columns <= 32));
    }
  }
  CHECK(singles > 0);
}
