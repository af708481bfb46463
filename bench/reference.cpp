// This file implements the check: f32 against FFTW in double, f64 against FFTW in long double. Sums
// run in long double, whose range also holds the squares of f64's small in-place signals.
#include "bench/reference.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/integers.hpp"

namespace imago::bench {
namespace {

constexpr std::size_t kElements = 4096;

// FFTW's functions differ between precisions by a prefix only; each checks the one below it.
struct CheckSingle {
  using Checked = float;
  using Real = double;
  using Complex = fftw_complex;
  static constexpr auto kMake = fftw_plan_dft;
  static constexpr auto kMakeReal = fftw_plan_dft_r2c;
  static constexpr auto kExecute = fftw_execute;
  static constexpr auto kDestroy = fftw_destroy_plan;
  static constexpr auto kAllocate = fftw_alloc_complex;
  static constexpr auto kRelease = fftw_free;
};
struct CheckDouble {
  using Checked = double;
  using Real = long double;
  using Complex = fftwl_complex;
  static constexpr auto kMake = fftwl_plan_dft;
  static constexpr auto kMakeReal = fftwl_plan_dft_r2c;
  static constexpr auto kExecute = fftwl_execute;
  static constexpr auto kDestroy = fftwl_destroy_plan;
  static constexpr auto kAllocate = fftwl_alloc_complex;
  static constexpr auto kRelease = fftwl_free;
};

// The spectrum of one member of the batch, computed in place: real rows are padded.
template <class Fftw>
std::vector<std::complex<long double>> transform(const Case& problem, const Signal& signal,
                                                 std::size_t member) {
  using Real = typename Fftw::Real;
  using Complex = typename Fftw::Complex;
  const std::size_t count = spectrum_points(problem), from_pitch = signal_pitch(problem);
  const std::size_t to_pitch = 2 * spectrum_row(problem);
  const std::size_t row = is_real(problem) ? problem.lengths.back() : from_pitch;
  const std::unique_ptr<Complex[], decltype(Fftw::kRelease)> data(Fftw::kAllocate(count),
                                                                  Fftw::kRelease);
  auto* to = reinterpret_cast<Real*>(data.get());
  const std::vector<int> n(problem.lengths.begin(), problem.lengths.end());
  const int rank = static_cast<int>(n.size());
  const auto plan =
      is_real(problem)
          ? Fftw::kMakeReal(rank, n.data(), to, data.get(), FFTW_ESTIMATE)
          : Fftw::kMake(rank, n.data(), data.get(), data.get(), FFTW_FORWARD, FFTW_ESTIMATE);
  const auto* from = reinterpret_cast<const typename Fftw::Checked*>(signal.data.data()) +
                     member * rows(problem) * from_pitch;
  for (std::size_t i = 0; i < rows(problem); ++i)
    std::copy_n(from + i * from_pitch, row, to + i * to_pitch);
  Fftw::kExecute(plan);
  Fftw::kDestroy(plan);
  const auto* values = reinterpret_cast<const std::complex<Real>*>(data.get());
  return {values, values + count};
}

// Which transforms of the batch are checked: about half of them at each end.
std::vector<std::size_t> members_of(const Case& problem) {
  const std::size_t enough = base::ceil_divide(kElements, spectrum_points(problem));
  const std::size_t wanted = std::min(problem.batch, std::max<std::size_t>(2, enough));
  const std::size_t front = (wanted + 1) / 2;
  std::vector<std::size_t> members(wanted);
  for (std::size_t i = 0; i < wanted; ++i) members[i] = i < front ? i : problem.batch - wanted + i;
  return members;
}

}  // namespace

Reference::Reference(const Case& problem, const Signal& signal, unsigned threads) {
  fftw_init_threads();  // once is enough, more do no harm; without it the count of threads is
                        // refused
  fftw_plan_with_nthreads(static_cast<int>(threads));
  for (const std::size_t member : members_of(problem))
    parts_.push_back(
        {member * spectrum_points(problem), problem.precision == Precision::f64
                                                ? transform<CheckDouble>(problem, signal, member)
                                                : transform<CheckSingle>(problem, signal, member)});
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
