// This file is a Fourier transform on the host, in double precision: for references and tables,
// where exactness counts and speed does not.
#pragma once

#include <complex>
#include <vector>

namespace imago::base {

/// X[k] = sum of x[j] exp(-2 pi i j k / n), for any length: decimation in time over the prime
/// factors of n, n times their sum operations. Every root of unity is correctly rounded.
std::vector<std::complex<double>> dft(const std::vector<std::complex<double>>& x);

}  // namespace imago::base
