// This file computes a Fourier transform on the host, in double precision, for references and
// tables, which need exactness and not speed.
#pragma once

#include <complex>
#include <vector>

namespace imago::base {

/// Returns X[k] = sum of x[j] exp(-2 pi i j k / n), for any length n. Uses decimation in time over
/// the prime factors of n and takes n times their sum operations. Every root of unity is correctly
/// rounded.
std::vector<std::complex<double>> dft(const std::vector<std::complex<double>>& x);

}  // namespace imago::base
