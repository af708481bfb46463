// This program fails on purpose: on the last rank (`faults device`: no device has that name;
// `lost`: its device fails in the second transform), or on all ranks (`points`, `size`: an
// impossible transform). suite.sh checks how all ranks end.
#include <dlfcn.h>
#include <mpi.h>

#include <complex>
#include <cstdlib>
#include <string>
#include <vector>

#include <imago/heffte.hpp>

namespace {
bool lost = false;
}  // namespace

/// Replaces the function of the OpenCL library.
extern "C" CL_API_ENTRY cl_int CL_API_CALL
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                       const std::size_t* offset, const std::size_t* items,
                       const std::size_t* group, cl_uint n, const cl_event* list, cl_event* event) {
  static auto* const real = reinterpret_cast<decltype(&clEnqueueNDRangeKernel)>(
      dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel"));
  if (lost) return CL_OUT_OF_RESOURCES;
  return real(queue, kernel, dimensions, offset, items, group, n, list, event);
}

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string fault = argc > 1 ? argv[1] : "";
  if (fault == "device" && rank == ranks - 1) setenv("IMAGO_DEVICE", "no such device", 1);

  if (fault == "size") {
    const heffte::box3d<long long> large({0, 0, 0}, {2047, 2047, 511});
    heffte::make_executor<heffte::backend::imago>(nullptr, large, 0);
  }
  // DCT-I needs two points, but the last dimension has one.
  const int last = fault == "points" ? 0 : 1;
  const heffte::box3d<> world({0, 0, 0}, {7, 7, last});
  const auto boxes = heffte::split_world(world, {ranks, 1, 1});
  const heffte::box3d<> box = boxes[static_cast<std::size_t>(rank)];
  heffte::rtransform<heffte::backend::imago_cos1> transform(box, box, MPI_COMM_WORLD);
  std::vector<double> data(static_cast<std::size_t>(transform.size_inbox()), 1.0);
  transform.forward(data.data(), data.data());
  if (fault == "lost") {
    lost = rank == ranks - 1;
    transform.forward(data.data(), data.data());
  }
  MPI_Finalize();
  return 0;
}
