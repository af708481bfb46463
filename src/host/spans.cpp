// This file implements the division into spans.
#include "host/spans.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "problem/make_problem.hpp"

namespace imago::host {
namespace {

/// True if a hook depends on an element's index in the batch or in memory.
bool knows_its_place(const Hook& hook) {
  return std::holds_alternative<hook::Access>(hook) ||
         (std::holds_alternative<hook::Code>(hook) && [](const std::string& text) {
           // A macro could compose either word.
           return text.find("member") != text.npos || text.find("element") != text.npos ||
                  text.find('#') != text.npos;
         }(std::get<hook::Code>(hook).text));
}

bool members_are_alike(const Transform& transform) {
  for (const Hooks* hooks : {&transform.on_forward, &transform.on_inverse}) {
    for (const auto* end : {&hooks->load, &hooks->store}) {
      if (std::any_of(end->begin(), end->end(), knows_its_place)) return false;
    }
  }
  return true;
}

std::size_t begin_of(const problem::Problem& problem, bool spectrum) {
  const problem::Side& side = spectrum ? problem.spectrum : problem.signal;
  return side.offset * side.element_bytes;
}

/// True if layouts may start at their first elements. User code that reads or writes memory needs
/// the original offsets, and in place one buffer is both input and output.
bool may_begin_later(const Whole& whole) {
  const problem::Problem& p = whole.problem;
  return members_are_alike(whole.transform) &&
         (p.placement == Placement::out_of_place || begin_of(p, false) == begin_of(p, true));
}

/// Several batch elements as spans.
struct BatchPart {
  Transform transform;
  problem::Problem problem;
  BatchPart(const Whole& whole, std::size_t count) : transform(whole.transform) {
    transform.batch = count;
    transform.signal.offset = transform.spectrum.offset = 0;
    problem = problem::make_problem(transform);
  }
  /// Returns the bytes of the input or output; in place both are one buffer.
  std::size_t bytes(bool inverse, bool store) const {
    const std::size_t other = problem.memory(inverse, !store).bytes();
    const std::size_t own = problem.memory(inverse, store).bytes();
    return problem.placement == Placement::in_place ? std::max(own, other) : own;
  }
  Slot::Bytes slot(bool inverse) const {
    const bool in_place = problem.placement == Placement::in_place;
    return {bytes(inverse, false), in_place ? 0 : bytes(inverse, true)};
  }
};

std::size_t step_of(const problem::Problem& problem, bool spectrum) {
  const problem::Side& side = spectrum ? problem.spectrum : problem.signal;
  return side.distance * side.element_bytes;
}

std::uint64_t elements(const problem::Side& side, std::uint64_t batch) {
  std::uint64_t count = batch;
  for (const std::uint64_t length : side.lengths) count *= length;
  return count;
}

/// True if batch elements can be sent one after another: none writes memory that another reads or
/// writes.
bool lie_apart(const Whole& whole, bool inverse) {
  if (whole.transform.batch == 1 || !may_begin_later(whole)) return false;
  const BatchPart one(whole, 1);
  const std::size_t from = step_of(whole.problem, inverse), to = step_of(whole.problem, !inverse);
  const bool in_place = whole.problem.placement == Placement::in_place;
  if (from == 0 || one.bytes(inverse, true) > to) return false;
  return !in_place || from == to;
}

/// The largest number of batch elements that fits, at most `wanted`, and the number of slots.
struct Fit {
  std::size_t members = 0, slots = 0;
};
Fit fit(const Whole& whole, bool inverse, const Budget& budget, std::size_t wanted) {
  for (std::size_t slots = kSlots; slots > 0; --slots) {
    for (std::size_t members = wanted; members > 0; members /= 2) {
      const BatchPart some(whole, members);
      if (budget.holds(some.transform, some.slot(inverse), slots)) return {members, slots};
    }
  }
  return {};
}

}  // namespace

bool has_gaps(const problem::Problem& problem, bool inverse) {
  if (problem.placement == Placement::in_place) return false;  // the gaps are copied both ways
  const problem::Side& side = problem.memory(inverse, true);
  return problem.hooked[inverse][true].has_value() || elements(side, problem.batch) < side.end;
}

Piece whole_span(const Whole& whole, bool inverse, Shapes& shapes) {
  const bool later = may_begin_later(whole);
  BatchPart all(whole, whole.transform.batch);
  if (!later) {
    all.transform = whole.transform;
    all.problem = whole.problem;
  }
  Piece piece;
  piece.has_gaps = has_gaps(all.problem, inverse);
  piece.from = {later ? begin_of(whole.problem, inverse) : 0, all.bytes(inverse, false)};
  piece.to = {later ? begin_of(whole.problem, !inverse) : 0, all.bytes(inverse, true)};
  piece.shape = shapes.add({all.transform});
  return piece;
}

std::optional<HostPass> spans(const Whole& whole, bool inverse, const Budget& budget,
                              Shapes& shapes) {
  const std::size_t batch = whole.transform.batch;
  HostPass pass;
  pass.in_place = whole.problem.placement == Placement::in_place;
  if (!lie_apart(whole, inverse)) {
    const Piece all = whole_span(whole, inverse, shapes);
    const Slot::Bytes needs{all.from.row, pass.in_place ? 0 : all.to.row};
    if (!budget.holds(whole.transform, needs, 1)) return {};
    pass.pieces = Pieces(std::vector{all});
    return pass;
  }
  const std::size_t from = step_of(whole.problem, inverse), to = step_of(whole.problem, !inverse);
  const std::size_t wanted = budget.piece_bytes(from * batch) / from;
  const Fit found = fit(whole, inverse, budget, std::clamp<std::size_t>(wanted, 1, batch));
  if (found.members == 0) return {};
  pass.slots = found.slots;
  const auto add = [&](std::size_t first, std::size_t members, std::size_t times) {
    const BatchPart some(whole, members);
    Piece piece;
    piece.from = {begin_of(whole.problem, inverse) + first * from, some.bytes(inverse, false)};
    piece.to = {begin_of(whole.problem, !inverse) + first * to, some.bytes(inverse, true)};
    piece.has_gaps = has_gaps(some.problem, inverse);
    piece.shape = shapes.add({some.transform});
    pass.pieces.add({{piece}, times, members * from, members * to});
  };
  const std::size_t rest = batch % found.members;
  add(0, found.members, batch / found.members);
  if (rest > 0) add(batch - rest, rest, 1);
  return pass;
}

}  // namespace imago::host
