// This file compares additions of numbers in buffers (hook::Add) with the same steps on the host.
#include <imago/imago.hpp>

#include "hooks/trial.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::test;

namespace {

/// Returns an addition whose numbers are in an order of their own, with gaps: the first dimension
/// is the fastest. Puts its arguments into the trial.
hook::Add spread_out(Trial& trial, const std::vector<std::uint64_t>& lengths, std::size_t axis,
                     const std::string& name, bool real) {
  hook::Add add{.argument = name,
                .offset = 3,
                .factor = -0.75,
                .times = name + "_times",
                .axis = axis,
                .argument_of_offset = name + "_later",
                .unit = 5};
  std::size_t next = 2;
  for (const std::uint64_t length : lengths) add.strides.push_back(next), next *= length;
  add.strides[axis] = 0;
  add.distance = next + 1;
  const std::size_t later = 3, end = 3 + later * add.unit + trial.transform.batch * add.distance;
  trial.arguments[name] = numbers(end, 1, real);
  trial.arguments[add.times] = numbers(lengths[axis], 2, true);
  trial.arguments[add.argument_of_offset] = {static_cast<double>(later)};
  return add;
}

hook::Add packed(Trial& trial, const std::vector<std::uint64_t>& lengths, const std::string& name,
                 bool real, hook::Add how = {}) {
  std::size_t size = 1;
  for (const std::uint64_t length : lengths) size *= length;
  trial.arguments[name] = numbers(size, 3, real);
  how.argument = name;
  return how;
}

void additions(Trial trial, Compute* compute) {
  const auto p = problem::make_problem(trial.transform);
  const std::size_t last = trial.transform.lengths.size() - 1;
  const auto &in = p.signal.lengths, &out = p.spectrum.lengths;
  auto& [load, store] = trial.transform.on_forward;
  // Elements that a box at load excludes remain zero.
  const std::size_t n = in[last], m = out[0];
  load = {spread_out(trial, in, last, "a", p.signal.real),
          packed(trial, in, "b", true, {.real = true}), hook::zero_outside(last, n / 5, n - n / 3),
          hook::shift({last})};
  store = {hook::shift_back({0}), packed(trial, out, "c", p.spectrum.real),
           spread_out(trial, out, 0, "d", p.spectrum.real),
           hook::zero_outside(0, m / 4, m - m / 4)};
  run(trial, compute);
}

}  // namespace

TEST_CASE("Numbers of buffers are added at load and at store, on the interpreter") {
  over(kShapes, [](Trial trial) { additions(trial, on_interpreter); });
}

TEST_CASE("Numbers of buffers are added in both precisions and in the kernels of huge batches") {
  over({{{60}, 3}, {{127}, 3}, {{6, 8}, 5}}, [](Trial trial) {
    trial.wide = true;
    additions(trial, on_interpreter);
    trial.wide = false;
    trial.transform.precision = Precision::f64;
    additions(trial, on_interpreter);
  });
}

TEST_CASE("Numbers of buffers are added at load and at store, on the device") {
  over({{{60}, 3}, {{12, 64}, 3}, {{1009}, 2}}, [](Trial trial) { additions(trial, on_device); });
}

TEST_CASE("Real and complex numbers are added in front of and behind conversions") {
  over({{{16}, 16}, {{60}, 3}, {{6, 8}, 5}}, {Kind::complex}, [](Trial trial) {
    const std::vector<std::uint64_t> lengths(trial.transform.lengths.begin(),
                                             trial.transform.lengths.end());
    auto& [load, store] = trial.transform.on_forward;
    load = {hook::from_integer(Integer::i8, 0.01), packed(trial, lengths, "a", true),
            hook::from_real(), packed(trial, lengths, "b", false, {.factor = 3})};
    store = {packed(trial, lengths, "c", false), hook::power(),
             spread_out(trial, lengths, 0, "d", true)};
    run(trial, on_interpreter);
  });
}

TEST_CASE("Additions with wrong fields are refused") {
  const auto refusal = [](const Hook& hook, bool filter = false) -> std::string {
    Transform transform{.lengths = {4, 6}, .batch = 3};
    if (!filter) transform.on_forward.load = {hook};
    try {
      if (filter)
        problem::make_problem(
            problem::Computation(FilterShape{.lengths = {4, 6}, .spectrum = {hook}}));
      problem::make_problem(transform);
      return {};
    } catch (const Error& error) {
      return error.what();
    }
  };
  CHECK(refusal(hook::add("a")).empty());
  CHECK(refusal(hook::add("a", {.strides = {1}})) ==
        "the size of on_forward.load[0].strides is 1; give one stride per length, or none");
  CHECK(refusal(hook::add("a", {.strides = {0, std::size_t{1} << 62}}))
            .starts_with("on_forward.load[0].argument is a; it must have at most 2^62 numbers"));
  CHECK(refusal(hook::add("a", {.offset = ~std::size_t{0}}))
            .starts_with("on_forward.load[0].argument is a; it must have at most 2^62 numbers"));
  CHECK(refusal(hook::add("a", {.times = "b", .axis = 2}))
            .starts_with("on_forward.load[0].axis is 2; "));
  CHECK(refusal(hook::add("a", {.axis = 2})).empty());
  CHECK(refusal(hook::add("a", {.factor = 1e300}))
            .starts_with("on_forward.load[0].factor is 1e+300; in f32"));
  CHECK(refusal(hook::add("a", {.times = "a"})).starts_with("on_forward.load is a; "));
  CHECK(refusal(hook::add("a"), true).find("in a filter it must be") != std::string::npos);
  // The buffer must reach the last element's number.
  Transform transform{.lengths = {4, 6}, .batch = 3};
  transform.on_forward.load = {
      hook::add("a", {.strides = {10, 1}, .distance = 100, .offset = 7, .times = "b"})};
  const auto arguments = problem::make_problem(transform).arguments(false);
  REQUIRE(arguments.size() == 2);
  CHECK(arguments[0].numbers == 8 + 200 + 30 + 5);
  CHECK(arguments[1].numbers == 4);
}
