// This file uses the functions of C on OpenCL's buffers from many threads: objects that all threads
// share, and objects that a thread makes and destroys while their commands wait.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include <CL/opencl.hpp>

namespace imago::abuse {

/// Objects of C that all threads share.
class SharedInC {
 public:
  SharedInC(const cl::Context& context, const cl::Device& device);
  ~SharedInC();
  SharedInC(const SharedInC&) = delete;
  SharedInC& operator=(const SharedInC&) = delete;

  /// Does one thing in a thread's own queue. Returns what was wrong; empty: nothing.
  std::string step(const cl::CommandQueue& queue, std::mt19937_64& random) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::abuse
