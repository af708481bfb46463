// This file computes reference transforms with FFTW in a higher precision.
#include "catalogue/reference.hpp"

#include <algorithm>
#include <mutex>
#include <new>

#include <fftw3.h>

namespace imago::catalogue {
namespace {

std::mutex planner_mutex;  // FFTW's planner keeps global state

/// The part of FFTW's interface that is used, for one precision.
template <class Wide>
struct Fftw;
template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  static constexpr auto* plan = fftw_plan_dft_1d;
  static constexpr auto* execute = fftw_execute;
  static constexpr auto* destroy = fftw_destroy_plan;
  static constexpr auto* allocate = fftw_alloc_complex;
  static constexpr auto* release = fftw_free;
};
template <>
struct Fftw<long double> {
  using Plan = fftwl_plan;
  static constexpr auto* plan = fftwl_plan_dft_1d;
  static constexpr auto* execute = fftwl_execute;
  static constexpr auto* destroy = fftwl_destroy_plan;
  static constexpr auto* allocate = fftwl_alloc_complex;
  static constexpr auto* release = fftwl_free;
};

}  // namespace

template <class Real>
struct Reference<Real>::State {
  using Library = Fftw<Wide>;
  std::uint64_t length;
  std::complex<Wide>* data;  // transformed in place: half the memory at 2^24
  typename Library::Plan plan;
};

template <class Real>
Reference<Real>::Reference(std::uint64_t length, Direction direction)
    : state_(std::make_unique<State>()) {
  using Library = typename State::Library;
  const std::scoped_lock lock(planner_mutex);
  auto* data = Library::allocate(length);
  if (data == nullptr) throw std::bad_alloc();
  state_->length = length;
  state_->data = reinterpret_cast<std::complex<Wide>*>(data);
  state_->plan =
      Library::plan(static_cast<int>(length), data, data,
                    direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
}

template <class Real>
Reference<Real>::~Reference() {
  const std::scoped_lock lock(planner_mutex);
  State::Library::destroy(state_->plan);
  State::Library::release(state_->data);
}

template <class Real>
auto Reference<Real>::transform(std::span<const std::complex<Real>> input)
    -> std::span<const std::complex<Wide>> {
  std::transform(input.begin(), input.end(), state_->data, [](std::complex<Real> value) {
    return std::complex<Wide>(value.real(), value.imag());
  });
  State::Library::execute(state_->plan);
  return {state_->data, state_->length};
}

template class Reference<float>;
template class Reference<double>;

}  // namespace imago::catalogue
