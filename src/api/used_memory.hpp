// This file holds device memory that one call of a plan uses at a time.
#pragma once

#include <cstddef>
#include <functional>

#include <CL/opencl.hpp>
#include <imago/plan.hpp>

#include "runtime/target.hpp"

namespace imago::api {

class UsedMemory {
 public:
  UsedMemory(const runtime::Target& target, std::size_t bytes);

  cl_mem memory() const;
  std::size_t bytes() const { return workspace_.bytes(); }
  /// Enqueues commands after those of the last call, in any queue: `use` gets the arguments of the
  /// call, with an event to wait for if necessary, and returns the event of its last command if
  /// its call has Call::event, or if the queue is out of order.
  void enqueue(const cl::CommandQueue& queue, const Call& call,
               const std::function<cl::Event(const Call& inner)>& use);

 private:
  Workspace workspace_;
};

}  // namespace imago::api
