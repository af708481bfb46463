// This file is the main program of the tests on several ranks. Every rank runs the same tests, and
// only the first one prints tests that pass.
#define CATCH_CONFIG_RUNNER
#include <mpi.h>

#include "support/catch.hpp"
#include "support/variable.hpp"

int main(int argc, char** argv) {
  imago::test::set_variable("IMAGO_SMALL", "0");  // ranks use their devices
  MPI_Init(&argc, &argv);
  const int failed = Catch::Session().run(argc, argv);
  // If only one rank failed, the others wait in a call that never ends.
  if (failed != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return failed;
}
