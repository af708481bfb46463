// This file defines the problems of the benchmark of nonuniform transforms, their data, and the
// interface of the implementations that it compares (contestants). It depends on neither OpenCL nor
// CUDA, so that every contestant can include it.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace imago::bench::nufft {

/// Distribution of the points.
enum class Distribution {
  uniform,    ///< over the whole period along each axis
  clustered,  ///< uniform over an eighth of the period along each axis
  radial      ///< along spokes through the centre, as in magnetic resonance imaging; 2-D and 3-D
};

struct Problem {
  std::vector<std::size_t> modes = {};  ///< slowest axis first: 1 to 3 axes
  std::size_t points = 0;
  bool f64 = false;
  double tolerance = 0;
  Distribution distribution = Distribution::uniform;

  std::size_t mode_count() const {
    std::size_t count = 1;
    for (const std::size_t n : modes) count *= n;
    return count;
  }
};

/// The data of a problem. For problems in f32, the numbers are rounded to f32.
struct Data {
  std::vector<std::vector<double>> coordinates;  ///< in radians, for each axis of the modes
  std::vector<std::complex<double>> strengths;   ///< input of type 1
  std::vector<std::complex<double>> modes;       ///< input of type 2
};

/// The steps that are timed.
enum class Step { set_points, type1, type2 };
constexpr Step kSteps[] = {Step::set_points, Step::type1, Step::type2};

/// An implementation of a problem, constructed with its data. Type 1 sums strengths times exp(+i k
/// x) over the points; type 2 sums modes times exp(-i k x).
class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual std::string about() const { return {}; }  ///< its choices
  virtual void start(Step step) = 0;                ///< computes a step, or starts to
  virtual void finish() = 0;                        ///< waits
  /// Returns the result of type 1 or type 2, after finish().
  virtual std::vector<std::complex<double>> result(Step step) = 0;
};

/// The arguments of a plugin, which makes a contestant from another library.
struct Question {
  const Problem& problem;
  const Data& data;     ///< must outlive the contestant
  std::string library;  ///< the shared library that it loads
  std::string device;   ///< name of the OpenCL device
};
/// A plugin's only function, `imago_nufft_peer`; returns null with the reason if it cannot work.
using Peer = Contestant*(const Question& question, std::string& reason);

/// Returns the numbers in another type.
template <class To, class From>
std::vector<To> converted(const std::vector<From>& numbers) {
  return {numbers.begin(), numbers.end()};
}

}  // namespace imago::bench::nufft
