// This file checks sparse plans with invalid arguments, buffers and signals.
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <imago/imago.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/message.hpp"

namespace imago {
namespace {

using Complex = std::complex<float>;
constexpr std::size_t kLength = 1 << 14;

SparseTransform wish(SparseMethod method = SparseMethod::phase) {
  SparseTransform t;
  t.length = kLength;
  t.sparsity = 10;
  t.method = method;
  return t;
}

SparsePlan make_plan(const SparseTransform& t) {
  return {test::default_device().context, test::default_device().device, t};
}

SparseSpectrum solve(const SparseTransform& t, const std::vector<Complex>& signal) {
  const auto& device = test::default_device();
  return make_plan(t).forward(device.queue, device.upload(signal));
}

TEST_CASE("A method that does not fit the length is refused", "[sparse]") {
  auto t = wish();
  t.length = 1000;
  CHECK_THROWS_AS(make_plan(t), Unsupported);
  t.method = SparseMethod::automatic;
  CHECK_THAT(make_plan(t).describe(), test::ContainsSubstring("dense"));
  t.allow_dense = false;
  CHECK_THROWS_AS(make_plan(t), Unsupported);
}

// tests/nufft_device/work_groups.sh runs it on a device with small work-groups.
TEST_CASE("Small work-groups are refused", "[.][sparse_small_groups]") {
  CHECK_THAT(test::message_of([] { make_plan(wish()); }),
             test::ContainsSubstring("has no work-groups of 256 work-items, which sparse") &&
                 test::ContainsSubstring("use another device"));
  CHECK_THROWS_AS(make_plan(wish()), Unsupported);
}

TEST_CASE("A buffer that is too short is refused before anything runs", "[sparse]") {
  const auto& device = test::default_device();
  const auto plan = make_plan(wish());
  const auto buffer = device.allocate(plan.signal_bytes() - 1);
  CHECK_THROWS_AS(plan.forward(device.queue, buffer), InvalidArgument);
  const auto exact = device.upload(std::vector<Complex>(kLength));
  CHECK_THROWS_AS(plan.forward(device.queue, {exact, 1}), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(cl::CommandQueue(), exact), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(device.queue, cl::Buffer()), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(device.queue, exact, {.waits = {cl::Event()}}), InvalidArgument);
  CHECK_NOTHROW(plan.forward(device.queue, exact));
}

TEST_CASE("A signal of zeros has no coefficients", "[sparse]") {
  for (const auto method : {SparseMethod::phase, SparseMethod::voting, SparseMethod::dense}) {
    const auto answer = solve(wish(method), std::vector<Complex>(kLength));
    CHECK(answer.indices.empty());
    CHECK(answer.residual == 0);
    // If all read samples were zero, nothing is known about the others.
    const bool all = method == SparseMethod::dense;
    CHECK(answer.verdict == (all ? Verdict::verified : Verdict::consistent));
    CHECK(std::isfinite(answer.floor) == all);
    CHECK(answer.floor > 0);
    CHECK((answer.unseen > 0) != all);
  }
}

TEST_CASE("A constant is one coefficient", "[sparse]") {
  for (const auto method : {SparseMethod::phase, SparseMethod::voting, SparseMethod::dense}) {
    const auto answer = solve(wish(method), std::vector<Complex>(kLength, 2));
    CHECK(answer.indices == std::vector<std::uint64_t>{0});
    REQUIRE(answer.values.size() == 1);
    CHECK(std::abs(answer.values[0] - 2.0 * kLength) < 1e-2);
    CHECK(answer.verdict ==
          (method == SparseMethod::dense ? Verdict::verified : Verdict::consistent));
  }
}

TEST_CASE("Signals with infinities or NaNs are unverified", "[sparse]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float wrong : {nan, std::numeric_limits<float>::infinity()}) {
    for (const auto method : {SparseMethod::phase, SparseMethod::voting, SparseMethod::dense}) {
      std::vector<Complex> signal(kLength, 1);
      for (std::size_t i = 0; i < kLength; i += 16) signal[i] = wrong;
      CHECK(solve(wish(method), signal).verdict == Verdict::unverified);
      CHECK(solve(wish(method), std::vector<Complex>(kLength, wrong)).verdict ==
            Verdict::unverified);
    }
    std::vector<Complex> signal(kLength, 1);
    signal[1234] = wrong;  // the dense transform sees every sample
    CHECK(solve(wish(SparseMethod::dense), signal).verdict == Verdict::unverified);
  }
}

TEST_CASE("Tiny and huge signals are not mistaken for zeros", "[sparse]") {
  for (const float size : {1e-25f, 1e25f}) {
    const auto answer = solve(wish(), std::vector<Complex>(kLength, size));
    CHECK(answer.used == SparseMethod::dense);
    CHECK(answer.indices == std::vector<std::uint64_t>{0});
  }
}

TEST_CASE("The largest numbers of single precision are not lost", "[sparse]") {
  constexpr float kSize = 3.3e38f / kLength;  // |X| in the last bin of the magnitudes
  const auto answer = solve(wish(SparseMethod::dense), std::vector<Complex>(kLength, kSize));
  CHECK(answer.indices == std::vector<std::uint64_t>{0});
  CHECK(answer.verdict == Verdict::verified);
}

TEST_CASE("Doubles below single precision are not taken for zeros", "[sparse][long]") {
  const auto& device = test::default_device();
  if (!device.f64()) return;
  std::mt19937_64 random(1);
  std::normal_distribution<double> gauss(0, 1e-50);
  std::vector<std::complex<double>> noise(kLength);
  for (auto& x : noise) x = {gauss(random), gauss(random)};
  const auto buffer = device.upload(noise);
  for (const auto method : {SparseMethod::phase, SparseMethod::voting, SparseMethod::dense}) {
    auto t = wish(method);
    t.precision = Precision::f64;
    t.allow_dense = method == SparseMethod::dense;
    const auto answer = make_plan(t).forward(device.queue, buffer);
    // The dense method may list every coefficient.
    CHECK((answer.verdict != Verdict::verified || answer.indices.size() == kLength));
    CHECK(answer.verdict != Verdict::consistent);
  }
}

/// Returns a tone of 77 periods, of a complex or a real signal.
template <class Real>
std::vector<Real> tone(double amplitude, bool real) {
  std::vector<Real> signal;
  for (std::size_t i = 0; i < kLength; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(77 * i % kLength) / kLength;
    signal.push_back(static_cast<Real>(amplitude * std::cos(angle)));
    if (!real) signal.push_back(static_cast<Real>(amplitude * std::sin(angle)));
  }
  return signal;
}

template <class Real>
void check_tone(double amplitude) {
  const auto& device = test::default_device();
  for (const bool real : {false, true}) {
    CAPTURE(amplitude, real);
    auto t = wish(SparseMethod::automatic);
    t.kind = real ? Kind::real : Kind::complex;
    t.precision = sizeof(Real) == 8 ? Precision::f64 : Precision::f32;
    const auto answer =
        make_plan(t).forward(device.queue, device.upload(tone<Real>(amplitude, real)));
    CHECK(answer.verdict == Verdict::verified);
    CHECK(answer.residual < 1e-6);
    REQUIRE(answer.indices == std::vector<std::uint64_t>{77});
    const double size = real ? kLength / 2.0 : kLength;
    CHECK(std::abs(answer.values[0] / amplitude / size - 1.0) < 1e-6);
    CHECK(std::abs(answer.values[0] - amplitude * size) <= answer.floor);
    CHECK(answer.floor < 1e-4 * amplitude * size);
    const auto tones = sparse_tones(answer, t);
    REQUIRE(tones.size() == 1);
    CHECK(tones[0].frequency == 77);
    CHECK(std::abs(tones[0].amplitude / amplitude * (real ? 2.0 : 1.0) - 1.0) < 1e-6);
  }
}

TEST_CASE("Signals of any size have their tones", "[sparse]") {
  for (const double amplitude : {1e-30, 1e30}) check_tone<float>(amplitude);
  if (!test::default_device().f64()) return;
  for (const double amplitude : {1e-300, 1e-100, 1e-44, 1e44, 1e100, 1e300})
    check_tone<double>(amplitude);
}

TEST_CASE("Denormals are as coarse as the answer says", "[sparse]") {
  constexpr float kSize = 1e-41f;
  const auto numbers = tone<float>(double{kSize}, false);
  const auto& device = test::default_device();
  const auto answer =
      make_plan(wish(SparseMethod::dense)).forward(device.queue, device.upload(numbers));
  if (answer.indices.empty()) return;  // the device has no denormals
  CHECK(answer.indices == std::vector<std::uint64_t>{77});
  CHECK(answer.residual > 5.9e-5);  // samples are multiples of 2^-149
  CHECK(answer.residual < 1e-3);
}

TEST_CASE("Queues of either order, offsets and events give the same answer", "[sparse]") {
  const auto& device = test::default_device();
  std::vector<Complex> signal(kLength + 5);
  for (std::size_t i = 0; i < kLength; ++i)
    signal[i + 5] =
        std::polar(1.0f, 2 * 3.14159265358979f * static_cast<float>(i * 33 % kLength) / kLength);
  const auto buffer = device.upload(signal);
  const auto plan = make_plan(wish());
  const auto queue = device.out_of_order();
  cl::Event before;
  queue.enqueueMarkerWithWaitList(nullptr, &before);
  const auto answer = plan.forward(queue, {buffer, 5}, {.waits = {before}});
  CHECK(answer.indices == std::vector<std::uint64_t>{33});
  CHECK(answer.verdict == Verdict::consistent);
  CHECK(plan.forward(device.queue, {buffer, 5}).indices == answer.indices);
  CHECK(plan.forward(device.queue, {buffer, 5}, {.seed = 99}).indices == answer.indices);
}

TEST_CASE("A failed event is no answer", "[sparse]") {
  const auto& device = test::default_device();
  const auto buffer = device.upload(std::vector<Complex>(kLength, 1.0f));
  const auto plan = make_plan(wish());
  for (const auto& queue : {device.make_queue(), device.out_of_order()}) {
    cl::UserEvent gate(device.context);
    gate.setStatus(-5);
    CHECK_THROWS_AS(plan.forward(queue, buffer, {.waits = {gate}}), DeviceError);
    CHECK(plan.forward(queue, buffer).indices == std::vector<std::uint64_t>{0});
  }
}

}  // namespace
}  // namespace imago
