// This file keeps Ctrl-C away from the programs that a driver starts.
#pragma once

#if !defined(_WIN32)
#include <signal.h>
#endif

namespace imago::base {

/// Blocks SIGINT, SIGTERM and SIGHUP in the calling thread while it lives. Threads and programs
/// that this thread starts inherit the mask. PoCL runs a linker for each kernel; a terminal's
/// Ctrl-C reaches that linker too, and PoCL aborts if it dies. Other threads of the program still
/// receive these signals; if none did, they arrive afterwards. On Windows this class does nothing,
/// because consoles have no such mask.
class HeldSignals {
 public:
#if defined(_WIN32)
  HeldSignals() {}
#else
  HeldSignals();
  ~HeldSignals();
#endif
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

#if !defined(_WIN32)
  /// Returns SIGINT, SIGTERM and SIGHUP.
  static sigset_t signals();

 private:
  sigset_t before_;
#endif
};

}  // namespace imago::base
