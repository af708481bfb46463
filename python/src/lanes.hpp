// This file lends command queues to calls, so that calls of several threads do not wait for each
// other.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <CL/opencl.hpp>

#include "staging.hpp"

namespace imago::python {

/// A command queue, and device memory that calls in it use again.
struct Lane {
  Lane(const cl::Context& context, cl::CommandQueue in)
      : queue(std::move(in)), staging(context, queue) {}

  cl::CommandQueue queue;
  Staging staging;
  cl::Buffer from, to;  ///< null, or as many bytes as a call has needed
  std::size_t from_bytes = 0, to_bytes = 0;
};

class Lanes {
 public:
  Lanes(cl::Context context, cl::Device device)
      : context_(std::move(context)), device_(std::move(device)) {}

  /// Gives the lane back when it goes; nothing may be left in its queue then.
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
  Loan borrow();
  /// Drops the lanes that nobody has, and their memory.
  void clear();

 private:
  cl::Context context_;
  cl::Device device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Lane>> idle_;
};

}  // namespace imago::python
