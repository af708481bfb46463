// This file tells which of the processor's cores a thread may use.
#pragma once

#include <array>
#include <cstddef>
#include <thread>

namespace imago::small {

/// The cores that a thread may use: its affinity mask, where the system has one.
class Cores {
 public:
  /// Returns the cores of the calling thread.
  static Cores own();
  /// Returns their number, at least 1.
  std::size_t count() const { return count_; }
  /// Returns them without the one that runs the calling thread now, unless that is the only one.
  Cores without_this() const;
  /// Moves a thread to these cores. Does nothing if the system refuses.
  void give_to(std::thread& thread) const;
  bool operator==(const Cores&) const = default;

 private:
  std::array<unsigned long, 16> mask_ = {};  ///< all 0: the system has no masks
  std::size_t count_ = 1;
};

}  // namespace imago::small
