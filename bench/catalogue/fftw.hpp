// This file wraps FFTW, for the references, the signals made of tones and the benchmark: FFTW's
// functions selected by the type of a real number, its arrays and its plans.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#include <fftw3.h>

#include <imago/transform.hpp>

namespace imago::catalogue {

/// The functions of FFTW that are used. A program links the libraries of the functions that it
/// calls.
template <class Real>
struct Fftw;

// FFTW's functions differ between precisions only by a prefix, which a template cannot express.
#define IMAGO_FFTW(Real, prefix)                                           \
  template <>                                                              \
  struct Fftw<Real> {                                                      \
    using Plan = prefix##plan;                                             \
    using Complex = prefix##complex;                                       \
    using Dimension = prefix##iodim64;                                     \
    static constexpr auto* complex = prefix##plan_guru64_dft;              \
    static constexpr auto* to_spectrum = prefix##plan_guru64_dft_r2c;      \
    static constexpr auto* to_signal = prefix##plan_guru64_dft_c2r;        \
    static constexpr auto* real_to_real = prefix##plan_guru64_r2r;         \
    static constexpr auto* many_complex = prefix##plan_many_dft;           \
    static constexpr auto* many_to_spectrum = prefix##plan_many_dft_r2c;   \
    static constexpr auto* many_real_to_real = prefix##plan_many_r2r;      \
    static constexpr auto* execute = prefix##execute;                      \
    static constexpr auto* destroy = prefix##destroy_plan;                 \
    static constexpr auto* allocate = prefix##alloc_real;                  \
    static constexpr auto* release = prefix##free;                         \
    static constexpr auto* init_threads = prefix##init_threads;            \
    static constexpr auto* plan_with_threads = prefix##plan_with_nthreads; \
    static constexpr auto* forget_wisdom = prefix##forget_wisdom;          \
  }
IMAGO_FFTW(float, fftwf_);
IMAGO_FFTW(double, fftw_);
IMAGO_FFTW(long double, fftwl_);
#undef IMAGO_FFTW

/// Real numbers, or pairs of them as FFTW's complex numbers, in memory that FFTW allocates.
template <class Real>
class FftwArray {
 public:
  explicit FftwArray(std::size_t count) : size_(count), data_(Fftw<Real>::allocate(count)) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  Real* data() const { return data_.get(); }
  typename Fftw<Real>::Complex* complex() const {
    return reinterpret_cast<typename Fftw<Real>::Complex*>(data_.get());
  }
  std::size_t size() const { return size_; }

 private:
  struct Release {
    void operator()(Real* data) const { Fftw<Real>::release(data); }
  };
  std::size_t size_;
  std::unique_ptr<Real[], Release> data_;
};

template <class Real>
struct DestroyFftwPlan {
  void operator()(typename Fftw<Real>::Plan plan) const { Fftw<Real>::destroy(plan); }
};
/// Null if FFTW created no plan. Only one thread at a time may create or destroy plans.
template <class Real>
using FftwPlan =
    std::unique_ptr<std::remove_pointer_t<typename Fftw<Real>::Plan>, DestroyFftwPlan<Real>>;

/// Returns FFTW's name of a cosine or sine transform.
inline fftw_r2r_kind fftw_kind(Kind kind) {
  constexpr std::array kKinds{FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11,
                              FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11};
  return kKinds.at(static_cast<std::size_t>(kind) - static_cast<std::size_t>(Kind::dct1));
}

}  // namespace imago::catalogue
