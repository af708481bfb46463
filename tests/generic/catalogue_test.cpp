// This file runs the CI tier of the catalogue on generic kernels alone.
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "catalogue/catalogue.hpp"
#include "engine/composition.hpp"
#include "kernel/generic.hpp"
#include "runtime/facts.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;

namespace {

constexpr std::uint64_t kSeed = 20250;

}  // namespace

TEST_CASE("half spectra of generic kernels", "[generic]") {
  const auto& device = test::default_device();
  Options options;
  options.first_call = FirstCall::generic;
  catalogue::Verifier verifier(device.context, device.device, options);
  for (const std::string length : {"31", "37", "60", "74", "97", "255", "257", "999", "2099"}) {
    for (const std::string others :
         {"*3-f32-out-forward-none-real", "*2-f64-out-forward-ortho-real"}) {
      const auto outcome = verifier.verify(catalogue::parse(length + others));
      INFO(length << others << ": " << outcome.detail);
      CHECK(outcome.verdict == catalogue::Verdict::passed);
    }
  }
}

// Columns and rows of such lines are convolutions; those of 5003 are not.
TEST_CASE("long lines with large prime factors on generic kernels", "[generic]") {
  const auto& device = test::default_device();
  const auto facts = runtime::reported_facts(device.device());
  Options options;
  options.first_call = FirstCall::generic;
  catalogue::Verifier verifier(device.context, device.device, options);
  for (const std::string length : {"5003", "5141", "11111", "15432", "20974"}) {
    for (const std::string others :
         {"*1-f32-out-forward-none", "*3-f64-in-inverse-ortho", "*3-f32-out-forward-none-real",
          "*3-f64-out-inverse-none-real", "*1-f32-out-forward-none-dct2",
          "*3-f32-out-inverse-none-dct2"}) {
      const auto problem = catalogue::parse(length + others);
      INFO(problem.name());
      CHECK(engine::decide_generic(problem.transform(), facts, options));
      const auto outcome = verifier.verify(problem);
      INFO(outcome.detail);
      CHECK(outcome.verdict == catalogue::Verdict::passed);
    }
  }
}

TEST_CASE("primes up to 31 are radices of generic kernels", "[generic]") {
  const auto& device = test::default_device();
  const auto facts = runtime::reported_facts(device.device());
  Options options;
  options.first_call = FirstCall::generic;
  catalogue::Verifier verifier(device.context, device.device, options);
  for (const unsigned prime : kernel::kGenericPrimes) {
    for (const unsigned times : {1u, prime, 24u}) {
      for (const std::string others :
           {"*19-f32-out-forward-none", "*9-f64-in-inverse-ortho", "*9-f64-out-forward-none-real",
            "*1-f32-out-forward-none-dct2"}) {
        const auto problem = catalogue::parse(std::to_string(prime * times) + others);
        INFO(problem.name());
        const auto blueprint = engine::decide_generic(problem.transform(), facts, options);
        REQUIRE(blueprint);
        const auto& direction = blueprint->forward ? blueprint->forward : blueprint->inverse;
        // A convolution is two launches. A single line is one of several columns.
        if (problem.batch > 1) CHECK(direction->program.launches.size() == 1);
        const auto outcome = verifier.verify(problem);
        INFO(outcome.detail);
        CHECK(outcome.verdict == catalogue::Verdict::passed);
      }
    }
  }
}

TEST_CASE("CI tier on generic kernels", "[generic]") {
  using catalogue::Verdict;
  const auto& device = test::default_device();
  const auto facts = runtime::reported_facts(device.device());
  Options options;
  options.first_call = FirstCall::generic;
  catalogue::Verifier verifier(device.context, device.device, options);
  std::map<Verdict, std::size_t> counts;
  std::set<std::string> names;
  for (auto problem : catalogue::cases(catalogue::Tier::ci, kSeed, facts)) {
    problem.parameters = {};
    if (!names.insert(problem.name()).second) continue;
    const auto transform = problem.transform();
    if (!engine::decide_generic(transform, facts, options)) continue;
    const auto outcome = verifier.verify(problem);
    ++counts[outcome.verdict];
    INFO(problem.name() << ": " << outcome.detail);
    CHECK(outcome.verdict != Verdict::failed);
  }
  WARN(counts[Verdict::passed] << " passed of " << names.size());
  CHECK(counts[Verdict::passed] > 9 * counts[Verdict::skipped]);
}
