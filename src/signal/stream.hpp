// This file lays out streams: transforms of windows that slide over the elements of the input.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <imago/fir_filter.hpp>
#include <imago/short_time_transform.hpp>

#include "problem/computation.hpp"

namespace imago::signal {

/// Names of the arguments that a stream itself supplies, besides those of short-time transforms.
inline constexpr const char *kResponseArgument = "stream_response", *kOnesArgument = "stream_ones",
                            *kTapsArgument = "stream_taps";

/// The windows of a stream. Window i covers the elements i hop - before to i hop - before + length
/// of the input, and gives `results` results.
struct Windows {
  std::uint64_t length = 1, hop = 1;
  std::uint64_t before = 0;   ///< zeros before the input; less than a window
  std::uint64_t results = 1;  ///< number of results of each window
  std::uint64_t dropped = 0;  ///< first results, which the caller does not receive
  std::uint64_t most = 1;     ///< the most elements of one block
  /// An ended stream of n elements has (n scale + more) / per results, rounded up.
  std::uint64_t scale = 1;
  std::int64_t more = 0;
  std::uint64_t per = 1;

  /// Returns the number of windows inside the first n elements.
  std::uint64_t inside(std::uint64_t n) const;
  /// Returns the number of windows that an ended stream has had.
  std::uint64_t of_ended(std::uint64_t n) const;
  /// Returns the number of the caller's results of the first windows.
  std::uint64_t results_of(std::uint64_t windows) const;
  /// Returns the number of results of an ended stream; none if it had no elements.
  std::uint64_t results_of_ended(std::uint64_t n) const;
  /// Returns the largest number of windows that end in one block, or at the end of the stream.
  std::uint64_t most_windows() const;
};

/// A stream. `compute` transforms a batch of most_windows() windows of the kept elements, and
/// `prepare`, if there is one, a batch of elements of the input to kept elements. `spectra`, if
/// there is one, transforms the windows before `compute`, which then is an inverse transform. The
/// batches vary.
struct StreamParts {
  Windows windows;
  problem::Computation compute;
  std::optional<problem::Computation> prepare, spectra = {};
  /// Factors of the argument kWindowArgument, kResponseArgument, kTapsArgument or kDualArgument.
  std::string_view argument;
  std::vector<std::complex<double>> factors;
  /// Numbers in memory of an element: of the input, of those that are kept, of a result, and of the
  /// spectrum of a window.
  std::uint64_t input = 1, kept = 1, result = 1, spectrum = 0;
};

/// Return the parts of a stream. Throw InvalidArgument for a description that is not allowed.
StreamParts stream_of(const ShortTimeTransform& description);
StreamParts stream_of(const FirFilter& filter);

}  // namespace imago::signal
