// This file reports threads that could not be started.
#include "base/started.hpp"

#include <string>

#include "base/log_once.hpp"

namespace imago::base {

void report_no_thread(const std::exception_ptr& refusal) noexcept {
  if (!refusal) return;
  try {
    std::rethrow_exception(refusal);
  } catch (const std::exception& error) {
    try {
      warn_once(std::string("cannot start a thread: ") + error.what() +
                "; fewer threads do the work, and plans keep their generic kernels. Raise the "
                "limit of processes (ulimit -u, or the container's limit of pids)");
    } catch (...) {  // no memory for the text, or a listener that throws
    }
  }
}

}  // namespace imago::base
