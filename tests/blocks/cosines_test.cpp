// This file runs cosine and sine transforms on the host interpreter: every way to compute them by a
// DFT, in both mappings, in one kernel and in several.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "blocks/emit.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/reference.hpp"
#include "plan/cuts.hpp"
#include "plan/make_program.hpp"
#include "problem/make_problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/interpreted.hpp"
#include "support/naive.hpp"

using namespace imago;

namespace {

constexpr Kind kKinds[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                           Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

kernel::Program program_of(const Transform& transform, bool inverse, const device::Facts& facts,
                           const Parameters& wish) {
  const auto lines = plan::lines_of(problem::make_problem(transform), inverse, wish, facts);
  const auto shares = plan::share(wish, lines);
  kernel::Program program;
  for (std::size_t i = 0; i < lines.size(); ++i)
    kernel::append(program,
                   plan::make_program(lines[i], facts, plan::complete(lines[i], facts, shares[i])));
  return program;
}

catalogue::Case case_of(const Transform& transform, bool inverse) {
  catalogue::Case problem;
  problem.lengths.assign(transform.lengths.begin(), transform.lengths.end());
  problem.kind = transform.kind, problem.axes = transform.axes;
  problem.norm = transform.norm;
  problem.direction = inverse ? catalogue::Direction::inverse : catalogue::Direction::forward;
  return problem;
}

/// Runs packed members and checks the error of all against `share` of the bound. Two real numbers
/// are one complex number of the interpreter; marks follow.
void check(const Transform& transform, const device::Facts& facts, const Parameters& wish,
           bool inverse = false, double share = 2) {
  const auto problem = case_of(transform, inverse);
  CAPTURE(problem.name(), facts.name, transform.batch);
  const auto program = program_of(transform, inverse, facts, wish);
  catalogue::Reference<double> reference(problem);
  const std::size_t reals = reference.input().size(), all = reals * transform.batch;
  test::HostArrays<float> arrays{test::random_data<float>((all + 1) / 2, reals), {}, 0, 0};
  if (transform.placement == Placement::out_of_place)
    arrays.out.assign((all + 1) / 2, {std::numeric_limits<float>::quiet_NaN(), 0});
  const auto data = arrays.in;
  test::Interpreted<float> interpreted(program);
  REQUIRE_NOTHROW(interpreted.run(arrays));
  const auto* const in = reinterpret_cast<const float*>(data.data());
  const auto* const out =
      reinterpret_cast<const float*>((arrays.out.empty() ? arrays.in : arrays.out).data());
  double error = 0, norm = 0;
  for (std::size_t member = 0; member < transform.batch; ++member) {
    std::copy_n(in + member * reals, reals, reference.input().begin());
    const auto expected = reference.run();
    for (std::size_t i = 0; i < reals; ++i) {
      error += std::pow(out[member * reals + i] - problem.scale() * expected[i], 2);
      norm += std::pow(problem.scale() * expected[i], 2);
    }
  }
  REQUIRE(std::sqrt(error / norm) < share * catalogue::error_bound(problem));
}

}  // namespace

TEST_CASE("cosine and sine transforms of every short length on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  std::size_t turn = 0;
  for (const Kind kind : kKinds) {
    for (std::size_t n = kind == Kind::dct1 ? 2 : 1; n <= 40; ++n, ++turn) {
      Transform transform{.kind = kind, .lengths = {n}, .batch = 1 + turn % 5};
      transform.norm = turn % 3 == 0 ? Norm::ortho : Norm::backward;
      transform.placement = turn % 2 == 0 ? Placement::in_place : Placement::out_of_place;
      check(transform, facts, {.mapping = mapping}, turn % 7 < 3);
    }
  }
}

TEST_CASE("points and partners are joined by a factor that is rounded once") {
  // The fourth power of a rounded factor has four times its error.
  for (const Kind kind : {Kind::dct2, Kind::dct3, Kind::dst2, Kind::dst3})
    check({.kind = kind, .lengths = {8}, .batch = 512}, test::wide_cpu(),
          {.mapping = Mapping::vector}, false, 0.57);
}

TEST_CASE("longer cosine and sine transforms on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto facts = GENERATE(test::large_gpu(), test::small_gpu());
  for (const Kind kind : kKinds) {
    for (const std::size_t n : {64, 101, 256, 360, 1024, 1025, 2048})
      check({.kind = kind, .lengths = {n}, .batch = 3}, facts, {.mapping = mapping});
  }
}

TEST_CASE("cosine and sine transforms in several kernels on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  const auto algorithm = GENERATE(Algorithm::hierarchy, Algorithm::global);
  for (const Kind kind : kKinds) {
    const std::size_t more = kind == Kind::dct1 ? 1 : 0, less = kind == Kind::dst1 ? 1 : 0;
    for (const std::size_t half : {64, 90, 96}) {
      const std::size_t n = half + more - less;
      for (const std::size_t batch : {1, 2, 5})
        check({.kind = kind, .lengths = {n}, .batch = batch, .norm = Norm::ortho}, facts,
              {.mapping = mapping, .algorithm = algorithm});
    }
  }
}

TEST_CASE("cosine and sine transforms as convolutions on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto algorithm = GENERATE(Algorithm::rader, Algorithm::bluestein);
  for (const Kind kind : kKinds) {
    const bool three = kind == Kind::dct3 || kind == Kind::dst3;
    if (algorithm == Algorithm::rader && !three && kind != Kind::dct4 && kind != Kind::dst4)
      continue;  // the others have even numbers of points
    const std::size_t n = three ? 37 : 74;
    for (const std::size_t batch : {1, 4, 7})
      check({.kind = kind, .lengths = {n}, .batch = batch, .norm = Norm::ortho}, test::wide_cpu(),
            {.mapping = mapping, .algorithm = algorithm});
  }
}

TEST_CASE("butterflies in couples have their mirror images at hand") {
  struct Couples {
    std::vector<std::size_t> lengths;
    std::vector<unsigned> radices;
    unsigned items;
    std::vector<Kind> kinds;
  };
  const std::vector<Kind> both{Kind::dct2, Kind::dst2, Kind::dct3, Kind::dst3};
  const auto couples = GENERATE_COPY(
      Couples{{128}, {8, 8}, 4, both}, Couples{{72}, {6, 6}, 3, both},
      Couples{{40}, {2, 10}, 1, {Kind::dct2, Kind::dst2}},
      Couples{{240}, {5, 4, 6}, 10, {Kind::dct2, Kind::dst2}},
      Couples{{240}, {6, 4, 5}, 10, {Kind::dct3, Kind::dst3}},
      Couples{{2048}, {8, 16, 8}, 64, both}, Couples{{16, 32}, {4, 4, 4, 4}, 16, both},
      Couples{{32, 128}, {8, 8, 4, 8}, 128, {Kind::dct2, Kind::dst2}},
      Couples{{32, 128}, {8, 4, 8, 8}, 128, {Kind::dct3, Kind::dst3}},
      Couples{{16, 15}, {5, 3, 4, 4}, 10, {Kind::dct2, Kind::dst2}},
      Couples{{16, 15}, {4, 4, 5, 3}, 10, {Kind::dct3, Kind::dst3}},
      Couples{{6, 4, 20}, {5, 2, 2, 2, 3, 2}, 12, {Kind::dct2, Kind::dst2}});
  const auto facts = test::small_gpu();
  for (const Kind kind : couples.kinds) {
    for (const Norm norm : {Norm::ortho, Norm::none}) {
      const Transform transform{.kind = kind, .lengths = couples.lengths, .batch = 3, .norm = norm};
      KernelParameters kernel{.radices = couples.radices, .items = couples.items};
      kernel.length = 1;
      for (const unsigned radix : couples.radices) kernel.length *= radix;
      const Parameters wish{
          .mapping = Mapping::work_group, .algorithm = Algorithm::single, .kernels = {kernel}};
      const auto program = program_of(transform, false, facts, wish);
      const auto& passes = program.steps.at(0).passes;
      CHECK(std::any_of(passes.begin(), passes.end(), [](const auto& p) { return p.coupled > 0; }));
      check(transform, facts, wish);
    }
  }
}

TEST_CASE("idle butterflies behind the last axis hold nothing") {
  const Parameters none;
  const Parameters idle{
      .mapping = Mapping::work_group,
      .algorithm = Algorithm::single,
      .kernels = {{.length = 256, .radices = {4, 2, 2, 2, 2, 2, 2}, .items = 121}}};
  for (const auto& [facts, lengths, wish] :
       std::vector<std::tuple<device::Facts, std::vector<std::size_t>, Parameters>>{
           {test::large_gpu(), {38, 32}, none},
           {test::large_gpu(), {26, 32}, none},
           {test::small_gpu(), {64, 28}, none},
           {test::small_gpu(), {32, 25}, none},
           {test::large_gpu(), {8, 8, 8}, idle}}) {
    for (const Kind kind : {Kind::dct2, Kind::dct3, Kind::dst2})
      for (const bool inverse : {false, true})
        if (wish.kernels.empty() || (kind != Kind::dct3) != inverse)
          check({.kind = kind, .lengths = lengths, .batch = 3}, facts, wish, inverse);
  }
}

TEST_CASE("kernels of one point between others change nothing") {
  for (const Kind kind : {Kind::dct2, Kind::dct3, Kind::dst3}) {
    for (const std::vector<std::size_t>& parts :
         std::vector<std::vector<std::size_t>>{{1, 2, 16}, {2, 1, 16}, {2, 16, 1}, {1, 32}}) {
      Parameters wish{.mapping = Mapping::work_group, .algorithm = Algorithm::hierarchy};
      for (const std::size_t part : parts) wish.kernels.push_back({.length = part});
      check({.kind = kind, .lengths = {64}, .batch = 5}, test::large_gpu(), wish);
    }
  }
}

TEST_CASE("work-items that write where they have read do not wait for the others") {
  const auto facts = test::large_gpu();
  const auto barriers = [&](const Transform& transform) {
    const auto kernel = blocks::emit(program_of(transform, false, facts, {}).steps.at(0));
    return std::count_if(kernel.code.begin(), kernel.code.end(),
                         [](const auto& each) { return each.op == ir::Op::barrier; });
  };
  // The two passes write local memory between axes and at the end: three barriers.
  CHECK(barriers({.kind = Kind::dct2, .lengths = {8, 8}, .batch = 64}) == 3);
  // Several work-items read the Hermitian partners; the last two of the three exchanges need
  // barriers.
  CHECK(barriers({.kind = Kind::dct3, .lengths = {512}, .batch = 64}) == 5);
}

TEST_CASE("cosine and sine transforms along several axes on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  const auto inverse = GENERATE(false, true);
  for (const auto placement : {Placement::in_place, Placement::out_of_place}) {
    for (const auto& [axes, lengths] :
         std::vector<std::pair<std::vector<Kind>, std::vector<std::size_t>>>{
             {{Kind::dct2, Kind::dct2}, {8, 8}},
             {{Kind::dst2, Kind::dct3}, {5, 9}},
             {{Kind::dst3, Kind::dst2}, {48, 40}},
             {{Kind::dct2, Kind::dst3, Kind::dct3}, {4, 21, 6}},
             {{Kind::dct4, Kind::dst1, Kind::dct1}, {6, 7, 5}},
             {{Kind::identity, Kind::dct2, Kind::identity}, {3, 16, 17}},
             {{Kind::dct2, Kind::complex}, {12, 10}},
             {{Kind::complex, Kind::dst4}, {6, 10}}}) {
      for (const std::size_t batch : {1, 3})
        check({.axes = axes,
               .lengths = lengths,
               .batch = batch,
               .placement = placement,
               .norm = Norm::ortho},
              facts, {.mapping = mapping}, inverse);
    }
  }
}
