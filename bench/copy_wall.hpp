// This file measures the wall: how fast the device copies as many bytes as a case must move. No
// transform that reads and writes its data once can be faster.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/cl_device.hpp"

namespace imago::bench {

/// One way to copy.
struct Copy {
  std::string name;
  std::function<void()> enqueue;
};

class CopyWall {
 public:
  explicit CopyWall(std::shared_ptr<ClDevice> device);
  /// The driver's own copy, and the fastest of our kernels for the case that the device holds.
  std::vector<Copy> copies(const Case& problem) const;

 private:
  struct Shape {
    const char* kernel;
    std::size_t items;     ///< in all; 0: one per vector
    std::size_t per_item;  ///< vectors of an item where items is 0
    std::size_t vector_bytes;
  };
  /// What launches a kernel whose arguments are set: all that a launch must cost.
  std::function<void()> prepared(const Shape& shape, std::size_t size) const;
  std::vector<Shape> shapes() const;

  std::shared_ptr<ClDevice> device_;
  cl::Program program_;
};

}  // namespace imago::bench
