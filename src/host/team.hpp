// This file keeps the devices that a call has of a pool: their lanes, and which of them are lost.
#pragma once

#include <cstddef>
#include <exception>
#include <list>
#include <optional>

#include "host/lanes.hpp"
#include "host/pool_state.hpp"

namespace imago::host {

/// Devices of one call. Who is lost to it gets no more of its passes.
class Team {
 public:
  struct Mate {
    std::size_t device = 0;  ///< its number in the pool
    std::optional<Lanes::Loan> lane = {};
    std::exception_ptr loss = {};  ///< null: it is well
  };

  /// Those that the pool has in use and that give a lane. Throws DeviceError where none does.
  explicit Team(Members& pool);

  std::list<Mate>& mates() { return mates_; }
  /// Lets go of who was lost. The pool leaves them out, too, but where all were: then it may be
  /// the work that fails, not the devices.
  void part();

 private:
  Members& pool_;
  std::list<Mate> mates_;
};

/// Lets go of who was lost in a pass, also where it throws.
class Parting {
 public:
  explicit Parting(Team& team) : team_(team) {}
  ~Parting() { team_.part(); }
  Parting(const Parting&) = delete;
  Parting& operator=(const Parting&) = delete;

 private:
  Team& team_;
};

}  // namespace imago::host
