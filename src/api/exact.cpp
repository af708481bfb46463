// This file implements IntegerConvolution. Modulo x^(2m) + 1, a sequence of 2m integers is one of m
// complex numbers modulo x^m - i: element j is the first half's element j plus i times that of the
// second half. Multiplied by the powers of a root of order 4m it is one modulo x^m - 1, so a filter
// of m points convolves 2m integers. Linear convolutions have room in 2m, and the others are those
// of linear ones whose end is added or subtracted. Larger sums take a second ring, the residues
// modulo q = 2^64 - 2^32 + 1, which convolves 2m integers by transforms of 2m residues.
#include <imago/exact.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <random>
#include <utility>

#include "api/commands.hpp"
#include "api/exact.hpp"
#include "api/execution.hpp"
#include "api/owned.hpp"
#include "api/parts.hpp"
#include "api/second_ring.hpp"
#include "api/used_memory.hpp"
#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/ring.hpp"
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
namespace exact {

namespace m61 = base::m61;

constexpr const char* kWeights = "weights";
constexpr const char* kWeightsBack = "weights_back";
constexpr const char* kSpectrum = "spectrum";
constexpr std::size_t kWord = sizeof(std::int64_t);

/// Returns the complex points of a transform. It wraps by itself if 2 points are a negacyclic
/// sequence, and is long enough for a linear one otherwise.
std::size_t points_of(const IntegerConvolutionShape& shape) {
  constexpr std::size_t kFewest = 64;
  const bool wraps = shape.wrap == Wrap::negacyclic && base::is_power_of_two(shape.first);
  if (wraps && shape.first >= 2 * kFewest) return shape.first / 2;
  return std::max(std::bit_ceil(shape.first + shape.second - 1) / 2, kFewest);
}

/// Returns the transform of a sequence whose halves are two planes. The second one is zero, and is
/// not read, if the sequence is `real`: no longer than the points.
Transform transform_of(std::size_t points, bool real) {
  Transform transform{.precision = Precision::f64,
                      .lengths = {points},
                      .directions = Directions::forward,
                      .norm = Norm::none};
  if (!real) transform.signal.storage = Storage::planar;
  if (real) transform.on_forward.load.push_back(hook::from_real());
  transform.on_forward.load.push_back(hook::multiply(kWeights));
  return transform;
}

problem::Computation preparation(std::size_t points, bool real) {
  problem::Computation made(transform_of(points, real));
  made.ring = base::Ring::m61;
  return made;
}

problem::Computation filter(std::size_t points, bool real) {
  problem::Computation made = preparation(points, real);
  made.transform.spectrum.storage = Storage::planar;
  made.transform.on_forward.store = {hook::multiply(kWeightsBack)};
  made.filter = {hook::multiply(kSpectrum)};
  return made;
}

/// Returns a factor for each of the first kernel's rows, the powers of a root of x^points - i; or
/// their inverses, divided by the points. Twiddles have the rest (move_points() of the planner).
runtime::Handle<cl_mem> upload_weights(cl_context context, std::size_t points, std::size_t rows,
                                       bool back) {
  const m61::Roots roots(4 * rows);
  const m61::Complex share{m61::of_constant(1 / static_cast<double>(points)), 0};
  std::vector<m61::Complex> weights(points);
  for (std::size_t j = 0; j < rows; ++j)
    weights[j] = back ? m61::product(roots(4 * rows - 3 * j), share) : roots(3 * j);
  return runtime::allocate_copy(context, points * sizeof weights[0], weights.data());
}

kernel::Handmade wrap_kernel(const device::Facts& facts) {
  const bool cpu = facts.type == device::Type::cpu;
  const std::size_t items = cpu ? 1 : 64, block = cpu ? 4096 : 4;
  return {.name = "exact_wrap",
          .options = engine::kBuildOptions + kernel::defined("BLOCK", block),
          .text = std::string(kernels::text("exact.cl")),
          .items = items,
          .block = block};
}

/// Returns the value at r of the polynomial whose coefficients are these signed integers, of one
/// word each or of two.
std::uint64_t value_at(std::uint64_t r, std::span<const std::int64_t> words, bool wide = false) {
  constexpr auto kModulus = static_cast<std::int64_t>(m61::kModulus);
  const auto residue = [](std::int64_t c) {
    return static_cast<std::uint64_t>(c % kModulus + (c % kModulus < 0 ? kModulus : 0));
  };
  std::uint64_t value = 0;
  for (std::size_t i = words.size() / (wide ? 2 : 1); i-- > 0;) {
    std::uint64_t c = 0;
    if (wide)  // 2^64 is 8
      c = m61::sum(m61::product(residue(words[2 * i + 1]), 8),
                   m61::residue(static_cast<std::uint64_t>(words[2 * i])));
    else
      c = residue(words[i]);
    value = m61::sum(m61::product(value, r), c);
  }
  return value;
}

}  // namespace exact

namespace api {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t kLargestInteger = std::uint64_t{1} << 63;

Wide largest_product(const IntegerConvolutionShape& shape) {
  return Wide{shape.largest_first} * shape.largest_second;
}

/// Returns the most products that a sum has, at least 1.
std::uint64_t terms_of(const IntegerConvolutionShape& shape) {
  return std::max<std::uint64_t>(std::min(shape.first, shape.second), 1);
}

}  // namespace

void check_shape(const IntegerConvolutionShape& shape) {
  for (const auto& [name, length] :
       {std::pair{"first", shape.first}, std::pair{"second", shape.second}}) {
    if (length == 0) base::invalid(name, 0, "it must be at least 1");
  }
  if (shape.wrap != Wrap::linear && shape.first != shape.second)
    base::invalid("second", shape.second,
                  "sequences that wrap have the same length, " + std::to_string(shape.first));
  for (const auto& [name, largest] : {std::pair{"largest_first", shape.largest_first},
                                      std::pair{"largest_second", shape.largest_second}}) {
    if (largest > kLargestInteger)
      base::invalid(name, largest, "it must be at most 2^63, because integers are signed");
  }
  if (is_proved(shape)) return;
  const Wide product = largest_product(shape);
  base::invalid(
      "largest_first * largest_second",
      product >> 64 == 0 ? std::to_string(static_cast<std::uint64_t>(product)) : "too large",
      "a sum of " + base::counted(terms_of(shape), "product") + " must be at most " +
          (shape.results == IntegerResults::int64
               ? "2^63 - 1: use smaller integers, or results of 128 bits"
               : "(p q - 1) / 2, about 2^124: use smaller integers"));
}

bool is_proved(const IntegerConvolutionShape& shape) {
  constexpr std::uint64_t kGoldilocks = 0xffffffff00000001;
  const Wide most = shape.results == IntegerResults::int64
                        ? Wide{IntegerConvolution::kLargestResult}
                        : (Wide{exact::m61::kModulus} * kGoldilocks - 1) / 2;
  return largest_product(shape) <= most / terms_of(shape);
}

bool takes_two_rings(const IntegerConvolutionShape& shape) {
  constexpr std::uint64_t kMost = IntegerConvolution::kLargestInOneRing;
  return shape.results == IntegerResults::int128 ||
         largest_product(shape) > kMost / terms_of(shape) ||
         std::max(shape.largest_first, shape.largest_second) > kMost;
}

}  // namespace api

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] IntegerConvolution::State {
  State(const cl::Context& context, const cl::Device& device, IntegerConvolutionShape given,
        const Options& options)
      : shape(given),
        points(exact::points_of(shape)),
        two_rings(api::takes_two_rings(shape)),
        target(engine::make_target(context(), device())),
        memory(std::make_unique<api::UsedMemory>(target, 2 * points * exact::kWord)),
        home{context(), device()} {
    prepare =
        api::make_execution(context, device, exact::preparation(points, is_real(shape.second)),
                            options, {"second", "spectrum"});
    run = api::make_execution(context, device, exact::filter(points, is_real(shape.first)), options,
                              {"first", "result"});
    parts.add(prepare.get());
    parts.add(run.get());
    const auto add_planes = [&](std::size_t plane, bool first, bool second) {
      for (const bool wanted : {first, second}) {
        if (wanted)
          planes[plane] =
              cl::Buffer(runtime::allocate_zeros(context(), points * exact::kWord).take(), false);
        ++plane;
      }
    };
    add_planes(kFirst, two_rings || shape.first != points, !is_real(shape.first));
    add_planes(kSecond, two_rings || shape.second != points, !is_real(shape.second));
    add_planes(kResult, !stores_half(), true);
    const auto upload = [&](const api::Execution& plan, bool back) {
      return cl::Buffer(exact::upload_weights(context(), points, plan.first_length(), back).take(),
                        false);
    };
    weights.emplace_back(exact::kWeights, upload(*prepare, false));
    const bool same = prepare->first_length() == run->first_length();
    factors.emplace_back(exact::kWeights, same ? api::shared<cl::Buffer>(weights.front().buffer())
                                               : upload(*run, false));
    factors.emplace_back(exact::kWeightsBack, upload(*run, true));
    factors.emplace_back(exact::kSpectrum, api::shared<cl::Buffer>(memory->memory()));
    if (two_rings) {
      const bool negacyclic = is_whole() && shape.wrap == Wrap::negacyclic;
      second_ring = std::make_unique<const api::SecondRing>(context, device, target, points,
                                                            negacyclic, options);
      for (const api::Execution* execution : second_ring->executions()) parts.add(execution);
    } else if (!is_whole()) {
      const auto code = exact::wrap_kernel(runtime::reported_facts(device()));
      wrap = {target, {{shape.wrap, code}}, engine::disk_cache(options)};
    }
  }
  /// Returns true if a sequence of this length has no second half.
  bool is_real(std::size_t length) const { return length <= points; }
  /// Returns true if the results' kernel is not followed by one that wraps.
  bool is_whole() const { return shape.wrap == Wrap::linear || 2 * points == shape.first; }
  /// Returns true if the first half of the results is stored in the caller's memory.
  bool stores_half() const { return !two_rings && is_whole() && shape.result() >= points; }
  std::size_t words_of_result() const { return shape.results == IntegerResults::int128 ? 2 : 1; }
  void enqueue(const cl::CommandQueue& queue, const std::array<cl_mem, 3>& arrays, const Call& call)
      const;
  void test(const cl::Context& context, const cl::Device& device) const;
  /// Returns the copies between a packed sequence and its two planes.
  std::vector<runtime::Copy> copies(cl_mem packed, std::size_t plane, std::size_t count, bool back)
      const;
  /// Returns the two planes from one on.
  api::SecondRing::Planes halves_from(std::size_t plane) const {
    return {planes[plane](), planes[plane + 1]()};
  }
  /// Adds the commands that store the results of one ring.
  void store(std::vector<api::Command> & commands, cl_mem results) const;

  enum Plane : std::size_t { kFirst = 0, kSecond = 2, kResult = 4, kPlanes = 6 };

  IntegerConvolutionShape shape;
  std::size_t points;
  bool two_rings;
  runtime::Target target;
  std::unique_ptr<api::UsedMemory> memory;  ///< the spectrum of the second sequence
  api::Home home;
  /// Zero behind the sequences. Null for halves that fill a plane in the caller's memory, or are
  /// zero.
  std::array<cl::Buffer, kPlanes> planes;
  std::vector<Argument> weights, factors;
  std::unique_ptr<const api::Execution> prepare, run;
  std::unique_ptr<const api::SecondRing> second_ring;  ///< null for one ring
  runtime::StageKernels<Wrap> wrap;
  api::Parts parts;
};

std::vector<runtime::Copy> IntegerConvolution::State::copies(cl_mem packed, std::size_t plane,
                                                             std::size_t count, bool back) const {
  std::vector<runtime::Copy> made;
  for (std::size_t half = 0; half < 2 && half * points < count; ++half) {
    const std::size_t from = half * points, bytes = std::min(points, count - from) * exact::kWord;
    const cl_mem own = planes[plane + half]();
    if (!own) continue;
    made.push_back(back ? runtime::Copy{own, 0, packed, from * exact::kWord, bytes}
                        : runtime::Copy{packed, from * exact::kWord, own, 0, bytes});
  }
  return made;
}

void IntegerConvolution::State::store(std::vector<api::Command>& commands, cl_mem results) const {
  if (!wrap.has(shape.wrap)) {
    for (const auto& part : copies(results, kResult, shape.result(), true))
      commands.emplace_back(part);
    return;
  }
  const kernel::Handmade& code = wrap.code(shape.wrap);
  auto kernel = wrap.own(shape.wrap);
  runtime::Arguments(kernel.get())
      .value(planes[kResult]())
      .value(planes[kResult + 1]())
      .value(results)
      .value(static_cast<cl_ulong>(points))
      .value(static_cast<cl_ulong>(2 * shape.first - 1))
      .value(static_cast<cl_ulong>(shape.first))
      .value(static_cast<cl_long>(shape.wrap == Wrap::cyclic ? 1 : -1));
  commands.emplace_back(wrap.launch(shape.wrap, std::move(kernel),
                                    base::ceil_divide(shape.first, code.items * code.block)));
}

void IntegerConvolution::State::enqueue(const cl::CommandQueue& queue,
                                        const std::array<cl_mem, 3>& arrays,
                                        const Call& call) const {
  const auto own = [&](std::size_t array) { return api::shared<cl::Buffer>(arrays[array]); };
  const auto signal = [&](std::size_t array, std::size_t plane, std::size_t length) {
    if (length == points && !two_rings) return Array(own(array));
    if (is_real(length)) return Array(planes[plane]);
    return Array::planar(planes[plane], planes[plane + 1]);
  };
  std::vector<api::Command> commands;
  for (const auto& [array, plane, count] :
       {std::tuple{0, kFirst, shape.first}, {1, kSecond, shape.second}}) {
    if (second_ring)
      second_ring->reduce(commands, queue, array, arrays[array], count, halves_from(plane));
    else
      for (const auto& part : copies(arrays[array], plane, count, false))
        commands.emplace_back(part);
  }
  if (second_ring) second_ring->convolve(commands, queue);
  const Array spectrum(api::shared<cl::Buffer>(memory->memory()));
  commands.emplace_back(
      api::Run{*prepare, false, signal(1, kSecond, shape.second), spectrum, weights, false});
  const Array halves = stores_half() ? Array::planar(own(2), planes[kResult + 1])
                                     : Array::planar(planes[kResult], planes[kResult + 1]);
  commands.emplace_back(
      api::Run{*run, false, signal(0, kFirst, shape.first), halves, factors, false});
  if (second_ring)
    second_ring->join(commands, halves_from(kResult), arrays[2], shape,
                      is_whole() ? shape.result() : 2 * shape.first - 1);
  else
    store(commands, arrays[2]);
  memory->enqueue(queue, call,
                  [&](const Call& inner) { return api::enqueue(queue, inner, commands); });
}

/// Convolves random residues, and compares the values of the polynomials at a random place. Throws
/// DeviceError if they differ.
void IntegerConvolution::State::test(const cl::Context& context, const cl::Device& device) const {
  std::mt19937_64 random(points);
  const bool linear = shape.wrap == Wrap::linear;
  // In one ring, any residues; in two, a sum that needs both, and is no larger than a result.
  const std::uint64_t terms = std::min(shape.first, shape.second);
  const auto most = static_cast<std::uint64_t>(std::sqrt(kLargestResult / terms));
  const auto sequence = [&](std::size_t count) {
    std::vector<std::int64_t> numbers(count);
    const std::size_t some = linear ? count : (count + 1) / 2;  // nothing wraps
    for (std::size_t i = 0; i < some; ++i)
      numbers[i] = two_rings ? -static_cast<std::int64_t>(random() % most)
                             : static_cast<std::int64_t>(random() >> 3) -
                                   static_cast<std::int64_t>(kLargestInOneRing);
    return numbers;
  };
  const auto first = sequence(shape.first), second = sequence(shape.second);
  std::vector<std::int64_t> result(shape.result() * words_of_result());
  const auto copied = [&](const std::vector<std::int64_t>& numbers) {
    return runtime::allocate_copy(context(), numbers.size() * exact::kWord, numbers.data());
  };
  const auto a = copied(first), b = copied(second),
             c = runtime::allocate(context(), result.size() * exact::kWord);
  const cl::CommandQueue queue(runtime::make_queue(context(), device()).take(), false);
  enqueue(queue, {a.get(), b.get(), c.get()}, {});
  runtime::check(clEnqueueReadBuffer(queue(), c.get(), CL_TRUE, 0, result.size() * exact::kWord,
                                     result.data(), 0, nullptr, nullptr),
                 "clEnqueueReadBuffer");
  const std::uint64_t place = random() >> 4;
  if (exact::value_at(place, result, words_of_result() == 2) !=
      exact::m61::product(exact::value_at(place, first), exact::value_at(place, second)))
    base::wrong_device(device.getInfo<CL_DEVICE_NAME>(),
                       "a convolution of " + std::to_string(shape.first) +
                           " integers modulo 2^61 - 1" + (two_rings ? " and 2^64 - 2^32 + 1" : ""),
                       "use another driver or device; to continue anyway, set "
                       "Options::trust_device");
}

IntegerConvolution::IntegerConvolution(const cl::Context& context, const cl::Device& device,
                                       IntegerConvolutionShape shape, const Options& options) {
  api::check_start(device, options);
  api::check_shape(shape);
  auto state = api::make_owned<const State>(context, device, shape, options);
  if (!options.trust_device) state->test(context, device);
  state_ = std::move(state);
}
IntegerConvolution::~IntegerConvolution() = default;
IntegerConvolution::IntegerConvolution(IntegerConvolution&&) noexcept = default;
IntegerConvolution& IntegerConvolution::operator=(IntegerConvolution&&) noexcept = default;

void IntegerConvolution::apply(const cl::CommandQueue& queue, const cl::Buffer& first,
                               const cl::Buffer& second, const cl::Buffer& result,
                               const Call& call) const {
  const State& state = api::held(state_);
  api::check_queue(queue());
  if (!call.arguments.empty())
    base::invalid("call.arguments", "given", "integer convolutions have none");
  const Array arrays[] = {first, second, result};
  const auto layout = [](std::size_t count) {
    problem::Side side;
    side.lengths = {count}, side.strides = {1};
    side.end = count, side.element_bytes = exact::kWord;
    return side;
  };
  const problem::Side layouts[] = {layout(state.shape.first), layout(state.shape.second),
                                   layout(state.shape.result() * state.words_of_result())};
  const api::Side sides[] = {{"first", arrays[0], 0, layouts[0], true, false},
                             {"second", arrays[1], 0, layouts[1], true, false},
                             {"result", arrays[2], 0, layouts[2], false, true}};
  for (const api::Side& side : sides) api::check_side(state.home, side);
  for (const std::size_t read : {0, 1}) api::check_apart(sides[read], sides[2]);
  state.enqueue(queue, {first(), second(), result()}, call);
}

const IntegerConvolutionShape& IntegerConvolution::shape() const { return api::held(state_).shape; }
std::size_t IntegerConvolution::points() const { return api::held(state_).points; }
std::size_t IntegerConvolution::memory_bytes() const {
  const State& state = api::held(state_);
  const auto kept = [](const cl::Buffer& plane) { return plane() != nullptr; };
  const auto planes = std::count_if(state.planes.begin(), state.planes.end(), kept);
  const bool same = state.weights.front().buffer() == state.factors.front().buffer();
  // The spectrum and lists of weights hold complex numbers.
  return (static_cast<std::size_t>(planes) + (same ? 6 : 8)) * state.points * exact::kWord +
         (state.second_ring ? state.second_ring->memory_bytes() : 0);
}
std::size_t IntegerConvolution::workspace_bytes() const {
  return api::held(state_).parts.workspace_bytes();
}
std::string IntegerConvolution::describe() const { return api::held(state_).parts.describe(); }
std::vector<KernelSource> IntegerConvolution::sources() const {
  return api::held(state_).parts.sources();
}
std::vector<KernelBuild> IntegerConvolution::builds() const {
  return api::held(state_).parts.builds();
}

}  // namespace imago
