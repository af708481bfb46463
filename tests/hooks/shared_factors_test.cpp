// This file checks factors that several elements share, if boxes leave out some of these elements.
#include <algorithm>
#include <complex>
#include <vector>

#include <imago/imago.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;

// A kernel loaded a factor once, under the condition of the first element that uses it. If a box
// left out that element, others were multiplied by 0.
TEST_CASE("elements outside of a box do not change the factors of others", "[hooks]") {
  const test::Device& device = test::default_device();
  Transform transform{.precision = Precision::f32, .lengths = {40, 8}};
  transform.directions = Directions::inverse;
  transform.signal.strides = {3, 1};
  transform.on_inverse.store = {
      hook::window(0, "a"), hook::window(1, "b"),         hook::roll(0, 10),
      hook::roll(1, 1),     hook::zero_outside(0, 0, 20), hook::zero_outside(1, 0, 3)};
  std::vector<float> a(40), b(8);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 1 + static_cast<float>(i);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = 2 - static_cast<float>(i) / 8;
  const auto of_a = device.upload(a), of_b = device.upload(b);
  std::vector<std::complex<float>> x(320), plain(320);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = {static_cast<float>(i % 7), static_cast<float>(i % 11)};
  const auto in = device.upload(x);
  ifftn(x, plain, {.shape = {40, 8}});
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    const Plan plan(device.context, device.device, transform, options);
    const auto out = device.allocate(60 * sizeof x[0]);
    plan.inverse(device.queue, in, out, {.arguments = {{"a", of_a}, {"b", of_b}}});
    const auto found = device.download<std::complex<float>>(out, 60);
    float worst = 0;
    for (std::size_t i = 0; i < 60; ++i) {
      const std::size_t row = (i / 3 + 30) % 40, column = (i % 3 + 7) % 8;
      worst = std::max(worst, std::abs(found[i] - a[row] * b[column] * plain[row * 8 + column]));
    }
    CHECK(worst < 1e-3F);
  }
}
