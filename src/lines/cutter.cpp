// This file divides transforms into lines. An axis group (lines/pruning.hpp) is a part of the
// transform: the lines along one group of axes.
#include "lines/cutter.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/prime_field.hpp"
#include "kernel/radices.hpp"
#include "lines/cosine_lines.hpp"
#include "lines/hooks.hpp"
#include "lines/largest.hpp"
#include "lines/loops.hpp"
#include "lines/mapping.hpp"
#include "lines/pruning.hpp"
#include "lines/real_lines.hpp"
#include "problem/kinds.hpp"
#include "problem/layout.hpp"

namespace imago::lines {
namespace {

// Limit on a fused line: the numbers of a convolution's points are ints, including their strides.
constexpr std::uint64_t kLongestFused = std::uint64_t{1} << 30;

/// Moves a request to the first of its lines. Boxes that contain all of these lines need no test
/// and are dropped.
void begin_at(Request& request, std::size_t axis, const kernel::Interval& lines, const Loop& loop) {
  request.in.offset += lines.begin * loop.in_stride;
  request.out.offset += lines.begin * loop.out_stride;
  if (request.in.hooked) drop_boxes(*request.in.hooked, axis, lines, false);
  if (request.out.hooked) drop_boxes(*request.out.hooked, axis, lines, true);
  if (!request.filter) return;
  request.filter->offset += lines.begin * loop.spectrum_stride;
  drop_boxes(request.filter->hooked, axis, lines, false);
}

/// The places of all points at one moment: in the input of a direction, between two axes, or in the
/// output.
struct ArrayPlace {
  kernel::Memory memory = kernel::Memory::input;
  std::vector<std::uint64_t> strides;  ///< one for each dimension
  std::uint64_t distance = 0;
  bool planar = false;
  bool real = false;  ///< complex points stored as real parts; the imaginary parts are zero
  std::optional<kernel::Hooked> hooked = {};
};

struct ArrayPlaces {
  ArrayPlace in, out, between;
  bool moves = false;  ///< in place, between different layouts
};

/// Returns the row-major place without gaps.
ArrayPlace packed_place(kernel::Memory memory, const std::vector<std::uint64_t>& lengths) {
  ArrayPlace place{memory, std::vector<std::uint64_t>(lengths.size()), 1, {}, {}, {}};
  for (std::size_t i = lengths.size(); i-- > 0;) {
    place.strides[i] = place.distance;
    place.distance *= lengths[i];
  }
  return place;
}

/// Returns the place of a direction's input or output.
ArrayPlace place_of(const LineContext& context, bool store) {
  const problem::Side& side = context.problem.side(context.inverse, store);
  const kernel::Memory memory = store ? kernel::Memory::output : kernel::Memory::input;
  std::optional<kernel::Hooked> hooked = hooked_end(context.problem, context.inverse, store);
  // Hooks identify elements by their numbers in the packed array.
  ArrayPlace place = hooked ? packed_place(memory, side.lengths)
                            : ArrayPlace{memory, side.strides, side.distance, {}, {}, {}};
  place.hooked = std::move(hooked);
  place.planar = side.storage == Storage::planar;
  place.real = side.storage == Storage::real;
  return place;
}

ArrayPlaces places_of(const LineContext& context) {
  const problem::Problem& p = context.problem;
  const problem::Side &from = p.side(context.inverse, false), &to = p.side(context.inverse, true);
  const bool in_place = p.placement == Placement::in_place;
  ArrayPlaces places{place_of(context, false), place_of(context, true), {}};
  const bool half = p.real_axis() && !p.filter;
  places.moves = in_place && (half ? !problem::rows_meet(p)
                                   : from.strides != to.strides ||
                                         (p.batch > 1 && from.distance != to.distance));
  // An inverse real transform must not change the spectrum that it reads, and its result is too
  // short to hold it. Data between two axes is not rounded to half precision, and hooks do not
  // change it.
  const ArrayPlace &in = places.in, &out = places.out;
  const bool shrinks = p.real_axis() && context.inverse,
             stored = p.precision == Precision::f16 || out.hooked || out.real || p.filter ||
                      (shrinks && in_place && in.hooked);
  if (places.moves || stored || (shrinks && !in_place))
    places.between = packed_place(kernel::Memory::scratch, p.spectrum_lengths());
  else
    places.between = shrinks ? in : out;
  return places;
}

class Cutter {
 public:
  explicit Cutter(const LineContext& context)
      : context_(context),
        p_(context.problem),
        spectrum_lengths_(p_.spectrum_lengths()),
        places_(places_of(context)) {}

  std::vector<Request> cut() {
    const std::vector<AxisGroup> groups = p_.filter ? there_and_back() : one_way();
    const std::optional<kernel::Hooked> filter = filter_hooks(p_);
    const auto of = [](const std::optional<kernel::Hooked>& hooked) {
      return hooked ? &*hooked : nullptr;
    };
    const Pruning pruning(groups, {of(places_.in.hooked), of(filter), of(places_.out.hooked)},
                          spectrum_lengths_);
    if (pruning.pays()) places_.between = packed_place(kernel::Memory::scratch, spectrum_lengths_);
    std::vector<Request> lines;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const bool last = i + 1 == groups.size();
      const ArrayPlace in = i == 0 ? places_.in
                                   : between(pruning.boxes(i, false), groups[i].filters),
                       out = last ? places_.out : between(pruning.boxes(i, true), false);
      for (Request& request : along(groups[i], {in, out, last}, pruning, i))
        lines.push_back(std::move(request));
    }
    return lines;
  }

 private:
  using Axes = std::vector<std::size_t>;  ///< dimensions, slowest first

  /// The input and the output of lines.
  struct Division {
    const ArrayPlace &in, &out;
    bool last = false;  ///< the result is scaled
  };

  std::vector<AxisGroup> one_way() const {
    auto sets = groups_of_axes();
    // A transform in place between different layouts needs a second kernel, for the spectrum;
    // otherwise batch elements would overwrite each other.
    if (sets.empty() || (places_.moves && sets.size() == 1)) sets.emplace_back();
    if (context_.inverse) std::reverse(sets.begin(), sets.end());
    std::vector<AxisGroup> groups;
    for (Axes& axes : sets) groups.push_back({std::move(axes), context_.inverse});
    return groups;
  }

  /// Returns the groups of a filter: first the forward transforms along all groups, then the
  /// inverse ones in reverse order. The last forward group also filters and transforms back. If it
  /// cannot, a separate inverse group begins with the filter's hooks.
  std::vector<AxisGroup> there_and_back() const {
    auto sets = groups_of_axes();
    if (sets.empty()) sets.emplace_back();
    const std::size_t last = sets.size() - 1;
    const bool turns = can_turn(sets[last]) && !(places_.moves && last == 0);
    std::vector<AxisGroup> groups;
    for (const Axes& axes : sets) groups.push_back({axes, false});
    groups.back().turns = turns;
    for (std::size_t i = last + (turns ? 0 : 1); i-- > 0;)
      groups.push_back({sets[i], true, false, !turns && i == last});
    return groups;
  }

  /// Returns the place between two groups, with boxes or with the filter's hooks.
  ArrayPlace between(std::vector<kernel::HookStep> boxes, bool filters) const {
    ArrayPlace place = places_.between;
    if (boxes.empty() && !filters) return place;
    if (filters)
      place.hooked = *filter_hooks(p_);
    else
      place.hooked = kernel::Hooked{.lengths = spectrum_lengths_};
    const auto wide = [](const ArrayPlace& end) { return end.hooked && end.hooked->wide; };
    place.hooked->wide = place.hooked->wide || wide(places_.in) || wide(places_.out);
    place.hooked->memory = {places_.between.strides, places_.between.distance};
    auto& steps = place.hooked->steps;
    steps.insert(steps.begin(), boxes.begin(), boxes.end());
    return place;
  }

  /// Returns true if kernels can transform lines along the axis forward and back.
  bool can_turn(const Axes& axes) const {
    if (axes.empty() || p_.kinds[axes[0]] != Kind::complex) return false;
    const std::uint64_t points = p_.lengths[axes[0]];
    // Passes in both directions have no room for larger radices.
    if (!kernel::has_radices(points) || points > kLongestFused) return false;
    return context_.single() || context_.algorithm == Algorithm::hierarchy;
  }

  /// Returns the axes in groups. One kernel transforms the axes of a group together, if it has
  /// several. The real axis, if there is one, is the first group by itself. The others follow from
  /// the last axis to the first; within a group the slowest axis comes first.
  std::vector<Axes> groups_of_axes() const {
    std::vector<Axes> groups;
    if (const auto axis = p_.real_axis()) groups.push_back({*axis});
    for (std::size_t d = p_.lengths.size(); d-- > 0;) {
      if (!is_cosine(d) && (p_.kinds[d] != Kind::complex || p_.lengths[d] == 1)) continue;
      if (!groups.empty() && fits(d, groups.back()))
        groups.back().insert(groups.back().begin(), d);
      else
        groups.push_back({d});
    }
    return groups;
  }

  /// Returns true if one kernel can process axis d together with those of the group.
  bool fits(std::size_t d, const Axes& group) const {
    if (!context_.single() || p_.filter || !of_one_sort(d, group[0])) return false;
    if (base::is_prime_field(context_.facts.f64.ring)) return false;
    if (p_.reproducible) return false;  // a device's memory would decide about the order of axes
    const LineRules& rules = rules_of(context_.mapping);
    if (!rules.numbers_several_axes && (places_.in.hooked || places_.out.hooked)) return false;
    std::uint64_t points = p_.lengths[d];
    for (const std::size_t axis : group) points *= p_.lengths[axis];
    for (const ArrayPlace* place : {&places_.in, &places_.between, &places_.out}) {
      if (place->strides[group.back()] != 1 ||
          place->strides[d] != place->strides[group[0]] * p_.lengths[group[0]])
        return false;
    }
    const bool plane = group.size() == 1 && p_.kinds[d] == Kind::complex;
    const std::uint64_t most =
        plane ? rules.largest_plane(p_.precision, context_.facts)
              : largest_together(context_.mapping, p_.precision, context_.facts);
    if (points > most) return false;
    if (rules.one_core_per_line && points >= kLongOnCpu) return context_.points() / points > 1;
    return context_.has_radices(points);
  }

  /// Returns true if both axes are complex, or cosine axes that one kernel can process together.
  bool of_one_sort(std::size_t d, std::size_t e) const {
    if (p_.kinds[d] == Kind::complex) return p_.kinds[e] == Kind::complex;
    return is_cosine(d) && is_cosine(e) && takes_several(context_, d) && takes_several(context_, e);
  }

  bool is_cosine(std::size_t axis) const { return problem::is_trigonometric(p_.kinds[axis]); }

  /// Returns the lines along a group's axes as one request. If real lines are processed in pairs
  /// and their number is odd, the last line is a second request.
  std::vector<Request> along(const AxisGroup& group, const Division& way, const Pruning& pruning,
                             std::size_t i) const {
    const Axes& axes = group.axes;
    LineContext context = context_;
    context.inverse = group.inverse;
    Request request = request_of(group, way);
    const std::vector<Loop> loops = loops_of(request, group, way, pruning, i);
    const bool real_in = way.in.real, real_out = way.out.real;
    if (!axes.empty() && is_cosine(axes[0]))
      return cosine_lines(request, context, axes, loops, rows_of(group, way, pruning, i));
    if (real_in && real_out && request.filter && request.filter->hooked.convolves_real_lines())
      return real_lines(request, context, loops, rows_of(group, way, pruning, i));
    if (p_.right_angle) return {at_right_angle(request, loops, way)};
    if (base::is_prime_field(context_.facts.f64.ring) && !axes.empty())
      return {of_residues(request, loops)};
    if (real_in) request.in.elements = kernel::Elements::real;
    if (real_out) request.out.elements = kernel::Elements::real;
    // A transform without transformed axes moves real numbers unchanged.
    if (p_.only_real()) request.in.elements = request.out.elements = kernel::Elements::real;
    if (!axes.empty() && p_.kinds[axes[0]] == Kind::real) make_real(request, context);
    set_loops(request, loops, p_.varies);
    return {request};
  }

  /// Returns true if dimension d counts the halves of lines.
  bool counts_halves(const AxisGroup& group, std::size_t d) const {
    return p_.right_angle && !group.axes.empty() && d + 1 == group.axes[0];
  }

  /// Returns the request of lines whose halves are the parts of complex lines.
  Request at_right_angle(Request request, const std::vector<Loop>& loops,
                         const Division& way) const {
    const std::size_t halves = p_.lengths.size() - 2;
    request.in.pair_stride = way.in.strides[halves],
    request.out.pair_stride = way.out.strides[halves];
    for (LineSide* side : {&request.in, &request.out})
      side->elements = kernel::Elements::pairs, side->edge = kernel::RightAngle{};
    set_loops(request, loops, p_.varies);
    return request;
  }

  /// Returns the request of lines of single residues.
  Request of_residues(Request request, const std::vector<Loop>& loops) const {
    request.length /= 2;
    request.in.elements = request.out.elements = kernel::Elements::pairs;
    request.in.edge = kernel::Halves{};
    request.in.pair_stride = request.in.stride * request.length;
    request.out.pair_stride = request.out.stride;
    request.out.stride *= 2;
    set_loops(request, loops, p_.varies);
    return request;
  }

  /// Returns the request of a group without its loops.
  Request request_of(const AxisGroup& group, const Division& way) const {
    const ArrayPlace &in = way.in, &out = way.out;
    const Axes& axes = group.axes;
    Request request;
    request.precision = p_.precision;
    request.inverse = group.inverse;
    request.reproducible = p_.reproducible;
    if (way.last) request.scale = context_.inverse ? p_.inverse_scale : p_.forward_scale;
    request.in.memory = in.memory, request.out.memory = out.memory;
    request.in.planar = in.planar, request.out.planar = out.planar;
    request.in.hooked = in.hooked, request.out.hooked = out.hooked;
    for (LineSide* side : {&request.in, &request.out}) {
      if (side->hooked && axes.size() == 1) side->hooked->line_axis = static_cast<int>(axes[0]);
    }
    const bool scratch =
        in.memory == kernel::Memory::scratch || out.memory == kernel::Memory::scratch;
    const bool same = in.memory == out.memory || (!scratch && p_.placement == Placement::in_place);
    request.placement = same ? Placement::in_place : Placement::out_of_place;
    if (scratch) request.scratch_offset = places_.between.distance * p_.batch;
    for (const std::size_t axis : axes) {
      request.length *= p_.lengths[axis];
      if (axes.size() > 1) request.axes.push_back(p_.lengths[axis]);
      request.in.stride = in.strides[axis], request.out.stride = out.strides[axis];
    }
    request.in.distance = in.distance, request.out.distance = out.distance;
    if (group.turns) {
      request.filter = FusedFilter{*filter_hooks(p_)};
      request.filter->hooked.line_axis = static_cast<int>(axes[0]);
      request.filter->stride =
          packed_place(kernel::Memory::scratch, spectrum_lengths_).strides[axes[0]];
    }
    return request;
  }

  /// Returns the loops of group i, and moves its request to the first of their lines.
  std::vector<Loop> loops_of(Request& request, const AxisGroup& group, const Division& way,
                             const Pruning& pruning, std::size_t i) const {
    const ArrayPlace spectrum = packed_place(kernel::Memory::scratch, spectrum_lengths_);
    const auto in_filter = [&](std::uint64_t stride) { return request.filter ? stride : 0; };
    std::vector<Loop> loops{
        {p_.batch, way.in.distance, way.out.distance, in_filter(spectrum.distance)}};
    for (std::size_t d = 0; d < p_.lengths.size(); ++d) {
      if (group.goes_along(d) || counts_halves(group, d)) continue;
      const kernel::Interval& lines = pruning.lines(i, d);
      loops.push_back(
          {lines.size(), way.in.strides[d], way.out.strides[d], in_filter(spectrum.strides[d])});
      if (pruning.is_pruned(i, d)) begin_at(request, d, lines, loops.back());
    }
    return merged(std::move(loops));
  }

  /// Returns the loops of group i that stay inside one batch element: those along the other
  /// transformed axes, and along the frames if the output writes them to one signal.
  std::vector<Loop> rows_of(const AxisGroup& group, const Division& way, const Pruning& pruning,
                            std::size_t i) const {
    std::vector<Loop> rows;
    for (std::size_t d = 0; d < p_.lengths.size(); ++d) {
      const bool frames = way.out.hooked && way.out.hooked->frames_axis() == static_cast<int>(d);
      if (group.goes_along(d) || (p_.kinds[d] == Kind::identity && !frames)) continue;
      rows.push_back({pruning.lines(i, d).size(), way.in.strides[d], way.out.strides[d]});
    }
    return merged(std::move(rows));
  }

  const LineContext context_;
  const problem::Problem& p_;
  const std::vector<std::uint64_t> spectrum_lengths_;
  ArrayPlaces places_;
};

}  // namespace

std::vector<Request> cut(const LineContext& context) { return Cutter(context).cut(); }

}  // namespace imago::lines
