// This file defines the problems of the benchmark of fused steps: transforms with steps before and
// after them, and their data. It depends on neither OpenCL nor CUDA, so that every contestant can
// include it.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace imago::bench::fused {

enum class Case {
  stft,   ///< power of windowed, overlapping frames of 16-bit samples
  istft,  ///< samples from the spectra of overlapping frames
  lines,  ///< linear convolution of lines of real numbers with one kernel
  planes  ///< circular convolution of square planes of complex numbers with one kernel
};

struct Problem {
  Case which = Case::stft;
  std::size_t count = 0;   ///< stft and istft: samples; else lines or planes
  std::size_t length = 0;  ///< length of a frame, a line, a row and a column
  std::size_t width =
      0;  ///< stft and istft: the hop; lines: length of the kernel; planes: the length

  /// Returns the number of batch elements: frames, lines, planes, or hops of samples (istft).
  std::size_t members() const {
    if (which == Case::stft) return (count - length) / width + 1;
    return which == Case::istft ? count / width : count;
  }
  /// Returns the number of frames that share samples with consecutive hops (istft). The first of
  /// them starts `length - width` samples before the first hop.
  std::size_t frames(std::size_t hops) const { return hops + length / width - 1; }
  /// Returns the floats of the result of a batch element.
  std::size_t result_floats() const {
    return which == Case::stft    ? length / 2 + 1
           : which == Case::istft ? width
           : which == Case::lines ? length + width - 1
                                  : 2 * length * length;
  }
  /// Returns the bytes that must be read and written at least.
  std::size_t least_bytes() const {
    const std::size_t read = which == Case::stft    ? 2 * count
                             : which == Case::istft ? 4 * frames(members()) * (length + 2)
                             : which == Case::lines ? 4 * count * length
                                                    : 8 * count * length * length;
    return read + 4 * members() * result_floats();
  }
};

/// The input data, on the host.
struct Data {
  std::vector<std::int16_t> samples;         ///< stft
  std::vector<float> window;                 ///< stft and istft
  std::vector<std::complex<float>> spectra;  ///< istft: the bins of each frame
  /// istft: the dual window divided by its length, the normalization that FFTW and cuFFT omit
  std::vector<float> dual;
  std::vector<float> lines, taps;                   ///< lines: the signals and the kernel
  std::vector<std::complex<float>> planes, spread;  ///< planes: the signals and the kernel
};

/// A way to compute a problem, constructed with its data.
class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual std::string name() const = 0;
  virtual std::string about() const { return {}; }  ///< its choices
  virtual void enqueue() = 0;                       ///< computes everything once, or starts to
  virtual void finish() = 0;                        ///< waits
  /// Returns the result of a batch element, after finish().
  virtual std::vector<float> result(std::size_t member) = 0;
};

/// The arguments of a plugin.
struct Question {
  const Problem& problem;
  const Data& data;  ///< must outlive the contestant
  std::string device;
  unsigned threads = 1;
  bool in_parts = false;  ///< runs all steps over a part that fits into a cache, before the next
                          ///< part
};
/// A plugin's only function, `imago_fused_peer`; returns null with the reason if it cannot work.
using Peer = Contestant*(const Question& question, std::string& reason);

/// Returns for example "scratch 2147 MB".
inline std::string scratch(std::size_t bytes) {
  return "scratch " + std::to_string((bytes + 500000) / 1000000) + " MB";
}

/// Returns lengths that hold a linear convolution and suit FFT libraries; a contestant uses the
/// fastest.
inline std::vector<std::size_t> padded_lengths(const Problem& problem) {
  const std::size_t least = problem.length + problem.width - 1;
  std::vector<std::size_t> found;
  for (const std::size_t step : {std::size_t{250}, std::size_t{512}})  // 3000 and 3072 for 2999
    found.push_back((least + step - 1) / step * step);
  std::size_t power = 1;
  while (power < least) power *= 2;
  found.push_back(power);
  return found;
}

}  // namespace imago::bench::fused
