// This file makes messages come as late as MPI allows: who uses one without having waited for it
// reads what was there before.
#pragma once

namespace imago::test {

/// While it lives, what is received begins to arrive when it was asked for many times: more often
/// than between two pieces of a plan, less often than who waits does.
class Late {
 public:
  Late();
  ~Late();
  Late(const Late&) = delete;
  Late& operator=(const Late&) = delete;
};

}  // namespace imago::test
