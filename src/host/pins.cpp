// This file implements Pins. OpenCL has no call that pins the caller's memory, but a buffer with
// CL_MEM_USE_HOST_PTR pins it during its life. NVIDIA's driver copies to and from such memory as
// fast as with its own pinned memory, also between it and other buffers (measured on an H200:
// docs/measured/pool.md). The buffer itself is never used, and needs no device memory.
#include "host/pins.hpp"

#include <algorithm>
#include <utility>

namespace imago::host {
namespace {

/// Two pins that share a page are slow at their boundary.
constexpr std::size_t kPage = 4096;

}  // namespace

Pins::Key Pins::add(cl_context context, const HostBytes& memory, std::size_t largest) {
  Pin pin{static_cast<const char*>(memory.data)};
  const std::size_t most = std::max(kPage, largest / kPage * kPage);
  const std::size_t into_page = reinterpret_cast<std::size_t>(memory.data) % kPage;
  while (pin.bytes < memory.bytes) {
    if (pin.bytes > 0) pin.breaks.push_back(pin.bytes);
    const std::size_t left = memory.bytes - pin.bytes;
    const std::size_t bytes = std::min(left, pin.bytes == 0 ? most - into_page : most);
    cl_int code = CL_SUCCESS;
    pin.ranges.emplace_back(clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE, bytes,
                                           static_cast<char*>(memory.data) + pin.bytes, &code));
    runtime::check(code, "clCreateBuffer");
    pin.bytes += bytes;
  }
  const std::lock_guard lock(mutex_);
  pins_.push_front(std::move(pin));
  return pins_.begin();
}

void Pins::remove(Key key) {
  std::list<Pin> gone;  // destroyed after the lock is released, because the driver takes some time
  const std::lock_guard lock(mutex_);
  gone.splice(gone.begin(), pins_, key);
}

std::optional<std::vector<std::size_t>> Pins::breaks(const char* begin, std::size_t bytes) const {
  const std::lock_guard lock(mutex_);
  for (const Pin& pin : pins_) {
    if (begin < pin.begin || begin + bytes > pin.begin + pin.bytes) continue;
    const auto before = static_cast<std::size_t>(begin - pin.begin);
    std::vector<std::size_t> found;
    for (const std::size_t place : pin.breaks) {
      if (place > before && place < before + bytes) found.push_back(place - before);
    }
    return found;
  }
  return {};
}

}  // namespace imago::host
