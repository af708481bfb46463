// This file moves host arrays through a device that has memory of its own. Host threads copy pieces
// into pinned memory and out of it, while the device copies others both ways and computes: a
// driver's own copy of memory that is not pinned takes five times as long as one of pinned memory
// (docs/python.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <CL/opencl.hpp>

#include "layout.hpp"

namespace imago::python {

/// Bytes on the host and their place on the device.
struct Staged {
  void* host = nullptr;
  cl::Buffer device;
};

/// Of one command queue, where the computing is. Pinned memory and two more queues are made at the
/// first use.
class Staging {
 public:
  Staging(cl::Context context, cl::CommandQueue queue)
      : context_(std::move(context)), queue_(std::move(queue)) {}
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Less, of both sides, is left to the driver: on an H200 8 MiB there and back take it 1.35 ms,
  /// and the threads here 1.39; of 16 MiB it is 3.01 and 1.77.
  static constexpr std::size_t kLeastBytes = std::size_t{20} << 20;
  /// Slices of so many bytes keep all at work, both ways of the bus and the device.
  static std::size_t slice_bytes(std::size_t whole) {
    return std::clamp(whole / 16, std::size_t{8} << 20, std::size_t{32} << 20);
  }

  /// Puts the work on a slice, by its index, into the queue.
  using Compute = std::function<void(std::size_t slice)>;
  /// Copies each slice to the device, has it computed and copies it back. When it returns, all is
  /// done; when it throws, nothing is under way.
  void run(const Staged& from, const Staged& to, const std::vector<Slice>& slices,
           const Compute& compute);

 private:
  void prepare(std::size_t bytes);

  cl::Context context_;
  cl::CommandQueue queue_, upwards_, downwards_;
  cl::Buffer pinned_;
  char* host_ = nullptr;
  std::size_t pinned_bytes_ = 0;
};

}  // namespace imago::python
