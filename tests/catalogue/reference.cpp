// This file computes reference transforms with FFTW in a higher precision.
#include "catalogue/reference.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <new>
#include <stdexcept>
#include <vector>

#include <fftw3.h>

#include "catalogue/side.hpp"

namespace imago::catalogue {
namespace {

std::mutex planner_mutex;  // FFTW's planner keeps global state

/// The part of FFTW's interface that is used, for one precision.
template <class Wide>
struct Fftw;
template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  using Dimension = fftw_iodim64;
  static constexpr auto* complex = fftw_plan_guru64_dft;
  static constexpr auto* to_spectrum = fftw_plan_guru64_dft_r2c;
  static constexpr auto* to_signal = fftw_plan_guru64_dft_c2r;
  static constexpr auto* execute = fftw_execute;
  static constexpr auto* destroy = fftw_destroy_plan;
  static constexpr auto* allocate = fftw_alloc_real;
  static constexpr auto* release = fftw_free;
};
template <>
struct Fftw<long double> {
  using Plan = fftwl_plan;
  using Complex = fftwl_complex;
  using Dimension = fftwl_iodim64;
  static constexpr auto* complex = fftwl_plan_guru64_dft;
  static constexpr auto* to_spectrum = fftwl_plan_guru64_dft_r2c;
  static constexpr auto* to_signal = fftwl_plan_guru64_dft_c2r;
  static constexpr auto* execute = fftwl_execute;
  static constexpr auto* destroy = fftwl_destroy_plan;
  static constexpr auto* allocate = fftwl_alloc_real;
  static constexpr auto* release = fftwl_free;
};

/// What FFTW allocates.
template <class Wide>
class Numbers {
 public:
  explicit Numbers(std::size_t count) : count_(count), data_(Fftw<Wide>::allocate(count)) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  ~Numbers() { Fftw<Wide>::release(data_); }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  Wide* data() const { return data_; }
  std::size_t size() const { return count_; }

 private:
  std::size_t count_;
  Wide* data_;
};

/// The dimensions of a packed member that are transformed, or those that are only batch.
template <class Wide>
std::vector<typename Fftw<Wide>::Dimension> dimensions(const Case& problem, const Side& source,
                                                       const Side& target, bool transformed) {
  const auto kinds = problem.kinds();
  std::vector<typename Fftw<Wide>::Dimension> found;
  for (std::size_t d = 0; d < kinds.size(); ++d) {
    if ((kinds[d] != Kind::identity) != transformed) continue;
    found.push_back({static_cast<std::ptrdiff_t>(problem.lengths[d]),
                     static_cast<std::ptrdiff_t>(source.strides[d]),
                     static_cast<std::ptrdiff_t>(target.strides[d])});
  }
  return found;
}

/// One member, packed, out of place.
Case packed_member(const Case& problem) {
  Case packed;
  packed.lengths = problem.lengths;
  packed.kind = problem.kind;
  packed.axes = problem.axes;
  packed.direction = problem.direction;
  return packed;
}

}  // namespace

template <class Wide>
struct Reference<Wide>::State {
  using Library = Fftw<Wide>;

  explicit State(const Case& packed)
      : source(side_of(packed, true)),
        target(side_of(packed, false)),
        input((source.real ? 1 : 2) * source.size()),
        output(packed.real() ? (target.real ? 1 : 2) * target.size() : 0) {
    const std::scoped_lock lock(planner_mutex);
    plan = make_plan(packed);
    if (plan == nullptr) throw std::runtime_error("FFTW has no plan for " + packed.name());
    const auto kinds = packed.kinds();
    axes = kinds.size() - std::count(kinds.begin(), kinds.end(), Kind::identity);
  }
  ~State() {
    const std::scoped_lock lock(planner_mutex);
    Library::destroy(plan);
  }

  typename Library::Plan make_plan(const Case& packed) const {
    const auto along = dimensions<Wide>(packed, source, target, true),
               beside = dimensions<Wide>(packed, source, target, false);
    const auto rank = static_cast<int>(along.size()), others = static_cast<int>(beside.size());
    const auto complex = [](const Numbers<Wide>& numbers) {
      return reinterpret_cast<typename Library::Complex*>(numbers.data());
    };
    if (!packed.real()) {
      const int sign = packed.direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
      return Library::complex(rank, along.data(), others, beside.data(), complex(input),
                              complex(input), sign, FFTW_ESTIMATE);
    }
    if (source.real) {
      return Library::to_spectrum(rank, along.data(), others, beside.data(), input.data(),
                                  complex(output), FFTW_ESTIMATE);
    }
    return Library::to_signal(rank, along.data(), others, beside.data(), complex(input),
                              output.data(), FFTW_ESTIMATE);
  }

  /// Where the real axis is the only one that is transformed (else they are not ignored before the
  /// others are done). What FFTW does with these parts is not written down.
  void drop_ignored_parts() {
    if (!target.real || axes > 1) return;
    const std::uint64_t row = source.extents.back(), n = target.extents.back();
    for (std::size_t first = 0; first < input.size(); first += 2 * row) {
      input.data()[first + 1] = 0;
      if (n % 2 == 0) input.data()[first + 2 * row - 1] = 0;
    }
  }

  Side source, target;          // both packed
  std::size_t axes = 0;         // that are transformed
  Numbers<Wide> input, output;  // complex: transformed in place, half the memory at 2^24
  typename Library::Plan plan = nullptr;
};

template <class Wide>
Reference<Wide>::Reference(const Case& problem)
    : state_(std::make_unique<State>(packed_member(problem))) {}

template <class Wide>
Reference<Wide>::~Reference() = default;

template <class Wide>
std::span<Wide> Reference<Wide>::input() {
  return {state_->input.data(), state_->input.size()};
}

template <class Wide>
std::span<const Wide> Reference<Wide>::run() {
  state_->drop_ignored_parts();
  State::Library::execute(state_->plan);
  const auto& result = state_->output.size() == 0 ? state_->input : state_->output;
  return {result.data(), result.size()};
}

template class Reference<double>;
template class Reference<long double>;

}  // namespace imago::catalogue
