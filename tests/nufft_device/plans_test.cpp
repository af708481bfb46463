// This file checks plans of nonuniform transforms: points in parts, real numbers, estimates,
// descriptions and messages.
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <imago/imago.hpp>

#include "nufft_device/sums.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

template <class Real>
void check_reals(FirstCall first_call) {
  using Complex = std::complex<Real>;
  const Device& device = default_device();
  const std::size_t count = 3000, batch = 2, offset = 3;
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const std::vector<std::size_t>& modes :
         {std::vector<std::size_t>{70}, {10, 13}, {4, 7, 6}}) {
      // Compiling takes the time.
      if (sizeof(Real) == 8 && modes.size() != 2 && first_call == FirstCall::compile) continue;
      Options options;
      options.parameters.mapping = mapping;
      options.first_call = first_call;
      NufftTransform transform{.modes = modes, .tolerance = 1e-4, .batch = batch};
      transform.precision = sizeof(Real) == 8 ? Precision::f64 : Precision::f32;
      const Points points(transform, modes.size(), count, Places::cluster, 5);
      NufftPlan complex_plan(device.context, device.device, transform, options);
      transform.real = true;
      NufftPlan plan(device.context, device.device, transform, options);
      complex_plan.set_points(device.queue, points.on_device);
      plan.set_points(device.queue, points.on_device);
      CHECK(plan.points_bytes() == batch * count * sizeof(Real));
      CHECK(2 * plan.points_bytes() == complex_plan.points_bytes());
      std::vector<Real> reals(offset);
      std::vector<Complex> complexes;
      for (const Complex& number : numbers<Real>(batch * count, 6)) {
        reals.push_back(number.real());
        complexes.emplace_back(number.real());
      }
      const auto f = device.upload(numbers<Real>(batch * product(modes), 7));
      const auto to_modes = device.allocate(plan.modes_bytes()),
                 all_modes = device.allocate(plan.modes_bytes()),
                 to_points = device.allocate(plan.points_bytes()),
                 all_points = device.allocate(complex_plan.points_bytes());
      const auto from_reals = device.upload(reals), from_complexes = device.upload(complexes);
      plan.type1(device.queue, {from_reals, offset}, to_modes);
      complex_plan.type1(device.queue, from_complexes, all_modes);
      CHECK(downloaded<Real>(to_modes, batch * product(modes)) ==
            downloaded<Real>(all_modes, batch * product(modes)));
      plan.type2(device.queue, f, to_points);
      complex_plan.type2(device.queue, f, all_points);
      const auto values = device.download<Real>(to_points, batch * count);
      const auto all = downloaded<Real>(all_points, batch * count);
      bool equal = true;
      for (std::size_t j = 0; j < batch * count; ++j) equal = equal && values[j] == all[j].real();
      CHECK(equal);
      const auto small = device.allocate(plan.points_bytes() - 1);
      CHECK_THROWS_AS(plan.type2(device.queue, f, small), InvalidArgument);
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("real strengths and values are the real parts of complex ones", "[nufft][long]",
                   float, double) {
  check_reals<TestType>(FirstCall::compile);
}
TEMPLATE_TEST_CASE("real strengths on generic kernels are the real parts of complex ones",
                   "[nufft][nufft_generic]", float, double) {
  check_reals<TestType>(FirstCall::generic);
}

TEST_CASE("points in parts give the transforms of all points", "[nufft]") {
  const Device& device = default_device();
  const std::vector<std::size_t> counts = {300, 0, 1, 2100};
  const std::size_t all = 2401, batch = 2;
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    NufftTransform transform{.modes = {10, 13}, .tolerance = 1e-9, .precision = Precision::f64};
    transform.batch = batch;
    transform.coordinates = Coordinates::radians_f64;
    const Points points(transform, 2, all, Places::cluster, 5);
    NufftPlan plan(device.context, device.device, transform, options);
    const std::size_t modes = product(transform.modes);
    const auto c = numbers<double>(batch * all, 6), f = numbers<double>(batch * modes, 7);
    const auto from = device.upload(c), given = device.upload(f);
    const auto one = device.allocate(plan.modes_bytes()), values = device.allocate(16 * c.size());
    plan.set_points(device.queue, points.on_device);
    plan.type1(device.queue, from, one);
    plan.type2(device.queue, given, values);
    const auto modes_of_all = downloaded<double>(one, batch * modes),
               values_of_all = downloaded<double>(values, batch * all);

    std::vector<NufftPoints> parts;
    std::vector<cl::Buffer> buffers;
    std::vector<Array> strengths, results;
    for (std::size_t first = 0, i = 0; i < counts.size(); first += counts[i++]) {
      NufftPoints part{{}, counts[i]};
      for (const cl::Buffer& axis : points.buffers) part.coordinates.emplace_back(axis, first);
      parts.push_back(part);
      std::vector<std::complex<double>> own(1);  // an offset
      for (std::size_t member = 0; member < batch; ++member)
        own.insert(own.end(), &c[member * all + first], &c[member * all + first] + counts[i]);
      buffers.push_back(device.upload(own));
      strengths.emplace_back(buffers.back(), 1);
      buffers.push_back(device.allocate(std::max<std::size_t>(16, 16 * batch * counts[i])));
      results.emplace_back(buffers.back());
    }
    const auto sums = device.allocate(plan.modes_bytes());
    plan.set_points(device.queue, parts);
    CHECK(plan.points() == all);
    CHECK(plan.points_bytes() == batch * all * 16);
    plan.type1(device.queue, strengths, sums);
    plan.type2(device.queue, given, results);
    std::vector<Long> exact;
    for (const auto& mode : modes_of_all) exact.emplace_back(mode);
    CHECK(error_of(downloaded<double>(sums, batch * modes).data(), exact,
                   norm_of(modes_of_all.data(), batch * modes)) < 1e-13);
    for (std::size_t first = 0, i = 0; i < counts.size(); first += counts[i++]) {
      const auto own = downloaded<double>(buffers[2 * i + 1], batch * counts[i]);
      bool equal = true;
      for (std::size_t j = 0; j < own.size(); ++j) {
        const std::size_t member = j / counts[i], of_all = member * all + first + j % counts[i];
        equal = equal && std::abs(own[j] - values_of_all[of_all]) < 1e-12;
      }
      CHECK(equal);
    }
    const std::string before = plan.describe();
    CHECK(before.find("2401 points in") != std::string::npos);
    // The messages of wrong arrays.
    CHECK(message_of([&] { plan.type1(device.queue, from, sums); }) ==
          "the number of strengths is 1; give an array for each of the 4 parts of the points");
    results.back() = results.front();
    CHECK_THROWS_AS(plan.type2(device.queue, given, results), InvalidArgument);
    const auto bad = device.upload(std::vector<double>{0, std::nan("")});
    parts.back() = {{bad, bad}, 2};
    CHECK(message_of([&] { plan.set_points(device.queue, parts); }) ==
          "a coordinate of point 302 is not finite; give finite numbers");
    CHECK_THROWS_AS(plan.type1(device.queue, strengths, sums), InvalidArgument);
    parts.back().count = std::size_t{1} << 31;
    CHECK_THROWS_AS(plan.set_points(device.queue, parts), Unsupported);
  }
}

TEST_CASE("an estimate is what the plan then needs", "[nufft][long]") {
  const Device& device = default_device();
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const NufftTypes types : {NufftTypes::both, NufftTypes::type1, NufftTypes::type2}) {
      // Compiling takes the time.
      if ((mapping == Mapping::vector) != (types == NufftTypes::both)) continue;
      Options options;
      options.parameters.mapping = mapping;
      NufftTransform transform{.modes = {60, 75}, .tolerance = 1e-5, .batch = 2};
      transform.centred = false;
      transform.types = types;
      transform.points = 20000;
      transform.real = types == NufftTypes::type1;
      const NufftEstimate estimate = NufftPlan::estimate(device.device, transform, options);
      NufftPlan plan(device.context, device.device, transform, options);
      const std::string before = plan.describe();
      const Points points(transform, 2, transform.points, Places::uniform, 5);
      plan.set_points(device.queue, points.on_device);
      CHECK(estimate.width == plan.width());
      CHECK(estimate.grid == plan.grid());
      CHECK(estimate.predicted_error == plan.predicted_error());
      CHECK(estimate.points == plan.points());
      CHECK(estimate.points_bytes == plan.points_bytes());
      CHECK(estimate.modes_bytes == plan.modes_bytes());
      CHECK(estimate.workspace_bytes == plan.workspace_bytes());
      CHECK(estimate.vectors == (mapping == Mapping::vector));
      CHECK(plan.describe() == before);
      for (const auto& [step, is_there] : {std::pair(estimate.set_points, true),
                                           std::pair(estimate.type1, types != NufftTypes::type2),
                                           std::pair(estimate.type2, types != NufftTypes::type1)}) {
        CHECK((step.kernels > 0) == is_there);
        CHECK((step.seconds > 0) == is_there);
        CHECK(step.seconds < 1);
      }
    }
  }
}

TEST_CASE("an estimate grows with the points, the accuracy and the batch", "[nufft]") {
  const Device& device = default_device();
  const auto estimate = [&](std::size_t points, double tolerance, std::size_t batch) {
    NufftTransform transform{.modes = {64, 64}, .tolerance = tolerance, .batch = batch};
    transform.points = points;
    return NufftPlan::estimate(device.device, transform);
  };
  const auto usual = estimate(1000000, 1e-3, 1);
  for (const auto& more :
       {estimate(2000000, 1e-3, 1), estimate(1000000, 1e-6, 1), estimate(1000000, 1e-3, 3)}) {
    CHECK(more.type1.seconds > 1.05 * usual.type1.seconds);
    CHECK(more.type2.seconds > 1.05 * usual.type2.seconds);
  }
  CHECK(estimate(0, 1e-3, 1).points == 64 * 64);
  NufftTransform third;
  third.types = NufftTypes::type3;
  third.axes = 1;
  CHECK(message_of([&] {
          NufftPlan::estimate(device.device, third);
        }).starts_with("types is type3; its grid depends on the points"));
  CHECK_THROWS_AS(NufftPlan::estimate(device.device, {.modes = {8}, .tolerance = 1e-30}),
                  Unsupported);
  CHECK_THROWS_AS(NufftPlan::estimate(cl::Device(), {.modes = {8}}), InvalidArgument);

  // The most points, in the largest batch; sums of bytes must not overflow.
  constexpr std::size_t kMost = std::size_t{1} << 35, kBatch = std::size_t{1} << 24;
  NufftTransform many{.modes = {16}, .batch = kBatch};
  many.points = kMost;
  many.precision = device.f64() ? Precision::f64 : Precision::f32;
  const NufftEstimate huge = NufftPlan::estimate(device.device, many);
  CHECK(huge.points == kMost);
  CHECK(huge.points_bytes == kMost * kBatch * (device.f64() ? 16 : 8));
  CHECK(huge.workspace_bytes > 16 * kMost);
  for (const std::size_t points : {kMost + 1, std::size_t{1} << 60, ~std::size_t{0}}) {
    many.points = points;
    CHECK(message_of([&] { NufftPlan::estimate(device.device, many); }) ==
          "points is " + std::to_string(points) + "; it must be at most 2^35");
  }
}

TEST_CASE("a description has the launches and the points that are set", "[nufft]") {
  const Device& device = default_device();
  Options options;
  options.parameters.mapping = Mapping::work_group;
  NufftTransform transform{.modes = {256}, .tolerance = 1e-4};
  transform.points = 1000;
  NufftPlan plan(device.context, device.device, transform, options);
  const Points even(transform, 1, 1000, Places::uniform, 5),
      together(transform, 1, 50000, Places::one_place, 5);
  plan.set_points(device.queue, even.on_device);
  const auto launches = [&] {
    const std::string text = plan.describe(), name = "type 1: ";
    return std::stoul(text.substr(text.find(name) + name.size()));
  };
  const std::size_t before = launches();
  CHECK(before == NufftPlan::estimate(device.device, transform, options).type1.kernels);
  plan.set_points(device.queue, together.on_device);
  CHECK(launches() == before + 2);  // the parts of the bin, and their sum
  CHECK(plan.describe().find("50000 points in") != std::string::npos);
}

TEST_CASE("nonuniform transforms refuse what they cannot do", "[nufft]") {
  const Device& device = default_device();
  const auto made = [&](const NufftTransform& transform) {
    return NufftPlan(device.context, device.device, transform);
  };
  const auto message = [&](const NufftTransform& transform) {
    return message_of([&] { made(transform); });
  };
  CHECK(message({}) == "the size of modes is 0; give 1 to 3 numbers of modes");
  CHECK(message({.modes = {4, 4, 4, 4}}) == "the size of modes is 4; give 1 to 3 numbers of modes");
  CHECK(message({.modes = {4, 0}}) == "modes[1] is 0; it must be from 1 to 2^29");
  CHECK(message({.modes = {4}, .tolerance = 0}) ==
        "tolerance is 0; it must be above 0 and below 1");
  CHECK(message({.modes = {4}, .batch = 0}) == "batch is 0; it must be at least 1");
  CHECK(message({.modes = {4}, .batch = std::size_t{1} << 62}) ==
        "batch is 4611686018427387904; it must be at most 2^24");
  NufftTransform cast{.modes = {4}};
  cast.coordinates = static_cast<Coordinates>(9);
  CHECK(message(cast) ==
        "coordinates is 9; it must be 0 (radians_f32), 1 (radians_f64), 2 (fractions_i32) or 3 "
        "(fractions_i64)");
  cast = {.modes = {4}};
  cast.types = static_cast<NufftTypes>(9);
  CHECK(message(cast) == "types is 9; it must be 0 (both), 1 (type1), 2 (type2) or 3 (type3)");
  CHECK(message({.modes = {4}, .sign = 2}) == "sign is 2; it must be 1 or -1");

  // The smallest tolerance is named, and is allowed.
  NufftTransform exact{.modes = {24}, .tolerance = 1e-9};
  CHECK_THROWS_AS(made(exact), Unsupported);
  exact.tolerance = least_tolerance(exact);
  CHECK(exact.tolerance < 1e-6);
  CHECK_NOTHROW(made(exact));
  NufftTransform better = exact;
  better.tolerance = 0.9 * exact.tolerance;
  CHECK_THROWS_AS(made(better), Unsupported);

  NufftTransform frequencies{.tolerance = 1e-9};
  frequencies.types = NufftTypes::type3;
  frequencies.axes = 2;
  CHECK(message(frequencies).starts_with("a tolerance of 1e-09 is beyond f32"));
  frequencies.tolerance = least_tolerance(frequencies);
  CHECK_NOTHROW(made(frequencies));

  NufftPlan plan = made({.modes = {24}, .tolerance = 1e-4});
  const auto buffer = device.upload(std::vector<float>(256));
  CHECK(message_of([&] { plan.type1(device.queue, buffer, buffer); }) ==
        "the plan is without points; call set_points() first");
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const auto x = device.upload(std::vector<float>{0, 1, bad, bad});
    CHECK(message_of([&] {
            plan.set_points(device.queue, {{x}, 4});
          }) == "a coordinate of point 2 is not finite; give finite numbers");
    CHECK_THROWS_AS(plan.type1(device.queue, buffer, buffer), InvalidArgument);
  }
  CHECK_THROWS_AS(plan.set_points(device.queue, {{}, 4}), InvalidArgument);
  CHECK_THROWS_AS(plan.set_points(device.queue, {{buffer}, 257}), InvalidArgument);
  CHECK_THROWS_AS(plan.set_points(device.queue, {{buffer}, 4}, {{buffer}, 4}), InvalidArgument);
  plan.set_points(device.queue, {{device.upload(std::vector<float>(100))}, 100});
  CHECK_THROWS_AS(plan.type1(device.queue, buffer, buffer), InvalidArgument);  // too small
  CHECK_THROWS_AS(plan.type3(device.queue, buffer, buffer), InvalidArgument);

  NufftTransform far{.tolerance = 1e-4};
  far.axes = 1;
  far.types = NufftTypes::type3;
  far.coordinates = Coordinates::radians_f64;
  NufftPlan third = made(far);
  const auto huge = device.upload(std::vector<double>{0, 1e300});
  CHECK(message_of([&] {
          third.set_points(device.queue, {{huge}, 2}, {{Array(huge, 1)}, 1});
        }) ==
        "the largest coordinate times the largest frequency is inf; it is an angle, and must be at "
        "most 2^65 radians: give numbers closer to 0");

  NufftTransform only = {.modes = {24}, .tolerance = 1e-4};
  only.types = NufftTypes::type1;
  NufftPlan one = made(only);
  one.set_points(device.queue, {{buffer}, 4});
  CHECK_THROWS_AS(one.type2(device.queue, buffer, device.allocate(1024)), InvalidArgument);
}

TEST_CASE("all nonuniform transforms of a precision have the same generic programs", "[nufft]") {
  const Device& device = default_device();
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    std::set<std::string> programs;
    for (const NufftPromise promise : {NufftPromise::norm, NufftPromise::each_value}) {
      for (const std::vector<std::size_t>& modes :
           {std::vector<std::size_t>{1}, {3000}, {30, 50}, {9, 20, 14}}) {
        for (const double tolerance : {1e-1, 1e-3, 1e-4}) {
          Options options;
          options.parameters.mapping = mapping;
          options.first_call = FirstCall::generic;
          NufftTransform transform{
              .modes = modes, .tolerance = tolerance, .batch = 3, .promise = promise};
          transform.coordinates = static_cast<Coordinates>(modes.size());
          transform.sign = tolerance == 1e-3 ? -1 : 1;
          transform.real = modes.size() == 2;
          const NufftPlan plan(device.context, device.device, transform, options);
          CHECK(!plan.ready());
          for (const KernelSource& kernel : plan.sources())
            if (kernel.name.starts_with("nufft_"))
              programs.insert(kernel.name + kernel.options + kernel.source);
        }
      }
    }
    CHECK(programs.size() == 2);
  }
}

TEST_CASE("a nonuniform transform swaps to its own kernels with its points", "[nufft][long]") {
  const Device& device = default_device();
  NufftTransform transform{.modes = {20, 30}, .tolerance = 3e-4};
  transform.coordinates = Coordinates::fractions_i32;
  transform.sign = -1;
  const Points points(transform, 2, 3000, Places::crowd, 5);
  const auto strengths = device.upload(numbers<float>(3000, 6));
  const auto sum_of = [&](NufftPlan& plan) {
    const auto modes = device.allocate(plan.modes_bytes());
    plan.type1(device.queue, strengths, modes);
    return downloaded<float>(modes, 600);
  };
  // A folder of its own, so that no kernels are cached; the tolerance and the sign are those of no
  // other test.
  const Folder folder;
  Options options;
  options.cache_directory = folder.path();
  options.first_call = FirstCall::automatic;
  NufftPlan plan(device.context, device.device, transform, options);
  plan.set_points(device.queue, points.on_device);
  CHECK(!plan.ready());
  const auto first = sum_of(plan);
  CHECK(sum_of(plan) == first);
  CHECK(plan.wait());
  CHECK(plan.ready());
  const auto own = sum_of(plan);  // generic kernels sorted the points
  plan.set_points(device.queue, points.on_device);
  CHECK(error_of(own.data(), {first.begin(), first.end()}, norm_of(first.data(), 600)) < 1e-5);
  const auto sorted = sum_of(plan);
  CHECK(error_of(own.data(), {sorted.begin(), sorted.end()}, norm_of(first.data(), 600)) < 1e-6);
  options.deterministic = true;
  CHECK(NufftPlan(device.context, device.device, transform, options).ready());
}
