// This file compares zooms and chirp z-transforms with direct sums in long double, whose phases are
// exact integers.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <map>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "api/support.hpp"
#include "base/integers.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/errors.hpp"
#include "catalogue/host_memory.hpp"
#include "catalogue/random.hpp"
#include "hooks/trial.hpp"
#include "plan/convolution_lengths.hpp"
#include "problem/make_problem.hpp"
#include "signal/zoom.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::test;

namespace {

using Wide = std::complex<long double>;

/// A zoom, whose frequencies are integers times from / rate and so on.
struct Zoomed {
  ZoomTransform zoom;
  Options options = {};  ///< options of plans on a device

  std::size_t axis() const { return zoom.axis.value_or(zoom.lengths.size() - 1); }
  std::size_t n() const { return zoom.lengths[axis()]; }
  std::size_t inner() const { return product(axis() + 1, zoom.lengths.size()); }
  std::size_t outer() const { return zoom.batch * product(0, axis()); }
  std::size_t lines() const { return inner() * outer(); }
  bool real() const { return zoom.signal.storage == Storage::real; }
  bool f64() const { return zoom.precision == Precision::f64; }
  /// The published bound of a filter.
  double bound() const {
    const std::size_t points = signal::least_points(zoom);
    return 3 * catalogue::error_bound(zoom.precision, points,
                                      catalogue::uses_pairs(default_device().device, {}));
  }

 private:
  std::size_t product(std::size_t begin, std::size_t end) const {
    std::size_t points = 1;
    for (std::size_t d = begin; d < end; ++d) points *= zoom.lengths[d];
    return points;
  }
};

Wide turned(std::uint64_t phase, std::uint64_t order) {
  const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(phase) /
                            static_cast<long double>(order);
  return {std::cos(angle), std::sin(angle)};
}

/// Returns row j of factors exp(-2 pi i j f[k]), or z[k]^-j.
std::vector<Wide> factors(const Zoomed& trial, std::uint64_t j) {
  const ZoomTransform& zoom = trial.zoom;
  std::vector<Wide> row(zoom.points);
  if (zoom.spiral) {
    const Wide start(zoom.spiral->start);
    const Wide ratio = zoom.spiral->ratio ? Wide(*zoom.spiral->ratio) : turned(1, zoom.points);
    for (std::size_t k = 0; k < zoom.points; ++k)
      row[k] = std::pow(std::exp(-std::log(start) + static_cast<long double>(k) * std::log(ratio)),
                        static_cast<long double>(j));
    return row;
  }
  // Frequency k is (from steps + k (to - from)) / (rate steps), all of them integers.
  const std::uint64_t steps =
      zoom.endpoint ? std::max<std::size_t>(1, zoom.points - 1) : zoom.points;
  const auto order = static_cast<std::uint64_t>(zoom.rate) * steps;
  const auto modulo = [&](std::int64_t value) {
    const auto signed_order = static_cast<std::int64_t>(order);
    return static_cast<std::uint64_t>((value % signed_order + signed_order) % signed_order);
  };
  const std::uint64_t first = modulo(static_cast<std::int64_t>(zoom.from * double(steps))),
                      step = modulo(static_cast<std::int64_t>(zoom.to - zoom.from));
  for (std::size_t k = 0; k < zoom.points; ++k)
    row[k] = turned(
        base::multiply_modulo(j, (first + base::multiply_modulo(k, step, order)) % order, order),
        order);
  return row;
}

/// Returns the results of forward() or adjoint(), sum by sum.
std::vector<Wide> summed(const Zoomed& trial, const std::vector<Complex>& x, bool adjoint) {
  const std::size_t n = trial.n(), m = trial.zoom.points, inner = trial.inner();
  std::vector<Wide> y(trial.lines() * (adjoint ? n : m));
  for (std::size_t j = 0; j < n; ++j) {
    const auto row = factors(trial, j);
    for (std::size_t line = 0; line < trial.lines(); ++line) {
      const std::size_t o = line / inner, i = line % inner, at = (o * n + j) * inner + i;
      for (std::size_t k = 0; k < m; ++k) {
        const std::size_t own = (o * m + k) * inner + i;
        if (adjoint)
          y[at] += std::conj(row[k]) * Wide(x[own]);
        else
          y[own] += row[k] * Wide(x[at]);
      }
    }
  }
  if (adjoint && trial.real()) std::for_each(y.begin(), y.end(), [](Wide& v) { v = v.real(); });
  return y;
}

template <class Real>
std::vector<std::byte> packed(const std::vector<Complex>& values, bool real) {
  std::vector<Real> numbers;
  for (const Complex& value : values) {
    numbers.push_back(static_cast<Real>(value.real()));
    if (!real) numbers.push_back(static_cast<Real>(value.imag()));
  }
  const auto bytes = std::as_bytes(std::span(numbers));
  return {bytes.begin(), bytes.end()};
}

template <class Real>
std::vector<Complex> unpacked(const std::vector<std::byte>& bytes, bool real) {
  std::vector<Real> numbers(bytes.size() / sizeof(Real));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  std::vector<Complex> values;
  for (std::size_t i = 0; i < numbers.size(); i += real ? 1 : 2)
    values.emplace_back(numbers[i], real ? Real(0) : numbers[i + 1]);
  return values;
}

std::vector<std::byte> on_a_device(const Zoomed& trial, const std::vector<std::byte>& in,
                                   bool adjoint) {
  const Device& device = default_device();
  const ZoomPlan plan(device.context, device.device, trial.zoom, trial.options);
  if (trial.options.first_call == FirstCall::generic) check_generic(plan.describe());
  REQUIRE(in.size() == (adjoint ? plan.spectrum_bytes() : plan.signal_bytes()));
  const auto from = device.upload(in);
  const std::size_t bytes = adjoint ? plan.signal_bytes() : plan.spectrum_bytes();
  const auto to = device.allocate(bytes);
  adjoint ? plan.adjoint(device.queue, from, to) : plan.forward(device.queue, from, to);
  return device.download<std::byte>(to, bytes);
}

std::vector<std::byte> on_mapping(const ZoomTransform& zoom, Mapping mapping,
                                  std::vector<std::byte> in, bool adjoint) {
  signal::check_zoom(zoom);
  const std::size_t padded = plan::convolution_lengths(signal::least_points(zoom)).front();
  const auto parts = signal::zoom_parts(zoom, padded);
  const auto& part = adjoint ? parts.adjoint : parts.forward;
  std::map<std::string, std::vector<std::byte>> named;
  const auto all = signal::zoom_factors(zoom, padded);
  for (std::size_t i = 0; i < all.size(); ++i)
    named[signal::kZoomArguments[i]] = zoom.precision == Precision::f64
                                           ? packed<double>(all[i], false)
                                           : packed<float>(all[i], false);
  std::vector<std::vector<std::byte>> arguments;
  for (const auto& argument : problem::make_problem(part).arguments(false))
    arguments.push_back(named.at(argument.name));
  return interpreted(part, mapping, std::move(in), std::move(arguments));
}

/// Returns one direction of the zoom; automatic: on the device.
std::vector<Complex> computed(const Zoomed& trial, const std::vector<Complex>& x, bool adjoint,
                              Mapping mapping = Mapping::automatic) {
  const bool real_in = trial.real() && !adjoint, real_out = trial.real() && adjoint;
  auto in = trial.f64() ? packed<double>(x, real_in) : packed<float>(x, real_in);
  const auto out = mapping == Mapping::automatic
                       ? on_a_device(trial, in, adjoint)
                       : on_mapping(trial.zoom, mapping, std::move(in), adjoint);
  return trial.f64() ? unpacked<double>(out, real_out) : unpacked<float>(out, real_out);
}

/// Checks the error relative to the size that results have in the mean, because that of a few
/// frequencies may be small by chance. Lines differ in size.
void check(const Zoomed& trial, bool adjoint, Mapping mapping = Mapping::automatic) {
  const std::size_t from = adjoint ? trial.zoom.points : trial.n(),
                    to = adjoint ? trial.n() : trial.zoom.points, inner = trial.inner();
  auto x = numbers(trial.lines() * from, 1, trial.real() && !adjoint);
  const auto line_of = [inner](std::size_t at, std::size_t length) {
    return at / (length * inner) * inner + at % inner;
  };
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] *= std::exp2(catalogue::exponent_of(line_of(i, from), trial.zoom.precision));
  const auto found = computed(trial, x, adjoint, mapping);
  const auto wanted = summed(trial, x, adjoint);
  REQUIRE(found.size() == wanted.size());
  std::vector<long double> error(trial.lines()), size(trial.lines());
  for (std::size_t i = 0; i < x.size(); ++i)
    size[line_of(i, from)] += std::norm(Wide(x[i])) * static_cast<long double>(to);
  for (std::size_t i = 0; i < found.size(); ++i)
    error[line_of(i, to)] += std::norm(Wide(found[i]) - wanted[i]);
  catalogue::Errors errors;
  for (std::size_t i = 0; i < error.size(); ++i) errors.add(error[i], size[i]);
  CAPTURE(trial.n(), trial.zoom.points, trial.zoom.from, trial.zoom.to, trial.zoom.rate, adjoint,
          trial.real(), trial.f64(), trial.axis());
  CHECK(errors.worst().error <= trial.bound());
}

void check_both(const Zoomed& trial, Mapping mapping = Mapping::automatic) {
  for (const bool adjoint : {false, true}) check(trial, adjoint, mapping);
}

void on_both_mappings(Zoomed trial) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const Storage storage : {Storage::interleaved, Storage::real}) {
      trial.zoom.precision = precision, trial.zoom.signal.storage = storage;
      check_both(trial, Mapping::vector);
      check_both(trial, Mapping::work_group);
    }
  }
}

/// Returns a random range of rational frequencies.
Zoomed random_zoom(catalogue::Random& random, std::size_t most) {
  Zoomed trial;
  trial.zoom.lengths = {1 + random.below(most)};
  trial.zoom.points = 1 + random.below(most);
  trial.zoom.rate = static_cast<double>(1 + random.below(1u << 20));
  const auto any = [&] { return std::floor(random.uniform() * 2 * trial.zoom.rate); };
  trial.zoom.from = any(), trial.zoom.to = any();
  trial.zoom.endpoint = random.below(2) == 1;
  return trial;
}

/// Returns the launches of a direction for the length that a plan chooses.
std::size_t launches(const ZoomTransform& zoom) {
  return ZoomPlan::estimate(default_device().device, zoom).kernels;
}

}  // namespace

TEST_CASE("Zooms along any axis, of batches, real and complex, and their adjoints", "[zoom]") {
  on_both_mappings({{.lengths = {40}, .batch = 3, .points = 9, .from = 1, .to = 3, .rate = 7}});
  on_both_mappings({{.lengths = {9}, .batch = 2, .points = 40, .from = -5, .to = 3, .rate = 11}});
  on_both_mappings({{.lengths = {5, 12, 3}, .axis = 1, .batch = 2, .points = 7, .rate = 3}});
  on_both_mappings({{.lengths = {12, 5}, .axis = 0, .points = 30, .to = 4, .rate = 9}});
  on_both_mappings({{.lengths = {1}, .points = 1}});
  on_both_mappings({{.lengths = {1, 3}, .points = 1, .endpoint = true}});
}

TEST_CASE("Zooms of random lengths and ranges on the host interpreter", "[zoom]") {
  catalogue::Random random(7);
  for (int i = 0; i < 6; ++i) on_both_mappings(random_zoom(random, 300));
}

TEST_CASE("Zooms on a device", "[zoom][long]") {
  catalogue::Random random(8);
  for (int i = 0; i < 8; ++i) {
    Zoomed trial = random_zoom(random, 2500);
    trial.zoom.batch = 1 + random.below(3);
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      trial.zoom.precision = precision;
      trial.zoom.signal.storage = random.below(2) == 0 ? Storage::real : Storage::interleaved;
      check_both(trial);
    }
  }
}

TEST_CASE("Random zooms on generic kernels", "[zoom][random]") {
  over_seeds(300, [](catalogue::Random& random) {
    Zoomed trial = random_zoom(random, 150);
    trial.options = on_generic_kernels();
    ZoomTransform& zoom = trial.zoom;
    if (random.below(3) == 0) zoom.lengths.push_back(1 + random.below(4)), zoom.axis = 0;
    zoom.batch = 1 + random.below(3);
    if (random.below(2) == 0) zoom.precision = Precision::f64;
    if (random.below(2) == 0) zoom.signal.storage = Storage::real;
    check_both(trial);
  });
}

TEST_CASE("4096 samples to 1024 frequencies are one kernel", "[zoom]") {
  const cl::Device& device = default_device().device;
  const bool cpu = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
  // A work-group holds a padded row of f32 in 48 KB of local memory, but none of f64.
  if (!cpu && device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>() < 49152) return;
  for (const Storage storage : {Storage::interleaved, Storage::real}) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      if (!cpu && precision == Precision::f64) continue;
      ZoomTransform zoom{.precision = precision, .lengths = {4096}, .batch = 16, .points = 1024};
      zoom.from = 990, zoom.to = 1010, zoom.rate = 48000, zoom.signal.storage = storage;
      CHECK(launches(zoom) == 1);
      zoom.directions = Directions::inverse;
      CHECK(launches(zoom) == 1);
    }
  }
  Zoomed trial{{.lengths = {4096}, .points = 1024, .from = 990, .to = 1010, .rate = 48000}};
  trial.zoom.precision = Precision::f64;
  check_both(trial);
}

TEST_CASE("<A x, y> is <x, A* y>", "[zoom][long]") {
  catalogue::Random random(9);
  Zoomed trial = random_zoom(random, 600);
  trial.zoom.lengths = {3, 400, 5}, trial.zoom.axis = 1, trial.zoom.precision = Precision::f64;
  for (const Storage storage : {Storage::interleaved, Storage::real}) {
    trial.zoom.signal.storage = storage;
    const auto x = numbers(trial.lines() * trial.n(), 1, trial.real());
    const auto y = numbers(trial.lines() * trial.zoom.points, 2, false);
    const auto ax = computed(trial, x, false), ay = computed(trial, y, true);
    Complex left = 0, right = 0;
    double sizes[2] = {};
    for (std::size_t i = 0; i < y.size(); ++i)
      left += ax[i] * std::conj(y[i]), sizes[0] += std::norm(ax[i]), sizes[1] += std::norm(y[i]);
    for (std::size_t i = 0; i < x.size(); ++i) right += x[i] * std::conj(ay[i]);
    // Over real signals, the scalar product of the spectra is its real part.
    if (trial.real()) left = left.real();
    CHECK(std::abs(left - right) <= trial.bound() * std::sqrt(sizes[0] * sizes[1]));
  }
}

TEST_CASE("Chirp z-transforms on spirals", "[zoom]") {
  for (const auto& [start, ratio] :
       {std::pair(Complex(1.1, 0.2), std::polar(0.99995, -0.01)),
        std::pair(Complex(0, -0.97), std::polar(1.0001, 0.3)),
        std::pair(Complex(-1, 0), std::polar(1.0, 2.5)), std::pair(Complex(1.01, 0), Complex(0))}) {
    Zoomed trial{{.precision = Precision::f64, .lengths = {70}, .batch = 2, .points = 90}};
    trial.zoom.spiral = Spiral{start};
    if (ratio != 0.0) trial.zoom.spiral->ratio = ratio;
    const auto x = numbers(140, 3, false);
    for (const Mapping mapping : {Mapping::automatic, Mapping::vector, Mapping::work_group}) {
      for (const bool adjoint : {false, true}) {
        const auto in = numbers(adjoint ? 180 : 140, 3, false);
        const auto wanted = summed(trial, in, adjoint);
        std::vector<Complex> nearest(wanted.begin(), wanted.end());
        CHECK(distance(computed(trial, in, adjoint, mapping), nearest) < 1e-12);
      }
    }
  }
}

/// Returns the largest error of a result, relative to the sum of the magnitudes of its terms.
long double error_of_terms(const Zoomed& trial, const std::vector<Complex>& x, bool adjoint,
                           Mapping mapping) {
  const auto found = computed(trial, x, adjoint, mapping);
  const auto wanted = summed(trial, x, adjoint);
  std::vector<long double> terms(wanted.size());
  for (std::size_t j = 0; j < trial.n(); ++j) {
    const auto row = factors(trial, j);
    for (std::size_t k = 0; k < row.size(); ++k)
      terms[adjoint ? j : k] += std::abs(row[k]) * std::abs(x[adjoint ? k : j]);
  }
  long double error = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const long double own = std::abs(Wide(found[i]) - wanted[i]) / terms[i];
    error = own <= error ? error : own;  // also if it is not a number
  }
  return error;
}

/// Returns a spiral whose chirp spreads over exp(spread).
Zoomed spiral_of(std::size_t n, std::size_t points, double spread, double start = 1) {
  const double span = static_cast<double>(n + points) / 2 - 1;
  Zoomed trial{{.precision = Precision::f64, .lengths = {n}, .points = points}};
  trial.zoom.spiral = Spiral{start, std::polar(std::exp(2 * spread / (span * span)), -0.3)};
  return trial;
}

TEST_CASE("Spirals are as accurate as the spread of their chirp allows", "[zoom]") {
  for (const auto& [n, points] : {std::pair(2, 101), std::pair(101, 3), std::pair(40, 40)}) {
    for (const double spread : {1.0, -5.0, 15.0, -25.0, 31.0}) {
      const Zoomed trial = spiral_of(n, points, spread, spread > 0 ? 1.01 : 0.97);
      signal::check_accuracy(trial.zoom, false);
      for (const bool adjoint : {false, true}) {
        const auto x = numbers(adjoint ? points : n, 1, false);
        CAPTURE(n, points, spread, adjoint);
        CHECK(error_of_terms(trial, x, adjoint, Mapping::vector) <=
              3 * catalogue::error_bound(Precision::f64, n + points - 1, false) *
                  std::exp(std::abs(spread)));
      }
    }
    // Without the check there would be no right digit.
    const Zoomed wide = spiral_of(n, points, 45);
    CHECK(error_of_terms(wide, numbers(n, 1, false), false, Mapping::vector) > 0.1);
  }
}

TEST_CASE("Spirals of one sample or one point are exact", "[zoom]") {
  Zoomed trial{{.precision = Precision::f64, .lengths = {1}, .points = 101}};
  trial.zoom.spiral = Spiral{0.5, std::polar(0.97, 0.2)};
  for (const Complex& found : computed(trial, {Complex(0.3, 2)}, false, Mapping::vector))
    CHECK(std::abs(found - Complex(0.3, 2)) < 3e-15);
  trial.zoom.lengths = {101}, trial.zoom.points = 1;
  trial.zoom.spiral->start = 0.99;
  const auto x = numbers(101, 1, false);
  CHECK(error_of_terms(trial, x, false, Mapping::vector) < 1e-15);
  for (const auto& [n, points] : {std::pair(1, 101), std::pair(101, 1)}) {
    trial.zoom.lengths = {std::size_t(n)}, trial.zoom.points = points;
    signal::check_accuracy(trial.zoom, true);
  }
}

TEST_CASE("Spirals without a right digit are rejected", "[zoom]") {
  const auto rejects = [](const Zoomed& trial, bool pairs, const char* text) {
    CHECK_THROWS_WITH(signal::check_accuracy(trial.zoom, pairs), ContainsSubstring(text));
  };
  // A tenth divided by the bound of 141 points, 4e-17 * 3 * (4 + log2 141), is exp(31.93).
  for (const double sign : {1.0, -1.0}) {
    signal::check_accuracy(spiral_of(70, 72, sign * 31.9).zoom, false);
    rejects(spiral_of(70, 72, sign * 32.0), false, "too wide: its chirp spreads over exp(32), and");
    signal::check_accuracy(spiral_of(70, 72, sign * 29.3).zoom, true);
    rejects(spiral_of(70, 72, sign * 29.4), true, "it may spread over exp(29.3). Give fewer");
  }
  signal::check_accuracy(spiral_of(1001, 2, 0, std::exp(0.499)).zoom, false);
  rejects(spiral_of(1001, 2, 0, std::exp(-0.501)), false, "its factors reach exp(501)");
  signal::check_accuracy(spiral_of(1001, 2, 0, std::exp(-0.049)).zoom, true);
  rejects(spiral_of(1001, 2, 0, std::exp(0.051)), true, "within exp(-50) and exp(50). Give fewer");
}

TEST_CASE("A zoom reads and writes strided arrays of half precision and planar storage", "[zoom]") {
  const Device& device = default_device();
  const auto x = noise<float>(20);
  ZoomTransform zoom{.lengths = {20}, .points = 6, .from = 1, .to = 2, .rate = 5};
  const ZoomPlan plain(device.context, device.device, zoom);
  const auto from = device.upload(x), to = device.allocate(plain.spectrum_bytes());
  plain.forward(device.queue, from, to);
  const auto wanted = device.download<std::complex<float>>(to, 6);
  zoom.signal = {.strides = {2}, .offset = 1, .storage = Storage::planar};
  zoom.spectrum = {.strides = {3}};
  const ZoomPlan strided(device.context, device.device, zoom);
  CHECK(strided.signal_bytes() == 40 * sizeof(float));
  CHECK(strided.spectrum_layout().strides == std::vector<std::size_t>{3});
  std::vector<float> re(40), im(40);
  for (std::size_t j = 0; j < 20; ++j) re[2 * j + 1] = x[j].real(), im[2 * j + 1] = x[j].imag();
  const auto far = device.upload(std::vector<std::complex<float>>(16, 9));
  const auto parts = std::pair(device.upload(re), device.upload(im));
  strided.forward(device.queue, Array::planar(parts.first, parts.second), far);
  const auto found = device.download<std::complex<float>>(far, 16);
  for (std::size_t k = 0; k < 16; ++k)
    CHECK(std::abs(found[k] - (k % 3 == 0 ? wanted[k / 3] : std::complex<float>(9))) < 1e-5);
}

TEST_CASE("Mistakes in zooms are named", "[zoom]") {
  const Device& device = default_device();
  const auto says = [&](ZoomTransform zoom, const char* text) {
    CHECK_THROWS_WITH(ZoomPlan(device.context, device.device, zoom), ContainsSubstring(text));
  };
  const ZoomTransform good{.lengths = {8}, .points = 4};
  const auto with = [&](auto change) {
    ZoomTransform zoom = good;
    change(zoom);
    return zoom;
  };
  says(with([](auto& z) { z.lengths = {}; }), "the size of lengths is 0; give one length");
  says(with([](auto& z) { z.lengths = {0}; }), "lengths[0] is 0; it must be from 1");
  says(with([](auto& z) { z.points = 0; }), "points is 0; it must be from 1");
  says(with([](auto& z) { z.axis = 1; }), "axis is 1; it must be a dimension of the signal");
  says(with([](auto& z) { z.batch = 0; }), "batch is 0");
  says(with([](auto& z) { z.rate = -1; }), "rate is -1; it must be finite and above 0");
  says(with([](auto& z) { z.rate = NAN; }), "rate is nan");
  says(with([](auto& z) { z.from = INFINITY; }), "from is inf; it must be finite");
  says(with([](auto& z) { z.to = 1e30; }), "to is 1e+30; it must be finite and at most 2^32");
  says(with([](auto& z) { z.spiral = Spiral{0, 1}; }), "spiral.start is (0,0); it must be finite");
  says(with([](auto& z) { z.spiral = Spiral{1, Complex(NAN, 1)}; }), "spiral.ratio is (nan,1)");
  says(with([](auto& z) { z.spiral = Spiral{1, 1.1}; }), "points off the unit circle need f64");
  says(with([](auto& z) {
         z.spiral = Spiral{1, 1e20}, z.precision = Precision::f64;
       }),
       "the spiral is too wide");
  says(with([](auto& z) { z.signal.strides = {1, 1}; }), "the size of signal.strides is 2");
  says(with([](auto& z) { z.spectrum.strides = {0}; }), "spectrum.strides[0]");
  CHECK_THROWS_WITH(ZoomPlan(device.context, device.device, good, {.recipe = "{}"}),
                    ContainsSubstring("options.recipe"));
  CHECK_THROWS_WITH(ZoomPlan(device.context, cl::Device(), good),
                    ContainsSubstring("device is null"));

  const ZoomPlan forward(device.context, device.device,
                         with([](auto& z) { z.directions = Directions::forward; }));
  const auto signal = device.allocate(forward.signal_bytes()),
             spectrum = device.allocate(forward.spectrum_bytes()), small = device.allocate(8);
  CHECK_THROWS_WITH(forward.adjoint(device.queue, spectrum, signal),
                    ContainsSubstring("adjoint() was not compiled"));
  CHECK_THROWS_WITH(forward.forward(device.queue, small, spectrum), ContainsSubstring("signal is"));
  CHECK_THROWS_WITH(forward.forward(device.queue, signal, spectrum, {.arguments = {{"gain", 1.0}}}),
                    ContainsSubstring("arguments is gain; leave it out"));
  CHECK_THROWS_WITH(
      forward.forward(device.queue, signal, spectrum, {.arguments = {{"zoom_filter", signal}}}),
      ContainsSubstring("arguments.zoom_filter is given twice"));
  const ZoomPlan adjoint(device.context, device.device,
                         with([](auto& z) { z.directions = Directions::inverse; }));
  CHECK(adjoint.signal_bytes() == forward.signal_bytes());
  CHECK(adjoint.spectrum_bytes() == forward.spectrum_bytes());
  CHECK_THROWS_WITH(adjoint.forward(device.queue, signal, spectrum),
                    ContainsSubstring("forward() was not compiled"));
  CHECK_THROWS_WITH(adjoint.adjoint(device.queue, small, signal), ContainsSubstring("spectrum is"));
  CHECK_THROWS_WITH(adjoint.adjoint(device.queue, spectrum, small), ContainsSubstring("signal is"));
}
