// This file makes messages arrive as late as MPI allows. Code that uses a message without waiting
// for it reads the old contents.
#pragma once

namespace imago::test {

/// During its lifetime a receive starts only after many tests: more than a plan makes between two
/// pieces, fewer than a wait makes.
class Late {
 public:
  Late();
  ~Late();
  Late(const Late&) = delete;
  Late& operator=(const Late&) = delete;
};

}  // namespace imago::test
