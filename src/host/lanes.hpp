// This file lends command queues to calls, so that calls of several threads do not wait for each
// other.
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

/// Device memory that is used again where it is large enough.
class Room {
 public:
  /// To so many bytes, if it has less.
  void grow(cl_context context, std::size_t bytes);
  const cl::Buffer& buffer() const { return buffer_; }
  std::size_t bytes() const { return bytes_; }

 private:
  cl::Buffer buffer_;
  std::size_t bytes_ = 0;
};

/// What a piece has on a device.
struct Slot {
  struct Bytes {
    std::size_t from = 0, to = 0;
  };
  Room from, to;
};

/// Command queues of one device, and memory that the calls in them use again.
class Lane {
 public:
  Lane(cl_context of, cl_device_id on);
  ~Lane() { settle(); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Where the computing is; two more, for copies there and back, are made at the first use.
  const cl::CommandQueue& queue() const { return queue_; }
  void add_copy_queues();
  cl_command_queue up() const { return up_.get(); }
  cl_command_queue down() const { return down_.get(); }
  /// So many slots with so much room in each. What the lane held before goes where both together
  /// are more than `most` bytes.
  std::vector<Slot>& slots(std::size_t count, const Slot::Bytes& bytes, std::size_t most);
  /// Pinned memory of at least so many bytes.
  char* pinned(std::size_t bytes);
  /// Waits for all that is left in the queues.
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

class Lanes {
 public:
  /// A lane for a call. It is given back at the end, when nothing is left in its queues; not where
  /// an exception ends the call, or its device failed, for then the queues may be of no use any
  /// more.
  class Loan {
   public:
    Loan(Lanes& lanes, cl_context context, cl_device_id device);
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    void drop() { dropped_ = true; }  ///< its device failed
    Lane* operator->() const { return lane_.get(); }
    Lane& operator*() const { return *lane_; }

   private:
    Lanes& lanes_;
    std::unique_ptr<Lane> lane_;
    bool dropped_ = false;
    const int exceptions_ = std::uncaught_exceptions();
  };
  /// Drops the lanes that nobody has, and their memory.
  void clear();

 private:
  std::unique_ptr<Lane> idle();

  std::mutex mutex_;
  std::vector<std::unique_ptr<Lane>> idle_;
};

}  // namespace imago::host
