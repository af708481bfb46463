// This file says what is measured: those of the catalogue's cases that every library has, how large
// they are, and the suites, which are named lists of them. Suites are formulas over the number of
// points that fill a kind of device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/case.hpp"

namespace imago::bench {

/// The catalogue's, of which the benchmark measures those that forward_case() makes. Real in place:
/// rows are padded to 2(n/2+1) real elements, as FFTW, cuFFT and imago have it.
using Case = catalogue::Case;

/// A batch of forward transforms of one to three dimensions, of one kind (any but identity), packed
/// and interleaved. Lengths are those of the real array, slowest-varying first.
Case forward_case(std::vector<std::uint64_t> lengths, std::uint64_t batch = 1,
                  Precision precision = Precision::f32, Placement placement = Placement::in_place,
                  Kind kind = Kind::complex);
inline constexpr std::size_t kMostDimensions = 3;

inline bool in_place(const Case& problem) { return problem.placement == Placement::in_place; }
/// "f32".
std::string word(Precision precision);
/// Bytes of one real number.
std::size_t real_bytes(const Case& problem);
/// Elements of one transform's signal, without paddings: the product of its lengths.
/// (Case::points() counts the DFT that a cosine transform stands for.)
std::size_t elements(const Case& problem);
/// Along the last dimension, of one transform: rows of the signal and of the spectrum.
std::size_t rows(const Case& problem);
/// Elements of the spectrum's row.
std::size_t spectrum_row(const Case& problem);
/// Real numbers from one row of the signal to the next.
std::size_t signal_pitch(const Case& problem);
/// Elements of the spectrum of one transform, and the real numbers that these are.
std::size_t spectrum_points(const Case& problem);
std::size_t spectrum_numbers(const Case& problem);
/// Of the arrays, paddings included. The spectrum's is never the smaller; in place both are the
/// same.
std::size_t signal_bytes(const Case& problem);
std::size_t spectrum_bytes(const Case& problem);
/// What a transform must read and write at least: its signal without paddings and its spectrum,
/// once.
std::size_t moved_bytes(const Case& problem);

/// 5 N log2 N per transform of N points, by convention, whatever the algorithm does; half of it of
/// real data.
double flops(const Case& problem);
/// "64x64".
std::string shape(const Case& problem);
/// For people, as tables have it (Case::name() is for programs): "64x64 x 8192 f32 in place", "1024
/// x 32768 real f32 in place".
std::string name(const Case& problem);
/// What is averaged together: "powers of two", "mixed lengths" (prime factors up to 13), "large
/// primes" (any above), "2-D", "3-D", the last two and all lengths with "real " before it where the
/// data is, "dct2 " before it where that is the kind.
std::string family(const Case& problem);

/// What is timed of a case.
enum class Timing {
  trains,  ///< trains of calls, by the device's clock where it is fit: a device that is kept full
  single_calls  ///< calls as a program makes them, in a train and each with a wait, by the host's
                ///< clock on a queue without profiling
};

struct SuiteInfo {
  std::string name, about;
};
std::vector<SuiteInfo> suites();
/// The suite that another program measures (bench/ranks), so that it has no cases here.
inline constexpr const char* kRanks = "ranks";
/// Of a table whose entries have both.
template <class Entries>
std::vector<SuiteInfo> infos_of(const Entries& entries) {
  std::vector<SuiteInfo> list;
  list.reserve(std::size(entries));
  for (const auto& entry : entries) list.push_back({entry.name, entry.about});
  return list;
}
/// The cases of a suite; throws InvalidArgument with the names that exist.
std::vector<Case> suite(std::string_view name);
/// What a suite is made to be timed by; throws as suite() does.
Timing timing_of(std::string_view suite);
/// A case per shape, like `like` in all else, with as many transforms as `total_points` hold (at
/// least one), or with `like.batch` where `total_points` is 0. Throws InvalidArgument.
std::vector<Case> free_form(const std::vector<std::vector<std::size_t>>& shapes,
                            std::size_t total_points, const Case& like = forward_case({1}));
/// Throws InvalidArgument for a case that the benchmark does not measure or no array can hold.
void validate(const Case& problem);

}  // namespace imago::bench
