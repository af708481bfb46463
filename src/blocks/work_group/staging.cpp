// This file moves blocks through local memory.
#include "blocks/work_group/staging.hpp"

#include <functional>

#include "blocks/elements.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Calls body(place in local memory, condition that it exists, element) for the group's elements;
/// adjacent work-items get adjacent elements.
void over_block(const Frame& f, Value offset,
                const std::function<void(Value, const ir::Condition&, Value)>& body) {
  ir::Builder& b = f.b;
  const auto tile = static_cast<std::int64_t>(f.step.tile),
             length = static_cast<std::int64_t>(f.step.length),
             pad = static_cast<std::int64_t>(f.step.group().column_pad);
  const ir::Type wide{ir::Base::i64, 1};
  const Value first = f.group() * tile;
  const Value rest = f.batch - first;
  const Value members = b.binary(ir::Op::min, rest, b.integer(tile));
  const Value base = offset + b.convert(first, wide) * length;
  for (std::int64_t i = 0; i < length; ++i) {
    const Value e = b.local_id(f.step.work_group_size()) + i * tile;
    const Value element = base + b.convert(e, wide);
    const Value place = pad == 0 ? e : e + e / length * pad;
    body(place, e < members * length, element);
  }
}

Value place_of(const Frame& f, const WorkItem& item, std::size_t point) {
  return item.column * static_cast<std::int64_t>(f.step.column_span()) +
         static_cast<std::int64_t>(point);
}

}  // namespace

Points stage_in(const Frame& f, const WorkItem& item) {
  const Input input(f);
  over_block(f, f.in.offset, [&](Value place, const ir::Condition& there, Value element) {
    f.b.store(f.local, place, input.whole(element, there));
  });
  f.b.barrier();
  Points points;
  for (std::size_t r = 0; r < f.step.length; ++r) {
    const Value whole = f.b.load(f.local, place_of(f, item, r));
    points.push_back({f.b.extract(whole, 0), f.b.extract(whole, 1)});
  }
  return points;
}

void stage_out(const Frame& f, const WorkItem& item, const Points& points) {
  const Output output(f);
  for (std::size_t s = 0; s < points.size(); ++s) {
    const Cx x = as_stored(f, points[s]);
    const Value whole = f.b.pair(x.re, x.im);
    f.b.store(f.local, place_of(f, item, s), whole);
  }
  f.b.barrier();
  over_block(f, f.out.offset, [&](Value place, const ir::Condition& there, Value element) {
    f.b.when(there, [&] { output.whole(element, f.b.load(f.local, place)); });
  });
}

}  // namespace imago::blocks
