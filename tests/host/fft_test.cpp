// This file checks each function of fft.hpp and dct.hpp against FFTW in a higher precision, and the
// arguments that they reject.
#include <cmath>
#include <complex>
#include <functional>
#include <numeric>
#include <type_traits>

#include "api/support.hpp"
#include "catalogue/random.hpp"
#include "catalogue/reference.hpp"
#include "support/catch.hpp"
#include "support/small.hpp"

namespace imago {
namespace {

using catalogue::Case;
using catalogue::Direction;
using test::ContainsSubstring;
template <class T>
using Complex = std::complex<T>;

/// Calls the named function with one array, or with two.
#define IMAGO_FUNCTION(name) \
  [](auto&&... arguments) { return name(std::forward<decltype(arguments)>(arguments)...); }

/// Returns the case for FFTW: `kind` along the axes (default: all, or the last), `last` along the
/// last of them.
template <class Options>
Case case_of(const Options& options, Direction direction, bool all, Kind kind, Kind last) {
  const auto dimensions = static_cast<int>(options.shape.size());
  Case problem;
  problem.lengths.assign(options.shape.begin(), options.shape.end());
  problem.direction = direction;
  problem.norm = options.norm;
  problem.axes.assign(options.shape.size(), Kind::identity);
  std::vector<int> axes = options.axes;
  if (axes.empty()) {
    axes.resize(all ? options.shape.size() : 1, dimensions - 1);
    if (all) std::iota(axes.begin(), axes.end(), 0);
  }
  for (int& axis : axes) axis = axis < 0 ? axis + dimensions : axis;
  for (const int axis : axes) problem.axes[static_cast<std::size_t>(axis)] = kind;
  problem.axes[static_cast<std::size_t>(axes.back())] = last;
  return problem;
}

template <class T>
double bound(const Case& problem) {
  bool prime = false;  // factors above 31 need convolutions
  for (const auto length : problem.lengths) prime = prime || length == 37 || length == 331;
  const double unit = std::is_same_v<T, float> ? 2e-8 : 4e-17;
  return 2 * (prime ? 3 : 1) * unit * (4 + std::log2(static_cast<double>(problem.points())));
}

/// Returns the relative L2 distance from FFTW's result times the factor.
template <class T, class To, class Wide>
double error_of(const std::vector<To>& result, std::span<const Wide> expected, double factor) {
  const T* numbers = reinterpret_cast<const T*>(result.data());
  REQUIRE(result.size() * sizeof(To) / sizeof(T) == expected.size());
  Wide error = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Wide wanted = expected[i] * static_cast<Wide>(factor);
    error += (numbers[i] - wanted) * (numbers[i] - wanted);
    norm += wanted * wanted;
  }
  return static_cast<double>(std::sqrt(error / norm));
}

/// Compares a function's result with FFTW's: as a vector, into another array, in place.
template <class T, class From, class To, class Options, class Function>
void check(const Case& problem, const Options& options, const Function& function) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  CAPTURE(problem.name(), sizeof(T));
  catalogue::Reference<Wide> reference(problem);
  const auto input = reference.input();
  std::vector<From> from(input.size() * sizeof(T) / sizeof(From));
  T* const numbers = reinterpret_cast<T*>(from.data());
  catalogue::Random random(7);
  for (std::size_t i = 0; i < input.size(); ++i)
    input[i] = numbers[i] = static_cast<T>(random.uniform());
  const auto given = from;
  const auto expected = reference.run();
  const double scale = problem.scale(), most = bound<T>(problem);

  const std::vector<To> made = function(from, options);
  CHECK(error_of<T>(made, expected, scale) < most);
  std::vector<To> into(made.size());
  function(std::as_const(from), into, options);
  CHECK(into == made);
  CHECK(from == given);
  if constexpr (std::is_same_v<From, To>) {
    if (problem.lengths.size() == 1) return;  // in-place kernels are other kernels
    function(from, from, options);
    CHECK(error_of<T>(from, expected, scale) < most);
  }
}

template <class T>
void check_complex(const FftOptions& options) {
  const auto check = [&]<class Function>(Direction direction, bool all, const Function& function) {
    imago::check<T, Complex<T>, Complex<T>>(
        case_of(options, direction, all, Kind::complex, Kind::complex), options, function);
  };
  check(Direction::forward, true, IMAGO_FUNCTION(fftn));
  check(Direction::inverse, true, IMAGO_FUNCTION(ifftn));
  if (options.axes.size() > 1) return;
  check(Direction::forward, false, IMAGO_FUNCTION(fft));
  check(Direction::inverse, false, IMAGO_FUNCTION(ifft));
}

template <class T>
void check_real(const FftOptions& options) {
  const auto forward = [&](bool all) {
    return case_of(options, Direction::forward, all, Kind::complex, Kind::real);
  };
  const auto inverse = [&](bool all) {
    return case_of(options, Direction::inverse, all, Kind::complex, Kind::real);
  };
  check<T, T, Complex<T>>(forward(true), options, IMAGO_FUNCTION(rfftn));
  check<T, Complex<T>, T>(inverse(true), options, IMAGO_FUNCTION(irfftn));
  if (options.axes.size() > 1) return;
  check<T, T, Complex<T>>(forward(false), options, IMAGO_FUNCTION(rfft));
  check<T, Complex<T>, T>(inverse(false), options, IMAGO_FUNCTION(irfft));
}

template <class T>
void check_cosine(const DctOptions& options) {
  const auto check = [&]<class Function>(Kind first, Direction direction, bool all,
                                         const Function& function) {
    const Kind kind = static_cast<Kind>(static_cast<int>(first) + options.type - 1);
    imago::check<T, T, T>(case_of(options, direction, all, kind, kind), options, function);
  };
  check(Kind::dct1, Direction::forward, true, IMAGO_FUNCTION(dctn));
  check(Kind::dct1, Direction::inverse, true, IMAGO_FUNCTION(idctn));
  check(Kind::dst1, Direction::forward, true, IMAGO_FUNCTION(dstn));
  check(Kind::dst1, Direction::inverse, true, IMAGO_FUNCTION(idstn));
  if (options.axes.size() > 1) return;
  check(Kind::dct1, Direction::forward, false, IMAGO_FUNCTION(dct));
  check(Kind::dct1, Direction::inverse, false, IMAGO_FUNCTION(idct));
  check(Kind::dst1, Direction::forward, false, IMAGO_FUNCTION(dst));
  check(Kind::dst1, Direction::inverse, false, IMAGO_FUNCTION(idst));
}

TEST_CASE("fft, ifft, fftn, ifftn are FFTW's", "[host][fft]") {
  const test::SmallTransforms small(GENERATE(false, true));
  check_complex<float>({{37}, {}, Norm::none});
  check_complex<float>({{4, 9, 5}, {1}, Norm::forward});
  check_complex<float>({{3, 1, 8, 2}, {-2, 0}});
  check_complex<double>({{6, 15}, {}, Norm::ortho});
  check_complex<double>({{2, 3, 4, 5}, {-1, -3}, Norm::ortho});
}

TEST_CASE("rfft, irfft, rfftn, irfftn are FFTW's", "[host][fft]") {
  const test::SmallTransforms small(GENERATE(false, true));
  check_real<float>({{1}});
  check_real<float>({{31}, {}, Norm::none});
  check_real<float>({{3, 5, 8}, {1, 2}, Norm::forward});
  check_real<double>({{6, 10}, {}, Norm::ortho});
  check_real<double>({{3, 4, 9}, {0, -1}});
}

TEST_CASE("cosine and sine transforms of each type are FFTW's", "[host][fft]") {
  const test::SmallTransforms small(GENERATE(false, true));
  for (const int type : {1, 2, 3, 4}) check_cosine<float>({type, {15}, {}, Norm::forward});
  check_cosine<double>({3, {2, 4, 5}, {-2, 2}, Norm::ortho});
  check_cosine<double>({2, {4, 6}, {0}, Norm::none});
}

/// FFTW's references have the real axis last.
TEST_CASE("the last of the axes is real, wherever it lies", "[host][fft]") {
  const test::SmallTransforms small(GENERATE(false, true));
  const FftOptions options{.shape = {6, 5, 4}, .axes = {2, 0}};
  std::vector<float> signal(120);
  catalogue::Random random(3);
  for (float& x : signal) x = static_cast<float>(random.uniform());
  const std::vector<Complex<float>> as_complex(signal.begin(), signal.end());
  const auto whole = fftn(as_complex, options), half = rfftn(signal, options);
  CHECK(test::distance(half, std::vector(whole.begin(), whole.begin() + 4 * 5 * 4)) < 1e-6);
  CHECK(test::distance(irfftn(half, options), signal) < 1e-6);
}

TEST_CASE("one axis needs no shape; an odd number of reals says its own", "[host][fft]") {
  const test::SmallTransforms small(GENERATE(false, true));
  const std::vector<double> even(10, 1.0), odd(11, 1.0);
  CHECK(irfft(rfft(even)).size() == 10);
  CHECK(irfft(rfft(odd)).size() == 10);
  CHECK(test::distance(irfft(rfft(odd), {.shape = {11}}), odd) < 1e-15);
  std::vector<double> into(11);
  irfft(rfft(odd), into);
  CHECK(test::distance(into, odd) < 1e-15);
}

TEST_CASE("end points are rescaled as the options say", "[host][fft]") {
  const test::SmallTransforms small(GENERATE(false, true));
  const std::vector<double> x(8, 1.0);
  const double plain = dct(x)[0], rescaled = dct(x, {.orthogonal = true})[0];
  CHECK(rescaled == test::Approx(plain / std::sqrt(2.0)));
  CHECK(dct(x, {.norm = Norm::ortho})[0] == test::Approx(std::sqrt(8.0)));
  CHECK(dct(x, {.norm = Norm::ortho, .orthogonal = false})[0] == test::Approx(4.0));
}

template <class Function>
void check_refused(const std::string& text, const Function& function) {
  CHECK_THROWS_AS(function(), InvalidArgument);
  CHECK_THROWS_WITH(function(), ContainsSubstring(text));
}

TEST_CASE("the functions refuse arrays that do not fit", "[host][fft]") {
  std::vector<Complex<float>> x(24), y(24);
  std::vector<float> reals(24);
  check_refused("the size of signal is 0; it must be at least 1",
                [] { fft(std::span<const Complex<float>>()); });
  check_refused("the size of spectrum is 0", [] { irfft(std::vector<Complex<float>>()); });
  check_refused("the size of spectrum is 1", [] { irfft(std::vector<Complex<float>>(1)); });
  check_refused("the size of signal is 24; it must be 30", [&] { fft(x, {.shape = {5, 6}}); });
  check_refused("the size of spectrum is 24; it must be 13", [&] { rfft(reals, x); });
  check_refused("the size of spectrum is 24; it must be 20", [&] { irfft(x, {.shape = {4, 8}}); });
  check_refused("options.shape[1] is 0", [&] { fft(x, {.shape = {4, 0}}); });
  check_refused("options.shape is too large", [&] {
    fft(x, {.shape = {std::size_t{1} << 40, std::size_t{1} << 40}});
  });
  check_refused("must not overlap", [&] { fft(std::span(x).first(20), std::span(x).subspan(4)); });
  check_refused("must not overlap", [&] {
    rfft(std::span<const float>(reinterpret_cast<float*>(x.data()), 24), std::span(x).first(13));
  });
  check_refused("is 1; it must be at least 2 along an axis of dct1",
                [] { dct(std::vector<float>(1), {.type = 1}); });
}

TEST_CASE("the functions refuse axes and types that there are not", "[host][fft]") {
  std::vector<Complex<float>> x(24);
  check_refused("options.axes[0] is 2; it must be from -2 to 1", [&] {
    fft(x, {.shape = {4, 6}, .axes = {2}});
  });
  check_refused("options.axes[1] is -3", [&] { fftn(x, {.shape = {4, 6}, .axes = {0, -3}}); });
  check_refused("options.axes[1] is -1; give each axis once", [&] {
    fftn(x, {.shape = {4, 6}, .axes = {1, -1}});
  });
  check_refused("the size of options.axes is 2; give one axis", [&] {
    fft(x, {.shape = {4, 6}, .axes = {0, 1}});
  });
  for (const int type : {0, 5, -1})
    check_refused("options.type is", [&] { idst(std::vector<float>(8), {.type = type}); });
}

}  // namespace
}  // namespace imago
