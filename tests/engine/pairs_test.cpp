// This file tests f64 that is computed in pairs of f32: the numbers that survive, results of every
// kind, hooks, and what is refused.
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "catalogue/catalogue.hpp"
#include "engine/composition.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/message.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

using Complex = std::complex<double>;

Options in_pairs(Mapping mapping = Mapping::automatic) {
  Options options;
  options.f64 = F64::pairs;
  options.profiles = false;
  options.parameters.mapping = mapping;
  return options;
}

/// Returns real numbers that a plan copied, which computes nothing.
std::vector<double> copied(const std::vector<double>& numbers, Mapping mapping) {
  const auto& device = test::default_device();
  Transform transform{.precision = Precision::f64, .lengths = {numbers.size() / 2}};
  transform.axes = {Kind::identity};
  const Plan plan(device.context, device.device, transform, in_pairs(mapping));
  const auto in = device.upload(numbers), out = device.allocate(numbers.size() * sizeof(double));
  plan.forward(device.queue, in, out);
  return device.download<double>(out, numbers.size());
}

/// Returns numbers of every size and sign with all of their 53 bits.
std::vector<double> numbers_within(int least, int most, std::size_t count) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> exponents(least, most);
  std::uniform_int_distribution<std::uint64_t> bits(std::uint64_t{1} << 52,
                                                    (std::uint64_t{1} << 53) - 1);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const double number = std::ldexp(static_cast<double>(bits(random)), exponents(random) - 52);
    numbers.push_back(i % 2 == 0 ? number : -number);
  }
  return numbers;
}

bool same(double a, double b) {
  return std::isnan(b) ? std::isnan(a) : a == b && std::signbit(a) == std::signbit(b);
}

TEST_CASE("pairs keep 48 bits of numbers from 2^-80 to 2^120", "[engine][pairs]") {
  for (const auto mapping : {Mapping::vector, Mapping::work_group}) {
    const auto numbers = numbers_within(-80, 120, 4096);
    const auto found = copied(numbers, mapping);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      CAPTURE(mapping, numbers[i], found[i]);
      REQUIRE(std::abs(found[i] - numbers[i]) <= 0x1p-49 * std::abs(numbers[i]));
    }
  }
}

TEST_CASE("numbers that fit a pair are unchanged, and others become zero or infinity",
          "[engine][pairs]") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Number {
    double before, after;
  };
  std::vector<Number> numbers{{0, 0},
                              {1, 1},
                              {1 - 0x1p-48, 1 - 0x1p-48},  // below a power of two
                              {2 - 0x1p-47, 2 - 0x1p-47},
                              {1 + 0x1p-47, 1 + 0x1p-47},
                              {0x1.fffffffffffffp0, 0x1.fffffffffffffp0},  // 2 - 2^-52
                              {0x1p-126, 0x1p-126},
                              {0x1p-127, 0},
                              {0x1.fffffffffffffp-127, 0},
                              {0x1.8p127, 0x1.8p127},
                              {0x1.ffffffp127, kInfinity},
                              {0x1p128, kInfinity},
                              {1e300, kInfinity},
                              {kInfinity, kInfinity},
                              {std::numeric_limits<double>::quiet_NaN(), std::nan("")},
                              {std::numeric_limits<double>::denorm_min(), 0}};
  // A mantissa of 0 and one of 1 for each exponent: the integers of the decoding wrap around.
  for (int e = -1022; e < 1024; ++e) {
    for (const double mantissa : {1.0, 1 + 0x1p-23, 2 - 0x1p-23}) {
      const double number = std::ldexp(mantissa, e);
      numbers.push_back({number, e < -126 ? 0 : e > 127 ? kInfinity : number});
    }
  }
  std::vector<double> before;
  for (const Number& number : numbers) before.insert(before.end(), {number.before, -number.before});
  for (const auto mapping : {Mapping::vector, Mapping::work_group}) {
    const auto found = copied(before, mapping);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double after = (i % 2 == 0 ? 1 : -1) * numbers[i / 2].after;
      CAPTURE(mapping, before[i], after, found[i]);
      REQUIRE(same(found[i], after));
    }
  }
}

TEST_CASE("transforms in pairs are within their bound", "[engine][pairs][long]") {
  const auto& device = test::default_device();
  for (const bool compiled : {true, false}) {
    Options options = in_pairs();
    if (!compiled) options.first_call = FirstCall::generic;
    catalogue::Verifier verifier(device.context, device.device, options);
    for (const char* const name :
         {"16*70-f64-in-forward-none", "360*5-f64-out-inverse-backward",
          "1000*3-f64-out-forward-ortho-real", "37*9-f64-out-forward-none",
          "4096*1-f64-in-inverse-none", "12x10x6*3-f64-out-forward-backward-real",
          "48*7-f64-out-forward-none-dct2", "33*4-f64-in-inverse-ortho-dst3"}) {
      const auto outcome = verifier.verify(catalogue::parse(name));
      CAPTURE(name, compiled, outcome.error, outcome.bound, outcome.detail);
      CHECK(outcome.verdict == catalogue::Verdict::passed);
      CHECK(outcome.error > outcome.bound / 100);  // doubles would be far better
    }
  }
  Options options = in_pairs();
  catalogue::Verifier verifier(device.context, device.device, options);
  for (const char* const name :
       {"256*9-f64-out-forward-none-work_group", "1024*3-f64-in-forward-none-work_group-hierarchy",
        "1000*2-f64-out-inverse-none-vector-hierarchy", "64*4-f64-out-forward-none-vector-global",
        "43*4-f64-out-forward-none-work_group-rader", "25*4-f64-out-forward-none-vector-bluestein",
        "8x12*3-f64-out-forward-none-s0+0:planar-t0+0:planar-vector"}) {
    const auto outcome = verifier.verify(catalogue::parse(name));
    CAPTURE(name, outcome.error, outcome.bound, outcome.detail);
    CHECK(outcome.verdict == catalogue::Verdict::passed);
  }
}

TEST_CASE("no kernel in pairs has a double", "[engine][pairs][long]") {
  const auto& device = test::default_device();
  for (const auto mapping : {Mapping::vector, Mapping::work_group}) {
    for (const std::size_t length : {60u, 37u, 512u}) {
      const Plan plan(device.context, device.device,
                      {.precision = Precision::f64, .lengths = {length}, .batch = 3},
                      in_pairs(mapping));
      for (const KernelSource& kernel : plan.sources()) {
        CAPTURE(kernel.name);
        CHECK(kernel.source.find("double ") == std::string::npos);
        CHECK(kernel.source.find("fp64") == std::string::npos);
        CHECK(kernel.source.find("pair") != std::string::npos);
      }
    }
  }
}

TEST_CASE("hooks compute in pairs", "[engine][pairs][long]") {
  const auto& device = test::default_device();
  constexpr std::size_t kLength = 50, kBatch = 6;
  std::vector<Complex> signal, factors;
  for (std::size_t i = 0; i < kLength * kBatch; ++i)
    signal.emplace_back(std::sin(0.3 * double(i)), std::cos(double(i * i)));
  for (std::size_t i = 0; i < kLength; ++i)
    factors.emplace_back(1 + 0.1 * double(i), -0.5 * double(i % 3));
  const auto in = device.upload(signal), by = device.upload(factors);
  const auto computed = [&](const Hooks& hooks, F64 f64, Mapping mapping) {
    Options options = in_pairs(mapping);
    options.f64 = f64;
    Transform transform{.precision = Precision::f64, .lengths = {kLength}, .batch = kBatch};
    transform.directions = Directions::forward;
    transform.on_forward = hooks;
    const Plan plan(device.context, device.device, transform, options);
    const auto out = device.upload(std::vector<double>(2 * signal.size(), 0.1));
    plan.forward(device.queue, in, out, {.arguments = {{"m", by}, {"g", 1.0 / 3}}});
    return device.download<double>(out, 2 * signal.size());
  };
  const Hook multiply = hook::multiply("m"), gain = hook::scale("g");
  for (const auto mapping : {Mapping::vector, Mapping::work_group}) {
    for (const auto& store : {std::vector<Hook>{},
                              {hook::modulate(0, 3, 7), hook::conjugate()},
                              {hook::power()},
                              {hook::decibels(1e-9)},
                              {hook::shift({0}), hook::zero_outside(0, 3, 40)},
                              {hook::add("m", {.factor = -0.1})},
                              {hook::accumulate()}}) {
      const Hooks hooks{.load = {multiply, gain}, .store = store};
      const auto expected = computed(hooks, F64::native, mapping);
      const auto found = computed(hooks, F64::pairs, mapping);
      double error = 0, size = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        error += std::norm(found[i] - expected[i]);
        size += std::norm(expected[i]);
      }
      CAPTURE(mapping, store.size(), std::sqrt(error / size));
      CHECK(std::sqrt(error / size) < 2e-14);
      CHECK(error > 0);
    }
  }
}

TEST_CASE("a user's function is refused where f64 is computed in pairs", "[engine][pairs]") {
  const auto& device = test::default_device();
  Transform transform{.precision = Precision::f64, .lengths = {8}};
  transform.on_forward.load = {
      hook::code("double2 twice(double2 x, const imago_at* at) { return 2.0 * x; }", "twice")};
  const auto message = test::message_of<Unsupported>(
      [&] { Plan(device.context, device.device, transform, in_pairs()); });
  CHECK_THAT(message, test::ContainsSubstring("on_forward.load[0] is OpenCL C with doubles"));
  Options native;
  native.f64 = F64::native;
  CHECK_NOTHROW(Plan(device.context, device.device, transform, native));
}

TEST_CASE("the fast arithmetic is that with the higher rate", "[engine][pairs]") {
  const Options fast{.profiles = false, .f64 = F64::fast};
  device::Facts facts;
  facts.type = device::Type::gpu;
  CHECK(engine::facts_for(facts, fast).f64.pairs);  // no doubles
  facts.f64.native = true;
  for (const auto& [architecture, pairs] :
       {std::pair("sm_90", false), std::pair("sm_100", false), std::pair("sm_89", true),
        std::pair("sm_103", true), std::pair("gfx90a", false), std::pair("gfx1100", true)}) {
    CAPTURE(architecture);
    facts.architecture = architecture, facts.rates = {};
    CHECK(engine::facts_for(facts, fast).f64.pairs == pairs);
    CHECK_FALSE(engine::facts_for(facts, {.profiles = false}).f64.pairs);
    // A measurement counts more than the architecture.
    facts.rates.flops = 64e12, facts.rates.flops_f64 = pairs ? 32e12 : 1e12;
    CHECK(engine::facts_for(facts, fast).f64.pairs == !pairs);
  }
  facts.type = device::Type::cpu, facts.rates = {};
  CHECK_FALSE(engine::facts_for(facts, fast).f64.pairs);
}

TEST_CASE("IMAGO_F64 replaces an automatic choice, and no other", "[engine][pairs]") {
  const auto& device = test::default_device();
  const Transform transform{.precision = Precision::f64, .lengths = {8}};
  const auto uses_pairs = [&](F64 f64) {
    Options options;
    options.f64 = f64;
    const Plan plan(device.context, device.device, transform, options);
    return plan.sources()[0].name.find("pairs") != std::string::npos;
  };
  const test::Variable pairs("IMAGO_F64", "pairs");
  CHECK(uses_pairs(F64::automatic));
  CHECK_FALSE(uses_pairs(F64::native));
  const test::Variable wrong("IMAGO_F64", "single");
  CHECK(test::message_of<InvalidArgument>([&] { uses_pairs(F64::automatic); }) ==
        "IMAGO_F64 is \"single\"; it must be automatic, native, pairs or fast");
}

}  // namespace
}  // namespace imago
