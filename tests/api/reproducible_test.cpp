// This file checks the choices of reproducible plans: one arithmetic for all devices, batches and
// layouts. `imago_bits` (tests/reproducible) checks their results.
#include <string>
#include <vector>

#include <imago/nufft.hpp>
#include <imago/ragged.hpp>

#include "api/support.hpp"
#include "engine/composition.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/message.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

/// Returns all choices that decide about bits.
std::string canon_text(const engine::Blueprint& blueprint) {
  std::string text;
  for (const auto* direction : {&blueprint.forward, &blueprint.inverse}) {
    for (const engine::Line& line : (*direction)->lines) {
      text += "line of " + std::to_string(line.request.length) + " by " +
              std::to_string(static_cast<int>(line.parameters.algorithm)) + ", elements " +
              std::to_string(static_cast<int>(line.request.in.elements)) +
              std::to_string(static_cast<int>(line.request.out.elements)) + ", edges " +
              std::to_string(line.request.in.edge.index()) +
              std::to_string(line.request.out.edge.index());
      for (const KernelParameters& kernel : line.parameters.kernels) {
        text += ", " + std::to_string(kernel.length) + " by";
        for (const unsigned radix : kernel.radices) text += " " + std::to_string(radix);
        text += " " + std::to_string(static_cast<int>(kernel.twiddles)) +
                std::to_string(static_cast<int>(kernel.four_step));
      }
      text += "\n";
    }
  }
  return text;
}

/// A device with the least memory and work-groups that the canon needs.
device::Facts least_gpu() {
  device::Facts facts = test::small_gpu();
  facts.max_work_group = 256;
  facts.local_bytes = 32 << 10;
  return facts;
}

TEST_CASE("reproducible plans have one arithmetic on all devices", "[api][reproducible]") {
  const Options options{.profiles = false, .reproducible = true};
  for (const Kind kind : {Kind::complex, Kind::real, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                          Kind::dst2, Kind::dst3}) {
    for (const std::vector<std::size_t>& lengths :
         std::vector<std::vector<std::size_t>>{{16},
                                               {331},
                                               {1000},
                                               {1024},
                                               {4096},
                                               {8190},
                                               {8192},
                                               {10007},
                                               {16384},
                                               {20000},
                                               {1 << 18},
                                               {48, 60},
                                               {128, 128, 30}}) {
      const Transform t{.kind = kind, .lengths = lengths};
      const std::string expected = canon_text(engine::decide(t, test::large_gpu(), options));
      for (const device::Facts& facts : {least_gpu(), test::wide_cpu(), test::large_gpu()}) {
        for (const std::size_t batch : {1, 7, 100}) {
          for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
            CAPTURE(facts.name, kind, lengths, batch, placement);
            Transform other = t;
            other.batch = batch, other.placement = placement;
            const auto blueprint = engine::decide(other, facts, options);
            CHECK(canon_text(blueprint) == expected);
            for (const auto& kernel : blueprint.kernels) CHECK(kernel.as_written);
          }
        }
      }
    }
  }
}

/// Shows that the test above can fail.
TEST_CASE("without the option devices have other arithmetic", "[api][reproducible]") {
  const Transform t{.lengths = {1 << 18}};
  const Options options{.profiles = false};
  CHECK(canon_text(engine::decide(t, test::large_gpu(), options)) !=
        canon_text(engine::decide(t, test::wide_cpu(), options)));
}

TEST_CASE("parameters of reproducible plans must not change the arithmetic",
          "[api][reproducible]") {
  const auto& device = test::default_device();
  Options options{.reproducible = true};
  const auto why = [&] {
    return test::message_of(
        [&] { Plan(device.context, device.device, test::transform(1024), options); });
  };
  options.parameters.mapping = Mapping::work_group;
  options.parameters.kernels = {{.items = 32, .columns = 2, .exchange = Exchange::split}};
  const Plan plan(device.context, device.device, test::transform(1024), options);
  CHECK_THAT(plan.describe(), ContainsSubstring("reproducible, canon 1") &&
                                  ContainsSubstring("32 work-items x 2 transforms"));
  options.parameters.kernels[0].radices = {4, 16, 16};
  CHECK_THAT(why(), ContainsSubstring("parameters.kernels[0].radices is not the canon's"));
  options.parameters.kernels = {{.twiddles = Twiddles::native}};
  CHECK_THAT(why(), ContainsSubstring("parameters.kernels[0].twiddles is not the canon's"));
  options.parameters.kernels = {{.length = 32}, {.length = 32}};
  CHECK_THAT(why(), ContainsSubstring("it must be 0 or 1 if options.reproducible is true"));
  options.parameters = {.algorithm = Algorithm::hierarchy};
  CHECK_THAT(why(), ContainsSubstring("parameters.algorithm is not the canon's"));
}

TEST_CASE("a recipe of a reproducible plan makes a reproducible plan", "[api][reproducible]") {
  const auto& device = test::default_device();
  const Transform t = test::transform(60);
  const auto recipe = [&](const Options& options) {
    return Plan(device.context, device.device, t, options).recipe();
  };
  const Options reproducible{.reproducible = true};
  const std::string text = recipe(reproducible);
  CHECK(recipe({.recipe = text}) == text);
  CHECK(recipe({.reproducible = true, .recipe = text}) == text);
  const std::string plain = recipe({});
  CHECK(plain != text);
  CHECK_THAT(test::message_of([&] { recipe({.reproducible = true, .recipe = plain}); }),
             ContainsSubstring("options.reproducible is true; it must be false"));
}

TEST_CASE("the environment makes plans reproducible", "[api][reproducible]") {
  const auto& device = test::default_device();
  const auto description = [&] {
    return Plan(device.context, device.device, test::transform(60)).describe();
  };
  CHECK_THAT(description(), !ContainsSubstring("canon"));
  {
    const test::Variable variable("IMAGO_REPRODUCIBLE", "1");
    CHECK_THAT(description(), ContainsSubstring("reproducible, canon 1"));
  }
  const test::Variable variable("IMAGO_REPRODUCIBLE", "yes");
  CHECK_THAT(test::message_of(description), ContainsSubstring("it must be 0 or 1"));
}

TEST_CASE("classes without a canon reject the option", "[api][reproducible]") {
  const auto& device = test::default_device();
  const Options options{.reproducible = true};
  const auto refused = [&](const auto& make, const char* what) {
    CHECK_THAT(test::message_of(make), ContainsSubstring(what));
  };
  refused([&] { NufftPlan(device.context, device.device, {.modes = {16}, .points = 10}, options); },
          "nonuniform transforms are not reproducible");
  refused(
      [&] {
        RaggedPlan(device.context, device.device, {.lengths = {4, 5}}, options);
      },
      "rows of different lengths are not reproducible");
  refused(
      [&] {
        Plan(device.context, device.device, {.precision = Precision::f64, .lengths = {8}},
             {.reproducible = true, .f64 = F64::pairs});
      },
      "by pairs of floats are not reproducible");
  Transform t = test::transform(64);
  t.on_forward.store = {hook::power()};
  refused([&] { Plan(device.context, device.device, t, options); },
          "some hooks of on_forward.store are not reproducible");
}

}  // namespace
}  // namespace imago
