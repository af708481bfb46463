// This file applies hooks to elements. If boxes separate the lanes, it processes lane by lane.
#include "blocks/hooks.hpp"

#include "blocks/hook_chain.hpp"

namespace imago::blocks {
namespace {

using ir::Value;
using Keep = std::function<void(const LaneIndex& place, const Element& x)>;
const ir::Condition kAlways = ir::Condition::always();

/// Loads elements through hooks; `nothing` is one lane of the value outside boxes.
Element load(const Chain& chain, const Numbers& at, const ir::Condition& condition,
             const Element& nothing, const Fetch& fetch);
void store(const Chain& chain, const Numbers& at, const Element& x, const Keep& keep);

/// Calls `whole` if all lanes are inside, else `one` for each lane, with its numbers.
void lane_by_lane(const Chain& chain, const Numbers& at, const std::vector<Numbers>& stages,
                  const std::function<void()>& whole,
                  const std::function<void(Value lane, const Numbers& own)>& one) {
  ir::Builder& b = at.first.builder();
  const ir::Condition all = chain.places().inside(stages) && chain.places().last_inside(stages);
  b.when(all, whole);
  const Value width = b.integer(at.spread.width), lanes = b.select(all, b.integer(0), width);
  b.loop(lanes, [&](Value lane) { one(lane, chain.array().lane(at, lane)); });
}

Element load_ragged(const Chain& chain, const Numbers& at, const std::vector<Numbers>& stages,
                    const Element& nothing, const Fetch& fetch) {
  const unsigned width = at.spread.width;
  ir::Builder& b = at.first.builder();
  const LaneCells cells(b, "lanes", nothing, width);
  const Value first = b.integer(0);
  lane_by_lane(
      chain, at, stages,
      [&] {
        cells.keep(first,
                   chain.applied(chain.fetched(stages.front(), kAlways, fetch), stages, kAlways));
      },
      [&](Value lane, const Numbers& own) {
        cells.keep(lane, load(chain, own, kAlways, nothing, fetch));
      });
  return cells.load(first, width);
}

void store_ragged(const Chain& chain, const Numbers& at, const std::vector<Numbers>& stages,
                  const Element& x, const Keep& keep) {
  ir::Builder& b = at.first.builder();
  const LaneCells cells(b, "lanes", x, at.spread.width);
  cells.keep(b.integer(0), x);
  lane_by_lane(
      chain, at, stages,
      [&] {
        const Element kept = chain.applied(x, stages, kAlways);
        keep(*chain.places().place(stages.back()), kept);
      },
      [&](Value lane, const Numbers& own) { store(chain, own, cells.load(lane, 1), keep); });
}

Element load(const Chain& chain, const Numbers& at, const ir::Condition& condition,
             const Element& nothing, const Fetch& fetch) {
  const auto stages = chain.places().stages_before(at);
  if (!stages) {
    std::vector<Element> lanes;
    for (unsigned l = 0; l < at.spread.width; ++l)
      lanes.push_back(load(chain, chain.array().lane(at, l), condition, nothing, fetch));
    return assembled(lanes);
  }
  if (chain.places().ragged(*stages)) return load_ragged(chain, at, *stages, nothing, fetch);
  const ir::Condition inside = chain.places().inside(*stages);
  if (inside.is_never()) {
    return nothing.mapped([&](Value zero) { return zero.builder().splat(zero, at.spread.width); });
  }
  const ir::Condition both = condition && inside;
  return chain.applied(chain.fetched(stages->front(), both, fetch), *stages, both);
}

void store(const Chain& chain, const Numbers& at, const Element& x, const Keep& keep) {
  const auto stages = chain.places().stages_behind(at);
  if (!stages || (chain.has_few_lanes() && chain.places().ragged(*stages))) {
    for (unsigned l = 0; l < at.spread.width; ++l) {
      const Element own = lane_of(x, l);
      store(chain, chain.array().lane(at, l), own, keep);
    }
    return;
  }
  if (chain.places().ragged(*stages)) return store_ragged(chain, at, *stages, x, keep);
  const auto write = [&] {
    const Element kept = chain.applied(x, *stages, kAlways);
    keep(*chain.places().place(stages->back()), kept);
  };
  x.x.re.builder().when(chain.places().inside(*stages), write);
}

Element filtered_element(const Chain& chain, const Numbers& at, const Element& x,
                         const ir::Condition& exists) {
  const auto stages = chain.places().stages_at(at);
  if (!stages || chain.places().ragged(*stages)) {
    std::vector<Element> lanes;
    for (unsigned l = 0; l < at.spread.width; ++l) {
      const Element own = lane_of(x, l);
      lanes.push_back(filtered_element(chain, chain.array().lane(at, l), own, exists));
    }
    return assembled(lanes);
  }
  const ir::Condition inside = chain.places().inside(*stages);
  const Element y = chain.applied(x, *stages, exists);
  if (inside.is_always()) return y;
  return y.mapped([&](Value part) {
    ir::Builder& b = part.builder();
    return b.select(inside, part, b.real(0, part.type()));
  });
}

}  // namespace

Cx filtered(const Frame& frame, const Numbers& at, const Cx& x, const ir::Condition& exists) {
  const kernel::Step& step = frame.step;
  const kernel::FusedConvolution& c = step.convolution;
  ArrayLines lines{*c.hooked, c.hooked->stride(static_cast<std::size_t>(c.hooked->line_axis))};
  lines.run = step.passes[c.passes_forth - 1].done;
  if (!step.columns.empty()) lines.column_stride = step.columns[0].number;
  return filtered_element(Chain(frame, lines, frame.spectrum), at, {x}, exists).x;
}

Cx load_hooked(const Input& input, const Numbers& at, const ir::Condition& condition) {
  const Chain chain(input.frame(), lines_of(input.frame(), input.side()), input.frame().in);
  const Value zero = input.frame().b.real(0, input.frame().real);
  return load(chain, at, condition, {{zero, zero}},
              [&](const LaneIndex& place, const Spread& spread,
                  const ir::Condition& needed) -> Element {
                const bool real = chain.real_in_memory();
                if (chain.by_user())
                  return chain.read(place, spread, needed, {{zero, real ? Value{} : zero}});
                if (real) return {{input.stored_real(place.first, spread, needed), {}}};
                return {input.stored(place.first, spread, needed)};
              })
      .x;
}

Value load_hooked_real(const Input& input, const Numbers& at, const ir::Condition& condition) {
  const Chain chain(input.frame(), lines_of(input.frame(), input.side()), input.frame().in);
  const Value zero = input.frame().b.real(0, input.frame().real);
  return load(chain, at, condition, {{zero, {}}},
              [&](const LaneIndex& place, const Spread& spread,
                  const ir::Condition& needed) -> Element {
                if (chain.by_user()) return chain.read(place, spread, needed, {{zero, {}}});
                return {{input.stored_real(place.first, spread, needed), {}}};
              })
      .x.re;
}

void store_hooked(const Output& output, const Numbers& at, const Cx& x) {
  const Chain chain(output.frame(), lines_of(output.frame(), output.side()), output.frame().out);
  store(chain, at, {x}, [&](const LaneIndex& place, const Element& y) {
    if (chain.by_user()) return chain.write(place, y);
    if (y.real()) return output.store_real(place.first, y.x.re, place.apart);
    output.store(place.first, y.x, place.apart);
  });
}

void load_factors(const Output& output, const Numbers& at, const ir::Condition& condition) {
  const Chain chain(output.frame(), lines_of(output.frame(), output.side()), output.frame().out);
  const auto stages = chain.places().stages_behind(at);
  if (stages) chain.load_factors(*stages, condition);
}

void load_summand(const Output& output, const Numbers& at) {
  const Chain chain(output.frame(), lines_of(output.frame(), output.side()), output.frame().out);
  const unsigned width = at.spread.width;
  const auto stages = chain.places().stages_behind(at);
  if (!stages || chain.places().ragged(*stages)) {
    for (unsigned l = 0; l < width && width > 1; ++l)
      load_summand(output, chain.array().lane(at, l));
    return;
  }
  const bool real = chain.real_in_memory() || output.side().elements != kernel::Elements::complex;
  const LaneIndex place = *chain.places().place(stages->back());
  output.load_summand(place.first, real, {width, place.apart}, chain.places().inside(*stages));
}

void store_hooked_real(const Output& output, const Numbers& at, Value x) {
  const Chain chain(output.frame(), lines_of(output.frame(), output.side()), output.frame().out);
  store(chain, at, {{x, {}}}, [&](const LaneIndex& place, const Element& y) {
    if (chain.by_user()) return chain.write(place, y);
    output.store_real(place.first, y.x.re, place.apart);
  });
}

}  // namespace imago::blocks
