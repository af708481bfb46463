// This file records the host memory that is pinned for a device. A device copies pinned memory
// without host threads.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

#include <imago/pool.hpp>

#include "runtime/opencl.hpp"

namespace imago::host {

/// The pinned memory of one device; thread-safe.
class Pins {
  /// Memory of one call of pin(). The driver holds it as consecutive ranges.
  struct Pin {
    const char* begin = nullptr;
    std::vector<std::size_t> breaks = {};  ///< ends of all ranges but the last, relative to `begin`
    std::size_t bytes = 0;
    std::vector<runtime::Handle<cl_mem>> ranges = {};
  };

 public:
  using Key = std::list<Pin>::iterator;

  /// Lets the driver pin memory, in ranges of at most `largest` bytes. Throws DeviceError.
  Key add(cl_context context, const HostBytes& memory, std::size_t largest);
  void remove(Key key);
  /// Returns nullopt if the memory is not pinned as a whole. Else returns the boundaries of the
  /// driver's ranges relative to `begin`, which no copy may cross.
  std::optional<std::vector<std::size_t>> breaks(const char* begin, std::size_t bytes) const;

 private:
  mutable std::mutex mutex_;
  std::list<Pin> pins_;
};

}  // namespace imago::host
