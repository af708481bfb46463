// This file checks the names of kernels, which are their cache keys, over every Step of the CI tier
// for devices that this machine need not have.
#include <functional>
#include <map>
#include <string>

#include "catalogue/catalogue.hpp"
#include "engine/composition.hpp"
#include "kernel/key.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;

namespace {

void each_step(const device::Facts& facts, const std::function<void(const kernel::Step&)>& use) {
  for (const auto& problem : catalogue::cases(catalogue::Tier::ci, 20250, facts)) {
    Options options;
    options.parameters = problem.parameters;
    options.profiles = false;
    for (const auto& kernel : engine::decide(problem.transform(), facts, options).kernels)
      std::for_each(kernel.code.phases.begin(), kernel.code.phases.end(), use);
  }
}

std::string key_of(const kernel::Step& step) {
  kernel::KeyText key;
  each_field(step, key);
  return key.text();
}

}  // namespace

TEST_CASE("different steps have different keys and names, and equal ones the same") {
  std::map<std::string, kernel::Step> by_key, by_name;
  for (const auto& facts : {test::wide_cpu(), test::large_gpu(), test::small_gpu()}) {
    each_step(facts, [&](const kernel::Step& step) {
      CAPTURE(kernel::name_of(step));
      REQUIRE(by_key.emplace(key_of(step), step).first->second == step);
      REQUIRE(by_name.emplace(kernel::name_of(step), step).first->second == step);
    });
  }
  CHECK(by_name.size() > 1000);
  CHECK(by_name.size() == by_key.size());
}

TEST_CASE("a name begins with what people look for and fits every compiler") {
  each_step(test::large_gpu(), [&](const kernel::Step& step) {
    const std::string name = kernel::name_of(step);
    CAPTURE(name);
    const std::string precision = step.precision == Precision::f64 ? "_f64_" : "_f32_";
    REQUIRE(name.starts_with("fft" + std::to_string(step.length) + precision));
    REQUIRE(name.size() < 64);
    REQUIRE(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos);
  });
}
