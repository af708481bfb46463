// This file tests the generated cases: their layouts must be valid, and all pairs of traits must
// occur.
#include "catalogue/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <set>

#include "catalogue/catalogue.hpp"
#include "catalogue/host_memory.hpp"
#include "catalogue/reference.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;
using namespace imago::catalogue;

namespace {

/// Returns the words of a side, in the order of a packed array.
std::vector<std::pair<std::size_t, std::uint64_t>> words_of(const Case& problem, bool source) {
  const Repeated repeated{side_of(problem, source)};
  std::vector<std::pair<std::size_t, std::uint64_t>> words;
  for (std::uint64_t member = 0; member < problem.batch; ++member) {
    repeated.for_each_word(
        member, [&](std::size_t part, std::uint64_t word) { words.emplace_back(part, word); });
  }
  return words;
}

}  // namespace

TEST_CASE("made-up layouts write no element twice and read what the traits say") {
  Random random(11);
  int moved[2] = {};
  for (int i = 0; i < 2000; ++i) {
    const Traits traits = random_traits(random);
    if (traits.sizes == Sizes::several && i % 10 != 0) continue;  // slow to check
    const Case problem = make_case(traits, random);
    CAPTURE(problem.name());
    REQUIRE_FALSE(overlaps(side_of(problem, false)));
    const bool windows = traits.source == Spread::windows;
    REQUIRE((windows || !overlaps(side_of(problem, true))));
    REQUIRE(problem.lengths.size() == traits.rank);
    REQUIRE(parse(problem.name()) == problem);
    if (problem.placement == Placement::out_of_place) continue;
    if (problem.real() && problem.target != Layout{}) {  // from one layout to any other
      ++moved[traits.direction == Direction::forward];
      continue;
    }
    // The result uses the bytes that were read (and, padding included, the reverse).
    const auto read = words_of(problem, true), written = words_of(problem, false);
    const std::set<std::pair<std::size_t, std::uint64_t>> reads(read.begin(), read.end()),
        writes(written.begin(), written.end());
    const bool forward = traits.direction == Direction::forward;
    if (!problem.real()) REQUIRE(reads == writes);
    if (problem.real() && forward)
      REQUIRE(std::includes(writes.begin(), writes.end(), reads.begin(), reads.end()));
    if (problem.real() && !forward)
      REQUIRE(std::includes(reads.begin(), reads.end(), writes.begin(), writes.end()));
  }
  CHECK((moved[0] > 10 && moved[1] > 10));
}

TEST_CASE("windows overlap") {
  Random random(5);
  std::size_t overlapping = 0, windows = 0;
  for (int i = 0; i < 300; ++i) {
    Traits traits = random_traits(random);
    if (traits.source != Spread::windows || traits.sizes == Sizes::several) continue;
    const Case problem = make_case(traits, random);
    ++windows;
    overlapping += overlaps(side_of(problem, true)) ? 1 : 0;
  }
  CHECK(overlapping > windows / 2);  // windows of one element cannot overlap
}

TEST_CASE("a pairwise sample meets what goes together") {
  Random random(2);
  const auto sample = pairwise(random, false);
  CHECK(sample.size() < 200);
  const auto met = [&](auto first, auto second) {
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (const Traits& t : sample)
      pairs.emplace(static_cast<unsigned>(t.*first), static_cast<unsigned>(t.*second));
    return pairs.size();
  };
  CHECK(met(&Traits::source, &Traits::target) >= 5 * 6);
  CHECK(met(&Traits::axes, &Traits::rank) == 4 * 7 - 4);
  CHECK(met(&Traits::precision, &Traits::axes) == 3 * 7);
  CHECK(met(&Traits::sizes, &Traits::axes) == 5 * 7);
  CHECK(met(&Traits::precision, &Traits::sizes) == 3 * 5);
  CHECK(met(&Traits::source_storage, &Traits::target_storage) == 4);
  CHECK(met(&Traits::mapping, &Traits::source) == 2 * 6);
  CHECK(met(&Traits::rank, &Traits::source) >= 4 * 6 - 2);  // one dimension has no order
  for (const Traits& traits : pairwise(random, true)) REQUIRE(is_plain(traits));
}

TEST_CASE("a half spectrum that is made up is that of a real signal") {
  // Inverse and forward again: values without the symmetry would be lost.
  for (const auto* name :
       {"4x6*1-f64-out-inverse-none-real", "3x4x5*1-f64-out-inverse-none-real",
        "3x4x5*1-f64-out-inverse-none-axes_icr", "2x2x2x2*1-f64-out-inverse-none-real",
        "3x4x6*1-f64-out-inverse-none-axes_C2cr", "4x3x5*1-f64-out-inverse-none-axes_cS1r"}) {
    CAPTURE(name);
    const Case problem = parse(name);
    const Repeated source{side_of(problem, true)};
    Memory<Precision::f64> memory(source.parts(), source.words());
    fill(problem, source, memory);
    Case back = problem;
    back.direction = Direction::forward;
    Reference<long double> inverse(problem), forward(back);
    auto input = inverse.input().begin();
    const Strangers strangers(problem, source);
    const auto sizes = exponents(problem, source);
    std::vector<long double> expected, allowed;
    strangers.for_each_word(source, 0,
                            [&](std::uint64_t transform, std::size_t part, std::uint64_t word) {
                              expected.push_back(memory.get(part, word));
                              allowed.push_back(std::ldexp(1e-17L, sizes[transform]));
                              *input++ = expected.back();
                            });
    const auto signal = inverse.run();
    std::copy(signal.begin(), signal.end(), forward.input().begin());
    const auto spectrum = forward.run();
    REQUIRE(spectrum.size() == expected.size());
    const auto points = static_cast<long double>(problem.points());
    for (std::size_t i = 0; i < expected.size(); ++i)
      REQUIRE(std::abs(spectrum[i] / points - expected[i]) < allowed[i]);
  }
}

TEST_CASE("references agree with the definition") {
  // One axis, so that the sum is short: a real row next to an identity axis, and its inverse.
  const Case problem = parse("3x5*1-f64-out-forward-none-axes_ir");
  Reference<long double> reference(problem);
  Random random(9);
  std::vector<long double> signal(15);
  for (auto& value : signal) value = random.uniform();
  std::copy(signal.begin(), signal.end(), reference.input().begin());
  const auto spectrum = reference.run();
  REQUIRE(spectrum.size() == std::size_t{2 * 3 * 3});
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t k = 0; k < 3; ++k) {
      std::complex<long double> sum;
      for (std::size_t j = 0; j < 5; ++j) {
        sum += std::polar(signal[row * 5 + j], -2 * std::numbers::pi_v<long double> *
                                                   static_cast<long double>(j * k) / 5);
      }
      CHECK(std::abs(sum.real() - spectrum[2 * (row * 3 + k)]) < 1e-17L);
      CHECK(std::abs(sum.imag() - spectrum[2 * (row * 3 + k) + 1]) < 1e-17L);
    }
  }
}
