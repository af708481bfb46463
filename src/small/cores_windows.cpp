// This file implements Cores for Windows, without masks.
#include "small/cores.hpp"

#include <algorithm>
#include <thread>

namespace imago::small {

Cores Cores::own() {
  Cores cores;
  cores.count_ = std::max(1u, std::thread::hardware_concurrency());
  return cores;
}

void Cores::adopt() const {}

}  // namespace imago::small
