// Hooks against the same steps one after the other on the host.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>

#include <imago/imago.hpp>

#include "api/support.hpp"
#include "engine/composition.hpp"
#include "problem/problem.hpp"
#include "problem/reference.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/hooked.hpp"
#include "support/interpreted.hpp"

using namespace imago;
using namespace imago::test;

namespace {

/// One direction of a transform with hooks; everything random.
struct Trial {
  Transform transform;
  Options options = {};
  bool inverse = false;
  bool wide = false;  ///< kernels count elements as those of huge batches do
  HostArguments arguments = {};
  HostFunction function = {};
};

template <class Real>
void append(std::vector<std::byte>& bytes, Real value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class Real>
Real read(const std::vector<std::byte>& bytes, std::size_t number) {
  Real value;
  std::memcpy(&value, bytes.data() + number * sizeof value, sizeof value);
  return value;
}

/// The array of one end in memory.
class HostEnd {
 public:
  HostEnd(const problem::Problem& p, bool inverse, bool store)
      : side_(p.side(inverse, store)), memory_(p.memory(inverse, store)), batch_(p.batch) {
    if (p.hooked[inverse][store]) integers_ = p.hooked[inverse][store]->integers;
    f64_ = p.precision == Precision::f64;
    numbers_ = memory_.real || memory_.storage == Storage::planar ? 1 : 2;
  }

  /// Calls visit(number of the element, place of its first number in memory).
  template <class Visit>
  void each(const std::vector<std::size_t>& begin, const Visit& visit) const {
    HostArray array{side_.lengths.size()
                        ? std::vector<std::size_t>(side_.lengths.begin(), side_.lengths.end())
                        : std::vector<std::size_t>{},
                    batch_,
                    {}};
    for (std::size_t i = 0; i < array.size() * batch_; ++i) {
      const auto indices = array.indices(i);
      std::size_t place = memory_.offset + indices.back() * memory_.distance;
      bool inside = true;
      for (std::size_t d = 0; d < begin.size(); ++d) {
        inside = inside && indices[d] >= begin[d] && indices[d] < begin[d] + memory_.lengths[d];
        place += (indices[d] - begin[d]) * memory_.strides[d];
      }
      if (inside) visit(i, place * numbers_);
    }
  }
  std::size_t numbers() const { return memory_.end * numbers_; }
  unsigned per_element() const { return numbers_; }
  std::size_t number_bytes() const {
    if (!integers_) return f64_ ? 8 : 4;
    return *integers_ == Integer::i8 || *integers_ == Integer::u8 ? 1 : 2;
  }
  double get(const std::vector<std::byte>& bytes, std::size_t number) const {
    if (!integers_) return f64_ ? read<double>(bytes, number) : read<float>(bytes, number);
    switch (*integers_) {
      case Integer::i8:
        return read<std::int8_t>(bytes, number);
      case Integer::u8:
        return read<std::uint8_t>(bytes, number);
      case Integer::i16:
        return read<std::int16_t>(bytes, number);
      case Integer::u16:
        break;
    }
    return read<std::uint16_t>(bytes, number);
  }
  bool of_integers() const { return integers_.has_value(); }

 private:
  const problem::Side& side_;
  const problem::Side& memory_;
  std::size_t batch_;
  std::optional<Integer> integers_;
  bool f64_ = false;
  unsigned numbers_ = 2;
};

/// The lower corner of the box that lies next to memory.
std::vector<std::size_t> corner(const std::vector<Hook>& hooks, std::size_t dims, bool store) {
  std::vector<std::size_t> begin(dims, 0);
  for (const Hook& hook : hooks) {
    if (std::holds_alternative<hook::Shift>(hook)) {
      if (!store) break;
      begin.assign(dims, 0);
    }
    if (const auto* box = std::get_if<hook::ZeroOutside>(&hook))
      begin[box->axis] = std::max(begin[box->axis], box->begin);
  }
  return begin;
}

std::vector<Complex> transformed(const Trial& trial, const problem::Problem& p,
                                 const std::vector<Complex>& x) {
  std::vector<std::size_t> lengths(p.lengths.begin(), p.lengths.end());
  if (!trial.inverse) return problem::reference(trial.transform.kind, lengths, x);
  REQUIRE(trial.transform.kind == Kind::complex);
  std::vector<Complex> swapped = x;
  for (Complex& value : swapped) value = std::conj(value);
  swapped = problem::reference(Kind::complex, lengths, swapped);
  for (Complex& value : swapped) value = std::conj(value);
  return swapped;
}

/// An argument of hooks: the bytes of a buffer, or a number.
struct HostValue {
  std::string name;
  std::vector<std::byte> bytes;
  double number = 0;
};

HostValue value_of(const problem::HookArgument& argument, const std::vector<Complex>& values,
                   bool f64) {
  HostValue value{argument.name, {}, 0};
  if (!argument.is_buffer()) {
    value.number = values.at(0).real();
    return value;
  }
  const auto add = [&](double number) {
    if (f64)
      append(value.bytes, number);
    else
      append(value.bytes, static_cast<float>(number));
  };
  for (const Complex& number : values) {
    add(number.real());
    if (argument.type == problem::HookArgument::Type::complex_buffer) add(number.imag());
  }
  return value;
}

struct HostCall {
  std::vector<std::byte>& in;
  std::vector<std::byte>& out;
  std::vector<HostValue>& values;
};

/// Both return the plan in words.
std::string on_device(const Trial& trial, const HostCall& host) {
  static const Device device;
  const Plan plan(device.context, device.device, trial.transform, trial.options);
  cl::Buffer source(device.context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, host.in.size(),
                    host.in.data());
  cl::Buffer target(device.context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE, host.out.size(),
                    host.out.data());
  Call call;
  for (HostValue& value : host.values) {
    if (value.bytes.empty()) {
      call.arguments.emplace_back(value.name, value.number);
      continue;
    }
    const cl::Buffer buffer(device.context, CL_MEM_COPY_HOST_PTR, value.bytes.size(),
                            value.bytes.data());
    call.arguments.emplace_back(value.name, buffer);
  }
  if (trial.inverse)
    plan.inverse(device.queue, source, target, call);
  else
    plan.forward(device.queue, source, target, call);
  device.queue.enqueueReadBuffer(target, CL_TRUE, 0, host.out.size(), host.out.data());
  return plan.describe();
}

std::string on_interpreter(const Trial& trial, const HostCall& host) {
  const bool vector = trial.options.parameters.mapping == Mapping::vector;
  Options options = trial.options;
  options.profiles = false;
  const auto blueprint =
      engine::decide(trial.transform, vector ? wide_cpu() : large_gpu(), options);
  const auto& direction = trial.inverse ? blueprint.inverse : blueprint.forward;
  HostMemory memory{host.in,
                    host.out,
                    blueprint.problem.side(trial.inverse, false).offset,
                    blueprint.problem.side(trial.inverse, true).offset,
                    {}};
  for (HostValue& value : host.values) {
    if (value.bytes.empty())
      memory.hooks.emplace_back(value.number);
    else
      memory.hooks.emplace_back(std::span<std::byte>(value.bytes));
  }
  plan::Program program = direction->program;
  for (plan::Step& step : program.steps) {
    for (plan::Side* side : {&step.in, &step.out}) {
      if (side->hooked && trial.wide) side->hooked->wide = true;
    }
  }
  if (trial.transform.precision == Precision::f64)
    Interpreted<double>(program).run(memory);
  else
    Interpreted<float>(program).run(memory);
  return blueprint.describe();
}

using Compute = std::string(const Trial&, const HostCall&);

void run(Trial trial, Compute* compute) {
  trial.transform.norm = Norm::none;
  trial.transform.directions = trial.inverse ? Directions::inverse : Directions::forward;
  const auto p = problem::make_problem(trial.transform);
  const Hooks& hooks = trial.inverse ? trial.transform.on_inverse : trial.transform.on_forward;
  const HostEnd in(p, trial.inverse, false), out(p, trial.inverse, true);
  const bool f64 = p.precision == Precision::f64;
  std::mt19937 random(17);
  std::uniform_real_distribution<double> uniform(-1, 1);

  // Memory that no hook may read is NaN, or -1.
  std::vector<std::byte> memory;
  for (std::size_t i = 0; i < in.numbers(); ++i) {
    if (in.number_bytes() == 1)
      append(memory, static_cast<std::uint8_t>(random()));
    else if (in.number_bytes() == 2)
      append(memory, static_cast<std::uint16_t>(random()));
    else if (f64)
      append(memory, std::numeric_limits<double>::quiet_NaN());
    else
      append(memory, std::numeric_limits<float>::quiet_NaN());
  }
  const problem::Side& from = p.side(trial.inverse, false);
  const problem::Side& to = p.side(trial.inverse, true);
  HostArray x{{from.lengths.begin(), from.lengths.end()}, p.batch, {}};
  x.x.resize(x.size() * p.batch);
  const auto fill = [&](std::size_t number) {
    if (in.of_integers()) return;
    const double value = uniform(random);
    if (f64)
      std::memcpy(memory.data() + number * 8, &value, 8);
    else {
      const auto narrow = static_cast<float>(value);
      std::memcpy(memory.data() + number * 4, &narrow, 4);
    }
  };
  in.each(corner(hooks.load, x.lengths.size(), false), [&](std::size_t i, std::size_t place) {
    for (unsigned part = 0; part < in.per_element(); ++part) fill(place + part);
    x.x[i] = {in.get(memory, place), in.per_element() == 2 ? in.get(memory, place + 1) : 0};
  });
  HostHooks(x, trial.arguments, trial.function).apply(hooks.load);

  HostArray y{{to.lengths.begin(), to.lengths.end()}, p.batch, {}};
  for (std::size_t b = 0; b < p.batch; ++b) {
    const auto first = x.x.begin() + static_cast<std::ptrdiff_t>(b * x.size());
    const auto result =
        transformed(trial, p, {first, first + static_cast<std::ptrdiff_t>(x.size())});
    REQUIRE(result.size() == y.size());
    y.x.insert(y.x.end(), result.begin(), result.end());
  }
  for (std::size_t i = 0; i < y.x.size(); ++i) {
    const Scale scale = trial.transform.scale.value_or(Scale{});
    y.x[i] *= trial.inverse ? scale.inverse : scale.forward;
    if (!trial.transform.orthogonal.value_or(false)) continue;
    REQUIRE(trial.transform.kind == Kind::dct2);
    for (std::size_t d = 0; d < y.lengths.size(); ++d)
      if (y.indices(i)[d] == 0) y.x[i] /= std::sqrt(2.0);
  }
  HostHooks(y, trial.arguments, trial.function).apply(hooks.store);

  const bool in_place = p.placement == Placement::in_place;
  std::vector<std::byte> result;
  if (in_place) result = memory;
  result.resize(std::max(result.size(), out.numbers() * out.number_bytes()), std::byte{0x55});
  const std::vector<std::byte> untouched = result;
  std::vector<HostValue> values;
  for (const auto& argument : p.arguments(trial.inverse))
    values.push_back(value_of(argument, trial.arguments.at(argument.name), f64));
  const std::string plan = compute(trial, {in_place ? result : memory, result, values});

  double largest = 0, worst = 0;
  std::vector<bool> written(out.numbers());
  out.each(corner(hooks.store, y.lengths.size(), true), [&](std::size_t i, std::size_t place) {
    for (unsigned part = 0; part < out.per_element(); ++part) {
      written[place + part] = true;
      const double wanted = part == 0 ? y.x[i].real() : y.x[i].imag();
      double clamped = wanted;
      if (out.of_integers()) {
        const double bits = out.number_bytes() == 1 ? 256 : 65536;
        const auto type = *p.hooked[trial.inverse][true]->integers;
        const bool with_sign = type == Integer::i8 || type == Integer::i16;
        const double least = with_sign ? -bits / 2 : 0;
        clamped = std::nearbyint(std::min(std::max(wanted, least), least + bits - 1));
      }
      const double error = std::abs(out.get(result, place + part) - clamped);
      worst = std::isnan(error) || std::isnan(worst) ? error : std::max(worst, error);
      largest = std::max(largest, std::abs(clamped));
      if (std::isnan(error)) return;
    }
  });
  // Nothing else is written.
  const std::size_t bytes = out.number_bytes();
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i]) continue;
    CHECK(std::memcmp(result.data() + i * bytes, untouched.data() + i * bytes, bytes) == 0);
  }
  INFO(plan);
  REQUIRE(largest > 0);
  if (out.of_integers())
    CHECK(worst <= 1);
  else
    CHECK(worst <= (f64 ? 1e-13 : 2e-5) * largest);
}

std::vector<Complex> numbers(std::size_t count, unsigned seed, bool real) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Complex> values(count);
  for (Complex& value : values) {
    const auto part = [&] { return static_cast<double>(static_cast<float>(uniform(random))); };
    value = part();
    if (!real) value += Complex{0, part()};
  }
  return values;
}

struct Shape {
  std::vector<std::size_t> lengths;
  std::size_t batch = 1;
};

/// Crosses what kernels differ in.
const std::vector<Shape> kShapes{{{1}, 3},       {{8}, 37},        {{15}, 5},    {{16}, 16},
                                 {{60}, 3},      {{127}, 3},       {{243}, 2},   {{1009}, 2},
                                 {{1024}, 3},    {{4099}, 1},      {{6, 8}, 5},  {{16, 16}, 3},
                                 {{5, 7, 9}, 2}, {{32, 1, 24}, 2}, {{12, 64}, 3}};

/// Whether trial i is of the share $IMAGO_TEST_PART, K/N: so processes divide the full tier.
bool is_mine(std::size_t i) {
  const char* part = std::getenv("IMAGO_TEST_PART");
  if (!part) return true;
  char* slash = nullptr;
  const std::size_t mine = std::strtoull(part, &slash, 10);
  return i % std::strtoull(slash + 1, nullptr, 10) == mine;
}

template <class Body>
void over(const std::vector<Shape>& shapes, const Body& body) {
  std::size_t number = 0;
  for (const Shape& shape : shapes) {
    for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
      for (const Kind kind : {Kind::complex, Kind::real, Kind::dct2}) {
        if (!is_mine(number++)) continue;
        Trial trial;
        trial.transform.kind = kind, trial.transform.lengths = shape.lengths;
        trial.transform.batch = shape.batch;
        trial.options.parameters.mapping = mapping;
        std::string name = mapping == Mapping::vector ? "vector " : "work-group ";
        name += std::to_string(static_cast<int>(kind));
        for (const std::size_t length : shape.lengths) name += " " + std::to_string(length);
        INFO(name);
        CAPTURE(name);
        body(trial);
      }
    }
  }
}

void factors(Trial trial, Compute* compute) {
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
  trial.transform.on_forward.load = {window(last, "w"), scale("g"),
                                     multiply("m", {.batched = true, .real = real})};
  trial.transform.on_forward.store = {
      scale(-2.0), multiply("k", {.real = real_out, .conjugate = true}),
      multiply("first", {.axes = std::vector<std::size_t>{0}, .real = real_out})};
  run(trial, compute);
}

void movements(Trial trial, Compute* compute) {
  const auto p = problem::make_problem(trial.transform);
  const std::size_t last = trial.transform.lengths.size() - 1;
  const std::size_t n = p.signal.lengths[last], m = p.spectrum.lengths[0];
  auto& hooks = trial.transform.on_forward;
  hooks.load = {zero_outside(last, n / 5, n - n / 3), shift({last})};
  if (!p.signal.real) hooks.load.push_back(modulate(last, -7, 3 * n + 1));
  hooks.store = {shift_back({0}), zero_outside(0, m / 4, m - m / 4)};
  if (!p.spectrum.real) hooks.store.insert(hooks.store.begin(), modulate(0, 5, 64));
  run(trial, compute);
}

void stored_numbers(Trial trial, Compute* compute) {
  auto& hooks = trial.transform.on_forward;
  hooks.load = {from_integer(Integer::i16, 1.0 / 32768)};
  hooks.store = {power()};
  run(trial, compute);
  hooks.load = {from_integer(Integer::u8, 0.25), scale(0.5)};
  // Next to zero logarithms have no digits.
  double points = 100;
  for (const std::size_t length : trial.transform.lengths) points *= static_cast<double>(length);
  hooks.store = {decibels(points)};
  run(trial, compute);
  hooks.load = {from_integer(Integer::i8)};
  hooks.store = {to_integer(Integer::i16, 0.5)};
  run(trial, compute);
  hooks.load = {from_integer(Integer::u16)};
  hooks.store = {power(), to_integer(Integer::u8, 1e-9)};
  run(trial, compute);
}

void users_functions(Trial trial, Compute* compute) {
  const auto p = problem::make_problem(trial.transform);
  const std::string type = p.signal.real ? "float" : "float2";
  trial.arguments["gain"] = {0.5};
  trial.arguments["table"] = numbers(p.signal.lengths[0], 9, true);
  trial.transform.on_forward.load = {
      scale(2.0),
      code(type + " damped(" + type +
               " x, const imago_at* at, float gain, __global const float* table) {\n"
               "  return x * gain * table[at->index[0]] / (1 + at->member);\n}\n",
           "damped",
           {{hook::Parameter::Type::real, "gain"}, {hook::Parameter::Type::real_buffer, "table"}})};
  trial.function = [&](Complex x, const std::vector<std::size_t>& at) {
    return x * 0.5 * trial.arguments["table"][at[0]] / static_cast<double>(1 + at.back());
  };
  run(trial, compute);
}

/// The same text at both ends, for whatever lanes there are.
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
    return lane_code(text(real), real ? "damped_real" : "damped", parameters);
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

TEST_CASE("Kernels with hooks, on the host interpreter") {
  over(kShapes, [](const Trial& trial) {
    factors(trial, on_interpreter);
    movements(trial, on_interpreter);
    stored_numbers(trial, on_interpreter);
  });
}

TEST_CASE("Kernels with hooks: the inverse, double precision, several kernels, chunks") {
  over(kShapes, [](Trial trial) {
    trial.transform.precision = Precision::f64;
    factors(trial, on_interpreter);
    trial.transform.precision = Precision::f32;
    trial.options.parameters.algorithm = Algorithm::hierarchy;
    const auto length = trial.transform.lengths.back();
    if (trial.transform.lengths.size() == 1 && (length == 60 || length == 1024)) {
      movements(trial, on_interpreter);
      stored_numbers(trial, on_interpreter);
    }
    trial.options.parameters.algorithm = Algorithm::automatic;
    trial.options.workspace_limit = 1;
    for (const std::size_t n : trial.transform.lengths) trial.options.workspace_limit *= 80 * n;
    movements(trial, on_interpreter);
    trial.options.workspace_limit = 0;
    if (trial.transform.kind != Kind::complex) return;
    trial.inverse = true;
    trial.transform.on_inverse = {
        {scale(0.5), shift({0}), modulate(0, 3, 7)},
        {zero_outside(0, 0, (trial.transform.lengths[0] + 1) / 2), to_integer(Integer::i16, 100)}};
    run(trial, on_interpreter);
  });
}

TEST_CASE("Kernels with hooks on cosine and sine transforms of every kind") {
  for (const Kind kind :
       {Kind::dct1, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4}) {
    over(kShapes, [kind](Trial trial) {
      const auto& lengths = trial.transform.lengths;
      if (trial.transform.kind != Kind::dct2 || lengths.size() > 2 || lengths[0] == 1) return;
      trial.transform.kind = kind;
      factors(trial, on_interpreter);
      movements(trial, on_interpreter);
      trial.transform.on_forward = {{from_integer(Integer::i16)}, {to_integer(Integer::i16, 0.1)}};
      run(trial, on_interpreter);
    });
  }
}

TEST_CASE("Kernels with hooks that count elements in 64 bits") {
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
    trial.transform.on_forward = {{zero_outside(last, 0, read)},
                                  {scale(2), zero_outside(last, from, from + kept)}};
    run(trial, on_interpreter);
  });
}

TEST_CASE("Kernels with hooks in place") {
  over(kShapes, [](Trial trial) {
    trial.transform.placement = Placement::in_place;
    factors(trial, on_interpreter);
    const auto p = problem::make_problem(trial.transform);
    const std::size_t last = p.lengths.size() - 1;
    // All of memory is there before and after.
    trial.transform.on_forward = {
        {zero_outside(last, p.signal.lengths[last] / 3, p.signal.lengths[last]), scale(3)},
        {zero_outside(0, 0, (p.spectrum.lengths[0] + 1) / 2), scale(-0.5)}};
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

TEST_CASE("Kernels with hooks on layouts of all sorts") {
  over(kShapes, [](Trial trial) {
    const auto p = problem::make_problem(trial.transform);
    // Rows apart, columns next to each other, and room in between.
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
    trial.transform.on_forward = {{from_integer(Integer::i8)}, {to_integer(Integer::i16, 0.25)}};
    run(trial, on_interpreter);
  });
}

namespace {

/// Every work-item has a butterfly in each pass.
ir::Kernel kernel_of(std::size_t length, const Hooks& hooks) {
  const std::map<std::size_t, KernelParameters> kernels{
      {1000, {.radices = {10, 10, 10}, .items = 100}},
      {1024, {.radices = {16, 8, 8}, .items = 64}},
      {4096, {.radices = {16, 16, 16}, .items = 256}}};
  Options options;
  options.parameters = {Mapping::work_group, Algorithm::single, {kernels.at(length)}};
  Transform transform;
  transform.lengths = {length}, transform.batch = 1 << 15;
  transform.directions = Directions::forward;
  transform.on_forward = hooks;
  const auto blueprint = engine::decide(transform, large_gpu(), options);
  REQUIRE(blueprint.kernels.size() == 1);
  return blocks::emit(blueprint.kernels[0].code);
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
    const ir::Kernel factors =
        kernel_of(length, {{window(0, "window")}, {multiply("spectrum"), shift({0})}});
    CHECK(divisions(factors) == divisions(plain));
    if (length == 1000) continue;  // its butterflies lie across the edges
    const ir::Kernel boxed = kernel_of(
        length, {{zero_outside(0, 0, length / 2)}, {shift({0}), zero_outside(0, 0, length / 4)}});
    CHECK(comparisons(boxed) <= comparisons(plain));
    CHECK(count_of(boxed, [](const auto& x) { return x.op == ir::Op::load_if; }) <=
          count_of(plain, [](const auto& x) { return x.op == ir::Op::load_if; }));
  }
}

TEST_CASE("Factors of stores are on their way while points are exchanged") {
  const ir::Kernel kernel = kernel_of(1024, {{}, {multiply("spectrum")}});
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

TEST_CASE("A function of lanes is called once for a vector") {
  const std::string text = "imago_complex f(imago_complex x, const imago_at* at) { return x; }";
  for (const std::size_t length : {60, 1024, 4099}) {
    Transform transform;
    transform.lengths = {length}, transform.batch = 64;
    transform.directions = Directions::forward;
    transform.on_forward = {{lane_code(text, "f")}, {lane_code(text, "f")}};
    Options options;
    options.profiles = false, options.parameters.mapping = Mapping::vector;
    const auto blueprint = engine::decide(transform, wide_cpu(), options);
    std::ptrdiff_t calls = 0;
    for (const auto& each : blueprint.kernels) {
      const ir::Kernel kernel = blocks::emit(each.code);
      calls += count_of(kernel, [](const auto& x) { return x.op == ir::Op::user_call; });
      // The types, the user's text, and a function for each width and side.
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

TEST_CASE("Plans with hooks") {
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
