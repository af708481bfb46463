// This file defines the measured cases: the catalogue's cases that every library supports, their
// sizes, and the suites, which are named lists of cases. Suites are computed from the number of
// points that saturate a kind of device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/case.hpp"

namespace imago::bench {

/// The catalogue's case type. The benchmark measures only the cases that forward_case() makes. For
/// real data in place, rows are padded to 2(n/2+1) real elements, as in FFTW, cuFFT and imago.
using Case = catalogue::Case;

/// Makes a batch of forward transforms of one to three dimensions, of one kind (any but identity),
/// packed and interleaved. Lengths are those of the real array, slowest-varying first.
Case forward_case(std::vector<std::uint64_t> lengths, std::uint64_t batch = 1,
                  Precision precision = Precision::f32, Placement placement = Placement::in_place,
                  Kind kind = Kind::complex);
inline constexpr std::size_t kMostDimensions = 3;

inline bool in_place(const Case& problem) { return problem.placement == Placement::in_place; }
/// Returns for example "f32".
std::string word(Precision precision);
/// Returns the bytes of one real number.
std::size_t real_bytes(const Case& problem);
/// Returns the elements of one transform's input without padding, the product of its lengths.
/// (Case::points() returns the points of the DFT that is equivalent to a cosine transform.)
std::size_t elements(const Case& problem);
/// Returns the number of rows of one transform, along the last dimension.
std::size_t rows(const Case& problem);
/// Returns the elements of a row of the spectrum.
std::size_t spectrum_row(const Case& problem);
/// Returns the real numbers from one row of the signal to the next.
std::size_t signal_pitch(const Case& problem);
/// Return the elements of one transform's spectrum, and their real numbers.
std::size_t spectrum_points(const Case& problem);
std::size_t spectrum_numbers(const Case& problem);
/// Return the bytes of the arrays, with padding. The spectrum's is never the smaller; in place both
/// are the same.
std::size_t signal_bytes(const Case& problem);
std::size_t spectrum_bytes(const Case& problem);
/// Returns the bytes that a transform must read and write at least: its input without padding and
/// its spectrum, once.
std::size_t moved_bytes(const Case& problem);

/// Returns 5 N log2 N per transform of N points, by convention for any algorithm; half of it for
/// real data.
double flops(const Case& problem);
/// Returns for example "64x64".
std::string shape(const Case& problem);
/// Returns the name in tables (Case::name() is for programs): "64x64 x 8192 f32 in place", "1024 x
/// 32768 real f32 in place".
std::string name(const Case& problem);
/// Returns the group for averages: "powers of two", "mixed lengths" (prime factors up to 13),
/// "large primes" (any above), "2-D", "3-D". The prefix is "real " for real data, and for example
/// "dct2 " for that kind.
std::string family(const Case& problem);

/// The timing method of a case.
enum class Timing {
  trains,  ///< throughput: back-to-back calls on a fully loaded device, in device time if it is
           ///< reliable
  single_calls  ///< latency: both back-to-back and synchronous calls, by the host's clock on a
                ///< queue without profiling
};

struct SuiteInfo {
  std::string name, about;
};
std::vector<SuiteInfo> suites();
/// The suite of another program (bench/ranks); it has no cases here.
inline constexpr const char* kRanks = "ranks";
/// Returns the name and description of each entry of a table.
template <class Entries>
std::vector<SuiteInfo> infos_of(const Entries& entries) {
  std::vector<SuiteInfo> list;
  list.reserve(std::size(entries));
  for (const auto& entry : entries) list.push_back({entry.name, entry.about});
  return list;
}
/// Returns the cases of a suite; throws InvalidArgument with the existing names.
std::vector<Case> suite(std::string_view name);
/// Returns the timing of a suite; throws as suite() does.
Timing timing_of(std::string_view suite);
/// Makes a case per shape, which otherwise equals `like`. The batch is `total_points` divided by
/// the points of the shape (at least one), or `like.batch` if `total_points` is 0. Throws
/// InvalidArgument.
std::vector<Case> free_form(const std::vector<std::vector<std::size_t>>& shapes,
                            std::size_t total_points, const Case& like = forward_case({1}));
/// Throws InvalidArgument for a case that the benchmark does not support or that no array can hold.
void validate(const Case& problem);

}  // namespace imago::bench
