// This file compares f64 in pairs of f32 with f64 on the device, for random transforms with hooks.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "attacks.hpp"

namespace imago::abuse {
namespace {

using catalogue::Random;

/// A transform in one direction, with the arguments of its hooks.
struct Hooked {
  Transform transform;
  bool inverse = false;
  bool stores_power = false;
  std::vector<Argument> arguments;
};

/// Appends hooks that any element may have.
void add_hooks(const test::Device& device, Random& random, Hooked& hooked, std::vector<Hook>& hooks,
               bool load) {
  const std::size_t axes = hooked.transform.lengths.size();
  const std::string suffix = load ? "_load" : "_store";
  // Enough numbers for any shape of factors.
  const auto factors = [&] {
    std::vector<double> numbers(2 * 64);
    for (double& number : numbers) number = 0.5 + 0.4 * random.uniform();
    return device.upload(numbers);
  };
  for (std::size_t count = 1 + random.below(3), i = 0; i < count; ++i) {
    const std::size_t axis = random.below(axes);
    const std::string name = "a" + std::to_string(i) + suffix;
    switch (random.below(9)) {
      case 0:
        hooks.push_back(hook::scale(name));
        hooked.arguments.emplace_back(name, 1 + random.uniform() / 2);
        break;
      case 1:
        hooks.push_back(hook::scale(1.0 / 3));
        break;
      case 2:
        hooks.push_back(hook::window(axis, name));
        hooked.arguments.emplace_back(name, factors());
        break;
      case 3:
        hooks.push_back(hook::multiply(name, {.real = random.below(2) == 0}));
        hooked.arguments.emplace_back(name, factors());
        break;
      case 4:
        hooks.push_back(hook::roll(axis, static_cast<std::int64_t>(random.below(9)) - 4));
        break;
      case 5:
        hooks.push_back(hook::modulate(axis, static_cast<std::int64_t>(random.below(7)) - 3, 11));
        break;
      case 6:
        hooks.push_back(hook::conjugate());
        break;
      case 7:
        hooks.push_back(hook::add(name, {.strides = std::vector<std::size_t>(axes, 1),
                                         .real = random.below(2) == 0,
                                         .times = name + "_times",
                                         .axis = axis}));
        hooked.arguments.emplace_back(name, factors());
        hooked.arguments.emplace_back(name + "_times", factors());
        break;
      default:
        hooks.push_back(random.below(2) == 0 ? hook::shift({axis}) : hook::shift_back({axis}));
        break;
    }
  }
}

Hooked make_hooked(const test::Device& device, Random& random) {
  Hooked hooked;
  Transform& t = hooked.transform;
  t.precision = Precision::f64;
  // Pairs have ten instructions for one, so that compilers take long over large kernels.
  for (std::size_t d = 0, axes = random.below(4) == 0 ? 2 : 1; d < axes; ++d)
    t.lengths.push_back(2 + random.below(axes == 1 ? 19 : 7));
  t.batch = 1 + random.below(7);
  t.norm = static_cast<Norm>(random.below(4));
  hooked.inverse = random.below(2) == 1;
  t.directions = hooked.inverse ? Directions::inverse : Directions::forward;
  auto& hooks = hooked.inverse ? t.on_inverse : t.on_forward;
  add_hooks(device, random, hooked, hooks.load, true);
  add_hooks(device, random, hooked, hooks.store, false);
  hooked.stores_power = random.below(4) == 0;
  if (hooked.stores_power) hooks.store.push_back(hook::power());
  return hooked;
}

std::vector<double> computed(const test::Device& device, const Hooked& hooked, F64 arithmetic,
                             const cl::Buffer& from, std::size_t numbers) {
  Options options;
  options.f64 = arithmetic;
  options.disk_cache = false;
  const Plan plan(device.context, device.device, hooked.transform, options);
  const auto to = device.upload(std::vector<double>(numbers, std::nan("")));
  const Call call{.arguments = hooked.arguments};
  if (hooked.inverse)
    plan.inverse(device.queue, from, to, call);
  else
    plan.forward(device.queue, from, to, call);
  return device.download<double>(to, numbers);
}

std::string compared(const test::Device& device, Random& random) {
  const Hooked hooked = make_hooked(device, random);
  std::size_t points = hooked.transform.batch;
  for (const std::size_t length : hooked.transform.lengths) points *= length;
  std::vector<double> numbers(2 * points);
  for (double& number : numbers) number = random.uniform();
  const auto from = device.upload(numbers);
  const std::size_t results = (hooked.stores_power ? 1 : 2) * points;
  const auto right = computed(device, hooked, F64::native, from, results),
             found = computed(device, hooked, F64::pairs, from, results);
  double error = 0, size = 1e-300;
  for (std::size_t i = 0; i < results; ++i) {
    error += std::pow(found[i] - right[i], 2);
    size += std::pow(right[i], 2);
  }
  const double relative = std::sqrt(error / size);
  constexpr double kBound = 1e-13;  // some operations, each of 5e-15 (docs/pairs.md)
  return relative < kBound ? std::string()
                           : "pairs differ by " + std::to_string(relative * 1e15) + "e-15";
}

}  // namespace

Attack attack_pairs(const test::Device& device) {
  if (!device.f64()) return {"pairs", [](Random&) { return std::string(); }};
  return {"pairs", [&device](Random& random) { return compared(device, random); }};
}

}  // namespace imago::abuse
