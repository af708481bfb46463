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

/// Lower powers count as this one, which is 200 dB below full scale.
inline constexpr double kPowerFloor = 1e-20;

struct StftRequest {
  std::size_t channels = 1;
  bool complex = false;                 ///< a sample is two numbers
  std::optional<double> integer_scale;  ///< value of the integer 1; none: samples are f32
  Framing framing;
  Window window = Window::hann;
  /// Number of samples that the window spans; fewer than the frame has if the recording is shorter.
  std::size_t span = 0;
  std::size_t frames = 1;  ///< per call
  bool decibels = true;    ///< false: powers
  Bins bins() const { return {framing.length, !complex}; }
};

/// Returns the transform for the device's memory: 16-bit integers, else f32.
Transform stft_transform(const StftRequest& request);

class Stft {
 public:
  Stft(const Session& session, const StftRequest& request, const Options& options);

  std::size_t frames() const { return request_.frames; }
  std::size_t bins() const { return request_.bins().count(); }
  std::string describe() const { return plan_.describe(); }
  double first_seconds() const { return first_seconds_; }  ///< an extra call, which may compile
  double seconds() const { return seconds_; }              ///< time of all other calls

  /// Loads moments of the recording for the next call, at most as many as the frames of a call
  /// span. Silence follows the end.
  void load(formats::Recording& recording, std::uint64_t first, std::uint64_t moments);
  /// Counts the samples of a channel that are not finite, among the first moments loaded.
  std::size_t not_finite(std::size_t channel, std::size_t moments) const;
  /// Returns the levels of a channel's bins in ascending order, frame after frame, for the loaded
  /// samples. They are decibels or powers of the corresponding sinusoids; a sinusoid of amplitude 1
  /// has 0 dB, and the power 1.
  const std::vector<float>& run(std::size_t channel);

 private:
  cl::Buffer upload(const std::vector<float>& numbers) const;
  double call(std::size_t channel) const;
  /// Returns the count of numbers of a moment.
  std::size_t numbers() const { return request_.channels * (request_.complex ? 2 : 1); }

  const Session& session_;
  const StftRequest request_;
  const Plan plan_;
  std::vector<std::int16_t> shorts_;  ///< one of the two is used, as the request specifies
  std::vector<float> numbers_;
  std::vector<float> levels_;
  cl::Buffer samples_, spectra_, window_, gains_;
  double first_seconds_ = 0, seconds_ = 0;
};

}  // namespace imago::command
