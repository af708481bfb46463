// This file tests the planner's decisions for devices that this machine need not have: every length
// gets a legal program, its counts are right, and a request is fulfilled or rejected with a reason.
#include "plan/planner.hpp"
#include "kernel/key.hpp"
#include "plan/make_program.hpp"

#include <algorithm>
#include <set>

#include "base/integers.hpp"
#include "catalogue/planned_lengths.hpp"
#include "catalogue/random.hpp"
#include "kernel/edges/convolved.hpp"
#include "plan/describe.hpp"
#include "plan/wishes.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::plan;
using imago::test::ContainsSubstring;
using imago::test::forced;
using imago::test::request_of;

namespace {

/// Returns all short lengths, and some of every size up to `limit`.
std::vector<std::uint64_t> many_lengths(std::uint64_t limit) {
  auto lengths = catalogue::planned_lengths(std::uint64_t{1} << 13);
  const auto all = catalogue::planned_lengths(limit);
  catalogue::Random random(3);
  for (int i = 0; i < 400; ++i) lengths.push_back(all[random.below(all.size())]);
  for (std::uint64_t power = 2; power <= limit; power *= 2) lengths.push_back(power);
  return lengths;
}

template <class Check>
void for_devices(Check check) {
  for (const auto& facts : {test::wide_cpu(), test::large_gpu(), test::small_gpu()}) {
    for (const auto mapping : {Mapping::work_group, Mapping::vector}) {
      for (const auto precision : {Precision::f32, Precision::f64}) {
        if (precision == Precision::f32 || facts.f64.native) check(facts, mapping, precision);
      }
    }
  }
}

void check_step(const kernel::Step& step, const device::Facts& facts) {
  std::uint64_t product = 1;
  for (std::size_t i = step.convolution.passes_forth; i < step.passes.size(); ++i)
    product *= step.passes[i].radix;
  REQUIRE(product == step.length);
  for (std::size_t i = 0; i < step.convolution.passes_forth; ++i)
    REQUIRE(step.passes[i].radix == step.passes[step.passes.size() - 1 - i].radix);
  REQUIRE(step.work_group_size() <= facts.max_work_group);
  REQUIRE(step.local_bytes() <= facts.local_bytes);
}

/// Checks the properties of every program.
void check_program(const kernel::Program& program, const lines::Request& request,
                   const device::Facts& facts) {
  const std::uint64_t bytes =
      request.length * request.batch * (request.precision == Precision::f64 ? 16 : 8);
  // Each kernel reads and writes the data once. Tables come in addition and are smaller than the
  // data.
  REQUIRE(program.bytes_moved >= 2 * bytes * program.launches.size());
  for (const auto& step : program.steps) check_step(step, facts);
  std::uint64_t length = 1;
  for (const auto& launch : program.launches) {
    const auto& step = program.steps.at(launch.step);
    length *= step.length;
    REQUIRE(launch.batch == request.batch);
    REQUIRE(launch.groups >= 1);
    REQUIRE(step.has_table == (launch.table >= 0));
    if (launch.table >= 0) REQUIRE(static_cast<std::size_t>(launch.table) < program.tables.size());
  }
  REQUIRE(length == request.length);
}

template <class Exception>
std::string refusal(const lines::Request& request, const Parameters& wish,
                    const device::Facts& facts = test::large_gpu()) {
  return test::message_of<Exception>([&] { complete(request, facts, wish); });
}

Parameters one_kernel(Mapping mapping, KernelParameters kernel) {
  Parameters parameters = forced(mapping);
  parameters.kernels = {std::move(kernel)};
  return parameters;
}

}  // namespace

TEST_CASE("every length has a legal program on every device") {
  const auto lengths = many_lengths(std::uint64_t{1} << 24);
  for_devices([&](const device::Facts& facts, Mapping mapping, Precision precision) {
    for (const auto length : lengths) {
      for (const std::uint64_t batch : {3, 100}) {  // defaults depend on the batch
        CAPTURE(facts.name, static_cast<int>(mapping), static_cast<int>(precision), length, batch);
        const auto request = request_of(length, precision, batch);
        Parameters parameters;
        REQUIRE_NOTHROW(parameters = complete(request, facts, forced(mapping)));
        REQUIRE(complete(request, facts, parameters) == parameters);
        check_program(make_program(request, facts, parameters), request, facts);
      }
    }
  });
}

TEST_CASE(
    "lengths up to what memory holds have a program, with wide indices where they are needed") {
  const auto lengths = {std::uint64_t{1} << 28, std::uint64_t{1} << 31, std::uint64_t{1} << 33,
                        std::uint64_t{3486784401}};
  for_devices([&](const device::Facts& facts, Mapping mapping, Precision precision) {
    for (const auto length : lengths) {
      CAPTURE(facts.name, static_cast<int>(mapping), static_cast<int>(precision), length);
      const auto request = request_of(length, precision);
      const auto program = make_program(request, facts, complete(request, facts, forced(mapping)));
      check_program(program, request, facts);
      for (const auto& step : program.steps) {
        if (length >= std::uint64_t{1} << 31) CHECK(step.wide_index);
      }
    }
  });
}

TEST_CASE("launches follow the algorithm") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto facts = test::large_gpu();
  const auto program_with = [&](std::uint64_t length, const Parameters& wish) {
    return make_program(request_of(length), facts, complete(request_of(length), facts, wish));
  };
  CHECK(program_with(4096, forced(mapping, Algorithm::single)).launches.size() == 1);
  CHECK(program_with(4096, forced(mapping, Algorithm::hierarchy)).launches.size() == 2);
  CHECK(program_with(1 << 20, forced(mapping)).launches.size() == 2);
  const auto global = complete(request_of(4096), facts, forced(mapping, Algorithm::global));
  const auto program = make_program(request_of(4096), facts, global);
  CHECK(program.launches.size() == global.kernels.size());
  for (const auto& step : program.steps) CHECK(step.passes.size() == 1);
}

TEST_CASE(
    "on a CPU columns are no longer than pages are at hand, and the first of three is short") {
  const auto facts = test::wide_cpu();
  for (unsigned bits = 17; bits <= 30; ++bits) {
    const auto kernels = complete(request_of(std::uint64_t{1} << bits), facts, {}).kernels;
    INFO("2^" << bits << ", " << kernels.size() << " kernels, the first of " << kernels[0].length);
    CHECK(kernels.size() == (bits <= 22 ? 2 : 3));
    for (const auto& kernel : kernels) CHECK(kernel.length <= 2048);
    if (bits > 22) CHECK(kernels[0].length == std::max(32U, 1U << (bits > 20 ? bits - 20 : 0)));
  }
}

TEST_CASE("a description has a line per launch") {
  const auto request = request_of(1 << 20);
  const auto facts = test::large_gpu();
  const auto program = make_program(request, facts, complete(request, facts, {}));
  const auto text = describe(program, request);
  CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) >=
        program.launches.size());
  for (const auto& step : program.steps)
    CHECK_THAT(text, ContainsSubstring(std::to_string(step.length)));
}

TEST_CASE("batch, placement and scale value compile nothing new") {
  for_devices([&](const device::Facts& facts, Mapping mapping, Precision precision) {
    for (const std::uint64_t length : {8, 60, 1024, 65536}) {
      std::set<std::string> names;
      for (std::uint64_t batch = 1; batch <= 1000; batch += batch < 40 ? 1 : 37) {
        auto request = request_of(length, precision, batch);
        request.placement = batch % 2 == 0 ? Placement::in_place : Placement::out_of_place;
        request.scale = batch % 3 == 0 ? 0.25 : 0.5;
        for (const auto& step :
             make_program(request, facts, complete(request, facts, forced(mapping))).steps) {
          names.insert(kernel::name_of(step));
        }
      }
      const auto request = request_of(length, precision);
      CAPTURE(facts.name, static_cast<int>(mapping), length);
      // A hierarchy may use another kernel for a batch of one, and so may a CPU for batches that
      // are too small for its cores; no others may.
      const std::size_t most = facts.type == device::Type::cpu ? 3 : 2;
      CHECK(names.size() <= most * complete(request, facts, forced(mapping)).kernels.size());
    }
  });
}

TEST_CASE("primes up to 31 are passes, larger ones passes or convolutions") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  auto facts = test::large_gpu();
  const auto algorithm = [&](std::uint64_t length, Precision precision = Precision::f32) {
    return complete(request_of(length, precision), facts, forced(mapping)).algorithm;
  };
  CHECK(algorithm(17) == Algorithm::single);
  CHECK(complete(request_of(17), facts, forced(mapping)).kernels[0].radices ==
        std::vector<unsigned>{17});
  CHECK(algorithm(31 * 32) == Algorithm::single);
  // Convolutions of one kernel are as fast in vectors, or compile faster.
  const bool vectors = mapping == Mapping::vector;
  CHECK(algorithm(61) == (vectors ? Algorithm::rader : Algorithm::single));
  CHECK(algorithm(37 * 3) == (vectors ? Algorithm::bluestein : Algorithm::single));
  CHECK(algorithm(37 * 4) == Algorithm::single);
  CHECK(algorithm(47 * 8) == (vectors ? Algorithm::bluestein : Algorithm::single));
  CHECK(algorithm(61 * 64) == Algorithm::single);
  CHECK(algorithm(61 << 16) == Algorithm::hierarchy);
  CHECK(algorithm(37 * 41) == Algorithm::bluestein);  // a kernel has one large prime at most
  CHECK(algorithm(67 * 2) == (vectors ? Algorithm::bluestein : Algorithm::single));
  CHECK(algorithm(97 * 64) == (vectors ? Algorithm::bluestein : Algorithm::single));
  CHECK(algorithm(101 * 2) == Algorithm::bluestein);
  // Work-groups have no room for these radices in f64, nor have pairs.
  CHECK(algorithm(61 * 64, Precision::f64) == (vectors ? Algorithm::single : Algorithm::bluestein));
  facts.f64.pairs = true;
  CHECK(algorithm(61 * 64, Precision::f64) == Algorithm::bluestein);
  facts.compute_unit.item_registers = 128;
  CHECK(algorithm(61 * 64) == (vectors ? Algorithm::single : Algorithm::bluestein));
  facts = test::large_gpu();
  CHECK(algorithm(1009) == Algorithm::rader);
  CHECK(algorithm(8191) == Algorithm::rader);
  CHECK(algorithm(167) == Algorithm::bluestein);  // 166 = 2 * 83
  CHECK(algorithm(999983) == Algorithm::bluestein);
}

TEST_CASE("a convolution takes a kernel, or one less than twice as many as its length") {
  for_devices([&](const device::Facts& facts, Mapping mapping, Precision precision) {
    for (const std::uint64_t length : {101, 202, 167, 1009, 8191, 65537, 999983, 16777259}) {
      CAPTURE(facts.name, static_cast<int>(mapping), length);
      auto request = request_of(length, precision);
      const auto parameters = complete(request, facts, forced(mapping));
      const auto program = make_program(request, facts, parameters);
      std::uint64_t convolved = 1;
      for (const auto& kernel : parameters.kernels) convolved *= kernel.length;
      CHECK(lengths_of(kernel::convolved_by(parameters.algorithm, length)).allow(convolved));
      REQUIRE(program.steps.size() == 2 * parameters.kernels.size() - 1);
      for (const auto& step : program.steps) check_step(step, facts);
      CHECK(is_any(program.steps.front().in.convolved));
      CHECK(is_any(program.steps.back().out.convolved));
      CHECK(program.steps[parameters.kernels.size() - 1].convolution.passes_forth > 0);
      // No kernel of a chain reads the memory that it writes.
      for (const auto& launch : program.launches) {
        const bool same = launch.in.memory == launch.out.memory;
        CHECK((!same || launch.in.offset != launch.out.offset));
        const auto end = launch.out.offset + convolved * request.batch;
        if (launch.out.memory == kernel::Memory::scratch)
          CHECK(end * (precision == Precision::f64 ? 16 : 8) <= program.scratch_bytes);
      }
      if (program.steps.size() == 1) CHECK(program.scratch_bytes == 0);
    }
  });
}

TEST_CASE("half precision is on the caller's side of the first and the last kernel alone") {
  const auto facts = test::large_gpu();
  for (const auto mapping : {Mapping::work_group, Mapping::vector}) {
    for (const auto placement : {Placement::in_place, Placement::out_of_place}) {
      auto request = request_of(3600, Precision::f16, 10);
      request.placement = placement;
      auto wish = forced(mapping, Algorithm::hierarchy);
      wish.kernels.resize(3);
      wish.kernels[0].length = 12, wish.kernels[1].length = 20, wish.kernels[2].length = 15;
      const auto program = make_program(request, facts, complete(request, facts, wish));
      REQUIRE(program.steps.size() == 3);
      for (std::size_t i = 0; i < 3; ++i) {
        const kernel::Step& step = program.steps[i];
        CHECK(step.precision == Precision::f32);
        CHECK(step.in.f16 == (i == 0));
        CHECK(step.out.f16 == (i == 2));
        CHECK(program.launches[i].in.memory ==
              (i == 0 ? kernel::Memory::input : kernel::Memory::scratch));
        CHECK(program.launches[i].out.memory ==
              (i == 2 ? kernel::Memory::output : kernel::Memory::scratch));
      }
      // Two parts in f32; each kernel reads one and writes the other.
      CHECK(program.scratch_bytes == 2 * 36000 * 8);
      CHECK(program.launches[1].in.offset != program.launches[1].out.offset);
      CHECK(program.bytes_moved == 36000 * (2 * 4 + 4 * 8));
      for (const kernel::Table& table : program.tables) CHECK(table.precision == Precision::f32);
    }
  }
}

TEST_CASE("a kernel alone moves halves only") {
  const auto facts = test::wide_cpu();
  auto request = request_of(1000, Precision::f16, 7);
  const auto program = make_program(request, facts, complete(request, facts, {}));
  REQUIRE(program.steps.size() == 1);
  CHECK(program.scratch_bytes == 0);
  CHECK(program.bytes_moved == 2 * 7000 * 4);
  CHECK(program.steps[0].bytes(program.steps[0].in) == 4);
  CHECK(program.steps[0].bytes(program.steps[0].out) == 4);
}

TEST_CASE("wishes that are not legal are refused with the field") {
  const auto work_group = [](KernelParameters kernel) {
    return one_kernel(Mapping::work_group, std::move(kernel));
  };
  const auto vector = [](KernelParameters kernel) {
    return one_kernel(Mapping::vector, std::move(kernel));
  };
  KernelParameters kernel;
  kernel.length = 64;

  SECTION("radices whose product is not the length") {
    kernel.radices = {4, 4};
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), work_group(kernel)),
               ContainsSubstring("radices"));
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), vector(kernel)),
               ContainsSubstring("radices"));
  }
  SECTION("a radix that no block has") {
    kernel.length = 64;
    kernel.radices = {64};
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), work_group(kernel)),
               ContainsSubstring("64"));
    kernel.radices = {0, 64};
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), work_group(kernel)),
               ContainsSubstring("radices"));
  }
  SECTION("kernels whose product is not the length") {
    kernel.length = 32;
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), work_group(kernel)),
               ContainsSubstring("64"));
  }
  SECTION("a kernel without a length among several") {
    auto several = work_group(kernel);
    several.kernels = {{}, {}, {.length = 16}};
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), several),
               ContainsSubstring("parameters.kernels[0].length"));
    several.mapping = Mapping::vector;
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), several),
               ContainsSubstring("parameters.kernels[0].length"));
  }
  SECTION("more work-items than the device has") {
    kernel.columns = 4096;
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), work_group(kernel)),
               ContainsSubstring("1024"));
  }
  SECTION("more local memory than the device has") {
    kernel.length = 4096;
    kernel.items = 256;
    kernel.columns = 4;
    CHECK_THAT(refusal<InvalidArgument>(request_of(4096), work_group(kernel)),
               ContainsSubstring("local memory"));
  }
  SECTION("vector widths that OpenCL does not have") {
    kernel.lanes = 3;
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), vector(kernel)),
               ContainsSubstring("lanes"));
    kernel.lanes = 32;
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), vector(kernel)), ContainsSubstring("32"));
  }
  SECTION("a convolution that is too short") {
    Parameters wish = forced(Mapping::vector, Algorithm::bluestein);
    wish.kernels = {{.length = 126}};
    CHECK_THAT(refusal<InvalidArgument>(request_of(65), wish), ContainsSubstring("128"));
    wish.algorithm = Algorithm::rader;
    CHECK_THAT(refusal<InvalidArgument>(request_of(67), wish), ContainsSubstring("66"));
    CHECK_THAT(refusal<InvalidArgument>(request_of(64), wish), ContainsSubstring("prime"));
    wish.kernels = {{.length = 6}, {.length = 11}};
    CHECK_THAT(refusal<InvalidArgument>(request_of(67), wish), ContainsSubstring("one kernel"));
    wish.kernels = {{}, {.length = 16}};
    CHECK_THAT(refusal<InvalidArgument>(request_of(67), wish),
               ContainsSubstring("parameters.kernels[0].length"));
  }
  SECTION("passes for a length that has none") {
    const auto single = forced(Mapping::vector, Algorithm::single);
    CHECK_THAT(refusal<InvalidArgument>(request_of(67), single), ContainsSubstring("radices"));
  }
  SECTION("a radix that work-items have no room for") {
    Parameters wish = forced(Mapping::work_group, Algorithm::single);
    wish.kernels = {{.length = 61 * 8, .radices = {61, 8}}};
    CHECK_NOTHROW(complete(request_of(61 * 8), test::large_gpu(), wish));
    CHECK_THAT(refusal<InvalidArgument>(request_of(61 * 8, Precision::f64), wish),
               ContainsSubstring("at most 31"));
  }
  SECTION("an algorithm that cannot take the length") {
    const auto single = forced(Mapping::work_group, Algorithm::single);
    CHECK_THAT(refusal<InvalidArgument>(request_of(std::uint64_t{1} << 22), single),
               ContainsSubstring("parameters"));
    const auto hierarchy = forced(Mapping::work_group, Algorithm::hierarchy);
    CHECK_THAT(refusal<InvalidArgument>(request_of(13), hierarchy), ContainsSubstring("algorithm"));
  }
}

TEST_CASE("a legal wish is kept") {
  KernelParameters kernel;
  kernel.length = 4096;
  kernel.radices = {16, 16, 16};
  kernel.items = 256;
  kernel.exchange = Exchange::split;
  kernel.twiddles = Twiddles::polynomial;
  const auto wish = one_kernel(Mapping::work_group, kernel);
  const auto got = complete(request_of(4096), test::large_gpu(), wish);
  REQUIRE(got.kernels.size() == 1);
  CHECK(got.kernels[0].radices == kernel.radices);
  CHECK(got.kernels[0].items == 256);
  CHECK(got.kernels[0].exchange == Exchange::split);
  const auto program = make_program(request_of(4096), test::large_gpu(), got);
  for (std::size_t i = 1; i < program.steps[0].passes.size(); ++i) {
    CHECK(program.steps[0].passes[i].twiddles == Twiddles::polynomial);
  }
}

TEST_CASE("parameters that were tuned on few cores keep many cores busy") {
  const auto wish = one_kernel(Mapping::vector, {.length = 16384, .columns = 2});
  const auto facts = test::wide_cpu();  // 16 cores
  const auto groups = [&](std::uint64_t batch) {
    const auto request = request_of(16384, Precision::f32, batch);
    return make_program(request, facts, complete(request, facts, wish)).launches.at(0).groups;
  };
  CHECK(groups(16) == 16);
  CHECK(groups(31) == 31);
  CHECK(groups(32) == 16);
  CHECK(groups(64) == 32);
}

TEST_CASE("the defaults hold no more points than fit into a work-item's registers") {
  auto facts = test::large_gpu();
  const auto most = [&](std::uint64_t length, Precision precision) {
    unsigned points = 0;
    for (const KernelParameters& kernel :
         complete(request_of(length, precision), facts, {}).kernels) {
      for (const unsigned radix : kernel.radices)
        points = std::max(points, radix * static_cast<unsigned>(base::ceil_divide(
                                              kernel.length / radix, kernel.items)));
    }
    return points;
  };
  CHECK(most(1u << 20, Precision::f32) == 32);
  CHECK(most(1u << 20, Precision::f64) == 16);
  facts.compute_unit.item_registers = 128;
  CHECK(most(1u << 20, Precision::f32) == 32);
  facts.compute_unit.register_factor = 1.2;
  CHECK(most(1u << 20, Precision::f32) == 16);
  CHECK(most(1u << 20, Precision::f64) == 8);
  CHECK(most(4000, Precision::f32) <= 30);
  facts.compute_unit.item_registers = 64;
  CHECK(most(1u << 20, Precision::f32) == 8);
  CHECK(most(1u << 20, Precision::f64) == 4);
  CHECK(most(13 * 13 * 13, Precision::f64) == 13);  // spills, but works
  facts.compute_unit.item_registers = 1;
  CHECK(most(1u << 20, Precision::f32) == 2);
}
