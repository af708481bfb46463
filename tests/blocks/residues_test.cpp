// This file runs the kernels of residues on the host interpreter, as devices would that this
// machine need not have. The interpreter finds races, unwritten values and invalid addresses.
#include <cstdint>
#include <random>
#include <vector>

#include "base/prime_field.hpp"
#include "engine/composition.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/interpreted.hpp"

namespace imago {
namespace {

using Residues = std::vector<std::uint64_t>;

engine::Blueprint blueprint_of(const device::Facts& facts, base::Ring ring, std::size_t length,
                               std::size_t batch, const Options& options) {
  problem::Computation computation(
      Transform{.precision = base::prime_field(ring).wide ? Precision::f64 : Precision::f32,
                .lengths = {length},
                .batch = batch,
                .signal = {.storage = Storage::real},
                .spectrum = {.storage = Storage::real}});
  computation.ring = ring;
  return engine::decide(computation, facts, options);
}

template <class Word>
Residues interpreted(const kernel::Program& program, const Residues& x) {
  test::HostArrays<Word, Word> arrays{{x.begin(), x.end()}, std::vector<Word>(x.size()), 0, 0};
  test::Interpreted<Word>(program).run(arrays);
  return {arrays.out.begin(), arrays.out.end()};
}

Residues interpreted(const base::PrimeField& field, const kernel::Program& program,
                     const Residues& x) {
  return field.wide ? interpreted<std::uint64_t>(program, x)
                    : interpreted<std::uint32_t>(program, x);
}

/// Checks a few elements of each transform with the definition, and that the inverse returns x.
void check_residues(const device::Facts& facts, base::Ring ring, std::size_t length,
                    const Options& options = {.profiles = false}) {
  const base::PrimeField& field = base::prime_field(ring);
  const std::size_t batch = length < 1024 ? 3 : 1;
  std::mt19937_64 random(length);
  Residues x(length * batch);
  for (std::uint64_t& number : x) number = random() % field.modulus;
  const engine::Blueprint blueprint = blueprint_of(facts, ring, length, batch, options);
  const Residues spectrum = interpreted(field, blueprint.forward->program, x);
  for (std::size_t row = 0; row < batch; ++row) {
    for (int round = 0; round < 4; ++round) {
      const std::size_t k = round == 0 ? 0 : random() % length;
      const std::uint64_t root = field.root_of_unity(k, length);
      std::uint64_t value = 0;
      for (std::size_t j = length; j-- > 0;)
        value = field.sum(field.product(value, root), x[row * length + j]);
      REQUIRE(spectrum[row * length + k] == value);
    }
  }
  REQUIRE(interpreted(field, blueprint.inverse->program, spectrum) == x);
}

base::Ring any_field() {
  return GENERATE(base::Ring::goldilocks, base::Ring::baby_bear, base::Ring::koala_bear);
}

}  // namespace

TEST_CASE("interpreted kernels of residues", "[residues]") {
  const base::Ring ring = any_field();
  for (const auto& facts : {test::wide_cpu(), test::large_gpu(), test::small_gpu()}) {
    for (const std::size_t length : {2, 4, 8, 32, 64, 512, 2048}) {
      CAPTURE(facts.name, length);
      check_residues(facts, ring, length);
    }
  }
}

TEST_CASE("interpreted kernels of residues in two and three kernels", "[residues]") {
  const base::Ring ring = any_field();
  Options options{.profiles = false};
  options.parameters.algorithm = Algorithm::hierarchy;
  const std::size_t kernels = GENERATE(2, 3), part = kernels == 2 ? 32 : 8;
  for (std::size_t i = 0; i < kernels; ++i) {
    KernelParameters kernel;
    kernel.length = part;
    options.parameters.kernels.push_back(kernel);
  }
  check_residues(test::wide_cpu(), ring, kernels == 2 ? 2048 : 1024, options);
  check_residues(test::large_gpu(), ring, kernels == 2 ? 2048 : 1024, options);
}

}  // namespace imago
