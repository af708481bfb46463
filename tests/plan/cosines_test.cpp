// This file checks which kernels arrange the elements of cosine transforms in local memory.
#include "plan/cuts.hpp"
#include "plan/make_program.hpp"
#include "problem/make_problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago::plan {
namespace {

std::vector<kernel::Program> programs(const Transform& transform, const Parameters& wish = {}) {
  const auto facts = test::large_gpu();
  std::vector<kernel::Program> all;
  for (const lines::Request& line : lines_of(problem::make_problem(transform), false, wish, facts))
    all.push_back(make_program(line, facts, complete(line, facts, wish)));
  return all;
}

TEST_CASE("mirror images of DCT-III meet in local memory") {
  for (const std::size_t n : {7, 64, 360, 4096}) {
    const std::size_t points = n % 2 == 0 ? n / 2 : n;
    const auto found = programs({.kind = Kind::dct3, .lengths = {n}, .batch = 64});
    REQUIRE(found.size() == 1);
    const kernel::Step& step = found[0].steps.at(0);
    CHECK(step.reorders());
    CHECK_FALSE(step.plain());
    CHECK(step.in.edge == kernel::Edge{});
    CHECK(step.out.edge == kernel::Edge{});
    REQUIRE(step.group().axes.size() == 1);
    CHECK(step.group().axes[0].inner == 1);
    CHECK(step.group().axes[0].first == 0);
    CHECK(step.group().axes[0].last + 1 == step.passes.size());
    CHECK(step.local_bytes() >= points * step.tile * 8);
    CHECK(found[0].bytes_moved == 2 * 64 * n * 4);
  }
}

TEST_CASE("lines of several kernels or convolutions do not reorder elements") {
  const auto arranged = [](std::size_t n, const Parameters& wish) {
    return programs({.kind = Kind::dct3, .lengths = {n}, .batch = 4}, wish)
        .at(0)
        .steps.at(0)
        .reorders();
  };
  CHECK(arranged(360, {}));
  CHECK_FALSE(arranged(1, {}));
  CHECK_FALSE(arranged(101, {}));
  CHECK_FALSE(arranged(360, {.algorithm = Algorithm::hierarchy}));
  CHECK_FALSE(arranged(360, {.mapping = Mapping::vector}));
}

TEST_CASE("real lines of one member make pairs, and lines of two members never do") {
  const auto elements = [](std::vector<std::size_t> lengths, std::size_t batch,
                           std::vector<Kind> axes = {}) {
    Transform t{.kind = Kind::dct2, .axes = std::move(axes), .lengths = std::move(lengths)};
    t.batch = batch;
    const auto found = lines_of(problem::make_problem(t), false,
                                {.algorithm = Algorithm::hierarchy}, test::large_gpu());
    std::vector<kernel::Elements> first{found.at(0).in.elements};  // lines along the last axis
    if (found.size() > 1 && found[1].remains()) first.push_back(found[1].in.elements);
    return first;
  };
  using List = std::vector<kernel::Elements>;
  const List alone{kernel::Elements::real}, pairs{kernel::Elements::pairs};
  CHECK(elements({64}, 10) == alone);
  CHECK(elements({16, 64}, 1) == pairs);
  CHECK(elements({16, 64}, 5) == pairs);
  CHECK(elements({15, 64}, 1) == List{kernel::Elements::pairs, kernel::Elements::real});
  CHECK(elements({15, 64}, 2) == alone);
  CHECK(elements({3, 4, 64}, 5) == pairs);
  CHECK(elements({4, 3, 64}, 5) == pairs);
  CHECK(elements({16, 64}, 1, {Kind::identity, Kind::dct2}) == alone);
}

TEST_CASE("cosine axes that fit one kernel together are one line") {
  const Transform blocks{
      .axes = {Kind::dst3, Kind::dct2}, .lengths = {64, 8}, .batch = 10, .norm = Norm::ortho};
  const auto found = programs(blocks);
  REQUIRE(found.size() == 1);
  CHECK(found[0].bytes_moved == 2 * 10 * 512 * 4);
  const kernel::Step& step = found[0].steps.at(0);
  // Blocks are members and are not computed in pairs: rows of 8 real numbers are 4 points.
  CHECK(step.length == 256);
  CHECK(step.in.elements == kernel::Elements::pairs);
  CHECK(step.out.elements == kernel::Elements::real);
  REQUIRE(step.group().axes.size() == 2);
  const kernel::ReorderedAxis &rows = step.group().axes[0], &columns = step.group().axes[1];
  CHECK(kernel::kind_of(rows.edge) == Kind::dst3);
  CHECK(rows.points == 64);
  CHECK(rows.inner == 4);
  CHECK_FALSE(rows.halved());
  CHECK_FALSE(rows.alone());
  CHECK(kernel::kind_of(columns.edge) == Kind::dct2);
  CHECK(std::get<kernel::Cosines>(columns.edge).orthonormal);
  CHECK(columns.halved());
  CHECK(columns.points == 4);
  CHECK(columns.inner == 1);
  CHECK(columns.alone());
  CHECK(columns.first == rows.last + 1);
  const auto inverse =
      lines_of(problem::make_problem(blocks), true, {}, test::large_gpu()).at(0).axis_edges;
  REQUIRE(inverse.size() == 2);
  CHECK(kernel::kind_of(inverse[0]) == Kind::dst2);
  CHECK(kernel::kind_of(inverse[1]) == Kind::dct3);
}

TEST_CASE("long lines take columns with points and elements that belong together") {
  const auto mirrors = [](Kind kind, const Parameters& wish = {.algorithm = Algorithm::hierarchy}) {
    const Transform lines{.kind = kind, .lengths = {65536}, .batch = 4};
    std::vector<kernel::Mirror> found;
    const auto all = programs(lines, wish);
    for (const kernel::Step& step : all.at(0).steps) {
      found.push_back(kernel::Mirror::none);
      for (const kernel::Column& column : step.columns) {
        if (column.mirrored()) found.back() = column.mirror;
      }
    }
    return found;
  };
  using Mirrors = std::vector<kernel::Mirror>;
  CHECK(mirrors(Kind::dct2) == Mirrors{kernel::Mirror::elements, kernel::Mirror::points});
  CHECK(mirrors(Kind::dst3) == Mirrors{kernel::Mirror::points, kernel::Mirror::elements});
  CHECK(mirrors(Kind::dct4) == Mirrors{kernel::Mirror::none, kernel::Mirror::none});
  const Parameters three{.kernels = {{.length = 32}, {.length = 32}, {.length = 32}}};
  CHECK(mirrors(Kind::dct3, three) ==
        Mirrors{kernel::Mirror::points, kernel::Mirror::none, kernel::Mirror::elements});
  const Parameters vectors{.mapping = Mapping::vector, .algorithm = Algorithm::hierarchy};
  CHECK(mirrors(Kind::dct3, vectors) == Mirrors{kernel::Mirror::none, kernel::Mirror::none});
}

TEST_CASE("neighbouring work-items of woven passes move neighbouring elements") {
  const auto passes = [](Kind kind, std::size_t n, const Parameters& wish = {}) {
    return programs({.kind = kind, .lengths = {n}, .batch = 64}, wish).at(0).steps;
  };
  const Parameters two{.algorithm = Algorithm::hierarchy};
  const auto second = passes(Kind::dct2, 4096, two), third = passes(Kind::dst3, 4096, two);
  CHECK(second.front().passes.front().reversed);
  CHECK_FALSE(second.front().passes.back().reversed);
  CHECK(third.back().passes.back().reversed);
  CHECK_FALSE(passes(Kind::dst2, 4096)[0].passes.front().reversed);
  const KernelParameters idle{.length = 60, .radices = {10, 6}, .items = 4};
  CHECK_FALSE(passes(Kind::dct2, 7200, {.kernels = {idle, idle}})[0].passes.front().reversed);
}

TEST_CASE("other axes than of II and III, and such as do not fit, are lines of their own") {
  const auto count = [](std::vector<Kind> axes, std::vector<std::size_t> lengths,
                        const Parameters& wish = {}) {
    return programs({.axes = std::move(axes), .lengths = std::move(lengths), .batch = 2}, wish)
        .size();
  };
  CHECK(count({Kind::dct2, Kind::dct3, Kind::dst2}, {4, 6, 8}) == 1);
  CHECK(count({Kind::dct2, Kind::dct4}, {8, 8}) == 2);
  CHECK(count({Kind::dct1, Kind::dct2}, {8, 8}) == 2);
  CHECK(count({Kind::dct2, Kind::dct2}, {1, 8}) == 2);
  CHECK(count({Kind::dct2, Kind::dct2}, {101, 8}) == 2);
  CHECK(count({Kind::dct2, Kind::dct2}, {256, 256}) == 2);
  CHECK(count({Kind::dct2, Kind::identity, Kind::dct2}, {8, 5, 8}) == 2);
  CHECK(count({Kind::dct2, Kind::dct2}, {8, 8}, {.algorithm = Algorithm::hierarchy}) == 2);
  CHECK(count({Kind::dct2, Kind::dct2}, {8, 8}, {.mapping = Mapping::vector}) == 2);
}

}  // namespace
}  // namespace imago::plan
