// This file cuts transforms into lines.
#include "plan/lines.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "base/integers.hpp"
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
    request.in_distance = last.in_stride, request.out_distance = last.out_stride;
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
      lines.push_back(line(groups[i], i == 0 ? in_ : between_, last ? out_ : between_));
      if (last) lines.back().scale = inverse_ ? p_.inverse_scale : p_.forward_scale;
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
      if (p_.kinds[d] != Kind::complex || p_.lengths[d] == 1) continue;
      if (!groups.empty() && fits(d, groups.back()))
        groups.back().insert(groups.back().begin(), d);
      else
        groups.push_back({d});
    }
    return groups;
  }

  /// Whether one kernel takes axis d together with those of the group.
  bool fits(std::size_t d, const Axes& group) const {
    if (!single_ || p_.kinds[group[0]] == Kind::real) return false;
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

  std::uint64_t points_in_all() const {
    std::uint64_t points = p_.batch;
    for (const std::uint64_t length : p_.lengths) points *= length;
    return points;
  }

  Request line(const Axes& axes, const Stage& in, const Stage& out) const {
    Request request;
    request.precision = p_.precision;
    request.inverse = inverse_;
    request.in = in.memory, request.out = out.memory;
    request.in_planar = in.planar, request.out_planar = out.planar;
    const bool scratch = in.memory == Memory::scratch || out.memory == Memory::scratch;
    const bool same = in.memory == out.memory || (!scratch && p_.placement == Placement::in_place);
    request.placement = same ? Placement::in_place : Placement::out_of_place;
    for (const std::size_t axis : axes) {
      request.length *= p_.lengths[axis];
      if (axes.size() > 1) request.axes.push_back(p_.lengths[axis]);
      request.in_stride = in.strides[axis], request.out_stride = out.strides[axis];
    }
    request.in_distance = in.distance, request.out_distance = out.distance;
    std::vector<Loop> loops{{p_.batch, in.distance, out.distance}};
    for (std::size_t d = 0; d < p_.lengths.size(); ++d) {
      if (std::find(axes.begin(), axes.end(), d) == axes.end())
        loops.push_back({p_.spectrum.lengths[d], in.strides[d], out.strides[d]});
    }
    if (!axes.empty() && p_.kinds[axes[0]] == Kind::real) make_real(request);
    set_loops(request, std::move(loops));
    if (scratch) request.scratch_offset = between_.distance * p_.batch;
    return request;
  }

  /// Reals on one side, their half spectrum on the other: an even number of them as pairs where
  /// kernels can fold them, else each as a complex number.
  void make_real(Request& request) const {
    const auto set_forms = [&](Request& r, Form real, Form spectrum) {
      r.in_form = inverse_ ? spectrum : real;
      r.out_form = inverse_ ? real : spectrum;
    };
    set_forms(request, Form::real, Form::half);
    Request pairs = request;
    set_forms(pairs, Form::pairs, Form::folded);
    pairs.length /= 2;
    std::uint64_t& stride = inverse_ ? pairs.out_stride : pairs.in_stride;
    pairs.pair_stride = stride;
    stride *= 2;
    if (request.length % 2 == 0 && can_fold(pairs)) request = std::move(pairs);
  }

  /// Whether kernels take the pairs; those of the vector mapping fold one whole line at a time.
  bool can_fold(const Request& request) const {
    const std::uint64_t pairs = request.length;
    if (!has_radices(pairs)) return false;
    if (mapping_ == Mapping::work_group)
      return single_ || solver_of(algorithm_).applicable(request, mapping_, facts_);
    const bool short_enough =
        pairs <= largest_with_columns(mapping_, p_.precision, facts_) ||
        (request.pair_stride == 1 && pairs <= largest_single(mapping_, p_.precision, facts_));
    const bool few = pairs >= kLongOnCpu && points_in_all() / (2 * pairs) < facts_.compute_units;
    return single_ && short_enough && !few;
  }

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

std::uint64_t Request::lines() const {
  std::uint64_t count = 1;
  for (const Loop& loop : loops) {
    const auto product = base::checked_multiply(count, loop.extent);
    if (!product) return ~std::uint64_t{0};
    count = *product;
  }
  return count;
}

std::vector<Parameters> share(const Parameters& wish, const std::vector<Request>& lines) {
  std::vector<Parameters> shares(lines.size(), wish);
  if (wish.kernels.empty() || lines.size() == 1) return shares;
  auto kernel = wish.kernels.begin();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Parameters& line = shares[i];
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
  if (std::any_of(problem.kinds.begin(), problem.kinds.end(), problem::is_trigonometric))
    base::unsupported("cosine and sine transforms are not implemented yet",
                      "use Kind::complex or Kind::real");
  return Cutter(problem, inverse, wish, facts).cut();
}

}  // namespace imago::plan
