// This file tests that Ctrl-C is blocked in a thread and in the processes that it starts.
#include "base/held_signals.hpp"

#include <thread>

#include "support/catch.hpp"

namespace imago::base {
namespace {

/// Returns true if the calling thread blocks all three signals.
bool holds() {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, SIGINT) && sigismember(&mask, SIGTERM) && sigismember(&mask, SIGHUP);
}

TEST_CASE("signals are held while it lives, in threads that are started meanwhile, too") {
  CHECK_FALSE(holds());
  {
    const HeldSignals held;
    CHECK(holds());
    bool inherited = false;
    std::thread([&] { inherited = holds(); }).join();
    CHECK(inherited);
    { const HeldSignals again; }
    CHECK(holds());
  }
  CHECK_FALSE(holds());
}

}  // namespace
}  // namespace imago::base
