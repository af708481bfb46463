// This file runs transforms with random legal parameters of the work-group mapping on the host
// interpreter. Defaults are a small part of these.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "blocks/programs.hpp"
#include "catalogue/random.hpp"
#include "catalogue/reference.hpp"
#include "kernel/radices.hpp"
#include "plan/cuts.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;

namespace {

template <class Item>
Item one_of(const std::vector<Item>& items, catalogue::Random& random) {
  return items[random.below(items.size())];
}

/// Returns random radices of an axis; none if it has no such factors.
std::vector<unsigned> random_radices(std::uint64_t length, catalogue::Random& random) {
  std::vector<unsigned> radices;
  while (length > 1) {
    std::vector<unsigned> possible;
    for (const unsigned radix : kernel::all_radices())
      if (length % radix == 0 && radix <= 20) possible.push_back(radix);
    if (possible.empty()) return {};
    radices.push_back(one_of(possible, random));
    length /= radices.back();
  }
  return radices;
}

/// Sets random parameters of a problem's only kernel. Returns false if there are several.
bool set_parameters(catalogue::Case& problem, const device::Facts& facts,
                    catalogue::Random& random) {
  problem.parameters = {.mapping = Mapping::work_group, .algorithm = Algorithm::single};
  const bool inverse = problem.direction == catalogue::Direction::inverse;
  const auto lines = plan::lines_of(problem::make_problem(problem.transform()), inverse,
                                    problem.parameters, facts);
  if (lines.size() != 1) return false;
  const lines::Request& line = lines[0];
  KernelParameters kernel{.length = line.length};
  const auto axes = line.axes.empty() ? std::vector{line.length} : line.axes;
  for (const auto& axis : kernel::in_pass_order(axes, line.axis_order())) {
    const auto radices = random_radices(axis.length, random);
    kernel.radices.insert(kernel.radices.end(), radices.begin(), radices.end());
  }
  std::vector<unsigned> items;
  for (unsigned each = 1; each <= std::min<std::uint64_t>(facts.max_work_group, line.length);
       ++each)
    if (random.below(4) == 0 || line.length % each == 0) items.push_back(each);
  kernel.items = kernel.radices.size() == 1 ? 1 : one_of(items, random);
  kernel.columns = static_cast<unsigned>(1 + random.below(4));
  kernel.exchange = one_of<Exchange>({Exchange::interleaved, Exchange::split}, random);
  problem.parameters.kernels = {kernel};
  return true;
}

catalogue::Case random_case(catalogue::Random& random) {
  catalogue::Case problem;
  const std::vector<std::uint64_t> lengths{4,  6,  8,  9,  10, 12, 15, 16, 18, 20, 24,
                                           30, 32, 36, 40, 42, 48, 60, 64, 72, 90, 96};
  problem.lengths.resize(1 + random.below(3));
  const std::size_t few = problem.lengths.size() > 2 ? 9 : lengths.size();
  for (auto& length : problem.lengths) length = lengths[random.below(few)];
  if (problem.lengths.size() == 1) problem.lengths[0] *= 1 + random.below(8);
  const bool trigonometric = random.below(4) != 0;
  problem.kind = one_of<Kind>({Kind::complex, Kind::real}, random);
  if (trigonometric) {
    problem.kind = Kind::complex;
    for (std::size_t d = 0; d < problem.lengths.size(); ++d)
      problem.axes.push_back(
          one_of<Kind>({Kind::dct2, Kind::dct3, Kind::dst2, Kind::dst3}, random));
  }
  problem.batch = 1 + random.below(3);
  problem.norm = one_of<Norm>({Norm::ortho, Norm::backward}, random);
  problem.precision = one_of<Precision>({Precision::f32, Precision::f64}, random);
  using catalogue::Direction;
  problem.direction = one_of<Direction>({Direction::forward, Direction::inverse}, random);
  return problem;
}

/// Returns the error of the program's result, of all members together, as a share of the bound.
template <class Real, class Wide>
double error_of(const kernel::Program& program, const catalogue::Case& problem) {
  catalogue::Case one = problem;
  one.parameters = {}, one.batch = 1;
  catalogue::Reference<Wide> reference(one);
  const std::size_t in_size = reference.input().size();
  const auto parts = [&](bool source) {
    return catalogue::packed_size(one, source) * (catalogue::is_real(one, source) ? 1 : 2);
  };
  const std::size_t out_size = parts(false);
  test::HostArrays<Real> arrays{
      test::random_data<Real>((in_size * problem.batch + 1) / 2, in_size), {}, 0, 0};
  arrays.out.assign((out_size * problem.batch + 1) / 2,
                    {std::numeric_limits<Real>::quiet_NaN(), 0});
  test::Interpreted<Real>(program).run(arrays);
  const auto* const in = reinterpret_cast<const Real*>(arrays.in.data());
  const auto* const out = reinterpret_cast<const Real*>(arrays.out.data());
  Wide error = 0, norm = 0;
  for (std::size_t member = 0; member < problem.batch; ++member) {
    std::copy_n(in + member * in_size, in_size, reference.input().begin());
    const auto expected = reference.run();
    REQUIRE(expected.size() == out_size);
    for (std::size_t i = 0; i < out_size; ++i) {
      const Wide wanted = static_cast<Wide>(problem.scale()) * expected[i];
      error += (out[member * out_size + i] - wanted) * (out[member * out_size + i] - wanted);
      norm += wanted * wanted;
    }
  }
  return static_cast<double>(std::sqrt(error / norm)) / catalogue::error_bound(one);
}

/// Returns the program of legal parameters; nullopt for others.
std::optional<kernel::Program> legal_program(const catalogue::Case& problem,
                                             const device::Facts& facts) {
  try {
    return test::program_of(problem, facts, Launches::several);
  } catch (const InvalidArgument&) {
    return {};
  }
}

void check(const kernel::Program& program, const catalogue::Case& problem) {
  CAPTURE(problem.name());
  const bool wide = problem.precision == Precision::f64;
  double error = std::numeric_limits<double>::infinity();
  CHECK_NOTHROW(error = wide ? error_of<double, long double>(program, problem)
                             : error_of<float, double>(program, problem));
  CHECK(error < 2);
}

}  // namespace

TEST_CASE("random legal parameters give right values") {
  constexpr std::uint64_t kSeeds = 1000;
  std::size_t legal = 0, joined = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    catalogue::Random random(seed);
    catalogue::Case problem = random_case(random);
    const bool small = problem.precision == Precision::f32 && random.below(2) == 0;
    const auto facts = small ? test::small_gpu() : test::large_gpu();
    if (!set_parameters(problem, facts, random)) continue;
    const auto program = legal_program(problem, facts);
    if (!program) continue;
    CAPTURE(seed, facts.name);
    check(*program, problem);
    ++legal;
    if (program->steps.at(0).reorders() && problem.lengths.size() > 1) ++joined;
  }
  CHECK(legal > kSeeds / 2);
  CHECK(joined > kSeeds / 5);
}

TEST_CASE("axes whose passes meet are combined one after the other") {
  // Without couples, one exchange joins the points of an axis (II) and those of the next one (III);
  // the points of the last axis are pairs of real numbers, whose parts change places.
  for (const std::string name :
       {"48x40*1-f32-out-inverse-ortho-axes_S3S2-work_group-single-k960:r6.8.5.4:i40:c3:"
        "interleaved",
        "4x8*2-f64-out-inverse-ortho-axes_S3C2-work_group-single-k16:r2.2.2.2:i11:c1:interleaved",
        "6x9x8*1-f32-out-forward-backward-axes_C2C3C2-work_group-single-"
        "k216:r2.3.2.2.3.3:i25:c1:split"}) {
    const auto problem = catalogue::parse(name);
    check(test::program_of(problem, test::large_gpu(), Launches::several), problem);
  }
}

TEST_CASE("work-items wait for others that still read sources of an axis") {
  // The work-items' digits divide neither the slower axis nor the faster ones, so sources are in
  // other work-items.
  for (const std::string name :
       {"6x10*3-f64-out-inverse-ortho-axes_S3S3-work_group-single-k30:r5.3.2:i2:c2:interleaved",
        "24x10*3-f64-out-inverse-ortho-axes_S3S2-work_group-single-"
        "k120:r3.2.4.5:i4:c2:interleaved"}) {
    const auto problem = catalogue::parse(name);
    check(test::program_of(problem, test::large_gpu(), Launches::several), problem);
  }
}

TEST_CASE("rows that a work-item holds whole are right, in groups that are not full") {
  constexpr std::size_t kRows = 45;  // more than a group of 32
  std::size_t whole = 0;
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (std::size_t length = 3; length < 64; ++length) {
      catalogue::Case problem;
      problem.lengths = {length}, problem.batch = kRows, problem.precision = precision;
      problem.direction =
          length % 2 == 0 ? catalogue::Direction::forward : catalogue::Direction::inverse;
      const auto program = test::program_of(problem, test::hopper_gpu(), Launches::several);
      check(program, problem);
      const kernel::Step& step = program.steps.at(0);
      if (program.steps.size() == 1 && step.group().staged) ++whole;
    }
  }
  // All f32 but 59 and powers of two; those of f64 that fit registers.
  CHECK(whole == 56 + 33);
}
