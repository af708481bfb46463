// This file is the interface of exchanges: between two states of a route the array is dealt anew.
// Who computes before it ("near", on the signal's side) and behind it ("far") is told where to put
// and to find elements, and the exchange takes care that what is at the one is at the other.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "communicator.hpp"
#include "shares.hpp"

namespace imago::mpi {

enum class Way { forward, back };

/// What an exchange is between: all of it the same on all ranks but `me`.
struct ExchangeShape {
  Axes order = {};  ///< of memory, on both sides
  std::size_t element_bytes = 0;
  std::vector<Box> near = {}, far = {};  ///< what each rank of the group holds
  std::size_t me = 0;                    ///< this rank's number in the group
  std::size_t join = 0;                  ///< the axis that is divided at the near side only
  std::size_t pieces = 1;                ///< the near side goes in so many, along `join`

  Box piece(std::size_t rank, std::size_t piece) const;
  /// Bytes of this rank's pieces before one.
  std::size_t piece_begin(std::size_t piece) const;
  /// What this rank's near piece and a rank's far part have in common, in the piece's memory.
  Strips near_strips(std::size_t rank, std::size_t piece) const;
  /// What a rank's near piece and this rank's far part have in common, in the far part's memory.
  Strips far_strips(std::size_t rank, std::size_t piece) const;
};

/// Memory of an exchange's two sides.
struct Ends {
  std::byte *near, *far;
};

class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Where elements of a piece lie in the near memory, and all of the far ones in theirs.
  virtual Place near_place(std::size_t piece) const = 0;
  virtual Place far_place() const = 0;
  /// Sends what is at this rank's end: forward one piece of its near memory, which is written; back
  /// its far memory, of which all is written.
  virtual void start(Way way, std::size_t piece, const Ends& ends) = 0;
  /// Until a piece that was started is at its other end.
  virtual void wait(std::size_t piece) = 0;
  /// Lets what was started move on.
  virtual void poll() = 0;
};

/// By messages: memory is of each rank's own.
std::unique_ptr<Exchange> by_messages(ExchangeShape shape, const Communicator& group,
                                      const Patience& patience, std::string name);
/// Through memory that all ranks see: one array, of which both sides are parts.
std::unique_ptr<Exchange> by_shared_memory(ExchangeShape shape, const Communicator& ranks,
                                           const Patience& patience, std::string name);

}  // namespace imago::mpi
