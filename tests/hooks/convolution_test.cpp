// This file compares convolutions with sums in double precision.
#include <cmath>
#include <complex>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "api/support.hpp"
#include "base/half.hpp"
#include "catalogue/convolutions.hpp"
#include "catalogue/host_memory.hpp"
#include "hooks/trial.hpp"
#include "plan/convolution_lengths.hpp"
#include "signal/convolution.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"

using namespace imago;
using namespace imago::test;

namespace {

using Lengths = std::vector<std::size_t>;

std::size_t product(const Lengths& lengths) {
  std::size_t points = 1;
  for (const std::size_t n : lengths) points *= n;
  return points;
}

/// Returns a part of an array in the precision of the sums.
catalogue::Numbers wide(const std::vector<Complex>& values, std::size_t first, std::size_t count) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// Converts to half precision; kernels and spectra stay in f32.
std::vector<std::byte> halved(const std::vector<std::byte>& floats) {
  std::vector<std::byte> bytes(floats.size() / 2);
  for (std::size_t i = 0; i < floats.size() / 4; ++i) {
    float value = 0;
    std::memcpy(&value, floats.data() + 4 * i, 4);
    const std::uint16_t half = base::to_half(value);
    std::memcpy(bytes.data() + 2 * i, &half, 2);
  }
  return bytes;
}

std::vector<std::byte> widened(const std::vector<std::byte>& halves) {
  std::vector<std::byte> bytes(halves.size() * 2);
  for (std::size_t i = 0; i < halves.size() / 2; ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, halves.data() + 2 * i, 2);
    const float value = base::from_half(half);
    std::memcpy(bytes.data() + 4 * i, &value, 4);
  }
  return bytes;
}

template <class Real>
std::vector<std::byte> packed(const std::vector<Complex>& values, bool complex) {
  std::vector<Real> numbers;
  for (const Complex& value : values) {
    numbers.push_back(static_cast<Real>(value.real()));
    if (complex) numbers.push_back(static_cast<Real>(value.imag()));
  }
  const auto bytes = std::as_bytes(std::span(numbers));
  return {bytes.begin(), bytes.end()};
}

template <class Real>
std::vector<Complex> unpacked(const std::vector<std::byte>& bytes, bool complex) {
  std::vector<Real> numbers(bytes.size() / sizeof(Real));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  std::vector<Complex> values;
  for (std::size_t i = 0; i < numbers.size(); i += complex ? 2 : 1)
    values.emplace_back(numbers[i], complex ? numbers[i + 1] : Real(0));
  return values;
}

/// The device or mapping, and the way to compute a line.
struct Way {
  enum { device, vector, work_group } on = vector;
  std::size_t points = 0;  ///< points of a block or a half; 0: whole, or the device's choice
  Options options = {};    ///< options of a plan on the device
  signal::ConvolutionWay cut = signal::ConvolutionWay::blocks;  ///< if `points` is not 0
};

std::vector<std::byte> on_device(const ConvolutionShape& shape, std::vector<std::byte> x,
                                 std::vector<std::byte> h, const Options& options = {}) {
  static const Device device;
  const Convolution convolution(device.context, device.device, shape, options);
  REQUIRE(convolution.signal_bytes() == x.size());
  REQUIRE(convolution.kernel_bytes() == h.size());
  if (options.first_call == FirstCall::generic) check_generic(convolution.describe());
  std::vector<std::byte> y(convolution.result_bytes());
  const cl::Buffer in(device.context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, x.size(), x.data()),
      taps(device.context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, h.size(), h.data()),
      spectrum(device.context, CL_MEM_READ_WRITE, convolution.spectrum_bytes()),
      out(device.context, CL_MEM_WRITE_ONLY, y.size());
  convolution.prepare(device.queue, taps, spectrum);
  convolution.apply(device.queue, in, spectrum, out);
  device.queue.enqueueReadBuffer(out, CL_TRUE, 0, y.size(), y.data());
  return y;
}

std::vector<std::byte> on_interpreter(const ConvolutionShape& shape, const Way& way,
                                      std::vector<std::byte> x, std::vector<std::byte> h) {
  std::vector<std::size_t> points;
  for (std::size_t d = 0; d < shape.signal.size(); ++d) {
    const std::size_t least = signal::least_points(shape, d);
    const bool padded = shape.kernel[d] > 1 && shape.extent != Extent::circular;
    points.push_back(padded ? plan::convolution_lengths(least)[0] : least);
  }
  if (way.points > 0) points = {way.points};
  const auto parts = signal::convolution_parts(
      shape, points, way.points > 0 ? way.cut : signal::ConvolutionWay::whole);
  const Mapping mapping = way.on == Way::vector ? Mapping::vector : Mapping::work_group;
  auto spectrum = interpreted(parts.prepare, mapping, std::move(h), {});
  if (parts.spectra) x = interpreted(*parts.spectra, mapping, std::move(x), {});
  return interpreted(parts.run, mapping, std::move(x), {std::move(spectrum)});
}

template <class Real>
std::vector<Complex> computed(const ConvolutionShape& shape, const Way& way,
                              const std::vector<Complex>& signal,
                              const std::vector<Complex>& kernel) {
  auto x = packed<Real>(signal, shape.complex), h = packed<Real>(kernel, shape.complex);
  const bool halves = shape.precision == Precision::f16;
  if (halves) x = halved(x);
  auto y = way.on == Way::device ? on_device(shape, std::move(x), std::move(h), way.options)
                                 : on_interpreter(shape, way, std::move(x), std::move(h));
  if (halves) y = widened(y);
  return unpacked<Real>(y, shape.complex);
}

void compare(const ConvolutionShape& shape, const Way& way) {
  signal::check_convolution(shape);
  const std::size_t kernels = shape.of == Kernels::shared ? 1
                              : shape.of == Kernels::each ? shape.batch
                                                          : shape.kernels;
  const std::size_t n = product(shape.signal), m = product(shape.kernel), c = shape.channels;
  auto signal = numbers(n * c * shape.batch, 1, !shape.complex);
  const auto kernel = numbers(m * c * kernels, 2, !shape.complex);
  for (std::size_t i = 0; i < signal.size(); ++i)
    signal[i] *= std::exp2(catalogue::exponent_of(i / (n * c), shape.precision));
  const bool f64 = shape.precision == Precision::f64;
  const double tolerance = f64 ? 1e-13 : shape.precision == Precision::f32 ? 2e-5 : 2e-3;
  const auto found = f64 ? computed<double>(shape, way, signal, kernel)
                         : computed<float>(shape, way, signal, kernel);
  const std::size_t points = product(signal::result_lengths(shape));
  const std::size_t results = shape.of == Kernels::all ? kernels : 1;
  REQUIRE(found.size() == shape.batch * results * points);
  for (std::size_t at = 0; at < shape.batch * results; ++at) {
    const std::size_t b = at / results, own = shape.of == Kernels::each ? b : at % results;
    catalogue::Numbers wanted(points);
    for (std::size_t i = 0; i < c; ++i) {
      const auto one = catalogue::convolved(shape, wide(signal, (b * c + i) * n, n),
                                            wide(kernel, (own * c + i) * m, m));
      for (std::size_t t = 0; t < points; ++t) wanted[t] += one[t];
    }
    double worst = 0, largest = 0;
    for (std::size_t t = 0; t < points; ++t) {
      const Complex want(wanted[t]);
      const double error = std::abs(found[at * points + t] - want);
      worst = test::larger(worst, error);
      largest = std::max(largest, std::abs(want));
    }
    CAPTURE(at);
    CHECK(worst <= tolerance * largest);
  }
}

constexpr Extent kExtents[] = {Extent::full, Extent::same, Extent::valid, Extent::circular};

void on_both_mappings(const ConvolutionShape& shape) {
  compare(shape, {Way::vector});
  compare(shape, {Way::work_group});
}

void over_extents(ConvolutionShape shape) {
  for (const Extent extent : kExtents) {
    for (const bool correlate : {false, true}) {
      shape.extent = extent, shape.correlate = correlate;
      CAPTURE(static_cast<int>(extent), correlate, shape.complex);
      on_both_mappings(shape);
    }
  }
}

}  // namespace

TEST_CASE("Convolutions along one axis in every extent") {
  for (const bool complex : {false, true})
    over_extents({.signal = {40}, .kernel = {9}, .complex = complex, .batch = 3});
  over_extents({.signal = {31}, .kernel = {8}, .batch = 2});
}

TEST_CASE("Convolutions along several axes, and along some of them") {
  over_extents({.signal = {9, 14}, .kernel = {4, 3}, .batch = 2});
  over_extents({.signal = {9, 14}, .kernel = {4, 3}, .complex = true});
  over_extents({.signal = {5, 6, 12}, .kernel = {2, 3, 4}});
  over_extents({.signal = {7, 10}, .kernel = {3, 1}, .batch = 2});
  over_extents({.signal = {4, 6, 10}, .kernel = {3, 1, 4}});
  over_extents({.signal = {5, 4}, .kernel = {1, 1}, .batch = 2});
}

TEST_CASE("Real convolutions at a right angle") {
  const auto check = [](ConvolutionShape shape) {
    const std::size_t least = signal::least_at_right_angle(shape);
    REQUIRE(least > 0);
    for (const std::size_t points : {plan::convolution_lengths(least)[0], least + 40 - least % 8}) {
      CAPTURE(points, shape.signal, shape.kernel);
      for (const auto on : {Way::vector, Way::work_group})
        compare(shape, {on, points, {}, signal::ConvolutionWay::right_angle});
    }
  };
  for (const Extent extent : {Extent::full, Extent::same, Extent::valid}) {
    for (const bool correlate : {false, true}) {
      ConvolutionShape shape{.signal = {61}, .kernel = {20}, .extent = extent, .batch = 3};
      shape.correlate = correlate;
      CAPTURE(static_cast<int>(extent), correlate);
      check(shape);
      shape.signal = {12}, shape.kernel = {7};  // the second half has no samples
      check(shape);
      shape.signal = {500}, shape.kernel = {300}, shape.of = Kernels::each;
      check(shape);
      shape.of = Kernels::all, shape.kernels = 2, shape.precision = Precision::f64;
      check(shape);
    }
  }
  check({.signal = {90}, .kernel = {31}, .precision = Precision::f16, .batch = 2});
  CHECK(signal::least_at_right_angle({.signal = {90}, .kernel = {31}, .complex = true}) == 0);
  CHECK(signal::least_at_right_angle({.signal = {9, 9}, .kernel = {3, 3}}) == 0);
  CHECK(signal::least_at_right_angle(
            {.signal = {90}, .kernel = {31}, .extent = Extent::circular}) == 0);
}

TEST_CASE("Convolutions with a kernel each, and with all kernels") {
  for (const bool complex : {false, true}) {
    ConvolutionShape shape{.signal = {20}, .kernel = {6}, .complex = complex, .batch = 3};
    shape.of = Kernels::each;
    over_extents(shape);
    shape.of = Kernels::all, shape.kernels = 4;
    over_extents(shape);
  }
  ConvolutionShape images{.signal = {8, 9}, .kernel = {3, 2}, .batch = 2};
  images.of = Kernels::each;
  on_both_mappings(images);
  images.of = Kernels::all, images.kernels = 3;
  on_both_mappings(images);
}

TEST_CASE("Convolutions whose channels are summed", "[long]") {
  for (const bool complex : {false, true}) {
    ConvolutionShape shape{.signal = {20}, .kernel = {6}, .complex = complex, .batch = 2};
    shape.channels = 3;
    over_extents(shape);
    shape.of = Kernels::each, shape.channels = 10;
    on_both_mappings(shape);
    shape.of = Kernels::all, shape.kernels = 4, shape.channels = 2;
    over_extents(shape);
    shape.precision = Precision::f64;
    on_both_mappings(shape);
    compare(shape, {Way::device});
    ConvolutionShape images{.signal = {8, 9}, .kernel = {3, 2}, .complex = complex, .batch = 2};
    images.channels = 3, images.of = Kernels::all, images.kernels = 5;
    over_extents(images);
    compare(images, {Way::device});
    // A kernel of one element: a product of matrices.
    images.kernel = {1, 1};
    on_both_mappings(images);
    images.kernel = {3, 1}, images.precision = Precision::f16;
    on_both_mappings(images);
  }
}

TEST_CASE("Calls with channels take turns with their memory, whatever their queues") {
  static const Device device;
  ConvolutionShape shape{.signal = {50}, .kernel = {4}, .batch = 2, .channels = 3};
  shape.ends = {{hook::scale("loud")}, {hook::scale("gain")}};
  const Convolution convolution(device.context, device.device, shape);
  CHECK(convolution.signal_bytes() == 2 * 3 * 50 * 4);
  CHECK(convolution.kernel_bytes() == 3 * 4 * 4);
  CHECK(convolution.result_bytes() == 2 * 53 * 4);
  const cl::CommandQueue queues[] = {
      {device.context, device.device},
      {device.context, device.device, cl::QueueProperties::OutOfOrder},
      {device.context, device.device}};
  std::vector<float> kernel(12, 0);
  kernel[0] = kernel[4] = kernel[8] = 1;  // sums
  const cl::Buffer taps(device.context, CL_MEM_COPY_HOST_PTR, convolution.kernel_bytes(),
                        kernel.data()),
      spectrum(device.context, CL_MEM_READ_WRITE, convolution.spectrum_bytes());
  convolution.prepare(queues[0], taps, spectrum);
  queues[0].finish();
  constexpr std::size_t kCalls = 24;
  std::vector<cl::Buffer> in, out;
  std::vector<cl::Event> done(kCalls);
  for (std::size_t i = 0; i < kCalls; ++i) {
    std::vector<float> signal(300, static_cast<float>(i + 1));
    in.push_back(cl::Buffer(device.context, CL_MEM_COPY_HOST_PTR, convolution.signal_bytes(),
                            signal.data()));
    out.push_back(cl::Buffer(device.context, CL_MEM_READ_WRITE, convolution.result_bytes()));
  }
  for (std::size_t i = 0; i < kCalls; ++i) {
    Call call{.arguments = {{"gain", 2.0}, {"loud", 0.5}}};
    if (i % 5 != 1) call.event = &done[i];
    if (i > 3 && done[i - 3]()) call.waits = {done[i - 3]};
    convolution.apply(queues[i * 7 % 3], in[i], spectrum, out[i], call);
  }
  for (const cl::CommandQueue& queue : queues) queue.finish();
  std::vector<float> result(106);
  for (std::size_t i = 0; i < kCalls; ++i) {
    queues[0].enqueueReadBuffer(out[i], CL_TRUE, 0, 424, result.data());
    for (std::size_t t = 0; t < 106; ++t)
      CHECK(result[t] == Approx(t % 53 < 50 ? 3.0 * static_cast<double>(i + 1) : 0).margin(1e-3));
  }
  const auto run = [&](std::vector<Argument> arguments) {
    convolution.apply(queues[0], in[0], spectrum, out[0], {.arguments = std::move(arguments)});
  };
  CHECK_THROWS_WITH(run({{"gain", 2.0}}), ContainsSubstring("loud"));
  CHECK_THROWS_WITH(run({{"loud", 2.0}}), ContainsSubstring("gain"));
  CHECK_THROWS_WITH(run({{"loud", 2.0}, {"gain", 1.0}, {"other", 1.0}}),
                    ContainsSubstring("other"));
}

TEST_CASE("Convolutions in blocks") {
  for (const bool complex : {false, true}) {
    for (const Extent extent : {Extent::full, Extent::same, Extent::valid}) {
      for (const bool correlate : {false, true}) {
        ConvolutionShape shape{.signal = {503}, .kernel = {20}, .extent = extent};
        shape.correlate = correlate, shape.complex = complex, shape.batch = 2;
        compare(shape, {Way::vector, 64});
        compare(shape, {Way::work_group, 96});
        shape.of = Kernels::all, shape.kernels = 2;
        compare(shape, {Way::work_group, 64});
      }
    }
  }
}

TEST_CASE("Convolutions in double precision and of odd lengths") {
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{100}}) {
    for (const std::size_t m : {std::size_t{1}, std::size_t{2}, std::size_t{16}, std::size_t{40}}) {
      on_both_mappings({.signal = {n}, .kernel = {m}, .precision = Precision::f64});
      on_both_mappings({.signal = {n}, .kernel = {m}, .extent = Extent::same, .complex = true});
    }
  }
  // A circular convolution uses the signal's length unchanged.
  for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{37}, std::size_t{1009}})
    on_both_mappings({.signal = {n},
                      .kernel = {std::min<std::size_t>(n, 5)},
                      .extent = Extent::circular,
                      .precision = Precision::f64});
}

TEST_CASE("Convolutions on a device, with lengths and blocks as they are chosen", "[long]") {
  compare({.signal = {40}, .kernel = {9}, .batch = 3}, {Way::device});
  compare({.signal = {2000}, .kernel = {1000}, .batch = 3}, {Way::device});
  compare({.signal = {20011}, .kernel = {20}, .complex = true}, {Way::device});
  compare({.signal = {9, 14}, .kernel = {4, 3}, .extent = Extent::same, .correlate = true},
          {Way::device});
}

TEST_CASE("Random convolutions on generic kernels", "[convolution][random]") {
  over_seeds(400, [](catalogue::Random& random) {
    const auto below = [&](std::uint64_t count) { return std::size_t{random.below(count)}; };
    ConvolutionShape shape;
    const std::size_t axes = 1 + below(3);
    for (std::size_t d = 0; d < axes; ++d) {
      shape.signal.push_back(1 + below(axes == 1 ? 200 : axes == 2 ? 20 : 8));
      shape.kernel.push_back(1 + below(shape.signal[d]));
    }
    shape.extent = kExtents[below(4)];
    shape.correlate = below(2) == 0, shape.complex = below(2) == 0;
    constexpr Precision kPrecisions[] = {Precision::f32, Precision::f64, Precision::f16};
    shape.precision = kPrecisions[below(3)];
    shape.batch = 1 + below(3), shape.channels = below(3) == 0 ? 1 + below(3) : 1;
    if (below(3) == 0) shape.of = Kernels::each;
    if (below(3) == 0) shape.of = Kernels::all, shape.kernels = 1 + below(3);
    compare(shape, {Way::device, 0, on_generic_kernels()});
  });
}

TEST_CASE("A deterministic convolution gives a signal the bits that it has alone", "[long]") {
  for (const std::size_t n : {std::size_t{8}, std::size_t{2000}}) {
    ConvolutionShape shape{.signal = {n}, .kernel = {n / 2 - 1}};
    const auto x = packed<float>(numbers(n * 3, 1, true), false),
               h = packed<float>(numbers(shape.kernel[0], 2, true), false);
    const Options options{.profiles = false, .deterministic = true};
    const auto alone = on_device(shape, {x.begin(), x.begin() + 4 * std::ptrdiff_t(n)}, h, options);
    shape.batch = 3;
    auto together = on_device(shape, x, h, options);
    together.resize(alone.size());
    CHECK((together == alone));
  }
}

TEST_CASE("Convolutions of halves") {
  for (const bool complex : {false, true}) {
    on_both_mappings(
        {.signal = {40}, .kernel = {9}, .complex = complex, .precision = Precision::f16});
    on_both_mappings(
        {.signal = {9, 14}, .kernel = {4, 3}, .complex = complex, .precision = Precision::f16});
  }
  compare({.signal = {40}, .kernel = {9}, .precision = Precision::f16, .batch = 2}, {Way::device});
}

TEST_CASE("Convolutions with hooks of their own") {
  static const Device device;
  ConvolutionShape shape{.signal = {30}, .kernel = {4}};
  shape.ends = {{hook::from_integer(Integer::i16, 0.5), hook::window(0, "w")},
                {hook::scale("gain"), hook::to_integer(Integer::i16)}};
  shape.spectrum = {hook::scale(2)};
  const Convolution convolution(device.context, device.device, shape);
  const std::size_t points = convolution.points().at(0);
  REQUIRE(points >= 33);
  std::vector<std::int16_t> signal(30), result(33);
  std::vector<float> kernel{1, -2, 3, 4}, window(points, 1);
  for (std::size_t i = 0; i < signal.size(); ++i) {
    signal[i] = static_cast<std::int16_t>(40 * i % 77);
    window[i] = i % 2 == 0 ? 2 : 4;
  }
  cl::Buffer x(device.context, CL_MEM_COPY_HOST_PTR, signal.size() * sizeof(std::int16_t),
               signal.data()),
      h(device.context, CL_MEM_COPY_HOST_PTR, kernel.size() * sizeof(float), kernel.data()),
      w(device.context, CL_MEM_COPY_HOST_PTR, 4 * points, window.data()),
      spectrum(device.context, CL_MEM_READ_WRITE, convolution.spectrum_bytes()),
      y(device.context, CL_MEM_READ_WRITE, convolution.result_bytes());
  REQUIRE(convolution.result_bytes() == 66);
  convolution.prepare(device.queue, h, spectrum);
  convolution.apply(device.queue, x, spectrum, y, {.arguments = {{"w", w}, {"gain", 3.0}}});
  device.queue.enqueueReadBuffer(y, CL_TRUE, 0, 66, result.data());
  for (std::size_t t = 0; t < result.size(); ++t) {
    double sum = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      if (t >= j && t - j < 30) sum += kernel[j] * 0.5 * signal[t - j] * window[t - j];
    }
    CHECK(std::abs(result[t] - 6 * sum) <= 1);
  }
  shape.ends.load[0] = hook::from_integer(Integer::i16, std::nan(""));
  CHECK_THROWS_WITH(Convolution(device.context, device.device, shape),
                    ContainsSubstring("ends.load[0].scale"));
  const auto refused = [&](const ConvolutionShape& wrong, const char* field) {
    CHECK_THROWS_WITH(Convolution(device.context, device.device, wrong),
                      Catch::Matchers::StartsWith(field));
  };
  // imago's own hooks are not counted, for one channel and for several.
  for (const std::size_t channels : {1, 2}) {
    CAPTURE(channels);
    ConvolutionShape wrong{.signal = {30}, .kernel = {4}};
    wrong.channels = channels;
    wrong.ends.load = {hook::scale(2), hook::scale(std::nan(""))};
    refused(wrong, "ends.load[1].factor is nan");
    wrong.ends = {{}, {hook::scale(std::nan(""))}};
    refused(wrong, "ends.store[0].factor is nan");
    wrong.ends = {};
    wrong.spectrum = {hook::scale(2), hook::scale(std::nan(""))};
    refused(wrong, "spectrum[1].factor is nan");
  }
}

TEST_CASE("Arrays that a convolution cannot take have its own names") {
  const Device device;
  for (const std::size_t channels : {1, 2}) {
    CAPTURE(channels);
    ConvolutionShape shape{.signal = {100}, .kernel = {7}};
    shape.channels = channels;
    const Convolution convolution(device.context, device.device, shape);
    const cl::Buffer kernels = device.allocate(convolution.kernel_bytes()),
                     spectrum = device.allocate(convolution.spectrum_bytes()),
                     signal = device.allocate(convolution.signal_bytes()),
                     result = device.allocate(convolution.result_bytes()),
                     small = device.allocate(4), null;
    const auto refused = [](const auto& call, const char* front) {
      CHECK_THROWS_AS(call(), InvalidArgument);
      CHECK_THROWS_WITH(call(), ContainsSubstring(front));
    };
    const auto prepare = [&](const cl::Buffer& from, const cl::Buffer& to) {
      return [&] { convolution.prepare(device.queue, from, to); };
    };
    const auto run = [&](const cl::Buffer& from, const cl::Buffer& by, const cl::Buffer& to) {
      return [&] { convolution.apply(device.queue, from, by, to); };
    };
    refused(prepare(small, spectrum), "kernels is 4 bytes");
    refused(prepare(kernels, small), "spectrum is 4 bytes");
    refused(run(null, spectrum, result), "signal is null");
    refused(run(signal, null, result), "spectrum is null");
    refused(run(signal, small, result), "spectrum is 4 bytes");
    refused(run(signal, spectrum, small), "result is 4 bytes");
    const cl::Buffer large = device.allocate(4096);
    refused(prepare(large, large), "must not overlap kernels");
    refused(run(signal, large, large), "result is bytes 0 to ");
    if (channels == 1) refused(run(large, spectrum, large), "result is bytes 0 to ");
    convolution.prepare(device.queue, kernels, spectrum);
    convolution.apply(device.queue, signal, spectrum, result);
    device.queue.finish();
  }
}

TEST_CASE("Bad convolutions") {
  const auto refused = [](const ConvolutionShape& shape, const char* why) {
    CHECK_THROWS_AS(signal::check_convolution(shape), InvalidArgument);
    CHECK_THROWS_WITH(signal::check_convolution(shape), ContainsSubstring(why));
  };
  refused({}, "signal");
  refused({.signal = {8}, .kernel = {2, 2}}, "kernel");
  refused({.signal = {0}, .kernel = {2}}, "signal[0]");
  refused({.signal = {8}, .kernel = {0}}, "kernel[0]");
  refused({.signal = {8}, .kernel = {9}, .extent = Extent::valid}, "kernel[0]");
  refused({.signal = {8}, .kernel = {9}, .extent = Extent::circular}, "kernel[0]");
  ConvolutionShape shape{.signal = {8}, .kernel = {3}};
  shape.batch = 0;
  refused(shape, "batch");
  shape.batch = 1, shape.kernels = 2;
  refused(shape, "kernels");
  shape.of = Kernels::all, shape.kernels = 0;
  refused(shape, "kernels");
  shape.kernels = 1, shape.channels = 0;
  refused(shape, "channels");
  shape.channels = std::size_t{1} << 62;
  refused(shape, "the size of the convolution is too large");
  shape.channels = 1, shape.extent = static_cast<Extent>(99);
  refused(shape, "extent is 99; it must be 0 (full), 1 (same), 2 (valid) or 3 (circular)");
  shape.extent = Extent::full, shape.of = static_cast<Kernels>(3);
  refused(shape, "of is 3; it must be 0 (shared), 1 (each) or 2 (all)");
}
