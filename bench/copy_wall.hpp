// This file measures the copy bandwidth of the device, for as many bytes as a case must move. It is
// the upper limit for transforms that read and write their data once.
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
  /// Returns the driver's own copy, and the fastest of our kernels for the current case.
  std::vector<Copy> copies(const Case& problem) const;

 private:
  struct Shape {
    const char* kernel;
    std::size_t items;     ///< number of work-items; 0: one per vector
    std::size_t per_item;  ///< vectors per work-item if items is 0
    std::size_t vector_bytes;
  };
  /// Returns a function that only launches a kernel whose arguments are set, the minimum cost of a
  /// launch.
  std::function<void()> prepared(const Shape& shape, std::size_t size) const;
  std::vector<Shape> shapes() const;

  std::shared_ptr<ClDevice> device_;
  cl::Program program_;
};

}  // namespace imago::bench
