// This file is the main program of the tests that run on several ranks: every rank runs the same
// tests, and only the first one reports what passes.
#define CATCH_CONFIG_RUNNER
#include <mpi.h>

#include "support/catch.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int failed = Catch::Session().run(argc, argv);
  // Who failed alone left the others in a call that never ends.
  if (failed != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return failed;
}
