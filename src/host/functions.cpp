// This file implements the functions of fft.hpp and dct.hpp by a table of their names and of their
// arguments for one_call().
#include <complex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <imago/dct.hpp>
#include <imago/fft.hpp>

#include "base/forked.hpp"
#include "host/kept_plans.hpp"
#include "host/one_call.hpp"
#include "runtime/binary_cache.hpp"
#include "runtime/program.hpp"

namespace imago {
namespace {

using host::Family;

template <class T>
using Real = T;
template <class T>
using Complex = std::complex<T>;

const DctOptions& all(const DctOptions& options) { return options; }
DctOptions all(const FftOptions& options) {
  return {.shape = options.shape, .axes = options.axes, .norm = options.norm};
}

template <class T>
constexpr Precision kPrecision = std::is_same_v<T, double> ? Precision::f64 : Precision::f32;

template <class To, class From>
std::vector<To> made(const host::Function& function, Precision precision,
                     std::span<const From> from, const DctOptions& options) {
  host::OneCall call = host::one_call(function, options, precision, {from.size()});
  std::vector<To> to(call.written);
  host::run(function, std::move(call.transform), from.data(), to.data());
  return to;
}

template <class From, class To>
void into(const host::Function& function, Precision precision, std::span<const From> from,
          std::span<To> to, const DctOptions& options) {
  host::OneCall call = host::one_call(function, options, precision, {from.size(), to.size()});
  host::run(function, std::move(call.transform), from.data(), to.data());
}

}  // namespace

// Defines the two functions of a name for numbers T. The last arguments are the fields of a
// host::Function.
#define IMAGO_FUNCTIONS_OF(T, name, From, To, Options, ...)                               \
  std::vector<To<T>> name(std::span<const From<T>> from, const Options& options) {        \
    return made<To<T>>({__VA_ARGS__}, kPrecision<T>, from, all(options));                 \
  }                                                                                       \
  void name(std::span<const From<T>> from, std::span<To<T>> to, const Options& options) { \
    into({__VA_ARGS__}, kPrecision<T>, from, to, all(options));                           \
  }
#define IMAGO_FUNCTIONS(...)             \
  IMAGO_FUNCTIONS_OF(float, __VA_ARGS__) \
  IMAGO_FUNCTIONS_OF(double, __VA_ARGS__)

// name, types of input and output, options; family, inverse, several axes
IMAGO_FUNCTIONS(fft, Complex, Complex, FftOptions, Family::complex, false, false)
IMAGO_FUNCTIONS(ifft, Complex, Complex, FftOptions, Family::complex, true, false)
IMAGO_FUNCTIONS(fftn, Complex, Complex, FftOptions, Family::complex, false, true)
IMAGO_FUNCTIONS(ifftn, Complex, Complex, FftOptions, Family::complex, true, true)
IMAGO_FUNCTIONS(rfft, Real, Complex, FftOptions, Family::real, false, false)
IMAGO_FUNCTIONS(irfft, Complex, Real, FftOptions, Family::real, true, false)
IMAGO_FUNCTIONS(rfftn, Real, Complex, FftOptions, Family::real, false, true)
IMAGO_FUNCTIONS(irfftn, Complex, Real, FftOptions, Family::real, true, true)
IMAGO_FUNCTIONS(dct, Real, Real, DctOptions, Family::cosine, false, false)
IMAGO_FUNCTIONS(idct, Real, Real, DctOptions, Family::cosine, true, false)
IMAGO_FUNCTIONS(dctn, Real, Real, DctOptions, Family::cosine, false, true)
IMAGO_FUNCTIONS(idctn, Real, Real, DctOptions, Family::cosine, true, true)
IMAGO_FUNCTIONS(dst, Real, Real, DctOptions, Family::sine, false, false)
IMAGO_FUNCTIONS(idst, Real, Real, DctOptions, Family::sine, true, false)
IMAGO_FUNCTIONS(dstn, Real, Real, DctOptions, Family::sine, false, true)
IMAGO_FUNCTIONS(idstn, Real, Real, DctOptions, Family::sine, true, true)

#undef IMAGO_FUNCTIONS
#undef IMAGO_FUNCTIONS_OF

void release_memory() {
  if (base::driver_is_lost()) return;  // locks and drivers of the parent
  host::drop_kept_plans();
  runtime::BinaryCache::instance().clear();
  runtime::release_held();
}

}  // namespace imago
