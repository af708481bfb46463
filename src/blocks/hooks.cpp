// This file applies hooks to elements. If boxes separate the lanes, it processes lane by lane.
#include "blocks/hooks.hpp"

#include "blocks/side_hooks.hpp"

namespace imago::blocks {
namespace {

using ir::Value;
using Keep = std::function<void(const LaneIndex& place, const Element& x)>;
const ir::Condition kAlways = ir::Condition::always();

/// Loads elements through hooks; `nothing` is one lane of the value outside boxes.
Element load(const SideHooks& hooks, const Numbers& at, const ir::Condition& condition,
             const Element& nothing, const Fetch& fetch);
void store(const SideHooks& hooks, const Numbers& at, const Element& x, const Keep& keep);

/// Calls `whole` if all lanes are inside, else `one` for each lane, with its numbers.
void lane_by_lane(const SideHooks& hooks, const Numbers& at, const std::vector<Numbers>& numbers,
                  const std::function<void()>& whole,
                  const std::function<void(Value lane, const Numbers& own)>& one) {
  ir::Builder& b = at.first.builder();
  const ir::Condition all = hooks.places().inside(numbers) && hooks.places().last_inside(numbers);
  b.when(all, whole);
  const Value width = b.integer(at.spread.width), lanes = b.select(all, b.integer(0), width);
  b.loop(lanes, [&](Value lane) { one(lane, hooks.array().lane(at, lane)); });
}

/// Calls `one` for each lane in a loop.
void over_lanes(const SideHooks& hooks, const Numbers& at,
                const std::function<void(Value lane, const Numbers& own)>& one) {
  at.first.builder().loop(at.spread.width,
                          [&](Value lane) { one(lane, hooks.array().lane(at, lane)); });
}

Element load_ragged(const SideHooks& hooks, const Numbers& at, const std::vector<Numbers>& numbers,
                    const Element& nothing, const Fetch& fetch) {
  const unsigned width = at.spread.width;
  ir::Builder& b = at.first.builder();
  const LaneCells cells(b, "lanes", nothing, width);
  const Value first = b.integer(0);
  lane_by_lane(
      hooks, at, numbers,
      [&] {
        cells.keep(first,
                   hooks.applied(hooks.fetched(numbers.front(), kAlways, fetch), numbers, kAlways));
      },
      [&](Value lane, const Numbers& own) {
        cells.keep(lane, load(hooks, own, kAlways, nothing, fetch));
      });
  return cells.load(first, width);
}

void store_ragged(const SideHooks& hooks, const Numbers& at, const std::vector<Numbers>& numbers,
                  const Element& x, const Keep& keep) {
  ir::Builder& b = at.first.builder();
  const LaneCells cells(b, "lanes", x, at.spread.width);
  cells.keep(b.integer(0), x);
  lane_by_lane(
      hooks, at, numbers,
      [&] {
        const Element kept = hooks.applied(x, numbers, kAlways);
        keep(*hooks.places().place(numbers.back()), kept);
      },
      [&](Value lane, const Numbers& own) { store(hooks, own, cells.load(lane, 1), keep); });
}

Element load(const SideHooks& hooks, const Numbers& at, const ir::Condition& condition,
             const Element& nothing, const Fetch& fetch) {
  const auto numbers = hooks.places().numbers_before(at);
  if (!numbers && !hooks.loops_over_lanes(at.spread.width)) {
    std::vector<Element> lanes;
    for (unsigned l = 0; l < at.spread.width; ++l)
      lanes.push_back(load(hooks, hooks.array().lane(at, l), condition, nothing, fetch));
    return assembled(lanes);
  }
  if (!numbers) {
    ir::Builder& b = at.first.builder();
    const LaneCells cells(b, "lanes", nothing, at.spread.width);
    over_lanes(hooks, at, [&](Value lane, const Numbers& own) {
      cells.keep(lane, load(hooks, own, condition, nothing, fetch));
    });
    return cells.load(b.integer(0), at.spread.width);
  }
  if (hooks.places().ragged(*numbers)) return load_ragged(hooks, at, *numbers, nothing, fetch);
  const ir::Condition inside = hooks.places().inside(*numbers);
  if (inside.is_never()) {
    return nothing.mapped([&](Value zero) { return zero.builder().splat(zero, at.spread.width); });
  }
  const ir::Condition both = condition && inside;
  return hooks.applied(hooks.fetched(numbers->front(), both, fetch), *numbers, both);
}

void store(const SideHooks& hooks, const Numbers& at, const Element& x, const Keep& keep) {
  const auto numbers = hooks.places().numbers_behind(at);
  if (!numbers && hooks.loops_over_lanes(at.spread.width)) {
    const LaneCells cells(at.first.builder(), "lanes", x, at.spread.width);
    cells.keep(at.first.builder().integer(0), x);
    return over_lanes(hooks, at, [&](Value lane, const Numbers& own) {
      store(hooks, own, cells.load(lane, 1), keep);
    });
  }
  if (!numbers || (hooks.has_few_lanes() && hooks.places().ragged(*numbers))) {
    for (unsigned l = 0; l < at.spread.width; ++l) {
      const Element own = lane_of(x, l);
      store(hooks, hooks.array().lane(at, l), own, keep);
    }
    return;
  }
  if (hooks.places().ragged(*numbers)) return store_ragged(hooks, at, *numbers, x, keep);
  const auto write = [&] {
    const Element kept = hooks.applied(x, *numbers, kAlways);
    keep(*hooks.places().place(numbers->back()), kept);
  };
  x.x.re.builder().when(hooks.places().inside(*numbers), write);
}

Element filtered_element(const SideHooks& hooks, const Numbers& at, const Element& x,
                         const ir::Condition& exists) {
  const auto numbers = hooks.places().numbers_at(at);
  const bool apart = !numbers || hooks.places().ragged(*numbers);
  if (apart && hooks.loops_over_lanes(at.spread.width)) {
    ir::Builder& b = at.first.builder();
    const LaneCells cells(b, "lanes", x, at.spread.width);
    const Value first = b.integer(0);
    cells.keep(first, x);
    over_lanes(hooks, at, [&](Value lane, const Numbers& own) {
      cells.keep(lane, filtered_element(hooks, own, cells.load(lane, 1), exists));
    });
    return cells.load(first, at.spread.width);
  }
  if (apart) {
    std::vector<Element> lanes;
    for (unsigned l = 0; l < at.spread.width; ++l) {
      const Element own = lane_of(x, l);
      lanes.push_back(filtered_element(hooks, hooks.array().lane(at, l), own, exists));
    }
    return assembled(lanes);
  }
  const ir::Condition inside = hooks.places().inside(*numbers);
  const Element y = hooks.applied(x, *numbers, exists);
  if (inside.is_always()) return y;
  return y.mapped([&](Value part) {
    ir::Builder& b = part.builder();
    return b.select(inside, part, b.real(0, part.type()));
  });
}

ArrayLines lines_of_filter(const Frame& frame) {
  const kernel::Step& step = frame.step;
  const kernel::FusedConvolution& c = step.convolution;
  ArrayLines lines{*c.hooked, c.hooked->stride(static_cast<std::size_t>(c.hooked->line_axis))};
  lines.run = step.passes[c.passes_forth - 1].done;
  if (!step.columns.empty()) lines.column_stride = step.columns[0].number;
  return lines;
}

}  // namespace

bool hooks_need_loop(const Frame& frame, const kernel::Side& side, const Numbers& at,
                     unsigned legs) {
  const bool in = &side == &frame.step.in;
  const SideHooks hooks(frame, lines_of(frame, side), in ? frame.in : frame.out);
  const unsigned each = side.elements == kernel::Elements::pairs ? 2 : 1;
  return hooks.loops_over_legs(each * legs, [&] {
    const HookPlaces& places = hooks.places();
    const auto numbers = in ? places.numbers_before(at) : places.numbers_behind(at);
    return !numbers || places.ragged(*numbers);
  });
}

bool filter_needs_loop(const Frame& frame, const Numbers& at, unsigned legs) {
  const SideHooks hooks(frame, lines_of_filter(frame), frame.spectrum);
  return hooks.loops_over_legs(legs, [&] {
    const auto numbers = hooks.places().numbers_at(at);
    return !numbers || hooks.places().ragged(*numbers);
  });
}

Cx filtered(const Frame& frame, const Numbers& at, const Cx& x, const ir::Condition& exists) {
  return filtered_element(SideHooks(frame, lines_of_filter(frame), frame.spectrum), at, {x}, exists)
      .x;
}

Cx load_hooked(const Input& input, const Numbers& at, const ir::Condition& condition) {
  const SideHooks hooks(input.frame(), lines_of(input.frame(), input.side()), input.frame().in);
  const Value zero = input.frame().b.real(0, input.frame().real);
  return load(hooks, at, condition, {{zero, zero}},
              [&](const LaneIndex& place, const Spread& spread,
                  const ir::Condition& needed) -> Element {
                const bool real = hooks.real_in_memory();
                if (hooks.by_user())
                  return hooks.read(place, spread, needed, {{zero, real ? Value{} : zero}});
                if (real) return {{input.stored_real(place.first, spread, needed), {}}};
                return {input.stored(place.first, spread, needed)};
              })
      .x;
}

Value load_hooked_real(const Input& input, const Numbers& at, const ir::Condition& condition) {
  const SideHooks hooks(input.frame(), lines_of(input.frame(), input.side()), input.frame().in);
  const Value zero = input.frame().b.real(0, input.frame().real);
  return load(hooks, at, condition, {{zero, {}}},
              [&](const LaneIndex& place, const Spread& spread,
                  const ir::Condition& needed) -> Element {
                if (hooks.by_user()) return hooks.read(place, spread, needed, {{zero, {}}});
                return {{input.stored_real(place.first, spread, needed), {}}};
              })
      .x.re;
}

void store_hooked(const Output& output, const Numbers& at, const Cx& x) {
  const SideHooks hooks(output.frame(), lines_of(output.frame(), output.side()),
                        output.frame().out);
  store(hooks, at, {x}, [&](const LaneIndex& place, const Element& y) {
    if (hooks.by_user()) return hooks.write(place, y);
    if (y.real()) return output.store_real(place.first, y.x.re, place.apart);
    output.store(place.first, y.x, place.apart);
  });
}

void load_factors(const Output& output, const Numbers& at, const ir::Condition& condition) {
  const SideHooks hooks(output.frame(), lines_of(output.frame(), output.side()),
                        output.frame().out);
  const auto numbers = hooks.places().numbers_behind(at);
  if (numbers) hooks.load_factors(*numbers, condition);
}

void load_summand(const Output& output, const Numbers& at) {
  const SideHooks hooks(output.frame(), lines_of(output.frame(), output.side()),
                        output.frame().out);
  const unsigned width = at.spread.width;
  const auto numbers = hooks.places().numbers_behind(at);
  if (!numbers || hooks.places().ragged(*numbers)) {
    for (unsigned l = 0; l < width && width > 1; ++l)
      load_summand(output, hooks.array().lane(at, l));
    return;
  }
  const bool real = hooks.real_in_memory() || output.side().elements != kernel::Elements::complex;
  const LaneIndex place = *hooks.places().place(numbers->back());
  output.load_summand(place.first, real, {width, place.apart}, hooks.places().inside(*numbers));
}

void store_hooked_real(const Output& output, const Numbers& at, Value x) {
  const SideHooks hooks(output.frame(), lines_of(output.frame(), output.side()),
                        output.frame().out);
  store(hooks, at, {{x, {}}}, [&](const LaneIndex& place, const Element& y) {
    if (hooks.by_user()) return hooks.write(place, y);
    output.store_real(place.first, y.x.re, place.apart);
  });
}

}  // namespace imago::blocks
