// Under oclgrind plans build their kernels one after the other: its compiler survives nothing else.
#include <unistd.h>
#include <cstdlib>

/// Takes the place of the C library's, which std::thread::hardware_concurrency() asks.
extern "C" int get_nprocs() noexcept {
  return std::getenv("IMAGO_TEST_ONE_CORE") ? 1 : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}
