// This file implements the check against the catalogue's references: f16 and f32 against FFTW in
// double, f64 in long double. Sums are in long double, whose range also holds the squares of f64's
// small in-place signals.
#include "bench/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/integers.hpp"
#include "catalogue/errors.hpp"
#include "catalogue/fftw.hpp"
#include "catalogue/reference.hpp"
#include "catalogue/side.hpp"
#include "catalogue/stored.hpp"

namespace imago::bench {
namespace {

constexpr std::size_t kElements = 4096;

/// Returns the transforms of the batch to check: about half of them at each end.
std::vector<std::size_t> members_of(const Case& problem) {
  const std::size_t enough = base::ceil_divide(kElements, spectrum_points(problem));
  const std::size_t wanted = std::min(problem.batch, std::max<std::size_t>(2, enough));
  const std::size_t front = (wanted + 1) / 2;
  std::vector<std::size_t> members(wanted);
  for (std::size_t i = 0; i < wanted; ++i) members[i] = i < front ? i : problem.batch - wanted + i;
  return members;
}

/// Copies the numbers of one batch element, without padding.
template <Precision precision, class Wide>
void copy_member(const catalogue::Side& side, const Signal& signal, std::size_t member,
                 std::span<Wide> to) {
  typename catalogue::Stored<precision>::Word word;
  const std::size_t numbers = side.real ? 1 : 2;
  std::size_t next = 0;
  side.for_each(member, [&](std::uint64_t position) {
    for (std::size_t i = numbers * position; i < numbers * (position + 1); ++i) {
      std::memcpy(&word, signal.data.data() + i * sizeof word, sizeof word);
      to[next++] = catalogue::Stored<precision>::unpack(word);
    }
  });
}

}  // namespace

template <Precision precision>
void Reference::compute(const Case& problem, const Signal& signal) {
  using Wide = typename catalogue::Stored<precision>::Wide;
  catalogue::Reference<Wide> reference(problem);
  const catalogue::Side side = side_of(problem, true);
  for (const std::size_t member : members_of(problem)) {
    copy_member<precision>(side, signal, member, reference.input());
    const auto values = reference.run();
    parts_.push_back({member * values.size(), {values.begin(), values.end()}});
  }
}

Reference::Reference(const Case& problem, const Signal& signal, unsigned threads) {
  // Several calls do no harm; without a call FFTW rejects the number of threads.
  catalogue::Fftw<double>::init_threads();
  catalogue::Fftw<double>::plan_with_threads(static_cast<int>(threads));
  catalogue::with_precision(problem.precision,
                            [&]<Precision precision>() { compute<precision>(problem, signal); });
}

double Reference::error(Work& work) const {
  work.load();
  work.once();
  catalogue::Errors errors;
  for (const Part& part : parts_) {
    const auto found = work.read(part.first, part.values.size());
    long double wrong = 0, whole = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const long double want = part.values[i], off = found[i] - want;
      wrong += off * off;
      whole += want * want;
    }
    errors.add(wrong, whole);
  }
  return errors.worst().error;
}

}  // namespace imago::bench
