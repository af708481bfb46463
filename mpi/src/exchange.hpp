// This file is the interface of exchanges: between two states of a route the array is
// redistributed. The computation before an exchange ("near", on the signal's side) and the one
// after it ("far") ask the exchange for the places of their elements. The exchange moves the
// elements from one side to the other.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "communicator.hpp"
#include "shares.hpp"

namespace imago::mpi {

enum class Way { forward, back };

/// The shape of an exchange. All fields except `me` are the same on all ranks.
struct ExchangeShape {
  Axes order = {};  ///< order of memory, on both sides
  std::size_t element_bytes = 0;
  std::vector<Box> near = {}, far = {};  ///< parts of each rank of the group
  std::size_t me = 0;                    ///< this rank's number in the group
  std::size_t join = 0;                  ///< the axis that is divided on the near side only
  std::size_t pieces = 1;                ///< number of pieces of the near side, along `join`

  Box piece(std::size_t rank, std::size_t piece) const;
  /// Returns the bytes of this rank's pieces before `piece`.
  std::size_t piece_begin(std::size_t piece) const;
  /// Returns the overlap of this rank's near piece and a rank's far part, as strips of the piece.
  Strips near_strips(std::size_t rank, std::size_t piece) const;
  /// Returns the overlap of a rank's near piece and this rank's far part, as strips of the far
  /// part.
  Strips far_strips(std::size_t rank, std::size_t piece) const;
};

/// Memory of the two sides of an exchange.
struct Ends {
  std::byte *near, *far;
};

class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Places of the elements: those of one piece in the near memory, and all elements in the far
  /// memory.
  virtual Place near_place(std::size_t piece) const = 0;
  virtual Place far_place() const = 0;
  /// Starts to send this rank's data. Forward: one piece of the near memory, which must be
  /// complete. Back: the part of the far memory that belongs to one piece; all of the far memory
  /// must be complete.
  virtual void start(Way way, std::size_t piece, const Ends& ends) = 0;
  /// Waits until a piece that was started has arrived.
  virtual void wait(std::size_t piece) = 0;
  /// Lets MPI make progress on pieces that were started.
  virtual void poll() = 0;
};

/// Exchanges by messages; each rank has memory of its own.
std::unique_ptr<Exchange> by_messages(ExchangeShape shape, const Communicator& group,
                                      const Patience& patience, std::string name);
/// Exchanges through memory that all ranks share: both sides are parts of one array.
std::unique_ptr<Exchange> by_shared_memory(ExchangeShape shape, const Communicator& ranks,
                                           const Patience& patience, std::string name);

}  // namespace imago::mpi
