// This file checks the division of a batch into chunks.
#include "lines/chunks.hpp"
#include "plan/make_program.hpp"

#include "plan/cuts.hpp"
#include "plan/planner.hpp"
#include "problem/make_problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago::lines {
namespace {

problem::Problem problem_of(std::vector<std::size_t> lengths, std::size_t batch,
                            Placement placement = Placement::out_of_place) {
  Transform t;
  t.lengths = std::move(lengths);
  t.batch = batch;
  t.placement = placement;
  return problem::make_problem(t);
}

TEST_CASE("a chunk is within the limit, and chunks are about as large") {
  CHECK(smaller_chunk(100, 100, 1000, 500) == 50);
  CHECK(smaller_chunk(100, 100, 1000, 999) == 64);      // whole tiles of 16, not 99 and 1
  CHECK(smaller_chunk(100, 100, 1000, 400) == 34);      // three chunks, not of 40
  CHECK(smaller_chunk(1000, 1000, 8000, 4800) == 512);  // whole tiles
  CHECK(smaller_chunk(1000, 1000, 8000, 4040) == 500);  // 512 members exceed the limit
  CHECK(smaller_chunk(7, 7, 70, 3) == 1);
  CHECK(smaller_chunk(7, 2, 70, 69) == 1);  // fewer than the last attempt
}

TEST_CASE("the first members of a batch end where they end") {
  auto t = Transform{};
  t.lengths = {6, 4};
  t.batch = 5;
  t.kind = Kind::real;
  t.signal = {.strides = {7, 1}, .distance = 50, .offset = 3};
  const auto whole = problem::make_problem(t), part = first_members(whole, 2);
  t.batch = 2;
  CHECK(part.signal == problem::make_problem(t).signal);
  CHECK(part.spectrum == problem::make_problem(t).spectrum);
  CHECK(part.batch == 2);
}

TEST_CASE("members in each other's memory cannot be transformed one after the other") {
  CHECK(separable(problem_of({8, 6}, 4)));
  CHECK(separable(problem_of({8, 6}, 4, Placement::in_place)));
  auto t = Transform{};
  t.lengths = {8, 6};
  t.batch = 4;
  t.placement = Placement::in_place;
  t.spectrum = {.strides = {1, 8}, .distance = 48};  // transposed, each in its place
  CHECK(separable(problem::make_problem(t)));
  t.spectrum = {.strides = {24, 4}, .distance = 1};  // from the outermost to the innermost
  CHECK_FALSE(separable(problem::make_problem(t)));
  t.placement = Placement::out_of_place;
  CHECK(separable(problem::make_problem(t)));
}

TEST_CASE("members of real data keep to their own memory, or wait for each other") {
  auto t = Transform{};
  t.lengths = {6};
  t.batch = 4;
  t.kind = Kind::real;
  t.placement = Placement::in_place;
  CHECK(separable(problem::make_problem(t)));  // row over row
  t.signal = {.strides = {2}, .distance = 12};
  t.spectrum = {.strides = {1},
                .distance = 6};  // 11 real numbers, and 4 complex ones after the first
  CHECK(separable(problem::make_problem(t)));
  t.spectrum.offset = 2;  // 8 to 11 of 12
  CHECK(separable(problem::make_problem(t)));
  t.spectrum.offset = 3;  // 6 to 13
  CHECK_FALSE(separable(problem::make_problem(t)));
  t.spectrum = {.strides = {1}, .distance = 7};
  CHECK_FALSE(separable(problem::make_problem(t)));
  t.signal = t.spectrum = {.strides = {4}, .distance = 1};
  CHECK_FALSE(separable(problem::make_problem(t)));
}

TEST_CASE("chunks follow each other in the arrays and share the scratch") {
  for (const bool inverse : {false, true}) {
    CAPTURE(inverse);
    auto whole = problem_of({60, std::size_t{1} << 24}, 12);
    whole.spectrum.distance += 40;
    const auto part = first_members(whole, 4);
    kernel::Program program;
    for (const Request& line : plan::lines_of(part, inverse, {}, test::large_gpu()))
      append(program, plan::make_program(line, test::large_gpu(),
                                         plan::complete(line, test::large_gpu(), {})));
    const kernel::Program first = program;
    REQUIRE(first.scratch_bytes > 0);
    repeat(program, 3, 4, distances_of(whole, inverse));
    CHECK(program.steps == first.steps);
    CHECK(program.tables == first.tables);
    CHECK(program.scratch_bytes == first.scratch_bytes);
    CHECK(program.bytes_moved == 3 * first.bytes_moved);
    REQUIRE(program.launches.size() == 3 * first.launches.size());
    for (std::size_t i = 0; i < program.launches.size(); ++i) {
      const kernel::Launch& launch = program.launches[i];
      const kernel::Launch& model = first.launches[i % first.launches.size()];
      const std::uint64_t members = 4 * (i / first.launches.size());
      const auto moved = [&](const kernel::Place& place) {
        const bool signal =
            place.memory == (inverse ? kernel::Memory::output : kernel::Memory::input);
        const std::uint64_t distance = signal ? whole.signal.distance : whole.spectrum.distance;
        return place.memory == kernel::Memory::scratch ? place.offset
                                                       : place.offset + members * distance;
      };
      CHECK(launch.in.offset == moved(model.in));
      CHECK(launch.out.offset == moved(model.out));
      CHECK(launch.batch == model.batch);
      CHECK(launch.step == model.step);
    }
  }
}

}  // namespace
}  // namespace imago::lines
