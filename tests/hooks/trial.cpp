// This file runs trials of hooks.
#include "hooks/trial.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>

#include "api/support.hpp"
#include "catalogue/host_memory.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "hooks/host_end.hpp"
#include "hooks/host_steps.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/interpreted.hpp"
#include "support/larger.hpp"

namespace imago::test {
namespace {

template <class Real>
void append(std::vector<std::byte>& bytes, Real value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace

/// An argument of hooks: the bytes of a buffer, or a number.
struct HostValue {
  std::string name;
  std::vector<std::byte> bytes;
  double number = 0;
  bool integer = false;  ///< the number is an int
};

struct HostCall {
  std::vector<std::byte>& in;
  std::vector<std::byte>& out;
  std::vector<HostValue>& values;
};

namespace {

HostValue value_of(const problem::HookArgument& argument, const std::vector<Complex>& values,
                   bool f64) {
  HostValue value{argument.name, {}};
  if (!argument.is_buffer()) {
    value.number = values.at(0).real();
    value.integer = argument.type == problem::HookArgument::Type::integer;
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

/// An end in the device's memory. The host's planar memory has the real parts first.
class DeviceEnd {
 public:
  DeviceEnd(const cl::Context& context, std::vector<std::byte>& bytes, const problem::Side& side)
      : part_(side.storage == Storage::planar ? bytes.size() / 2 : bytes.size()) {
    for (std::size_t first = 0; first < bytes.size(); first += part_)
      buffers_.emplace_back(context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE, part_,
                            bytes.data() + first);
  }
  Array array() const {
    return buffers_.size() == 1 ? Array(buffers_[0]) : Array::planar(buffers_[0], buffers_[1]);
  }
  void read(const cl::CommandQueue& queue, std::vector<std::byte>& bytes) const {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      queue.enqueueReadBuffer(buffers_[i], CL_TRUE, 0, part_, bytes.data() + i * part_);
  }

 private:
  std::size_t part_;
  std::vector<cl::Buffer> buffers_;
};

}  // namespace

FilterShape Trial::filter_shape() const {
  const Scale scale = transform.scale.value_or(Scale{});
  return {.kind = transform.kind,
          .axes = transform.axes,
          .precision = transform.precision,
          .lengths = transform.lengths,
          .batch = transform.batch,
          .placement = transform.placement,
          .scale = scale.forward * scale.inverse,
          .signal = transform.signal,
          .result = transform.spectrum,
          .ends = transform.on_forward,
          .spectrum = filter.value()};
}

std::string on_device(const Trial& trial, const HostCall& host) {
  // The device is never destroyed, because oclgrind cannot release objects while the process ends.
  static const Device& device = *new Device;
  const auto p = problem::make_problem(trial.computation());
  const DeviceEnd source(device.context, host.in, p.memory(trial.inverse, false));
  const DeviceEnd target(device.context, host.out, p.memory(trial.inverse, true));
  const Array from = source.array(), to = target.array();
  const bool in_place = p.placement == Placement::in_place;
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
  std::string description;
  if (trial.filter) {
    const Filter filter(device.context, device.device, trial.filter_shape(), trial.options);
    in_place ? filter.apply(device.queue, to, call) : filter.apply(device.queue, from, to, call);
    description = filter.describe();
  } else {
    const Plan plan(device.context, device.device, trial.transform, trial.options);
    if (trial.inverse)
      in_place ? plan.inverse(device.queue, to, call) : plan.inverse(device.queue, from, to, call);
    else
      in_place ? plan.forward(device.queue, to, call) : plan.forward(device.queue, from, to, call);
    description = plan.describe();
  }
  target.read(device.queue, host.out);
  return description;
}

/// Computes on the generic kernels of GPUs, whose lanes are work-items, on the default device.
std::string on_work_items(const Trial& trial, const HostCall& host) {
  static const Device& device = *new Device;
  auto facts = runtime::reported_facts(device.device());
  facts.type = device::Type::gpu;
  const auto target = engine::make_target(device.context(), device.device());
  auto decided = engine::decide_generic(trial.computation(), facts, trial.options);
  REQUIRE(decided.has_value());
  const engine::Engine engine(target, std::move(*decided), facts.type, {});
  const problem::Problem& p = engine.blueprint.problem;
  const DeviceEnd source(device.context, host.in, p.memory(trial.inverse, false));
  const DeviceEnd target_end(device.context, host.out, p.memory(trial.inverse, true));
  const bool in_place = p.placement == Placement::in_place;
  const Array from = (in_place ? target_end : source).array(), to = target_end.array();
  std::vector<runtime::Handle<cl_mem>> buffers;
  std::vector<runtime::HookValue> values;
  for (const HostValue& value : host.values) {
    values.push_back({nullptr, 0, value.number});
    if (value.bytes.empty()) continue;
    buffers.push_back(
        runtime::allocate_copy(device.context(), value.bytes.size(), value.bytes.data()));
    values.back().buffer = buffers.back().get();
  }
  const auto scratch =
      runtime::allocate(device.context(), std::max<std::size_t>(engine.scratch_bytes(), 1));
  runtime::Call call;
  call.queue = device.queue();
  call.input = {from.re(), from.im(), p.side(trial.inverse, false).offset};
  call.output = {to.re(), to.im(), p.side(trial.inverse, true).offset};
  call.scratch = {scratch.get(), nullptr};
  call.hooks = values;
  engine.of(trial.inverse)->enqueue(call);
  runtime::check(clFinish(device.queue()), "clFinish");
  target_end.read(device.queue, host.out);
  return engine.blueprint.describe() + "of work-items";
}

std::string on_interpreter(const Trial& trial, const HostCall& host) {
  const bool vector = trial.options.parameters.mapping == Mapping::vector;
  Options options = trial.options;
  options.profiles = false;
  auto facts = vector ? wide_cpu() : large_gpu();
  facts.waiting = "CL3.0";
  const auto blueprint = engine::decide(trial.computation(), facts, options);
  const auto& direction = trial.inverse ? blueprint.inverse : blueprint.forward;
  HostMemory memory{host.in,
                    host.out,
                    blueprint.problem.side(trial.inverse, false).offset,
                    blueprint.problem.side(trial.inverse, true).offset,
                    {}};
  for (HostValue& value : host.values) {
    if (value.integer)
      memory.hooks.emplace_back(static_cast<std::int64_t>(value.number));
    else if (value.bytes.empty())
      memory.hooks.emplace_back(value.number);
    else
      memory.hooks.emplace_back(std::span<std::byte>(value.bytes));
  }
  kernel::Program program = direction->program;
  for (kernel::Step& step : program.steps) {
    if (step.convolution.hooked && trial.wide) step.convolution.hooked->wide = true;
    for (kernel::Side* side : {&step.in, &step.out}) {
      if (side->hooked && trial.wide) side->hooked->wide = true;
    }
  }
  if (trial.transform.precision == Precision::f64)
    Interpreted<double>(program).run(memory);
  else
    Interpreted<float>(program).run(memory);
  return blueprint.describe();
}

std::vector<std::byte> interpreted(const problem::Computation& computation, Mapping mapping,
                                   std::vector<std::byte> in,
                                   std::vector<std::vector<std::byte>> arguments) {
  Options options;
  options.parameters.mapping = mapping;
  options.profiles = false;
  const auto facts = mapping == Mapping::vector ? wide_cpu() : large_gpu();
  const auto blueprint = engine::decide(computation, facts, options);
  const bool inverse = !blueprint.forward;
  const auto& direction = inverse ? blueprint.inverse : blueprint.forward;
  std::vector<std::byte> out(blueprint.problem.bytes(!inverse));
  HostMemory memory{in, out, 0, 0, {}};
  for (auto& argument : arguments) memory.hooks.emplace_back(std::span<std::byte>(argument));
  if (computation.transform.precision == Precision::f64)
    Interpreted<double>(direction->program).run(memory);
  else
    Interpreted<float>(direction->program).run(memory);
  return out;
}

namespace {

/// The memory before the call, and the same elements after the hooks at load.
struct HostInput {
  std::vector<std::byte> memory;
  HostArray x;
};

/// Returns the factor of a member's signal.
double size_of(const Trial& trial, std::size_t member) {
  return trial.differ ? std::exp2(catalogue::exponent_of(member, trial.transform.precision)) : 1;
}

bool is_poisoned(std::size_t member) { return member % 3 == 1; }

/// Returns random elements; memory that no hook may read is NaN.
HostInput make_input(const Trial& trial, const problem::Problem& p, const HostEnd& in,
                     bool poisoned) {
  const Hooks& hooks = trial.inverse ? trial.transform.on_inverse : trial.transform.on_forward;
  const problem::Side& from = p.side(trial.inverse, false);
  std::mt19937 random(17);
  std::uniform_real_distribution<double> uniform(-1, 1);
  HostInput made{std::vector<std::byte>(in.numbers() * in.number_bytes()),
                 {{from.lengths.begin(), from.lengths.end()}, p.batch, {}}};
  std::vector<std::byte>& memory = made.memory;
  HostArray& x = made.x;
  for (std::byte& byte : memory) byte = static_cast<std::byte>(random());
  for (std::size_t i = 0; i < in.numbers() && !in.of_integers(); ++i)
    in.put(memory, i, std::numeric_limits<double>::quiet_NaN());
  x.x.resize(x.size() * p.batch);
  const HostHooks host(x, trial.arguments, trial.function);
  const auto* sum = hooks.load.empty() ? nullptr : std::get_if<hook::WeightedSum>(&hooks.load[0]);
  const auto value_of_member = [&](std::size_t member) {
    if (poisoned && is_poisoned(member))
      return member % 2 == 0 ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
    return size_of(trial, member) * uniform(random);
  };
  in.each(box_corner(hooks.load, x.lengths.size(), false), [&](std::size_t i, std::size_t first) {
    for (std::size_t array = 0; array < (sum ? sum->count : 1); ++array) {
      const std::size_t place = first + (sum ? array * sum->stride * in.stride() : 0);
      for (unsigned part = 0; part < in.per_element() && !in.of_integers(); ++part)
        in.put(memory, in.part(place, part), value_of_member(i / x.size()));
      const Complex value{in.get(memory, place),
                          in.per_element() == 2 ? in.get(memory, in.part(place, 1)) : 0};
      x.x[i] += sum ? value * host.factor(sum->weights, x.indices(i), array) : value;
    }
  });
  HostHooks(x, trial.arguments, trial.function).apply(hooks.load);
  return made;
}

/// Scales as the transform requires, and rescales end points.
void scale(const Trial& trial, const problem::Problem& p, HostArray& y) {
  const Scale scale = trial.transform.scale.value_or(Scale{});
  double points = 1;  // a filter's inverse undoes its forward transform
  for (std::size_t d = 0; d < p.lengths.size() && trial.filter; ++d)
    if (p.kinds[d] != Kind::identity) points *= static_cast<double>(p.lengths[d]);
  for (std::size_t i = 0; i < y.x.size(); ++i) {
    if (trial.inverse || trial.filter) y.x[i] *= scale.inverse / points;
    if (!trial.inverse) y.x[i] *= scale.forward;
    if (!trial.transform.orthogonal.value_or(false)) continue;
    REQUIRE(trial.transform.kind == Kind::dct2);
    for (std::size_t d = 0; d < y.lengths.size(); ++d)
      if (y.indices(i)[d] == 0) y.x[i] /= std::sqrt(2.0);
  }
}

/// Returns the expected elements of the output, after the hooks at store.
HostArray wanted_output(const Trial& trial, const problem::Problem& p, const HostArray& x) {
  const Hooks& hooks = trial.inverse ? trial.transform.on_inverse : trial.transform.on_forward;
  const problem::Side& to = p.side(trial.inverse, true);
  HostArray y{{to.lengths.begin(), to.lengths.end()}, p.batch, {}};
  if (trial.filter) y = filtered(trial, p, x);
  for (std::size_t b = 0; b < p.batch && !trial.filter; ++b) {
    const auto first = x.x.begin() + static_cast<std::ptrdiff_t>(b * x.size());
    const auto result =
        transformed(trial, p, {first, first + static_cast<std::ptrdiff_t>(x.size())});
    REQUIRE(result.size() == y.size());
    y.x.insert(y.x.end(), result.begin(), result.end());
  }
  scale(trial, p, y);
  HostHooks(y, trial.arguments, trial.function).apply(hooks.store);
  return y;
}

bool accumulates(const Hooks& hooks) {
  return !hooks.store.empty() && std::holds_alternative<hook::Accumulate>(hooks.store.back());
}

/// The largest expected element and the largest error of each member, and the numbers that belong
/// to elements. Members of the same size count as one.
struct Comparison {
  std::vector<double> largest, worst;
  std::vector<bool> written;
};

/// Compares with the elements `y`, added to those in `before` if it is not null.
Comparison compare(const HostEnd& out, const std::vector<std::size_t>& corner, const HostArray& y,
                   const std::vector<std::byte>& result, const std::vector<std::byte>* before,
                   bool differ) {
  const std::size_t members = differ ? y.batch : 1;
  Comparison c{std::vector<double>(members), std::vector<double>(members),
               std::vector<bool>(out.numbers())};
  out.each(corner, [&](std::size_t i, std::size_t place) {
    double& largest = c.largest[differ ? i / y.size() : 0];
    double& worst = c.worst[differ ? i / y.size() : 0];
    for (unsigned part = 0; part < out.per_element(); ++part) {
      const std::size_t at = out.part(place, part);
      c.written[at] = true;
      const double there = before ? out.get(*before, at) : 0;
      const double wanted = out.stored(there + (part == 0 ? y.x[i].real() : y.x[i].imag()));
      const double error = std::abs(out.get(result, at) - wanted);
      worst = test::larger(worst, error);
      largest = std::max(largest, std::abs(wanted));
    }
  });
  return c;
}

void run_once(const Trial& trial, Compute* compute, bool poisoned) {
  const auto p = problem::make_problem(trial.computation());
  const Hooks& hooks = trial.inverse ? trial.transform.on_inverse : trial.transform.on_forward;
  const HostEnd in(p, trial.inverse, false), out(p, trial.inverse, true);
  const bool f64 = p.precision == Precision::f64;
  HostInput input = make_input(trial, p, in, poisoned);
  const HostArray y = wanted_output(trial, p, input.x);

  const bool in_place = p.placement == Placement::in_place;
  std::vector<std::byte> result;
  if (in_place) result = input.memory;
  result.resize(std::max(result.size(), out.numbers() * out.number_bytes()), std::byte{0x55});
  const bool adds = accumulates(hooks);
  for (std::size_t i = 0; i < out.numbers() && adds; ++i)
    out.put(result, i, 1.0 + static_cast<double>(i % 7));
  const std::vector<std::byte> untouched = result;
  std::vector<HostValue> values;
  for (const auto& argument : p.arguments(trial.inverse))
    values.push_back(value_of(argument, trial.arguments.at(argument.name), f64));
  const std::string plan = compute(trial, {in_place ? result : input.memory, result, values});

  const auto [largest, worst, written] =
      compare(out, box_corner(hooks.store, y.lengths.size(), true), y, result,
              adds ? &untouched : nullptr, trial.differ);
  // Nothing else is written.
  const std::size_t bytes = out.number_bytes();
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i]) continue;
    CHECK(std::memcmp(result.data() + i * bytes, untouched.data() + i * bytes, bytes) == 0);
  }
  INFO(plan);
  for (std::size_t b = 0; b < largest.size(); ++b) {
    if (poisoned && is_poisoned(b)) continue;
    CAPTURE(b, largest.size(), poisoned);
    REQUIRE(largest[b] > 0);
    if (out.of_integers())
      CHECK(worst[b] <= 1);
    else if (p.precision == Precision::f16)
      CHECK(worst[b] <= 5e-4 * largest[b] + 0x1p-25);  // half of the smallest number of f16
    else
      CHECK(worst[b] <= (f64 ? 1e-13 : 2e-5) * largest[b]);
  }
}

/// Returns true for every fifth trial if $IMAGO_TEST_SAMPLE is set, else for all.
bool is_in_sample() {
  static const bool is_sample = std::getenv("IMAGO_TEST_SAMPLE") != nullptr;
  static std::size_t trials = 0;
  return !is_sample || trials++ % 5 == 0;
}

/// Returns true if generic kernels can compute the trial. They refuse the user's functions, twiddle
/// factors of lines, and planar integers and halves.
bool has_generic_kernels(const Trial& trial) {
  const bool has =
      engine::decide_generic(trial.computation(), wide_cpu(), trial.options).has_value();
  const auto may_refuse = [](const Hook& hook) {
    return std::holds_alternative<hook::Code>(hook) || std::holds_alternative<hook::Access>(hook) ||
           std::holds_alternative<hook::LineTwiddle>(hook);
  };
  const auto is_planar = [](const Layout& layout) { return layout.storage == Storage::planar; };
  bool refused = is_planar(trial.transform.signal) || is_planar(trial.transform.spectrum);
  const auto is_short = [](const Hook& hook) { return std::holds_alternative<hook::Stored>(hook); };
  const Hooks& hooks = trial.inverse ? trial.transform.on_inverse : trial.transform.on_forward;
  bool has_short = trial.transform.precision == Precision::f16;
  for (const auto* list : {&hooks.load, &hooks.store})
    has_short = has_short || std::any_of(list->begin(), list->end(), is_short);
  refused = refused && has_short;
  for (const auto* list : {&hooks.load, &hooks.store})
    refused = refused || std::any_of(list->begin(), list->end(), may_refuse);
  if (trial.filter)
    refused = refused || std::any_of(trial.filter->begin(), trial.filter->end(), may_refuse);
  CHECK((has || refused));
  return has;
}

void run_on_generic(const Trial& trial) {
  for (Compute* generic : {on_device, on_work_items}) {
    run_once(trial, generic, false);
    if (trial.poison && trial.transform.batch > 1) run_once(trial, generic, true);
  }
}

void set_defaults(Trial& trial) {
  trial.transform.norm = Norm::none;
  trial.transform.directions = trial.inverse ? Directions::inverse : Directions::forward;
}

}  // namespace

void run(Trial trial, Compute* compute) {
  set_defaults(trial);
  run_once(trial, compute, false);
  if (trial.poison && trial.transform.batch > 1) run_once(trial, compute, true);
  if (trial.options.deterministic) return;
  trial.options.parameters = {}, trial.options.scratch = {};
  trial.options.first_call = FirstCall::generic;
  if (is_in_sample() && has_generic_kernels(trial)) run_on_generic(trial);
}

void run_generic(Trial trial) {
  set_defaults(trial);
  trial.options.first_call = FirstCall::generic;
  REQUIRE(has_generic_kernels(trial));
  run_on_generic(trial);
}

std::vector<Complex> window_of(std::size_t length, bool complex) {
  std::vector<Complex> window;
  for (std::size_t j = 0; j < length; ++j) {
    const double x = (static_cast<double>(j) + 0.5) / static_cast<double>(length);
    window.push_back(std::sin(std::numbers::pi * x) + 0.1);
    if (complex) window.back() *= std::polar(1.0, 5 * x * x);
  }
  return window;
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

/// Returns true if trial i is in the part $IMAGO_TEST_PART, K/N, so that processes share the full
/// tier.
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

void over_seeds(std::size_t count, const std::function<void(catalogue::Random&)>& body) {
  const std::uint64_t step = std::getenv("IMAGO_TEST_SAMPLE") ? 20 : 1;
  const char* const only = std::getenv("IMAGO_TEST_SEED");
  for (std::uint64_t seed = 0; seed < count; seed += step) {
    if (only && std::strtoull(only, nullptr, 10) != seed) continue;
    INFO("IMAGO_TEST_SEED=" << seed);
    catalogue::Random random(seed);
    body(random);
  }
}

Options on_generic_kernels() {
  Options options;
  options.first_call = FirstCall::generic;
  return options;
}

void check_generic(const std::string& description) {
  INFO(description);
  CHECK(description.find("generic kernel") != std::string::npos);
}

}  // namespace imago::test
