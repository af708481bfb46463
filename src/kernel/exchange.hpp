// This file describes how values pass between the work-items of a work-group. An exchange is a
// permutation of the digits of a point's index. Before it, some digits are determined by the
// work-item and the others by the register that holds the point: a butterfly of the work-item and a
// leg, which is one of its inputs or outputs. After it, the distribution is another one. The blocks
// lower this to code (blocks/exchange), and bank conflicts are counted from it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/step.hpp"

namespace imago::kernel {

/// Returns the number of rounds in which all parts of the values are exchanged.
unsigned exchange_turns(Exchange exchange);

/// The contents of the registers of a group's work-items at one time; each point is held once.
struct Registers {
  enum class Order {
    read,      ///< the legs of a pass's butterflies in the order of reading
    written,   ///< the legs in the order of writing
    elements,  ///< one after the other, adjacent elements in adjacent work-items
    table,     ///< in the order of a table
  };
  Order order = Order::read;
  /// The pass of the butterflies; for other orders, the pass whose order of work-items holds.
  std::size_t pass = 0;
  friend auto operator<=>(const Registers&, const Registers&) = default;
};

/// The value that a register receives: its own point or others.
enum class Fetched {
  point,
  partner,  ///< point n - p of the line, for point p
  /// The sources of a point, or of an element, of reordered axes
  /// (blocks/work_group/reordered_axes.hpp).
  sources,
};

struct RegisterExchange {
  Registers before, after;
  Fetched fetched = Fetched::point;
  bool shared = false;  ///< true if several work-items read the same value

  /// Returns true if no barrier is needed before exchange `next` of `step`: each work-item writes
  /// only to places that no other work-item has read in this exchange.
  bool leaves_room_for(const Step& step, const RegisterExchange& next) const;
};

/// Returns all exchanges of a step in the work-group mapping, in their order. The block copy of a
/// staged step does not count, because it does not exchange registers for registers.
std::vector<RegisterExchange> exchanges_of(const Step& step);

/// A register of a work-item: leg `leg` of its butterfly `butterfly`.
struct Register {
  std::int64_t item = 0, butterfly = 0, leg = 0;
};
/// Returns the index, inside its column, of the point that a register holds; nullopt if the
/// work-item has no such butterfly. Not defined for the orders elements and table.
std::optional<std::int64_t> point_of(const Step& step, const Registers& registers,
                                     const Register& at);

/// A digit of a point's index inside its column.
struct Digit {
  enum class Holder { item, butterfly, leg } holder = Holder::item;
  std::uint64_t extent = 1;
  std::uint64_t from = 1;    ///< weight of the digit in the holder's number
  std::uint64_t weight = 1;  ///< weight of the digit in the index
  friend auto operator<=>(const Digit&, const Digit&) = default;
};
/// Returns the digits of the index, each of them determined by one holder. Returns nullopt if a
/// digit cannot be split between work-items and butterflies, if some work-items have fewer
/// butterflies, or if the order has no digits (paired butterflies, tables).
std::optional<std::vector<Digit>> digits_of(const Step& step, const Registers& registers);

}  // namespace imago::kernel
