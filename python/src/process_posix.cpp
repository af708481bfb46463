// This file records which process used a driver first.
#include "process.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include <imago/error.hpp>

#include "bindings.hpp"
#include "gil.hpp"

namespace imago::python {
namespace {

constexpr pid_t kNobody = 0;
/// The user is the parent process, which used a driver through another package.
constexpr pid_t kParent = -1;
std::atomic<pid_t> g_user = kNobody;  // NOLINT: it is the process that has this state
/// This process. Every call asks for it, and a system call can take as long as a launch.
std::atomic<pid_t> g_own = getpid();  // NOLINT: as g_user

/// Returns true if the library at this path is loaded and is an OpenCL driver. A driver exports a
/// function that OpenCL's loader calls. The loader is excluded, because it exports all functions of
/// OpenCL.
bool is_driver(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return false;
  const auto has = [&](const char* name) { return dlsym(library, name) != nullptr; };
  const bool found = has("clIcdGetPlatformIDsKHR") ||
                     (has("clGetExtensionFunctionAddress") && !has("clCreateContext"));
  dlclose(library);
  return found;
}

bool driver_is_loaded() {
  std::vector<std::string> paths;
  const auto add = [](dl_phdr_info* info, std::size_t, void* list) {
    if (*info->dlpi_name)
      static_cast<std::vector<std::string>*>(list)->emplace_back(info->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(add, &paths);
  return std::any_of(paths.begin(), paths.end(), is_driver);
}

/// Called in a forked child. A loaded driver counts as used if another package may have used it.
void after_fork(bool others) {
  find_main_thread();
  pid_t nobody = kNobody;
  if (others && g_user == kNobody && driver_is_loaded())
    g_user.compare_exchange_strong(nobody, kParent);
}

}  // namespace

bool driver_is_lost() {
  const pid_t user = g_user;
  return user != kNobody && user != g_own;
}

void use_driver() {
  pid_t nobody = kNobody;
  g_user.compare_exchange_strong(nobody, g_own);
  if (driver_is_lost())
    throw Error(
        "this process was forked after its parent had used an OpenCL device, and OpenCL drivers do "
        "not work after a fork. Start processes with multiprocessing.get_context('spawn') or "
        "'forkserver'.");
}

void call_at_exit(void (*function)()) {
  struct FirstAtExit {
    ~FirstAtExit() {
      if (function) function();
    }
    void (*function)() = nullptr;
  };
  // exit() destroys the objects of its thread before all others. Compilers make static objects
  // while they work, so a function of atexit() may be called too late.
  thread_local FirstAtExit first;
  first.function = function;
}

void add_process(nanobind::module_& m) {
  find_main_thread();
  pthread_atfork(nullptr, nullptr, [] { g_own = getpid(); });
  m.def("use_driver", &use_driver);
  m.def("after_fork", &after_fork);
}

}  // namespace imago::python
