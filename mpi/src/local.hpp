// This file computes the work of one rank in one state of a route: the transforms along the axes
// that are not divided there.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange.hpp"
#include "route.hpp"

namespace imago::mpi {

/// The part of a state's array that one transform reads, and the places it reads from and writes
/// to.
struct LocalWork {
  Box box;         ///< a box of the array that arrives
  Place from, to;  ///< the transform does not contain their offsets
};
Transform local_transform(const Transform& whole, const Route& route, std::size_t state,
                          const LocalWork& work);

/// The work of one rank in one state, piece by piece.
class Local {
 public:
  struct Setting {
    const Transform& transform;
    const Route& route;
    std::size_t state;
    std::size_t rank;
    std::size_t copy_threads;
  };
  /// Reads at `from`. Writes the pieces of the exchange `to` or, if `to` is null, a packed array in
  /// the order of the route's spectrum. A state without transforms only copies its elements, unless
  /// both memories are the same.
  Local(const Setting& setting, const Place& from, const Exchange* to, const ExchangeShape* shape);

  /// Creates the plans; throws as HostPlan.
  void build(const Pool& pool, const HostOptions& options);
  std::size_t pieces() const { return pieces_.size(); }
  /// Runs one piece. `near` is the memory of the array that arrives in this state, `far` the memory
  /// of the array that leaves it.
  void run(Way way, std::size_t piece, const Ends& ends, const HostCall& call) const;
  std::string describe() const;

 private:
  struct Piece {
    Box box;
    Place from, to;
    std::shared_ptr<const HostPlan> plan = {};
  };
  void copy(Way way, const Piece& piece, const Ends& ends) const;

  Transform whole_;
  Route route_;
  std::size_t state_;
  std::size_t copy_threads_;
  std::size_t near_bytes_, far_bytes_;  ///< bytes of an element
  std::vector<Piece> pieces_;
};

}  // namespace imago::mpi
