// This file knows which host memory is pinned for a device: what the device copies from and to
// without threads of the host.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

#include <imago/pool.hpp>

#include "runtime/opencl.hpp"

namespace imago::host {

/// Of one device. Every member may be called from many threads at once.
class Pins {
  /// Of one call of pin(): memory that the driver has in ranges one behind the other.
  struct Pin {
    const char* begin = nullptr;
    std::vector<std::size_t> breaks = {};  ///< where ranges end but the last, from `begin` on
    std::size_t bytes = 0;
    std::vector<runtime::Handle<cl_mem>> ranges = {};
  };

 public:
  using Key = std::list<Pin>::iterator;

  /// Has the driver pin memory, in ranges of at most so many bytes. Throws DeviceError.
  Key add(cl_context context, const HostBytes& memory, std::size_t largest);
  void remove(Key key);
  /// Null where memory is not pinned as a whole; else where the driver's ranges meet, from `begin`
  /// on: no copy goes across.
  std::optional<std::vector<std::size_t>> breaks(const char* begin, std::size_t bytes) const;

 private:
  mutable std::mutex mutex_;
  std::list<Pin> pins_;
};

}  // namespace imago::host
