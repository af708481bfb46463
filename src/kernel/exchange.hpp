// This file describes how values go from work-item to work-item of a work-group. An exchange is a
// permutation of the digits of a point's index: before it some of them are told by the work-item,
// others by the register that holds the point (the butterfly among the work-item's, and its leg);
// behind it they are told by others. The blocks lower this to code (blocks/exchange), bank
// conflicts are counted from it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/step.hpp"

namespace imago::kernel {

/// So many times registers are exchanged until all parts of the values have come.
unsigned exchange_turns(Exchange exchange);

/// What the registers of the work-items of a group hold at one time: points, each once.
struct Registers {
  enum class Order {
    read,      ///< the legs of a pass's butterflies as it reads them
    written,   ///< the same as it writes them
    elements,  ///< one after the other, neighbours in neighbouring work-items
    table,     ///< as a table says
  };
  Order order = Order::read;
  std::size_t pass = 0;  ///< whose butterflies; for the other orders, whose order of work-items
  friend auto operator<=>(const Registers&, const Registers&) = default;
};

/// What is fetched for a register instead of the point that belongs there.
enum class Fetched {
  point,
  partner,  ///< number n - p of the line, for number p
  /// What makes it a point, or an element, of reordered axes (blocks/work_group/reordering.hpp).
  sources,
};

struct RegisterExchange {
  Registers before, after;
  Fetched fetched = Fetched::point;
  bool shared = false;  ///< several work-items ask for one value

  /// The next exchange of registers, of `step`, writes where every work-item alone has read in this
  /// one: it need not wait for the others.
  bool leaves_room_for(const Step& step, const RegisterExchange& next) const;
};

/// All exchanges of a step in the work-group mapping, in their order. The block of a staged step is
/// none: registers are not exchanged for registers there.
std::vector<RegisterExchange> exchanges_of(const Step& step);

/// A register of a work-item: leg `leg` of its butterfly number `butterfly`.
struct Register {
  std::int64_t item = 0, butterfly = 0, leg = 0;
};
/// The index of the point, inside its column, that a register holds; nothing where the work-item
/// has no such butterfly. Not for elements and tables.
std::optional<std::int64_t> point_of(const Step& step, const Registers& registers,
                                     const Register& at);

/// A digit of the index of a point, inside its column.
struct Digit {
  enum class Holder { item, butterfly, leg } holder = Holder::item;
  std::uint64_t extent = 1;
  std::uint64_t from = 1;    ///< this times the digit, in what the holder counts
  std::uint64_t weight = 1;  ///< this times the digit, in the index
  friend auto operator<=>(const Digit&, const Digit&) = default;
};
/// The index as digits, each of them told by one holder; nothing where work-items and butterflies
/// share one, where some have no butterfly, or where there are no digits (couples, tables).
std::optional<std::vector<Digit>> digits_of(const Step& step, const Registers& registers);

}  // namespace imago::kernel
