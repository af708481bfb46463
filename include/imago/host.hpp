// This file offers one-shot transforms of host data on a default device: IMAGO_DEVICE (an index or
// a part of a name), else the first GPU, accelerator or CPU that has the precision. They copy, plan
// (from caches), compute and wait; a program that transforms often makes a Plan.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Unnormalised forward DFT of a sequence of n points, 1 or more: n points. Throws as Plan and
/// find_device().
///
/// @code
/// const std::vector<std::complex<double>> signal(1000, 1.0);
/// const auto spectrum = imago::fft(signal);  // spectrum[0] is 1000
/// @endcode
IMAGO_API std::vector<std::complex<float>> fft(std::span<const std::complex<float>> signal);
/// The same in double precision.
IMAGO_API std::vector<std::complex<double>> fft(std::span<const std::complex<double>> signal);
/// Inverse of fft(): it divides by n.
IMAGO_API std::vector<std::complex<float>> ifft(std::span<const std::complex<float>> spectrum);
/// The same in double precision.
IMAGO_API std::vector<std::complex<double>> ifft(std::span<const std::complex<double>> spectrum);

/// All devices of all platforms, in a fixed order: the indices that `imago devices` shows. Throws
/// DeviceError where there is none because drivers fail to list theirs.
IMAGO_API std::vector<cl::Device> devices();
/// The device that a wish names: an index or a part of a name; empty: IMAGO_DEVICE, else the first
/// GPU, accelerator or CPU that has `precision`. Throws InvalidArgument when there is none such,
/// and DeviceError when there is no device at all.
IMAGO_API cl::Device find_device(const std::string& wish = {},
                                 Precision precision = Precision::f32);

}  // namespace imago
