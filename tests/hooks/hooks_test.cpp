// This file compares hooks with the same steps on the host.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include <imago/imago.hpp>

#include "api/support.hpp"
#include "blocks/emit.hpp"
#include "engine/composition.hpp"
#include "hooks/trial.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/facts.hpp"

using namespace imago;
using namespace imago::test;

namespace {

void factors(Trial trial, Compute* compute) {
  trial.differ = true;
  const auto p = problem::make_problem(trial.transform);
  const std::size_t last = trial.transform.lengths.size() - 1;
  const bool real = p.signal.real, real_out = p.spectrum.real;
  std::size_t points = 1, kept = 1;
  for (const auto n : p.signal.lengths) points *= n;
  for (const auto n : p.spectrum.lengths) kept *= n;
  trial.arguments["w"] = numbers(p.signal.lengths[last], 1, true);
  trial.arguments["g"] = {0.75};
  trial.arguments["m"] = numbers(points * p.batch, 2, real);
  trial.arguments["k"] = numbers(kept, 3, real_out);
  trial.arguments["first"] = numbers(p.spectrum.lengths[0], 4, real_out);
  trial.transform.on_forward.load = {hook::window(last, "w"), hook::scale("g"),
                                     hook::multiply("m", {.batched = true, .real = real})};
  trial.transform.on_forward.store = {
      hook::scale(-2.0), hook::multiply("k", {.real = real_out, .conjugate = true}),
      hook::multiply("first", {.axes = std::vector<std::size_t>{0}, .real = real_out})};
  run(trial, compute);
}

void movements(Trial trial, Compute* compute) {
  trial.differ = true;
  const auto p = problem::make_problem(trial.transform);
  const std::size_t last = trial.transform.lengths.size() - 1;
  const std::size_t n = p.signal.lengths[last], m = p.spectrum.lengths[0];
  auto& hooks = trial.transform.on_forward;
  hooks.load = {hook::zero_outside(last, n / 5, n - n / 3), hook::shift({last})};
  if (!p.signal.real) hooks.load.push_back(hook::modulate(last, -7, 3 * n + 1));
  if (!p.signal.real) hooks.load.push_back(hook::conjugate());
  hooks.store = {hook::shift_back({0}), hook::zero_outside(0, m / 4, m - m / 4)};
  if (!p.spectrum.real) hooks.store.insert(hooks.store.begin(), hook::modulate(0, 5, 64));
  if (!p.spectrum.real) hooks.store.push_back(hook::conjugate());
  if (last > 0) {
    // Phases of 64 bits at load, of 32 bits at store.
    const hook::LineTwiddle wide{.along = last, .points = n << 30, .first = 1 << 28};
    const hook::LineTwiddle narrow{
        .column = last, .points = 8 * m * p.spectrum.lengths[last], .first = 7, .conjugate = true};
    if (!p.signal.real) hooks.load.push_back(wide);
    if (!p.spectrum.real) hooks.store.insert(hooks.store.begin(), narrow);
  }
  run(trial, compute);
}

void stored_numbers(Trial trial, Compute* compute) {
  auto& hooks = trial.transform.on_forward;
  hooks.load = {hook::from_integer(Integer::i16, 1.0 / 32768)};
  hooks.store = {hook::power()};
  run(trial, compute);
  hooks.load = {hook::from_integer(Integer::u8, 0.25), hook::scale(0.5)};
  // Near zero, logarithms have no significant digits.
  double points = 100;
  for (const std::size_t length : trial.transform.lengths) points *= static_cast<double>(length);
  hooks.store = {hook::decibels(points)};
  run(trial, compute);
  hooks.load = {hook::from_integer(Integer::i8)};
  hooks.store = {hook::to_integer(Integer::i16, 0.5)};
  run(trial, compute);
  hooks.load = {hook::from_integer(Integer::u16)};
  hooks.store = {hook::power(), hook::to_integer(Integer::u8, 1e-9)};
  run(trial, compute);
}

/// Real numbers in memory next to complex elements, with real factors before or after the hook and
/// complex ones on its other side.
void real_parts(Trial trial, Compute* compute) {
  const auto p = problem::make_problem(trial.transform);
  const std::size_t last = trial.transform.lengths.size() - 1, n = p.signal.lengths[last];
  auto& hooks = trial.transform.on_forward;
  trial.arguments["w"] = numbers(n, 1, true);
  trial.arguments["c"] = numbers(n, 2, false);
  const auto with = [&](hook::Multiply how) {
    how.axes = {last};
    return hook::multiply("c", how);
  };
  if (!p.signal.real) {
    hooks.load = {hook::zero_outside(last, n / 5, n - n / 3), hook::window(last, "w"),
                  hook::from_real(), with({}), hook::modulate(last, 2, 7)};
    run(trial, compute);
    hooks.load = {hook::from_integer(Integer::i16, 0x1p-15), hook::from_real(), with({})};
    run(trial, compute);
  }
  hooks.load = {};
  trial.arguments = {};
  if (p.spectrum.real) return;
  const std::size_t m = p.spectrum.lengths[0];
  hooks.store = {hook::modulate(0, 1, 5), hook::to_real(), hook::zero_outside(0, m / 4, m)};
  run(trial, compute);
}

void users_functions(Trial trial, Compute* compute) {
  const auto p = problem::make_problem(trial.transform);
  const std::string type = p.signal.real ? "float" : "float2";
  trial.arguments["gain"] = {0.5};
  trial.arguments["table"] = numbers(p.signal.lengths[0], 9, true);
  trial.transform.on_forward.load = {
      hook::scale(2.0),
      hook::code(
          type + " damped(" + type +
              " x, const imago_at* at, float gain, __global const float* table) {\n"
              "  return x * gain * table[at->index[0]] / (1 + at->member);\n}\n",
          "damped",
          {{hook::Parameter::Type::real, "gain"}, {hook::Parameter::Type::real_buffer, "table"}})};
  trial.function = [&](Complex x, const std::vector<std::size_t>& at) {
    return x * 0.5 * trial.arguments["table"][at[0]] / static_cast<double>(1 + at.back());
  };
  run(trial, compute);
}

/// Uses the same text at both ends, for any number of lanes.
void functions_of_lanes(Trial trial, Compute* compute) {
  const auto p = problem::make_problem(trial.transform);
  using Type = hook::Parameter::Type;
  const auto text = [](bool real) {
    const std::string name = real ? "damped_real" : "damped";
    const std::string type = real ? "imago_real" : "imago_complex";
    return "imago_real " + name + "_one(imago_real x) { return x < 0 ? -x : x; }\n" + type + " " +
           name + "(" + type +
           " x, const imago_at* at, float gain, __global const float* table, __global const "
           "float2* turns) {\n"
           "  imago_real weight = gain * imago_gather(table, at->index[0] / 2);\n" +
           (real ? "  return " + name + "_one(x) * weight;\n}\n"
                 : "  const imago_complex turn = imago_gather_complex(turns, at->member);\n"
                   "  imago_complex y;\n"
                   "  y.re = " +
                       name +
                       "_one(x.re * turn.re - x.im * turn.im) * weight;\n"
                       "  y.im = (x.re * turn.im + x.im * turn.re) * weight;\n"
                       "  return y;\n}\n");
  };
  std::size_t longest = std::max(p.signal.lengths[0], p.spectrum.lengths[0]);
  trial.arguments["gain"] = {0.5};
  trial.arguments["table"] = numbers(longest / 2 + 1, 9, true);
  trial.arguments["turns"] = numbers(p.batch, 10, false);
  const std::vector<hook::Parameter> parameters{
      {Type::real, "gain"}, {Type::real_buffer, "table"}, {Type::complex_buffer, "turns"}};
  const auto hook = [&](bool real) {
    return hook::lane_code(text(real), real ? "damped_real" : "damped", parameters);
  };
  trial.transform.on_forward.load = {hook(p.signal.real)};
  if (p.signal.real == p.spectrum.real) trial.transform.on_forward.store = {hook(p.spectrum.real)};
  trial.function = [&](Complex x, const std::vector<std::size_t>& at) {
    const double weight = 0.5 * trial.arguments["table"][at[0] / 2].real();
    if (p.signal.real) return Complex{std::abs(x.real()) * weight};
    const Complex y = x * trial.arguments["turns"][at.back()];
    return Complex{std::abs(y.real()), y.imag()} * weight;
  };
  run(trial, compute);
}

}  // namespace

TEST_CASE("Kernels with hooks, on the host interpreter", "[long]") {
  over(kShapes, [](const Trial& trial) {
    factors(trial, on_interpreter);
    movements(trial, on_interpreter);
    stored_numbers(trial, on_interpreter);
    real_parts(trial, on_interpreter);
  });
}

TEST_CASE("Boxes and rotations by whole vectors, with lanes that do not begin at multiples") {
  over({{{1024}, 2}, {{512}, 2}}, {Kind::complex, Kind::real, Kind::dct2, Kind::dct3, Kind::dst2},
       [](Trial trial) {
         const auto p = problem::make_problem(trial.transform);
         const std::size_t n = p.signal.lengths[0], m = p.spectrum.lengths[0];
         auto& [load, store] = trial.transform.on_forward;
         load = {hook::zero_outside(0, 16, n / 2)}, store = {hook::zero_outside(0, 32, m / 4 * 3)};
         run(trial, on_interpreter);
         load = {hook::shift({0})}, store = {hook::shift_back({0})};
         run(trial, on_interpreter);
       });
}

TEST_CASE("Hooks that lanes pass one by one do not make kernels too long for compilers") {
  Transform transform{.lengths = {1024}, .batch = 3};
  transform.on_forward = {
      {hook::shift({0}), hook::roll(0, 1), hook::zero_outside(0, 200, 700),
       hook::modulate(0, 7, 3073)},
      {hook::modulate(0, 3, 64), hook::roll(0, -1), hook::power(), hook::scale(2)}};
  Options options{.profiles = false};
  options.parameters.mapping = Mapping::vector;
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    transform.precision = precision;
    for (const auto& kernel : engine::decide(transform, wide_cpu(), options).kernels)
      CHECK(engine::generate(kernel).source.size() < 120000);
  }
}

TEST_CASE("Kernels with hooks: the inverse, double precision, several kernels, chunks") {
  over(kShapes, [](Trial trial) {
    trial.transform.precision = Precision::f64;
    factors(trial, on_interpreter);
    real_parts(trial, on_interpreter);
    trial.transform.precision = Precision::f32;
    trial.options.parameters.algorithm = Algorithm::hierarchy;
    const auto length = trial.transform.lengths.back();
    if (trial.transform.lengths.size() == 1 && (length == 60 || length == 1024)) {
      movements(trial, on_interpreter);
      // Vectors of parts of the line do not begin at multiples of their width.
      Trial boxes = trial;
      const auto kept = problem::make_problem(trial.transform).spectrum.lengths[0];
      boxes.transform.on_forward = {{hook::zero_outside(0, 4, length / 3)},
                                    {hook::zero_outside(0, length / 3, kept)}};
      run(boxes, on_interpreter);
      stored_numbers(trial, on_interpreter);
    }
    trial.options.parameters.algorithm = Algorithm::automatic;
    trial.options.scratch.limit = 1;
    for (const std::size_t n : trial.transform.lengths) trial.options.scratch.limit *= 80 * n;
    movements(trial, on_interpreter);
    trial.options.scratch.limit = 0;
    if (trial.transform.kind != Kind::complex) return;
    trial.inverse = true;
    trial.transform.on_inverse = {{hook::scale(0.5), hook::shift({0}), hook::modulate(0, 3, 7)},
                                  {hook::zero_outside(0, 0, (trial.transform.lengths[0] + 1) / 2),
                                   hook::to_integer(Integer::i16, 100)}};
    run(trial, on_interpreter);
  });
}

TEST_CASE("Kernels with hooks on cosine and sine transforms of every kind", "[long]") {
  for (const Kind kind :
       {Kind::dct1, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4}) {
    over(kShapes, [kind](Trial trial) {
      const auto& lengths = trial.transform.lengths;
      if (trial.transform.kind != Kind::dct2 || lengths.size() > 2 || lengths[0] == 1) return;
      trial.transform.kind = kind;
      factors(trial, on_interpreter);
      movements(trial, on_interpreter);
      trial.transform.on_forward = {{hook::from_integer(Integer::i16)},
                                    {hook::to_integer(Integer::i16, 0.1)}};
      run(trial, on_interpreter);
    });
  }
}

TEST_CASE("Kernels with hooks that count elements in 64 bits", "[long]") {
  over(kShapes, [](Trial trial) {
    trial.wide = true;
    factors(trial, on_interpreter);
    movements(trial, on_interpreter);
  });
}

TEST_CASE("Memory holds no more than the box: padded and cropped lines follow each other") {
  over({{{60}, 5}, {{127}, 3}, {{1024}, 3}, {{6, 8}, 4}, {{4099}, 2}}, [](Trial trial) {
    const auto p = problem::make_problem(trial.transform);
    // Boxes of two thirds of the last axis, packed.
    const auto packed = [](const problem::Side& side, std::size_t extent) {
      Layout layout;
      layout.strides.assign(side.lengths.size(), 1);
      std::size_t next = extent;
      for (std::size_t d = side.lengths.size() - 1; d-- > 0;)
        layout.strides[d] = next, next *= side.lengths[d];
      layout.distance = next;
      return layout;
    };
    const std::size_t last = p.lengths.size() - 1;
    const std::size_t read = 2 * p.signal.lengths[last] / 3,
                      kept = 2 * p.spectrum.lengths[last] / 3, from = kept / 4;
    trial.transform.signal = packed(p.signal, read);
    trial.transform.spectrum = packed(p.spectrum, kept);
    trial.transform.on_forward = {{hook::zero_outside(last, 0, read)},
                                  {hook::scale(2), hook::zero_outside(last, from, from + kept)}};
    run(trial, on_interpreter);
  });
}

TEST_CASE("Kernels with hooks on planar arrays and on halves", "[long]") {
  over(kShapes, {Kind::complex, Kind::real}, [](Trial trial) {
    Trial planar = trial;
    planar.transform.spectrum.storage = Storage::planar;
    if (trial.transform.kind == Kind::complex) planar.transform.signal.storage = Storage::planar;
    factors(planar, on_interpreter);
    movements(planar, on_interpreter);
    planar.transform.on_forward = {{hook::from_integer(Integer::i16)},
                                   {hook::to_integer(Integer::i16, 0.1)}};
    run(planar, on_interpreter);
    trial.transform.precision = Precision::f16;
    factors(trial, on_interpreter);
    real_parts(trial, on_interpreter);
    movements(trial, on_interpreter);
    stored_numbers(trial, on_interpreter);
  });
}

TEST_CASE("Kernels with hooks in place", "[long]") {
  over(kShapes, [](Trial trial) {
    trial.transform.placement = Placement::in_place;
    factors(trial, on_interpreter);
    const auto p = problem::make_problem(trial.transform);
    const std::size_t last = p.lengths.size() - 1;
    // The arrays are complete in memory before and after.
    trial.transform.on_forward = {
        {hook::zero_outside(last, p.signal.lengths[last] / 3, p.signal.lengths[last]),
         hook::scale(3)},
        {hook::zero_outside(0, 0, (p.spectrum.lengths[0] + 1) / 2), hook::scale(-0.5)}};
    if (trial.transform.kind == Kind::real) trial.transform.on_forward.store.resize(0);
    run(trial, on_interpreter);
  });
}

TEST_CASE("Kernels with factors and orthogonal ends of their own") {
  over(kShapes, [](Trial trial) {
    trial.transform.scale = Scale{-2.5, 0.5};
    trial.transform.orthogonal = true;
    if (trial.transform.kind == Kind::complex) trial.transform.orthogonal = {};
    if (trial.transform.kind == Kind::real) return;
    run(trial, on_interpreter);
    trial.inverse = trial.transform.kind == Kind::complex;
    if (trial.inverse) run(trial, on_interpreter);
  });
}

TEST_CASE("Kernels with hooks on layouts of all sorts", "[long]") {
  over(kShapes, [](Trial trial) {
    const auto p = problem::make_problem(trial.transform);
    // Padded rows, adjacent columns, and gaps.
    const auto spaced = [&](const problem::Side& side) {
      Layout layout;
      std::size_t next = 2;
      for (std::size_t d = 0; d < side.lengths.size(); ++d)
        layout.strides.push_back(next), next = next * side.lengths[d] + 1;
      layout.distance = next, layout.offset = 3;
      return layout;
    };
    trial.transform.signal = spaced(p.signal);
    trial.transform.spectrum = spaced(p.spectrum);
    factors(trial, on_interpreter);
    movements(trial, on_interpreter);
    trial.transform.on_forward = {{hook::from_integer(Integer::i8)},
                                  {hook::to_integer(Integer::i16, 0.25)}};
    run(trial, on_interpreter);
  });
}

namespace {

/// Returns a kernel in which every work-item has a butterfly in each pass.
/// Returns the only kernel of a transform in one direction, whose points are `points`.
ir::Kernel kernel_of(Transform transform, std::size_t points) {
  const std::map<std::size_t, KernelParameters> kernels{
      {1000, {.radices = {10, 10, 10}, .items = 100}},
      {1024, {.radices = {16, 8, 8}, .items = 64}},
      {4096, {.radices = {16, 16, 16}, .items = 256}}};
  Options options;
  options.parameters = {Mapping::work_group, Algorithm::single, {kernels.at(points)}};
  transform.batch = 1 << 15;
  const auto blueprint = engine::decide(transform, large_gpu(), options);
  REQUIRE(blueprint.kernels.size() == 1);
  return blocks::emit(blueprint.kernels[0].code);
}

ir::Kernel kernel_of(std::size_t length, const Hooks& hooks) {
  return kernel_of({.lengths = {length}, .directions = Directions::forward, .on_forward = hooks},
                   length);
}

template <class Predicate>
std::ptrdiff_t count_of(const ir::Kernel& kernel, const Predicate& predicate) {
  return std::count_if(kernel.code.begin(), kernel.code.end(), predicate);
}

}  // namespace

TEST_CASE("Kernels of whole lines know indices without dividing numbers") {
  const auto divisions = [](const ir::Kernel& kernel) {
    return count_of(kernel, [](const ir::Instruction& x) {
      const bool divides = x.op == ir::Op::div || x.op == ir::Op::mod || x.op == ir::Op::bit_and ||
                           x.op == ir::Op::shift_right;
      return x.type.is_int() && divides;
    });
  };
  const auto comparisons = [](const ir::Kernel& kernel) {
    return count_of(kernel, [](const ir::Instruction& x) {
      return x.op == ir::Op::select || x.op == ir::Op::less;
    });
  };
  for (const std::size_t length : {1000, 1024, 4096}) {
    INFO(length << " points");
    const ir::Kernel plain = kernel_of(length, {});
    const ir::Kernel factors = kernel_of(
        length, {{hook::window(0, "window")}, {hook::multiply("spectrum"), hook::shift({0})}});
    CHECK(divisions(factors) == divisions(plain));
    if (length == 1000) continue;  // its butterflies cross the limits of the box
    const ir::Kernel boxed =
        kernel_of(length, {{hook::zero_outside(0, 0, length / 2)},
                           {hook::shift({0}), hook::zero_outside(0, 0, length / 4)}});
    CHECK(comparisons(boxed) <= comparisons(plain));
    CHECK(count_of(boxed, [](const auto& x) { return x.op == ir::Op::load_if; }) <=
          count_of(plain, [](const auto& x) { return x.op == ir::Op::load_if; }));
  }
}

TEST_CASE("Factors of stores are on their way while points are exchanged") {
  const ir::Kernel kernel = kernel_of(1024, {{}, {hook::multiply("spectrum")}});
  std::size_t last_barrier = 0, loads = 0;
  for (std::size_t i = 0; i < kernel.code.size(); ++i)
    if (kernel.code[i].op == ir::Op::barrier) last_barrier = i;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const ir::Instruction& x = kernel.code[i];
    if (x.op != ir::Op::load && x.op != ir::Op::load_if) continue;
    const ir::Memory& memory = kernel.memories[x.memory];
    if (!memory.apart) continue;
    CHECK(i < last_barrier);
    ++loads;
  }
  CHECK(loads == 16);
}

namespace {

/// Returns true for each store to the output and false for each load from it, in order. All have
/// so many lanes.
std::vector<bool> stores_of_output(const ir::Kernel& kernel, unsigned lanes) {
  std::optional<std::uint32_t> output;
  for (const auto& x : kernel.code)
    if (x.op == ir::Op::store && kernel.memories[x.memory].space == ir::Space::global)
      output = x.memory;
  REQUIRE(output);
  std::vector<bool> stores;
  for (const auto& x : kernel.code) {
    const bool is_store = x.op == ir::Op::store;
    if (x.memory != *output || (!is_store && x.op != ir::Op::load && x.op != ir::Op::load_if))
      continue;
    stores.push_back(is_store);
    CHECK((is_store ? kernel.code[x.args[1]].type : x.type).lanes == lanes);
  }
  return stores;
}

}  // namespace

TEST_CASE("Elements to which points are added are loaded together, and not between stores") {
  const auto check = [](const ir::Kernel& kernel, unsigned lanes, std::size_t together) {
    const auto stores = stores_of_output(kernel, lanes);
    REQUIRE(stores.size() >= 2 * together);
    for (std::size_t i = 0; i < stores.size(); ++i)
      CHECK(stores[i] == (i % (2 * together) >= together));
  };
  check(kernel_of(1024, {{}, {hook::accumulate()}}), 2, 8);
  Transform reals{.kind = Kind::real, .lengths = {2048}, .directions = Directions::inverse};
  reals.on_inverse.store = {hook::accumulate()};
  check(kernel_of(reals, 1024), 2, 8);
  reals.on_inverse.store = {hook::zero_outside(0, 10, 2000), hook::accumulate()};
  check(kernel_of(reals, 1024), 2, 8);
  // The box parts a pair.
  reals.on_inverse.store[0] = hook::zero_outside(0, 11, 2000);
  check(kernel_of(reals, 1024), 1, 16);
}

TEST_CASE("Functions that store real numbers are called for each", "[long]") {
  Trial trial;
  trial.transform = {.kind = Kind::dct3, .lengths = {96}, .batch = 3};
  trial.transform.directions = Directions::forward;
  trial.arguments["table"] = numbers(96, 9, true);
  trial.function = [&](Complex x, const std::vector<std::size_t>& at) {
    return x * trial.arguments["table"][at[0]];
  };
  const auto text = [](const std::string& type, const std::string& factor) {
    return type + " f(" + type +
           " x, const imago_at* at, __global const float* table) { return x * " + factor + "; }";
  };
  const std::vector<hook::Parameter> table{{hook::Parameter::Type::real_buffer, "table"}};
  const std::vector<Hook> functions{
      hook::lane_code(text("imago_real", "imago_gather(table, at->index[0])"), "f", table),
      hook::code(text("float", "table[at->index[0]]"), "f", table)};
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    trial.options.parameters.mapping = mapping;
    for (const Hook& function : functions) {
      trial.transform.on_forward.store = {function};
      run(trial, on_device);
    }
  }
}

TEST_CASE("A function of lanes is called once for a vector") {
  const std::string text = "imago_complex f(imago_complex x, const imago_at* at) { return x; }";
  for (const std::size_t length : {60, 1024, 4099}) {
    Transform transform;
    transform.lengths = {length}, transform.batch = 64;
    transform.directions = Directions::forward;
    transform.on_forward = {{hook::lane_code(text, "f")}, {hook::lane_code(text, "f")}};
    Options options;
    options.profiles = false, options.parameters.mapping = Mapping::vector;
    const auto blueprint = engine::decide(transform, wide_cpu(), options);
    std::ptrdiff_t calls = 0;
    for (const auto& each : blueprint.kernels) {
      const ir::Kernel kernel = blocks::emit(each.code);
      calls += count_of(kernel, [](const auto& x) { return x.op == ir::Op::user_call; });
      // The kernel contains the types, the user's text, and a function for each width and side.
      CHECK(std::count_if(kernel.texts.begin(), kernel.texts.end(), [&](const std::string& there) {
              return there.find(text) != std::string::npos;
            }) <= 1);
      CHECK(std::all_of(kernel.code.begin(), kernel.code.end(), [&](const ir::Instruction& x) {
        return x.op != ir::Op::user_call || x.type.lanes >= 8;
      }));
    }
    INFO(length << " points: " << calls << " calls\n" << blueprint.describe());
    CHECK(calls > 0);
    CHECK(calls <= 4 * 32);
  }
}

TEST_CASE("Plans with hooks", "[long]") {
  over({{{60}, 3}}, [](const Trial& trial) {
    factors(trial, on_device);
    movements(trial, on_device);
    users_functions(trial, on_device);
    functions_of_lanes(trial, on_device);
  });
  over({{{12, 64}, 3}}, [](const Trial& trial) {
    if (trial.transform.kind == Kind::complex) users_functions(trial, on_device);
    if (trial.transform.kind == Kind::complex) functions_of_lanes(trial, on_device);
    if (trial.transform.kind == Kind::real) stored_numbers(trial, on_device);
    real_parts(trial, on_device);
  });
}

// Each instruction is simulated, and a user's text (#line) is too much for oclgrind's compiler.
// LLVM turns the boxes in lines of 8 elements into a switch over i3, and oclgrind takes its wrong
// branch.
TEST_CASE("Plans with hooks under oclgrind", "[.][oclgrind]") {
  over({{{60}, 2}, {{37}, 2}, {{6, 10}, 2}}, [](const Trial& trial) {
    factors(trial, on_device);
    movements(trial, on_device);
    stored_numbers(trial, on_device);
  });
}

TEST_CASE("Plans with hooks, in full", "[.][full]") {
  over(kShapes, [](const Trial& trial) {
    factors(trial, on_device);
    movements(trial, on_device);
    stored_numbers(trial, on_device);
    users_functions(trial, on_device);
    functions_of_lanes(trial, on_device);
  });
}

TEST_CASE("NaN becomes the integer 0") {
  const Device device;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{nan, 300, -1e9f, 1e9f};
  for (const Integer type : {Integer::i8, Integer::u8, Integer::i16, Integer::u16}) {
    CAPTURE(static_cast<int>(type));
    Transform t{.axes = {Kind::identity}, .lengths = {4}, .directions = Directions::forward};
    t.signal.storage = t.spectrum.storage = Storage::real;
    t.on_forward.store = {hook::to_integer(type)};
    const Plan plan(device.context, device.device, t);
    const auto in = device.upload(x);
    const auto out = device.allocate(plan.spectrum_bytes());
    plan.forward(device.queue, in, out);
    const auto found = device.download<std::byte>(out, plan.spectrum_bytes());
    const auto bytes = std::as_bytes(std::span(x));
    for (const Mapping mapping : {Mapping::vector, Mapping::work_group})
      CHECK(interpreted(t, mapping, {bytes.begin(), bytes.end()}, {}) == found);
    const std::size_t each = found.size() / 4;
    CHECK(std::all_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(each),
                      [](std::byte b) { return b == std::byte{0}; }));
    const bool with_sign = type == Integer::i8 || type == Integer::i16;
    CHECK(found[3 * each - 1] == std::byte(with_sign ? 0x80 : 0));     // the smallest number
    CHECK(found[4 * each - 1] == std::byte(with_sign ? 0x7f : 0xff));  // the largest
  }
}
