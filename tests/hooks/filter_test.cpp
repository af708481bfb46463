// This file compares filters with the same steps on the host: transform, hooks, inverse transform.
#include <string>

#include <imago/imago.hpp>

#include "hooks/trial.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::test;

namespace {

const std::vector<Kind> kKinds{Kind::complex, Kind::real};

std::size_t product(const std::vector<std::uint64_t>& lengths) {
  std::size_t points = 1;
  for (const auto n : lengths) points *= n;
  return points;
}

/// Returns factors that keep real signals real: they are the spectrum of a real signal, too.
std::vector<Complex> spectrum_of_real(std::size_t n, unsigned seed) {
  const auto random = numbers(n, seed, false);
  std::vector<Complex> factors(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t image = (n - k) % n;
    factors[k] = k == image ? random[k].real() : k < image ? random[k] : std::conj(random[image]);
  }
  return factors;
}

void product_with_one(Trial trial, Compute* compute) {
  trial.differ = true, trial.poison = compute == on_device;
  const auto p = problem::make_problem(trial.transform);
  trial.arguments["h"] = numbers(product(p.spectrum_lengths()), 3, false);
  trial.filter = {hook::multiply("h")};
  run(trial, compute);
}

void several_hooks(Trial trial, Compute* compute) {
  trial.differ = true;
  const auto p = problem::make_problem(trial.transform);
  const auto lengths = p.spectrum_lengths();
  const std::size_t last = lengths.size() - 1;
  trial.arguments["own"] = numbers(product(lengths) * p.batch, 3, false);
  trial.arguments["first"] = numbers(lengths[0], 4, true);
  trial.arguments["gain"] = {0.25};
  trial.filter = {hook::scale("gain"), hook::multiply("own", {.batched = true, .conjugate = true}),
                  hook::window(0, "first"),
                  hook::zero_outside(last, lengths[last] / 4, lengths[last] - lengths[last] / 5),
                  hook::modulate(0, 3, 7)};
  run(trial, compute);
}

void with_ends(Trial trial, Compute* compute) {
  const auto p = problem::make_problem(trial.transform);
  const std::size_t last = p.lengths.size() - 1, n = p.lengths[last];
  trial.arguments["h"] = numbers(product(p.spectrum_lengths()), 5, false);
  trial.filter = {hook::multiply("h")};
  trial.transform.on_forward = {
      {hook::from_integer(Integer::i16, 1e-4), hook::zero_outside(last, 0, (2 * n + 2) / 3)},
      {hook::scale(0.5), hook::zero_outside(last, n / 4, n)}};
  run(trial, compute);
}

void real_lines(Trial trial, Compute* compute) {
  if (trial.transform.kind != Kind::complex || trial.transform.lengths.size() > 1) return;
  const std::size_t n = trial.transform.lengths[0];
  trial.differ = trial.poison = true;
  trial.transform.signal.storage = trial.transform.spectrum.storage = Storage::real;
  trial.arguments["h"] = spectrum_of_real(n, 6);
  for (const bool of_real : {true, false}) {
    trial.filter = {hook::multiply("h", {.of_real = of_real}), hook::scale(0.5)};
    run(trial, compute);
    trial.transform.on_forward.store = {hook::zero_outside(0, n / 3, n)};
    run(trial, compute);
    trial.transform.on_forward.store = {};
  }
}

}  // namespace

TEST_CASE("Filters on the host interpreter", "[long]") {
  over(kShapes, kKinds, [](const Trial& trial) {
    product_with_one(trial, on_interpreter);
    several_hooks(trial, on_interpreter);
    with_ends(trial, on_interpreter);
    real_lines(trial, on_interpreter);
  });
}

TEST_CASE("Filters along some of the axes") {
  over({{{5, 16}, 3}, {{12, 8, 6}, 2}}, {Kind::complex}, [](Trial trial) {
    const std::size_t dims = trial.transform.lengths.size();
    for (std::size_t axis = 0; axis < dims; ++axis) {
      for (const Kind kind : kKinds) {
        trial.transform.axes.assign(dims, Kind::identity);
        trial.transform.axes[axis] = kind;
        product_with_one(trial, on_interpreter);
        several_hooks(trial, on_interpreter);
        if (dims < 3) continue;
        trial.transform.axes[(axis + 1) % 3] = Kind::complex;
        product_with_one(trial, on_interpreter);
      }
    }
  });
}

TEST_CASE("Filters in place, in double precision, in several kernels, in chunks", "[long]") {
  over(kShapes, kKinds, [](Trial trial) {
    trial.transform.placement = Placement::in_place;
    several_hooks(trial, on_interpreter);
    real_lines(trial, on_interpreter);
    trial.transform.placement = Placement::out_of_place;
    trial.transform.precision = Precision::f64;
    several_hooks(trial, on_interpreter);
    trial.transform.precision = Precision::f32;
    const auto length = trial.transform.lengths.back();
    if (trial.transform.lengths.size() == 1 && (length == 60 || length == 1024)) {
      trial.options.parameters.algorithm = Algorithm::hierarchy;
      several_hooks(trial, on_interpreter);
      with_ends(trial, on_interpreter);
      real_lines(trial, on_interpreter);
      trial.options.parameters.algorithm = Algorithm::automatic;
    }
    trial.wide = true;
    several_hooks(trial, on_interpreter);
    trial.wide = false;
    trial.options.scratch.limit = 1;
    for (const std::size_t n : trial.transform.lengths) trial.options.scratch.limit *= 80 * n;
    several_hooks(trial, on_interpreter);
  });
}

TEST_CASE("Filters between layouts of all sorts") {
  over(kShapes, kKinds, [](Trial trial) {
    const auto spaced = [&](std::size_t room) {
      Layout layout;
      std::size_t next = room;
      for (const std::size_t n : trial.transform.lengths)
        layout.strides.push_back(next), next = next * n + 1;
      layout.distance = next, layout.offset = 3;
      return layout;
    };
    trial.transform.signal = spaced(2), trial.transform.spectrum = spaced(3);
    product_with_one(trial, on_interpreter);
    several_hooks(trial, on_interpreter);
  });
}

TEST_CASE("Filters of planar arrays and of halves") {
  over(kShapes, {Kind::complex}, [](Trial trial) {
    Trial planar = trial;
    planar.transform.signal.storage = Storage::planar;
    several_hooks(planar, on_interpreter);
    planar.transform.spectrum.storage = Storage::planar;
    with_ends(planar, on_interpreter);
    trial.transform.precision = Precision::f16;
    trial.transform.scale = Scale{1, 1.0 / 1024};
    several_hooks(trial, on_interpreter);
    real_lines(trial, on_interpreter);
  });
}

TEST_CASE("Complex transforms of real parts") {
  over(kShapes, {Kind::complex}, [](Trial trial) {
    trial.transform.signal.storage = Storage::real;
    const auto length = trial.transform.lengths.back();
    if (trial.transform.lengths.size() == 1 && (length == 60 || length == 1024)) {
      trial.options.parameters.algorithm = Algorithm::hierarchy;
      run(trial, on_interpreter);
      trial.transform.signal.storage = Storage::interleaved;
      trial.transform.spectrum.storage = Storage::real;
      run(trial, on_interpreter);
      trial.options.parameters.algorithm = Algorithm::automatic;
      trial.transform.signal.storage = Storage::real;
      trial.transform.spectrum.storage = Storage::interleaved;
    }
    run(trial, on_interpreter);
    trial.transform.on_forward.load = {
        hook::from_integer(Integer::i16),
        hook::zero_outside(0, 0, (trial.transform.lengths[0] + 1) / 2)};
    run(trial, on_interpreter);
    trial.transform.on_forward.load = {};
    trial.transform.spectrum.storage = Storage::real;
    run(trial, on_interpreter);
    trial.transform.signal.storage = Storage::interleaved;
    run(trial, on_interpreter);
  });
}

TEST_CASE("Plans of filters in chunks", "[long]") {
  over({{{12, 64}, 5}}, kKinds, [](Trial trial) {
    trial.options.scratch.limit = 2 * 12 * 64 * 8;
    several_hooks(trial, on_device);
  });
}

TEST_CASE("Plans of filters", "[long]") {
  over({{{60}, 3}, {{12, 64}, 3}}, kKinds, [](const Trial& trial) {
    product_with_one(trial, on_device);
    with_ends(trial, on_device);
    real_lines(trial, on_device);
  });
}

TEST_CASE("Plans of filters under oclgrind", "[.][oclgrind]") {
  over({{{60}, 3}, {{6, 8}, 2}}, kKinds, [](Trial trial) {
    several_hooks(trial, on_device);
    with_ends(trial, on_device);
    real_lines(trial, on_device);
    if (trial.transform.lengths.size() > 1) return;
    trial.options.parameters.algorithm = Algorithm::hierarchy;
    several_hooks(trial, on_device);
  });
}

TEST_CASE("Plans of filters, in full", "[.][full]") {
  over(kShapes, kKinds, [](const Trial& trial) {
    product_with_one(trial, on_device);
    several_hooks(trial, on_device);
    with_ends(trial, on_device);
    real_lines(trial, on_device);
  });
}

TEST_CASE("Filters in one launch") {
  const auto in_one = [](Trial trial) {
    trial.options.parameters.launches = Launches::one;
    product_with_one(trial, on_interpreter);
    several_hooks(trial, on_interpreter);
    with_ends(trial, on_interpreter);
  };
  over({{{6, 8}, 5}, {{12, 64}, 3}}, kKinds, [&](const Trial& trial) {
    if (trial.options.parameters.mapping == Mapping::vector) in_one(trial);
  });
  over({{{256}, 3}}, {Kind::complex}, [&](Trial trial) {
    if (trial.options.parameters.mapping == Mapping::vector) return;
    trial.options.parameters.algorithm = Algorithm::hierarchy;
    trial.options.parameters.kernels = {{.length = 16, .items = 4, .columns = 8},
                                        {.length = 16, .items = 4, .columns = 8}};
    in_one(trial);
  });
}
