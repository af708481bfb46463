// This file checks the kernels of real lines of even length that do not fit one kernel: which
// kernel folds the half spectrum, how it pairs columns, and which parameters are legal.
#include <imago/error.hpp>

#include "base/integers.hpp"
#include "kernel/key.hpp"
#include "plan/cuts.hpp"
#include "plan/legality.hpp"
#include "plan/make_program.hpp"
#include "plan/space.hpp"
#include "problem/make_problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago::plan {
namespace {

lines::Request line_of(std::size_t reals, std::size_t batch, bool inverse,
                       const device::Facts& facts = test::large_gpu(),
                       const Parameters& wish = {}) {
  Transform t;
  t.kind = Kind::real;
  t.lengths = {reals};
  t.batch = batch;
  const auto found = lines_of(problem::make_problem(t), inverse, wish, facts);
  REQUIRE(found.size() == 1);
  return found[0];
}

kernel::Program program_of(const lines::Request& request,
                           const std::vector<KernelParameters>& kernels = {},
                           const device::Facts& facts = test::large_gpu()) {
  Parameters wish;
  wish.kernels = kernels;
  return make_program(request, facts, complete(request, facts, wish));
}

}  // namespace

TEST_CASE("long even lines of reals are pairs over several kernels of a GPU") {
  for (const bool inverse : {false, true}) {
    const auto line = line_of(1 << 17, 3, inverse);
    CHECK(line.length == 1 << 16);
    CHECK((inverse ? line.out : line.in).elements == kernel::Elements::pairs);
    CHECK((inverse ? line.in : line.out).edge == kernel::Edge{kernel::FoldedSpectrum{}});
    CHECK((inverse ? line.out.stride : line.in.stride) == 2);
    const auto program = program_of(line);
    REQUIRE(program.steps.size() == 2);
    CHECK(program.scratch_bytes == 8ull * 3 * (1 << 16));
    for (std::size_t i = 0; i < 2; ++i) {
      const bool folds = i == (inverse ? 0u : 1u);
      CAPTURE(inverse, i, kernel::name_of(program.steps[i]));
      CHECK((program.steps[i].at_load().one_more || program.steps[i].at_store().one_more) == folds);
      CHECK(program.steps[i].mirrored() == folds);
      CHECK(program.steps[i].group().fetches_partners_at_store == (folds && !inverse));
    }
  }
}

TEST_CASE("lines of reals that kernels do not fold are complex numbers") {
  const auto as_complex = [](const lines::Request& line, std::size_t reals) {
    return line.length == reals && line.in.elements == kernel::Elements::real &&
           line.out.edge == kernel::Edge{kernel::HalfSpectrum{}};
  };
  CHECK(as_complex(line_of(59049 * 3, 1, false), 59049 * 3));
  CHECK(as_complex(line_of(2 * 65537, 1, false), 2 * 65537));
  CHECK(as_complex(line_of(1 << 20, 1, false, test::wide_cpu()), 1 << 20));
  Parameters wish;
  wish.algorithm = Algorithm::bluestein;
  CHECK(as_complex(line_of(1 << 17, 1, false, test::large_gpu(), wish), 1 << 17));
  wish.algorithm = Algorithm::hierarchy;
  CHECK(as_complex(line_of(4, 1, false, test::large_gpu(), wish), 4));  // two pairs cannot be split
  CHECK(line_of(8, 1, false, test::large_gpu(), wish).length == 4);
}

TEST_CASE("mirrored columns are taken in pairs, one half of the tile for each side") {
  for (const bool inverse : {false, true}) {
    // Columns of the folding kernel: the remaining factor of the length.
    for (const std::size_t columns : {8, 9}) {
      const std::size_t batch = 5, tile = 4;
      const KernelParameters folding{.length = 1000, .columns = tile}, other{.length = columns};
      const auto line = line_of(2 * 1000 * columns, batch, inverse);
      const auto program =
          inverse ? program_of(line, {folding, other}) : program_of(line, {other, folding});
      const std::size_t at = inverse ? 0 : 1;
      const kernel::Step& step = program.steps.at(at);
      REQUIRE(step.columns.size() == 1);
      CHECK(step.columns[0].mirror == kernel::Mirror::points);
      CHECK(step.columns[0].extent == columns);
      CHECK(step.columns[0].pairs() == (columns + 1) / 2);
      CHECK(step.column_count() == columns);
      CHECK(step.place_count() == 2 * ((columns + 1) / 2));
      CHECK(program.launches.at(at).groups == batch * base::ceil_divide(step.place_count(), tile));
      CHECK(!program.steps.at(1 - at).mirrored());
    }
  }
}

TEST_CASE("a kernel that folds mirrored columns needs an even number of them and their memory") {
  const auto facts = test::small_gpu();
  const auto line = line_of(2 * 16 * 16, 1, false, facts);
  const auto checked = [&](std::size_t kernel, const KernelParameters& parameters) {
    Parameters wish;
    wish.kernels = {{.length = 16}, {.length = 16}};
    wish.kernels[kernel] = parameters;
    return complete(line, facts, wish);
  };
  CHECK_NOTHROW(checked(0, {.length = 16, .columns = 3}));
  CHECK_THROWS_AS(checked(1, {.length = 16, .columns = 3}), InvalidArgument);
  CHECK_NOTHROW(checked(1, {.length = 16, .columns = 6}));
  // A kernel of one pass also brings points and their Hermitian partners together in local memory.
  auto tight = facts;
  tight.local_bytes = 16 * 64 * 4 - 1;
  const KernelParameters one_pass{
      .length = 16, .radices = {16}, .items = 1, .columns = 64, .exchange = Exchange::split};
  KernelContext context{.request = &line, .index = 1, .only = false};
  CHECK_NOTHROW(check_kernel(context, tight, Mapping::work_group, one_pass));
  context.mirror = kernel::Mirror::points;
  CHECK_THROWS_AS(check_kernel(context, tight, Mapping::work_group, one_pass), InvalidArgument);
}

TEST_CASE("every candidate for a long line of reals is legal and has a program") {
  const auto facts = test::small_gpu();
  for (const bool inverse : {false, true}) {
    const auto line = line_of(1 << 14, 3, inverse, facts);
    REQUIRE(program_of(line, {}, facts).steps.size() == 2);
    const Space space(line, facts, Mapping::work_group);
    const auto some = space.sample(300, 1);
    REQUIRE(some.size() == 300);
    for (const auto& candidate : some) {
      REQUIRE(candidate.kernels.size() > 1);
      REQUIRE(complete(line, facts, candidate) == candidate);
      REQUIRE_NOTHROW(make_program(line, facts, candidate));
    }
  }
}

}  // namespace imago::plan
