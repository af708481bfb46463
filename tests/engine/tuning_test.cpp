// This file checks the lookup of lines in profiles.
#include "engine/tuning.hpp"

#include <algorithm>
#include <cstdint>

#include "engine/composition.hpp"
#include "lines/largest.hpp"
#include "plan/cuts.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "profile/file.hpp"
#include "profile/read.hpp"
#include "profile/words.hpp"

#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago {
namespace {

lines::Request rows() {
  lines::Request request;
  request.length = 60;
  request.batch = 3;
  request.in.distance = request.out.distance = 60;
  return request;
}

std::string whole_key(const Transform& transform, bool inverse = false) {
  const auto found = engine::class_of(problem::make_problem(transform), inverse);
  return found ? found->key() : "none";
}

std::string key_of(const lines::Request& request) {
  const auto found = engine::class_of(request);
  return found ? found->key() : "none";
}

TEST_CASE("the class of a line", "[api]") {
  auto request = rows();
  CHECK(key_of(request) == "complex-60-f32-out_of_place-packed-batch_3");
  request.out.distance = 61;
  CHECK(key_of(request) == "complex-60-f32-out_of_place-spaced-batch_3");
  request = rows();
  request.precision = Precision::f64;
  request.placement = Placement::in_place;
  CHECK(key_of(request) == "complex-60-f64-in_place-packed-batch_3");
  request = rows();
  request.axes = {6, 10};
  CHECK(key_of(request) == "complex-6x10-f32-out_of_place-packed-batch_3");
}

std::string key_of(const Transform& transform) {
  const auto problem = problem::make_problem(transform);
  return key_of(plan::lines_of(problem, false, {}, test::large_gpu()).front());
}

Transform cosines(Kind kind, std::vector<std::size_t> lengths, std::size_t batch) {
  Transform transform;
  transform.kind = kind;
  transform.lengths = std::move(lengths);
  transform.batch = batch;
  return transform;
}

TEST_CASE("the class of cosine and sine lines counts transforms of reals", "[api]") {
  CHECK(key_of(cosines(Kind::dct2, {64}, 1000)) == "dct2-64-f32-out_of_place-packed-batch_1000");
  CHECK(key_of(cosines(Kind::dct3, {64}, 7)) == "dct3-64-f32-out_of_place-packed-batch_7");
  CHECK(key_of(cosines(Kind::dst1, {64}, 10)) == "dst1-64-f32-out_of_place-packed-batch_10");
  CHECK(key_of(cosines(Kind::dct4, {64}, 5)) == "dct4-64-f32-out_of_place-packed-batch_5");
  CHECK(key_of(cosines(Kind::dct4, {63}, 4)) == "dct4-63-f32-out_of_place-packed-batch_4");
  CHECK(key_of(cosines(Kind::dct2, {8, 8}, 64)) == "dct2-8x8-f32-out_of_place-packed-batch_64");
  auto spaced = cosines(Kind::dct2, {64}, 10);
  spaced.spectrum = {.strides = {1}, .distance = 65};
  CHECK(key_of(spaced) == "dct2-64-f32-out_of_place-spaced-batch_10");
}

TEST_CASE("axes of different kinds and real ones have no class", "[api]") {
  auto mixed = cosines(Kind::dct2, {8, 8}, 64);
  mixed.axes = {Kind::dct2, Kind::dct3};
  CHECK(key_of(mixed) == "none");
  CHECK(key_of(cosines(Kind::real, {64}, 4)) == "none");
  CHECK(key_of(cosines(Kind::real, {63}, 4)) == "none");
}

TEST_CASE("the transform of a class asks for that class", "[api]") {
  for (const auto& kind : profile::kKinds) {
    for (const auto placement : {Placement::in_place, Placement::out_of_place}) {
      for (const auto& lengths : {std::vector<std::uint64_t>{48}, {6, 1, 7}}) {
        profile::ProblemClass problem;
        problem.kind = kind.value;
        problem.lengths = lengths;
        if (kind.value == Kind::dct1) problem.lengths[lengths.size() / 2] = 5;  // 1 is too short
        problem.batch = 6;
        problem.placement = placement;
        CHECK(whole_key(engine::transform_of(problem)) == problem.key());
      }
    }
  }
}

TEST_CASE("the class of a whole transform", "[api]") {
  Transform transform{.lengths = {64, 48}, .batch = 3};
  CHECK(whole_key(transform) == "complex-64x48-f32-out_of_place-packed-batch_3");
  transform.kind = Kind::real;
  CHECK(whole_key(transform) == "real-64x48-f32-out_of_place-packed-batch_3");
  CHECK(whole_key(transform, true) == whole_key(transform));
  transform.kind = Kind::dct2;
  CHECK(whole_key(transform, true) == "dct3-64x48-f32-out_of_place-packed-batch_3");
  transform.kind = Kind::complex;
  transform.spectrum = {.strides = {48, 1}, .distance = 64 * 48 + 1};
  CHECK(whole_key(transform) == "complex-64x48-f32-out_of_place-spaced-batch_3");
  transform.batch = 1;  // there is no next member, so the distance does not matter
  CHECK(whole_key(transform) == "complex-64x48-f32-out_of_place-packed-batch_1");
  transform.spectrum = {.strides = {1, 64}};
  CHECK(whole_key(transform) == "none");
  transform.spectrum = {};
  transform.axes = {Kind::real, Kind::complex};
  CHECK(whole_key(transform) == "none");
  transform.axes = {Kind::complex, Kind::identity};
  CHECK(whole_key(transform) == "none");
}

TEST_CASE("lines with strides or neighbours have no class", "[api]") {
  auto request = rows();
  request.in.stride = 2;
  CHECK(key_of(request) == "none");
  request = rows();
  request.loops = {{4, 1000, 1000}};
  CHECK(key_of(request) == "none");
}

TEST_CASE("an enumeration with a value of none is refused by its name", "[api]") {
  Options options;
  options.profiles = false;
  const auto refuses = [&](const char* field) {
    CHECK_THROWS_WITH(
        engine::decide(Transform{.lengths = {64}, .batch = 3}, test::large_gpu(), options),
        test::ContainsSubstring(std::string("parameters.") + field + " is 77"));
    CHECK_THROWS_AS(
        engine::decide(Transform{.lengths = {64}, .batch = 3}, test::large_gpu(), options),
        InvalidArgument);
    options.parameters = {};
  };
  options.parameters.algorithm = static_cast<Algorithm>(77);
  refuses("algorithm");
  options.parameters.mapping = static_cast<Mapping>(77);
  refuses("mapping");
  options.parameters.launches = static_cast<Launches>(77);
  refuses("launches");
  options.parameters.kernels = {{.exchange = static_cast<Exchange>(77)}};
  refuses("kernels[0].exchange");
  options.parameters.kernels = {{.twiddles = static_cast<Twiddles>(77)}};
  refuses("kernels[0].twiddles");
}

/// Returns an H200 as NVIDIA's driver describes it; imago includes a profile for it.
device::Facts h200() {
  device::Facts facts = test::large_gpu();
  facts.name = "NVIDIA H200", facts.vendor = "NVIDIA Corporation";
  facts.platform = "NVIDIA CUDA", facts.architecture = "sm_90";
  facts.local_bytes = std::size_t{227} << 10;
  return facts;
}

std::vector<std::size_t> passes_of(const engine::Blueprint& blueprint) {
  std::vector<std::size_t> passes;
  for (const kernel::Step& step : blueprint.forward->program.steps)
    passes.push_back(step.passes.size());
  return passes;
}

TEST_CASE("hooks leave tuned kernels that have more passes than the model's", "[api]") {
  Transform transform{.lengths = {1024}, .batch = 131072, .directions = Directions::forward};
  REQUIRE(passes_of(engine::decide(transform, h200(), {})) == std::vector<std::size_t>{4});
  transform.on_forward.store = {hook::power()};
  CHECK(passes_of(engine::decide(transform, h200(), {})) == std::vector<std::size_t>{3});
  // The number of passes is the same, so the tuned parameters are used.
  transform.lengths = {2048};
  const auto hooked = engine::decide(transform, h200(), {});
  CHECK(hooked.forward->lines[0].tuned.has_value());
}

TEST_CASE("a filter turns in whole cache lines of columns", "[api]") {
  const FilterShape filter{
      .lengths = {1024, 1024}, .batch = 16, .spectrum = {hook::multiply("spectrum")}};
  const auto planes = engine::decide(filter, h200(), {});
  REQUIRE(planes.forward->program.steps.size() == 3);
  CHECK(planes.forward->program.steps[1].tile * sizeof(float) * 2 == 128);
}

// Entries of 511x511 were convolutions when 73 had become a radix, and 1.6 times as slow as it.
TEST_CASE("no shipped entry of a GPU convolves where there are radices", "[api]") {
  const auto has_radices = [](const profile::ProblemClass& problem) {
    return std::all_of(problem.lengths.begin(), problem.lengths.end(), [&](std::size_t n) {
      return lines::has_radices(n, Mapping::work_group, problem.precision, test::hopper_gpu());
    });
  };
  std::size_t checked = 0;
  for (const auto& file : profile::shipped()) {
    const auto shipped = profile::parse(file.text, file.name);
    if (shipped.device.type != device::Type::gpu) continue;
    for (const auto& [problem, parameters, seconds, driver] : shipped.entries) {
      if ((problem.kind != Kind::complex && problem.kind != Kind::real) || !has_radices(problem))
        continue;
      std::uint64_t points = 1;
      for (const auto& kernel : parameters.kernels) points *= kernel.length;
      INFO(file.name << " " << problem.key());
      CHECK(points <= problem.points());
      ++checked;
    }
  }
  CHECK(checked > 100);
}

}  // namespace
}  // namespace imago
