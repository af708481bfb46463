// What hooks cannot be, and what a call must bring for them.
#include <functional>
#include <string>

#include <imago/imago.hpp>

#include "problem/problem.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;
using namespace imago::test;

namespace {

std::string message(const Transform& transform) {
  try {
    problem::make_problem(transform);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool starts(const std::string& text, const std::string& with) {
  INFO(text);
  return text.rfind(with, 0) == 0;
}

Transform with(Hooks on_forward) {
  Transform transform;
  transform.lengths = {4, 6};
  transform.on_forward = std::move(on_forward);
  return transform;
}

Transform reals(Transform transform) {
  transform.kind = Kind::real;
  return transform;
}

Transform in_place(Transform transform) {
  transform.placement = Placement::in_place;
  return transform;
}

const char* const kText = "float2 twice(float2 x, const imago_at* at) {\n  return 2 * x;\n}\n";

}  // namespace

TEST_CASE("Hooks that cannot be are named") {
  CHECK(starts(message(with({{window(2, "w")}, {}})), "on_forward.load[0].axes[0] is 2: "));
  CHECK(starts(message(with({{scale(1), multiply("w", {.axes = {{1, 0}}})}, {}})),
               "on_forward.load[1].axes[1] is 0: "));
  CHECK(starts(message(with({{window(0, "")}, {}})), "on_forward.load[0].argument"));
  CHECK(starts(message(with({{}, {zero_outside(1, 2, 7)}})), "on_forward.store[0].end is 7: "));
  CHECK(starts(message(with({{}, {zero_outside(1, 2, 2)}})), "on_forward.store[0].begin is 2: "));
  CHECK(starts(message(with({{zero_outside(0, 0, 2), zero_outside(0, 2, 4)}, {}})),
               "on_forward.load[1].begin is 2: boxes must meet"));
  CHECK(
      starts(message(with({{scale(2), from_integer(Integer::i8)}, {}})), "on_forward.load[1] is "));
  CHECK(starts(message(with({{}, {from_integer(Integer::i8)}})), "on_forward.store[0] is "));
  CHECK(
      starts(message(with({{}, {to_integer(Integer::i8), scale(2)}})), "on_forward.store[0] is "));
  CHECK(starts(message(with({{power()}, {}})), "on_forward.load[0] is power"));
  CHECK(starts(message(with({{}, {decibels(0)}})), "on_forward.store[0].floor is 0: "));
  CHECK(starts(message(with({{shift({0, 0})}, {}})), "on_forward.load[0].axes[0] is 0: "));
  CHECK(starts(message(with({{modulate(0, 1, 0)}, {}})), "on_forward.load[0].denominator is 0: "));
  CHECK(starts(message(reals(with({{modulate(0, 1, 3)}, {}}))), "on_forward.load[0] is modulate"));
  CHECK(starts(message(with({{scale("a"), window(0, "a")}, {}})), "on_forward.load is a: "));
  CHECK(message(with({{scale("a")}, {scale("a")}})).empty());
}

TEST_CASE("In place nothing moves and no element changes its size") {
  CHECK(message(in_place(with({{scale(2)}, {zero_outside(0, 1, 2)}}))).empty());
  for (const Hook& hook : {shift({0}), power(), to_integer(Integer::u8)})
    CHECK(message(in_place(with({{}, {hook}}))).find("cannot be done in place") !=
          std::string::npos);
}

TEST_CASE("A user's text is checked before it is compiled") {
  CHECK(message(with({{code(kText, "twice")}, {}})).empty());
  CHECK(message(with({{code(kText, "thrice")}, {}})).find("on_forward.load[0].text") !=
        std::string::npos);
  const std::string barrier = "float2 f(float2 x, const imago_at* at) { barrier(1); return x; }";
  CHECK(message(with({{code(barrier, "f")}, {}})).find("barrier") != std::string::npos);
}

TEST_CASE("A user's text that does not compile is quoted with its own lines") {
  const Device device;
  Transform transform = with({{code("float2 wrong(float2 x, const imago_at* at) {\n"
                                    "  return x * missing;\n}\n",
                                    "wrong")},
                              {}});
  transform.directions = Directions::forward;
  try {
    const Plan plan(device.context, device.device, transform);
    FAIL("it was planned");
  } catch (const InvalidArgument& error) {
    const std::string said = error.what();
    INFO(said);
    CHECK(starts(said, "on_forward.load[0].text is "));
    CHECK(said.find("missing") != std::string::npos);
    CHECK(said.find("load[0]:2:") != std::string::npos);
    CHECK(said.find("__kernel") == std::string::npos);
  }
}

TEST_CASE("A call brings the arguments of the hooks, each once and large enough") {
  const Device device;
  Transform transform = with({{window(1, "w"), scale("gain")}, {}});
  transform.directions = Directions::forward;
  const Plan plan(device.context, device.device, transform);
  const cl::Buffer in = device.allocate(plan.signal_bytes()),
                   out = device.allocate(plan.spectrum_bytes()), w = device.allocate(6 * 4),
                   small = device.allocate(5 * 4);
  const auto refused = [&](std::vector<Argument> arguments) -> std::string {
    try {
      plan.forward(device.queue, in, out, {.arguments = std::move(arguments)});
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refused({{"w", w}, {"gain", 2.0}}).empty());
  CHECK(starts(refused({{"w", w}}), "arguments.gain is missing"));
  CHECK(starts(refused({{"w", w}, {"w", w}, {"gain", 2.0}}), "arguments.w is there twice"));
  CHECK(starts(refused({{"w", w}, {"gain", 2.0}, {"other", 1.0}}), "arguments is other"));
  CHECK(starts(refused({{"w", 1.0}, {"gain", 2.0}}), "arguments.w is a number"));
  CHECK(starts(refused({{"w", w}, {"gain", w}}), "arguments.gain is a buffer"));
  CHECK(starts(refused({{"w", small}, {"gain", 2.0}}), "arguments.w is 20 bytes"));
  // Kernels may read factors at any time.
  CHECK(starts(refused({{"w", out}, {"gain", 2.0}}),
               "arguments.w is bytes 0 to 24: it must not overlap the spectrum"));
  CHECK(refused({{"w", in}, {"gain", 2.0}}).empty());
  CHECK(starts(refused({{"w", cl::Buffer(w), 1}, {"gain", 2.0}}), "arguments.w is 24 bytes"));
  device.queue.finish();
}
