// Compares small transforms with sums in long double.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "small/computation.hpp"
#include "small/functions.hpp"
#include "support/catch.hpp"

namespace imago::small {
namespace {

using Number = std::complex<long double>;
using Numbers = std::vector<Number>;

constexpr long double kPi = std::numbers::pi_v<long double>;

Number turn(long double turns) { return {std::cos(2 * kPi * turns), std::sin(2 * kPi * turns)}; }

/// Returns exp(2 pi i k / n) for all k.
Numbers roots(std::size_t n) {
  Numbers all(n);
  for (std::size_t k = 0; k < n; ++k)
    all[k] = turn(static_cast<long double>(k) / static_cast<long double>(n));
  return all;
}

/// Divides the points by the least prime factor of their number, so that long lines take no hours.
Numbers fourier(const Numbers& x, bool inverse) {
  const std::size_t n = x.size();
  std::size_t p = 2;
  while (p < n && n % p != 0) ++p;
  if (n == 1) return x;
  const std::size_t m = n / p;
  std::vector<Numbers> parts(p, Numbers(m));
  for (std::size_t j = 0; j < n; ++j) parts[j % p][j / p] = x[j];
  for (Numbers& part : parts) part = fourier(part, inverse);
  const Numbers root = roots(n);
  Numbers y(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t r = 0; r < p; ++r) {
      const Number w = root[r * k % n];
      y[k] += parts[r][k % m] * (inverse ? w : std::conj(w));
    }
  }
  return y;
}

/// Returns the transform along one line, in the numbers that the arrays hold.
Numbers along_line(Kind kind, std::size_t n, bool inverse, const Numbers& x) {
  if (kind == Kind::complex) return fourier(x, inverse);
  if (kind == Kind::real && !inverse) {
    Numbers y = fourier(x, false);
    y.resize(n / 2 + 1);
    return y;
  }
  if (kind == Kind::real) {
    Numbers whole(n);
    for (std::size_t k = 0; k <= n / 2; ++k) {
      whole[(n - k) % n] = std::conj(x[k]);
      whole[k] = 2 * k % n == 0 ? Number{x[k].real()} : x[k];
    }
    Numbers y = fourier(whole, true);
    for (Number& value : y) value = value.real();
    return y;
  }
  Numbers y(n);
  if (n > 2048 && (kind == Kind::dct2 || kind == Kind::dct3)) {
    const auto quarter = [&](std::size_t j) {
      return turn(-static_cast<long double>(j) / static_cast<long double>(4 * n));
    };
    Numbers padded = x;
    if (kind == Kind::dct3) {
      for (std::size_t j = 0; j < n; ++j) padded[j] *= (j == 0 ? 1.0L : 2.0L) * quarter(j);
    }
    padded.resize(2 * n);
    const Numbers z = fourier(padded, false);
    for (std::size_t k = 0; k < n; ++k)
      y[k] = kind == Kind::dct2 ? 2 * (z[k] * quarter(k)).real() : z[k].real();
    return y;
  }
  const auto length = static_cast<long double>(n);
  const bool sine = kind >= Kind::dst1;
  const int type = (static_cast<int>(kind) - static_cast<int>(Kind::dct1)) % 4 + 1;
  // Angles are pi (j + a) (k + b) / m.
  const long double a = type == 2 || type == 4 ? 0.5L : sine ? 1 : 0;
  const long double b = type == 3 || type == 4 ? 0.5L : sine ? 1 : 0;
  const long double m = type == 1 ? length + (sine ? 1 : -1) : length;
  const auto is_end = [&](std::size_t j) {
    if (type == 1) return !sine && (j == 0 || j + 1 == n);
    return type == 3 && j == (sine ? n - 1 : 0);
  };
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      const long double angle =
          kPi * (static_cast<long double>(j) + a) * (static_cast<long double>(k) + b) / m;
      y[k] += (is_end(j) ? 1.0L : 2.0L) * x[j] * (sine ? std::sin(angle) : std::cos(angle));
    }
  }
  return y;
}

struct Side {
  std::vector<std::size_t> lengths, strides;
  bool complex = false;
  std::size_t elements() const {
    std::size_t all = 1;
    for (const std::size_t length : lengths) all *= length;
    return all;
  }
  std::size_t offset(std::size_t element) const {
    std::size_t at = 0;
    for (std::size_t i = lengths.size(); i-- > 0; element /= lengths[i])
      at += element % lengths[i] * strides[i];
    return at;
  }
  std::size_t end() const { return offset(elements() - 1) + 1; }
};

Side side_of(const SmallRequest& request, bool to) {
  Side side;
  const bool spectrum = request.inverse != to;
  for (const SmallExtent& d : request.dimensions) {
    side.lengths.push_back(d.kind == Kind::real && spectrum ? d.length / 2 + 1 : d.length);
    side.strides.push_back(to ? d.to_stride : d.from_stride);
    side.complex = side.complex || d.kind == Kind::complex || (d.kind == Kind::real && spectrum);
  }
  for (const SmallExtent& d : request.dimensions)
    if (d.kind == Kind::real && !spectrum) side.complex = false;
  return side;
}

/// Returns the result, element by element in packed order.
Numbers reference(const SmallRequest& request, Numbers x) {
  std::vector<std::size_t> lengths = side_of(request, false).lengths;
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    if (request.dimensions[i].kind != Kind::identity) axes.push_back(i);
  const auto is_real = [&](std::size_t i) { return request.dimensions[i].kind == Kind::real; };
  std::stable_sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) {
    return request.inverse ? is_real(a) < is_real(b) : is_real(a) > is_real(b);
  });
  for (const std::size_t axis : axes) {
    std::size_t inner = 1, outer = 1;
    for (std::size_t i = 0; i < axis; ++i) outer *= lengths[i];
    for (std::size_t i = axis + 1; i < lengths.size(); ++i) inner *= lengths[i];
    const std::size_t before = lengths[axis];
    const SmallExtent& d = request.dimensions[axis];
    const std::size_t after = d.kind != Kind::real ? before
                              : request.inverse    ? d.length
                                                   : d.length / 2 + 1;
    Numbers next(outer * after * inner);
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) {
        Numbers line(before);
        for (std::size_t j = 0; j < before; ++j) line[j] = x[(o * before + j) * inner + i];
        line = along_line(d.kind, d.length, request.inverse, line);
        for (std::size_t j = 0; j < after; ++j) next[(o * after + j) * inner + i] = line[j];
      }
    }
    x = std::move(next), lengths[axis] = after;
  }
  for (Number& value : x) value *= static_cast<long double>(request.scale);
  return x;
}

template <class Real>
Numbers read(const Side& side, const std::vector<Real>& memory) {
  Numbers x;
  for (std::size_t e = 0; e < side.elements(); ++e) {
    const std::size_t at = side.offset(e);
    x.push_back(side.complex ? Number{memory[2 * at], memory[2 * at + 1]} : Number{memory[at]});
  }
  return x;
}

constexpr double kUntouched = 1234;

/// Returns the error of a transform of random numbers, relative to the bound of its size.
template <class Real>
double error_of(const SmallRequest& request, bool in_place = false) {
  const auto computation = SmallComputation::make(request);
  if (!computation) return std::numeric_limits<double>::infinity();
  const Side from = side_of(request, false), to = side_of(request, true);
  std::mt19937 random(42);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Real> input(from.end() * (from.complex ? 2 : 1));
  for (Real& number : input) number = static_cast<Real>(uniform(random));
  const Numbers x = read(from, input);
  std::vector<Real> output(to.end() * (to.complex ? 2 : 1), Real{kUntouched});
  if (in_place) {
    input.resize(std::max(input.size(), output.size()));
    computation->run(input.data(), input.data());
    output = input;
  } else {
    const std::vector<Real> before = input;
    computation->run(input.data(), output.data());
    CHECK(input == before);
  }
  const Numbers expected = reference(request, x), found = read(to, output);
  long double error = 0, norm = 0;
  double points = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    error += std::norm(found[i] - expected[i]), norm += std::norm(expected[i]);
  bool prime = false;
  for (const SmallExtent& d : request.dimensions) {
    if (d.kind == Kind::identity) continue;
    const double length = static_cast<double>(d.length);
    points += std::log2(d.kind == Kind::dct1   ? std::max(2.0, 2 * (length - 1))
                        : d.kind == Kind::dst1 ? 2 * (length + 1)
                        : d.kind >= Kind::dct2 ? 2 * length
                                               : length);
    std::size_t rest = d.kind == Kind::dct1   ? std::max<std::size_t>(d.length, 2) - 1
                       : d.kind == Kind::dst1 ? d.length + 1
                                              : d.length;
    for (const std::size_t p : {2, 3, 5, 7})
      while (rest % p == 0) rest /= p;
    prime = prime || rest > 1;
  }
  const double unit = sizeof(Real) == 8 ? 4e-17 : 2e-8;
  return static_cast<double>(std::sqrt(error / norm)) / (unit * (4 + points) * (prime ? 3 : 1));
}

SmallRequest line(Kind kind, std::size_t n, bool inverse) {
  return {.dimensions = {{.kind = kind, .length = n}}, .inverse = inverse};
}

double error_of(SmallRequest request, Precision precision, bool in_place = false) {
  request.precision = precision;
  return precision == Precision::f64 ? error_of<double>(request, in_place)
                                     : error_of<float>(request, in_place);
}

bool has_functions() { return !instruction_set().empty(); }

}  // namespace

TEST_CASE("lines of many lengths are right") {
  if (!has_functions()) return;
  std::vector<std::size_t> lengths;
  for (std::size_t n = 1; n <= 66; ++n) lengths.push_back(n);
  for (const std::size_t n :
       {81, 96, 100, 101, 118, 125, 128, 240, 243, 256, 320, 343, 360, 480, 509, 512, 625})
    lengths.push_back(n);
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const std::size_t n : lengths) {
      for (const bool inverse : {false, true}) {
        for (const Kind kind : {Kind::complex, Kind::real}) {
          INFO("n " << n << ", inverse " << inverse << ", kind " << static_cast<int>(kind)
                    << ", precision " << static_cast<int>(precision));
          CHECK(error_of(line(kind, n, inverse), precision) < 1);
          if (kind == Kind::complex) CHECK(error_of(line(kind, n, inverse), precision, true) < 1);
        }
      }
      for (int i = static_cast<int>(Kind::dct1); i <= static_cast<int>(Kind::dst4); ++i) {
        const auto kind = static_cast<Kind>(i);
        if ((kind == Kind::dct1 && n == 1) || (n > 66 && i % 3 != 0)) continue;
        INFO("n " << n << ", kind " << static_cast<int>(kind));
        CHECK(error_of(line(kind, n, false), precision) < 1);
      }
    }
  }
}

TEST_CASE("long lines are right") {
  if (!has_functions()) return;
  for (const std::size_t n : {1000, 1024, 2000, 2048}) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      INFO("n " << n << ", precision " << static_cast<int>(precision));
      CHECK(error_of(line(Kind::complex, n, n % 3 == 0), precision) < 1);
      CHECK(error_of(line(Kind::real, n, n % 3 == 0), precision) < 1);
      CHECK(error_of(line(Kind::dct2, n, false), precision) < 1);
    }
  }
}

// Halves begin with 64 KiB. The last two have blocks of columns that overlap.
TEST_CASE("lines of two halves are right") {
  if (!has_functions()) return;
  const auto check = [](Kind kind, std::size_t n, bool inverse, Precision precision) {
    INFO("n " << n << ", kind " << static_cast<int>(kind) << ", inverse " << inverse
              << ", precision " << static_cast<int>(precision));
    CHECK(error_of(line(kind, n, inverse), precision) < 1);
    if (kind == Kind::complex) CHECK(error_of(line(kind, n, inverse), precision, true) < 1);
  };
  for (const bool inverse : {false, true}) {
    check(Kind::complex, 8192, inverse, Precision::f32);
    check(Kind::real, 16384, inverse, Precision::f32);
    check(Kind::complex, 24576, inverse, Precision::f64);
    check(inverse ? Kind::dct3 : Kind::dct2, 16384, inverse, Precision::f32);
    check(inverse ? Kind::dct3 : Kind::dct2, 8192, inverse, Precision::f64);
    check(Kind::real, 8192, inverse, Precision::f64);
    check(Kind::complex, 162000, inverse, Precision::f32);
    check(Kind::complex, 81000, inverse, Precision::f64);
  }
  // The half spectrum of 4 MiB and more is made in the output. One wrong bin of 2^18 + 1 raises the
  // error above its bound.
  check(Kind::real, std::size_t{1} << 19, false, Precision::f64);
}

TEST_CASE("several axes, batches and layouts are right") {
  if (!has_functions()) return;
  const auto i = Kind::identity, c = Kind::complex, r = Kind::real, d = Kind::dct2;
  const auto packed = [](std::vector<Kind> kinds, std::vector<std::size_t> lengths, bool inverse) {
    SmallRequest request;
    request.inverse = inverse, request.scale = 0.25;
    for (std::size_t k = 0; k < kinds.size(); ++k)
      request.dimensions.push_back({.kind = kinds[k], .length = lengths[k]});
    for (const bool to : {false, true}) {
      const Side side = side_of(request, to);
      std::size_t stride = 1;
      for (std::size_t k = kinds.size(); k-- > 0; stride *= side.lengths[k])
        (to ? request.dimensions[k].to_stride : request.dimensions[k].from_stride) = stride;
    }
    return request;
  };
  std::vector<SmallRequest> requests;
  for (const bool inverse : {false, true}) {
    for (const auto& [kinds, lengths] :
         std::vector<std::pair<std::vector<Kind>, std::vector<std::size_t>>>{
             {{i, c}, {5, 16}},      {{i, c}, {3, 7}},       {{c, i}, {12, 5}},
             {{c, i}, {8, 16}},      {{c, i}, {8, 100}},     {{c, c}, {16, 16}},
             {{c, c}, {9, 10}},      {{c, c}, {64, 40}},     {{c, c}, {4, 300}},
             {{c, c, c}, {4, 6, 8}}, {{i, r}, {6, 20}},      {{c, r}, {6, 12}},
             {{r, c}, {9, 10}},      {{c, r, c}, {3, 8, 5}}, {{i, c, i}, {3, 8, 17}},
             {{c, c}, {120, 130}},   {{c, c}, {11, 22}},     {{r, i}, {12, 35}},
             {{c, i}, {2, 33}},      {{i, d}, {3, 8}},       {{d, d}, {12, 20}},
             {{d, i}, {8, 21}}})
      requests.push_back(packed(kinds, lengths, inverse));
  }
  for (SmallRequest& request : requests) {
    std::string name;
    for (const SmallExtent& dimension : request.dimensions)
      name += std::to_string(static_cast<int>(dimension.kind)) + ":" +
              std::to_string(dimension.length) + " ";
    INFO(name << "inverse " << request.inverse);
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      CHECK(error_of(request, precision) < 1);
      const Side from = side_of(request, false), to = side_of(request, true);
      if (from.complex == to.complex && from.lengths == to.lengths)
        CHECK(error_of(request, precision, true) < 1);
      SmallRequest apart = request;
      for (SmallExtent& dimension : apart.dimensions)
        dimension.from_stride *= 3, dimension.to_stride *= 2;
      CHECK(error_of(apart, precision) < 1);
    }
  }
}

// Rows are transformed as many at a time as vectors have lanes, and those that remain alone. Parts
// of the longest ones are transposed one by one. Long columns are transformed in blocks of points.
TEST_CASE("rows of many are right") {
  if (!has_functions()) return;
  const auto check = [](std::size_t rows, Kind kind, std::size_t n, bool columns) {
    for (const bool inverse : {false, true}) {
      SmallRequest request;
      request.inverse = inverse, request.scale = 0.5;
      const std::size_t bins = kind == Kind::real ? n / 2 + 1 : n;
      request.dimensions = {
          {.length = rows, .from_stride = inverse ? bins : n, .to_stride = inverse ? n : bins},
          {.kind = kind, .length = n}};
      if (columns)
        request.dimensions = {{.kind = kind, .length = n, .from_stride = rows, .to_stride = rows},
                              {.length = rows}};
      INFO(rows << " of " << n << ", kind " << static_cast<int>(kind) << ", inverse " << inverse);
      for (const Precision precision : {Precision::f32, Precision::f64}) {
        CHECK(error_of(request, precision) < 1);
        if (kind == Kind::complex) CHECK(error_of(request, precision, true) < 1);
      }
    }
  };
  for (const std::size_t n : {4, 8, 16, 32, 64}) {
    check(37, Kind::complex, n, false);
    check(37, Kind::real, 2 * n, false);
  }
  for (const std::size_t n : {9, 15, 20, 27, 48, 70, 100, 150, 189})
    check(n % 2 == 0 ? 16 : 21, Kind::complex, n, false);
  for (const std::size_t n : {18, 30, 50, 96, 200, 250})
    check(n % 4 == 0 ? 16 : 21, Kind::real, n, false);
  for (const std::size_t n : {300, 324, 350, 486, 500}) check(17, Kind::complex, n, false);
  for (const std::size_t n : {256, 300, 450, 1000, 2048}) check(16, Kind::complex, n, true);
  check(21, Kind::complex, 500, true);
}

TEST_CASE("real arrays are transformed in the memory of their half spectrum") {
  if (!has_functions()) return;
  const auto i = Kind::identity, c = Kind::complex, r = Kind::real;
  for (const auto& [kinds, lengths] :
       std::vector<std::pair<std::vector<Kind>, std::vector<std::size_t>>>{
           {{i, r}, {7, 20}},
           {{i, r}, {5, 9}},
           {{i, r}, {37, 32}},
           {{i, r}, {18, 150}},
           {{c, r}, {12, 33}},
           {{c, r}, {96, 64}},
           {{c, c, r}, {5, 6, 8}},
           {{i, c, r}, {2, 64, 130}}}) {
    for (const bool inverse : {false, true}) {
      SmallRequest request;
      request.inverse = inverse, request.scale = 0.5;
      for (std::size_t k = 0; k < kinds.size(); ++k)
        request.dimensions.push_back({.kind = kinds[k], .length = lengths[k]});
      std::size_t bins = 1, numbers = 1;  // strides of the half spectrum and of the real array
      for (std::size_t k = kinds.size(); k-- > 0;) {
        SmallExtent& d = request.dimensions[k];
        (inverse ? d.from_stride : d.to_stride) = bins;
        (inverse ? d.to_stride : d.from_stride) = numbers;
        bins *= d.kind == r ? d.length / 2 + 1 : d.length, numbers = 2 * bins;
      }
      INFO(lengths[0] << " x " << lengths[1] << ", inverse " << inverse);
      for (const Precision precision : {Precision::f32, Precision::f64}) {
        CHECK(error_of(request, precision) < 1);
        CHECK(error_of(request, precision, true) < 1);
      }
    }
  }
}

TEST_CASE("NaN stays in its batch element, and gaps of a layout are not written") {
  if (!has_functions()) return;
  for (const Kind kind : {Kind::complex, Kind::real, Kind::dct2}) {
    const std::size_t n = 40, batch = 21, bad = 4;
    const std::size_t width = kind == Kind::complex ? 2 : 1;
    const std::size_t out = kind == Kind::real ? 21 : n, out_width = kind == Kind::dct2 ? 1 : 2;
    const SmallRequest request{
        .dimensions = {{.length = batch, .from_stride = n, .to_stride = out + 3},
                       {.kind = kind, .length = n}}};
    const auto computation = SmallComputation::make(request);
    REQUIRE(computation);
    std::vector<float> x(batch * n * width, 1.0f),
        y(batch * (out + 3) * out_width, float{kUntouched});
    x[(bad * n + 7) * width] = std::numeric_limits<float>::quiet_NaN();
    computation->run(x.data(), y.data());
    for (std::size_t b = 0; b < batch; ++b) {
      for (std::size_t k = 0; k < (out + 3) * out_width; ++k) {
        const float value = y[b * (out + 3) * out_width + k];
        if (k >= out * out_width)
          CHECK(value == float{kUntouched});
        else if (b != bad)
          CHECK(std::isfinite(value));
        else if (kind != Kind::real || (k != 1 && k != 2 * out - 1))
          CHECK(std::isnan(value));
      }
    }
  }
}

TEST_CASE("arrays may hold real parts alone") {
  if (!has_functions()) return;
  SmallRequest request = line(Kind::complex, 24, false);
  const auto whole = SmallComputation::make(request);
  request.from_real = true;
  const auto from_real = SmallComputation::make(request);
  request.from_real = false, request.to_real = true;
  const auto to_real = SmallComputation::make(request);
  REQUIRE((whole && from_real && to_real));
  std::vector<float> reals(24), pairs(48), expected(48), found(48), parts(24);
  for (std::size_t j = 0; j < 24; ++j)
    pairs[2 * j] = reals[j] = std::sin(static_cast<float>(j * j));
  whole->run(pairs.data(), expected.data());
  from_real->run(reals.data(), found.data());
  CHECK(found == expected);
  to_real->run(pairs.data(), parts.data());
  for (std::size_t k = 0; k < 24; ++k) CHECK(parts[k] == expected[2 * k]);
}

TEST_CASE("the ends of a half spectrum have no imaginary parts") {
  if (instruction_set().empty()) return;
  for (std::size_t n = 1; n <= 200; ++n) {
    SmallRequest request;
    request.dimensions = {{Kind::real, n, 1, 1}};
    const auto computation = SmallComputation::make(request);
    REQUIRE(computation);
    std::vector<float> x(n), y(n + 2);
    for (std::size_t j = 0; j < n; ++j) x[j] = static_cast<float>(j * j % 31) / 31;
    computation->run(x.data(), y.data());
    INFO(n);
    CHECK(y[1] == 0);
    if (n % 2 == 0) CHECK(y[n + 1] == 0);
  }
}

TEST_CASE("threads share a computation") {
  if (!has_functions()) return;
  const auto computation = SmallComputation::make(line(Kind::complex, 360, false));
  REQUIRE(computation);
  std::vector<std::vector<float>> x, y(4, std::vector<float>(720));
  for (int t = 0; t < 4; ++t) x.emplace_back(720, static_cast<float>(t + 1));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) computation->run(x[t].data(), y[t].data());
    });
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 4; ++t) CHECK(y[t][0] == static_cast<float>(360 * (t + 1)));
}

}  // namespace imago::small
