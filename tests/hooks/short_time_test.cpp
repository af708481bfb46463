// This file compares short-time Fourier transforms with sums over frames, and their inverse with an
// overlap-add of frames.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <initializer_list>
#include <numbers>
#include <vector>

#include <imago/imago.hpp>

#include "api/support.hpp"
#include "catalogue/errors.hpp"
#include "catalogue/host_memory.hpp"
#include "catalogue/random.hpp"
#include "hooks/short_time_sums.hpp"
#include "hooks/trial.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::test;

namespace {

template <class Real>
std::vector<Real> flat(const std::vector<Complex>& values, bool real) {
  std::vector<Real> numbers;
  for (const Complex& value : values) {
    numbers.push_back(static_cast<Real>(value.real()));
    if (!real) numbers.push_back(static_cast<Real>(value.imag()));
  }
  return numbers;
}
template <class Real>
std::vector<Complex> paired(const std::vector<Real>& numbers, bool real) {
  std::vector<Complex> values;
  for (std::size_t i = 0; i < numbers.size(); i += real ? 1 : 2)
    values.emplace_back(numbers[i], real ? Real(0) : numbers[i + 1]);
  return values;
}

double error_of(const std::vector<Complex>& found, const std::vector<Wide>& wanted) {
  if (found.size() != wanted.size()) return INFINITY;
  catalogue::Errors errors;
  long double error = 0, size = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    error += std::norm(Wide(found[i]) - wanted[i]), size += std::norm(wanted[i]);
  errors.add(error, size);
  return errors.worst().error;
}

template <class Real>
void check_in(const Device& device, const ShortTimeSums& sums, const Options& options) {
  const ShortTimePlan plan(device.context, device.device, sums.d, options);
  CAPTURE(sums.n, sums.points, sums.d.hop, sums.before, sums.frames, static_cast<int>(sums.d.kind),
          sizeof(Real), static_cast<int>(sums.d.border),
          static_cast<int>(options.parameters.mapping));
  CHECK(plan.frames() == sums.frames);
  CHECK(plan.bins() == sums.bins);
  CHECK(plan.before() == sums.before);
  const bool real = sums.real_signal();
  const auto x = paired(flat<Real>(numbers(sums.outer * sums.n * sums.inner, 1, real), real), real);
  REQUIRE(plan.signal_bytes() == x.size() * (real ? 1 : 2) * sizeof(Real));
  REQUIRE(plan.spectrum_bytes() ==
          sums.outer * sums.inner * sums.frames * sums.bins * 2 * sizeof(Real));
  // One rounding by the window, one by each addition of a frame.
  const double bound = 2 * catalogue::error_bound(sums.d.precision, sums.points,
                                                  catalogue::uses_pairs(device.device, options));
  const auto signal = device.upload(flat<Real>(x, real));
  const auto spectra = device.allocate(plan.spectrum_bytes());
  plan.forward(device.queue, signal, spectra);
  const std::size_t bins = sums.outer * sums.inner * sums.frames * sums.bins;
  CHECK(error_of(paired(device.download<Real>(spectra, 2 * bins), false), sums.forward(x)) <=
        bound);
  if (sums.d.directions == Directions::forward) return;

  const auto any = paired(flat<Real>(numbers(bins, 2, false), false), false);
  const auto from = device.upload(flat<Real>(any, false));
  // The result must not depend on what was in memory.
  const auto to = device.upload(std::vector<Real>(x.size() * (real ? 1 : 2), Real(NAN)));
  plan.inverse(device.queue, from, to);
  const auto back = paired(device.download<Real>(to, x.size() * (real ? 1 : 2)), real);
  const double most = std::sqrt(std::max<double>(1, static_cast<double>(sums.frames)));
  CHECK(error_of(back, sums.inverse(any, plan.dual())) <= most * bound);
}

void check(const ShortTimeTransform& description,
           std::initializer_list<Mapping> mappings = {Mapping::vector, Mapping::work_group}) {
  for (const Mapping mapping : mappings) {
    Options options;
    options.parameters.mapping = mapping;
    ShortTimeTransform d = description;
    check_in<float>(default_device(), ShortTimeSums(d), options);
    d.precision = Precision::f64;
    check_in<double>(default_device(), ShortTimeSums(d), options);
  }
}

}  // namespace

TEST_CASE("Short-time transforms of real signals, and their inverse", "[short_time][long]") {
  check({.lengths = {200}, .window = window_of(32), .hop = 8});
  check({.lengths = {101}, .batch = 3, .window = window_of(20), .points = 32, .hop = 7});
  check({.lengths = {64}, .window = window_of(15), .hop = 15, .before = 4, .frames = 3});
  check({.lengths = {5}, .window = window_of(12), .hop = 1, .roll = -6});
}

TEST_CASE("Short-time transforms of complex signals, and their inverse", "[short_time][long]") {
  check({.kind = Kind::complex, .lengths = {90}, .window = window_of(16, true), .hop = 5});
  check({.kind = Kind::complex,
         .lengths = {90},
         .batch = 2,
         .window = window_of(16),
         .points = 21,
         .hop = 4,
         .roll = 5,
         .signal = {.storage = Storage::real}});
}

TEST_CASE("Short-time transforms along other axes", "[short_time][long]") {
  check({.lengths = {2, 60, 3}, .axis = 1, .batch = 2, .window = window_of(16), .hop = 4});
  check({.kind = Kind::complex, .lengths = {40, 5}, .axis = 0, .window = window_of(9), .hop = 3});
}

TEST_CASE("Borders of short-time transforms", "[short_time]") {
  for (const Border border : {Border::edge, Border::even, Border::odd}) {
    // Several reflections.
    check({.lengths = {3, 4, 2},
           .axis = 1,
           .batch = 2,
           .window = window_of(24),
           .hop = 5,
           .before = 17,
           .frames = 9,
           .border = border},
          {Mapping::automatic});
    check({.kind = Kind::complex,
           .lengths = {1},
           .window = window_of(6),
           .hop = 2,
           .border = border,
           .signal = {.storage = Storage::real}},
          {Mapping::automatic});
  }
}

TEST_CASE("Frames with more samples than points are folded", "[short_time]") {
  const auto folded = [](ShortTimeTransform d) {
    d.directions = Directions::forward;
    return d;
  };
  // A polyphase channelizer: all frames are inside of the signal.
  check(folded({.lengths = {100},
                .window = window_of(32),
                .points = 8,
                .hop = 8,
                .before = 0,
                .frames = 9}));
  // They begin before it, and end behind it.
  check(folded({.kind = Kind::complex,
                .lengths = {90},
                .window = window_of(36, true),
                .points = 12,
                .hop = 5}),
        {Mapping::automatic});
  check(folded({.lengths = {2, 60, 3},
                .axis = 1,
                .batch = 2,
                .window = window_of(16),
                .points = 4,
                .hop = 4}),
        {Mapping::automatic});
  check(folded({.kind = Kind::complex,
                .lengths = {50},
                .batch = 2,
                .window = window_of(21),
                .points = 7,
                .hop = 9,
                .roll = 3,
                .border = Border::even,
                .signal = {.storage = Storage::real}}),
        {Mapping::automatic});
}

TEST_CASE("Random short-time transforms on generic kernels", "[short_time][random]") {
  over_seeds(400, [](catalogue::Random& random) {
    const auto below = [&](std::uint64_t count) { return std::size_t{random.below(count)}; };
    ShortTimeTransform d{.lengths = {1 + below(120)}};
    if (below(3) == 0) d.lengths.push_back(1 + below(5));
    if (below(4) == 0) d.lengths.insert(d.lengths.begin(), 1 + below(4));
    d.axis = below(d.lengths.size()), d.batch = 1 + below(3);
    d.kind = below(2) == 0 ? Kind::real : Kind::complex;
    const bool real = d.kind == Kind::real || below(3) == 0;
    if (real && d.kind == Kind::complex) d.signal.storage = Storage::real;
    d.window = window_of(1 + below(40), !real && below(2) == 0);
    d.points = d.window.size() + below(3) * below(20), d.hop = 1 + below(d.window.size());
    if (below(4) == 0) {  // folded
      d.points = 1 + below(12);
      d.window = window_of(d.points * (2 + below(4)), !real && below(2) == 0);
      d.directions = Directions::forward;
    }
    if (below(2) == 0) d.roll = static_cast<std::int64_t>(below(60)) - 30;
    if (below(3) == 0) d.before = below(d.window.size());
    if (below(3) == 0) d.border = static_cast<Border>(below(4));
    const ShortTimeSums sums(d);
    check_generic(
        ShortTimePlan(default_device().context, default_device().device, d, on_generic_kernels())
            .describe());
    if (below(2) == 0) return check_in<float>(default_device(), sums, on_generic_kernels());
    d.precision = Precision::f64;
    check_in<double>(default_device(), ShortTimeSums(d), on_generic_kernels());
  });
}

namespace {

/// A signal of 300 samples, its 39 frames of 17 bins, and their plan.
struct Noise {
  ShortTimeTransform description{.lengths = {300}, .window = window_of(32), .hop = 8};
  ShortTimeSums sums{description};
  const Device& device = default_device();
  std::vector<float> samples = flat<float>(numbers(300, 3, true), true);
  cl::Buffer signal = device.upload(samples);

  ShortTimePlan plan() const { return {device.context, device.device, description}; }
  std::vector<Complex> x() const { return paired(samples, true); }
  static constexpr std::size_t kFrames = 41, kBins = 17;
};

}  // namespace

TEST_CASE("Signals of all shapes are copied by one kernel", "[short_time]") {
  const Device& device = default_device();
  ShortTimeTransform d{.lengths = {70}, .window = window_of(16), .hop = 6};
  d.border = Border::odd, d.directions = Directions::forward;
  const std::string name = ShortTimePlan(device.context, device.device, d).builds()[0].name;
  CHECK(name == "signal_copy_odd_f32x1");
  d.lengths = {3, 90}, d.axis = 0, d.window = window_of(9);
  const ShortTimePlan other(device.context, device.device, d);
  CHECK(other.builds()[0].name == name);
  CHECK(other.sources()[0].name == name);
}

TEST_CASE("A signal comes back from its short-time spectra", "[short_time][long]") {
  catalogue::Random random(4);
  const Device& device = default_device();
  for (int i = 0; i < 12; ++i) {
    const std::size_t frame = 2 + random.below(300), hop = 1 + random.below(frame);
    ShortTimeTransform d{.lengths = {1 + random.below(2000)}, .window = window_of(frame)};
    d.hop = hop, d.points = frame + random.below(40),
    d.roll = -static_cast<int>(random.below(frame));
    d.border = static_cast<Border>(random.below(4));
    const ShortTimePlan plan(device.context, device.device, d);
    const auto x = flat<float>(numbers(d.lengths[0], 5, true), true);
    const auto spectra = device.allocate(plan.spectrum_bytes());
    const auto back = device.allocate(plan.signal_bytes());
    plan.forward(device.queue, device.upload(x), spectra);
    plan.inverse(device.queue, spectra, back);
    CAPTURE(frame, hop, d.lengths[0], d.points);
    // The published bound of a round trip, in the norm of the signal.
    const double bound =
        4 * 0x1p-24 * (4 + std::log2(static_cast<double>(plan.transform().points)));
    CHECK(distance(device.download<float>(back, x.size()), x) <= bound);
  }
}

TEST_CASE("Short-time transforms read and write strided and planar arrays", "[short_time]") {
  const Device& device = default_device();
  ShortTimeTransform d{
      .kind = Kind::complex, .lengths = {4, 70}, .window = window_of(16), .hop = 6};
  const auto x = noise<float>(280);
  const ShortTimePlan plain(device.context, device.device, d);
  const std::size_t frames = plain.frames(), bins = plain.bins();
  const auto spectra = device.allocate(plain.spectrum_bytes());
  plain.forward(device.queue, device.upload(x), spectra);
  const auto wanted = device.download<std::complex<float>>(spectra, 4 * frames * bins);
  for (const Border border : {Border::zeros, Border::even}) {
    if (border == Border::even) {
      d.border = border;
      ShortTimePlan(device.context, device.device, d)
          .forward(device.queue, device.upload(x), spectra);
    }
    const auto expected = device.download<std::complex<float>>(spectra, 4 * frames * bins);
    ShortTimeTransform strided = d;
    strided.signal = {.strides = {2, 9}, .offset = 3, .storage = Storage::planar};
    // Bins before frames, as in SciPy.
    strided.spectrum = {.strides = {frames * bins, 1, frames}, .offset = 2};
    const ShortTimePlan plan(device.context, device.device, strided);
    std::vector<float> re(5 + 3 + 3 * 2 + 69 * 9 + 1, 7.f), im = re;
    for (std::size_t i = 0; i < 280; ++i) {
      const std::size_t at = 5 + 3 + i / 70 * 2 + i % 70 * 9;
      re[at] = x[i].real(), im[at] = x[i].imag();
    }
    const auto first = device.upload(re), second = device.upload(im);
    const Array signal = Array::planar(first, second, 5);
    const auto turned = device.allocate(plan.spectrum_bytes() + 8);
    plan.forward(device.queue, signal, {turned, 1});
    const auto found = device.download<std::complex<float>>(turned, 3 + 4 * frames * bins);
    std::vector<std::complex<float>> sorted;
    for (std::size_t i = 0; i < expected.size(); ++i)
      sorted.push_back(
          found[3 + i / (frames * bins) * frames * bins + i % bins * frames + i / bins % frames]);
    CHECK(distance(sorted, expected) < 1e-6);
    // Memory between the elements stays.
    std::vector<float> back_re(re.size(), 7.f), back_im = back_re;
    const auto to_re = device.upload(back_re), to_im = device.upload(back_im);
    plan.inverse(device.queue, {turned, 1}, Array::planar(to_re, to_im, 5));
    back_re = device.download<float>(to_re, re.size());
    back_im = device.download<float>(to_im, im.size());
    for (std::size_t i = 0; i < re.size(); ++i) {
      REQUIRE(std::abs(back_re[i] - re[i]) < 1e-5);
      REQUIRE(std::abs(back_im[i] - im[i]) < 1e-5);
    }
  }
}

TEST_CASE("Hooks of short-time transforms: integer samples, power, factors of bins",
          "[short_time]") {
  Noise trial;
  const Device& device = trial.device;
  std::vector<short> samples;
  for (const float sample : trial.samples) samples.push_back(static_cast<short>(sample * 10000));
  trial.samples.assign(samples.begin(), samples.end());
  trial.description.on_forward = {{hook::from_integer(Integer::i16)}, {hook::power()}};
  trial.description.directions = Directions::forward;
  const ShortTimePlan levels = trial.plan();
  REQUIRE(levels.spectrum_bytes() == Noise::kFrames * Noise::kBins * sizeof(float));
  const auto power = device.allocate(levels.spectrum_bytes());
  levels.forward(device.queue, device.upload(samples), power);
  std::vector<double> wanted;
  for (const Wide& bin : trial.sums.forward(trial.x()))
    wanted.push_back(static_cast<double>(std::norm(bin)));
  CHECK(distance(device.download<float>(power, wanted.size()), wanted) < 1e-5);

  // Spectra with factors, which the inverse divides by.
  trial.description.directions = Directions::both;
  trial.description.on_forward = {{}, {hook::window(1, "times")}};
  trial.description.on_inverse = {{hook::window(1, "over")}, {hook::scale("volume")}};
  const ShortTimePlan plan = trial.plan();
  std::vector<float> times(Noise::kBins), over(Noise::kBins);
  for (std::size_t k = 0; k < times.size(); ++k)
    times[k] = static_cast<float>(1 << (k % 4)), over[k] = 1 / times[k];
  const auto spectra = device.allocate(plan.spectrum_bytes());
  const auto back = device.allocate(plan.signal_bytes());
  plan.forward(device.queue, device.upload(trial.samples), spectra,
               {.arguments = {{"times", device.upload(times)}}});
  plan.inverse(device.queue, spectra, back,
               {.arguments = {{"over", device.upload(over)}, {"volume", 2.0}}});
  auto twice = trial.samples;
  for (float& sample : twice) sample *= 2;
  CHECK(distance(device.download<float>(back, twice.size()), twice) < 1e-6);
}

TEST_CASE("Calls of short-time plans wait for events, and for each other", "[short_time]") {
  Noise trial;
  const Device& device = trial.device;
  for (const Border border : {Border::zeros, Border::odd}) {
    trial.description.border = border;
    const ShortTimePlan plan = trial.plan();
    const cl::CommandQueue queue = device.out_of_order();
    const auto signal = device.upload(std::vector<float>(300, 1e9f));
    const auto spectra = device.allocate(plan.spectrum_bytes());
    const auto back = device.allocate(plan.signal_bytes());
    cl::UserEvent ready(device.context);
    cl::Event written, there, done;
    const std::vector<cl::Event> start{ready}, copy{};
    queue.enqueueWriteBuffer(signal, CL_FALSE, 0, 300 * sizeof(float), trial.samples.data(), &start,
                             &written);
    plan.forward(queue, signal, spectra, {.waits = {written}, .event = &there});
    plan.inverse(queue, spectra, back, {.waits = {there}, .event = &done});
    ready.setStatus(CL_COMPLETE);
    CHECK(distance(device.download<float>(back, 300, done), trial.samples) < 1e-6);
  }
}

TEST_CASE("Wrong calls of short-time plans leave the signal as it was", "[short_time]") {
  Noise trial;
  const Device& device = trial.device;
  trial.description.on_inverse.load = {hook::window(1, "w")};
  const ShortTimePlan plan = trial.plan();
  const auto spectra = device.allocate(plan.spectrum_bytes());
  const auto message = [&](const auto& call) {
    try {
      call();
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  const auto small = device.allocate(plan.spectrum_bytes() - 8);
  const auto factors = device.upload(std::vector<float>(Noise::kBins, 1.f));
  CHECK_THAT(message([&] {
               plan.inverse(device.queue, small, trial.signal, {.arguments = {{"w", factors}}});
             }),
             ContainsSubstring("spectra"));
  CHECK_THAT(message([&] { plan.inverse(device.queue, spectra, trial.signal); }),
             ContainsSubstring("w"));
  CHECK_THAT(
      message([&] {
        plan.inverse(device.queue, spectra, device.allocate(4), {.arguments = {{"w", factors}}});
      }),
      ContainsSubstring("signal"));
  CHECK(device.download<float>(trial.signal, 300) == trial.samples);
}

TEST_CASE("Descriptions of short-time transforms that are not allowed", "[short_time]") {
  const auto refused = [](const ShortTimeTransform& d, const char* why) {
    const Device& device = default_device();
    CHECK_THROWS_WITH(ShortTimePlan(device.context, device.device, d), ContainsSubstring(why));
  };
  const ShortTimeTransform good = Noise().description;
  const auto with = [&](const auto& change) {
    ShortTimeTransform d = good;
    change(d);
    return d;
  };
  refused(with([](auto& d) { d.lengths = {}; }), "lengths");
  refused(with([](auto& d) { d.lengths = {0}; }), "lengths[0]");
  refused(with([](auto& d) { d.axis = 1; }), "axis");
  refused(with([](auto& d) { d.batch = 0; }), "batch");
  refused(with([](auto& d) { d.kind = Kind::dct2; }), "kind");
  refused(with([](auto& d) { d.precision = Precision::f16; }), "precision");
  refused(with([](auto& d) { d.window = {}; }), "window");
  refused(with([](auto& d) { d.window[3] = NAN; }), "window[3]");
  refused(with([](auto& d) { d.window[3] = {0, 1}; }), "Kind::complex");
  refused(with([](auto& d) { d.dual = {1.0}; }), "dual");
  refused(with([](auto& d) { d.points = 31; }), "points");
  refused(with([](auto& d) { d.points = 8; }), "Directions::forward");
  refused(with([](auto& d) {
            d.points = 8, d.directions = Directions::forward;
            d.on_forward.load = {hook::scale(2)};
          }),
          "on_forward.load");
  refused(with([](auto& d) { d.hop = 0; }), "hop");
  refused(with([](auto& d) { d.hop = 33; }), "hop");
  refused(with([](auto& d) { d.window.assign(32, 0.0), d.window[1] = 1; }), "window");
  refused(with([](auto& d) { d.border = static_cast<Border>(9); }), "border");
  refused(with([](auto& d) { d.on_inverse.store = {hook::accumulate()}; }), "on_inverse.store[0]");
  CHECK_NOTHROW(ShortTimePlan(default_device().context, default_device().device, with([](auto& d) {
                                d.hop = 33, d.directions = Directions::forward;
                              })));
}

TEST_CASE("The dual window has the least energy of all", "[short_time]") {
  const auto window = window_of(20, true);
  const auto dual = dual_window(window, 6);
  for (std::size_t j = 0; j < 6; ++j) {
    Complex sum = 0;
    for (std::size_t k = j; k < 20; k += 6) sum += dual[k] * std::conj(window[k]);
    CHECK(std::abs(sum - 1.0) < 1e-15);
    // The shortest solution of one equation is a multiple of its factors.
    for (std::size_t k = j; k < 20; k += 6)
      CHECK(std::abs(dual[k] * window[j] - dual[j] * window[k]) < 1e-15);
  }
}

// Borders are user's texts, which oclgrind cannot compile.
TEST_CASE("Short-time transforms under oclgrind", "[.][oclgrind]") {
  const ShortTimeTransform d{
      .lengths = {2, 21, 2}, .axis = 1, .window = window_of(6), .points = 10, .hop = 4, .roll = -3};
  const Device device;  // oclgrind must not lose it at exit
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    check_in<float>(device, ShortTimeSums(d), options);
  }
  check_in<float>(device, ShortTimeSums(d), on_generic_kernels());
}
