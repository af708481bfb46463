// This file checks that a process knows whether its parent used a driver.
#include "base/forked.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include <imago/error.hpp>

#include "support/catch.hpp"

namespace imago {
namespace {

bool holds_in_child(const std::function<bool()>& holds) {
  const pid_t child = fork();
  if (child == 0) _exit(holds() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

bool is_refused() {
  try {
    base::use_driver();
  } catch (const DeviceError&) {
    return base::driver_is_lost();
  }
  return false;
}

TEST_CASE("a forked process may use drivers if its parent did not", "[base][forked]") {
  // In a process of its own, because other tests of this program may use the parent's.
  CHECK(holds_in_child([] {
    const bool before = holds_in_child([] { return !is_refused() && !base::driver_is_lost(); });
    base::use_driver();
    const bool itself = !base::driver_is_lost() && !is_refused();
    const bool child = holds_in_child(is_refused);
    const bool grandchild = holds_in_child([] { return holds_in_child(is_refused); });
    return before && itself && child && grandchild;
  }));
}

}  // namespace
}  // namespace imago
