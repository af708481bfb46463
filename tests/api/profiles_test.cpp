// This file checks that plans use profiles if allowed, that they report it, and that no profile can
// stop a plan or make it wrong.
#include <fstream>
#include <random>

#include "api/support.hpp"
#include "engine/composition.hpp"
#include "profile/file.hpp"
#include "profile/write.hpp"
#include "runtime/facts.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;
using test::transform;

constexpr std::size_t kLength = 64;

/// Returns parameters that equal no default: a global transform by radix 2, then 32.
Parameters unusual() {
  Parameters p;
  p.algorithm = Algorithm::global;
  p.kernels = {{2, {2}}, {32, {32}}};
  return p;
}

profile::Profile profile_of(const device::Facts& facts, const Parameters& parameters,
                            std::uint64_t batch = 1) {
  profile::Profile made;
  made.device = profile::device_of(facts);
  profile::ProblemClass problem;
  problem.lengths = {kLength};
  problem.batch = batch;
  made.entries.push_back({problem, parameters, 1e-3, {}});
  return made;
}

Options only(const std::filesystem::path& folder) {
  Options options;
  options.profile_directory = folder;
  return options;
}

std::string described(const device::Facts& facts, const Options& options, std::size_t batch = 1) {
  return engine::decide(transform(kLength, batch), facts, options).describe();
}

TEST_CASE("a plan says where its parameters came from", "[api][profile]") {
  const test::Folder folder;
  const auto facts = test::wide_cpu();
  const auto path = folder.path() / "p.json";
  const auto options = only(folder.path());
  const std::string before = described(facts, options);
  CHECK_THAT(before, ContainsSubstring("forward\n  chosen by the model\n"));
  CHECK_THAT(before, ContainsSubstring("inverse\n  chosen by the model\n"));

  profile::save(path, profile_of(facts, unusual()));
  const std::string tuned = described(facts, options);
  const std::string origin = "  profile " + path.string() +
                             ", rung device and driver, class "
                             "complex-64-f32-out_of_place-packed-batch_1\n";
  CHECK_THAT(tuned, ContainsSubstring("forward\n" + origin));
  CHECK_THAT(tuned, ContainsSubstring("inverse\n" + origin));
  CHECK_THAT(tuned, ContainsSubstring("global"));
  CHECK(described(facts, options) == tuned);  // equal files give equal plans
  CHECK_THAT(described(facts, options, 5), ContainsSubstring(origin));  // the nearest batch

  Options off = options;
  off.profiles = false;
  CHECK(described(facts, off) == before);
  Options by_hand = options;
  by_hand.parameters.algorithm = Algorithm::single;
  CHECK_THAT(described(facts, by_hand), ContainsSubstring("forward\n  parameters: by hand\n"));
  std::filesystem::remove(path);
  CHECK(described(facts, options) == before);
}

TEST_CASE("a profile's parameters for a whole transform are divided among its lines",
          "[api][profile]") {
  const test::Folder folder;
  const auto facts = test::large_gpu();
  const auto kind = GENERATE(Kind::complex, Kind::real);
  Transform whole{.kind = kind, .lengths = {256, 128}};
  Parameters parameters;
  parameters.algorithm = Algorithm::hierarchy;  // each axis separately
  const std::size_t row = kind == Kind::real ? 64 : 128;
  parameters.kernels = {{.length = row, .radices = {2, static_cast<unsigned>(row / 4), 2}},
                        {.length = 256, .radices = {4, 16, 4}}};
  auto made = profile_of(facts, parameters);
  made.entries[0].problem.kind = kind;
  made.entries[0].problem.lengths = {256, 128};
  profile::save(folder.path() / "p.json", made);
  const auto blueprint = engine::decide(whole, facts, only(folder.path()));
  for (const auto* direction : {&*blueprint.forward, &*blueprint.inverse}) {
    REQUIRE(direction->lines.size() == 2);
    const bool inverse = direction == &*blueprint.inverse;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& line = direction->lines[i];
      CHECK_THAT(line.origin, ContainsSubstring(made.entries[0].problem.key()));
      CHECK(line.parameters.kernels.at(0).radices ==
            parameters.kernels[inverse ? 1 - i : i].radices);
    }
    // A caller can pass these parameters by hand.
    Options by_hand;
    by_hand.parameters = direction->parameters();
    by_hand.parameters.algorithm = Algorithm::hierarchy;
    whole.directions = inverse ? Directions::inverse : Directions::forward;
    const auto again = engine::decide(whole, facts, by_hand);
    CHECK((inverse ? again.inverse : again.forward)->program.steps == direction->program.steps);
  }
}

TEST_CASE("profiles are found through the environment", "[api][profile]") {
  const test::Folder folder;
  const auto facts = test::wide_cpu();
  profile::save(folder.path() / "imago" / "p.json", profile_of(facts, unusual()));
  {
    const test::Variable config("XDG_CONFIG_HOME", folder.path().string());
    CHECK_THAT(described(facts, {}), ContainsSubstring("rung device and driver"));
  }
  const test::Variable own("IMAGO_PROFILE_DIR", (folder.path() / "imago").string());
  CHECK_THAT(described(facts, {}), ContainsSubstring("rung device and driver"));
}

TEST_CASE("parameters illegal for the device cost one log line, not the plan", "[api][profile]") {
  const test::Folder folder;
  const auto facts = test::large_gpu();
  const std::string defaults = described(facts, {});
  const auto check = [&](const char* reason, auto change) {
    Parameters illegal;
    illegal.kernels.emplace_back();
    change(illegal);
    profile::save(folder.path() / "p.json", profile_of(facts, illegal));
    const test::LogLines log;
    CHECK(described(facts, only(folder.path())) == defaults);
    CHECK(described(facts, only(folder.path())) == defaults);
    INFO(log.text());
    CHECK(log.count("is ignored: class complex-64-f32-out_of_place-packed-batch_1: ") == 1);
    CHECK(log.count(reason) == 1);
  };
  check("the product must be", [](auto& p) { p.kernels[0].radices = {7, 9}; });
  check("it must be from 2 to 21", [](auto& p) { p.kernels[0].radices = {64}; });
  check("local memory", [](auto& p) {
    p.kernels[0].radices = {8, 8};
    p.kernels[0].items = 1;
    p.kernels[0].columns = 1000;
  });
  check("work-group size", [](auto& p) {
    p.kernels[0].radices = {8, 8};
    p.kernels[0].items = 1 << 20;
  });
  check("lanes", [](auto& p) {
    p.mapping = Mapping::vector;
    p.kernels[0].lanes = 7;
  });
  check("product of the kernels' lengths", [](auto& p) { p.kernels[0].length = 32; });
  check("", [](auto& p) { p.algorithm = Algorithm::hierarchy, p.kernels[0].length = 63; });
}

TEST_CASE("parameters that the device fails to build cost one log line, not the plan",
          "[api][profile]") {
  const test::Folder folder;
  const auto facts = test::wide_cpu();
  profile::save(folder.path() / "p.json", profile_of(facts, unusual()));
  const auto build = [&](const Options& options, auto refuses) {
    std::vector<std::string> built;
    engine::decide_and_build(transform(kLength), facts, options,
                             [&](const engine::Blueprint& blueprint) {
                               if (refuses(blueprint))
                                 throw DeviceError("clBuildProgram: CL_BUILD_PROGRAM_FAILURE", -11);
                               built.push_back(blueprint.describe());
                             });
    return built;
  };
  const auto options = only(folder.path());
  const test::LogLines log;
  const auto all = [](const engine::Blueprint&) { return true; };
  const auto tuned = [](const engine::Blueprint& blueprint) { return !blueprint.tuned().empty(); };
  CHECK(build(options, [](const auto&) { return false; }) ==
        std::vector{described(facts, options)});
  CHECK_THROWS_AS(build(options, all), DeviceError);
  CHECK(log.count("") == 0);  // nothing works, so the profile is not at fault

  Options off;
  off.profiles = false;
  for (int i = 0; i < 2; ++i) CHECK(build(options, tuned) == std::vector{described(facts, off)});
  CHECK(log.count("CL_BUILD_PROGRAM_FAILURE") == 1);
  CHECK(log.count("is ignored: class complex-64-f32-out_of_place-packed-batch_1: ") == 1);
  CHECK_THROWS_AS(build(off, all), DeviceError);
}

TEST_CASE("a profile's choice that needs more memory than is allowed does not stop a plan",
          "[api][profile]") {
  const test::Device device;
  const test::Folder folder;
  const auto facts = runtime::reported_facts(device.device());
  auto t = transform(kLength, 3);
  t.placement = Placement::in_place;  // so that several kernels need a workspace
  auto made = profile_of(facts, unusual());
  made.entries[0].problem.batch = t.batch;
  made.entries[0].problem.placement = Placement::in_place;
  profile::save(folder.path() / profile::file_name(facts), made);
  auto options = only(folder.path());
  constexpr std::size_t kOne = kLength * 8;
  const test::LogLines log;
  options.scratch.limit = kOne;
  const Plan cut(device.context, device.device, t, options);
  CHECK_THAT(cut.describe(), ContainsSubstring("profile ") && ContainsSubstring("in 3 chunks"));
  CHECK(log.count("is ignored") == 0);
  options.scratch.limit = kOne - 1;
  const Plan plan(device.context, device.device, t, options);
  CHECK_THAT(plan.describe(), ContainsSubstring("chosen by the model"));
  CHECK(plan.workspace_bytes() == 0);
  CHECK(log.count("more workspace than is allowed, 511 bytes") == 1);
}

TEST_CASE("a damaged file costs one line, not the plan", "[api][profile]") {
  const test::Folder folder;
  const auto facts = test::large_gpu();
  const std::string defaults = described(facts, {});
  const std::string text = profile::to_text(profile_of(facts, unusual()));
  const auto write = [&](const std::string& content) {
    std::ofstream(folder.path() / "p.json", std::ios::trunc) << content;
  };
  for (const std::string& content : {text.substr(0, text.size() / 2), std::string(100000, '['),
                                     std::string("{\"schema\": 9}")}) {
    const test::LogLines log;
    write(content);
    CHECK(described(facts, only(folder.path())) == defaults);
    CHECK(described(facts, only(folder.path())) == defaults);
    CHECK(log.count("p.json is ignored: ") == 1);
    CHECK(log.count("") == 1 + log.count("no profile has tuned parameters"));
  }
}

/// Returns numbers that could break arithmetic, and numbers that could be right.
KernelParameters any_kernel(std::mt19937& random) {
  const auto pick = [&](std::vector<unsigned> from) { return from[random() % from.size()]; };
  KernelParameters kernel;
  kernel.length = pick({0, 1, 2, 4, 8, 16, 32, 63, 64, 128, 1u << 31});
  for (unsigned i = pick({0, 1, 2, 3}); i > 0; --i) {
    kernel.radices.push_back(pick({1, 2, 4, 8, 16, 32, 7, 64}));
  }
  kernel.items = pick({0, 1, 2, 8, 64, 1024, 1u << 20});
  kernel.columns = pick({0, 1, 2, 7, 64, 4096, 1u << 20});
  kernel.lanes = pick({0, 1, 3, 8, 16, 64});
  kernel.axis = static_cast<LaneAxis>(random() % 3);
  kernel.exchange = static_cast<Exchange>(random() % 3);
  kernel.twiddles = static_cast<Twiddles>(random() % 4);
  kernel.four_step = static_cast<Twiddles>(random() % 4);
  return kernel;
}

TEST_CASE("no parameters in a profile stop a plan", "[api][profile]") {
  const test::Folder folder;
  const test::LogLines log;
  std::mt19937 random(7);
  for (int i = 0; i < 1500; ++i) {
    const auto facts = i % 3 == 0   ? test::wide_cpu()
                       : i % 3 == 1 ? test::large_gpu()
                                    : test::small_gpu();
    Parameters any;
    any.mapping = static_cast<Mapping>(random() % 3);
    any.algorithm = static_cast<Algorithm>(random() % 4);
    any.kernels.resize(random() % 4);
    for (auto& kernel : any.kernels) kernel = any_kernel(random);
    auto made = profile_of(facts, any);
    std::ofstream(folder.path() / "p.json", std::ios::trunc) << profile::to_text(made);
    INFO(profile::to_text(made));
    REQUIRE_NOTHROW(described(facts, only(folder.path())));
  }
}

TEST_CASE("a new profile counts for the next plan, which is right", "[api][profile]") {
  const test::Device device;
  const test::Folder folder;
  const auto facts = runtime::reported_facts(device.device());
  const auto options = only(folder.path());
  const auto x = test::noise<float>(kLength);
  const auto result = [&](const Plan& plan) {
    const auto signal = device.upload(x), spectrum = device.upload(x);
    return device.download<std::complex<float>>(
        spectrum, kLength, test::forward(plan, device.queue, signal, spectrum));
  };
  const Plan before(device.context, device.device, transform(kLength), options);
  CHECK(before.sources().size() != 4);
  profile::add(folder.path() / profile::file_name(facts), profile_of(facts, unusual()));
  const Plan after(device.context, device.device, transform(kLength), options);
  CHECK_THAT(after.describe(), ContainsSubstring("rung device and driver"));
  CHECK(after.describe() != before.describe());
  CHECK(estimate(device.device, transform(kLength), options).kernels == 2);
  const auto expected = test::naive_dft(x, 0, kLength, -1);
  CHECK(test::distance(result(after), expected) < 1e-6);
  CHECK(test::distance(result(before), expected) < 1e-6);
}

}  // namespace
}  // namespace imago
