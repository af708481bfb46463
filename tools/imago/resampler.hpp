// This file changes the rate of samples on the host by a ratio, in blocks, with a stream.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <imago/stream.hpp>

#include "channel_task.hpp"
#include "runtime/opencl.hpp"
#include "session.hpp"

namespace imago::command {

template <class Real>
class Resampler {
 public:
  /// Takes blocks of at most `most` samples.
  Resampler(const Session& session, const Resampling& ratio, std::size_t most,
            const Options& options)
      : session_(session),
        ratio_(ratio),
        stream_(session.queue, filter_of(ratio, most), options),
        from_(make_buffer(session, stream_.input_bytes(most))),
        to_(make_buffer(session, stream_.result_bytes(stream_.most_results()))),
        skipped_(ratio.skipped()) {}

  std::string describe() const { return stream_.describe(); }

  /// Replaces the samples by the results that they determine.
  void push(std::vector<std::complex<double>>& samples) {
    if (samples.empty()) return;
    numbers_.assign(samples.begin(), samples.end());
    runtime::check(clEnqueueWriteBuffer(session_.queue(), from_(), CL_TRUE, 0,
                                        stream_.input_bytes(samples.size()), numbers_.data(), 0,
                                        nullptr, nullptr),
                   "clEnqueueWriteBuffer");
    taken_ += samples.size();
    read(stream_.push(from_, samples.size(), to_), samples);
  }

  /// Replaces the samples by the results that are left.
  void finish(std::vector<std::complex<double>>& results) {
    const std::uint64_t left = ratio_.results(taken_) - given_;
    read(stream_.finish(to_), results);
    results.resize(std::min<std::uint64_t>(results.size(), left));
  }

 private:
  static FirFilter filter_of(const Resampling& ratio, std::size_t most) {
    std::vector<std::complex<double>> taps(ratio.zeros());
    for (const double tap : ratio.filter.response())
      taps.emplace_back(tap * static_cast<double>(ratio.up));
    return {.kind = Kind::complex,
            .precision = sizeof(Real) == 8 ? Precision::f64 : Precision::f32,
            .lengths = {most},
            .taps = taps,
            .decimation = ratio.down,
            .interpolation = ratio.up};
  }

  void read(std::size_t count, std::vector<std::complex<double>>& results) {
    numbers_.resize(count);
    if (count > 0)
      runtime::check(
          clEnqueueReadBuffer(session_.queue(), to_(), CL_TRUE, 0, stream_.result_bytes(count),
                              numbers_.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    const std::size_t begin = std::min(count, skipped_);
    skipped_ -= begin;
    results.assign(numbers_.begin() + static_cast<std::ptrdiff_t>(begin), numbers_.end());
    given_ += results.size();
  }

  const Session& session_;
  Resampling ratio_;
  Stream stream_;
  cl::Buffer from_, to_;
  std::vector<std::complex<Real>> numbers_;
  std::size_t skipped_;  ///< results before the first sample
  std::uint64_t taken_ = 0, given_ = 0;
};

}  // namespace imago::command
