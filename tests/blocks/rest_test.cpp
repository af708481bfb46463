// This file checks tiles of columns whose last one has idle lanes, on the host interpreter: it
// finds accesses outside the arrays and to columns of other work-groups.
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "blocks/programs.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;

namespace {

/// Returns the case of columns of 12 points next to `columns` others, in vectors of 16 floats.
std::string name_of(unsigned columns, const std::string& placement) {
  const std::string width = std::to_string(columns);
  return "12x" + width + "*2-f32-" + placement + "-forward-none-vector-hierarchy-k" + width +
         "-k12:l16";
}

const kernel::Step& columns_of(const kernel::Program& program) { return program.steps.back(); }

/// Returns the bits of the same transforms with columns one by one.
std::vector<std::byte> one_by_one(catalogue::Case problem) {
  problem.parameters.kernels[1].lanes = 1;
  return test::result_of<float>(test::program_of(problem, test::wide_cpu(), Launches::several),
                                problem);
}

float largest_difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  const auto* x = reinterpret_cast<const float*>(a.data());
  const auto* y = reinterpret_cast<const float*>(b.data());
  float most = 0;
  for (std::size_t i = 0; i < a.size() / sizeof(float); ++i)
    most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

}  // namespace

TEST_CASE("columns beside the whole tiles share a vector") {
  for (const unsigned columns : {18u, 19u, 20u, 25u, 28u, 31u}) {
    for (const char* placement : {"in", "out"}) {
      const auto problem = catalogue::parse(name_of(columns, placement));
      CAPTURE(problem.name());
      const auto program = test::program_of(problem, test::wide_cpu(), Launches::several);
      REQUIRE(columns_of(program).tile == 16);
      CHECK(columns_of(program).rest_in_lanes() == columns - 16);
      const auto found = test::result_of<float>(program, problem);
      const auto expected = one_by_one(problem);
      REQUIRE(found.size() == expected.size());
      CHECK(largest_difference(found, expected) < 2e-5f);
    }
  }
}

TEST_CASE("a single column beside the whole tiles is transformed by itself") {
  const auto problem = catalogue::parse(name_of(17, "in"));
  const auto program = test::program_of(problem, test::wide_cpu(), Launches::several);
  CHECK(columns_of(program).rest_in_lanes() == 0);
  CHECK(largest_difference(test::result_of<float>(program, problem), one_by_one(problem)) < 2e-5f);
}
