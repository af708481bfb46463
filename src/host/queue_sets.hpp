// This file leases command queues to calls, so that concurrent calls do not wait for each other.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <CL/opencl.hpp>

#include "runtime/memory.hpp"
#include "runtime/opencl.hpp"

namespace imago::host {

/// Device memory that is reused if it is large enough.
class ReusedBuffer {
 public:
  /// Makes the buffer at least `bytes` large.
  void grow(cl_context context, std::size_t bytes);
  const cl::Buffer& buffer() const { return buffer_; }
  std::size_t bytes() const { return bytes_; }

 private:
  cl::Buffer buffer_;
  std::size_t bytes_ = 0;
};

/// Device memory for the input and the output of one Piece, the part of a pass that a device
/// computes at a time. In place, `from` holds both.
struct Slot {
  struct Bytes {
    std::size_t from = 0, to = 0;
  };
  ReusedBuffer from, to;
};

/// The command queues of one device, and memory that its calls reuse.
class QueueSet {
 public:
  QueueSet(cl_context of, cl_device_id on);
  ~QueueSet() { settle(); }
  QueueSet(const QueueSet&) = delete;
  QueueSet& operator=(const QueueSet&) = delete;

  /// Returns the queue for kernels. add_copy_queues() makes two more, for uploads and downloads.
  const cl::CommandQueue& queue() const { return queue_; }
  void add_copy_queues();
  cl_command_queue up() const { return up_.get(); }
  cl_command_queue down() const { return down_.get(); }
  /// Returns at least `count` slots with `bytes` each. First releases the old buffers if old and
  /// new ones exceed `most` bytes.
  std::vector<Slot>& slots(std::size_t count, const Slot::Bytes& bytes, std::size_t most);
  /// Returns pinned memory of at least `bytes` bytes.
  char* pinned(std::size_t bytes);
  /// Waits for all commands in the queues.
  void settle() const noexcept;

  const cl_context context;
  const cl_device_id device;

 private:
  cl::CommandQueue queue_;
  runtime::Handle<cl_command_queue> up_, down_;
  std::vector<Slot> slots_;
  runtime::HostMemory pinned_;
  std::size_t pinned_bytes_ = 0;
};

/// The idle queue sets of a device.
class QueueSets {
 public:
  /// A queue set that one call borrows. The destructor always waits for the queues. It then returns
  /// the set for later calls. If an exception ends the call or the device failed, it releases the
  /// set instead, because the queues may be unusable.
  class QueueLease {
   public:
    QueueLease(QueueSets& queue_sets, cl_context context, cl_device_id device);
    ~QueueLease();
    QueueLease(const QueueLease&) = delete;
    QueueLease& operator=(const QueueLease&) = delete;
    void drop() { dropped_ = true; }  ///< call this if the device failed
    QueueSet* operator->() const { return queues_.get(); }
    QueueSet& operator*() const { return *queues_; }

   private:
    QueueSets& queue_sets_;
    std::unique_ptr<QueueSet> queues_;
    bool dropped_ = false;
    const int exceptions_ = std::uncaught_exceptions();
  };
  /// Releases the idle queue sets and their memory.
  void clear();

 private:
  std::unique_ptr<QueueSet> idle();

  std::mutex mutex_;
  std::vector<std::unique_ptr<QueueSet>> idle_;
};

}  // namespace imago::host
