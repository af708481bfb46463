// This file gives tests the number of ranks and their own rank.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <mpi.h>

#include <imago/imago.hpp>
#include <imago/mpi.hpp>

namespace imago::test {

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}
inline double sum_of_all(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
inline bool all_of(bool mine) { return sum_of_all(mine ? 0 : 1) == 0; }

inline const Pool& pool() {
  static const Pool pool({find_device()});
  return pool;
}

/// Returns options with a short patience, because no rank waits long in a test.
inline mpi::Options patient(mpi::Options options = {}) {
  options.patience = 100;
  return options;
}

}  // namespace imago::test
