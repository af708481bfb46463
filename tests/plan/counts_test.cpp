// This file tests that no kernel exceeds the range of its integers.
#include <ctime>

#include "base/errors.hpp"
#include "plan/make_program.hpp"
#include "plan/planner.hpp"
#include "plan/wishes.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;
using namespace imago::plan;
using imago::test::ContainsSubstring;
using imago::test::forced;
using imago::test::request_of;

TEST_CASE("sizes that a kernel's ints cannot count are rejected") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto program_of = [&](const lines::Request& request, Algorithm algorithm) {
    const auto& facts = test::large_gpu();
    return make_program(request, facts, complete(request, facts, forced(mapping, algorithm)));
  };
  lines::Request real = request_of(std::uint64_t{1} << 31);
  CHECK_NOTHROW(program_of(real, Algorithm::hierarchy));
  real.in.elements = kernel::Elements::real, real.out.edge = kernel::HalfSpectrum{};
  CHECK_THROWS_WITH(program_of(real, Algorithm::hierarchy), ContainsSubstring("2147483648 points"));
  // A DCT-IV of complex data is computed by its periodic extension, which uses element numbers.
  lines::Request cosines = request_of(std::uint64_t{1} << 31);
  cosines.in.edge = cosines.out.edge = kernel::Cosines{Kind::dct4, std::uint64_t{1} << 30, false};
  CHECK_THROWS_WITH(program_of(cosines, Algorithm::hierarchy),
                    ContainsSubstring("2147483648 points"));
  const lines::Request prime = request_of((std::uint64_t{1} << 30) + 3);
  CHECK_THROWS_AS(program_of(prime, Algorithm::bluestein), Unsupported);
  lines::Request columns = request_of(std::uint64_t{1} << 20);
  columns.loops = {{std::uint64_t{1} << 20, columns.length, columns.length}};
  CHECK_THROWS_WITH(program_of(columns, Algorithm::global), ContainsSubstring("columns"));
}

TEST_CASE("no launch has more tiles than an int counts") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  lines::Request request = request_of(16, Precision::f32, std::uint64_t{1} << 24);
  request.loops = {{4096, 1, 1}};
  request.in.stride = request.out.stride = 4096;
  request.in.distance = request.out.distance = 16 * 4096;
  auto parameters = complete(request, test::wide_cpu(), forced(mapping));
  if (mapping == Mapping::vector) parameters.kernels[0].columns = 64;  // tiles of a work-item
  const kernel::Program program = make_program(request, test::wide_cpu(), parameters);
  const kernel::Step& step = program.steps[0];
  const std::uint64_t repeat = step.on_work_group() ? 1 : step.vectors().repeat;
  std::uint64_t members = 0;
  for (const kernel::Launch& launch : program.launches) {
    CHECK(launch.groups * repeat <= std::uint64_t{1} << 30);
    CHECK(launch.in.offset == members * request.in.distance);
    members += launch.batch;
  }
  CHECK(members == request.batch);
}

TEST_CASE("has_radices() is fast for lengths of any size") {
  const std::clock_t start = std::clock();
  CHECK(!kernel::has_radices((std::uint64_t{1} << 62) - 57));  // a prime
  CHECK(!kernel::has_radices(37 * 37));
  CHECK(kernel::has_radices(std::uint64_t{31} << 58));
  CHECK(kernel::has_radices(1));
  CHECK(kernel::without_radices(std::uint64_t{61} << 57) == 61);
  CHECK(kernel::without_radices(31 * 37 * 41) == 37 * 41);
  CHECK(std::clock() - start < CLOCKS_PER_SEC / 5);
}
