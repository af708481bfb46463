// This file computes reference transforms with FFTW in a precision higher than the one that is
// checked: double for f32, long double for f64.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <span>

#include "catalogue/catalogue.hpp"

namespace imago::catalogue {

/// What a result of precision Real is compared with.
template <class Real>
struct Wider;
template <>
struct Wider<float> {
  using type = double;
};
template <>
struct Wider<double> {
  using type = long double;
};

/// Unscaled reference transforms of one length and direction. FFTW's planner is used by one thread
/// at a time; transform() of different objects may run at once.
template <class Real>
class Reference {
 public:
  using Wide = typename Wider<Real>::type;
  Reference(std::uint64_t length, Direction direction);
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  /// The transform of `input`; valid until the next call.
  std::span<const std::complex<Wide>> transform(std::span<const std::complex<Real>> input);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::catalogue
