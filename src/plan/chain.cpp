// This file lays out a Program: kernels that together are one large Stockham transform. Between two
// kernels the data is a matrix of finished digits k < done by remaining columns q, finished digits
// fastest: point (k, q) at q * done + k. A kernel of length n reads points (k, q + left * r),
// writes (k + done * s, q), and first multiplies by exp(-2 pi i r k / (done n)). The first kernel
// therefore reads neighbouring columns and writes rows (the transposition), the last reads and
// writes the same elements and may work in place.
#include <algorithm>
#include <sstream>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "plan/bank_conflicts.hpp"
#include "plan/planner.hpp"
#include "plan/solvers/solver.hpp"
#include "plan/tables.hpp"

namespace imago::plan {
namespace {

constexpr std::uint64_t kNarrowIndices = std::uint64_t{1} << 30;

/// One kernel's place in the chain.
struct Link {
  std::uint64_t done, left;
  bool first, last, alone;
};

Step base_step(const Request& request, const KernelParameters& kernel, Mapping mapping,
               const Link& link) {
  Step step;
  step.precision = request.precision;
  step.mapping = mapping;
  step.inverse = request.inverse;
  step.scaled = link.last && request.scale != 1;
  step.wide_index = request.length >= kNarrowIndices;
  step.length = kernel.length;
  step.in_stride = link.left * link.done;
  step.out_stride = link.done;
  if (!link.alone) {
    if (link.done > 1)
      step.columns.push_back({link.done, 1, 1, link.last || link.done > 1 ? 1u : 0u});
    if (link.left > 1) step.columns.push_back({link.left, link.done, link.done * kernel.length, 0});
    if (link.done > 1) {
      step.inter_order = link.done * kernel.length;
      step.inter_twiddles = kernel.between;
    }
  }
  return step;
}

void add_passes(Step& step, const KernelParameters& kernel) {
  std::uint64_t done = 1;
  for (const unsigned radix : kernel.radices) {
    Pass pass;
    pass.radix = radix;
    pass.twiddles = kernel.twiddles;
    const std::uint64_t left = kernel.length / (done * radix);
    if (step.mapping == Mapping::vector) {
      const bool columns = kernel.axis == LaneAxis::columns;
      pass.lane = columns ? Lane::column : left == 1 && done > 1 ? Lane::k : Lane::q;
      const std::uint64_t extent = pass.lane == Lane::k ? done : left;
      while (!columns && pass.width * 2 <= std::min<std::uint64_t>(kernel.lanes, extent))
        pass.width *= 2;
    }
    step.passes.push_back(pass);
    done *= radix;
  }
}

/// Neighbouring work-items take neighbouring columns where those are neighbours in memory.
void choose_item_order(Step& step, const Link& link) {
  if (step.mapping != Mapping::work_group || link.alone) return;
  for (std::size_t i = 0; i < step.passes.size(); ++i) {
    const bool rows_at_store = link.first && i > 0;  // the first kernel writes rows
    step.passes[i].columns_fastest = !rows_at_store;
  }
}

/// The step's table, or nothing where no pass needs one.
Table table_of(Step& step) {
  Table table{step.precision, step.mapping == Mapping::vector, {}};
  std::uint64_t done = 1;
  std::size_t offset = 0;
  for (Pass& pass : step.passes) {
    TwiddleSection section = section_of(pass, done, step.mapping);
    done *= pass.radix;
    if (section.exponents.empty()) continue;
    pass.table_offset = offset;
    offset += 2 * section.count * section.exponents.size();
    table.sections.push_back(std::move(section));
  }
  step.has_table = !table.sections.empty();
  return table;
}

Step make_step(const Request& request, const device::Facts& facts, const Parameters& p,
               std::size_t i, const Link& link) {
  const KernelParameters& kernel = p.kernels[i];
  Step step = base_step(request, kernel, p.mapping, link);
  add_passes(step, kernel);
  choose_item_order(step, link);
  if (p.mapping == Mapping::work_group) {
    step.items = kernel.items;
    step.tile = kernel.columns;
    step.exchange = kernel.exchange;
    choose_padding(step, facts.simd, facts.local_bytes);
  } else {
    step.tile = kernel.axis == LaneAxis::columns ? kernel.lanes : 1;
    step.repeat = kernel.columns;
    const bool in_lanes = link.alone && step.tile > 1;
    step.in_packed = in_lanes && request.in_distance == request.length;
    step.out_packed = in_lanes && request.out_distance == request.length;
  }
  return step;
}

std::uint64_t groups_of(const Step& step, std::uint64_t batch) {
  const std::uint64_t members = step.columns.empty() ? 1 : batch;
  const std::uint64_t columns = step.columns.empty() ? batch : step.column_count();
  if (step.mapping == Mapping::work_group) return members * base::ceil_divide(columns, step.tile);
  // Vector tiles do not cross the fastest column's extent.
  const std::uint64_t fastest = step.columns.empty() ? batch : step.columns[0].extent;
  const std::uint64_t tiles = base::ceil_divide(fastest, step.tile) * (columns / fastest) * members;
  return base::ceil_divide(tiles, step.repeat);
}

/// Where the data lies before kernel i. All but the last kernel work out of place.
Memory memory_before(std::size_t i, std::size_t kernels, Placement placement) {
  if (i == 0) return Memory::input;
  if (i == kernels) return Memory::output;
  if (placement == Placement::out_of_place && kernels == 2) return Memory::output;
  return i % 2 == 1 ? Memory::scratch : Memory::output;
}

Place place_of(Memory memory, const Request& request) {
  const std::uint64_t distance = memory == Memory::input    ? request.in_distance
                                 : memory == Memory::output ? request.out_distance
                                                            : request.length;
  return {memory, 0, distance};
}

}  // namespace

Program make_program(const Request& request, const device::Facts& facts,
                     const Parameters& parameters) {
  Program program;
  program.algorithm = parameters.algorithm;
  const std::size_t kernels = parameters.kernels.size();
  const std::uint64_t element = request.precision == Precision::f64 ? 16 : 8;
  std::uint64_t done = 1;
  for (std::size_t i = 0; i < kernels; ++i) {
    const std::uint64_t length = parameters.kernels[i].length;
    const Link link{done, request.length / (done * length), i == 0, i + 1 == kernels, kernels == 1};
    Step step = make_step(request, facts, parameters, i, link);
    Launch launch;
    launch.step = i;
    Table table = table_of(step);
    if (step.has_table) {
      launch.table = static_cast<int>(program.tables.size());
      program.tables.push_back(std::move(table));
    }
    launch.in = place_of(memory_before(i, kernels, request.placement), request);
    launch.out = place_of(memory_before(i + 1, kernels, request.placement), request);
    if (launch.out.memory == Memory::scratch)
      program.scratch_bytes = request.length * request.batch * element;
    launch.scale = step.scaled ? request.scale : 1;
    launch.batch = request.batch;
    launch.groups = groups_of(step, request.batch);
    program.bytes_moved += 2 * request.length * request.batch * element;
    program.steps.push_back(std::move(step));
    program.launches.push_back(launch);
    done *= length;
  }
  return program;
}

std::string describe(const Program& program, const Request& request) {
  std::ostringstream text;
  const char* const memories[] = {"input", "output", "scratch"};
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const Launch& launch = program.launches[i];
    const Step& step = program.steps[launch.step];
    text << i + 1 << ". " << solver_of(program.algorithm).name << ": length " << step.length
         << " of " << request.length << ", radices";
    for (const Pass& pass : step.passes) text << ' ' << pass.radix;
    if (step.mapping == Mapping::work_group) {
      text << ", " << step.items << " work-items x " << step.tile << " transforms per group, "
           << step.local_bytes() << " bytes of local memory";
    } else {
      text << ", " << (step.tile > 1 ? "columns" : "points") << " in vectors of "
           << (step.tile > 1 ? step.tile : step.passes.front().width) << ", " << step.repeat
           << " tiles per work-item";
    }
    text << ", " << launch.groups << " groups, " << memories[static_cast<int>(launch.in.memory)]
         << " -> " << memories[static_cast<int>(launch.out.memory)] << ", "
         << program.bytes_moved / program.launches.size() << " bytes, kernel " << step.name()
         << '\n';
  }
  return text.str();
}

}  // namespace imago::plan
