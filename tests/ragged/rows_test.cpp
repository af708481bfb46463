// This file compares transforms of rows of different lengths with FFTW in a higher precision.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <imago/ragged.hpp>

#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "catalogue/reference.hpp"
#include "problem/kinds.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

using Wide = long double;
using Complex = std::complex<Wide>;

/// The rows of one side in host memory. Real numbers have imaginary parts of 0.
struct Side {
  RowLayout layout;
  std::vector<std::size_t> counts;
  bool real = false;
  std::vector<Complex> elements;

  Complex& at(std::size_t row, std::size_t field, std::size_t j) {
    return elements.at(layout.offsets[row] + j * layout.stride + field * layout.distance);
  }
};

std::vector<std::size_t> spectrum_counts(const RaggedTransform& t) {
  if (!t.kept.empty()) return t.kept;
  std::vector<std::size_t> counts = t.lengths;
  if (t.kind == Kind::real)
    for (std::size_t& n : counts) n = n / 2 + 1;
  return counts;
}

Side side_of(const RaggedPlan& plan, bool spectrum) {
  const RaggedTransform& t = plan.transform();
  Side side;
  side.layout = spectrum ? plan.spectrum_layout() : plan.signal_layout();
  side.counts = spectrum ? spectrum_counts(t) : t.lengths;
  side.real = spectrum ? problem::is_trigonometric(t.kind) : t.kind != Kind::complex;
  const std::size_t bytes = spectrum ? plan.spectrum_bytes() : plan.signal_bytes();
  const std::size_t number = t.precision == Precision::f64 ? 8 : 4;
  side.elements.resize(bytes / (side.real ? number : 2 * number));
  return side;
}

template <class Real>
std::vector<Real> numbers_of(const Side& side) {
  std::vector<Real> numbers;
  for (const Complex& element : side.elements) {
    numbers.push_back(static_cast<Real>(element.real()));
    if (!side.real) numbers.push_back(static_cast<Real>(element.imag()));
  }
  return numbers;
}

template <class Real>
void take(Side& side, const std::vector<Real>& numbers) {
  for (std::size_t i = 0; i < side.elements.size(); ++i)
    side.elements[i] =
        side.real ? Complex(numbers[i]) : Complex(numbers[2 * i], numbers[2 * i + 1]);
}

/// Fills a side with numbers that the precision holds exactly.
void fill(Side& side, std::uint64_t seed) {
  catalogue::Random random(seed);
  const auto number = [&] { return static_cast<float>(random.uniform()); };
  for (Complex& element : side.elements) {
    const float re = number(), im = number();
    element = side.real ? Complex(re) : Complex(re, im);
  }
}

constexpr float kUntouched = 7777;

template <class Real>
void run_as(const RaggedPlan& plan, bool inverse, const Side& from, Side& to) {
  const Device& device = default_device();
  const cl::Buffer in = device.upload(numbers_of<Real>(from));
  std::fill(to.elements.begin(), to.elements.end(), Complex(kUntouched, kUntouched));
  const auto before = numbers_of<Real>(to);
  const cl::Buffer out = device.upload(before);
  inverse ? plan.inverse(device.queue, in, out) : plan.forward(device.queue, in, out);
  take(to, device.download<Real>(out, before.size()));
}

void run(const RaggedPlan& plan, bool inverse, const Side& from, Side& to) {
  plan.transform().precision == Precision::f64 ? run_as<double>(plan, inverse, from, to)
                                               : run_as<float>(plan, inverse, from, to);
}

/// FFTW's plans by length, for one kind, direction and norm.
class References {
 public:
  References(Kind kind, bool inverse, Norm norm) {
    case_.kind = kind, case_.norm = norm;
    case_.direction = inverse ? catalogue::Direction::inverse : catalogue::Direction::forward;
  }
  std::vector<Complex> result(const std::vector<Complex>& x, std::size_t n, bool real_in,
                              bool real_out) {
    auto& reference = known_[n];
    case_.lengths = {n};
    if (!reference) reference = std::make_unique<catalogue::Reference<Wide>>(case_);
    auto input = reference->input();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (real_in) {
        input[i] = x[i].real();
      } else {
        input[2 * i] = x[i].real(), input[2 * i + 1] = x[i].imag();
      }
    }
    const auto numbers = reference->run();
    std::vector<Complex> found;
    for (std::size_t i = 0; i < numbers.size(); i += real_out ? 1 : 2)
      found.push_back(real_out ? Complex(numbers[i]) : Complex(numbers[i], numbers[i + 1]));
    const auto scale = static_cast<Wide>(case_.scale());
    for (Complex& value : found) value *= scale;
    return found;
  }

 private:
  catalogue::Case case_;
  std::map<std::size_t, std::unique_ptr<catalogue::Reference<Wide>>> known_;
};

const std::vector<std::complex<double>>& factors_of(const RaggedTransform& t, bool inverse,
                                                    bool store) {
  const RowFactors& factors = inverse ? t.on_inverse : t.on_forward;
  return store ? factors.store : factors.load;
}

std::uint64_t largest_prime(std::uint64_t n) {
  std::uint64_t largest = 1;
  for (std::uint64_t p = 2; n > 1; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return largest;
}

/// True if an entry of a real row's spectrum is real by symmetry.
bool is_symmetric(const RaggedTransform& t, std::size_t row, std::size_t j) {
  return t.kind == Kind::real && (j == 0 || 2 * j == t.lengths[row]);
}

/// Checks each row of each field of one direction; elements of no row must be unchanged.
void check_direction(const RaggedPlan& plan, bool inverse, std::uint64_t seed) {
  const RaggedTransform& t = plan.transform();
  Side from = side_of(plan, inverse), to = side_of(plan, !inverse);
  fill(from, seed);
  run(plan, inverse, from, to);
  References references(t.kind, inverse, t.norm);
  const auto &before = factors_of(t, inverse, false), &after = factors_of(t, inverse, true);
  const bool spectrum_in = inverse;
  std::vector<bool> written(to.elements.size());
  std::size_t first_in = 0, first_out = 0;
  for (std::size_t row = 0; row < t.lengths.size(); ++row) {
    const std::size_t n = t.lengths[row], half = t.kind == Kind::real ? n / 2 + 1 : n;
    for (std::size_t field = 0; field < t.batch; ++field) {
      std::vector<Complex> x(spectrum_in ? half : n);
      Wide read = 0, multiplied = 0, most = 0;
      for (std::size_t j = 0; j < from.counts[row]; ++j) {
        Complex factor = before.empty() ? Complex(1) : Complex(before[first_in + j]);
        x[j] = from.at(row, field, j);
        if (spectrum_in && is_symmetric(t, row, j)) x[j] = x[j].real(), factor = factor.real();
        read += std::norm(x[j]), most = std::max(most, std::abs(factor));
        x[j] *= factor;
        multiplied += std::norm(x[j]);
      }
      const auto want = references.result(x, n, from.real, to.real);
      Wide error = 0, norm = 0;
      for (const Complex& value : want) norm += std::norm(value);
      for (std::size_t j = 0; j < to.counts[row]; ++j) {
        const Complex factor = after.empty() ? Complex(1) : Complex(after[first_out + j]);
        error += std::norm(to.at(row, field, j) - want[j] * factor);
        written[to.layout.offsets[row] + j * to.layout.stride + field * to.layout.distance] = true;
      }
      // The bound of a single transform, and three times it for large prime factors. The error of
      // two real elements that are one point is relative to the larger factor.
      const std::uint64_t points = problem::logical_length(t.kind, n);
      const double bound =
          (largest_prime(points) > 31 ? 6 : 2) * catalogue::error_bound(t.precision, points);
      const Wide rounding = t.precision == Precision::f64 ? 0x1p-52 : 0x1p-23;
      const Wide gain = multiplied > 0 ? std::sqrt(norm / multiplied) : 0;
      const Wide of_factors = (before.empty() ? 0 : rounding * most * std::sqrt(read) * gain) +
                              (after.empty() ? 0 : 2 * rounding * std::sqrt(norm));
      INFO("kind " << static_cast<int>(t.kind) << ", row " << row << " of " << n << ", field "
                   << field << " of " << t.batch << ", inverse " << inverse << ", seed " << seed
                   << ", error " << std::sqrt(static_cast<double>(error / norm)));
      REQUIRE(std::sqrt(error) <= bound * std::sqrt(norm) + of_factors);
    }
    first_in += from.counts[row], first_out += to.counts[row];
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!written[i]) REQUIRE(to.elements[i].real() == kUntouched);
  }
}

void check(const RaggedTransform& transform, std::uint64_t seed = 1, const Options& options = {}) {
  const Device& device = default_device();
  const RaggedPlan plan(device.context, device.device, transform, options);
  if (transform.directions != Directions::inverse) check_direction(plan, false, seed);
  if (transform.directions != Directions::forward) check_direction(plan, true, seed + 1);
}

constexpr Kind kAllKinds[] = {Kind::complex, Kind::real, Kind::dct1, Kind::dct2, Kind::dct3,
                              Kind::dct4,    Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

std::size_t below(catalogue::Random& random, std::uint64_t count) {
  return std::size_t{random.below(count)};
}

std::vector<std::complex<double>> random_factors(catalogue::Random& random, std::size_t count,
                                                 bool real) {
  std::vector<std::complex<double>> factors;
  for (std::size_t i = 0; i < count; ++i) {
    const double re = static_cast<float>(random.uniform()),
                 im = static_cast<float>(random.uniform());
    factors.emplace_back(below(random, 10) == 0 ? 0 : re, real ? 0 : im);
  }
  return factors;
}

std::size_t sum_of(const std::vector<std::size_t>& counts) {
  std::size_t sum = 0;
  for (const std::size_t n : counts) sum += n;
  return sum;
}

/// Returns one of the four ways in which rows may lie in memory.
RowLayout random_layout(catalogue::Random& random, const std::vector<std::size_t>& counts,
                        std::size_t batch) {
  RowLayout layout;
  const std::size_t way = below(random, 4), gap = below(random, 3);
  if (way == 0) return layout;
  std::size_t longest = 0, next = below(random, 5);
  for (const std::size_t n : counts) longest = std::max(longest, n);
  std::vector<std::size_t> order(counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(random, i)]);
  layout.offsets.resize(counts.size());
  layout.stride = way == 1 ? batch + gap : 1 + gap;
  layout.distance = way == 1 ? 1 : way == 2 ? 0 : longest * layout.stride + gap;
  for (const std::size_t row : order) {
    layout.offsets[row] = next;
    next += way == 3 ? layout.distance * batch : counts[row] * layout.stride + gap;
  }
  return layout;
}

RaggedTransform random_rows(catalogue::Random& random) {
  RaggedTransform t;
  t.kind = kAllKinds[below(random, 3) == 0 ? below(random, 10) : below(random, 2)];
  if (below(random, 4) == 0 && default_device().f64()) t.precision = Precision::f64;
  const std::size_t rows = 1 + below(random, 6);
  const std::size_t most = below(random, 8) == 0 ? 3000 : below(random, 2) == 0 ? 300 : 40;
  for (std::size_t i = 0; i < rows; ++i)
    t.lengths.push_back((t.kind == Kind::dct1 ? 2 : 1) + below(random, most));
  static constexpr std::size_t kBatches[] = {1, 2, 3, 7, 8, 9, 16, 35};
  t.batch = kBatches[below(random, most > 1000 ? 6 : 8)];
  t.norm = static_cast<Norm>(below(random, 4));
  auto counts = spectrum_counts(t);
  if (below(random, 3) == 0) {
    for (std::size_t& n : counts) n = 1 + below(random, n);
    t.kept = counts;
  }
  t.signal = random_layout(random, t.lengths, t.batch);
  t.spectrum = random_layout(random, counts, t.batch);
  const bool real_signal = t.kind != Kind::complex, real = problem::is_trigonometric(t.kind);
  const auto factors = [&](const std::vector<std::size_t>& of, bool are_real) {
    return below(random, 4) == 0 ? random_factors(random, sum_of(of), are_real)
                                 : std::vector<std::complex<double>>();
  };
  t.on_forward.load = factors(t.lengths, real_signal), t.on_forward.store = factors(counts, real);
  t.on_inverse.load = factors(counts, real), t.on_inverse.store = factors(t.lengths, real_signal);
  return t;
}

/// Returns the number of random cases: $IMAGO_RAGGED_CASES, else 10000, or 100 in the sample.
std::uint64_t random_cases() {
  if (const char* cases = std::getenv("IMAGO_RAGGED_CASES"))
    return std::strtoull(cases, nullptr, 10);
  return std::getenv("IMAGO_TEST_SAMPLE") ? 100 : 10000;
}

}  // namespace

TEST_CASE("rows of all kinds") {
  for (const Kind kind : kAllKinds) {
    RaggedTransform t{.kind = kind, .lengths = {20, 1, 2, 3, 24, 37, 97, 101, 127, 131, 262, 640}};
    if (kind == Kind::dct1) t.lengths[1] = 2;
    for (const std::size_t batch : {1, 3, 8, 33}) {
      t.batch = batch;
      check(t);
    }
  }
}

TEST_CASE("random rows", "[random]") {
  const char* const only = std::getenv("IMAGO_TEST_SEED");
  const std::uint64_t count = random_cases(), first = only ? std::strtoull(only, nullptr, 10) : 0;
  for (std::uint64_t seed = first; seed < (only ? first + 1 : count); ++seed) {
    catalogue::Random random(seed + 1);
    const RaggedTransform t = random_rows(random);
    INFO("IMAGO_TEST_SEED=" << seed);
    check(t, 2 * seed);
  }
}

TEST_CASE("long rows take a few launches", "[long]") {
  for (const Kind kind : {Kind::complex, Kind::real, Kind::dct2}) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      RaggedTransform t{.kind = kind, .precision = precision};
      t.lengths = {20000, 16384, 4099, 20, 50021, 9973};
      for (const std::size_t batch : {1, 3, 9}) {
        t.batch = batch;
        check(t);
      }
    }
  }
}

TEST_CASE("one kernel computes all rows in one launch") {
  const Device& device = default_device();
  RaggedTransform t{.kind = Kind::real, .batch = 8};
  for (std::size_t i = 0; i < 40; ++i) t.lengths.push_back(20 + 4 * i);
  const RaggedPlan first(device.context, device.device, t);
  for (std::size_t& n : t.lengths) n += 3;
  const RaggedPlan other(device.context, device.device, t);
  const Estimate estimate = RaggedPlan::estimate(device.device, t);
  CHECK(estimate.kernels == 1);
  CHECK(estimate.bytes_moved == estimate.signal_bytes + estimate.spectrum_bytes);
  CHECK(estimate.seconds > 0);
  REQUIRE(first.builds().size() == 1);
  REQUIRE(other.builds().size() == 1);
  CHECK(first.builds()[0].name == other.builds()[0].name);
  t.kind = Kind::complex;
  const RaggedPlan complex(device.context, device.device, t);
  CHECK(complex.sources()[0].name == first.sources()[0].name);
  CHECK_THAT(first.describe(), ContainsSubstring("40 rows of 20 to 176 points, real, f32"));
  CHECK_THAT(first.describe(), ContainsSubstring("1 launch\n"));
}

TEST_CASE("rows and fields do not change others") {
  const Device& device = default_device();
  for (const Kind kind : {Kind::complex, Kind::real, Kind::dct2}) {
    const RaggedTransform t{.kind = kind, .lengths = {24, 131, 20, 24, 37}, .batch = 9};
    const RaggedPlan plan(device.context, device.device, t);
    Side from = side_of(plan, false), clean = side_of(plan, true), found = clean;
    fill(from, 5);
    run(plan, false, from, clean);
    from.at(1, 4, 3) = std::numeric_limits<Wide>::quiet_NaN();
    from.at(3, 8, 0) = std::numeric_limits<Wide>::infinity();
    run(plan, false, from, found);
    for (std::size_t row = 0; row < t.lengths.size(); ++row) {
      for (std::size_t field = 0; field < t.batch; ++field) {
        const bool own = (row == 1 && field == 4) || (row == 3 && field == 8);
        for (std::size_t k = 0; k < clean.counts[row]; ++k) {
          INFO("row " << row << ", field " << field);
          if (own)
            CHECK_FALSE(std::isfinite(std::abs(found.at(row, field, k))));
          else
            REQUIRE(found.at(row, field, k) == clean.at(row, field, k));
        }
      }
    }
  }
}

TEST_CASE("rows that are not allowed") {
  const Device& device = default_device();
  const auto message = [&](const RaggedTransform& t, const Options& options = {}) {
    return message_of([&] { RaggedPlan(device.context, device.device, t, options); });
  };
  CHECK_THAT(message({}), ContainsSubstring("lengths is empty"));
  CHECK_THAT(message({.lengths = {4, 0}}), ContainsSubstring("lengths[1] is 0"));
  CHECK_THAT(message({.kind = Kind::dct1, .lengths = {1}}), ContainsSubstring("at least 2"));
  CHECK_THAT(message({.lengths = {4}, .batch = 0}), ContainsSubstring("batch is 0"));
  CHECK_THAT(message({.kind = Kind::identity, .lengths = {4}}), ContainsSubstring("kind is"));
  CHECK_THAT(message({.precision = Precision::f16, .lengths = {4}}),
             ContainsSubstring("precision is f16"));
  CHECK_THAT(message({.lengths = {4, 5}, .kept = {4}}), ContainsSubstring("kept is 1 of them"));
  CHECK_THAT(message({.kind = Kind::real, .lengths = {4}, .kept = {4}}),
             ContainsSubstring("from 1 to 3 entries"));
  CHECK_THAT(message({.lengths = {4, 5}, .signal = {.offsets = {0}}}),
             ContainsSubstring("signal.offsets is 1 of them"));
  CHECK_THAT(message({.lengths = {4, 5}, .spectrum = {.offsets = {0, 3}}}),
             ContainsSubstring("rows or fields that share elements"));
  CHECK_THAT(message({.lengths = {4, 5}, .batch = 2, .spectrum = {.distance = 8}}),
             ContainsSubstring("rows or fields that share elements"));
  CHECK_THAT(message({.lengths = {4}, .signal = {.stride = 0}}),
             ContainsSubstring("signal.stride is 0"));
  CHECK_THAT(message({.lengths = {4}, .on_forward = {.load = {1.0}}}),
             ContainsSubstring("on_forward.load is 1 factors"));
  CHECK_THAT(message({.kind = Kind::real, .lengths = {1}, .on_forward = {.load = {{1, 2}}}}),
             ContainsSubstring("factors of real elements are real"));
  CHECK_THAT(message({.lengths = {4}}, {.deterministic = true}),
             ContainsSubstring("deterministic"));
  // Rows that are only read may share elements.
  check({.lengths = {8, 5, 6},
         .batch = 2,
         .signal = {.offsets = {0, 2, 1}},
         .directions = Directions::forward});
}
