// This file tests sums of several arrays in memory, each with its own weights.
#include <algorithm>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "hooks/trial.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

struct Sum {
  std::size_t count;
  bool arrays_fastest;  ///< the elements of the arrays are interleaved; else the arrays follow each
                        ///< other
  hook::Multiply weights;
};

/// Adds a sum to the trial's transform, whose input then consists of several arrays.
void add_sum(Trial& trial, const Sum& sum) {
  Transform& t = trial.transform;
  const auto p = problem::make_problem(t);
  const problem::Side& side = p.side(trial.inverse, false);
  std::size_t size = 1, weights = sum.count * (sum.weights.batched ? t.batch : 1);
  Layout layout;
  layout.strides.assign(side.lengths.size(), 1);
  for (std::size_t d = side.lengths.size(); d-- > 0;) {
    layout.strides[d] = size * (sum.arrays_fastest ? sum.count : 1);
    size *= side.lengths[d];
    const auto& axes = sum.weights.axes;
    if (!axes || std::count(axes->begin(), axes->end(), d) > 0) weights *= side.lengths[d];
  }
  layout.distance = size * sum.count;
  (trial.inverse ? t.spectrum : t.signal) = layout;
  (trial.inverse ? t.on_inverse : t.on_forward).load = {
      hook::weighted_sum("weights", sum.count, sum.arrays_fastest ? 1 : size, sum.weights)};
  trial.arguments["weights"] = numbers(weights, 5, side.real || sum.weights.real);
}

void run_sums(Compute* compute, const std::vector<Shape>& shapes) {
  over(shapes, [&](const Trial& usual) {
    for (const Sum& sum : {Sum{3, false, {}}, Sum{11, false, {.axes = {{0}}, .batched = true}},
                           Sum{2, true, {.real = true}}, Sum{1, true, {.conjugate = true}}}) {
      CAPTURE(sum.count);
      Trial trial = usual;
      add_sum(trial, sum);
      run(trial, compute);
    }
  });
}

std::string refusal(const Transform& transform) {
  return message_of([&] { problem::make_problem(transform); });
}

Transform line(std::vector<Hook> load) {
  Transform t;
  t.lengths = {12};
  t.on_forward.load = std::move(load);
  return t;
}

}  // namespace

TEST_CASE("Sums of arrays as they are loaded, on the interpreter") {
  run_sums(on_interpreter, kShapes);
}

TEST_CASE("Sums of arrays as they are loaded, on a device", "[long]") {
  run_sums(on_device, {{{60}, 3}, {{127}, 2}, {{1024}, 3}, {{6, 8}, 5}, {{12, 64}, 3}});
}

TEST_CASE("Sums of spectra, and hooks behind them", "[long]") {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const bool box : {false, true}) {
      Trial trial;
      trial.transform.lengths = {7, 24}, trial.transform.batch = 3;
      trial.options.parameters.mapping = mapping, trial.inverse = true;
      add_sum(trial, {9, false, {}});
      auto& load = trial.transform.on_inverse.load;
      load.push_back(hook::scale(0.5));
      if (box) load.push_back(hook::zero_outside(1, 3, 17));
      load.push_back(hook::window(0, "w"));
      trial.arguments["w"] = numbers(7, 2, true);
      run(trial, on_interpreter);
      run(trial, on_device);
    }
  }
}

/// Lanes are processed one by one, each in a loop: none may overwrite the values of another.
TEST_CASE("Sums of lanes that a box parts") {
  Trial trial;
  trial.transform.lengths = {12, 64}, trial.transform.batch = 2;
  trial.transform.axes = {Kind::complex, Kind::identity};
  trial.options.parameters.mapping = Mapping::vector;
  add_sum(trial, {11, false, {}});
  trial.transform.on_forward.load.push_back(hook::zero_outside(1, 3, 51));
  run(trial, on_interpreter);
}

TEST_CASE("Sums in double precision and of planar arrays") {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Trial trial;
    trial.transform.lengths = {40}, trial.transform.batch = 5;
    trial.options.parameters.mapping = mapping;
    add_sum(trial, {4, false, {}});
    trial.transform.signal.storage = Storage::planar;
    run(trial, on_interpreter);
    trial.transform.signal.storage = Storage::interleaved;
    trial.transform.precision = Precision::f64;
    run(trial, on_interpreter);
  }
}

TEST_CASE("Sums that cannot be are named") {
  CHECK(refusal(line({hook::scale(2), hook::weighted_sum("w", 2, 12)}))
            .starts_with("on_forward.load[1] is "));
  CHECK(
      refusal(line({hook::weighted_sum("w", 0, 12)})).starts_with("on_forward.load[0].count is 0"));
  CHECK(refusal(line({hook::weighted_sum("w", 2, 12, {.axes = {{1}}})}))
            .starts_with("on_forward.load[0].weights.axes[0] is 1"));
  CHECK(refusal(line({hook::weighted_sum("w", 3, ~std::size_t{0} / 2)}))
            .starts_with("on_forward.load[0].stride is "));
  CHECK(refusal(line({hook::weighted_sum("w", ~std::size_t{0}, 1)}))
            .starts_with("on_forward.load[0].weights.argument is w"));
  Transform stored = line({});
  stored.on_forward.store = {hook::weighted_sum("w", 2, 12)};
  CHECK(refusal(stored).starts_with("on_forward.store[0] is "));
  Transform in_place = line({hook::weighted_sum("w", 2, 12)});
  in_place.placement = Placement::in_place;
  CHECK(refusal(in_place).starts_with("on_forward.load[0]: weighted_sum reads other elements"));
  // The buffer ends with the last element of the last array.
  CHECK(problem::make_problem(line({hook::weighted_sum("w", 3, 20)})).bytes(false) ==
        (2 * 20 + 12) * 8);
}
