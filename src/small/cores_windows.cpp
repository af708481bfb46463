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

Cores Cores::without_this() const { return *this; }

void Cores::give_to(std::thread&) const {}

}  // namespace imago::small
