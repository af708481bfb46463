// This file computes reference transforms with FFTW in a higher precision.
#include "catalogue/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "catalogue/fftw.hpp"
#include "catalogue/side.hpp"

namespace imago::catalogue {
namespace {

std::mutex planner_mutex;  // FFTW's planner keeps global state

bool is_fourier(Kind kind) { return kind == Kind::complex || kind == Kind::real; }

/// Returns the dimensions of a packed member that a DFT transforms, or the others.
template <class Wide>
std::vector<typename Fftw<Wide>::Dimension> dimensions(const Case& problem, const Side& source,
                                                       const Side& target, bool transformed) {
  const auto kinds = problem.kinds();
  std::vector<typename Fftw<Wide>::Dimension> found;
  for (std::size_t d = 0; d < kinds.size(); ++d) {
    if (is_fourier(kinds[d]) != transformed) continue;
    found.push_back({static_cast<std::ptrdiff_t>(problem.lengths[d]),
                     static_cast<std::ptrdiff_t>(source.strides[d]),
                     static_cast<std::ptrdiff_t>(target.strides[d])});
  }
  return found;
}

/// Returns one member, packed, out of place.
Case packed_member(const Case& problem) {
  Case packed;
  packed.lengths = problem.lengths;
  packed.kind = problem.kind;
  packed.axes = problem.axes;
  packed.direction = problem.direction;
  packed.norm = problem.norm;
  return packed;
}

/// The end points of a cosine or sine axis whose rescaling makes the transform orthogonal. Those
/// that are read are multiplied by sqrt(2), those that are written are divided by it; in the
/// inverse direction the reverse.
struct Trigonometric {
  struct Ends {
    bool first = false, last = false;
  };
  Ends read, written;
};

Trigonometric trigonometric(Kind kind) {
  switch (kind) {
    case Kind::dct1:
      return {{true, true}, {true, true}};
    case Kind::dct2:
      return {{}, {true, false}};
    case Kind::dct3:
      return {{true, false}, {}};
    case Kind::dst2:
      return {{}, {false, true}};
    case Kind::dst3:
      return {{false, true}, {}};
    default:
      return {};
  }
}

/// Returns FFTW's kind for a direction of a cosine or sine axis. II and III are inverses of each
/// other; the others are their own inverses.
fftw_r2r_kind direction_kind(Kind kind, bool inverse) {
  const fftw_r2r_kind forward = fftw_kind(kind);
  if (!inverse) return forward;
  switch (forward) {
    case FFTW_REDFT10:
      return FFTW_REDFT01;
    case FFTW_REDFT01:
      return FFTW_REDFT10;
    case FFTW_RODFT10:
      return FFTW_RODFT01;
    case FFTW_RODFT01:
      return FFTW_RODFT10;
    default:
      return forward;
  }
}

/// The cosine and sine transforms of a packed array, in place. Both parts of complex elements are
/// transformed.
template <class Wide>
class RealToReal {
 public:
  RealToReal(const Case& packed, const Side& side, Wide* numbers)
      : side_(side),
        kinds_(packed.kinds()),
        inverse_(packed.direction == Direction::inverse),
        ends_(packed.norm == Norm::ortho),
        numbers_(numbers) {
    std::vector<typename Fftw<Wide>::Dimension> along, beside;
    std::vector<fftw_r2r_kind> kinds;
    for (std::size_t d = 0; d < kinds_.size(); ++d) {
      const auto stride = static_cast<std::ptrdiff_t>(words() * side.strides[d]);
      auto& group = is_trigonometric(kinds_[d]) ? along : beside;
      group.push_back({static_cast<std::ptrdiff_t>(side.extents[d]), stride, stride});
      if (!is_trigonometric(kinds_[d])) continue;
      kinds.push_back(direction_kind(kinds_[d], inverse_));
    }
    if (kinds.empty()) return;
    if (!side.real) beside.push_back({2, 1, 1});
    plan_.reset(Fftw<Wide>::real_to_real(static_cast<int>(along.size()), along.data(),
                                         static_cast<int>(beside.size()), beside.data(), numbers,
                                         numbers, kinds.data(), FFTW_ESTIMATE));
    if (plan_ == nullptr) throw std::runtime_error("FFTW has no plan for " + packed.name());
  }
  void run() const {
    if (plan_ == nullptr) return;
    if (ends_) scale_ends(true);
    Fftw<Wide>::execute(plan_.get());
    if (ends_) scale_ends(false);
  }

 private:
  std::uint64_t words() const { return side_.real ? 1 : 2; }

  void scale_ends(bool read) const {
    const Wide root = std::sqrt(Wide{2}), factor = read ? root : 1 / root;
    for (std::size_t d = 0; d < kinds_.size(); ++d) {
      if (!is_trigonometric(kinds_[d])) continue;
      const auto kind = trigonometric(kinds_[d]);
      const auto ends = read == inverse_ ? kind.written : kind.read;
      if (ends.first) scale(d, 0, factor);
      if (ends.last) scale(d, side_.extents[d] - 1, factor);
    }
  }

  /// Scales the points with one index along an axis.
  void scale(std::size_t axis, std::uint64_t index, Wide factor) const {
    const std::uint64_t inner = words() * side_.strides[axis], row = inner * side_.extents[axis];
    for (std::uint64_t at = index * inner; at < words() * side_.size(); at += row)
      for (std::uint64_t i = 0; i < inner; ++i) numbers_[at + i] *= factor;
  }

  Side side_;
  std::vector<Kind> kinds_;
  bool inverse_, ends_;
  Wide* numbers_;
  FftwPlan<Wide> plan_;
};

}  // namespace

template <class Wide>
struct Reference<Wide>::State {
  using Library = Fftw<Wide>;

  explicit State(const Case& packed)
      : source(side_of(packed, true)),
        target(side_of(packed, false)),
        input((source.real ? 1 : 2) * source.size()),
        output(packed.real() ? (target.real ? 1 : 2) * target.size() : 0) {
    const auto kinds = packed.kinds();
    complex_axes = static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), Kind::complex));
    const std::scoped_lock lock(planner_mutex);
    if (!packed.only_real()) plan.reset(make_plan(packed));
    if (plan == nullptr && !packed.only_real())
      throw std::runtime_error("FFTW has no plan for " + packed.name());
    // The array that holds the result of the Fourier axes.
    first = packed.direction == Direction::inverse;
    const bool in_output = output.size() != 0 && !first;
    real_to_real = std::make_unique<RealToReal<Wide>>(packed, in_output ? target : source,
                                                      in_output ? output.data() : input.data());
  }
  ~State() {
    const std::scoped_lock lock(planner_mutex);
    real_to_real.reset();
    plan.reset();
  }

  /// Returns the plan of the Fourier axes; there is at least one, or nothing is transformed.
  typename Library::Plan make_plan(const Case& packed) const {
    const auto along = dimensions<Wide>(packed, source, target, true),
               beside = dimensions<Wide>(packed, source, target, false);
    const auto rank = static_cast<int>(along.size()), others = static_cast<int>(beside.size());
    if (!packed.real()) {
      const int sign = packed.direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
      return Library::complex(rank, along.data(), others, beside.data(), input.complex(),
                              input.complex(), sign, FFTW_ESTIMATE);
    }
    if (source.real) {
      return Library::to_spectrum(rank, along.data(), others, beside.data(), input.data(),
                                  output.complex(), FFTW_ESTIMATE);
    }
    return Library::to_signal(rank, along.data(), others, beside.data(), input.complex(),
                              output.data(), FFTW_ESTIMATE);
  }

  void run() {
    drop_ignored_parts();
    if (first) real_to_real->run();
    if (plan != nullptr) Library::execute(plan.get());
    if (!first) real_to_real->run();
  }

  /// Sets the ignored imaginary parts to zero if no axis is complex (otherwise they matter until
  /// the complex axes are done). FFTW does not document how it treats these parts.
  void drop_ignored_parts() {
    if (!target.real || source.real || complex_axes > 0) return;
    const std::uint64_t row = source.extents.back(), n = target.extents.back();
    for (std::size_t first = 0; first < input.size(); first += 2 * row) {
      input.data()[first + 1] = 0;
      if (n % 2 == 0) input.data()[first + 2 * row - 1] = 0;
    }
  }

  Side source, target;  // both packed
  std::size_t complex_axes = 0;
  FftwArray<Wide> input, output;  // complex: transformed in place, half the memory at 2^24
  FftwPlan<Wide> plan;
  std::unique_ptr<RealToReal<Wide>> real_to_real;
  bool first = false;  // true if the cosine and sine axes come before the Fourier axes
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
  state_->run();
  const auto& result = state_->output.size() == 0 ? state_->input : state_->output;
  return {result.data(), result.size()};
}

template class Reference<double>;
template class Reference<long double>;

}  // namespace imago::catalogue
