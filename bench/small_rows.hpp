// This file times one small transform per call, compared with FFTW (FFTW_MEASURE) and, if it is
// built with IMAGO_BENCH_MKL, oneMKL: one thread, pinned, in turns.
#pragma once

#include <fftw3.h>
#if defined(IMAGO_BENCH_MKL)
#include <mkl_dfti.h>
#include <mkl_service.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace imago::bench {

using Call = std::function<void()>;

constexpr int kTurns = 15;
constexpr double kTurn = 0.002;  ///< seconds

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double seconds_of(const Call& call, int count) {
  const double began = now();
  for (int i = 0; i < count; ++i) call();
  return (now() - began) / count;
}

/// Returns the best time of each call, in turns.
inline std::vector<double> best_of(const std::vector<Call>& calls) {
  std::vector<int> counts;
  for (const Call& call : calls) {
    seconds_of(call, 20);
    counts.push_back(std::max(5, static_cast<int>(kTurn / seconds_of(call, 50))));
  }
  std::vector<double> best(calls.size(), 1e9);
  for (int turn = 0; turn < kTurns; ++turn)
    for (std::size_t i = 0; i < calls.size(); ++i)
      best[i] = std::min(best[i], seconds_of(calls[i], counts[i]));
  return best;
}

template <class Real>
struct Memory {
  explicit Memory(std::size_t numbers)
      : data(static_cast<Real*>(std::aligned_alloc(64, (numbers * sizeof(Real) + 127) / 64 * 64)),
             std::free) {
    for (std::size_t i = 0; i < numbers; ++i)
      data.get()[i] = static_cast<Real>(std::rand()) / static_cast<Real>(RAND_MAX) - Real{0.5};
  }
  std::unique_ptr<Real, void (*)(void*)> data;
};

template <class Real>
Call fftw_call(std::size_t n, bool real, Real* in, Real* out) {
  const int length = static_cast<int>(n);
  std::vector<Real> kept(in, in + (real ? n : 2 * n));  // FFTW_MEASURE overwrites
  if constexpr (sizeof(Real) == 4) {
    auto* const to = reinterpret_cast<fftwf_complex*>(out);
    fftwf_plan plan = real ? fftwf_plan_dft_r2c_1d(length, in, to, FFTW_MEASURE)
                           : fftwf_plan_dft_1d(length, reinterpret_cast<fftwf_complex*>(in), to,
                                               FFTW_FORWARD, FFTW_MEASURE);
    std::copy(kept.begin(), kept.end(), in);
    return [plan] { fftwf_execute(plan); };
  } else {
    auto* const to = reinterpret_cast<fftw_complex*>(out);
    fftw_plan plan = real ? fftw_plan_dft_r2c_1d(length, in, to, FFTW_MEASURE)
                          : fftw_plan_dft_1d(length, reinterpret_cast<fftw_complex*>(in), to,
                                             FFTW_FORWARD, FFTW_MEASURE);
    std::copy(kept.begin(), kept.end(), in);
    return [plan] { fftw_execute(plan); };
  }
}

#if defined(IMAGO_BENCH_MKL)
template <class Real>
Call mkl_call(std::size_t n, bool real, Real* in, Real* out) {
  DFTI_DESCRIPTOR_HANDLE handle = nullptr;
  (DftiCreateDescriptor)(&handle, sizeof(Real) == 4 ? DFTI_SINGLE : DFTI_DOUBLE,
                         real ? DFTI_REAL : DFTI_COMPLEX, 1, static_cast<MKL_LONG>(n));
  DftiSetValue(handle, DFTI_PLACEMENT, DFTI_NOT_INPLACE);
  if (real) DftiSetValue(handle, DFTI_CONJUGATE_EVEN_STORAGE, DFTI_COMPLEX_COMPLEX);
  DftiCommitDescriptor(handle);
  return [=] { DftiComputeForward(handle, in, out); };
}
#endif

/// Makes imago's call of a forward transform of n points, complex or real.
template <class Real>
using CallMaker = std::function<Call(std::size_t n, bool real, const Real* in, Real* out)>;

struct Means {
  double fftw = 0, mkl = 0, worst = 1e9;
  int rows = 0;
};

template <class Real>
void row(std::size_t n, bool real, const CallMaker<Real>& make, Means& means) {
  Memory<Real> in(2 * n), out(2 * n + 2), other(2 * n + 2);
  Real *const x = in.data.get(), *const y = out.data.get(), *const z = other.data.get();
  std::vector<Call> calls{make(n, real, x, y), fftw_call<Real>(n, real, x, z)};
#if defined(IMAGO_BENCH_MKL)
  calls.push_back(mkl_call<Real>(n, real, x, z));
#endif
  calls[0](), calls[1]();
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < (real ? 2 * (n / 2 + 1) : 2 * n); ++i)
    error += std::pow(y[i] - z[i], 2), norm += std::pow(z[i], 2);
  const auto best = best_of(calls);
  std::printf("%c%zu %6zu  imago %9.1f ns  fftw %9.1f (%.2f)", real ? 'r' : 'c', 8 * sizeof(Real),
              n, 1e9 * best[0], 1e9 * best[1], best[1] / best[0]);
  means.fftw += std::log(best[1] / best[0]);
  means.worst = std::min(means.worst, best[1] / best[0]);
  if (best.size() > 2) {
    std::printf("  mkl %9.1f (%.2f)", 1e9 * best[2], best[2] / best[0]);
    means.mkl += std::log(best[2] / best[0]);
    means.worst = std::min(means.worst, best[2] / best[0]);
  }
  ++means.rows;
  std::printf("  difference %.1e\n", std::sqrt(error / norm));
  std::fflush(stdout);
}

/// Prints the rows of 8 to 4096 points of a kind (c32, c64, r32, r64) and their means.
inline void group(const std::string& kind, const CallMaker<float>& f32,
                  const CallMaker<double>& f64) {
  Means means;
  for (std::size_t n = 8; n <= 4096; n *= 2) {
    const bool real = kind[0] == 'r';
    kind.substr(1) == "64" ? row<double>(n, real, f64, means) : row<float>(n, real, f32, means);
  }
  std::printf("%s: geometric mean %.3f of FFTW", kind.c_str(), std::exp(means.fftw / means.rows));
  if (means.mkl != 0) std::printf(", %.3f of oneMKL", std::exp(means.mkl / means.rows));
  std::printf(", worst row %.2f\n", means.worst);
}

/// Pins the thread and prints the groups of the named kinds, by default all of them.
inline void print_groups(std::vector<std::string> kinds, const CallMaker<float>& f32,
                         const CallMaker<double>& f64) {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(sched_getcpu(), &set);
  sched_setaffinity(0, sizeof set, &set);
#endif
#if defined(IMAGO_BENCH_MKL)
  mkl_set_num_threads(1);
#endif
  if (kinds.empty()) kinds = {"c32", "c64", "r32", "r64"};
  for (const std::string& kind : kinds) group(kind, f32, f64);
}

}  // namespace imago::bench
