// This file says what is measured: a case is a forward transform of one shape and kind, and a suite
// is a named list of cases. Suites are formulas over the number of points that fill a kind
// of device.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <imago/transform.hpp>

namespace imago::bench {

/// A batch of forward transforms of one to three dimensions, packed and interleaved. Real in place:
/// rows are padded to 2(n/2+1) real elements, as FFTW, cuFFT and imago have it.
struct Case {
  std::vector<std::size_t> lengths;  ///< slowest-varying first; real: of the real array
  std::size_t batch = 1;
  Precision precision = Precision::f32;
  Placement placement = Placement::in_place;
  Kind kind = Kind::complex;  ///< any but identity
  friend bool operator==(const Case&, const Case&) = default;
};
inline constexpr std::size_t kMostDimensions = 3;

inline bool is_real(const Case& problem) { return problem.kind == Kind::real; }
/// A cosine or sine transform: from real numbers to as many.
inline bool is_trigonometric(const Case& problem) {
  return problem.kind != Kind::complex && problem.kind != Kind::real;
}
inline bool in_place(const Case& problem) { return problem.placement == Placement::in_place; }
inline constexpr std::array kPrecisions{Precision::f16, Precision::f32, Precision::f64};
/// "f32".
constexpr const char* word(Precision precision) {
  return precision == Precision::f64 ? "f64" : precision == Precision::f32 ? "f32" : "f16";
}
/// Bytes of one real number.
inline std::size_t real_bytes(const Case& problem) {
  return problem.precision == Precision::f64 ? 8 : problem.precision == Precision::f32 ? 4 : 2;
}
/// Of one transform: the product of its lengths.
inline std::size_t points(const Case& problem) {
  return std::accumulate(problem.lengths.begin(), problem.lengths.end(), std::size_t{1},
                         std::multiplies<>());
}
/// Along the last dimension, of one transform: rows of the signal and of the spectrum.
inline std::size_t rows(const Case& problem) { return points(problem) / problem.lengths.back(); }
/// Elements of the spectrum's row.
inline std::size_t spectrum_row(const Case& problem) {
  return is_real(problem) ? problem.lengths.back() / 2 + 1 : problem.lengths.back();
}
/// Real numbers from one row of the signal to the next.
inline std::size_t signal_pitch(const Case& problem) {
  if (problem.kind == Kind::complex) return 2 * problem.lengths.back();
  return is_real(problem) && in_place(problem) ? 2 * spectrum_row(problem) : problem.lengths.back();
}
/// Elements of the spectrum of one transform, and the real numbers that these are.
inline std::size_t spectrum_points(const Case& problem) {
  return rows(problem) * spectrum_row(problem);
}
inline std::size_t spectrum_numbers(const Case& problem) {
  return (is_trigonometric(problem) ? 1 : 2) * spectrum_points(problem);
}
/// Of the arrays, paddings included. The spectrum's is never the smaller; in place both are the
/// same.
inline std::size_t signal_bytes(const Case& problem) {
  return problem.batch * rows(problem) * signal_pitch(problem) * real_bytes(problem);
}
inline std::size_t spectrum_bytes(const Case& problem) {
  return problem.batch * spectrum_numbers(problem) * real_bytes(problem);
}
/// What a transform must read and write at least: its signal without paddings and its spectrum,
/// once.
inline std::size_t moved_bytes(const Case& problem) {
  const std::size_t part = problem.kind == Kind::complex ? 2 : 1;
  return problem.batch * points(problem) * part * real_bytes(problem) + spectrum_bytes(problem);
}

/// 5 N log2 N per transform of N points, by convention, whatever the algorithm does; half of it of
/// real data.
double flops(const Case& problem);
/// "64x64".
std::string shape(const Case& problem);
/// For people: "64x64 x 8192 f32 in place", "1024 x 32768 real f32 in place".
std::string name(const Case& problem);
/// What is averaged together: "powers of two", "mixed lengths" (prime factors up to 13), "large
/// primes" (any above), "2-D", "3-D", the last two and all lengths with "real " before it where the
/// data is, "dct2 " before it where that is the kind.
std::string family(const Case& problem);

struct SuiteInfo {
  std::string name, about;
};
std::vector<SuiteInfo> suites();
/// The cases of a suite; throws InvalidArgument with the names that exist.
std::vector<Case> suite(std::string_view name);
/// A case per shape, like `like` in all else, with as many transforms as `total_points` hold (at
/// least one), or with `like.batch` where `total_points` is 0. Throws InvalidArgument.
std::vector<Case> free_form(const std::vector<std::vector<std::size_t>>& shapes,
                            std::size_t total_points, const Case& like = {});
/// Throws InvalidArgument for a case that no array can hold.
void validate(const Case& problem);

}  // namespace imago::bench
