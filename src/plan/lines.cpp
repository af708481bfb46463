// This file cuts transforms into lines.
#include "plan/lines.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "plan/convolution.hpp"
#include "plan/kernel_defaults.hpp"
#include "plan/radices.hpp"
#include "plan/solvers/solver.hpp"
#include "problem/kinds.hpp"

namespace imago::plan {
namespace {

constexpr std::uint64_t kMostLines = std::uint64_t{1} << 31;  // an int of the kernels counts them

/// Where all points lie at one moment.
struct Stage {
  Memory memory = Memory::input;
  std::vector<std::uint64_t> strides;  ///< one per dimension
  std::uint64_t distance = 0;
  bool planar = false;
};

Stage stage_of(Memory memory, const problem::Side& side) {
  return {memory, side.strides, side.distance, side.storage == Storage::planar};
}

Stage packed_scratch(const std::vector<std::uint64_t>& lengths) {
  Stage stage{Memory::scratch, std::vector<std::uint64_t>(lengths.size()), 1, false};
  for (std::size_t i = lengths.size(); i-- > 0;) {
    stage.strides[i] = stage.distance;
    stage.distance *= lengths[i];
  }
  return stage;
}

/// Fewest strides first, dimensions that follow each other in both memories as one.
std::vector<Loop> merged(std::vector<Loop> loops) {
  std::erase_if(loops, [](const Loop& loop) { return loop.extent == 1; });
  std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::minmax(a.in_stride, a.out_stride) < std::minmax(b.in_stride, b.out_stride);
  });
  std::vector<Loop> result;
  for (const Loop& loop : loops) {
    if (!result.empty() && loop.in_stride == result.back().in_stride * result.back().extent &&
        loop.out_stride == result.back().out_stride * result.back().extent)
      result.back().extent *= loop.extent;
    else
      result.push_back(loop);
  }
  return result;
}

/// The outermost loop becomes the batch, whose extent is not compiled, unless its lines are
/// neighbours: then kernels want to know.
void set_loops(Request& request, std::vector<Loop> loops) {
  request.loops = merged(std::move(loops));
  request.batch = 1;
  if (request.loops.empty()) return;
  const Loop last = request.loops.back();
  const bool adjacent = last.in_stride == 1 || last.out_stride == 1;
  if (!adjacent || request.length == 1) {
    request.batch = last.extent;
    request.in.distance = last.in_stride, request.out.distance = last.out_stride;
    request.loops.pop_back();
  }
  if (request.lines() >= kMostLines)
    base::unsupported("more than 2^31 neighbouring transforms along one axis",
                      "split the array over several calls");
}

class Cutter {
 public:
  Cutter(const problem::Problem& problem, bool inverse, const Parameters& wish,
         const device::Facts& facts)
      : p_(problem),
        inverse_(inverse),
        mapping_(mapping_of(wish.mapping, facts)),
        algorithm_(wish.algorithm),
        single_(wish.algorithm == Algorithm::automatic || wish.algorithm == Algorithm::single),
        facts_(facts),
        in_(stage_of(Memory::input, inverse ? problem.spectrum : problem.signal)),
        out_(stage_of(Memory::output, inverse ? problem.signal : problem.spectrum)) {
    moves_ = p_.placement == Placement::in_place &&
             (in_.strides != out_.strides || (p_.batch > 1 && in_.distance != out_.distance));
    if (p_.real_axis() && p_.placement == Placement::in_place) moves_ = false;
    between_ = out_;
    // The spectrum that an inverse real transform reads stays as it is, and its result is too
    // short. Between two axes nothing is rounded to half precision.
    const bool shrinks = p_.real_axis() && inverse_, stored = p_.precision == Precision::f16;
    if (moves_ || stored || (shrinks && p_.placement == Placement::out_of_place))
      between_ = packed_scratch(p_.spectrum.lengths);
    else if (shrinks)
      between_ = in_;
  }

  std::vector<Request> cut() const {
    auto groups = groups_of_axes();
    if (inverse_) std::reverse(groups.begin(), groups.end());
    // What moves in place needs a second kernel, or members would overwrite each other.
    if (groups.empty() || (moves_ && groups.size() == 1)) groups.emplace_back();
    std::vector<Request> lines;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const bool last = i + 1 == groups.size();
      for (Request& request : along(groups[i], i == 0 ? in_ : between_, last ? out_ : between_)) {
        if (last) request.scale = inverse_ ? p_.inverse_scale : p_.forward_scale;
        lines.push_back(std::move(request));
      }
    }
    return lines;
  }

 private:
  using Axes = std::vector<std::size_t>;  ///< dimensions, slowest first

  /// The real axis, then from the last axis to the first.
  std::vector<Axes> groups_of_axes() const {
    std::vector<Axes> groups;
    if (const auto axis = p_.real_axis()) groups.push_back({*axis});
    for (std::size_t d = p_.lengths.size(); d-- > 0;) {
      const bool cosines = problem::is_trigonometric(p_.kinds[d]);
      if (!cosines && (p_.kinds[d] != Kind::complex || p_.lengths[d] == 1)) continue;
      if (!groups.empty() && fits(d, groups.back()))
        groups.back().insert(groups.back().begin(), d);
      else
        groups.push_back({d});
    }
    return groups;
  }

  /// Whether one kernel takes axis d together with those of the group.
  bool fits(std::size_t d, const Axes& group) const {
    if (!single_ || !of_one_sort(d, group[0])) return false;
    std::uint64_t points = p_.lengths[d];
    for (const std::size_t axis : group) points *= p_.lengths[axis];
    for (const Stage* stage : {&in_, &between_, &out_}) {
      if (stage->strides[group.back()] != 1 ||
          stage->strides[d] != stage->strides[group[0]] * p_.lengths[group[0]])
        return false;
    }
    if (points > largest_together(mapping_, p_.precision, facts_)) return false;
    if (mapping_ == Mapping::vector && points >= kLongOnCpu) return points_in_all() / points > 1;
    return has_radices(p_.lengths[d]) && has_radices(p_.lengths[group[0]]);
  }

  /// Both complex, or both cosine axes that a kernel arranges in local memory.
  bool of_one_sort(std::size_t d, std::size_t e) const {
    if (p_.kinds[d] == Kind::complex) return p_.kinds[e] == Kind::complex;
    const auto arranges = [&](std::size_t axis) {
      return mapping_ == Mapping::work_group && cosines_of(axis).can_be_reordered(p_.lengths[axis]);
    };
    return arranges(d) && arranges(e);
  }

  Cosines cosines_of(std::size_t axis) const {
    return {.kind = p_.kind(axis, inverse_),
            .elements = p_.lengths[axis],
            .orthonormal = p_.orthonormal};
  }

  std::uint64_t points_in_all() const {
    std::uint64_t points = p_.batch;
    for (const std::uint64_t length : p_.lengths) points *= length;
    return points;
  }

  /// The lines along the axes: one request, and where real lines are taken in pairs and their
  /// number is odd, one for the last of them.
  std::vector<Request> along(const Axes& axes, const Stage& in, const Stage& out) const {
    Request request;
    request.precision = p_.precision;
    request.inverse = inverse_;
    request.in.memory = in.memory, request.out.memory = out.memory;
    request.in.planar = in.planar, request.out.planar = out.planar;
    const bool scratch = in.memory == Memory::scratch || out.memory == Memory::scratch;
    const bool same = in.memory == out.memory || (!scratch && p_.placement == Placement::in_place);
    request.placement = same ? Placement::in_place : Placement::out_of_place;
    if (scratch) request.scratch_offset = between_.distance * p_.batch;
    for (const std::size_t axis : axes) {
      request.length *= p_.lengths[axis];
      if (axes.size() > 1) request.axes.push_back(p_.lengths[axis]);
      request.in.stride = in.strides[axis], request.out.stride = out.strides[axis];
    }
    request.in.distance = in.distance, request.out.distance = out.distance;
    std::vector<Loop> loops{{p_.batch, in.distance, out.distance}};
    for (std::size_t d = 0; d < p_.lengths.size(); ++d) {
      if (std::find(axes.begin(), axes.end(), d) == axes.end())
        loops.push_back({p_.spectrum.lengths[d], in.strides[d], out.strides[d]});
    }
    loops = merged(std::move(loops));
    if (!axes.empty() && problem::is_trigonometric(p_.kinds[axes[0]]))
      return cosine_lines(request, axes, loops);
    // What is batch only moves reals as such.
    if (p_.only_real()) request.in.elements = request.out.elements = Elements::real;
    if (!axes.empty() && p_.kinds[axes[0]] == Kind::real) make_real(request);
    set_loops(request, loops);
    return {request};
  }

  /// Cosine and sine transforms along axes; the DFTs behind them are forward ones both ways.
  std::vector<Request> cosine_lines(Request request, const Axes& axes,
                                    const std::vector<Loop>& loops) const {
    const bool several = axes.size() > 1;
    const Cosines cosines = cosines_of(axes[0]);
    if (!several) request.in.edge = request.out.edge = cosines;
    for (const std::size_t axis : axes) {
      if (several) request.axis_edges.push_back(cosines_of(axis));
    }
    request.inverse = false;
    const bool half_length = !several && p_.only_real() && cosines.half_length(request.length) &&
                             request.length % 2 == 0;
    std::vector<Request> result;
    if (half_length)
      result.push_back(reals(request, loops));
    else if (p_.only_real())
      result = twins(request, loops);
    else
      set_loops(result.emplace_back(request), loops);
    for (Request& each : result) {
      if (!several) each.length = points_of(each, cosines, half_length);
    }
    return result;
  }

  static Request reals(Request request, const std::vector<Loop>& loops) {
    request.in.elements = request.out.elements = Elements::real;
    set_loops(request, loops);
    return request;
  }

  /// Two lines of reals as the parts of complex ones, along the outermost loop whose extent allows:
  /// neighbours; halves where it is points that are neighbours.
  static std::vector<Request> twins(const Request& request, std::vector<Loop> loops) {
    if (loops.empty() || request.length < kShortestTwins) return {reals(request, loops)};
    const auto even = std::find_if(loops.rbegin(), loops.rend(),
                                   [](const Loop& loop) { return loop.extent % 2 == 0; });
    Loop& loop = even == loops.rend() ? loops.back() : *even;
    Request pairs = request, last = request;
    last.in.offset = (loop.extent - 1) * loop.in_stride;
    last.out.offset = (loop.extent - 1) * loop.out_stride;
    const bool odd = loop.extent % 2 != 0;
    const bool halves = loop.in_stride == 1 || loop.out_stride == 1;
    loop.extent /= 2;
    pairs.in.elements = pairs.out.elements = Elements::pairs;
    pairs.in.pair_stride = loop.in_stride * (halves ? loop.extent : 1);
    pairs.out.pair_stride = loop.out_stride * (halves ? loop.extent : 1);
    if (!halves) loop.in_stride *= 2, loop.out_stride *= 2;
    set_loops(pairs, loops);
    if (!odd) return {pairs};
    loop.extent = 1;
    return {pairs, reals(last, loops)};
  }

  /// Points of the DFT behind a cosine or sine transform.
  std::uint64_t points_of(const Request& request, const Cosines& c, bool half_length) const {
    if (half_length) return c.elements / 2;
    const bool three = c.is(Kind::dct3, Kind::dst3);
    const bool images = c.is(Kind::dct2, Kind::dst2) && can_meet_images(request);
    return three || images ? c.elements : extended_length(c);
  }

  /// Whether kernels bring points and their mirror images together; those of the vector mapping one
  /// whole line at a time.
  bool can_meet_images(const Request& request) const {
    if (!has_radices(request.length)) return false;
    if (mapping_ == Mapping::work_group)
      return single_ || solver_of(algorithm_).applicable(request, mapping_, facts_);
    return single_ &&
           vector_kernel_takes(request.length, request.adjacent(), request.lines() * request.batch);
  }

  /// Reals on one side, their half spectrum on the other: an even number of them as pairs where
  /// kernels can fold them, else each as a complex number.
  void make_real(Request& request) const {
    const auto set_sides = [&](Request& r, Elements reals, const Edge& spectrum) {
      (inverse_ ? r.out : r.in).elements = reals;
      (inverse_ ? r.in : r.out).edge = spectrum;
    };
    set_sides(request, Elements::real, HalfSpectrum{});
    Request pairs = request;
    set_sides(pairs, Elements::pairs, FoldedSpectrum{});
    pairs.length /= 2;
    std::uint64_t& stride = inverse_ ? pairs.out.stride : pairs.in.stride;
    (inverse_ ? pairs.out.pair_stride : pairs.in.pair_stride) = stride;
    stride *= 2;
    if (request.length % 2 == 0 && can_fold(pairs)) request = std::move(pairs);
  }

  /// Whether kernels take the pairs; those of the vector mapping fold one whole line at a time.
  bool can_fold(const Request& request) const {
    const std::uint64_t pairs = request.length;
    if (!has_radices(pairs)) return false;
    if (mapping_ == Mapping::work_group)
      return single_ || solver_of(algorithm_).applicable(request, mapping_, facts_);
    const bool apart = request.in.pair_stride * request.out.pair_stride != 1;
    return single_ && vector_kernel_takes(pairs, apart, points_in_all() / (2 * pairs));
  }

  /// Whether one kernel of the vector mapping takes lines of so many points whole.
  bool vector_kernel_takes(std::uint64_t points, bool apart, std::uint64_t lines) const {
    const std::uint64_t most = apart ? largest_with_columns(Mapping::vector, p_.precision, facts_)
                                     : largest_single(Mapping::vector, p_.precision, facts_);
    return points <= most && (points < kLongOnCpu || lines >= facts_.compute_units);
  }

  // The rounding errors of one line of a pair are as large as the other line's values; shorter
  // lines are too often much smaller than others by chance.
  static constexpr std::uint64_t kShortestTwins = 8;
  // A CPU's cores share long transforms only line by line.
  static constexpr std::uint64_t kLongOnCpu = 16384;

  const problem::Problem& p_;
  const bool inverse_;
  const Mapping mapping_;
  const Algorithm algorithm_;
  const bool single_;  ///< one kernel may do what only a single kernel can
  const device::Facts& facts_;
  Stage in_, out_, between_;
  bool moves_ = false;  ///< in place, from one layout to another
};

}  // namespace

std::vector<Parameters> share(const Parameters& wish, const std::vector<Request>& lines) {
  std::vector<Parameters> shares(lines.size(), wish);
  const auto remaining =
      std::count_if(lines.begin(), lines.end(), [](const Request& line) { return line.remains(); });
  if (wish.kernels.empty() || lines.size() == 1 + static_cast<std::size_t>(remaining))
    return shares;
  auto kernel = wish.kernels.begin();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Parameters& line = shares[i];
    if (lines[i].remains()) {
      line = shares[i - 1];
      continue;
    }
    line.algorithm = Algorithm::automatic;
    line.kernels.clear();
    std::uint64_t product = 1;
    do {
      if (kernel == wish.kernels.end()) break;
      line.kernels.push_back(*kernel++);
      product *= line.kernels.back().length;
    } while (product < lines[i].length);
    if (product != lines[i].length)
      base::invalid("parameters.kernels", product,
                    "the product of the lengths along axis group " + std::to_string(i) +
                        " must be " + std::to_string(lines[i].length));
  }
  if (kernel != wish.kernels.end())
    base::invalid("the size of parameters.kernels", wish.kernels.size(),
                  "there are more kernels than the axes need");
  return shares;
}

std::vector<Request> lines(const problem::Problem& problem, bool inverse, const Parameters& wish,
                           const device::Facts& facts) {
  return Cutter(problem, inverse, wish, facts).cut();
}

}  // namespace imago::plan
