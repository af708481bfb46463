// This file decides how an array wanders over the ranks: which axes are whole where, which are
// transformed there, and in which order of memory the array lies. It knows no MPI.
#pragma once

#include <vector>

#include <imago/mpi.hpp>

#include "shares.hpp"

namespace imago::mpi {

/// What all ranks have between two exchanges.
struct State {
  Distribution distribution;
  Axes transformed = {};  ///< none: the array is on its way
  Axes order = {};        ///< of memory, of the array that arrives
  bool twiddled = false;  ///< results are turned by the twiddle factors of a long line
};

/// From the signal to the spectrum; the way back is the same backwards.
struct Route {
  Grid grid;
  std::vector<Kind> kinds = {};  ///< one per axis
  Lengths signal = {}, spectrum = {};
  std::vector<State> states = {};
  Axes spectrum_order = {};  ///< of memory

  bool complex_signal() const;    ///< else its elements are real numbers
  bool complex_spectrum() const;  ///< and of all states behind the first
  /// Lengths of the array that arrives in a state.
  const Lengths& arriving(std::size_t state) const { return state == 0 ? signal : spectrum; }
  Box arriving_box(std::size_t state, std::size_t rank) const;
  Box leaving_box(std::size_t state, std::size_t rank) const;
  Part signal_part(std::size_t rank, Precision precision) const;
  Part spectrum_part(std::size_t rank, Precision precision) const;
};

/// Throws as Plan's constructor.
Route route_of(const Transform& transform, const Decomposition& decomposition, std::size_t ranks);

/// Without the states that are only passed through: for ranks that see each other's memory.
Route shortened(Route route);

/// Bytes of a real or complex number.
std::size_t element_bytes(Precision precision, bool complex);

}  // namespace imago::mpi
