// This file implements HeldSignals with POSIX.
#include "base/held_signals.hpp"

#include <initializer_list>

namespace imago::base {

sigset_t HeldSignals::signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

HeldSignals::HeldSignals() {
  const sigset_t held = signals();
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace imago::base
