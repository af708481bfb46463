// This file checks that every class of plans tells of all its kernels, and predicts what it needs.
#include <functional>
#include <string>
#include <vector>

#include "api/support.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"

namespace imago {
namespace {

/// Checks the lists of a plan's kernels, whose texts contain each of `words` at least once.
template <class Made>
void check_lists(const char* name, const Made& plan, const std::vector<std::string>& words = {}) {
  INFO(name);
  const auto sources = plan.sources();
  const auto builds = plan.builds();
  REQUIRE(!sources.empty());
  REQUIRE(sources.size() == builds.size());
  std::string all;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    CHECK(sources[i].name == builds[i].name);
    CHECK(sources[i].source.find("__kernel") != std::string::npos);
    all += sources[i].source;
  }
  for (const std::string& word : words) CHECK(all.find(word) != std::string::npos);
  CHECK(!plan.describe().empty());
}

TEST_CASE("every class of plans lists its kernels and the bytes of its tables", "[api]") {
  const test::Device device;
  const cl::Context& context = device.context;
  const std::vector<std::complex<double>> window(16, 1.0);
  check_lists("Plan", Plan(context, device.device, {.lengths = {12}}));
  check_lists("Filter", Filter(context, device.device, {.lengths = {12}}));

  // The kernels of prepare() and apply() differ, and so do those of several channels.
  const Convolution one(context, device.device, {.signal = {100}, .kernel = {7}}),
      several(context, device.device, {.signal = {100}, .kernel = {7}, .channels = 2});
  check_lists("Convolution", one);
  check_lists("Convolution of channels", several);
  CHECK(several.sources().size() > one.sources().size());

  const ShortTimePlan short_time(context, device.device,
                                 {.lengths = {200}, .window = window, .hop = 8});
  check_lists("ShortTimePlan", short_time);
  check_lists("WelchPlan",
              WelchPlan(context, device.device, {.lengths = {200}, .window = window, .hop = 8}));
  check_lists("Stream", Stream(device.queue, FirFilter{.lengths = {200}, .taps = {1.0, 2.0}}));
  check_lists("ZoomPlan",
              ZoomPlan(context, device.device, {.lengths = {50}, .points = 9, .to = 0.3}));
  check_lists("NufftPlan", NufftPlan(context, device.device, {.modes = {12}, .tolerance = 1e-3}),
              {"nufft_spread", "nufft_interpolate"});
  const auto sparse = [&](const SparseTransform& transform) {
    return SparsePlan(context, device.device, transform);
  };
  check_lists("SparsePlan", sparse({.length = 4096, .sparsity = 2, .method = SparseMethod::phase}),
              {"phase_sample", "dense_histogram"});
  check_lists("voting, audited",
              sparse({.length = 8192,
                      .sparsity = 2,
                      .method = SparseMethod::voting,
                      .allow_dense = false,
                      .assurance = Assurance::verified}),
              {"voting_vote", "audit_fold"});
  check_lists("dense", sparse({.length = 1000, .method = SparseMethod::dense}), {"dense_collect"});
  const Pool pool(context, device.device);
  check_lists("HostPlan", HostPlan(pool, {.lengths = {12}}));

  // A prime length has tables of roots.
  const Transform prime{.lengths = {10007}};
  const Plan plan(context, device.device, prime);
  REQUIRE(plan.table_bytes() > 0);
  CHECK(HostPlan(pool, prime).table_bytes() >= plan.table_bytes());
  CHECK(WelchPlan(context, device.device,
                  {.lengths = {20014},
                   .window = std::vector<std::complex<double>>(10007, 1.0),
                   .hop = 10007})
            .table_bytes() > 0);
}

/// An estimate, and the plan that it is for.
struct Predicted {
  const char* name;
  std::function<Estimate()> estimate;
  std::function<void(const Estimate&)> check;
};

/// Checks what an estimate and a plan both have.
template <class Made>
void check_estimate(const Estimate& estimate, const Made& plan, std::size_t kernels) {
  CHECK(estimate.workspace_bytes == plan.workspace_bytes());
  CHECK(estimate.table_bytes == plan.table_bytes());
  CHECK(estimate.kernels == kernels);
  CHECK(estimate.bytes_moved >= estimate.signal_bytes);
  CHECK(estimate.seconds > 0);
}

/// Returns an estimate of a class, whose plan has these bytes of arrays and starts `kernels`
/// kernels in the predicted call.
template <class Made, std::size_t (Made::*signal)() const, std::size_t (Made::*result)() const,
          class Described>
Predicted predicted(const char* name, const test::Device& device, Described described,
                    std::size_t kernels) {
  return {name, [=, &device] { return Made::estimate(device.device, described); },
          [=, &device](const Estimate& estimate) {
            const Made plan(device.context, device.device, described);
            CHECK(estimate.signal_bytes == (plan.*signal)());
            CHECK(estimate.spectrum_bytes == (plan.*result)());
            check_estimate(estimate, plan, kernels);
          }};
}

template <class Described>
Predicted predicted_stream(const char* name, const test::Device& device, Described described,
                           std::size_t kernels) {
  return {name, [=, &device] { return Stream::estimate(device.device, described); },
          [=, &device](const Estimate& estimate) {
            const Stream plan(device.queue, described);
            CHECK(estimate.signal_bytes == plan.input_bytes(plan.most()));
            CHECK(estimate.spectrum_bytes == plan.result_bytes(plan.most_results()));
            check_estimate(estimate, plan, kernels);
          }};
}

/// `described` are the launches in the plan's description, whose sum is `kernels`.
Predicted predicted_sparse(const char* name, const test::Device& device,
                           const SparseTransform& transform, std::size_t kernels,
                           const char* described) {
  return {name, [=, &device] { return SparsePlan::estimate(device.device, transform); },
          [=, &device](const Estimate& estimate) {
            const SparsePlan plan(device.context, device.device, transform);
            CHECK_THAT(plan.describe(), test::ContainsSubstring(described));
            CHECK(estimate.spectrum_bytes == 0);
            CHECK(estimate.signal_bytes == plan.signal_bytes());
            CHECK(estimate.workspace_bytes == plan.workspace_bytes());
            CHECK(estimate.table_bytes == plan.table_bytes());
            CHECK(estimate.kernels == kernels);
            CHECK(estimate.bytes_moved > 0);
            CHECK(estimate.seconds > 0);
          }};
}

/// Each piece of an array starts one kernel; `pieces` is 1 for an array as a whole.
Predicted predicted_host(const char* name, const Pool& pool, const HostOptions& options,
                         std::size_t pieces) {
  const Transform transform{.lengths = {1000}, .batch = 1001};
  return {name, [=] { return HostPlan::estimate(pool, transform, options); },
          [=](const Estimate& estimate) {
            const HostPlan plan(pool, transform, options);
            if (pieces > 1)
              CHECK_THAT(plan.describe(), test::ContainsSubstring("forward, pass 1 of 1: " +
                                                                  std::to_string(pieces)));
            CHECK(estimate.signal_bytes == plan.signal_bytes());
            CHECK(estimate.spectrum_bytes == plan.spectrum_bytes());
            check_estimate(estimate, plan, pieces);
          }};
}

TEST_CASE("every class of plans predicts what it needs, and compiles nothing for that", "[api]") {
  const test::Device device;
  const std::vector<std::complex<double>> window(19, 1.0);
  const auto convolution = [&](const char* name, const ConvolutionShape& shape,
                               std::size_t kernels) {
    return predicted<Convolution, &Convolution::signal_bytes, &Convolution::result_bytes>(
        name, device, shape, kernels);
  };
  const auto short_time = [&](const char* name, const ShortTimeTransform& transform,
                              std::size_t kernels) {
    return predicted<ShortTimePlan, &ShortTimePlan::signal_bytes, &ShortTimePlan::spectrum_bytes>(
        name, device, transform, kernels);
  };
  const auto welch = [&](const char* name, const WelchTransform& transform, std::size_t kernels) {
    return predicted<WelchPlan, &WelchPlan::signal_bytes, &WelchPlan::spectrum_bytes>(
        name, device, transform, kernels);
  };
  const auto zooms = [&](const char* name, const ZoomTransform& transform) {
    return predicted<ZoomPlan, &ZoomPlan::signal_bytes, &ZoomPlan::spectrum_bytes>(name, device,
                                                                                   transform, 1);
  };
  const ShortTimeTransform frames{.lengths = {209}, .window = window, .hop = 5};
  ShortTimeTransform extended = frames, back = frames;
  extended.border = Border::even, back.directions = Directions::inverse;
  ShortTimeTransform pushed = frames, pulled = back;
  pushed.axis = pulled.axis = 0, pushed.directions = Directions::forward;
  const WelchTransform powers{.lengths = {209}, .window = window, .hop = 5};
  WelchTransform crossed = powers;
  crossed.cross = true;
  WelchTransform many = powers;
  many.lengths = {1009};
  const FirFilter filter{.lengths = {201}, .taps = {1.0, 2.0, 5.0}};
  const ZoomTransform zoom{.lengths = {53}, .points = 9, .to = 0.3};
  ZoomTransform adjoint = zoom;
  adjoint.directions = Directions::inverse;
  const Pool pool(device.context, device.device),
      copying(device.context, device.device, {.copies = true});
  const std::vector<Predicted> all{
      predicted_sparse("SparsePlan", device,
                       {.length = 8200, .sparsity = 2, .method = SparseMethod::phase}, 6,
                       "buckets: 1 launch\n  peel: 2 launches\n  refine: 1 launch\n"),
      predicted_sparse("voting, audited", device,
                       {.length = 16384,
                        .sparsity = 2,
                        .method = SparseMethod::voting,
                        .allow_dense = false,
                        .assurance = Assurance::verified},
                       14 + 5, "all: 14 launches"),
      predicted_sparse("dense", device,
                       {.length = 1001, .kind = Kind::real, .method = SparseMethod::dense}, 1 + 2,
                       "1. single"),
      predicted_host("HostPlan", pool, {}, 1),
      predicted_host("copies", copying, {.memory_limit = std::size_t{4} << 20}, 17),
      predicted<Filter, &Filter::signal_bytes, &Filter::result_bytes>(
          "Filter", device, FilterShape{.lengths = {60}}, 1),
      convolution("Convolution", {.signal = {103}, .kernel = {7}}, 1),
      convolution("channels", {.signal = {103}, .kernel = {7}, .channels = 2}, 2),
      // Frames in ceil(19 / 5) phases, of which the first cannot overwrite all samples.
      short_time("ShortTimePlan", frames, 1), short_time("border", extended, 2),
      short_time("inverse", back, 4),
      // The sums of a group, and their sum; from 64 sums on two additions.
      welch("WelchPlan", powers, 2), welch("cross", crossed, 3), welch("many frames", many, 3),
      predicted_stream("Stream", device, filter, 2), predicted_stream("frames", device, pushed, 1),
      predicted_stream("inverse frames", device, pulled, 2), zooms("ZoomPlan", zoom),
      zooms("adjoint", adjoint)};
  estimate(device.device, {.lengths = {12}});  // the properties of the device may need kernels
  std::vector<Estimate> estimates;
  {
    const BuildWatch watch([](std::size_t, std::size_t) { FAIL("an estimate compiles a kernel"); });
    for (const Predicted& one : all) estimates.push_back(one.estimate());
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO(all[i].name);
    all[i].check(estimates[i]);
  }
}

TEST_CASE("plans of several computations know whether their kernels are their own", "[api]") {
  const test::Device device;
  const test::Folder cache;
  const cl::Context& context = device.context;
  const std::vector<std::complex<double>> window = {1.0, 2.0, 1.0};
  const auto make_and_check = [&](const auto& check, const Options& options) {
    check("Filter", Filter(context, device.device, {.lengths = {59}}, options));
    check("Convolution",
          Convolution(context, device.device, {.signal = {103}, .kernel = {9}}, options));
    check("ShortTimePlan", ShortTimePlan(context, device.device,
                                         {.lengths = {203}, .window = window, .hop = 2}, options));
    check("WelchPlan", WelchPlan(context, device.device,
                                 {.lengths = {203}, .window = window, .hop = 2}, options));
    check("Stream", Stream(device.queue, FirFilter{.lengths = {203}, .taps = window}, options));
    check("ZoomPlan",
          ZoomPlan(context, device.device, {.lengths = {59}, .points = 9, .to = 0.3}, options));
    check("NufftPlan",
          NufftPlan(context, device.device, {.modes = {14}, .tolerance = 1e-3}, options));
  };
  const auto check_generic = [](const char* name, const auto& plan) {
    INFO(name);
    CHECK(!plan.ready());
    CHECK(plan.wait());
    CHECK(!plan.ready());
  };
  const auto check_automatic = [](const char* name, const auto& plan) {
    INFO(name);
    CHECK(plan.wait());
    CHECK(plan.ready());
  };
  make_and_check(check_generic,
                 {.cache_directory = cache.path(), .first_call = FirstCall::generic});
  make_and_check(check_automatic,
                 {.cache_directory = cache.path(), .first_call = FirstCall::automatic});
}

}  // namespace
}  // namespace imago
