// This file computes the short-time Fourier transform of a recording in one plan. The input are
// samples, as integers if 16 bits hold them; the output are powers or decibels. Hooks do the other
// steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "analysis.hpp"
#include "formats/recording.hpp"
#include "session.hpp"

namespace imago::command {

struct StftRequest {
  std::size_t channels = 1;
  bool complex = false;                 ///< a sample is two numbers
  std::optional<double> integer_scale;  ///< value of the integer 1; none: floating point
  Framing framing;
  Window window = Window::hann;
  /// Number of samples that the window spans; fewer than the frame has if the recording is shorter.
  std::size_t span = 0;
  std::size_t frames = 1;  ///< per call
  bool decibels = true;    ///< false: powers
  Precision precision = Precision::f32;
  Bins bins() const { return {framing.length, !complex}; }
};

/// Returns the transform for the device's memory: 16-bit integers, f32 or f64.
Transform stft_transform(const StftRequest& request);

class Stft {
 public:
  Stft(const Session& session, const StftRequest& request, const Options& options);

  std::size_t frames() const { return request_.frames; }
  std::size_t bins() const { return request_.bins().count(); }
  std::string describe() const { return plan_.describe(); }
  double first_seconds() const { return first_seconds_; }  ///< an extra call, which may compile
  double seconds() const { return seconds_; }              ///< time of all other calls

  /// Loads moments of the recording for the next calls, at most as many as the frames of a call
  /// span. Silence follows the end.
  void load(formats::Recording& recording, std::uint64_t first, std::uint64_t moments);
  /// Counts the samples of a channel that are not finite, among the first moments loaded.
  std::size_t not_finite(std::size_t channel, std::size_t moments) const;
  /// Computes the loaded samples of a channel once if nothing was computed before. The driver may
  /// compile in its first call.
  void compile(std::size_t channel);
  /// Returns the levels of a channel's bins in ascending order, frame after frame, for the loaded
  /// samples. They are decibels or powers of the corresponding sinusoids. A sinusoid of amplitude 1
  /// has 0 dB, and the power 4^-exponent(). Silence has minus infinity dB; so have levels that are
  /// 370 dB below the channel's largest loaded sample, or lower.
  const std::vector<float>& run(std::size_t channel);
  /// Returns the exponent for the powers of the last run. Floating-point samples are divided by a
  /// power of two first, so that no power overflows or vanishes.
  int exponent() const { return exponent_; }

 private:
  template <class Real>
  cl::Buffer upload(const std::vector<double>& numbers) const;
  void upload_samples(std::size_t channel);
  template <class Real>
  void upload_scaled(std::size_t channel);
  template <class Real>
  void download_levels();
  double call(std::size_t channel) const;
  /// Calls a function with the index of each loaded number of a channel.
  template <class Use>
  void for_numbers(std::size_t channel, std::size_t moments, const Use& use) const;
  /// Returns the count of numbers of a moment.
  std::size_t numbers() const { return request_.channels * (request_.complex ? 2 : 1); }

  const Session& session_;
  const StftRequest request_;
  const Plan plan_;
  std::vector<std::int16_t> shorts_;  ///< one of the two is used, as the request specifies
  std::vector<double> numbers_;
  std::vector<float> levels_;
  int exponent_ = 0;
  cl::Buffer samples_, spectra_, window_, gains_;
  double first_seconds_ = 0, seconds_ = 0;
};

}  // namespace imago::command
