// This file tests frames of a longer signal: overlapping frames that are read, and blocks that are
// written.
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include <imago/imago.hpp>

#include "api/support.hpp"
#include "hooks/trial.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "problem/reference.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"

using namespace imago;
using namespace imago::test;

namespace {

/// The samples of a signal and its division into frames.
struct Cutting {
  std::size_t samples, frames, points, hop, before;
};

std::vector<std::byte> bytes_of(const std::vector<float>& numbers) {
  const auto bytes = std::as_bytes(std::span(numbers));
  return {bytes.begin(), bytes.end()};
}

std::vector<float> numbers_of(const std::vector<std::byte>& bytes) {
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

std::vector<float> random_signal(std::size_t count) {
  std::vector<float> signal;
  for (const Complex& value : numbers(count, 8, true))
    signal.push_back(static_cast<float>(value.real()));
  return signal;
}

void read_frames(const Cutting& c, Mapping mapping) {
  Transform t;
  t.axes = {Kind::identity, Kind::real}, t.lengths = {c.frames, c.points}, t.batch = 2;
  t.directions = Directions::forward;
  t.signal = {.strides = {c.hop, 1}, .distance = c.samples};
  t.on_forward.load = {hook::frames(0, 1, c.hop, c.before, c.samples), hook::scale(2)};
  CHECK(problem::make_problem(t).bytes(false) == 2 * c.samples * sizeof(float));
  const auto signal = random_signal(2 * c.samples);
  const auto found = numbers_of(interpreted(t, mapping, bytes_of(signal), {}));
  const std::size_t half = c.points / 2 + 1;
  double worst = 0;
  for (std::size_t i = 0; i < 2 * c.frames; ++i) {
    std::vector<Complex> frame(c.points);
    for (std::size_t j = 0; j < c.points; ++j) {
      const std::size_t at = i % c.frames * c.hop + j;
      if (at >= c.before && at < c.before + c.samples)
        frame[j] = 2.0 * signal[i / c.frames * c.samples + at - c.before];
    }
    const auto wanted = problem::reference(Kind::real, {c.points}, frame);
    for (std::size_t k = 0; k < half; ++k) {
      const std::size_t place = 2 * (i * half + k);
      worst = test::larger(worst, std::abs(Complex(found[place], found[place + 1]) - wanted[k]));
    }
  }
  CHECK(worst < 1e-4);
}

}  // namespace

TEST_CASE("Frames overlap, begin before the signal and end behind it") {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const Cutting& c : {Cutting{1000, 9, 64, 16, 32}, Cutting{100, 30, 16, 4, 7},
                             Cutting{37, 3, 60, 20, 11}, Cutting{50, 4, 32, 40, 0}}) {
      CAPTURE(static_cast<int>(mapping), c.samples, c.points);
      read_frames(c, mapping);
    }
  }
}

TEST_CASE("Frames that are written are blocks of a signal") {
  Transform t;
  t.axes = {Kind::identity, Kind::complex}, t.lengths = {4, 16};
  t.directions = Directions::forward, t.norm = Norm::none;
  t.signal.storage = t.spectrum.storage = Storage::real;
  t.spectrum.strides = {10, 1};
  t.on_forward.store = {hook::zero_outside(1, 0, 10), hook::frames(0, 1, 10, 3, 33)};
  const auto signal = random_signal(64);
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    const auto found = numbers_of(interpreted(t, mapping, bytes_of(signal), {}));
    REQUIRE(found.size() == 33);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t block = (i + 3) / 10, k = (i + 3) % 10;
      const std::vector<Complex> row(signal.begin() + 16 * block,
                                     signal.begin() + 16 * (block + 1));
      CHECK(std::abs(found[i] - problem::reference(Kind::complex, {16}, row)[k].real()) < 1e-5);
    }
  }
}

TEST_CASE("A call moves frames that are read, and frames that are written", "[long]") {
  const Device& device = default_device();
  Transform read;
  read.axes = {Kind::identity, Kind::real}, read.lengths = {5, 16}, read.batch = 2;
  read.signal = {.strides = {12, 1}, .distance = 70};
  read.directions = Directions::forward;
  Transform written = read;
  written.directions = Directions::inverse;
  const auto from = device.upload(random_signal(2 * 5 * 18)), to = device.allocate(2 * 5 * 18 * 4);
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    const auto results = [&](std::size_t before, const char* name, double later) {
      const hook::Frames frames{0, 1, 12, before, 70, name};
      read.on_forward.load = {frames};
      written.on_inverse.store = {hook::zero_outside(1, 0, 12), frames};
      Call call;
      if (*name) call.arguments.emplace_back(name, later);
      Plan(device.context, device.device, read, options).forward(device.queue, from, to, call);
      auto numbers = device.download<float>(to, 2 * 5 * 18);
      const auto signal = device.upload(std::vector<float>(140, 7.f));
      Plan(device.context, device.device, written, options)
          .inverse(device.queue, from, signal, call);
      for (const float sample : device.download<float>(signal, 140)) numbers.push_back(sample);
      return numbers;
    };
    for (const int later : {-9, 0, 4, 11}) {
      CAPTURE(static_cast<int>(mapping), later);
      CHECK(results(11, "later", later) == results(static_cast<std::size_t>(11 - later), "", 0));
    }
  }
}

TEST_CASE("Frames that are written begin anywhere, also between the numbers of a pair", "[long]") {
  constexpr std::size_t kFrames = 5, kPoints = 16, kKept = 12, kGuard = 3;
  const Device& device = default_device();
  Transform t;
  t.axes = {Kind::identity, Kind::real}, t.lengths = {kFrames, kPoints};
  t.directions = Directions::inverse, t.norm = Norm::none;
  const auto spectra = device.upload(random_signal(kFrames * (kPoints + 2)));
  struct Case {
    std::size_t hop, before, samples, unit;
    int later;
  };
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    t.signal = {}, t.on_inverse.store = {};
    const auto packed = device.allocate(kFrames * kPoints * sizeof(float));
    Plan(device.context, device.device, t, options).inverse(device.queue, spectra, packed);
    const auto rows = device.download<float>(packed, kFrames * kPoints);
    for (const Case& c : {Case{12, 6, 50, 2, 1}, Case{12, 6, 50, 2, -1}, Case{12, 6, 50, 1, 1},
                          Case{12, 6, 50, 3, -1}, Case{12, 7, 50, 2, 0}, Case{12, 6, 51, 2, 0},
                          Case{13, 6, 50, 2, 0}, Case{16, 4, 48, 4, 1}, Case{16, 4, 48, 2, 1}}) {
      t.signal.strides = {c.hop, 1};
      t.on_inverse.store = {hook::zero_outside(1, 0, kKept), hook::scale(2),
                            hook::Frames{0, 1, c.hop, c.before, c.samples, "later", c.unit}};
      const Plan plan(device.context, device.device, t, options);
      std::vector<float> wanted(c.samples + 2 * kGuard, 7.f);
      for (std::size_t i = 0; i < kFrames * kKept; ++i) {
        const auto sample = static_cast<int>(i / kKept * c.hop + i % kKept) -
                            static_cast<int>(c.before) + static_cast<int>(c.unit) * c.later;
        if (sample >= 0 && sample < static_cast<int>(c.samples))
          wanted[kGuard + static_cast<std::size_t>(sample)] =
              2 * rows[i / kKept * kPoints + i % kKept];
      }
      CAPTURE(static_cast<int>(mapping), c.hop, c.before, c.samples, c.unit, c.later);
      const auto signal = device.upload(std::vector<float>(wanted.size(), 7.f));
      Call call;
      call.arguments.emplace_back("later", c.later);
      plan.inverse(device.queue, spectra, {signal, kGuard}, call);
      CHECK(device.download<float>(signal, wanted.size()) == wanted);
    }
  }
}

TEST_CASE("Bad frames") {
  Transform t;
  t.axes = {Kind::identity, Kind::real}, t.lengths = {9, 64};
  t.directions = Directions::forward;
  const auto refused = [&](const char* why) {
    CHECK_THROWS_WITH(problem::make_problem(t), ContainsSubstring(why));
  };
  t.on_forward.load = {hook::frames(0, 1, 16, 0, 1000)};
  refused("signal.strides");
  t.signal.strides = {15, 1};
  refused("signal.strides");
  t.signal.strides = {16, 1};
  CHECK_NOTHROW(problem::make_problem(t));
  t.on_forward.load = {hook::frames(0, 2, 16, 0, 1000)};
  refused("on_forward.load[0].axis");
  t.on_forward.load = {hook::frames(1, 1, 16, 0, 1000)};
  refused("on_forward.load[0].axis");
  t.on_forward.load = {hook::frames(0, 1, 0, 0, 1000)};
  refused("on_forward.load[0].hop");
  t.on_forward.load = {hook::frames(0, 1, 16, 0, 0)};
  refused("on_forward.load[0].samples");
  t.on_forward.load = {hook::Frames{0, 1, 16, 0, 1000, "later", 0}};
  refused("on_forward.load[0].unit");
  t.on_forward.load = {hook::shift({1}), hook::frames(0, 1, 16, 0, 1000)};
  refused("on_forward.load[1]");
  t.on_forward.load = {hook::frames(0, 1, 16, 0, 1000), hook::frames(0, 1, 16, 0, 1000)};
  refused("on_forward.load[1]");
  t.on_forward.load = {};
  t.spectrum.strides = {16, 1};
  t.on_forward.store = {hook::frames(0, 1, 16, 0, 1000)};
  refused("must not overlap");
  t.on_forward.store = {hook::zero_outside(1, 0, 16), hook::frames(0, 1, 16, 0, 140),
                        hook::shift({1})};
  refused("on_forward.store[2]");
}

TEST_CASE("Bad filters") {
  FilterShape t{.lengths = {16}};
  const auto refused = [&](const char* why) {
    CHECK_THROWS_WITH(problem::make_problem(t), ContainsSubstring(why));
  };
  t.spectrum = {hook::multiply("h")};
  CHECK_NOTHROW(problem::make_problem(t));
  for (const Hook& hook : {hook::power(), hook::shift({0}), hook::roll(0, 1),
                           hook::from_integer(Integer::i8), hook::frames(0, 1, 1, 0, 1)}) {
    t.spectrum = {hook};
    refused("spectrum[0]");
  }
  t.spectrum = {hook::multiply("h", {.axes = std::vector<std::size_t>{1}})};
  refused("spectrum[0].axes[0]");
  t.spectrum = {hook::multiply("h")};
  t.kind = Kind::dct2;
  refused("kind");
  t.kind = Kind::complex;
  t.ends.load = {hook::window(0, "h")};
  refused("another type");
  t.ends.load = {hook::power()};
  refused("ends.load[0]");
  t.ends.load = {};
  t.result.strides = {0};
  refused("result.strides[0]");
  t.placement = Placement::in_place, t.result.strides = {2};
  refused("result.strides[0]");
}

TEST_CASE("Bad layouts of real parts") {
  Transform t{.kind = Kind::real, .lengths = {16}};
  t.signal.storage = Storage::real;
  CHECK_THROWS_WITH(problem::make_problem(t), ContainsSubstring("signal.storage"));
  t.kind = Kind::complex, t.placement = Placement::in_place;
  CHECK_THROWS_WITH(problem::make_problem(t), ContainsSubstring("spectrum.storage"));
}
