// This file compares streams in blocks of any size with the same stream in one block, bit for bit,
// with short-time plans, and with sums.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

#include <imago/imago.hpp>

#include "api/support.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "hooks/short_time_sums.hpp"
#include "hooks/trial.hpp"
#include "support/catch.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;
using catalogue::Random;

namespace {

template <class Real>
std::vector<Real> reals(std::size_t count, unsigned seed) {
  std::vector<Real> values;
  for (const Complex& value : numbers(count, seed, true))
    values.push_back(static_cast<Real>(value.real()));
  return values;
}

/// Returns the first index at which the bits of two lists differ.
template <class Number>
std::size_t first_difference(const std::vector<Number>& a, const std::vector<Number>& b) {
  std::size_t i = 0;
  while (i < std::min(a.size(), b.size()) && std::memcmp(&a[i], &b[i], sizeof(Number)) == 0) ++i;
  return i;
}
template <class Number>
bool same(const std::vector<Number>& a, const std::vector<Number>& b) {
  CAPTURE(first_difference(a, b), a.size(), b.size());
  CHECK(a.size() == b.size());
  CHECK(first_difference(a, b) == a.size());
  return first_difference(a, b) == a.size() && a.size() == b.size();
}

/// Numbers on the host, of which `parts` are an element of an array: 1 for reals, 2 for pairs.
template <class Number>
struct Numbers {
  std::vector<Number> values;
  std::size_t parts = 1;
};

/// An array on the device, in units of a stream's elements.
template <class Number>
struct Placed {
  Placed(const Device& device, const Numbers<Number>& numbers, std::size_t bytes)
      : buffer(device.upload(numbers.values)), each(bytes / sizeof(Number) / numbers.parts) {}
  Array at(std::size_t element) const { return {buffer, element * each}; }
  cl::Buffer buffer;
  std::size_t each;
};

/// Feeds streams, in blocks of random sizes.
class Feeder {
 public:
  explicit Feeder(const cl::CommandQueue& queue, std::uint64_t seed = 1)
      : queue_(queue), random_(seed) {}

  /// Returns all results. `results` has the numbers of one element of them.
  template <class Number, class Result>
  std::vector<Result> feed(Stream& stream, const Numbers<Number>& input, std::size_t parts,
                           std::size_t largest, Result mark) {
    const Device& device = default_device();
    const std::size_t count = input.values.size() * sizeof(Number) / stream.input_bytes(1),
                      each = stream.result_bytes(1) / sizeof(Result);
    const Placed from(device, input, stream.input_bytes(1));
    // Results that are too many, or in a wrong place, overwrite these numbers.
    const std::size_t most = stream.results(count) + stream.most_results();
    const Numbers<Result> marks{std::vector<Result>(most * each, mark), parts};
    const Placed to(device, marks, stream.result_bytes(1));
    std::size_t results = 0;
    for (std::size_t begin = 0; begin < count; ++blocks) {
      const auto block = std::min<std::size_t>(
          {count - begin, stream.most(), std::size_t(random_.below(largest + 1))});
      const std::size_t expected = stream.results(block);
      CHECK(stream.push(from.at(begin), block, to.at(results)) == expected);
      begin += block, results += expected;
    }
    const std::size_t expected = stream.remaining();
    CHECK(expected <= stream.most_results());
    CHECK(stream.finish(to.at(results)) == expected);
    queue_.finish();
    auto all = device.download<Result>(to.buffer, marks.values.size());
    const auto end = all.begin() + static_cast<std::ptrdiff_t>((results + expected) * each);
    CHECK(std::all_of(end, all.end(), [&](Result value) { return value == mark; }));
    all.erase(end, all.end());
    return all;
  }

  std::size_t blocks = 0;  ///< until now

 private:
  cl::CommandQueue queue_;
  Random random_;
};

/// Compares a stream in blocks of many sizes with the same stream in one block. Returns its
/// results.
template <class Number, class Description, class Result = Number>
std::vector<Result> check_cuts(const Description& description, const Numbers<Number>& input,
                               std::size_t parts, const Options& options = {}, Result mark = 7) {
  const Device& device = default_device();
  Feeder feeder(device.queue);
  Stream stream(device.queue, description, options);
  Description in_one = description;
  // An inverse counts frames, of which each is a hop.
  in_one.lengths[0] *= input.values.size() * sizeof(Number) / stream.input_bytes(1);
  Stream whole(device.queue, in_one, options);
  const auto wanted = feeder.feed(whole, input, parts, std::size_t{1} << 40, mark);
  for (std::size_t largest = 1; largest < 3 * stream.most(); largest *= 3) {
    CAPTURE(largest, stream.most(), static_cast<int>(options.parameters.mapping));
    if (!same(feeder.feed(stream, input, parts, largest, mark), wanted)) break;
  }
  CHECK(feeder.blocks > 20);
  return wanted;
}

template <class Real>
double bound_of(std::size_t points, const Options& options) {
  const Precision precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
  return 4 * catalogue::error_bound(precision, points,
                                    catalogue::uses_pairs(default_device().device, options));
}

/// Compares streams of a short-time transform with a plan: the spectra bit for bit.
template <class Real>
void check_short_time(ShortTimeTransform d, std::size_t samples, const Options& options) {
  const Device& device = default_device();
  d.precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
  const std::size_t points = std::max(d.points, d.window.size());
  CAPTURE(d.window.size(), d.hop, d.points, static_cast<int>(d.kind), sizeof(Real));
  const std::size_t parts = d.kind == Kind::real || d.signal.storage == Storage::real ? 1 : 2;
  std::size_t channels = 1;
  for (std::size_t i = 1; i < d.lengths.size(); ++i) channels *= d.lengths[i];
  const Numbers<Real> input{reals<Real>(samples * channels * parts, 1), parts};
  d.directions = Directions::forward;
  const auto spectra = check_cuts(d, input, 2, options);

  ShortTimeTransform whole = d;
  whole.lengths[0] = samples, whole.axis = 0;
  Options same_bits = options;
  same_bits.deterministic = true;
  const ShortTimePlan plan(device.context, device.device, whole, same_bits);
  const auto there = device.allocate(plan.spectrum_bytes());
  plan.forward(device.queue, device.upload(input.values), there);
  same(spectra, device.download<Real>(there, plan.spectrum_bytes() / sizeof(Real)));
  if (d.hop > d.window.size()) return;

  d.directions = Directions::inverse;
  auto back = check_cuts(d, Numbers<Real>{spectra, 2}, parts, options);
  const std::size_t before = d.before.value_or(d.window.size() - d.hop);
  CHECK(back.size() / (channels * parts) == (plan.frames() - 1) * d.hop + d.window.size() - before);
  REQUIRE(back.size() >= input.values.size());
  back.resize(input.values.size());
  CHECK(distance(back, input.values) <= bound_of<Real>(points, options));
}

void check_short_time(const ShortTimeTransform& d, std::size_t samples) {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    check_short_time<float>(d, samples, options);
    check_short_time<double>(d, samples, options);
  }
}

/// Returns the results of a filter by its definition.
template <class Real>
std::vector<Real> filtered_by_sums(const FirFilter& f, const Numbers<Real>& input) {
  const std::size_t parts = input.parts, channels = f.lengths.size() > 1 ? f.lengths[1] : 1,
                    samples = input.values.size() / channels / parts,
                    last = (samples - 1) * f.interpolation;
  const auto at = [&](std::size_t t, std::size_t channel) {
    const Real* x = input.values.data() + (t / f.interpolation * channels + channel) * parts;
    return t % f.interpolation != 0 ? 0 : Complex(x[0], parts == 2 ? x[1] : 0);
  };
  std::vector<Real> wanted;
  for (std::size_t t = 0; t < last + std::max(f.taps.size(), f.interpolation); t += f.decimation) {
    for (std::size_t channel = 0; channel < channels; ++channel) {
      std::complex<long double> sum = 0;
      for (std::size_t j = 0; j < f.taps.size() && j <= t; ++j) {
        if (t - j <= last) sum += std::complex<long double>(f.taps[j] * at(t - j, channel));
      }
      wanted.push_back(static_cast<Real>(sum.real()));
      if (parts == 2) wanted.push_back(static_cast<Real>(sum.imag()));
    }
  }
  return wanted;
}

/// Compares a filter with the sums of its definition.
template <class Real>
void check_filter(FirFilter f, std::size_t samples, const Options& options) {
  f.precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
  const std::size_t parts = f.kind == Kind::real ? 1 : 2,
                    channels = f.lengths.size() > 1 ? f.lengths[1] : 1;
  CAPTURE(f.taps.size(), f.points, f.decimation, f.interpolation, parts, channels, sizeof(Real));
  const Numbers<Real> input{reals<Real>(samples * channels * parts, 2), parts};
  const auto found = check_cuts(f, input, parts, options);
  CHECK(distance(found, filtered_by_sums(f, input)) <= bound_of<Real>(512, options));
}

void check_filter(const FirFilter& f, std::size_t samples) {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    check_filter<float>(f, samples, options);
    check_filter<double>(f, samples, options);
  }
}

/// Returns the results of a stream on generic kernels, in blocks of random sizes.
template <class Real, class Description>
std::vector<Real> fed(const Description& description, const Numbers<Real>& input, std::size_t parts,
                      catalogue::Random& random) {
  const Device& device = default_device();
  Stream stream(device.queue, description, on_generic_kernels());
  check_generic(stream.describe());
  return Feeder(device.queue, random.bits())
      .feed(stream, input, parts, 1 + std::size_t{random.below(2 * stream.most())}, Real(7));
}

/// Compares a filter, or spectra and the signal that comes back, with sums.
template <class Real>
void check_random_stream(catalogue::Random& random) {
  const auto below = [&](std::uint64_t count) { return std::size_t{random.below(count)}; };
  const std::size_t channels = 1 + below(3) / 2 * below(3), samples = 1 + below(300);
  const bool real = below(2) == 0;
  const std::size_t parts = real ? 1 : 2;
  const Kind kind = real ? Kind::real : Kind::complex;
  const Precision precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
  const Numbers<Real> input{reals<Real>(samples * channels * parts, 4), parts};
  const double bound = bound_of<Real>(512, on_generic_kernels());
  CAPTURE(channels, samples, real, sizeof(Real));
  std::vector<std::size_t> lengths{10 + below(60)};
  if (channels > 1) lengths.push_back(channels);
  if (below(2) == 0) {
    const FirFilter f{.kind = kind,
                      .precision = precision,
                      .lengths = lengths,
                      .taps = numbers(1 + below(30), 3, real),
                      .decimation = 1 + below(2) * below(12),
                      .interpolation = 1 + below(2) * below(12)};
    CAPTURE(f.taps.size(), f.decimation, f.interpolation);
    const auto found = fed(f, input, parts, random);
    CHECK(distance(found, filtered_by_sums(f, input)) <= bound);
    return;
  }
  const std::size_t frame = 1 + below(30);
  ShortTimeTransform d{.kind = kind, .precision = precision, .lengths = lengths, .axis = 0};
  d.window = window_of(frame, !real), d.hop = 1 + below(frame), d.points = frame + below(10);
  d.directions = Directions::forward;
  CAPTURE(frame, d.hop, d.points);
  const auto spectra = fed(d, input, 2, random);
  ShortTimeTransform whole = d;
  whole.lengths[0] = samples;
  std::vector<Real> wanted;
  std::vector<Complex> x;
  for (std::size_t i = 0; i < input.values.size(); i += parts)
    x.emplace_back(input.values[i], real ? Real(0) : input.values[i + 1]);
  for (const Wide& bin : ShortTimeSums(whole).forward(x)) {
    wanted.push_back(static_cast<Real>(bin.real()));
    wanted.push_back(static_cast<Real>(bin.imag()));
  }
  CHECK(distance(spectra, wanted) <= bound);
  d.directions = Directions::inverse;
  auto back = fed(d, Numbers<Real>{spectra, 2}, parts, random);
  REQUIRE(back.size() >= input.values.size());
  back.resize(input.values.size());
  CHECK(distance(back, input.values) <= bound);
}

}  // namespace

TEST_CASE("Random streams on generic kernels", "[stream][random]") {
  over_seeds(300, [](catalogue::Random& random) {
    random.below(2) == 0 ? check_random_stream<float>(random) : check_random_stream<double>(random);
  });
}

TEST_CASE("Blocks of real streams have the spectra of the whole signal", "[stream][long]") {
  check_short_time({.lengths = {50}, .window = window_of(32), .hop = 8}, 311);
  check_short_time({.lengths = {9}, .window = window_of(20), .points = 33, .hop = 7}, 200);
  check_short_time({.lengths = {40}, .window = window_of(5), .points = 8, .hop = 1}, 100);
  check_short_time({.lengths = {30}, .window = window_of(12), .hop = 12, .before = 5}, 150);
  check_short_time({.lengths = {30}, .window = window_of(9), .hop = 14, .roll = -4}, 150);
}

TEST_CASE("Blocks of complex streams have the spectra of the whole signal", "[stream][long]") {
  check_short_time(
      {.kind = Kind::complex, .lengths = {50}, .window = window_of(16, true), .hop = 5}, 211);
  check_short_time({.kind = Kind::complex,
                    .lengths = {20},
                    .window = window_of(16),
                    .points = 21,
                    .hop = 4,
                    .roll = 5,
                    .signal = {.storage = Storage::real}},
                   150);
}

TEST_CASE("Streams of several channels", "[stream][long]") {
  check_short_time({.lengths = {50, 2}, .axis = 0, .window = window_of(32), .hop = 8}, 211);
  check_short_time(
      {.kind = Kind::complex, .lengths = {9, 2, 3}, .axis = 0, .window = window_of(6), .hop = 2},
      60);
  check_filter({.lengths = {30, 3}, .taps = numbers(5, 3, true)}, 200);
}

TEST_CASE("Streams whose frames need several kernels", "[stream]") {
  Options options;
  options.parameters.algorithm = Algorithm::hierarchy;
  check_short_time<float>({.lengths = {900}, .window = window_of(4096), .hop = 1024}, 9000,
                          options);
}

TEST_CASE("Blocks that need several launches of a kernel are refused", "[stream]") {
  const Device& device = default_device();
  const ShortTimeTransform d{
      .lengths = {4096}, .window = window_of(1024), .hop = 1024, .directions = Directions::forward};
  Options options;
  options.parameters.algorithm = Algorithm::hierarchy;
  const Estimate whole = Stream::estimate(device.device, d, options);
  REQUIRE(whole.workspace_bytes > 0);
  options.scratch.limit = whole.workspace_bytes / 2;  // half of the windows in each launch
  const std::string refused = "the results of the largest block need several launches";
  CHECK(message_of([&] { Stream(device.queue, d, options); }).find(refused) != std::string::npos);
  CHECK(message_of([&] { Stream::estimate(device.device, d, options); }).find(refused) !=
        std::string::npos);
  // The first calls' generic kernels compute any part.
  options.parameters = {}, options.first_call = FirstCall::generic;
  CHECK(Stream::estimate(device.device, d, options).kernels > 0);
  CHECK_NOTHROW(Stream(device.queue, d, options));
}

TEST_CASE("Filtered streams are convolutions", "[stream][long]") {
  check_filter({.lengths = {60}, .taps = numbers(13, 3, true)}, 511);
  check_filter({.lengths = {200}, .taps = numbers(1, 3, true)}, 300);
  check_filter({.lengths = {7}, .taps = numbers(40, 3, true), .points = 41}, 200);
  check_filter({.kind = Kind::complex, .lengths = {60}, .taps = numbers(21, 4, false)}, 300);
}

TEST_CASE("Decimated streams have every D-th result of the convolution", "[stream]") {
  Options options;
  check_filter<float>({.lengths = {60}, .taps = numbers(13, 3, true), .decimation = 3}, 511,
                      options);
  check_filter<float>(
      {.kind = Kind::complex, .lengths = {90, 2}, .taps = numbers(21, 4, false), .decimation = 4},
      300, options);
}

TEST_CASE("Decimated streams of other kinds", "[stream][long]") {
  check_filter({.lengths = {60}, .taps = numbers(13, 3, true), .decimation = 2}, 411);
  check_filter({.lengths = {200}, .taps = numbers(1, 3, true), .decimation = 50}, 1300);
  check_filter({.lengths = {7}, .taps = numbers(40, 3, true), .points = 45, .decimation = 5}, 200);
  check_filter({.lengths = {30, 3}, .taps = numbers(5, 3, true), .decimation = 7}, 200);
  check_filter(
      {.kind = Kind::complex, .lengths = {60}, .taps = numbers(9, 4, false), .decimation = 6}, 300);
}

TEST_CASE("Resampled streams are upsampled, filtered and decimated", "[stream]") {
  Options options;
  const auto at = [&](std::size_t up, std::size_t down, std::size_t taps, std::size_t samples) {
    check_filter<float>({.lengths = {60, 2},
                         .taps = numbers(taps, 3, true),
                         .decimation = down,
                         .interpolation = up},
                        samples, options);
  };
  at(3, 2, 31, 200);   // more results than samples
  at(7, 16, 50, 300);  // sums that begin early, and windows beyond the block
  at(6, 4, 12, 50);    // a common divisor
  check_filter<float>({.kind = Kind::complex,
                       .lengths = {90},
                       .taps = numbers(21, 4, false),
                       .decimation = 7,
                       .interpolation = 5},
                      300, options);
}

TEST_CASE("Resampled streams of other ratios", "[stream][long]") {
  const std::size_t ratios[][3] = {{2, 1, 9},   {5, 1, 3},  {1, 3, 9},       {13, 2, 40},
                                   {2, 13, 40}, {3, 40, 1}, {147, 160, 441}, {160, 147, 100}};
  for (const auto& [up, down, taps] : ratios)
    check_filter(
        {.lengths = {60}, .taps = numbers(taps, 3, true), .decimation = down, .interpolation = up},
        300);
}

TEST_CASE("Hooks and planes of decimated streams, which begin anew", "[stream]") {
  const Device& device = default_device();
  const auto x = reals<float>(400, 1);
  FirFilter f{
      .kind = Kind::complex, .lengths = {200}, .taps = numbers(9, 4, false), .decimation = 3};
  const auto wanted = filtered_by_sums(f, Numbers<float>{x, 2});
  f.ends = {.load = {hook::scale("before")}, .store = {hook::scale("behind")}};
  f.storage = Storage::planar;
  std::vector<float> parts[2];
  for (std::size_t i = 0; i < x.size(); ++i) parts[i % 2].push_back(x[i]);
  const cl::Buffer x_re = device.upload(parts[0]), x_im = device.upload(parts[1]);
  Stream stream(device.queue, f);
  const std::size_t count = wanted.size() / 2;
  const auto re = device.allocate(stream.result_bytes(count)),
             im = device.allocate(stream.result_bytes(count));
  for (int turn = 0; turn < 2; ++turn) {
    const auto push = [&](std::vector<Argument> arguments) {
      return stream.push(Array::planar(x_re, x_im), 200, Array::planar(re, im),
                         {.arguments = std::move(arguments)});
    };
    CHECK_THROWS_WITH(push({{"before", 2.0}}), ContainsSubstring("behind"));
    CHECK_THROWS_WITH(push({{"before", 2.0}, {"behind", 3.0}, {"between", 1.0}}),
                      ContainsSubstring("between"));
    const std::size_t first = push({{"before", 2.0}, {"behind", 3.0}});
    CHECK(first + stream.remaining() == count);
    stream.finish(Array::planar(re, im, first), {.arguments = {{"before", 2.0}, {"behind", 3.0}}});
    const auto found_re = device.download<float>(re, count),
               found_im = device.download<float>(im, count);
    std::vector<float> found;
    for (std::size_t i = 0; i < count; ++i)
      found.push_back(found_re[i] / 6), found.push_back(found_im[i] / 6);
    CHECK(distance(found, wanted) < 1e-6);
  }
}

TEST_CASE("A thousand random cuts of a stream", "[stream]") {
  const Device& device = default_device();
  Feeder feeder(device.queue);
  ShortTimeTransform d{.lengths = {300}, .window = window_of(64), .hop = 16};
  const Numbers<float> input{reals<float>(5000, 8)};
  d.directions = Directions::forward;
  Stream there(device.queue, d);
  d.directions = Directions::inverse;
  Stream back(device.queue, d);
  Stream filter(device.queue, FirFilter{.lengths = {300}, .taps = numbers(30, 5, true)});
  Stream fewer(device.queue,
               FirFilter{.lengths = {300}, .taps = numbers(30, 5, true), .decimation = 5});
  std::vector<float> spectra, samples, filtered, decimated;
  while (feeder.blocks < 3000) {
    const auto x = feeder.feed(there, input, 2, 299, 7.f);
    const auto y = feeder.feed(back, Numbers<float>{x, 2}, 1, 18, 7.f);
    const auto z = feeder.feed(filter, input, 1, 299, 7.f);
    const auto w = feeder.feed(fewer, input, 1, 299, 7.f);
    if (spectra.empty()) spectra = x, samples = y, filtered = z, decimated = w;
    if (!same(x, spectra) || !same(y, samples) || !same(z, filtered)) break;
    if (!same(w, decimated)) break;
  }
}

TEST_CASE("Planar streams", "[stream]") {
  const Device& device = default_device();
  const auto x = reals<float>(400, 1);
  std::vector<float> parts[2];
  for (std::size_t i = 0; i < x.size(); ++i) parts[i % 2].push_back(x[i]);
  const cl::Buffer x_re = device.upload(parts[0]), x_im = device.upload(parts[1]);
  const Array planar = Array::planar(x_re, x_im);
  const FirFilter f{.kind = Kind::complex, .lengths = {200}, .taps = numbers(9, 4, false)};
  FirFilter of_planes = f;
  of_planes.storage = Storage::planar;
  Stream stream(device.queue, f), planes(device.queue, of_planes);
  REQUIRE(2 * planes.result_bytes(1) == stream.result_bytes(1));
  const std::size_t count = 208;
  const auto to = device.allocate(stream.result_bytes(count)),
             re = device.allocate(planes.result_bytes(count)),
             im = device.allocate(planes.result_bytes(count));
  const std::size_t first = stream.push(device.upload(x), 200, to);
  CHECK(planes.push(planar, 200, Array::planar(re, im)) == first);
  CHECK(first + stream.finish({to, first}) == count);
  planes.finish(Array::planar(re, im, first));
  const auto wanted = device.download<float>(to, 2 * count);
  const auto found_re = device.download<float>(re, count),
             found_im = device.download<float>(im, count);
  std::vector<float> found;
  for (std::size_t i = 0; i < count; ++i)
    found.push_back(found_re[i]), found.push_back(found_im[i]);
  same(found, wanted);
  CHECK_THROWS_WITH(planes.push(device.upload(x), 200, to), ContainsSubstring("from"));
}

TEST_CASE("Hooks of streams: integer samples, power, factors of bins", "[stream]") {
  std::vector<std::int16_t> samples;
  for (const float x : reals<float>(300, 6)) samples.push_back(static_cast<std::int16_t>(9000 * x));
  std::vector<float> scaled;
  for (const std::int16_t x : samples) scaled.push_back(static_cast<float>(x) / 32768);
  ShortTimeTransform d{
      .lengths = {40}, .window = window_of(16), .hop = 4, .directions = Directions::forward};
  const auto spectra = check_cuts(d, Numbers<float>{scaled}, 2);
  d.on_forward = {.load = {hook::from_integer(Integer::i16, 1.0 / 32768)},
                  .store = {hook::power()}};
  const auto powers = check_cuts<std::int16_t, ShortTimeTransform, float>(d, {samples}, 1, {}, 7.f);
  REQUIRE(2 * powers.size() == spectra.size());
  for (std::size_t i = 0; i < powers.size(); ++i) {
    const float power = std::norm(std::complex(spectra[2 * i], spectra[2 * i + 1]));
    if (std::abs(power - powers[i]) > 1e-5f * power) FAIL("bin " << i);
  }

  // The arguments of hooks belong to each call.
  const Device& device = default_device();
  FirFilter f{.lengths = {64}, .taps = {1.0}, .points = 64};
  f.ends.store = {hook::scale("gain")};
  Stream stream(device.queue, f);
  const auto to = device.allocate(64 * sizeof(float));
  CHECK_THROWS_WITH(stream.push(device.upload(scaled), 64, to), ContainsSubstring("gain"));
  CHECK(stream.push(device.upload(scaled), 64, to, {.arguments = {{"gain", -2.0}}}) == 64);
  auto found = device.download<float>(to, 64);
  for (std::size_t i = 0; i < 64; ++i) CHECK(std::abs(found[i] + 2 * scaled[i]) < 1e-6f);
}

TEST_CASE("Streams on queues that run out of order", "[stream]") {
  const Device& device = default_device();
  const cl::CommandQueue queue = device.out_of_order();
  ShortTimeTransform d{.lengths = {64}, .window = window_of(32), .hop = 8};
  d.directions = Directions::forward;
  Stream there(queue, d), in_order(device.queue, d);
  d.directions = Directions::inverse;
  Stream back(queue, d);
  Feeder feeder(queue), other(device.queue);
  const Numbers<float> input{reals<float>(2000, 3)};
  const auto spectra = feeder.feed(there, input, 2, 64, 7.f);
  same(spectra, other.feed(in_order, input, 2, 64, 7.f));
  const auto samples = feeder.feed(back, Numbers<float>{spectra, 2}, 1, 9, 7.f);
  CHECK(distance(std::vector(samples.begin(), samples.begin() + 2000), input.values) < 1e-6);

  // A call waits for its events, and its own event is the last command's.
  cl::UserEvent ready(device.context);
  cl::Event written, done;
  const std::vector<cl::Event> start{ready};
  const auto from = device.upload(std::vector<float>(64, 1e9f));
  const auto to = device.allocate(there.result_bytes(there.most_results()));
  queue.enqueueWriteBuffer(from, CL_FALSE, 0, 64 * sizeof(float), input.values.data(), &start,
                           &written);
  const std::size_t frames = there.push(from, 64, to, {.waits = {written}, .event = &done});
  ready.setStatus(CL_COMPLETE);
  const std::size_t numbers = there.result_bytes(frames) / sizeof(float);
  const auto found = device.download<float>(to, numbers, done);
  same(found, std::vector(spectra.begin(), spectra.begin() + static_cast<std::ptrdiff_t>(numbers)));
  // A call without results has an event, too.
  cl::Event nothing;
  CHECK(there.push(from, 0, to, {.event = &nothing}) == 0);
  CHECK(nothing() != nullptr);
}

TEST_CASE("A stream begins anew after its end, and after reset()", "[stream]") {
  const Device& device = default_device();
  Stream stream(device.queue, FirFilter{.lengths = {64}, .taps = {1.0, 1.0}, .points = 9});
  const auto ones = device.upload(std::vector<float>(64, 1.f));
  const auto to = device.allocate(stream.result_bytes(stream.most_results()));
  CHECK(stream.remaining() == 0);
  CHECK(stream.finish(to) == 0);
  for (int i = 0; i < 3; ++i) {
    CHECK(stream.push(ones, 64, to) == 64);
    CHECK(std::abs(device.download<float>(to, 1)[0] - 1) < 1e-6f);
    if (i == 0) stream.reset();
    if (i == 1) CHECK(stream.finish(to) == 1);
  }
  Stream moved = std::move(stream);
  CHECK(moved.remaining() == 1);
  CHECK_THROWS_WITH(stream.most(), ContainsSubstring("moved from"));
}

TEST_CASE("Wrong calls of streams change nothing", "[stream]") {
  const Device& device = default_device();
  Stream stream(device.queue, FirFilter{.lengths = {64}, .taps = {1.0, 2.0}, .points = 9});
  const auto x = reals<float>(64, 3);
  const auto from = device.upload(x);
  const auto to = device.allocate(stream.result_bytes(64));
  CHECK_THROWS_WITH(stream.push(from, 65, to), ContainsSubstring("count"));
  CHECK_THROWS_WITH(stream.push({from, 1}, 64, to), ContainsSubstring("from"));
  CHECK_THROWS_WITH(stream.push(from, 64, {to, 1}), ContainsSubstring("to is"));
  CHECK_THROWS_WITH(stream.push(from, 64, to, {.waits = {cl::Event()}}),
                    ContainsSubstring("waits"));
  CHECK_THROWS_WITH(stream.push(from, 64, to, {.arguments = {{"a", 1.0}}}), ContainsSubstring("a"));
  CHECK(stream.results(64) == 64);
  CHECK(stream.push(from, 64, to) == 64);
  CHECK(std::abs(device.download<float>(to, 1)[0] - x[0]) < 1e-6f);
}

TEST_CASE("Descriptions of streams that are not allowed", "[stream]") {
  const auto refused = [](const auto& description, const char* why) {
    CHECK_THROWS_WITH(Stream(default_device().queue, description), ContainsSubstring(why));
  };
  const auto with = [](const auto& change) {
    ShortTimeTransform d{.lengths = {64}, .window = window_of(32), .hop = 8};
    d.directions = Directions::forward;
    change(d);
    return d;
  };
  refused(with([](auto& d) { d.directions = Directions::both; }), "directions");
  refused(with([](auto& d) { d.lengths = {}; }), "lengths");
  refused(with([](auto& d) { d.lengths = {0}; }), "lengths[0]");
  refused(with([](auto& d) {
            d.lengths = {std::size_t{1} << 30, std::size_t{1} << 30}, d.axis = 0;
          }),
          "2^40 samples");
  refused(with([](auto& d) { d.lengths = {64, 2}; }), "axis");
  refused(with([](auto& d) { d.batch = 2; }), "batch");
  refused(with([](auto& d) { d.frames = 2; }), "frames");
  refused(with([](auto& d) { d.border = Border::even; }), "border");
  refused(with([](auto& d) { d.before = 32; }), "before");
  refused(with([](auto& d) { d.signal.strides = {1}; }), "signal");
  refused(with([](auto& d) { d.spectrum.offset = 1; }), "spectrum");
  refused(with([](auto& d) { d.hop = 0; }), "hop");
  refused(with([](auto& d) { d.directions = Directions::inverse, d.hop = 33; }), "hop");
  refused(with([](auto& d) {
            d.directions = Directions::inverse;
            d.on_inverse.store = {hook::to_integer(Integer::i16)};
          }),
          "on_inverse.store[0]");
  const FirFilter good{.lengths = {64}, .taps = {1.0, 2.0}};
  const auto filter = [&](const auto& change) {
    FirFilter f = good;
    change(f);
    return f;
  };
  refused(filter([](auto& f) { f.taps = {}; }), "taps");
  refused(filter([](auto& f) { f.taps[1] = NAN; }), "taps[1]");
  refused(filter([](auto& f) { f.taps[1] = {0, 1}; }), "Kind::complex");
  refused(filter([](auto& f) { f.points = 2; }), "points");
  refused(filter([](auto& f) { f.decimation = 0; }), "decimation");
  refused(filter([](auto& f) { f.decimation = 3, f.points = 64; }), "multiple of decimation, 3");
  refused(filter([](auto& f) { f.interpolation = 0; }), "interpolation");
  refused(filter([](auto& f) { f.interpolation = 3, f.points = 64; }), "leave it out");
  refused(filter([](auto& f) { f.interpolation = 44101, f.decimation = 66000; }), "2^24 factors");
  refused(filter([](auto& f) {
            f.interpolation = 3;
            f.ends.load = {hook::scale(2)};
          }),
          "no hooks");
  refused(filter([](auto& f) { f.decimation = 64, f.points = 64; }), "longer than the taps");
  refused(filter([](auto& f) { f.kind = Kind::dct2; }), "kind");
  refused(filter([](auto& f) { f.precision = Precision::f16; }), "precision");
  refused(filter([](auto& f) { f.storage = Storage::planar; }), "storage");
  CHECK_THROWS_WITH(Stream(cl::CommandQueue(), good), ContainsSubstring("queue"));
}

TEST_CASE("Streams under oclgrind", "[.][oclgrind]") {
  const Device device;  // its objects end before oclgrind's
  ShortTimeTransform d{.lengths = {9}, .window = window_of(6), .hop = 4};
  d.directions = Directions::forward;
  Stream there(device.queue, d);
  d.directions = Directions::inverse;
  Stream back(device.queue, d);
  const auto x = device.upload(reals<float>(9, 3));
  const auto spectra = device.allocate(there.result_bytes(there.most_results()));
  const auto samples = device.allocate(back.result_bytes(back.most_results()));
  std::size_t frames = 0;
  for (const std::size_t count : {9, 1, 5}) {
    frames = there.push(x, count, spectra);
    back.push(spectra, frames, samples);
  }
  frames = there.finish(spectra);
  back.push(spectra, frames, samples);
  back.finish(samples);
  const FirFilter f{.lengths = {9}, .taps = numbers(3, 3, true), .points = 10, .decimation = 2};
  Stream fewer(device.queue, f);
  for (const std::size_t count : {9, 1, 5}) fewer.push(x, count, samples);
  fewer.finish(samples);
  device.queue.finish();
}
