// This file compiles one of heFFTe's own tests or benchmarks (foreign_program.hpp, which CMake
// writes), unchanged from the checkout, with imago's tags instead of another backend's. heFFTe's
// headers are included first, without these changes.
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <string>

#include "test_fft3d.h"

#include <imago/heffte.hpp>

namespace {

/// Prints how much each rank has computed, before MPI ends.
int finish() {
  const unsigned long mine = imago::heffte_backend::computed();
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<unsigned long> all(static_cast<std::size_t>(ranks));
  MPI_Gather(&mine, 1, MPI_UNSIGNED_LONG, all.data(), 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("imago computed, by rank:");
    for (const unsigned long computed : all) std::printf(" %lu", computed);
    std::printf("\n");
  }
  return MPI_Finalize();
}

}  // namespace

#define MPI_Finalize finish
#define main foreign_main
#if defined(IMAGO_AS_STOCK)
#define stock imago
#define stock_cos imago_cos
#define stock_sin imago_sin
#define stock_cos1 imago_cos1
#elif defined(IMAGO_AS_FFTW)
#define fftw imago
#define fftw_cos imago_cos
#define fftw_sin imago_sin
#define fftw_cos1 imago_cos1
#define fftw_sin1 imago_sin1
#endif
#include "foreign_program.hpp"
#undef main

int main(int argc, char* argv[]) {
  const int status = foreign_main(argc, argv);
  if (status != 0) return status;
  if (!heffte_all_tests) return 1;
  int began = 0;
  MPI_Initialized(&began);
  const std::size_t computed = imago::heffte_backend::computed();
  if (began == 0) std::printf("imago computed: %zu\n", computed);
  return 0;
}
