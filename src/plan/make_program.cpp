// This file lays out a Program: kernels that together are one large Stockham transform. Between two
// kernels the data is a matrix of finished digits k < done by remaining columns q, finished digits
// fastest: point (k, q) is at q * done + k. A kernel of length n reads points (k, q + left * r),
// multiplies them by exp(-2 pi i r k / (done n)), and writes (k + done * s, q). The first kernel
// therefore reads adjacent columns and writes rows (the transposition). The last one reads and
// writes the same elements and may work in place.
//
// A convolution (kernel/edges/convolved.hpp) is such a sequence, followed by the same one in
// reverse order, which transforms the product of the spectra back. The last kernel of the first
// sequence and the first kernel of the second hold the same columns, so they are one kernel. A
// convolution of n = n1 n2 points thus needs three kernels.
#include "plan/make_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "kernel/boxes.hpp"
#include "kernel/radices.hpp"
#include "kernel/tables.hpp"
#include "plan/legality.hpp"
#include "plan/links.hpp"
#include "plan/mapping_rules.hpp"

namespace imago::plan {
namespace {

constexpr std::uint64_t kNarrowIndices = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostBatch = std::uint64_t{1} << 30;
/// Limit on launches. Each processes at least 2^29 tiles, so no existing memory holds more.
constexpr std::uint64_t kMostLaunches = 4096;

/// Returns the columns of a kernel, the closest first: loops inside the lines, finished and
/// remaining points, then the other loops. Columns get numbers if a convolution loads, multiplies
/// or stores the points. At the start of the inverse, finished columns become finished rows.
std::vector<kernel::Column> columns_of(const lines::Request& request, const Parameters& p,
                                       const Link& link) {
  const std::uint64_t length = p.kernels[link.kernel].length;
  std::vector<kernel::Column> columns;
  const auto add_loop = [&](std::size_t i) {
    columns.push_back({.extent = request.loops[i].extent,
                       .in = {link.in.loop_strides[i]},
                       .out = {link.out.loop_strides[i]},
                       .number = link.convolution.hooked ? request.loops[i].spectrum_stride : 0});
  };
  const std::size_t within = request.adjacent() ? 1 : 0;
  const std::uint64_t number = !link.convolution.is_any() ? 0
                               : request.filter           ? request.filter->stride
                                                          : 1;
  const std::uint64_t rows = link.convolution.passes_forth > 0 ? length : 1;
  const auto mirror = [&](bool end) {
    return end ? request.mirror(p, link.kernel) : kernel::Mirror::none;
  };
  for (std::size_t i = 0; i < within; ++i) add_loop(i);
  const auto add_points = [&](std::uint64_t extent, bool numbered, kernel::Column c) {
    c.extent = extent, c.number = numbered ? number : 0;
    c.in.stride = c.in.point * link.in.stride, c.out.stride = c.out.point * link.out.stride;
    if (extent > 1) columns.push_back(c);
  };
  add_points(link.done, link.left == 1,
             {.in = {.point = 1}, .out = {.point = rows}, .phase = 1, .mirror = mirror(link.last)});
  add_points(link.left, link.first(),
             {.in = {.point = link.done},
              .out = {.point = link.done * length},
              .mirror = mirror(link.first())});
  for (std::size_t i = within; i < request.loops.size(); ++i) add_loop(i);
  return columns;
}

std::uint64_t reach(std::uint64_t length, const LinkSide& link_side) {
  return length * link_side.stride;
}

/// Returns the side of a kernel from that of a link; `point` is the distance of consecutive points
/// in the line.
kernel::Side side_of(const LinkSide& link_side, std::uint64_t point) {
  kernel::Side side;
  side.point = point;
  side.stride = point * link_side.stride;
  side.planar = link_side.planar;
  side.f16 = link_side.stored == Precision::f16;
  return side;
}

/// Sets the distance and the grain of numbers: launches begin at a line of the batch, and those of
/// a chunk at a batch element.
void number_lines(kernel::Hooked& hooked, const LinkSide& link_side) {
  hooked.distance = link_side.distance;
  hooked.grain = std::gcd(std::gcd(hooked.distance, hooked.size()), link_side.offset);
}

kernel::Step base_step(const lines::Request& request, const Parameters& p, const Link& link) {
  const KernelParameters& kernel = p.kernels[link.kernel];
  const std::uint64_t length = points_of_kernels(p);
  kernel::Step step;
  step.precision = base::arithmetic_of(request.precision);
  step.inverse = request.inverse;
  step.reproducible = request.reproducible;
  step.scaled = link.last && request.scale != 1;
  step.wide_index = std::max(reach(length, link.in), reach(length, link.out)) >= kNarrowIndices;
  step.length = kernel.length;
  step.line = request.length;
  step.in = side_of(link.in, link.left * link.done);
  step.out = side_of(link.out, link.convolution.passes_forth > 0 ? 1 : link.done);
  if (link.first()) {
    step.in.elements = request.in.elements, step.in.edge = request.in.edge;
    step.in.convolved = link.convolved;
    step.in.hooked = request.in.hooked;
    if (step.in.hooked) number_lines(*step.in.hooked, link.in);
  }
  if (link.last) {
    step.out.elements = request.out.elements, step.out.edge = request.out.edge;
    step.out.convolved = link.convolved;
    step.out.hooked = request.out.hooked;
    if (step.out.hooked) number_lines(*step.out.hooked, link.out);
  }
  step.in.pair_stride = request.in.pair_stride, step.out.pair_stride = request.out.pair_stride;
  step.columns = columns_of(request, p, link);
  step.convolution = link.convolution;
  if (link.done > 1) step.four_step = {link.done * kernel.length, kernel.four_step};
  return step;
}

/// Adds the passes, along one axis after the other.
void add_passes(kernel::Step& step, const KernelParameters& kernel,
                const std::vector<unsigned>& radices, std::vector<kernel::AxisPlace> places) {
  if (places.empty()) places = kernel::in_pass_order({step.length});
  auto place = places.begin();
  std::uint64_t done = 1;
  for (const unsigned radix : radices) {
    if (done == place->length && place + 1 != places.end()) done = 1, ++place;
    kernel::Pass pass;
    pass.radix = radix;
    pass.twiddles = kernel.twiddles;
    pass.done = done, pass.outer = place->outer;
    pass.left = place->length / (done * radix) * place->inner;
    step.passes.push_back(pass);
    done *= radix;
  }
}

/// Returns the bytes of the lines in memory that a kernel moves at this end. Half spectra count all
/// points, because some elements are read twice.
std::uint64_t bytes_of(const lines::Request& request, const LinkSide& link_side, kernel::End end) {
  const lines::LineSide& side = end == kernel::End::load ? request.in : request.out;
  const bool numbered =
      facts_of(side.edge, end, request.length).numbered || !request.axis_edges.empty();
  const std::uint64_t elements =
      request.lines() * request.batch * (numbered ? request.elements(end) : request.length);
  const std::size_t whole = 2 * base::bytes_of(link_side.stored);
  const bool real = side.elements == kernel::Elements::real;
  if (!side.hooked) return elements * whole / (real ? 2 : 1);
  const double moved =
      static_cast<double>(elements) * share_in_boxes(*side.hooked, end == kernel::End::store);
  return static_cast<std::uint64_t>(
      std::llround(moved * stored_bytes(*side.hooked, static_cast<double>(whole) / 2, real)));
}

/// Collects the sections of a step's table, without duplicates.
class TableLayout {
 public:
  explicit TableLayout(const kernel::Step& step)
      : table_{step.precision, !step.interleaved(), {}, step.pairs, step.ring} {}

  /// Returns the section's offset in real numbers.
  std::size_t add(const kernel::Section& section) {
    std::size_t offset = 0;
    for (const kernel::Section& known : table_.sections) {
      if (known == section) return offset;
      offset += 2 * entries(known);
    }
    table_.sections.push_back(section);
    return offset;
  }
  kernel::Table take() { return std::move(table_); }

 private:
  kernel::Table table_;
};

/// Returns the step's table, empty if no pass needs one; `length` is that of all kernels together.
kernel::Table table_of(kernel::Step& step, const kernel::Convolved& convolved,
                       std::uint64_t length) {
  TableLayout layout(step);
  for (const kernel::TwiddleSection& section : four_step_sections(step)) layout.add(section);
  for (kernel::Pass& pass : step.passes) {
    const kernel::TwiddleSection section = section_of(pass, step.interleaved());
    if (!section.exponents.empty()) pass.table_offset = layout.add(section);
  }
  if (step.loads_roots()) {
    const auto add_roots = [&](const kernel::EdgeFacts& edge) -> std::size_t {
      const kernel::Roots& roots = edge.roots;
      if (roots.order == 0) return 0;
      std::vector<unsigned> exponents{roots.multiple};
      if (edge.unfolds) exponents.push_back(roots.fourth().multiple);
      return layout.add(kernel::TwiddleSection{roots.order, step.line + 1, std::move(exponents),
                                               true, roots.shift});
    };
    const auto edge_at = [&](kernel::End end) {
      const auto& axes = step.reordered_axes();
      if (axes.size() == 1) return facts_of(axes[0].edge, end, axes[0].points);
      return end == kernel::End::load ? step.at_load() : step.at_store();
    };
    step.in.roots = add_roots(edge_at(kernel::End::load));
    step.out.roots = add_roots(edge_at(kernel::End::store));
  }
  for (kernel::Side* side : {&step.in, &step.out}) {
    if (const auto section = section_of(side->convolved, length))
      side->convolved_table = layout.add(*section);
  }
  kernel::FusedConvolution& c = step.convolution;
  if (c.passes_forth > 0 && !c.hooked)
    c.spectrum = layout.add(kernel::SpectrumSection{convolved, length});
  kernel::Table table = layout.take();
  step.has_table = !table.sections.empty();
  return table;
}

/// Lets several elements at an end of a line share a factor.
void share_factors(std::optional<kernel::Hooked>& end, std::uint64_t elements) {
  if (!end) return;
  for (kernel::HookStep& hook : end->steps) {
    if (auto* factors = std::get_if<kernel::Factors>(&hook)) factors->sharing = elements;
  }
}

/// Lets the points of a transform be at k + 3/4, which are the roots of x^n - i. An element's
/// factor is then that of its row: twiddles have the rest of it.
void move_points(kernel::Step& step, const Link& link) {
  using From = kernel::FourStep::From;
  if (link.first()) share_factors(step.in.hooked, link.left);
  if (link.last) share_factors(step.out.hooked, link.done);
  if (step.four_step.order == 0 || (link.back && !link.last)) return;
  step.four_step.order *= 4;
  step.four_step.from = link.back ? From::point : From::phase;
}

kernel::Step make_step(const lines::Request& request, const device::Facts& facts,
                       const Parameters& p, const Link& link) {
  const KernelParameters& kernel = p.kernels[link.kernel];
  kernel::Step step = base_step(request, p, link);
  step.pairs = facts.f64.pairs && step.precision == Precision::f64;
  step.ring = facts.f64.ring;
  if (step.ring == base::Ring::m61) move_points(step, link);
  add_passes(step, kernel, kernel.radices,
             kernel::in_pass_order(request.axes, request.axis_order()));
  if (link.convolution.passes_forth > 0)
    add_passes(step, kernel, {kernel.radices.rbegin(), kernel.radices.rend()}, {});
  rules_of(p.mapping).lay_out(step, request, p, link.kernel, facts);
  return step;
}

/// Returns the work-groups of a launch.
std::uint64_t groups_of(const kernel::Step& step, std::uint64_t batch) {
  return base::ceil_divide(rules_of(step.mapping()).tiles(step, batch), step.repeat());
}

/// Adds the launches of a kernel. It counts batch elements and tiles in ints, so a larger batch
/// needs several launches. Throws Unsupported if there are too many.
void add_launches(kernel::Program& program, const kernel::Step& step, kernel::Launch launch,
                  std::uint64_t batch) {
  const std::uint64_t tiles = rules_of(step.mapping()).tiles(step, kMostBatch),
                      per_member = base::ceil_divide(tiles, kMostBatch);
  const std::uint64_t most = std::max<std::uint64_t>(1, kMostBatch / per_member);
  if ((batch - 1) / most >= kMostLaunches)
    base::unsupported("a batch of " + std::to_string(batch) + " needs more than " +
                          std::to_string(kMostLaunches) + " launches of a kernel",
                      "split the batch over several calls");
  for (std::uint64_t first = 0; first < batch; first += most) {
    launch.batch = std::min(most, batch - first);
    launch.groups = groups_of(step, launch.batch);
    program.launches.push_back(launch);
    launch.in.offset += most * launch.in.distance, launch.out.offset += most * launch.out.distance;
    launch.spectrum += most * (step.convolution.hooked ? step.convolution.hooked->distance : 0);
  }
}

kernel::Place place_of(const LinkSide& link_side) {
  return {link_side.memory, link_side.offset, link_side.distance};
}

}  // namespace

kernel::Program make_program(const lines::Request& request, const device::Facts& facts,
                             const Parameters& parameters) {
  kernel::Program program;
  program.algorithm = parameters.algorithm;
  const bool turns = request.turns(parameters);
  const std::uint64_t length = points_of_kernels(parameters), kernels = parameters.kernels.size();
  const std::uint64_t lines = request.lines() * request.batch;
  const auto sides = sides_of(request, turns ? 2 * kernels - 1 : kernels, length);
  for (const Link& link : links_of(request, parameters, sides)) {
    kernel::Step step = make_step(request, facts, parameters, link);
    const auto holds_doubles = [&](const LinkSide& link_side) {
      const bool ends = &link_side == &sides.front() || &link_side == &sides.back();
      const bool converts = step.pairs || step.ring == base::Ring::m61;
      return converts && ends && link_side.memory != kernel::Memory::scratch;
    };
    step.in.doubles = holds_doubles(link.in), step.out.doubles = holds_doubles(link.out);
    check_counts(step, length);
    kernel::Launch launch;
    launch.step = program.steps.size();
    kernel::Table table = table_of(step, link.convolved, length);
    if (step.has_table) {
      launch.table = static_cast<int>(program.tables.size());
      program.tables.push_back(std::move(table));
    }
    launch.in = place_of(link.in), launch.out = place_of(link.out);
    if (request.filter) launch.spectrum = request.filter->offset;
    for (const LinkSide* link_side : {&link.in, &link.out}) {
      const bool first = link_side == &sides.front(), ends = first || link_side == &sides.back();
      const std::uint64_t points = lines * (ends ? request.length : length);
      program.bytes_moved +=
          ends ? bytes_of(request, *link_side, first ? kernel::End::load : kernel::End::store)
               : points * 2 * base::bytes_of(link_side->stored);
      if (link_side->memory != kernel::Memory::scratch) continue;
      const bool between_lines = link_side->offset < request.scratch_offset;
      const std::uint64_t end = between_lines ? request.scratch_offset : link_side->offset + points;
      program.scratch_bytes =
          std::max(program.scratch_bytes, end * 2 * base::bytes_of(link_side->stored));
    }
    launch.scale = step.scaled ? request.scale : 1;
    add_launches(program, step, launch, request.batch);
    program.steps.push_back(std::move(step));
  }
  return program;
}

std::vector<kernel::LaunchSize> part_of(const kernel::Program& program, std::uint64_t batch,
                                        std::uint64_t members) {
  std::vector<kernel::LaunchSize> sizes;
  for (const kernel::Launch& launch : program.launches) {
    const kernel::Step& step = program.steps[launch.step];
    const std::uint64_t part = launch.batch / batch * members;
    if (step.generic())  // lines that share a tile are computed together
      sizes.push_back({launch.batch, launch.groups});
    else if (const kernel::GenericHooks* hooks = step.generic_hooks())
      sizes.push_back({part, base::ceil_divide(launch.items * part, std::uint64_t{hooks->items})});
    else
      sizes.push_back({part, groups_of(step, part)});
  }
  return sizes;
}

}  // namespace imago::plan
