// This file computes what a rank does by itself in one state of a route: the transforms along the
// axes that are whole there.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange.hpp"
#include "route.hpp"

namespace imago::mpi {

/// The Transform of a box of a state: of `arriving` elements at one place, to another place.
struct LocalWork {
  Box box;         ///< of the array that arrives
  Place from, to;  ///< their offsets are not part of the transform
};
Transform local_transform(const Transform& whole, const Route& route, std::size_t state,
                          const LocalWork& work);

/// What a rank does in one state, piece by piece.
class Local {
 public:
  struct Setting {
    const Transform& transform;
    const Route& route;
    std::size_t state;
    std::size_t rank;
    std::size_t copy_threads;
  };
  /// Reads at `from`; writes the pieces of the exchange `to`, or, where that is null, a packed
  /// array in the route's last order. In a state without transforms elements are copied where
  /// `copies` says so, else they lie where they are.
  Local(const Setting& setting, const Place& from, const Exchange* to, const ExchangeShape* shape);

  /// Makes the plans; throws as HostPlan.
  void build(const Pool& pool, const HostOptions& options);
  std::size_t pieces() const { return pieces_.size(); }
  /// `near` is the memory that the state's array arrives in, `far` the one it leaves from.
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
  std::size_t near_bytes_, far_bytes_;  ///< of an element
  std::vector<Piece> pieces_;
};

}  // namespace imago::mpi
