// This program's last rank leaves the other ranks: `deaths killed`, `throws`, `returns` or
// `absent`. With `never` it never creates its plan. The others must not wait forever.
#include <sys/types.h>

#include <complex>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <imago/imago.hpp>
#include <imago/mpi.hpp>

namespace {

void leave(const std::string& how) {
  if (how == "killed") std::raise(SIGKILL);
  if (how == "throws") throw std::runtime_error("a rank that throws");
  std::this_thread::sleep_for(std::chrono::seconds(60));
}

int run(const std::string& how) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1 && how == "never") leave(how);
  imago::mpi::Plan plan(MPI_COMM_WORLD, imago::Pool({imago::find_device()}), {.lengths = {8, 6, 4}},
                        {}, {.patience = how == "absent" || how == "never" ? 2.0 : 50.0});
  std::vector<std::complex<float>> in(plan.signal().elements), out(plan.spectrum().elements);
  plan.forward(in.data(), out.data());
  if (rank == 0) std::puts("computed");
  std::fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);  // otherwise the last rank may end before rank 0 has printed it
  if (rank == size - 1) {
    if (how == "returns") return 3;
    leave(how);
  }
  plan.forward(in.data(), out.data());
  if (rank == 0) std::puts("not reached");
  return 0;
}

bool refuses_before_init() {
  try {
    imago::mpi::Plan(MPI_COMM_WORLD, imago::Pool({imago::find_device()}), {.lengths = {8, 6}});
  } catch (const imago::InvalidArgument& error) {
    return std::string(error.what()).find("MPI is not initialized") == 0;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (!refuses_before_init()) return 4;
  MPI_Init(&argc, &argv);
  const int code = run(argc > 1 ? argv[1] : "absent");
  if (code != 0) return code;  // like a program that gives up
  MPI_Finalize();
}
