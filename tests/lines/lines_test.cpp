// This file checks how transforms of several dimensions are divided into lines.
#include "plan/cuts.hpp"
#include "plan/make_program.hpp"
#include "plan/planner.hpp"

#include <imago/error.hpp>

#include "problem/make_problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago::lines {
namespace {

Transform shape(std::vector<std::size_t> lengths, std::size_t batch = 1) {
  Transform t;
  t.lengths = std::move(lengths);
  t.batch = batch;
  return t;
}

std::vector<Request> cut(const Transform& t, bool inverse = false,
                         const device::Facts& facts = test::large_gpu()) {
  return plan::lines_of(problem::make_problem(t), inverse, {}, facts);
}

/// Returns the points that a sequence of lines processes, one count per line.
std::vector<std::uint64_t> points(const std::vector<Request>& lines) {
  std::vector<std::uint64_t> counts;
  for (const Request& line : lines) counts.push_back(line.length * line.lines() * line.batch);
  return counts;
}

TEST_CASE("one dimension is one line") {
  const auto found = cut(shape({360}, 7));
  REQUIRE(found.size() == 1);
  CHECK(found[0].length == 360);
  CHECK(found[0].batch == 7);
  CHECK(found[0].in.distance == 360);
  CHECK(found[0].loops.empty());
  CHECK(found[0].scale == 1);
  CHECK(cut(shape({360}, 7), true)[0].scale == 1.0 / 360);
}

TEST_CASE("axes that fit one kernel are one line") {
  const auto found = cut(shape({64, 64}, 9));
  REQUIRE(found.size() == 1);
  CHECK(found[0].axes == std::vector<std::uint64_t>{64, 64});
  CHECK(found[0].batch == 9);
  const auto cube = cut(shape({64, 64, 64}, 2));
  REQUIRE(cube.size() == 2);
  CHECK(cube[0].axes == std::vector<std::uint64_t>{64, 64});
  CHECK(cube[0].batch == 128);
  CHECK(cube[1].length == 64);
  CHECK(cube[1].in.stride == 4096);
  CHECK(cube[1].loops == std::vector<Loop>{{4096, 1, 1}});
  CHECK(cube[1].batch == 2);
}

TEST_CASE("the first line reads the input, the others work in place on the output") {
  for (const bool inverse : {false, true}) {
    const auto found = cut(shape({512, 300, 700}, 3), inverse);
    REQUIRE(found.size() == 3);
    CHECK(points(found) == std::vector<std::uint64_t>(3, 3ull * 512 * 300 * 700));
    CHECK(found[0].length == (inverse ? 512 : 700));
    CHECK(found[0].in.memory == kernel::Memory::input);
    CHECK(found[0].placement == Placement::out_of_place);
    for (const Request& line : {found[1], found[2]}) {
      CHECK(line.in.memory == kernel::Memory::output);
      CHECK(line.out.memory == kernel::Memory::output);
      CHECK(line.placement == Placement::in_place);
    }
    CHECK(found[0].scale == 1);
    CHECK(found[2].scale == (inverse ? 1.0 / (512.0 * 300 * 700) : 1));
  }
}

TEST_CASE("identity axes and axes of one point are only neighbours") {
  auto t = shape({5, 1, 512, 700});
  t.axes = {Kind::identity, Kind::complex, Kind::identity, Kind::complex};
  const auto found = cut(t);
  REQUIRE(found.size() == 1);
  CHECK(found[0].length == 700);
  CHECK(found[0].batch == 5 * 512);
}

TEST_CASE("a batch that lies between the points is compiled as columns") {
  auto t = shape({100}, 32);
  t.signal.strides = {32};
  t.signal.distance = 1;
  const auto found = cut(t);
  REQUIRE(found.size() == 1);
  CHECK(found[0].loops == std::vector<Loop>{{32, 1, 100}});
  CHECK(found[0].batch == 1);
  CHECK(found[0].in.stride == 32);
  CHECK(found[0].out.stride == 1);
}

TEST_CASE("between axes in half precision there is scratch, packed and in single precision") {
  Transform t = shape({512, 300, 700}, 3);
  t.precision = Precision::f16;
  for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
    t.placement = placement;
    const auto found = cut(t);
    REQUIRE(found.size() == 3);
    CHECK(found[0].in.memory == kernel::Memory::input);
    CHECK(found[0].placement == Placement::out_of_place);
    for (const std::size_t i : {1, 2}) {
      CHECK(found[i - 1].out.memory == kernel::Memory::scratch);
      CHECK(found[i].in.memory == kernel::Memory::scratch);
    }
    CHECK(found[1].placement == Placement::in_place);
    CHECK(found[2].out.memory == kernel::Memory::output);
    for (const Request& line : found) {
      const auto program =
          plan::make_program(line, test::large_gpu(), plan::complete(line, test::large_gpu(), {}));
      for (const auto& launch : program.launches) {
        const kernel::Step& step = program.steps[launch.step];
        CHECK(step.precision == Precision::f32);
        CHECK(step.in.f16 == (launch.in.memory != kernel::Memory::scratch));
        CHECK(step.out.f16 == (launch.out.memory != kernel::Memory::scratch));
      }
      CHECK(program.scratch_bytes >= std::uint64_t{512} * 300 * 700 * 3 * 8);
    }
  }
  t.lengths = {64, 64};
  t.placement = Placement::in_place;
  const auto one = cut(t);
  REQUIRE(one.size() == 1);
  CHECK(one[0].placement == Placement::in_place);
  CHECK(one[0].scratch_offset == 0);
}

TEST_CASE("in place from one layout to another goes through scratch") {
  auto t = shape({48, 1000}, 2);
  t.placement = Placement::in_place;
  t.spectrum.strides = {1, 48};
  t.spectrum.distance = 48000;
  const auto found = cut(t);
  REQUIRE(found.size() == 2);
  CHECK(found[0].out.memory == kernel::Memory::scratch);
  CHECK(found[1].in.memory == kernel::Memory::scratch);
  CHECK(found[1].out.memory == kernel::Memory::output);
  auto row = shape({1000}, 4);
  row.placement = Placement::in_place;
  row.spectrum.strides = {4};
  row.spectrum.distance = 1;
  const auto copied = cut(row);
  REQUIRE(copied.size() == 2);
  CHECK(copied[1].length == 1);  // a copy
}

TEST_CASE("in place, real lines whose rows do not meet go through scratch") {
  auto t = shape({1000}, 4);
  t.kind = Kind::real;
  t.placement = Placement::in_place;
  CHECK(cut(t).size() == 1);
  t.signal = t.spectrum = {.strides = {4}, .distance = 1};
  const auto forward = cut(t), inverse = cut(t, true);
  REQUIRE((forward.size() == 2 && inverse.size() == 2));
  // The spectrum is copied.
  CHECK((forward[0].length == 500 && forward[1].length == 1));
  CHECK((inverse[0].length == 1 && inverse[1].length == 500));
  CHECK(inverse[1].out.elements == kernel::Elements::pairs);
  for (const auto& found : {forward, inverse}) {
    CHECK(found[0].in.memory == kernel::Memory::input);
    CHECK(found[0].out.memory == kernel::Memory::scratch);
    CHECK(found[1].in.memory == kernel::Memory::scratch);
    CHECK(found[1].out.memory == kernel::Memory::output);
  }
  t.lengths = {48, 1000};  // two kernels, so no copy is added
  t.signal = {.strides = {3000, 3}, .distance = 144000};
  t.spectrum = {};
  for (const bool back : {false, true}) {
    const auto found = cut(t, back);
    REQUIRE(found.size() == 2);
    CHECK(found[0].out.memory == kernel::Memory::scratch);
    CHECK(found[1].in.memory == kernel::Memory::scratch);
  }
}

TEST_CASE("an even number of reals that one kernel takes are pairs") {
  auto t = shape({300, 1000}, 4);
  t.kind = Kind::real;
  const auto forward = cut(t);
  REQUIRE(forward.size() == 2);
  CHECK(forward[0].length == 500);
  CHECK(forward[0].in.elements == kernel::Elements::pairs);
  CHECK(forward[0].out.edge == kernel::Edge{kernel::FoldedSpectrum{}});
  CHECK(forward[0].in.stride == 2);
  CHECK(forward[1].length == 300);
  CHECK(forward[1].loops == std::vector<Loop>{{501, 1, 1}});
  t.lengths = {300, 999};
  const auto inverse = cut(t, true);
  REQUIRE(inverse.size() == 2);
  CHECK(inverse[0].length == 300);
  CHECK(inverse[0].in.memory == kernel::Memory::input);
  CHECK(inverse[0].out.memory == kernel::Memory::scratch);  // the spectrum must not change
  CHECK(inverse[1].length == 999);
  CHECK(inverse[1].in.edge == kernel::Edge{kernel::HalfSpectrum{}});
  CHECK(inverse[1].out.elements == kernel::Elements::real);
}

TEST_CASE("between kernels, points are never where there is no room for them") {
  for (const bool inverse : {false, true}) {
    for (const std::size_t length : {std::size_t{1} << 17, std::size_t{19683} * 27}) {
      auto t = shape({length}, 2);
      t.kind = Kind::real;
      const auto facts = test::large_gpu();
      for (const Request& line : cut(t, inverse)) {
        const auto program = plan::make_program(line, facts, plan::complete(line, facts, {}));
        REQUIRE(program.launches.size() > 1);
        for (std::size_t i = 0; i + 1 < program.launches.size(); ++i) {
          CHECK(program.launches[i].out.memory == kernel::Memory::scratch);
          CHECK(program.launches[i].out.offset !=
                program.launches[i].in.offset +
                    (program.launches[i].in.memory == kernel::Memory::scratch ? 0 : ~0ull));
        }
      }
    }
  }
}

TEST_CASE("a batch beyond what a kernel counts takes several launches") {
  auto t = shape({1}, (std::size_t{1} << 32) + 5);
  const auto found = cut(t);
  REQUIRE(found.size() == 1);
  const auto facts = test::large_gpu();
  const auto program = plan::make_program(found[0], facts, plan::complete(found[0], facts, {}));
  std::uint64_t batch = 0;
  for (const kernel::Launch& launch : program.launches) {
    CHECK(launch.in.offset == batch);
    batch += launch.batch;
    CHECK(launch.batch <= std::uint64_t{1} << 30);
  }
  CHECK(batch == t.batch);
}

}  // namespace
}  // namespace imago::lines
