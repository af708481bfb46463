// This file implements ModularPlan. The transforms are those of the planner in a prime field. A
// coset is a hook that multiplies the signal, and the order of bits in reverse one more kernel on
// the spectrum.
#include "api/modular.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <random>
#include <utility>

#include "api/commands.hpp"
#include "api/execution.hpp"
#include "api/owned.hpp"
#include "api/parts.hpp"
#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/prime_field.hpp"
#include "base/text.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "kernels/text.hpp"
#include "runtime/arguments.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"
#include "runtime/stage_kernels.hpp"

namespace imago {
namespace modular {
namespace {

constexpr const char* kCoset = "coset";
// Largest arrays of the test of a new plan, in bytes.
constexpr std::size_t kMostTested = std::size_t{1} << 28;

base::Ring ring_of(Ring ring) {
  constexpr base::Ring kRings[] = {base::Ring::goldilocks, base::Ring::baby_bear,
                                   base::Ring::koala_bear};
  const auto index = static_cast<std::size_t>(ring);
  if (index >= std::size(kRings)) base::invalid("ring", index, "it must be one of imago::Ring");
  return kRings[index];
}

const base::PrimeField& field_of(Ring ring) { return base::prime_field(ring_of(ring)); }

/// Returns words as a buffer has them.
runtime::Handle<cl_mem> upload(cl_context context, const std::vector<std::uint64_t>& words,
                               bool wide) {
  if (wide) return runtime::allocate_copy(context, words.size() * sizeof words[0], words.data());
  const std::vector<std::uint32_t> narrow(words.begin(), words.end());
  return runtime::allocate_copy(context, narrow.size() * sizeof narrow[0], narrow.data());
}

kernel::Handmade reversal(const device::Facts& facts, bool wide) {
  const bool cpu = facts.type == device::Type::cpu;
  const std::size_t items = cpu ? 1 : 64, block = cpu ? 4096 : 4;
  return {.name = wide ? "exact_reversed_64" : "exact_reversed_32",
          .options = engine::kBuildOptions + kernel::defined("BLOCK", block) +
                     (wide ? " -DWORD=ulong" : " -DWORD=uint"),
          .text = std::string(kernels::text("exact_order.cl")),
          .items = items,
          .block = block,
          .entry = "exact_reversed"};
}

/// Returns the elements of a transform.
std::size_t elements_of(const ModularTransform& t) {
  std::size_t all = 1;
  for (const std::size_t length : t.lengths) all *= length;
  return all;
}

std::uint64_t reversed_bits(std::uint64_t k, std::uint64_t length) {
  std::uint64_t reverse = 0;
  for (std::uint64_t bit = 1; bit < length; bit *= 2, k /= 2) reverse = 2 * reverse + k % 2;
  return reverse;
}

}  // namespace

void check_transform(const ModularTransform& t) {
  const base::PrimeField& field = field_of(t.ring);
  if (t.lengths.empty()) base::invalid("lengths", "empty", "there must be at least one");
  for (const std::size_t length : t.lengths) {
    if (!base::is_power_of_two(length) || length < 2 || length >> field.bits > 1)
      base::invalid("length", length,
                    "it must be a power of two from 2 to 2^" + std::to_string(field.bits) +
                        ", which is the largest order of a root in the ring");
  }
  if (t.coset == 0 || t.coset >= field.modulus)
    base::invalid("coset", t.coset, "it must be from 1 to " + std::to_string(field.modulus - 1));
}

problem::Computation computation(const ModularTransform& t, bool inverse) {
  Transform made{.precision = field_of(t.ring).wide ? Precision::f64 : Precision::f32,
                 .lengths = t.lengths,
                 .batch = t.batch,
                 .signal = {.storage = Storage::real},
                 .spectrum = {.storage = Storage::real}};
  // Spectra in another order are first copied to the result.
  const bool reversed = inverse && t.order == Order::bit_reversed;
  made.placement = reversed ? Placement::in_place : t.placement;
  made.directions = inverse ? Directions::inverse : Directions::forward;
  if (t.coset != 1) {
    const std::vector<Hook> hooks = {hook::multiply(kCoset)};
    (inverse ? made.on_inverse.store : made.on_forward.load) = hooks;
  }
  problem::Computation computation(made);
  computation.ring = ring_of(t.ring);
  return computation;
}

std::vector<Argument> coset_factors(cl_context context, const ModularTransform& t, bool inverse) {
  if (t.coset == 1) return {};
  const base::PrimeField& field = field_of(t.ring);
  const std::uint64_t coset = inverse ? field.inverse(t.coset) : t.coset;
  std::vector<std::uint64_t> factors = {field.factor(1)};
  for (const std::size_t length : t.lengths) {
    const auto powers = field.powers(1, coset, length);
    std::vector<std::uint64_t> all;
    all.reserve(factors.size() * length);
    for (const std::uint64_t outer : factors) {
      for (const std::uint64_t power : powers) all.push_back(field.product(outer, power));
    }
    factors = std::move(all);
  }
  return {{kCoset, cl::Buffer(upload(context, factors, field.wide).take(), false)}};
}

}  // namespace modular

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] ModularPlan::State {
  State(const cl::Context& context, const cl::Device& device, ModularTransform given,
        const Options& options)
      : transform(std::move(given)),
        field(modular::field_of(transform.ring)),
        target(engine::make_target(context(), device())),
        home{context(), device()} {
    for (const bool inverse : {false, true}) {
      if (transform.directions == (inverse ? Directions::forward : Directions::inverse)) continue;
      runs[inverse] =
          api::make_execution(context, device, modular::computation(transform, inverse), options);
      parts.add(runs[inverse].get());
      cosets[inverse] = modular::coset_factors(context(), transform, inverse);
    }
    if (transform.order == Order::natural) return;
    const auto code = modular::reversal(runtime::reported_facts(device()), field.wide);
    order = {target, {{Order::bit_reversed, code}}, engine::disk_cache(options)};
  }

  std::size_t word() const { return field.wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t); }
  std::size_t bytes() const { return modular::elements_of(transform) * transform.batch * word(); }
  /// Returns the launch that moves elements to the places with their bits in reverse.
  runtime::KernelLaunch reversed(cl_mem from, cl_mem to) const;
  void enqueue(bool inverse, const cl::CommandQueue& queue, const cl::Buffer& from,
               const cl::Buffer& to, const Call& call) const;
  void call(bool inverse, const cl::CommandQueue& queue, const cl::Buffer& from,
            const cl::Buffer& to, const Call& call) const;
  void test(const cl::Context& context, const cl::Device& device) const;
  std::uint64_t value_at(const std::vector<std::uint64_t>& places,
                         std::vector<std::uint64_t> coefficients, bool reversed) const;

  ModularTransform transform;
  const base::PrimeField& field;
  runtime::Target target;
  api::Home home;
  std::array<std::unique_ptr<const api::Execution>, 2> runs;  ///< forward and inverse
  std::array<std::vector<Argument>, 2> cosets;
  runtime::StageKernels<Order> order;
  api::Parts parts;
};

runtime::KernelLaunch ModularPlan::State::reversed(cl_mem from, cl_mem to) const {
  const kernel::Handmade& code = order.code(Order::bit_reversed);
  auto kernel = order.own(Order::bit_reversed);
  const std::uint64_t all = modular::elements_of(transform) * transform.batch;
  // A bit at the end of each axis, the fastest first.
  std::uint64_t ends = 0;
  unsigned bits = 0;
  for (std::size_t axis = transform.lengths.size(); axis-- > 0;) {
    bits += static_cast<unsigned>(std::countr_zero(transform.lengths[axis]));
    ends |= std::uint64_t{1} << bits;
  }
  runtime::Arguments(kernel.get())
      .value(from)
      .value(to)
      .value(static_cast<cl_ulong>(all))
      .value(static_cast<cl_ulong>(ends))
      .value(static_cast<cl_uint>(from == to ? 1 : 0));
  return order.launch(Order::bit_reversed, std::move(kernel),
                      base::ceil_divide(all, code.items * code.block));
}

void ModularPlan::State::enqueue(bool inverse, const cl::CommandQueue& queue,
                                 const cl::Buffer& from, const cl::Buffer& to,
                                 const Call& call) const {
  const auto run = [&](const cl::Buffer& source, Placement placement) {
    return api::Command(api::Calls{[this, &queue, &source, &to, inverse, placement](const Call& c) {
      const Array in(source), out(to);
      runs[inverse]->enqueue(inverse, {queue(), in, out, placement, c, cosets[inverse], 0});
    }});
  };
  std::vector<api::Command> commands;
  if (transform.order == Order::natural) {
    commands.push_back(run(from, transform.placement));
  } else if (inverse) {
    commands.emplace_back(reversed(from(), to()));
    commands.push_back(run(to, Placement::in_place));
  } else {
    commands.push_back(run(from, transform.placement));
    commands.emplace_back(reversed(to(), to()));
  }
  api::enqueue(queue, call, commands);
}

void ModularPlan::State::call(bool inverse, const cl::CommandQueue& queue, const cl::Buffer& from,
                              const cl::Buffer& to, const Call& call) const {
  api::check_queue(queue());
  api::check_compiled(runs[inverse], inverse);
  const bool in_place = transform.placement == Placement::in_place;
  if (!call.arguments.empty())
    base::invalid("call.arguments", "given", "modular transforms have none");
  if (in_place != (from() == to()))
    base::invalid("placement", in_place ? "in_place" : "out_of_place",
                  in_place ? "signal and spectrum are one buffer" : "they are two buffers");
  const auto check = [&](const char* name, const cl::Buffer& buffer, bool written) {
    problem::Side layout;
    layout.end = bytes() / word(), layout.element_bytes = word();
    const Array array(buffer);
    api::check_side(home, {name, array, 0, layout, !written || in_place, written || in_place});
  };
  check(inverse ? "spectrum" : "signal", from, false);
  check(inverse ? "signal" : "spectrum", to, true);
  enqueue(inverse, queue, from, to, call);
}

/// Returns the value of a polynomial of several variables, whose coefficients are in an array, at
/// values of these.
std::uint64_t ModularPlan::State::value_at(const std::vector<std::uint64_t>& places,
                                           std::vector<std::uint64_t> coefficients,
                                           bool reversed) const {
  for (std::size_t axis = places.size(); axis-- > 0;) {
    const std::size_t length = transform.lengths[axis], rows = coefficients.size() / length;
    for (std::size_t row = 0; row < rows; ++row) {
      std::uint64_t value = 0;  // Horner's scheme
      for (std::size_t j = length; j-- > 0;) {
        const std::size_t at = row * length + (reversed ? modular::reversed_bits(j, length) : j);
        value = field.sum(field.product(value, places[axis]), coefficients[at]);
      }
      coefficients[row] = value;
    }
    coefficients.resize(rows);
  }
  return coefficients[0];
}

/// Transforms random residues, and compares an element of the last transform with its definition.
/// Throws DeviceError if they differ.
void ModularPlan::State::test(const cl::Context& context, const cl::Device& device) const {
  if (bytes() > modular::kMostTested) return;
  const std::size_t n = modular::elements_of(transform);
  std::mt19937_64 random(n);
  std::vector<std::uint64_t> words(n * transform.batch);
  for (std::uint64_t& x : words) x = random() % field.modulus;
  const cl::CommandQueue queue(runtime::make_queue(context(), device()).take(), false);
  for (const bool inverse : {false, true}) {
    if (!runs[inverse]) continue;
    const cl::Buffer from(modular::upload(context(), words, field.wide).take(), false),
        to(runtime::allocate(context(), bytes()).take(), false);
    const bool in_place = transform.placement == Placement::in_place;
    if (in_place)
      runtime::check(clEnqueueCopyBuffer(queue(), from(), to(), 0, 0, bytes(), 0, nullptr, nullptr),
                     "clEnqueueCopyBuffer");
    enqueue(inverse, queue, in_place ? to : from, to, {});
    const std::uint64_t place = random() % n;
    std::uint64_t result = 0;
    runtime::check(clEnqueueReadBuffer(queue(), to(), CL_TRUE, (words.size() - n + place) * word(),
                                       word(), &result, 0, nullptr, nullptr),
                   "clEnqueueReadBuffer");
    const bool reversed = transform.order != Order::natural;
    std::vector<std::uint64_t> places(transform.lengths.size());
    std::uint64_t rest = place, share = field.of_scale(static_cast<double>(n));
    for (std::size_t axis = places.size(); axis-- > 0;) {
      const std::uint64_t length = transform.lengths[axis], at = rest % length;
      const std::uint64_t k = reversed && !inverse ? modular::reversed_bits(at, length) : at;
      const std::uint64_t root = field.root_of_unity(inverse ? length - k : k, length);
      places[axis] = inverse ? root : field.product(root, transform.coset);
      share = field.product(share, field.power(transform.coset, k));
      rest /= length;
    }
    const std::vector<std::uint64_t> last(words.end() - static_cast<std::ptrdiff_t>(n),
                                          words.end());
    std::uint64_t value = value_at(places, last, inverse && reversed);
    if (inverse) value = field.product(value, field.inverse(share));
    if (value != result)
      base::wrong_device(device.getInfo<CL_DEVICE_NAME>(),
                         "a transform of " + std::to_string(n) + " residues modulo " +
                             std::to_string(field.modulus),
                         "use another driver or device; to continue anyway, set "
                         "Options::trust_device");
  }
}

ModularPlan::ModularPlan(const cl::Context& context, const cl::Device& device,
                         ModularTransform transform, const Options& options) {
  api::check_start(device, options);
  modular::check_transform(transform);
  auto state = api::make_owned<const State>(context, device, std::move(transform), options);
  if (!options.trust_device) state->test(context, device);
  state_ = std::move(state);
}
ModularPlan::~ModularPlan() = default;
ModularPlan::ModularPlan(ModularPlan&&) noexcept = default;
ModularPlan& ModularPlan::operator=(ModularPlan&&) noexcept = default;

void ModularPlan::forward(const cl::CommandQueue& queue, const cl::Buffer& signal,
                          const cl::Buffer& spectrum, const Call& call) const {
  api::held(state_).call(false, queue, signal, spectrum, call);
}
void ModularPlan::inverse(const cl::CommandQueue& queue, const cl::Buffer& spectrum,
                          const cl::Buffer& signal, const Call& call) const {
  api::held(state_).call(true, queue, spectrum, signal, call);
}

const ModularTransform& ModularPlan::transform() const { return api::held(state_).transform; }
std::size_t ModularPlan::bytes() const { return api::held(state_).bytes(); }
std::size_t ModularPlan::workspace_bytes() const {
  return api::held(state_).parts.workspace_bytes();
}
std::string ModularPlan::describe() const { return api::held(state_).parts.describe(); }
std::vector<KernelSource> ModularPlan::sources() const { return api::held(state_).parts.sources(); }
std::vector<KernelBuild> ModularPlan::builds() const { return api::held(state_).parts.builds(); }

namespace exact {

std::uint64_t modulus(Ring ring) { return modular::field_of(ring).modulus; }

std::uint64_t root_of_unity(Ring ring, std::uint64_t order) {
  const base::PrimeField& field = modular::field_of(ring);
  if (!base::is_power_of_two(order) || order >> field.bits > 1)
    base::invalid("order", order,
                  "it must be a power of two up to 2^" + std::to_string(field.bits));
  return field.root_of_unity(1, order);
}

}  // namespace exact
}  // namespace imago
