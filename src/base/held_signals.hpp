// This file keeps Ctrl-C away from the programs that a driver starts.
#pragma once

#if !defined(_WIN32)
#include <signal.h>
#endif

namespace imago::base {

/// While it lives, the calling thread holds back SIGINT, SIGTERM and SIGHUP, and so do the threads
/// and the programs that it starts: they inherit the mask. PoCL runs a linker for each kernel,
/// which a terminal's Ctrl-C reaches like the program itself, and PoCL aborts if that linker dies.
/// Other threads of the program still receive these signals; those that nobody received arrive
/// afterwards. On Windows nothing is held: consoles have no such mask.
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
