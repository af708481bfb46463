// This file compares averaged spectra with means over short-time transforms in f64.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "api/support.hpp"
#include "catalogue/random.hpp"
#include "hooks/short_time_sums.hpp"
#include "hooks/trial.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::test;

namespace {

std::size_t product(const std::vector<std::size_t>& lengths) {
  std::size_t size = 1;
  for (const std::size_t length : lengths) size *= length;
  return size;
}

template <class Real>
std::vector<Real> signal_of(std::size_t size, std::uint64_t seed) {
  catalogue::Random random(seed);
  std::vector<Real> samples(size);
  // Numbers of f32, so that both precisions have the same signal.
  for (Real& sample : samples) sample = static_cast<Real>(static_cast<float>(random.uniform()));
  return samples;
}

/// The spectra whose mean is compared: those of a plan in f64, or sums by the definition.
enum class Spectra { of_plan, by_definition };

/// A description, its signals, and the mean by its definition.
class Means {
 public:
  Means(const WelchTransform& d, Spectra spectra)
      : d_(d), axis_(d.axis.value_or(d.lengths.size() - 1)), spectra_(spectra) {
    complex_ = d.kind == Kind::complex && d.signal.storage != Storage::real;
    frames_ = (d.lengths[axis_] - d.window.size()) / d.hop + 1;
    for (std::size_t i = 0; i < axis_; ++i) outer_ *= d.lengths[i];
    outer_ *= d.batch, inner_ = product(d.lengths) / d.lengths[axis_] * d.batch / outer_;
  }
  std::size_t numbers() const { return (complex_ ? 2 : 1) * d_.batch * product(d_.lengths); }
  std::size_t frames() const { return frames_; }

  std::vector<Complex> mean() const {
    const auto x = spectra(1), y = d_.cross ? spectra(2) : x;
    const std::size_t bins = x.size() / outer_ / frames_ / inner_;
    std::vector<Complex> means(outer_ * inner_ * bins);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t row = i / (inner_ * bins);  // outer index and frame
      means[row / frames_ * inner_ * bins + i % (inner_ * bins)] +=
          std::conj(x[i]) * y[i] / static_cast<double>(frames_);
    }
    return means;
  }

 private:
  std::vector<Complex> spectra(std::uint64_t seed) const {
    const Device& device = default_device();
    const ShortTimeTransform frames{.kind = d_.kind,
                                    .precision = Precision::f64,
                                    .lengths = d_.lengths,
                                    .axis = axis_,
                                    .batch = d_.batch,
                                    .window = d_.window,
                                    .points = d_.points,
                                    .hop = d_.hop,
                                    .before = 0,
                                    .frames = frames_,
                                    .directions = Directions::forward,
                                    .signal = {.storage = d_.signal.storage}};
    const auto samples = signal_of<double>(numbers(), seed);
    if (spectra_ == Spectra::by_definition) {
      std::vector<Complex> x;
      for (std::size_t i = 0; i < samples.size(); i += complex_ ? 2 : 1)
        x.emplace_back(samples[i], complex_ ? samples[i + 1] : 0);
      const auto sums = ShortTimeSums(frames).forward(x);
      return {sums.begin(), sums.end()};
    }
    const ShortTimePlan plan(device.context, device.device, frames);
    const auto signal = device.upload(samples);
    const auto result = device.allocate(plan.spectrum_bytes());
    plan.forward(device.queue, signal, result);
    return device.download<Complex>(result, plan.spectrum_bytes() / sizeof(Complex));
  }

  WelchTransform d_;
  std::size_t axis_, frames_ = 0, outer_ = 1, inner_ = 1;
  bool complex_ = false;
  Spectra spectra_;
};

template <class Real>
void check_in(const WelchTransform& d, const Options& options, Spectra spectra = Spectra::of_plan) {
  const Means means(d, spectra);
  const Device& device = default_device();
  const WelchPlan plan(device.context, device.device, d, options);
  const std::vector<Complex> wanted = means.mean();
  CAPTURE(static_cast<int>(d.kind), sizeof(Real), d.cross, d.lengths, d.window.size(),
          static_cast<int>(options.parameters.mapping));
  CHECK(plan.frames() == means.frames());
  REQUIRE(plan.spectrum_bytes() == wanted.size() * (d.cross ? 2 : 1) * sizeof(Real));
  const auto x = device.upload(signal_of<Real>(means.numbers(), 1));
  const auto y = device.upload(signal_of<Real>(means.numbers(), 2));
  const std::size_t count = wanted.size() * (d.cross ? 2 : 1);
  // The result must not depend on what was in memory.
  const auto result = device.upload(std::vector<Real>(count, Real(NAN)));
  if (d.cross)
    plan.cross(device.queue, x, y, result);
  else
    plan.power(device.queue, x, result);
  const auto found = device.download<Real>(result, count);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    error += d.cross ? std::norm(Complex(found[2 * i], found[2 * i + 1]) - wanted[i])
                     : std::pow(found[i] - wanted[i].real(), 2);
    size += std::norm(wanted[i]);
  }
  CHECK(std::sqrt(error / size) <= (sizeof(Real) == 4 ? 1e-6 : 1e-13));
}

void check(WelchTransform d,
           std::initializer_list<Mapping> mappings = {Mapping::vector, Mapping::work_group}) {
  for (const bool cross : {false, true}) {
    d.cross = cross;
    d.other = d.signal;
    for (const Mapping mapping : mappings) {
      Options options;
      options.parameters.mapping = mapping;
      d.precision = Precision::f32;
      check_in<float>(d, options);
      d.precision = Precision::f64;
      check_in<double>(d, options);
    }
  }
}

}  // namespace

TEST_CASE("Averaged spectra are means over frames", "[welch][long]") {
  check({.lengths = {200}, .window = window_of(32), .hop = 8});
  check({.lengths = {101}, .batch = 3, .window = window_of(20), .points = 32, .hop = 7});
  check({.lengths = {16}, .window = window_of(16), .hop = 100});
  check({.kind = Kind::complex, .lengths = {90}, .window = window_of(16, true), .hop = 5});
  check({.kind = Kind::complex,
         .lengths = {90},
         .batch = 2,
         .window = window_of(16),
         .points = 21,
         .hop = 4,
         .signal = {.storage = Storage::real}});
  check({.lengths = {2, 60, 3}, .axis = 1, .batch = 2, .window = window_of(16), .hop = 4});
}

TEST_CASE("Random averaged spectra on generic kernels", "[welch][random]") {
  over_seeds(300, [](catalogue::Random& random) {
    const auto below = [&](std::uint64_t count) { return std::size_t{random.below(count)}; };
    const std::size_t frame = 2 + below(40);
    WelchTransform d{.lengths = {frame + below(150)}};
    if (below(3) == 0) d.lengths.push_back(1 + below(4));
    d.axis = 0, d.batch = 1 + below(3);
    if (below(4) == 0) d.lengths.insert(d.lengths.begin(), 1 + below(4)), d.axis = 1;
    d.kind = below(2) == 0 ? Kind::real : Kind::complex;
    const bool real = d.kind == Kind::real || below(3) == 0;
    if (real && d.kind == Kind::complex) d.signal.storage = Storage::real;
    d.window = window_of(frame, !real && below(2) == 0);
    d.points = frame + below(3) * below(20), d.hop = 1 + below(2 * frame);
    d.cross = below(2) == 0, d.other = d.signal;
    const bool f64 = below(2) == 0;
    if (f64) d.precision = Precision::f64;
    check_generic(
        WelchPlan(default_device().context, default_device().device, d, on_generic_kernels())
            .describe());
    f64 ? check_in<double>(d, on_generic_kernels(), Spectra::by_definition)
        : check_in<float>(d, on_generic_kernels(), Spectra::by_definition);
  });
}

TEST_CASE("Averaged spectra of many frames are added in groups", "[welch][long]") {
  // More frames than sums: several groups, the last of which is smaller. More than 64 sums are
  // added in two steps.
  check({.lengths = {80000}, .window = window_of(64), .hop = 3}, {Mapping::automatic});
  check({.lengths = {2, 1500, 16}, .axis = 1, .window = window_of(500), .hop = 1},
        {Mapping::automatic});
  check({.lengths = {300}, .batch = 2, .window = window_of(64), .hop = 1}, {Mapping::automatic});
}

TEST_CASE("Averaged spectra have the same bits in each call, and in an out-of-order queue",
          "[welch]") {
  const Device& device = default_device();
  const WelchTransform d{.lengths = {1 << 20}, .window = window_of(64), .hop = 5, .cross = true};
  const WelchPlan plan(device.context, device.device, d);
  CHECK(plan.sum_bytes() < (std::size_t{64} << 20));
  CHECK(plan.sum_bytes() < plan.frames() * plan.bins() * 8);
  const auto x = device.upload(signal_of<float>(1 << 20, 1)),
             y = device.upload(signal_of<float>(1 << 20, 2));
  const cl::CommandQueue queue = device.out_of_order();
  std::vector<std::vector<float>> found;
  for (int i = 0; i < 6; ++i) {
    const auto result = device.allocate(plan.spectrum_bytes());
    cl::Event done;
    plan.cross(i % 2 == 0 ? device.queue : queue, x, y, result, {.event = &done});
    done.wait();
    found.push_back(device.download<float>(result, 2 * plan.bins()));
    CHECK(found.back() == found.front());
  }
}

TEST_CASE("Added products with conjugates are real for equal spectra, on the interpreter",
          "[welch]") {
  const auto check_products = [](Kind kind, Mapping mapping, auto real) {
    using Real = decltype(real);
    CAPTURE(static_cast<int>(kind), static_cast<int>(mapping), sizeof(Real));
    Transform t{.kind = kind, .lengths = {70}, .batch = 5, .directions = Directions::forward};
    t.precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
    const auto signal = signal_of<Real>(kind == Kind::real ? 350 : 700, 1);
    const auto bytes = std::as_bytes(std::span(signal));
    const std::vector<std::byte> x(bytes.begin(), bytes.end());
    const auto spectra = interpreted(t, mapping, x, {});
    t.on_forward.store = {hook::multiply("k", {.batched = true, .conjugate = true}),
                          hook::accumulate()};
    const auto products = interpreted(t, mapping, x, {spectra});
    std::vector<Real> found(products.size() / sizeof(Real));
    std::memcpy(found.data(), products.data(), products.size());
    REQUIRE(found.size() > 100);
    for (std::size_t i = 0; i < found.size(); i += 2) {
      REQUIRE(found[i] > 0);
      REQUIRE(found[i + 1] == 0);
    }
  };
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const Kind kind : {Kind::complex, Kind::real}) {
      check_products(kind, mapping, float{});
      check_products(kind, mapping, double{});
    }
  }
}

TEST_CASE("The averaged cross spectrum of a signal with itself is real", "[welch][long]") {
  const Device& device = default_device();
  const auto imaginary_parts = [&](WelchTransform d, auto real, const Options& options) {
    using Real = decltype(real);
    d.cross = true;
    d.precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
    const WelchPlan plan(device.context, device.device, d, options);
    const auto x = device.upload(signal_of<Real>(plan.signal_bytes() / sizeof(Real), 1));
    const auto result = device.allocate(plan.spectrum_bytes());
    plan.cross(device.queue, x, x, result);
    const auto found =
        device.download<std::complex<Real>>(result, plan.spectrum_bytes() / (2 * sizeof(Real)));
    return std::count_if(found.begin(), found.end(), [](auto z) { return z.imag() != 0; });
  };
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    CAPTURE(mapping);
    Options options;
    options.parameters.mapping = mapping;
    const WelchTransform d{.lengths = {400}, .window = window_of(30), .hop = 7};
    CHECK(imaginary_parts(d, float{}, options) == 0);
    CHECK(imaginary_parts(d, double{}, options) == 0);
    options.f64 = F64::pairs;
    CHECK(imaginary_parts(d, double{}, options) == 0);
  }
  CHECK(imaginary_parts(
            {.kind = Kind::complex, .lengths = {3, 200}, .window = window_of(16, true), .hop = 5},
            float{}, {}) == 0);
}

TEST_CASE("Averaged spectra of strided arrays, of signals that repeat, and strided results",
          "[welch]") {
  const Device& device = default_device();
  WelchTransform d{.lengths = {3, 70}, .window = window_of(16), .hop = 6, .cross = true};
  const auto x = signal_of<float>(210, 1), y = signal_of<float>(70, 2);
  std::vector<float> repeated;
  for (int i = 0; i < 3; ++i) repeated.insert(repeated.end(), y.begin(), y.end());
  const WelchPlan plain(device.context, device.device, d);
  const auto wanted = device.allocate(plain.spectrum_bytes());
  plain.cross(device.queue, device.upload(x), device.upload(repeated), wanted);
  std::vector<float> turned(5 + 3 * 70, 7.f);
  for (std::size_t i = 0; i < 210; ++i) turned[5 + i % 70 * 3 + i / 70] = x[i];
  d.signal = {.strides = {1, 3}, .offset = 2};
  d.other = {.strides = {0, 1}};
  d.spectrum = {.strides = {1, 4}, .offset = 1};
  const WelchPlan plan(device.context, device.device, d);
  CHECK(plan.other_bytes() == 70 * sizeof(float));
  const auto result = device.upload(std::vector<std::complex<float>>(1 + 9 * 4, 7.f));
  plan.cross(device.queue, {device.upload(turned), 3}, device.upload(y), result);
  const auto found = device.download<std::complex<float>>(result, 1 + 9 * 4),
             expected = device.download<std::complex<float>>(wanted, 27);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 9; ++k) CHECK(found[1 + i + 4 * k] == expected[9 * i + k]);
  }
  CHECK(found[0] == 7.f);
  CHECK(found[4] == 7.f);
}

TEST_CASE("Hooks of averaged spectra, and the number of a frame", "[welch]") {
  const Device& device = default_device();
  // 16-bit samples, and only frames from number 90000 on.
  constexpr std::size_t kSamples = 500000, kFirst = 90000;
  const std::string text =
      "float2 late(float2 x, const imago_at* at, int first_frame) {\n"
      "  return at->index[0] + first_frame < 90000 ? (float2)(0) : x;\n}\n";
  const Hook late = hook::code(text, "late", {{hook::Parameter::Type::integer, "first_frame"}});
  WelchTransform d{.lengths = {kSamples}, .window = window_of(32), .hop = 4};
  d.on_forward = {.load = {hook::from_integer(Integer::i16, 1.0 / 1024)}, .store = {late}};
  const WelchPlan plan(device.context, device.device, d);
  std::vector<cl_short> shorts;
  std::vector<float> floats;
  for (const float sample : signal_of<float>(kSamples, 1)) {
    shorts.push_back(static_cast<cl_short>(1024 * sample));
    floats.push_back(static_cast<float>(shorts.back()) / 1024);
  }
  const auto found = device.allocate(plan.spectrum_bytes());
  plan.power(device.queue, device.upload(shorts), found);
  const WelchPlan rest(device.context, device.device,
                       {.lengths = {kSamples - 4 * kFirst}, .window = window_of(32), .hop = 4});
  const auto wanted = device.allocate(rest.spectrum_bytes());
  rest.power(device.queue, {device.upload(floats), 4 * kFirst}, wanted);
  const auto mean = device.download<float>(found, 17),
             late_mean = device.download<float>(wanted, 17);
  const double share = static_cast<double>(rest.frames()) / static_cast<double>(plan.frames());
  for (std::size_t k = 0; k < 17; ++k) CHECK(mean[k] == Approx(share * late_mean[k]).epsilon(1e-5));
  CHECK_THROWS_WITH(
      plan.power(device.queue, device.upload(shorts), found, {.arguments = {{"gain", 2.0}}}),
      ContainsSubstring("no hook of this direction has this argument"));
}

TEST_CASE("Averaged spectra reject what is not allowed", "[welch]") {
  const Device& device = default_device();
  const auto refuses = [&](const WelchTransform& d, const std::string& text) {
    CHECK_THROWS_WITH(WelchPlan(device.context, device.device, d), ContainsSubstring(text));
  };
  const auto window = window_of(16);
  refuses({.lengths = {15}, .window = window, .hop = 1}, "use a shorter window");
  refuses({.lengths = {64}, .window = window}, "hop is 0");
  refuses({.lengths = {64}, .window = {}, .hop = 1}, "the size of window is 0");
  refuses({.lengths = {64}, .window = window_of(16, true), .hop = 1}, "window is complex");
  refuses({.lengths = {64}, .window = window, .points = 8, .hop = 1}, "points is 8");
  const WelchPlan plan(device.context, device.device,
                       {.lengths = {64}, .window = window, .hop = 8});
  const auto signal = device.upload(signal_of<float>(64, 1));
  const auto result = device.allocate(plan.spectrum_bytes());
  CHECK_THROWS_WITH(plan.cross(device.queue, signal, signal, result),
                    ContainsSubstring("call power(), with one signal"));
  CHECK_THROWS_WITH(plan.power(device.queue, signal, device.allocate(8)),
                    ContainsSubstring("spectrum"));
  const WelchPlan two(device.context, device.device,
                      {.lengths = {64}, .window = window, .hop = 8, .cross = true});
  CHECK_THROWS_WITH(two.power(device.queue, signal, result),
                    ContainsSubstring("call cross(), with two signals"));
}
