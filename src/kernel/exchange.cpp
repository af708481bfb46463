// This file derives the exchanges of a step and their digits.
#include "kernel/exchange.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "kernel/index_map.hpp"

namespace imago::kernel {
namespace {

/// An index within a step, for index_map.hpp. Many processors divide 32 bits in a third of the time
/// of 64, and the planner finds millions of points.
class ShortIndex {
 public:
  ShortIndex(std::int64_t value) : value_(static_cast<std::uint32_t>(value)) {}  // NOLINT: implicit
  std::int64_t value() const { return value_; }

  friend ShortIndex operator+(ShortIndex a, ShortIndex b) { return of(a.value_ + b.value_); }
  friend ShortIndex operator-(ShortIndex a, ShortIndex b) { return of(a.value_ - b.value_); }
  friend ShortIndex operator*(ShortIndex a, ShortIndex b) { return of(a.value_ * b.value_); }
  friend ShortIndex operator/(ShortIndex a, ShortIndex b) { return of(a.value_ / b.value_); }
  friend ShortIndex operator%(ShortIndex a, ShortIndex b) { return of(a.value_ % b.value_); }
  friend ShortIndex where_zero(ShortIndex tested, ShortIndex yes, ShortIndex no) {
    return tested.value_ == 0 ? yes : no;
  }

 private:
  static ShortIndex of(std::uint32_t value) { return {std::int64_t{value}}; }
  std::uint32_t value_;
};

using Order = Registers::Order;

/// Returns true if points of the axis are combined with their partners before pass `pass`, or
/// before the store.
bool joins_before(const ReorderedAxis& axis, std::size_t pass) {
  return !axis.alone() && pass == (axis.joins_at_load() ? axis.first : axis.last + 1);
}

/// Returns true if partners are combined in local memory, so that a second work-item reads them,
/// too. Couples do not need it.
bool shares_before(const Step& step, const ReorderedAxis& axis, std::size_t pass) {
  return joins_before(axis, pass) && step.passes[axis.joining_pass()].coupled == 0;
}

/// Returns true if elements of the axis become points, or points elements, before pass `pass`.
/// Couples of cosine transforms already hold them in order.
bool reorders_before(const Step& step, const ReorderedAxis& axis, std::size_t pass) {
  const bool here = !axis.alone() && (axis.first == pass || axis.last + 1 == pass);
  const bool couples = joins_before(axis, pass) && !shares_before(step, axis, pass);
  return here && (!couples || axis.from_end());
}

/// Returns the exchange before pass `pass`, or before the store.
RegisterExchange exchange_before(const Step& step, std::size_t pass, Registers before,
                                 Registers after) {
  RegisterExchange exchange{before, after};
  for (const ReorderedAxis& axis : step.group().axes) {
    if (reorders_before(step, axis, pass)) exchange.fetched = Fetched::sources;
    if (shares_before(step, axis, pass)) exchange.shared = true;
  }
  return exchange;
}

void add_at_load(std::vector<RegisterExchange>& result, const Step& step) {
  const Registers legs{Order::read, 0};
  const WorkGroup& group = step.group();
  const Registers loaded = group.loads_in_order ? legs : Registers{Order::elements, 0};
  if (group.reorders_at_load) result.push_back(exchange_before(step, 0, loaded, legs));
  if (group.fetches_partners_at_load) result.push_back({legs, legs, Fetched::partner, false});
  if (facts_of(step.in.convolved).reorders)
    result.push_back({{Order::table, 0}, legs, Fetched::point, false});
}

void add_at_store(std::vector<RegisterExchange>& result, const Step& step) {
  const std::size_t last = step.passes.size() - 1;
  const Registers legs{Order::written, last};
  const WorkGroup& group = step.group();
  if (group.reorders_at_store)
    result.push_back(exchange_before(step, last + 1, legs, {Order::elements, last}));
  if (group.fetches_partners_at_store) result.push_back({legs, legs, Fetched::partner, false});
  if (facts_of(step.out.convolved).reorders)
    result.push_back({legs, {Order::table, last}, Fetched::point, false});
}

/// A digit of a butterfly's number, with weight `from` in it.
struct ButterflyDigit {
  std::uint64_t extent, from, weight;
};

std::vector<ButterflyDigit> butterfly_digits(const Pass& pass, Order order) {
  const std::uint64_t radix = pass.radix, left = pass.left, done = pass.done;
  const std::uint64_t k = order == Order::read ? left * radix : left;
  return {{left, 1, 1}, {done, left, k}, {pass.outer, left * done, left * done * radix}};
}

/// Splits a digit into the part that work-items determine and the part that their butterflies
/// determine; adds one or both to `result`. Returns false if that is impossible; then `result` is
/// not usable.
bool split(std::vector<Digit>& result, const ButterflyDigit& digit, std::uint64_t items) {
  const std::uint64_t end = digit.from * digit.extent;
  if (end <= items) {
    result.push_back({Digit::Holder::item, digit.extent, digit.from, digit.weight});
    return items % end == 0;
  }
  if (digit.from >= items) {
    result.push_back({Digit::Holder::butterfly, digit.extent, digit.from / items, digit.weight});
    return digit.from % items == 0;
  }
  const std::uint64_t inside = items / digit.from;
  if (items % digit.from != 0 || digit.extent % inside != 0) return false;
  result.push_back({Digit::Holder::item, inside, digit.from, digit.weight});
  result.push_back({Digit::Holder::butterfly, digit.extent / inside, 1, digit.weight * inside});
  return true;
}

/// Returns the digits that work-items determine; adjacent ones are merged.
std::optional<std::vector<Digit>> item_digits(const Step& step, const Registers& registers) {
  const auto digits = digits_of(step, registers);
  if (!digits) return {};
  std::vector<Digit> result;
  for (const Digit& digit : *digits) {
    if (digit.holder != Digit::Holder::item) continue;
    const bool follows = !result.empty() &&
                         digit.from == result.back().from * result.back().extent &&
                         digit.weight == result.back().weight * result.back().extent;
    if (follows)
      result.back().extent *= digit.extent;
    else
      result.push_back(digit);
  }
  return result;
}

bool of_pass(const Registers& registers) {
  return registers.order == Order::read || registers.order == Order::written;
}

/// Returns true if every work-item holds the same points in both.
bool same_points(const Step& step, const Registers& a, const Registers& b) {
  if (!of_pass(a) || !of_pass(b)) return false;
  // A single work-item has all points of its column.
  if (step.group().items == 1) return true;
  // The first pass of an axis writes where it reads.
  if (a.pass == b.pass && (a.order == b.order || step.passes[a.pass].done == 1)) return true;
  const bool same_columns =
      step.passes[a.pass].columns_fastest == step.passes[b.pass].columns_fastest;
  const auto digits = item_digits(step, a);
  return same_columns && digits && digits == item_digits(step, b);
}

/// Returns true if all sources of a point of reordered axes are in the same work-item: its digits
/// are the same along the whole axis.
bool sources_stay(const Step& step, const RegisterExchange& exchange) {
  const Registers& after = exchange.after;
  if (step.group().items == 1) return true;
  const auto digits = item_digits(step, after);
  if (!of_pass(after) || !digits) return false;
  const auto& axes = step.group().axes;
  return std::none_of(axes.begin(), axes.end(), [&](const ReorderedAxis& axis) {
    return reorders_before(step, axis, after.pass) &&
           std::any_of(digits->begin(), digits->end(), [&](const Digit& digit) {
             return digit.weight % (axis.inner * axis.points) != 0 &&
                    axis.inner % (digit.weight * digit.extent) != 0;
           });
  });
}

}  // namespace

unsigned exchange_turns(Exchange exchange) {
  switch (exchange) {
    case Exchange::interleaved:
    case Exchange::in_place:
      return 1;
    case Exchange::split:
      return 2;
    case Exchange::automatic:
      break;
  }
  base::internal_error("turns of an exchange that is not chosen");
}

bool RegisterExchange::leaves_room_for(const Step& step, const RegisterExchange& next) const {
  if (shared || fetched == Fetched::partner) return false;
  if (fetched == Fetched::sources && !sources_stay(step, *this)) return false;
  return same_points(step, after, next.before);
}

std::vector<RegisterExchange> exchanges_of(const Step& step) {
  std::vector<RegisterExchange> result;
  if (step.group().staged) return result;
  add_at_load(result, step);
  for (std::size_t i = 1; i < step.passes.size(); ++i) {
    if (!step.in_place(i))
      result.push_back(exchange_before(step, i, {Order::written, i - 1}, {Order::read, i}));
  }
  add_at_store(result, step);
  return result;
}

std::optional<std::int64_t> point_of(const Step& step, const Registers& registers,
                                     const Register& at) {
  const Pass& pass = step.passes[registers.pass];
  const auto number = butterfly_number<ShortIndex>(step, pass, at.item, at.butterfly);
  if (number.value() * pass.radix >= static_cast<std::int64_t>(step.length)) return {};
  const auto index = butterfly_index(pass, number, number);
  if (step.group().exchange == Exchange::in_place) {
    const auto [first, stride] = in_place(step, index, 0);
    return first.value() + stride * at.leg;
  }
  return registers.order == Order::read
             ? index.first_read().value() + index.read_stride() * at.leg
             : index.first_write().value() + index.write_stride() * at.leg;
}

std::optional<std::vector<Digit>> digits_of(const Step& step, const Registers& registers) {
  const Pass& pass = step.passes[registers.pass];
  const std::uint64_t items = step.group().items, count = step.length / pass.radix;
  if (!of_pass(registers) || pass.coupled > 0 || pass.reversed || count % items != 0) return {};
  const std::uint64_t leg = registers.order == Order::read ? pass.left : pass.left * pass.done;
  std::vector<Digit> result{{Digit::Holder::leg, pass.radix, 1, leg}};
  for (const ButterflyDigit& digit : butterfly_digits(pass, registers.order)) {
    if (digit.extent > 1 && !split(result, digit, items)) return {};
  }
  return result;
}

}  // namespace imago::kernel
