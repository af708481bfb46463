// This file implements the functions of fft.hpp.
#include <imago/fft.hpp>

#include "host/kept_plans.hpp"
#include "host/one_call.hpp"

namespace imago {
namespace {

using host::Family;
using host::Function;

DctOptions with(const FftOptions& options) {
  return {.shape = options.shape, .axes = options.axes, .norm = options.norm};
}

constexpr Function kFft{Family::complex, false, false};
constexpr Function kIfft{Family::complex, true, false};
constexpr Function kFftn{Family::complex, false, true};
constexpr Function kIfftn{Family::complex, true, true};
constexpr Function kRfft{Family::real, false, false};
constexpr Function kIrfft{Family::real, true, false};
constexpr Function kRfftn{Family::real, false, true};
constexpr Function kIrfftn{Family::real, true, true};

}  // namespace

std::vector<std::complex<float>> fft(std::span<const std::complex<float>> signal,
                                     const FftOptions& options) {
  return host::made<std::complex<float>>(kFft, signal, with(options));
}
std::vector<std::complex<double>> fft(std::span<const std::complex<double>> signal,
                                      const FftOptions& options) {
  return host::made<std::complex<double>>(kFft, signal, with(options));
}
void fft(std::span<const std::complex<float>> signal, std::span<std::complex<float>> spectrum,
         const FftOptions& options) {
  host::into(kFft, signal, spectrum, with(options));
}
void fft(std::span<const std::complex<double>> signal, std::span<std::complex<double>> spectrum,
         const FftOptions& options) {
  host::into(kFft, signal, spectrum, with(options));
}

std::vector<std::complex<float>> ifft(std::span<const std::complex<float>> spectrum,
                                      const FftOptions& options) {
  return host::made<std::complex<float>>(kIfft, spectrum, with(options));
}
std::vector<std::complex<double>> ifft(std::span<const std::complex<double>> spectrum,
                                       const FftOptions& options) {
  return host::made<std::complex<double>>(kIfft, spectrum, with(options));
}
void ifft(std::span<const std::complex<float>> spectrum, std::span<std::complex<float>> signal,
          const FftOptions& options) {
  host::into(kIfft, spectrum, signal, with(options));
}
void ifft(std::span<const std::complex<double>> spectrum, std::span<std::complex<double>> signal,
          const FftOptions& options) {
  host::into(kIfft, spectrum, signal, with(options));
}

std::vector<std::complex<float>> fftn(std::span<const std::complex<float>> signal,
                                      const FftOptions& options) {
  return host::made<std::complex<float>>(kFftn, signal, with(options));
}
std::vector<std::complex<double>> fftn(std::span<const std::complex<double>> signal,
                                       const FftOptions& options) {
  return host::made<std::complex<double>>(kFftn, signal, with(options));
}
void fftn(std::span<const std::complex<float>> signal, std::span<std::complex<float>> spectrum,
          const FftOptions& options) {
  host::into(kFftn, signal, spectrum, with(options));
}
void fftn(std::span<const std::complex<double>> signal, std::span<std::complex<double>> spectrum,
          const FftOptions& options) {
  host::into(kFftn, signal, spectrum, with(options));
}

std::vector<std::complex<float>> ifftn(std::span<const std::complex<float>> spectrum,
                                       const FftOptions& options) {
  return host::made<std::complex<float>>(kIfftn, spectrum, with(options));
}
std::vector<std::complex<double>> ifftn(std::span<const std::complex<double>> spectrum,
                                        const FftOptions& options) {
  return host::made<std::complex<double>>(kIfftn, spectrum, with(options));
}
void ifftn(std::span<const std::complex<float>> spectrum, std::span<std::complex<float>> signal,
           const FftOptions& options) {
  host::into(kIfftn, spectrum, signal, with(options));
}
void ifftn(std::span<const std::complex<double>> spectrum, std::span<std::complex<double>> signal,
           const FftOptions& options) {
  host::into(kIfftn, spectrum, signal, with(options));
}

std::vector<std::complex<float>> rfft(std::span<const float> signal, const FftOptions& options) {
  return host::made<std::complex<float>>(kRfft, signal, with(options));
}
std::vector<std::complex<double>> rfft(std::span<const double> signal, const FftOptions& options) {
  return host::made<std::complex<double>>(kRfft, signal, with(options));
}
void rfft(std::span<const float> signal, std::span<std::complex<float>> spectrum,
          const FftOptions& options) {
  host::into(kRfft, signal, spectrum, with(options));
}
void rfft(std::span<const double> signal, std::span<std::complex<double>> spectrum,
          const FftOptions& options) {
  host::into(kRfft, signal, spectrum, with(options));
}

std::vector<float> irfft(std::span<const std::complex<float>> spectrum, const FftOptions& options) {
  return host::made<float>(kIrfft, spectrum, with(options));
}
std::vector<double> irfft(std::span<const std::complex<double>> spectrum,
                          const FftOptions& options) {
  return host::made<double>(kIrfft, spectrum, with(options));
}
void irfft(std::span<const std::complex<float>> spectrum, std::span<float> signal,
           const FftOptions& options) {
  host::into(kIrfft, spectrum, signal, with(options));
}
void irfft(std::span<const std::complex<double>> spectrum, std::span<double> signal,
           const FftOptions& options) {
  host::into(kIrfft, spectrum, signal, with(options));
}

std::vector<std::complex<float>> rfftn(std::span<const float> signal, const FftOptions& options) {
  return host::made<std::complex<float>>(kRfftn, signal, with(options));
}
std::vector<std::complex<double>> rfftn(std::span<const double> signal, const FftOptions& options) {
  return host::made<std::complex<double>>(kRfftn, signal, with(options));
}
void rfftn(std::span<const float> signal, std::span<std::complex<float>> spectrum,
           const FftOptions& options) {
  host::into(kRfftn, signal, spectrum, with(options));
}
void rfftn(std::span<const double> signal, std::span<std::complex<double>> spectrum,
           const FftOptions& options) {
  host::into(kRfftn, signal, spectrum, with(options));
}

std::vector<float> irfftn(std::span<const std::complex<float>> spectrum,
                          const FftOptions& options) {
  return host::made<float>(kIrfftn, spectrum, with(options));
}
std::vector<double> irfftn(std::span<const std::complex<double>> spectrum,
                           const FftOptions& options) {
  return host::made<double>(kIrfftn, spectrum, with(options));
}
void irfftn(std::span<const std::complex<float>> spectrum, std::span<float> signal,
            const FftOptions& options) {
  host::into(kIrfftn, spectrum, signal, with(options));
}
void irfftn(std::span<const std::complex<double>> spectrum, std::span<double> signal,
            const FftOptions& options) {
  host::into(kIrfftn, spectrum, signal, with(options));
}

void clear_kept_plans() { host::drop_kept_plans(); }

}  // namespace imago
