// This file checks the layouts that plans report.
#include "api/support.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

Plan plan_of(const Transform& transform) {
  return Plan(test::default_device().context, test::default_device().device, transform);
}

std::vector<std::string> texts(const Plan& plan) {
  std::vector<std::string> found;
  for (const auto& kernel : plan.sources()) found.push_back(kernel.source);
  return found;
}

TEST_CASE("packed sides have strides, distances and offsets", "[api][layout]") {
  const Plan plan = plan_of({.kind = Kind::real, .lengths = {3, 4, 10}, .batch = 2});
  CHECK(plan.signal_layout() == Layout{{40, 10, 1}, 120, 0});
  CHECK(plan.spectrum_layout() == Layout{{24, 6, 1}, 72, 0});
}

TEST_CASE("averaged spectra have the dimensions of the signal without that of the samples",
          "[api][layout]") {
  const test::Device& device = test::default_device();
  const WelchTransform transform{.lengths = {3, 40, 2},
                                 .axis = 1,
                                 .batch = 2,
                                 .window = std::vector<std::complex<double>>(8, 1.0),
                                 .hop = 4,
                                 .cross = true,
                                 .other = {.strides = {1, 6, 3}, .distance = 240, .offset = 7}};
  const WelchPlan plan(device.context, device.device, transform);
  CHECK(plan.signal_layout().strides == std::vector<std::size_t>{80, 2, 1});
  CHECK(plan.signal_layout().distance == 240);
  CHECK(plan.other_layout().strides == transform.other.strides);
  CHECK(plan.other_layout().offset == 7);
  CHECK(plan.spectrum_layout() == Layout{{10, 5, 1}, 30, 0});
  ShortTimeTransform single{.lengths = {40}, .window = transform.window, .hop = 4};
  const ShortTimePlan frames(device.context, device.device, single);
  CHECK(frames.signal_layout() == Layout{{1}, 0, 0});
  CHECK(frames.spectrum_layout() == Layout{{5, 1}, 0, 0});
}

TEST_CASE("rows of reals in place are padded", "[api][layout]") {
  for (const std::size_t length : {9, 10}) {
    Transform t{.kind = Kind::real, .lengths = {4, length}, .batch = 2};
    t.placement = Placement::in_place;
    t.directions = Directions::forward;
    const std::size_t pairs = length / 2 + 1;
    const Plan plan = plan_of(t);
    CHECK(plan.signal_layout() == Layout{{2 * pairs, 1}, 8 * pairs, 0});
    CHECK(plan.spectrum_layout() == Layout{{pairs, 1}, 4 * pairs, 0});
    const HostPlan host(Pool(test::default_device().context, test::default_device().device), t);
    CHECK(host.signal_layout() == plan.signal_layout());
    CHECK(host.spectrum_layout() == plan.spectrum_layout());
  }
}

TEST_CASE("a plan keeps the caller's strides and offset, and a single member has no distance",
          "[api][layout]") {
  Transform t{.lengths = {4, 5}};
  t.signal = {.strides = {7, 1}, .offset = 3, .storage = Storage::planar};
  const Plan plan = plan_of(t);
  CHECK(plan.signal_layout() == t.signal);
  CHECK(plan.spectrum_layout() == Layout{{5, 1}, 0, 0});
}

/// Transforms arrays in one buffer; the spectrum begins `offset` elements after the signal.
void check_in_one_buffer(const Layout& layout, std::size_t offset) {
  const test::Device device;
  Transform t{.lengths = {6, 8}, .batch = layout.distance == 0 ? 1u : 2u};
  t.signal = t.spectrum = layout;
  const Plan plan(device.context, device.device, t);
  const auto x = test::noise<float>(plan.signal_bytes() / 8 + offset + 1);
  const auto both = device.upload(x), in = device.upload(x), out = device.upload(x);
  plan.forward(device.queue, in, {out, offset});
  plan.forward(device.queue, both, {both, offset});
  CHECK(device.download<std::complex<float>>(both, x.size()) ==
        device.download<std::complex<float>>(out, x.size()));
  CHECK_THROWS_AS(plan.forward(device.queue, both, {both, offset + 1}), InvalidArgument);
}

/// Inverts spectra of reals to arrays that begin at each of a few offsets: work-items move two
/// numbers at once where they are aligned.
template <class Real>
void check_offsets(Transform t) {
  const test::Device& device = test::default_device();
  constexpr bool kDouble = sizeof(Real) == sizeof(double);
  if (kDouble && device.device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() == 0) return;
  t.precision = kDouble ? Precision::f64 : Precision::f32;
  Options options;
  options.parameters.mapping = Mapping::work_group;
  const Plan plan(device.context, device.device, t, options);
  const auto spectra = device.upload(test::noise<Real>(plan.spectrum_bytes() / (2 * sizeof(Real))));
  const std::size_t count = plan.signal_bytes() / sizeof(Real);
  std::vector<Real> first;
  for (const std::size_t offset : {0, 1, 2, 3}) {
    const auto signal = device.upload(std::vector<Real>(count + 4, Real(7)));
    plan.inverse(device.queue, spectra, {signal, offset});
    const auto all = device.template download<Real>(signal, count + 4);
    const std::vector<Real> found(all.begin() + static_cast<std::ptrdiff_t>(offset),
                                  all.begin() + static_cast<std::ptrdiff_t>(offset + count));
    if (offset == 0) first = found;
    CHECK(found == first);
    for (std::size_t i = 0; i < count + 4; ++i) {
      if (i < offset || i >= offset + count) CHECK(all[i] == 7);
    }
  }
}

TEST_CASE("real results begin at any offset", "[api][layout]") {
  Transform t{.kind = Kind::real, .lengths = {96}, .batch = 5, .directions = Directions::inverse};
  check_offsets<float>(t);
  check_offsets<double>(t);
  t.signal.strides = {1}, t.signal.distance = 97;
  check_offsets<float>(t);
  check_offsets<double>(t);
  t.on_inverse.store = {hook::scale(3), hook::zero_outside(0, 3, 90), hook::accumulate()};
  check_offsets<float>(t);
  check_offsets<double>(t);
}

TEST_CASE("elements of one side may lie between those of the other", "[api][layout]") {
  check_in_one_buffer({.strides = {16, 2}, .distance = 96}, 1);  // every second element
  check_in_one_buffer({.strides = {16, 1}}, 8);                  // the right half of a matrix
  check_in_one_buffer({.strides = {16, 1}, .distance = 96}, 8);
  check_in_one_buffer({.strides = {8, 1}, .distance = 96}, 48);  // members that alternate
}

TEST_CASE("a transform with a plan's layouts is the same transform", "[api][layout]") {
  Transform t{.kind = Kind::real, .lengths = {4, 9}, .batch = 3};
  t.placement = Placement::in_place;
  const Plan plan = plan_of(t);
  t.signal = plan.signal_layout();
  t.spectrum = plan.spectrum_layout();
  const Plan same = plan_of(t);
  CHECK(texts(same) == texts(plan));
  CHECK(same.signal_bytes() == plan.signal_bytes());
}

}  // namespace
}  // namespace imago
