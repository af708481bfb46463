// This file runs trials of hooks.
#include "hooks/trial.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <random>

#include "api/support.hpp"
#include "base/half.hpp"
#include "engine/composition.hpp"
#include "problem/problem.hpp"
#include "problem/reference.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/interpreted.hpp"

namespace imago::test {
namespace {

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

template <class Real>
void write(std::vector<std::byte>& bytes, std::size_t number, Real value) {
  std::memcpy(bytes.data() + number * sizeof value, &value, sizeof value);
}

/// The array of one end in memory.
class HostEnd {
 public:
  HostEnd(const problem::Problem& p, bool inverse, bool store)
      : side_(p.side(inverse, store)), memory_(p.memory(inverse, store)), batch_(p.batch) {
    if (p.hooked[inverse][store]) integers_ = p.hooked[inverse][store]->integers;
    precision_ = p.precision;
    numbers_ = memory_.real ? 1 : 2;
    planar_ = memory_.storage == Storage::planar;
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
      if (inside) visit(i, planar_ ? place : place * numbers_);
    }
  }
  std::size_t numbers() const { return memory_.end * numbers_; }
  unsigned per_element() const { return numbers_; }
  /// Numbers from element to element of one buffer.
  unsigned stride() const { return planar_ ? 1 : numbers_; }
  std::size_t number_bytes() const {
    if (!integers_) return precision_ == Precision::f64 ? 8 : precision_ == Precision::f32 ? 4 : 2;
    return *integers_ == Integer::i8 || *integers_ == Integer::u8 ? 1 : 2;
  }
  double get(const std::vector<std::byte>& bytes, std::size_t number) const {
    if (!integers_ && precision_ == Precision::f64) return read<double>(bytes, number);
    if (!integers_ && precision_ == Precision::f32) return read<float>(bytes, number);
    if (!integers_) return base::from_half(read<std::uint16_t>(bytes, number));
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
  /// Floating-point numbers only.
  void put(std::vector<std::byte>& bytes, std::size_t number, double value) const {
    if (precision_ == Precision::f64) return write(bytes, number, value);
    const auto narrow = static_cast<float>(value);
    if (precision_ == Precision::f32) return write(bytes, number, narrow);
    write(bytes, number, base::to_half(narrow));
  }
  bool of_integers() const { return integers_.has_value(); }
  /// The place of an element's real or imaginary part; of planar memory these lie apart.
  std::size_t part(std::size_t place, unsigned number) const {
    return place + number * (planar_ ? memory_.end : 1);
  }

 private:
  const problem::Side& side_;
  const problem::Side& memory_;
  std::size_t batch_;
  std::optional<Integer> integers_;
  Precision precision_ = Precision::f32;
  unsigned numbers_ = 2;
  bool planar_ = false;
};

}  // namespace

void transform_along(HostArray& array, std::size_t axis, bool inverse);

namespace {

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
  if (!trial.transform.axes.empty()) {
    HostArray array{lengths, 1, x};
    for (std::size_t d = 0; d < lengths.size(); ++d) {
      REQUIRE((p.kinds[d] == Kind::complex || p.kinds[d] == Kind::identity));
      if (p.kinds[d] == Kind::complex) transform_along(array, d, trial.inverse);
    }
    return array.x;
  }
  if (!trial.inverse) return problem::reference(trial.transform.kind, lengths, x);
  REQUIRE(trial.transform.kind == Kind::complex);
  std::vector<Complex> swapped = x;
  for (Complex& value : swapped) value = std::conj(value);
  swapped = problem::reference(Kind::complex, lengths, swapped);
  for (Complex& value : swapped) value = std::conj(value);
  return swapped;
}

}  // namespace

/// The DFT along an axis, in place.
void transform_along(HostArray& array, std::size_t axis, bool inverse) {
  const std::size_t n = array.lengths[axis];
  for (std::size_t i = 0; i < array.x.size(); ++i) {
    auto at = array.indices(i);
    if (at[axis] != 0) continue;
    const auto number = [&](std::size_t j) {
      at[axis] = j;
      return array.number(at);
    };
    std::vector<Complex> line(n);
    for (std::size_t j = 0; j < n; ++j) line[j] = array.x[number(inverse ? (n - j) % n : j)];
    line = problem::reference(Kind::complex, {n}, line);
    for (std::size_t j = 0; j < n; ++j) array.x[number(j)] = line[j];
  }
}

/// Of real signals the half that is kept, and all of it again.
HostArray half_of(const HostArray& whole, std::size_t axis) {
  HostArray half{whole.lengths, whole.batch, {}};
  half.lengths[axis] = whole.lengths[axis] / 2 + 1;
  half.x.resize(half.size() * half.batch);
  for (std::size_t i = 0; i < half.x.size(); ++i)
    half.x[i] = whole.x[whole.number(half.indices(i))];
  return half;
}

/// What the kernels for half spectra make of element k along the real axis and its image.
void take_half(HostArray& whole, const HostArray& half, std::size_t axis,
               const std::vector<Kind>& kinds) {
  for (std::size_t i = 0; i < whole.x.size(); ++i) {
    auto at = whole.indices(i);
    if (at[axis] < half.lengths[axis]) {
      whole.x[i] = half.x[half.number(at)];
      continue;
    }
    for (std::size_t d = 0; d < kinds.size(); ++d) {
      if (kinds[d] != Kind::identity) at[d] = (whole.lengths[d] - at[d]) % whole.lengths[d];
    }
    whole.x[i] = std::conj(half.x[half.number(at)]);
  }
}

/// There, through the filter's hooks, and back.
HostArray filtered(const Trial& trial, const problem::Problem& p, HostArray x) {
  const auto each_axis = [&](bool inverse) {
    for (std::size_t d = 0; d < p.kinds.size(); ++d) {
      if (p.kinds[d] != Kind::identity) transform_along(x, d, inverse);
    }
  };
  each_axis(false);
  const auto axis = p.real_axis();
  HostArray spectrum = axis ? half_of(x, *axis) : x;
  HostHooks(spectrum, trial.arguments, trial.function).apply(*trial.transform.filter);
  if (axis)
    take_half(x, spectrum, *axis, p.kinds);
  else
    x = spectrum;
  each_axis(true);
  if (axis) {
    for (Complex& value : x.x) value = value.real();
  }
  return x;
}

/// An argument of hooks: the bytes of a buffer, or a number.
struct HostValue {
  std::string name;
  std::vector<std::byte> bytes;
  double number = 0;
};

struct HostCall {
  std::vector<std::byte>& in;
  std::vector<std::byte>& out;
  std::vector<HostValue>& values;
};

namespace {

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

}  // namespace

std::string on_device(const Trial& trial, const HostCall& host) {
  // It stays: oclgrind cannot release what is released when the process ends.
  static const Device& device = *new Device;
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
  auto facts = vector ? wide_cpu() : large_gpu();
  facts.waiting = "CL3.0";
  const auto blueprint = engine::decide(trial.transform, facts, options);
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
    if (step.convolution.hooked && trial.wide) step.convolution.hooked->wide = true;
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

std::vector<std::byte> interpreted(const Transform& transform, Mapping mapping,
                                   std::vector<std::byte> in,
                                   std::vector<std::vector<std::byte>> arguments) {
  Options options;
  options.parameters.mapping = mapping;
  options.profiles = false;
  const auto facts = mapping == Mapping::vector ? wide_cpu() : large_gpu();
  const auto blueprint = engine::decide(transform, facts, options);
  const bool inverse = !blueprint.forward;
  const auto& direction = inverse ? blueprint.inverse : blueprint.forward;
  std::vector<std::byte> out(blueprint.problem.bytes(!inverse));
  HostMemory memory{in, out, 0, 0, {}};
  for (auto& argument : arguments) memory.hooks.emplace_back(std::span<std::byte>(argument));
  if (transform.precision == Precision::f64)
    Interpreted<double>(direction->program).run(memory);
  else
    Interpreted<float>(direction->program).run(memory);
  return out;
}

void run(Trial trial, Compute* compute) {
  trial.transform.norm = Norm::none;
  trial.transform.directions = trial.inverse ? Directions::inverse : Directions::forward;
  const auto p = problem::make_problem(trial.transform);
  const Hooks& hooks = trial.inverse ? trial.transform.on_inverse : trial.transform.on_forward;
  const HostEnd in(p, trial.inverse, false), out(p, trial.inverse, true);
  const bool f64 = p.precision == Precision::f64;
  std::mt19937 random(17);
  std::uniform_real_distribution<double> uniform(-1, 1);

  // Memory that no hook may read is NaN.
  std::vector<std::byte> memory(in.numbers() * in.number_bytes());
  for (std::byte& byte : memory) byte = static_cast<std::byte>(random());
  for (std::size_t i = 0; i < in.numbers() && !in.of_integers(); ++i)
    in.put(memory, i, std::numeric_limits<double>::quiet_NaN());
  const problem::Side& from = p.side(trial.inverse, false);
  const problem::Side& to = p.side(trial.inverse, true);
  HostArray x{{from.lengths.begin(), from.lengths.end()}, p.batch, {}};
  x.x.resize(x.size() * p.batch);
  const auto fill = [&](std::size_t number) {
    if (in.of_integers()) return;
    in.put(memory, number, uniform(random));
  };
  const HostHooks host(x, trial.arguments, trial.function);
  const auto* sum = hooks.load.empty() ? nullptr : std::get_if<hook::WeightedSum>(&hooks.load[0]);
  in.each(corner(hooks.load, x.lengths.size(), false), [&](std::size_t i, std::size_t first) {
    for (std::size_t array = 0; array < (sum ? sum->count : 1); ++array) {
      const std::size_t place = first + (sum ? array * sum->stride * in.stride() : 0);
      for (unsigned part = 0; part < in.per_element(); ++part) fill(in.part(place, part));
      const Complex value{in.get(memory, place),
                          in.per_element() == 2 ? in.get(memory, in.part(place, 1)) : 0};
      x.x[i] += sum ? value * host.factor(sum->weights, x.indices(i), array) : value;
    }
  });
  HostHooks(x, trial.arguments, trial.function).apply(hooks.load);

  HostArray y{{to.lengths.begin(), to.lengths.end()}, p.batch, {}};
  if (trial.transform.filter) y = filtered(trial, p, x);
  for (std::size_t b = 0; b < p.batch && !trial.transform.filter; ++b) {
    const auto first = x.x.begin() + static_cast<std::ptrdiff_t>(b * x.size());
    const auto result =
        transformed(trial, p, {first, first + static_cast<std::ptrdiff_t>(x.size())});
    REQUIRE(result.size() == y.size());
    y.x.insert(y.x.end(), result.begin(), result.end());
  }
  for (std::size_t i = 0; i < y.x.size(); ++i) {
    const Scale scale = trial.transform.scale.value_or(Scale{});
    if (trial.inverse || trial.transform.filter) y.x[i] *= scale.inverse;
    if (!trial.inverse) y.x[i] *= scale.forward;
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
      const std::size_t at = out.part(place, part);
      written[at] = true;
      const double wanted = part == 0 ? y.x[i].real() : y.x[i].imag();
      double clamped = wanted;
      if (out.of_integers()) {
        const double bits = out.number_bytes() == 1 ? 256 : 65536;
        const auto type = *p.hooked[trial.inverse][true]->integers;
        const bool with_sign = type == Integer::i8 || type == Integer::i16;
        const double least = with_sign ? -bits / 2 : 0;
        clamped = std::nearbyint(std::min(std::max(wanted, least), least + bits - 1));
      }
      const double error = std::abs(out.get(result, at) - clamped);
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
    CHECK(worst <= (f64 ? 1e-13 : p.precision == Precision::f32 ? 2e-5 : 5e-4) * largest);
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

namespace {

/// Whether trial i is of the share $IMAGO_TEST_PART, K/N: so processes divide the full tier.
bool is_mine(std::size_t i) {
  const char* part = std::getenv("IMAGO_TEST_PART");
  if (!part) return true;
  char* slash = nullptr;
  const std::size_t mine = std::strtoull(part, &slash, 10);
  return i % std::strtoull(slash + 1, nullptr, 10) == mine;
}

}  // namespace

void over(const std::vector<Shape>& shapes, const std::vector<Kind>& kinds,
          const std::function<void(const Trial&)>& body) {
  std::size_t number = 0;
  for (const Shape& shape : shapes) {
    for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
      for (const Kind kind : kinds) {
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

}  // namespace imago::test
