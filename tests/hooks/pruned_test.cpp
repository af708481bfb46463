// This file tests boxes on transforms of several dimensions: lines that are zero, or whose results
// are not needed, are not computed. Scratch that no kernel has written is NaN
// (support/interpreted.hpp).
#include <string>

#include <imago/imago.hpp>

#include "engine/composition.hpp"
#include "hooks/trial.hpp"
#include "model/model.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;
using namespace imago::test;

namespace {

const std::vector<Shape> kImages{{{12, 16}, 3},  {{33, 40}, 2},    {{6, 8}, 5},
                                 {{5, 7, 9}, 2}, {{32, 1, 24}, 2}, {{8, 12, 10}, 2}};

/// Axes are bits of a number.
bool is_in(unsigned axes, std::size_t d) { return (axes >> d & 1) != 0; }

/// Returns boxes with arbitrary limits on these axes; a narrow box keeps one index.
Hooks boxes(const Transform& transform, unsigned at_load, unsigned at_store, bool narrow = false) {
  const auto p = problem::make_problem(transform);
  Hooks hooks;
  for (std::size_t d = 0; d < p.lengths.size(); ++d) {
    const std::size_t n = p.signal.lengths[d], m = p.spectrum.lengths[d];
    const std::size_t begin = n / 3, from = m / 4;
    if (is_in(at_load, d))
      hooks.load.push_back(hook::zero_outside(d, begin, narrow ? begin + 1 : n - n / 5));
    if (is_in(at_store, d))
      hooks.store.push_back(hook::zero_outside(d, from, narrow ? from + 1 : from + (m + 1) / 2));
  }
  return hooks;
}

void boxed(Trial trial, unsigned at_load, unsigned at_store, Compute* compute) {
  CAPTURE(at_load, at_store);
  trial.transform.on_forward = boxes(trial.transform, at_load, at_store);
  run(trial, compute);
}

/// Tests boxes on each axis, on all axes, at one end and at both.
void all_boxes(const Trial& trial, Compute* compute) {
  const auto dims = static_cast<unsigned>(trial.transform.lengths.size()), all = (1u << dims) - 1;
  for (unsigned d = 0; d < dims; ++d) {
    boxed(trial, 1u << d, 0, compute);
    boxed(trial, 0, 1u << d, compute);
    boxed(trial, 1u << d, 1u << (dims - 1 - d), compute);
  }
  boxed(trial, all, 0, compute);
  boxed(trial, 0, all, compute);
  boxed(trial, all, all, compute);
}

/// Tests filters of padded arrays of which a part is kept, and filters with few frequencies.
void filtered(Trial trial, Compute* compute) {
  trial.transform.directions = Directions::forward;
  const auto p = problem::make_problem(trial.transform);
  const auto dims = static_cast<unsigned>(p.lengths.size()), all = (1u << dims) - 1;
  std::size_t points = 1;
  for (const auto n : p.spectrum_lengths()) points *= n;
  trial.arguments["h"] = numbers(points, 3, false);
  trial.filter = {hook::multiply("h")};
  for (const unsigned axes : {1u, 1u << (dims - 1), all}) {
    CAPTURE(axes);
    trial.transform.on_forward = {};
    trial.filter = {hook::multiply("h")};
    trial.transform.on_forward = boxes(trial.transform, axes, all);
    run(trial, compute);
    for (std::size_t d = 0; d < dims; ++d) {
      const std::size_t m = p.spectrum_lengths()[d];
      if (is_in(axes, d)) trial.filter->push_back(hook::zero_outside(d, m / 3, m - m / 4));
    }
    run(trial, compute);
    trial.transform.on_forward = {};
    run(trial, compute);
  }
}

engine::Blueprint decided(const Transform& transform, Mapping mapping) {
  Options options;
  options.parameters.mapping = mapping;
  options.profiles = false;
  return engine::decide(transform, mapping == Mapping::vector ? wide_cpu() : large_gpu(), options);
}

/// Returns the bytes that a forward transform of 256 x 256 complex numbers with these hooks moves.
std::uint64_t bytes_moved(const Hooks& hooks, Mapping mapping) {
  Transform transform{.lengths = {256, 256}, .directions = Directions::forward};
  transform.on_forward = hooks;
  return decided(transform, mapping).forward->program.bytes_moved;
}

}  // namespace

TEST_CASE("Boxes on transforms of several dimensions") {
  over(kImages, [](Trial trial) {
    all_boxes(trial, on_interpreter);
    // One kernel per axis, or several.
    trial.options.parameters.algorithm = Algorithm::hierarchy;
    if (trial.transform.lengths[0] == 12 && trial.transform.kind != Kind::dct2)
      all_boxes(trial, on_interpreter);
  });
  over({{{160, 96}, 1}}, [](const Trial& trial) {
    boxed(trial, 1, 2, on_interpreter);
    boxed(trial, 3, 3, on_interpreter);
  });
}

TEST_CASE("Boxes of one index") {
  over(kImages, [](Trial trial) {
    trial.transform.on_forward = boxes(trial.transform, 7, 7, true);
    run(trial, on_interpreter);
  });
}

TEST_CASE("Boxes behind rotations") {
  over(kImages, [](Trial trial) {
    const auto p = problem::make_problem(trial.transform);
    const std::size_t n = p.signal.lengths[0], m = p.spectrum.lengths.back(),
                      last = p.lengths.size() - 1;
    for (const std::int64_t by : {1, 3, -2}) {
      CAPTURE(by);
      trial.transform.on_forward = {
          {hook::zero_outside(0, 0, (n + 1) / 2), hook::roll(0, by), hook::scale(2)},
          {hook::roll(last, by), hook::scale(0.5), hook::zero_outside(last, m / 3, m - m / 4)}};
      run(trial, on_interpreter);
    }
    trial.transform.on_forward = {
        {hook::zero_outside(0, n / 4, n - n / 4), hook::shift({0})},
        {hook::shift({last}), hook::zero_outside(last, m / 4, m - m / 4)}};
    run(trial, on_interpreter);
  });
}

TEST_CASE("Boxes of the inverse, in place, in double precision, in chunks, of huge arrays") {
  over(kImages, [](Trial trial) {
    const unsigned all = (1u << trial.transform.lengths.size()) - 1;
    if (trial.transform.kind == Kind::complex) {
      Trial inverse = trial;
      inverse.transform.on_inverse = boxes(trial.transform, all, all);
      inverse.inverse = true;
      run(inverse, on_interpreter);
    }
    Trial other = trial;
    other.transform.precision = Precision::f64;
    boxed(other, all, all, on_interpreter);
    other = trial, other.wide = true;
    boxed(other, all, all, on_interpreter);
    other = trial, other.options.scratch.limit = 1;
    for (const std::size_t n : trial.transform.lengths) other.options.scratch.limit *= 12 * n;
    boxed(other, all, all, on_interpreter);
    if (trial.transform.kind != Kind::dct2) filtered(other, on_interpreter);
    other = trial, other.transform.placement = Placement::in_place;
    if (trial.transform.kind != Kind::real) boxed(other, all, all, on_interpreter);
    boxed(other, all, 0, on_interpreter);
  });
}

TEST_CASE("Boxes on axes that are not transformed") {
  over({{{12, 16}, 3}, {{6, 10, 12}, 2}}, {Kind::complex}, [](Trial trial) {
    const std::size_t dims = trial.transform.lengths.size();
    for (std::size_t axis = 0; axis < dims; ++axis) {
      trial.transform.axes.assign(dims, Kind::complex);
      trial.transform.axes[axis] = Kind::identity;
      all_boxes(trial, on_interpreter);
      filtered(trial, on_interpreter);
      // Zeros are written next to elements that are read.
      trial.transform.on_forward = {{hook::zero_outside(axis, 0, 2)},
                                    {hook::zero_outside(axis, 1, 5)}};
      run(trial, on_interpreter);
    }
  });
}

TEST_CASE("Lanes that begin in the middle of a box") {
  over({{{12, 64}, 2}}, {Kind::complex}, [](Trial trial) {
    trial.transform.axes = {Kind::complex, Kind::identity};
    trial.transform.on_forward = {{hook::zero_outside(1, 16, 48)}, {hook::zero_outside(1, 3, 51)}};
    run(trial, on_interpreter);
  });
}

TEST_CASE("Filters of padded and cropped arrays") {
  over(kImages, {Kind::complex, Kind::real}, [](Trial trial) {
    filtered(trial, on_interpreter);
    trial.options.parameters.algorithm = Algorithm::hierarchy;
    if (trial.transform.lengths[0] == 12) filtered(trial, on_interpreter);
  });
}

TEST_CASE("Lines that are not computed move no bytes") {
  constexpr std::uint64_t kAll = 256 * 256 * 8, kSome = kAll / 4;
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    CHECK(bytes_moved({}, mapping) == 4 * kAll);
    // A quarter of the first lines is read, written and read again.
    CHECK(bytes_moved({{hook::zero_outside(0, 64, 128)}, {}}, mapping) == 3 * kSome + kAll);
    CHECK(bytes_moved({{}, {hook::zero_outside(1, 0, 64)}}, mapping) == kAll + 3 * kSome);
    // The box cuts the elements of the first lines.
    CHECK(bytes_moved({{hook::zero_outside(1, 0, 64)}, {}}, mapping) == kSome + 3 * kAll);
    CHECK(bytes_moved({{}, {hook::zero_outside(0, 0, 64)}}, mapping) == 3 * kAll + kSome);
    // A box above 7/8 of an axis is not pruned; only the read elements are fewer.
    CHECK(bytes_moved({{hook::zero_outside(0, 0, 255)}, {}}, mapping) == 4 * kAll - 256 * 8);
    // Integers are read, powers written.
    CHECK(bytes_moved({{hook::from_integer(Integer::i8)}, {hook::power()}}, mapping) ==
          kAll / 4 + 2 * kAll + kAll / 2);
  }
}

TEST_CASE("Lines that are not computed take no time") {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Transform transform{.lengths = {1024, 1024}, .batch = 8, .directions = Directions::forward};
    transform.on_forward.load = {hook::scale(2)};
    const double whole = decided(transform, mapping).forward->seconds;
    transform.on_forward.load = {hook::scale(2), hook::zero_outside(0, 0, 256),
                                 hook::zero_outside(1, 0, 256)};
    const double pruned = decided(transform, mapping).forward->seconds;
    CHECK(pruned < 0.75 * whole);
  }
}

TEST_CASE("Plans with boxes on several axes", "[long]") {
  over({{{12, 16}, 3}, {{24, 60}, 2}}, {Kind::complex, Kind::real}, [](const Trial& trial) {
    boxed(trial, 3, 3, on_device);
    // PoCL compiles kernels for work-groups slowly.
    const bool vector = trial.options.parameters.mapping == Mapping::vector;
    if (vector && trial.transform.lengths[0] == 24) filtered(trial, on_device);
  });
}
