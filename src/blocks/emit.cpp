// This file composes a step's kernel: Stockham passes of Radix blocks (twiddle, then butterfly)
// over the Lanes of its mapping. Generic kernels (kernel/generic.hpp) are the Butterfly and Twiddle
// blocks with numbers that the kernel reads from memory.
#include "blocks/emit.hpp"

#include <list>
#include <string>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "blocks/butterfly.hpp"
#include "blocks/frame.hpp"
#include "blocks/generic/hooks.hpp"
#include "blocks/generic/tile.hpp"
#include "blocks/lanes.hpp"
#include "blocks/prime_convolution.hpp"
#include "ir/contract.hpp"
#include "ir/negations.hpp"
#include "kernel/key.hpp"

namespace imago::blocks {
namespace {

/// Returns true if a butterfly's points are in memory of the work-item. Vectors do not fit into
/// registers anyway, and the text of all operations would take compilers twice as long.
bool stores_points(const kernel::Step& step, std::size_t radix) {
  constexpr std::size_t kFewest = 53;
  return std::holds_alternative<kernel::Vectors>(step.lanes) && radix >= kFewest &&
         base::is_prime(radix);
}

/// Returns the Radix block of one pass: multiplies the inputs by w^(r k), then computes a
/// butterfly.
Body radix_body(const Frame& frame, const Geometry& g) {
  return [&frame, g](const Index& k) -> Butterfly {
    Points direct;
    if (g.done > 1) direct = direct_factors({g.pass, frame.table, frame.real}, k);
    return [&frame, direct](const Points& legs) {
      Points x = settled(legs);
      if (!direct.empty()) multiply(x, direct);
      return settled(stores_points(frame.step, x.size()) ? stored_prime_convolution(x)
                                                         : butterfly(x));
    };
  };
}

void stockham(const Frame& frame, Lanes& lanes) {
  const kernel::Step& step = frame.step;
  const auto& passes = step.passes;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    Geometry g;
    g.pass = &passes[i];
    g.radix = passes[i].radix;
    g.done = passes[i].done, g.left = passes[i].left, g.outer = passes[i].outer;
    g.first = i == 0, g.last = i + 1 == passes.size();
    g.in_place = step.in_place(i);
    g.turns = i + 1 == step.convolution.passes_forth;
    lanes.pass(g, radix_body(frame, g));
  }
}

void emit(const Frame& frame) {
  const auto passes = [&frame](Lanes& lanes) { stockham(frame, lanes); };
  std::visit([&](const auto& lanes) { with_lanes(lanes, frame, passes); }, frame.step.lanes);
}

/// A phase of a kernel, and its number of work-groups.
struct Phase {
  Frame frame;
  ir::Value groups;
};

/// Emits a kernel whose work-groups run their part of each phase.
ir::Kernel emit_chain(const kernel::Kernel& kernel) {
  ir::Builder builder(kernel.name(), kernel.phases.front().work_group_size());
  std::list<Frame> frames;
  for (const kernel::Step& step : kernel.phases)
    frames.emplace_back(builder, step, std::to_string(frames.size()));
  for (const Frame& frame : frames) emit(frame);
  return ir::without_crossing_negations(ir::contract(builder.take()));
}

std::list<Phase> declare(ir::Builder& builder, const std::vector<kernel::Step>& steps) {
  std::list<Phase> phases;
  for (const kernel::Step& step : steps) {
    const std::string suffix = std::to_string(phases.size());
    phases.push_back({Frame(builder, step, suffix), {}});
    phases.back().groups = builder.parameter("groups" + suffix, {ir::Base::i32, 1});
  }
  return phases;
}

/// Emits a phase. Its work-groups have the tickets starting at `first`; they begin when all groups
/// before have finished.
void emit_phase(ir::Builder& b, Phase& phase, ir::MemoryId counters, ir::Value ticket,
                ir::Value first) {
  const bool waits = first.valid();
  phase.frame.group_of_phase = waits ? ticket - first : ticket;
  const ir::Value end = waits ? first + phase.groups : phase.groups;
  ir::Condition mine = ticket < end;
  if (waits) mine = first < ticket + 1 && mine;
  b.when(mine, [&] {
    if (waits) b.await(counters, first);
    emit(phase.frame);
  });
}

/// Emits a kernel of rows: a convolution multiplies the points between two rounds of passes.
void emit_rows(const generic::Tile& tile) {
  ir::Builder& b = tile.b;
  generic::load_row(tile);
  tile.barrier();
  const ir::Value passes = tile.number(kernel::kPasses), none = b.integer(0);
  const ir::Value flips = tile.row_number(kernel::kRowFlips);
  const ir::Condition convolves = none < tile.row_number(kernel::kRowProductEntries);
  const ir::Value one = b.integer(1), two = b.integer(2), rounds = b.select(convolves, two, one);
  b.loop(rounds, [&](ir::Value round) {
    const ir::Value before = round * flips;
    b.loop(passes, [&](ir::Value pass) {
      generic::transform_row(tile, pass, before);
      tile.barrier();
    });
    const ir::Value points = b.select(round + 1 < rounds, tile.points, none);
    generic::multiply_row(tile, tile.half(flips), points);
    tile.barrier();
  });
  const ir::Value all = rounds * flips, half = tile.half(all % 2);
  generic::twiddle(tile, half);
  generic::store_row(tile, half);
}

ir::Kernel emit_generic(const kernel::Step& step) {
  ir::Builder builder(kernel::name_of(step), step.work_group_size());
  const Frame frame(builder, step);
  const generic::Tile tile(frame);
  if (step.generic()->rows) {
    emit_rows(tile);
    return ir::without_crossing_negations(ir::contract(builder.take()));
  }
  generic::load(tile);
  tile.barrier();
  const ir::Value passes = tile.number(kernel::kPasses);
  builder.loop(passes, [&](ir::Value pass) {
    generic::transform(tile, pass);
    tile.barrier();
  });
  generic::twiddle(tile, tile.half(passes % 2));
  generic::store(tile, tile.half(passes % 2));
  return ir::without_crossing_negations(ir::contract(builder.take()));
}

ir::Kernel emit_generic_hooks(const kernel::Step& step) {
  ir::Builder builder(kernel::name_of(step), step.work_group_size());
  generic::apply_hooks(Frame(builder, step));
  return ir::without_crossing_negations(ir::contract(builder.take()));
}

}  // namespace

ir::Kernel emit(const kernel::Step& step) {
  if (step.generic_hooks()) return emit_generic_hooks(step);
  if (step.generic()) return emit_generic(step);
  ir::Builder builder(kernel::name_of(step), step.work_group_size());
  emit(Frame(builder, step));
  return ir::without_crossing_negations(ir::contract(builder.take()));
}

ir::Kernel emit_function(const kernel::Step& step) {
  ir::Builder builder(kernel::name_of(step), step.work_group_size());
  const ir::Value group = builder.parameter("group", {ir::Base::i32, 1});
  Frame frame(builder, step);
  frame.group_of_phase = group;
  emit(frame);
  ir::Kernel kernel = ir::without_crossing_negations(ir::contract(builder.take()));
  kernel.is_function = true;
  return kernel;
}

ir::Kernel emit(const kernel::Kernel& kernel) {
  if (kernel.phases.size() == 1) return emit(kernel.phases.front());
  if (!kernel.waits) return emit_chain(kernel);
  ir::Builder builder(kernel.name(), kernel.phases.front().work_group_size());
  const ir::MemoryId counters = builder.counters("counters");
  auto phases = declare(builder, kernel.phases);
  const ir::Value ticket = builder.take_ticket(counters);
  ir::Value groups;  // work-groups of the phases before
  for (Phase& phase : phases) {
    emit_phase(builder, phase, counters, ticket, groups);
    groups = groups.valid() ? groups + phase.groups : phase.groups;
  }
  builder.finish(counters, groups);
  return ir::without_crossing_negations(ir::contract(builder.take()));
}

}  // namespace imago::blocks
