// This file says what the benchmark of fused steps computes: transforms with something before and
// after them, and the numbers that they are computed of. It knows neither OpenCL nor CUDA, so that
// every contestant is compiled with it.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace imago::bench::fused {

enum class Case {
  stft,   ///< power of windowed, overlapping frames of samples of 16 bits
  lines,  ///< linear convolution of lines of real numbers with one kernel
  planes  ///< circular convolution of square planes of complex numbers with one kernel
};

struct Problem {
  Case which = Case::stft;
  std::size_t count = 0;   ///< stft: samples; else lines or planes
  std::size_t length = 0;  ///< of a frame, a line, a row and a column
  std::size_t width = 0;   ///< stft: the hop; lines: of the kernel; planes: the length

  /// Frames, lines, planes.
  std::size_t members() const { return which == Case::stft ? (count - length) / width + 1 : count; }
  /// Floats of a member's result.
  std::size_t result_floats() const {
    return which == Case::stft    ? length / 2 + 1
           : which == Case::lines ? length + width - 1
                                  : 2 * length * length;
  }
  /// That have to be read and written.
  std::size_t least_bytes() const {
    const std::size_t read = which == Case::stft    ? 2 * count
                             : which == Case::lines ? 4 * count * length
                                                    : 8 * count * length * length;
    return read + 4 * members() * result_floats();
  }
};

/// What is convolved, on the host.
struct Data {
  std::vector<std::int16_t> samples;                ///< stft
  std::vector<float> window;                        ///< stft
  std::vector<float> lines, taps;                   ///< lines: the signals and the kernel
  std::vector<std::complex<float>> planes, spread;  ///< planes: the signals and the kernel
};

/// A way to compute a problem, set up with its data where they are read.
class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual std::string name() const = 0;
  virtual std::string about() const { return {}; }  ///< what it chose
  virtual void enqueue() = 0;                       ///< computes everything once, or starts to
  virtual void finish() = 0;                        ///< waits
  /// A member's result, after finish().
  virtual std::vector<float> result(std::size_t member) = 0;
};

/// What a plugin is asked for.
struct Question {
  const Problem& problem;
  const Data& data;  ///< outlives the contestant
  std::string device;
  unsigned threads = 1;
  bool in_parts = false;  ///< all steps over what stays in a cache, before the next part
};
/// A plugin's one function, `imago_fused_peer`; null with the reason where it cannot.
using Peer = Contestant*(const Question& question, std::string& reason);

/// Lengths that hold a linear convolution and that FFT libraries are good at; a contestant takes
/// the one that is fastest for it.
inline std::vector<std::size_t> padded_lengths(const Problem& problem) {
  const std::size_t least = problem.length + problem.width - 1;
  std::vector<std::size_t> found;
  for (const std::size_t step : {std::size_t{250}, std::size_t{512}})  // 3000 and 3072 of 2999
    found.push_back((least + step - 1) / step * step);
  std::size_t power = 1;
  while (power < least) power *= 2;
  found.push_back(power);
  return found;
}

}  // namespace imago::bench::fused
