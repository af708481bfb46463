// This file lends command queues to calls, so that calls of several threads do not wait for each
// other.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/opencl.hpp"

namespace imago::host {

/// A command queue of one device, and memory that the calls in it use again.
struct Lane {
  Lane(cl_context of, cl_device_id on);
  /// Waits for all that is left in the queue.
  void settle() const noexcept;

  cl_context context;
  cl_device_id device;
  runtime::Handle<cl_command_queue> queue;
};

class Lanes {
 public:
  /// Gives the lane back when it goes, when nothing is left in its queue.
  class Loan {
   public:
    Loan(Lanes& lanes, std::unique_ptr<Lane> lane) : lanes_(lanes), lane_(std::move(lane)) {}
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Lane* operator->() const { return lane_.get(); }
    Lane& operator*() const { return *lane_; }

   private:
    Lanes& lanes_;
    std::unique_ptr<Lane> lane_;
  };
  Loan borrow(cl_context context, cl_device_id device);
  /// Drops the lanes that nobody has, and their memory.
  void clear();

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Lane>> idle_;
};

}  // namespace imago::host
