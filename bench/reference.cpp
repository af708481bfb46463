// This file implements the check: f16 and f32 against FFTW in double, f64 in long double. Sums
// run in long double, whose range also holds the squares of f64's small in-place signals.
#include "bench/reference.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/integers.hpp"
#include "bench/fftw_kind.hpp"
#include "bench/half.hpp"

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
  static constexpr auto kMakeTrigonometric = fftw_plan_r2r;
  static constexpr auto kExecute = fftw_execute;
  static constexpr auto kDestroy = fftw_destroy_plan;
  static constexpr auto kAllocate = fftw_alloc_complex;
  static constexpr auto kRelease = fftw_free;
};
struct CheckHalf : CheckSingle {
  using Checked = Half;
};
struct CheckDouble {
  using Checked = double;
  using Real = long double;
  using Complex = fftwl_complex;
  static constexpr auto kMake = fftwl_plan_dft;
  static constexpr auto kMakeReal = fftwl_plan_dft_r2c;
  static constexpr auto kMakeTrigonometric = fftwl_plan_r2r;
  static constexpr auto kExecute = fftwl_execute;
  static constexpr auto kDestroy = fftwl_destroy_plan;
  static constexpr auto kAllocate = fftwl_alloc_complex;
  static constexpr auto kRelease = fftwl_free;
};

template <class Fftw>
auto make_plan(const Case& problem, typename Fftw::Complex* data) {
  const std::vector<int> n(problem.lengths.begin(), problem.lengths.end());
  const int rank = static_cast<int>(n.size());
  auto* reals = reinterpret_cast<typename Fftw::Real*>(data);
  if (is_real(problem)) return Fftw::kMakeReal(rank, n.data(), reals, data, FFTW_ESTIMATE);
  if (is_trigonometric(problem)) {
    const std::vector<fftw_r2r_kind> kinds(n.size(), fftw_kind(problem.kind));
    return Fftw::kMakeTrigonometric(rank, n.data(), reals, reals, kinds.data(), FFTW_ESTIMATE);
  }
  return Fftw::kMake(rank, n.data(), data, data, FFTW_FORWARD, FFTW_ESTIMATE);
}

// The spectrum of one member of the batch, computed in place: real rows are padded.
template <class Fftw>
std::vector<long double> transform(const Case& problem, const Signal& signal, std::size_t member) {
  using Complex = typename Fftw::Complex;
  const std::size_t count = spectrum_numbers(problem), from_pitch = signal_pitch(problem);
  const std::size_t to_pitch = count / rows(problem);
  const std::size_t row = is_real(problem) ? problem.lengths.back() : from_pitch;
  const std::unique_ptr<Complex[], decltype(Fftw::kRelease)> data(
      Fftw::kAllocate(base::ceil_divide(count, 2)), Fftw::kRelease);
  auto* to = reinterpret_cast<typename Fftw::Real*>(data.get());
  const auto plan = make_plan<Fftw>(problem, data.get());
  const auto* from = reinterpret_cast<const typename Fftw::Checked*>(signal.data.data()) +
                     member * rows(problem) * from_pitch;
  for (std::size_t i = 0; i < rows(problem); ++i)
    std::copy_n(from + i * from_pitch, row, to + i * to_pitch);
  Fftw::kExecute(plan);
  Fftw::kDestroy(plan);
  return {to, to + count};
}

// What checks a case.
std::vector<long double> spectrum(const Case& problem, const Signal& signal, std::size_t member) {
  if (problem.precision == Precision::f64) return transform<CheckDouble>(problem, signal, member);
  if (problem.precision == Precision::f16) return transform<CheckHalf>(problem, signal, member);
  return transform<CheckSingle>(problem, signal, member);
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
    parts_.push_back({member * spectrum_numbers(problem), spectrum(problem, signal, member)});
}

double Reference::error(Work& work) const {
  work.load();
  work.once();
  long double wrong = 0, whole = 0;
  for (const Part& part : parts_) {
    const auto found = work.read(part.first, part.values.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const long double want = part.values[i], off = found[i] - want;
      wrong += off * off;
      whole += want * want;
    }
  }
  return static_cast<double>(std::sqrt(wrong / whole));
}

}  // namespace imago::bench
