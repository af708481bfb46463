// This file checks how parameters set by hand are distributed over the lines of a transform.
#include "plan/cuts.hpp"

#include <imago/error.hpp>

#include "plan/planner.hpp"
#include "problem/make_problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago::plan {
namespace {

std::vector<lines::Request> cut(std::vector<std::size_t> lengths) {
  Transform t;
  t.lengths = std::move(lengths);
  return lines_of(problem::make_problem(t), false, {}, test::large_gpu());
}

TEST_CASE("kernels by hand go to the lines in launch order") {
  const auto found = cut({4096, 300});
  REQUIRE(found.size() == 2);  // 300, then 4096
  Parameters wish;
  wish.kernels = {{.length = 300}, {.length = 64}, {.length = 64}};
  const auto shares = share(wish, found);
  CHECK(shares[0].kernels.size() == 1);
  CHECK(shares[1].kernels.size() == 2);
  wish.kernels.pop_back();
  CHECK_THROWS_AS(share(wish, found), InvalidArgument);
  wish.kernels = {{.length = 300}, {.length = 4096}, {.length = 2}};
  CHECK_THROWS_AS(share(wish, found), InvalidArgument);
}

TEST_CASE("the lengths of the kernels select the convolution of each line") {
  const auto found = cut({511, 73});
  REQUIRE(found.size() == 2);  // 73, then 511
  Parameters wish;
  wish.kernels = {{.length = 72}, {.length = 32}, {.length = 32}};
  const auto shares = share(wish, found);
  CHECK(shares[0].algorithm == Algorithm::rader);
  CHECK(shares[0].kernels.size() == 1);
  CHECK(shares[1].algorithm == Algorithm::bluestein);
  CHECK(shares[1].kernels.size() == 2);
  wish.kernels = {{.length = 144}, {.length = 1024}};
  CHECK(share(wish, found)[0].algorithm == Algorithm::bluestein);
  wish.kernels = {
      {.length = 72},
      {.length = 510}};  // 511 = 7 * 73 is not a prime, so Rader's algorithm is impossible
  CHECK_THROWS_AS(share(wish, found), InvalidArgument);
  wish.kernels = {{.length = 72}, {.length = 1000}};
  CHECK_THROWS_AS(share(wish, found), InvalidArgument);
}

TEST_CASE("a joined wish is shared out again") {
  const auto facts = test::large_gpu();
  const auto ways = cuts(problem::make_problem(Transform{.lengths = {167, 103, 20}}), facts);
  REQUIRE(ways.size() == 1);
  const auto& lines = ways[0].lines;  // 20, 103, 167
  REQUIRE(lines.size() == 3);
  std::vector<Parameters> each;
  for (const lines::Request& line : lines) each.push_back(complete(line, facts, {}));
  const auto shares = share(join(each, ways[0]), lines);
  CHECK(shares[0].kernels == each[0].kernels);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    CAPTURE(i);
    CHECK(shares[i].algorithm == each[i].algorithm);
    CHECK(shares[i].kernels == each[i].kernels);
    CHECK(can_join(each[i], lines[i], ways[0]));
  }
  const auto padded = complete(lines[2], facts, {.algorithm = Algorithm::rader});  // 166 = 2 * 83
  CHECK_FALSE(can_join(padded, lines[2], ways[0]));
}

}  // namespace
}  // namespace imago::plan
