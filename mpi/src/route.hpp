// This file decides how an array is redistributed over the ranks: which axes are divided in each
// state, which are transformed there, and the order of the array in memory. It does not depend on
// MPI.
#pragma once

#include <vector>

#include <imago/mpi.hpp>

#include "shares.hpp"

namespace imago::mpi {

/// The distribution of the array between two exchanges, and the transforms that run there.
struct State {
  Distribution distribution;
  Axes transformed = {};  ///< axes; empty if the array is only passed on
  Axes order = {};        ///< order of memory of the array that arrives
  bool twiddled = false;  ///< results are multiplied by the twiddle factors of a long line
};

/// The states from the signal to the spectrum. The inverse goes through them in reverse order.
struct Route {
  Grid grid;
  std::vector<Kind> kinds = {};  ///< one per axis
  Lengths signal = {}, spectrum = {};
  std::vector<State> states = {};
  Axes spectrum_order = {};  ///< order of memory

  bool complex_signal() const;    ///< false: its elements are real numbers
  bool complex_spectrum() const;  ///< also of all states after the first
  /// Returns the lengths of the array that arrives in a state.
  const Lengths& arriving(std::size_t state) const { return state == 0 ? signal : spectrum; }
  Box arriving_box(std::size_t state, std::size_t rank) const;
  Box leaving_box(std::size_t state, std::size_t rank) const;
  Part signal_part(std::size_t rank, Precision precision) const;
  Part spectrum_part(std::size_t rank, Precision precision) const;
};

/// Throws as Plan's constructor.
Route route_of(const Transform& transform, const Decomposition& decomposition, std::size_t ranks);

/// Returns the route without states that only pass the array on, for ranks that share memory.
Route shortened(Route route);

/// Returns the bytes of a real or complex number.
std::size_t element_bytes(Precision precision, bool complex);

}  // namespace imago::mpi
