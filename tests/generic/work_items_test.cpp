// This file tests the generic kernels of GPUs, whose lanes are work-items, on the default device.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "engine/proof.hpp"
#include "problem/reference.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;

namespace {

std::vector<double> numbers_of(const std::vector<std::complex<double>>& values, bool real) {
  std::vector<double> numbers;
  for (const auto& value : values) {
    numbers.push_back(value.real());
    if (!real) numbers.push_back(value.imag());
  }
  return numbers;
}

/// Returns numbers without any symmetry.
std::vector<float> signal_of(std::size_t count) {
  std::vector<float> signal(count);
  for (std::size_t i = 0; i < count; ++i)
    signal[i] = static_cast<float>(std::sin(1.0 + 0.7 * static_cast<double>(i * i % 1009)));
  return signal;
}

std::vector<double> expected_of(const Transform& transform, const std::vector<float>& signal) {
  const bool reals = transform.kind != Kind::complex;
  const std::size_t each = signal.size() / transform.batch / (reals ? 1 : 2);
  std::vector<double> expected;
  for (std::size_t member = 0; member < transform.batch; ++member) {
    std::vector<std::complex<double>> x(each);
    for (std::size_t i = 0; i < each; ++i) {
      const std::size_t at = member * each + i;
      x[i] = reals ? std::complex<double>(signal[at])
                   : std::complex<double>(signal[2 * at], signal[2 * at + 1]);
    }
    const auto spectrum = problem::reference(transform.kind, transform.lengths, std::move(x));
    const auto part = numbers_of(spectrum, reals && transform.kind != Kind::real);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  return expected;
}

std::vector<double> computed_by(const engine::Engine& engine, const std::vector<float>& signal) {
  const auto& device = test::default_device();
  const cl_context context = device.context();
  const std::size_t bytes = engine.blueprint.problem.spectrum.bytes();
  const auto in = runtime::allocate_copy(context, signal.size() * sizeof(float), signal.data());
  const auto out = runtime::allocate_zeros(context, bytes);
  const auto scratch = runtime::allocate(context, std::max<std::size_t>(engine.scratch_bytes(), 1));
  engine.forward->enqueue({.queue = device.queue(),
                           .input = {in.get(), nullptr, 0},
                           .output = {out.get(), nullptr, 0},
                           .scratch = {scratch.get(), nullptr},
                           .waits = {},
                           .hooks = {},
                           .sizes = {}});
  std::vector<float> spectrum(bytes / sizeof(float));
  runtime::check(clEnqueueReadBuffer(device.queue(), out.get(), CL_TRUE, 0, bytes, spectrum.data(),
                                     0, nullptr, nullptr),
                 "clEnqueueReadBuffer");
  return {spectrum.begin(), spectrum.end()};
}

}  // namespace

TEST_CASE("generic kernels of work-items compute as the definitions") {
  const auto& device = test::default_device();
  auto facts = runtime::reported_facts(device.device());
  facts.type = device::Type::gpu;
  const auto target = engine::make_target(device.context(), device.device());
  const auto kind = GENERATE(Kind::complex, Kind::real, Kind::dct1, Kind::dct2, Kind::dct3,
                             Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4);
  // Lines of one launch and of several, with and without convolutions and large primes.
  std::vector<std::vector<std::size_t>> shapes{{2},  {3},  {7},      {64},     {120},
                                               {37}, {31}, {24, 10}, {22, 17}, {5, 6, 7}};
  if (kind == Kind::complex || kind == Kind::real)
    shapes.insert(shapes.end(), {{1000}, {2100}, {2311}, {899}, {4199}, {5141}, {15432}, {11111}});
  else
    shapes.insert(shapes.end(), {{1200}, {3084}, {3859}});
  for (const auto& lengths : shapes) {
    for (const std::size_t batch : {std::size_t{1}, std::size_t{35}}) {
      if (batch > 1 && lengths[0] > 120) continue;
      Transform transform;
      transform.kind = kind, transform.lengths = lengths, transform.batch = batch;
      transform.directions = Directions::forward;
      const auto engine = engine::make_generic_engine(target, facts, transform, {});
      REQUIRE(engine.blueprint.forward->program.steps[0].work_group_size() > 1);
      const auto& problem = engine.blueprint.problem;
      const auto signal = signal_of(problem.signal.bytes() / sizeof(float));
      const auto computed = computed_by(engine, signal);
      INFO("kind " << static_cast<int>(kind) << ", " << lengths[0] << " and " << lengths.size() - 1
                   << " more, batch " << batch);
      CHECK_FALSE(engine::wrong(computed, expected_of(transform, signal), Precision::f32, batch));
      if (kind != Kind::real || lengths.size() > 1) continue;
      const std::size_t row = computed.size() / batch;
      for (std::size_t first = 0; first < computed.size(); first += row) {
        REQUIRE(computed[first + 1] == 0);
        if (lengths[0] % 2 == 0) REQUIRE(computed[first + row - 1] == 0);
      }
    }
  }
}

TEST_CASE("generic kernels compute exact zeros from constants") {
  const auto& device = test::default_device();
  auto facts = runtime::reported_facts(device.device());
  if (GENERATE(false, true)) facts.type = device::Type::gpu;
  const auto target = engine::make_target(device.context(), device.device());
  for (const std::size_t length : {11, 13, 17, 19, 23, 899, 341, 840}) {
    Transform transform;
    transform.lengths = {length}, transform.batch = 9, transform.directions = Directions::forward;
    const auto engine = engine::make_generic_engine(target, facts, transform, {});
    std::vector<float> signal(2 * length * transform.batch);
    for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = i % 2 == 0 ? 0.7f : -0.3f;
    const auto spectrum = computed_by(engine, signal);
    const auto zeros = std::count(spectrum.begin(), spectrum.end(), 0.0);
    INFO(length);
    CHECK(static_cast<std::size_t>(zeros) == signal.size() - 2 * transform.batch);
  }
}
