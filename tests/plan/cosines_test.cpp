// This file checks which kernels arrange the elements of cosine transforms in local memory.
#include "plan/lines.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago::plan {
namespace {

std::vector<Program> programs(const Transform& transform, const Parameters& wish = {}) {
  const auto facts = test::large_gpu();
  std::vector<Program> all;
  for (const Request& line : lines(problem::make_problem(transform), false, wish, facts))
    all.push_back(make_program(line, facts, complete(line, facts, wish)));
  return all;
}

TEST_CASE("mirror images of DCT-III meet in local memory") {
  for (const std::size_t n : {7, 64, 360, 4096}) {
    const auto found = programs({.kind = Kind::dct3, .lengths = {n}, .batch = 64});
    REQUIRE(found.size() == 1);
    const Step& step = found[0].steps.at(0);
    CHECK(step.arranges());
    CHECK_FALSE(step.plain());
    CHECK_FALSE(step.cosines.any());
    REQUIRE(step.cosine_axes.size() == 1);
    CHECK(step.cosine_axes[0].inner == 1);
    CHECK(step.cosine_axes[0].first == 0);
    CHECK(step.cosine_axes[0].last + 1 == step.passes.size());
    CHECK(step.local_bytes() >= n * step.tile * 8);
    CHECK(found[0].bytes_moved == 2 * 64 * n * 4);
  }
}

TEST_CASE("what several kernels or convolutions hold is not arranged") {
  const auto arranged = [](std::size_t n, const Parameters& wish) {
    return programs({.kind = Kind::dct3, .lengths = {n}, .batch = 4}, wish)
        .at(0)
        .steps.at(0)
        .arranges();
  };
  CHECK(arranged(360, {}));
  CHECK_FALSE(arranged(1, {}));
  CHECK_FALSE(arranged(37, {}));
  CHECK_FALSE(arranged(360, {.algorithm = Algorithm::hierarchy}));
  CHECK_FALSE(arranged(360, {.mapping = Mapping::vector}));
}

}  // namespace
}  // namespace imago::plan
