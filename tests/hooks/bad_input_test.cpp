// This file tests invalid hooks, and the arguments that a call must pass for hooks.
#include <functional>
#include <limits>
#include <string>

#include <imago/imago.hpp>

#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

std::string message(const Transform& transform) {
  return message_of([&] { problem::make_problem(transform); });
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
  CHECK(starts(message(with({{hook::window(2, "w")}, {}})), "on_forward.load[0].axes[0] is 2; "));
  CHECK(starts(message(with({{hook::scale(1), hook::multiply("w", {.axes = {{1, 0}}})}, {}})),
               "on_forward.load[1].axes[1] is 0; "));
  CHECK(starts(message(with({{hook::window(0, "")}, {}})), "on_forward.load[0].argument"));
  CHECK(
      starts(message(with({{}, {hook::zero_outside(1, 2, 7)}})), "on_forward.store[0].end is 7; "));
  CHECK(starts(message(with({{}, {hook::zero_outside(1, 2, 2)}})),
               "on_forward.store[0].begin is 2; "));
  CHECK(starts(message(with({{hook::zero_outside(0, 0, 2), hook::zero_outside(0, 2, 4)}, {}})),
               "on_forward.load[1].begin is 2; the ranges of all zero_outside hooks"));
  CHECK(starts(message(with({{hook::scale(2), hook::from_integer(Integer::i8)}, {}})),
               "on_forward.load[1] is "));
  CHECK(starts(message(with({{}, {hook::to_integer(Integer::i8), hook::scale(2)}})),
               "on_forward.store[0] is "));
  CHECK(starts(message(with({{hook::power()}, {}})), "on_forward.load[0] is power"));
  CHECK(starts(message(with({{}, {hook::decibels(0)}})), "on_forward.store[0].floor is 0; "));
  CHECK(starts(message(with({{hook::accumulate()}, {}})), "on_forward.load[0] is accumulate"));
  CHECK(starts(message(with({{}, {hook::accumulate(), hook::scale(2)}})),
               "on_forward.store[0] is accumulate; it must be the last hook"));
  CHECK(starts(message(with({{hook::scale(1e300)}, {}})),
               "on_forward.load[0].factor is 1e+300; in f32"));
  CHECK(starts(message(with({{hook::scale(1e-300)}, {}})),
               "on_forward.load[0].factor is 1e-300; in f32"));
  CHECK(message(with({{hook::scale(0)}, {}})).empty());
  CHECK(starts(message(with({{}, {hook::to_integer(Integer::i8, 1e300)}})),
               "on_forward.store[0].scale is 1e+300; in f32"));
  CHECK(starts(message(with({{hook::from_integer(Integer::i8, 1e-60)}, {}})),
               "on_forward.load[0].scale is 1e-60; in f32"));
  CHECK(starts(message(with({{hook::shift({0, 0})}, {}})), "on_forward.load[0].axes[0] is 0; "));
  CHECK(starts(message(with({{hook::modulate(0, 1, 0)}, {}})),
               "on_forward.load[0].denominator is 0; "));
  CHECK(starts(message(reals(with({{hook::conjugate()}, {}}))),
               "on_forward.load[0] is conjugate; it needs complex elements"));
  CHECK(starts(message(reals(with({{hook::from_real()}, {}}))),
               "on_forward.load[0] is from_real; leave it out"));
  CHECK(starts(message(with({{hook::from_real(), hook::from_real()}, {}})),
               "on_forward.load[1] is from_real; use it once: elements here are complex"));
  CHECK(starts(message(with({{}, {hook::power(), hook::to_real()}})),
               "on_forward.store[1] is to_real; use it once: elements here are real"));
  CHECK(starts(message(with({{hook::modulate(0, 1, 3), hook::from_real()}, {}})),
               "on_forward.load[0] is modulate"));
  CHECK(starts(message(reals(with({{hook::modulate(0, 1, 3)}, {}}))),
               "on_forward.load[0] is modulate"));
  CHECK(starts(message(with({{hook::LineTwiddle{.along = 9}}, {}})),
               "on_forward.load[0].along is 9; "));
  CHECK(message(with({{hook::LineTwiddle{}}, {}})) ==
        "on_forward.load[0].column is 0; it must differ from .along");
  CHECK(starts(message(with({{hook::scale("a"), hook::window(0, "a")}, {}})),
               "on_forward.load is a; "));
  CHECK(message(with({{hook::scale("a")}, {hook::scale("a")}})).empty());
}

TEST_CASE("In place nothing moves and no element changes its size") {
  CHECK(message(in_place(with({{hook::scale(2)}, {hook::zero_outside(0, 1, 2)}}))).empty());
  for (const Hook& hook : {hook::shift({0}), hook::power(), hook::to_real(),
                           hook::to_integer(Integer::u8), hook::accumulate()})
    CHECK(message(in_place(with({{}, {hook}}))).find("cannot be done in place") !=
          std::string::npos);
}

TEST_CASE("A user's text is checked before it is compiled") {
  CHECK(message(with({{hook::code(kText, "twice")}, {}})).empty());
  CHECK(message(with({{hook::code(kText, "thrice")}, {}})).find("on_forward.load[0].text") !=
        std::string::npos);
  const std::string barrier = "float2 f(float2 x, const imago_at* at) { barrier(1); return x; }";
  CHECK(message(with({{hook::code(barrier, "f")}, {}})).find("barrier") != std::string::npos);
}

TEST_CASE("A user's text that does not compile is quoted with its own lines") {
  const Device device;
  Transform transform = with({{hook::code("float2 wrong(float2 x, const imago_at* at) {\n"
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
  Transform transform = with({{hook::window(1, "w"), hook::scale("gain")}, {}});
  transform.directions = Directions::forward;
  const Plan plan(device.context, device.device, transform);
  const cl::Buffer in = device.allocate(plan.signal_bytes()),
                   out = device.allocate(plan.spectrum_bytes()), w = device.allocate(6 * 4),
                   small = device.allocate(5 * 4);
  const auto refused = [&](const std::vector<Argument>& arguments) {
    return message_of<InvalidArgument>(
        [&] { plan.forward(device.queue, in, out, {.arguments = arguments}); });
  };
  CHECK(refused({{"w", w}, {"gain", 2.0}}).empty());
  CHECK(starts(refused({{"w", w}}), "arguments.gain is missing"));
  CHECK(
      refused({{"w", w}, {"loss", 2.0}}) ==
      "arguments.gain is missing; this direction's hooks need it once, and have no argument loss");
  CHECK(starts(refused({{"w", w}, {"w", w}, {"gain", 2.0}}), "arguments.w is given twice"));
  CHECK(starts(refused({{"w", w}, {"gain", 2.0}, {"other", 1.0}}), "arguments is other"));
  CHECK(starts(refused({{"w", 1.0}, {"gain", 2.0}}), "arguments.w is a number"));
  CHECK(starts(refused({{"w", w}, {"gain", w}}), "arguments.gain is a buffer"));
  for (const double gain : {1e300, -1e-300})
    CHECK(starts(refused({{"w", w}, {"gain", gain}}), "arguments.gain is "));
  for (const double gain : {0.0, 1e30, std::numeric_limits<double>::infinity()})
    CHECK(refused({{"w", w}, {"gain", gain}}).empty());
  CHECK(starts(refused({{"w", small}, {"gain", 2.0}}), "arguments.w is 20 bytes"));
  // Kernels may read factors at any time.
  CHECK(starts(refused({{"w", out}, {"gain", 2.0}}),
               "arguments.w is bytes 0 to 24; it must not overlap spectrum"));
  CHECK(refused({{"w", in}, {"gain", 2.0}}).empty());
  CHECK(starts(refused({{"w", cl::Buffer(w), 1}, {"gain", 2.0}}), "arguments.w is 24 bytes"));
  device.queue.finish();
}

TEST_CASE("A workspace lies apart from the arguments of hooks") {
  const Device device;
  Transform transform{.lengths = {256}, .directions = Directions::forward};
  transform.on_forward = {{hook::window(0, "w")}, {hook::scale(1)}};
  Options options;
  options.parameters.algorithm = Algorithm::hierarchy;  // two kernels
  const Plan plan(device.context, device.device, transform, options);
  REQUIRE(plan.workspace_bytes() > 0);
  const cl::Buffer in = device.allocate(plan.signal_bytes()),
                   out = device.allocate(plan.spectrum_bytes()),
                   scratch = device.allocate(plan.workspace_bytes() + 256 * 4);
  Workspace workspace(scratch);
  const auto call = [&](std::size_t number) {
    plan.forward(device.queue, in, out,
                 {.workspace = &workspace, .arguments = {{"w", scratch, number}}});
  };
  try {
    call(plan.workspace_bytes() / 4 - 1);
    FAIL("it was enqueued");
  } catch (const InvalidArgument& error) {
    CHECK(std::string(error.what()).find("it must not overlap workspace") != std::string::npos);
  }
  CHECK_NOTHROW(call(plan.workspace_bytes() / 4));  // after the plan's own part
  device.queue.finish();
}

TEST_CASE("Numbers of functions are what a call's number can be") {
  const Device device;
  Transform transform{.lengths = {8}, .directions = Directions::forward};
  transform.on_forward.load = {
      hook::code("float2 f(float2 x, const imago_at* at, int n) { return x * n; }\n", "f",
                 {{hook::Parameter::Type::integer, "n"}})};
  const Plan plan(device.context, device.device, transform);
  const cl::Buffer in = device.allocate(64), out = device.allocate(64);
  for (const double n : {1e300, -2147483649.0, 2.5, std::numeric_limits<double>::quiet_NaN()}) {
    CAPTURE(n);
    CHECK_THROWS_AS(plan.forward(device.queue, in, out, {.arguments = {{"n", n}}}),
                    InvalidArgument);
  }
  CHECK_NOTHROW(plan.forward(device.queue, in, out, {.arguments = {{"n", -2147483648.0}}}));
  device.queue.finish();
}

TEST_CASE("Macros of a text stay in it, however they are written", "[long]") {
  const Device device;
  const auto transformed = [&](const Hooks& hooks) {
    Transform t{.lengths = {16}, .directions = Directions::forward};
    t.on_forward = hooks;
    const Plan plan(device.context, device.device, t);
    std::vector<float> x(32);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 7);
    const auto in = device.upload(x);
    const auto out = device.allocate(plan.spectrum_bytes());
    plan.forward(device.queue, in, out);
    return device.download<float>(out, x.size());
  };
  const std::string same = "float2 same(float2 x, const imago_at* at) { return x; }\n";
  const auto loaded = transformed({{hook::code(same, "same")}, {}}),
             stored = transformed({{}, {hook::code(same, "same")}});
  for (const std::string& macro :
       {std::string("/* */#define in out\n"), std::string("#/**/define in out\n"),
        std::string("#def\\\nine in out\n"), std::string("# define in out\n"),
        std::string("/*\n#define in\n*/\n"), std::string("#if 0\n#define in out\n#endif\n"),
        "#" + std::string(28000, ' ') + "define in out\n", std::string(60000, ' ') + "\n"}) {
    CAPTURE(macro.substr(0, 60));
    for (const std::string& text : {macro + same, same + macro}) {
      CHECK(transformed({{hook::code(text, "same")}, {}}) == loaded);
      CHECK(transformed({{}, {hook::code(text, "same")}}) == stored);
    }
  }
}
