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
#include "hooks/trial.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::test;

namespace {

using Wide = std::complex<long double>;

/// A description, and a host computation by its definition.
struct Sums {
  explicit Sums(ShortTimeTransform description) : d(std::move(description)) {
    axis = d.axis.value_or(d.lengths.size() - 1);
    for (std::size_t i = 0; i < axis; ++i) outer *= d.lengths[i];
    for (std::size_t i = axis + 1; i < d.lengths.size(); ++i) inner *= d.lengths[i];
    outer *= d.batch, n = d.lengths[axis];
    points = d.points == 0 ? d.window.size() : d.points;
    before = d.before.value_or(d.window.size() > d.hop ? d.window.size() - d.hop : 0);
    frames = d.frames == 0 ? (n + before + d.hop - 1) / d.hop : d.frames;
    bins = d.kind == Kind::real ? points / 2 + 1 : points;
  }

  Wide root(std::size_t k, std::size_t j, int sign) const {
    const auto n = static_cast<std::int64_t>(points);
    const auto shifted = ((static_cast<std::int64_t>(j) + d.roll) % n + n) % n;
    const long double angle = sign * 2 * std::numbers::pi_v<long double> *
                              static_cast<long double>(shifted * static_cast<std::int64_t>(k) % n) /
                              static_cast<long double>(n);
    return {std::cos(angle), std::sin(angle)};
  }
  /// Returns sample t of a row, which may be outside of the signal, by repeated reflection.
  template <class Row>
  Wide sample(const Row& row, std::int64_t t) const {
    const auto last = static_cast<std::int64_t>(n) - 1;
    if (t >= 0 && t <= last) return row(t);
    if (d.border == Border::zeros) return 0;
    if (d.border == Border::edge || last == 0) return row(t < 0 ? 0 : last);
    const std::int64_t mirror = t < 0 ? 0 : last;
    const Wide other = sample(row, 2 * mirror - t);
    return d.border == Border::even ? other : 2.0L * row(mirror) - other;
  }
  std::size_t signal_at(std::size_t o, std::size_t t, std::size_t i) const {
    return (o * n + t) * inner + i;
  }
  std::size_t spectrum_at(std::size_t o, std::size_t frame, std::size_t i, std::size_t k) const {
    return ((o * frames + frame) * inner + i) * bins + k;
  }
  template <class Visit>
  void each_frame(Visit visit) const {
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) {
        for (std::size_t frame = 0; frame < frames; ++frame) visit(o, frame, i);
      }
    }
  }

  std::vector<Wide> forward(const std::vector<Complex>& x) const {
    std::vector<Wide> spectra(outer * inner * frames * bins);
    each_frame([&](std::size_t o, std::size_t frame, std::size_t i) {
      const auto row = [&](std::int64_t t) {
        return Wide(x[signal_at(o, static_cast<std::size_t>(t), i)]);
      };
      for (std::size_t j = 0; j < d.window.size(); ++j) {
        const auto t =
            static_cast<std::int64_t>(frame * d.hop + j) - static_cast<std::int64_t>(before);
        const Wide weighted = sample(row, t) * std::conj(Wide(d.window[j]));
        for (std::size_t k = 0; k < bins; ++k)
          spectra[spectrum_at(o, frame, i, k)] += weighted * root(k, j, -1);
      }
    });
    return spectra;
  }
  std::vector<Wide> inverse(const std::vector<Complex>& spectra,
                            const std::vector<Complex>& dual) const {
    std::vector<Wide> x(outer * n * inner);
    each_frame([&](std::size_t o, std::size_t frame, std::size_t i) {
      for (std::size_t j = 0; j < dual.size(); ++j) {
        const auto t =
            static_cast<std::int64_t>(frame * d.hop + j) - static_cast<std::int64_t>(before);
        if (t < 0 || t >= static_cast<std::int64_t>(n)) continue;
        Wide sum = 0;
        for (std::size_t k = 0; k < points; ++k) {
          const bool stored = k < bins;
          Wide bin(spectra[spectrum_at(o, frame, i, stored ? k : points - k)]);
          // The spectra of real frames: their first and middle bins are real.
          if (d.kind == Kind::real && 2 * k % points == 0) bin = bin.real();
          sum += (stored ? bin : std::conj(bin)) * root(k, j, 1);
        }
        if (d.kind == Kind::real) sum = sum.real();
        x[signal_at(o, static_cast<std::size_t>(t), i)] +=
            sum / static_cast<long double>(points) * Wide(dual[j]);
      }
    });
    if (real_signal()) std::for_each(x.begin(), x.end(), [](Wide& v) { v = v.real(); });
    return x;
  }
  bool real_signal() const { return d.kind == Kind::real || d.signal.storage == Storage::real; }

  ShortTimeTransform d;
  std::size_t axis = 0, outer = 1, inner = 1, n = 0, points = 0, before = 0, frames = 0, bins = 0;
};

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
void check_in(const Device& device, const Sums& sums, const Options& options) {
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
    check_in<float>(default_device(), Sums(d), options);
    d.precision = Precision::f64;
    const cl::Device& device = default_device().device;
    if (d.border != Border::zeros && catalogue::uses_pairs(device, options)) {
      CHECK_THROWS_WITH(ShortTimePlan(default_device().context, device, d, options),
                        ContainsSubstring("border[0]"));
      continue;
    }
    check_in<double>(default_device(), Sums(d), options);
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

namespace {

/// A signal of 300 samples, its 39 frames of 17 bins, and their plan.
struct Noise {
  ShortTimeTransform description{.lengths = {300}, .window = window_of(32), .hop = 8};
  Sums sums{description};
  const Device& device = default_device();
  std::vector<float> samples = flat<float>(numbers(300, 3, true), true);
  cl::Buffer signal = device.upload(samples);

  ShortTimePlan plan() const { return {device.context, device.device, description}; }
  std::vector<Complex> x() const { return paired(samples, true); }
  static constexpr std::size_t kFrames = 41, kBins = 17;
};

}  // namespace

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
    check_in<float>(device, Sums(d), options);
  }
}
