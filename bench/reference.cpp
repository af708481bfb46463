// This file implements the check: f32 against FFTW in double, f64 against FFTW in long double. Sums
// run in long double, whose range also holds the squares of f64's small in-place signals.
#include "bench/reference.hpp"

#include <fftw3.h>

#include <cmath>
#include <memory>

namespace imago::bench {
namespace {

constexpr std::size_t kElements = 4096;

template <class Real>
std::complex<long double> element(const Signal& signal, std::size_t index) {
  const auto* values = reinterpret_cast<const std::complex<Real>*>(signal.data.data());
  return values[index];
}

std::vector<std::complex<long double>> transform_double(const Signal& signal, std::size_t first,
                                                        std::size_t length, unsigned threads) {
  const std::unique_ptr<fftw_complex[], decltype(&fftw_free)> data(fftw_alloc_complex(length),
                                                                   &fftw_free);
  fftw_plan_with_nthreads(static_cast<int>(threads));
  const fftw_plan plan = fftw_plan_dft_1d(static_cast<int>(length), data.get(), data.get(),
                                          FFTW_FORWARD, FFTW_ESTIMATE);
  auto* values = reinterpret_cast<std::complex<double>*>(data.get());
  for (std::size_t i = 0; i < length; ++i) values[i] = element<float>(signal, first + i);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return {values, values + length};
}

std::vector<std::complex<long double>> transform_long(const Signal& signal, std::size_t first,
                                                      std::size_t length) {
  const std::unique_ptr<fftwl_complex[], decltype(&fftwl_free)> data(fftwl_alloc_complex(length),
                                                                     &fftwl_free);
  const fftwl_plan plan = fftwl_plan_dft_1d(static_cast<int>(length), data.get(), data.get(),
                                            FFTW_FORWARD, FFTW_ESTIMATE);
  auto* values = reinterpret_cast<std::complex<long double>*>(data.get());
  for (std::size_t i = 0; i < length; ++i) values[i] = element<double>(signal, first + i);
  fftwl_execute(plan);
  fftwl_destroy_plan(plan);
  return {values, values + length};
}

// Which transforms of the batch are checked: about half of them at each end.
std::vector<std::size_t> members_of(const Case& problem) {
  const std::size_t wanted = std::min(
      problem.batch, std::max<std::size_t>(2, (kElements + problem.length - 1) / problem.length));
  const std::size_t front = (wanted + 1) / 2;
  std::vector<std::size_t> members(wanted);
  for (std::size_t i = 0; i < wanted; ++i) members[i] = i < front ? i : problem.batch - wanted + i;
  return members;
}

}  // namespace

Reference::Reference(const Case& problem, const Signal& signal, unsigned threads) {
  fftw_init_threads();  // once is enough, more do no harm; without it the count of threads is
                        // refused
  for (const std::size_t member : members_of(problem)) {
    const std::size_t first = member * problem.length;
    parts_.push_back({first, problem.precision == Precision::f64
                                 ? transform_long(signal, first, problem.length)
                                 : transform_double(signal, first, problem.length, threads)});
  }
}

double Reference::error(Work& work) const {
  work.load();
  work.once();
  long double wrong = 0, whole = 0;
  for (const Part& part : parts_) {
    const auto found = work.read(part.first, part.values.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      wrong += std::norm(std::complex<long double>(found[i]) - part.values[i]);
      whole += std::norm(part.values[i]);
    }
  }
  return static_cast<double>(std::sqrt(wrong / whole));
}

}  // namespace imago::bench
