// This file is the short-time Fourier transform of a recording in one plan: samples go in, as
// integers where 16 bits hold them, decibels come out, and what is between is done by hooks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "analysis.hpp"
#include "formats/recording.hpp"
#include "session.hpp"

namespace imago::command {

/// Below it all power is the same: 200 dB below full scale.
inline constexpr double kPowerFloor = 1e-20;

struct StftRequest {
  std::size_t channels = 1;
  bool short_samples = false;  ///< the recording's fit 16 bits
  Framing framing;
  Window window = Window::hann;
  /// Samples that the window spans: fewer than the frame has where the recording is shorter.
  std::size_t span = 0;
  std::size_t frames = 1;  ///< of a call
};

/// What is computed, on the device's memory: of integers of 16 bits, else of f32.
Transform stft_transform(const StftRequest& request);

class Stft {
 public:
  Stft(const Session& session, const StftRequest& request, const Options& options);

  std::size_t frames() const { return request_.frames; }
  std::size_t bins() const { return request_.framing.length / 2 + 1; }
  std::string describe() const { return plan_.describe(); }
  double first_seconds() const { return first_seconds_; }  ///< of a call more, which may compile
  double seconds() const { return seconds_; }              ///< of all other calls

  /// Moments of the recording for a call to come; behind them is silence. At most as many as the
  /// frames of a call span.
  void load(formats::Recording& recording, std::uint64_t first, std::uint64_t moments);
  /// Counts the samples of a channel that are NaN or infinite among the first moments loaded.
  std::size_t not_finite(std::size_t channel, std::size_t moments) const;
  /// Of what was loaded: frame after frame the levels of a channel's bins, in decibels, of the
  /// sinusoids that would give them; a sinusoid of full scale has 0.
  const std::vector<float>& run(std::size_t channel);

 private:
  cl::Buffer upload(const std::vector<float>& numbers) const;
  double call(std::size_t channel) const;

  const Session& session_;
  const StftRequest request_;
  const Plan plan_;
  std::vector<std::int16_t> shorts_;  ///< these or those, as the request says
  std::vector<float> numbers_;
  std::vector<float> levels_;
  cl::Buffer samples_, spectra_, window_, gains_;
  double first_seconds_ = 0, seconds_ = 0;
};

}  // namespace imago::command
