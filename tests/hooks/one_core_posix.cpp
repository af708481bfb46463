// With one core, plans build their kernels one after the other, which oclgrind's compiler needs.
#include <unistd.h>
#include <cstdlib>

/// Replaces the function of the C library that std::thread::hardware_concurrency() calls.
extern "C" int get_nprocs() noexcept {
  return std::getenv("IMAGO_TEST_ONE_CORE") ? 1 : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}
