// This file copies between host memory and a device that has memory of its own, through pinned
// memory in halves: while one half is on its way, the host fills or empties the other.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <CL/opencl.hpp>

namespace imago::python {

/// Of one command queue, in order. Pinned memory is made at the first use.
class Staging {
 public:
  Staging(cl::Context context, cl::CommandQueue queue)
      : context_(std::move(context)), queue_(std::move(queue)) {}
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Smaller copies are one command of the driver's.
  static constexpr std::size_t kLeastBytes = std::size_t{8} << 20;

  /// Fills a buffer; host memory is read when it returns, the buffer is written behind it in the
  /// queue.
  void write(const cl::Buffer& to, const void* from, std::size_t bytes);
  /// Reads a buffer after all that is in the queue, and waits.
  void read(const cl::Buffer& from, void* to, std::size_t bytes);

 private:
  struct Half {
    cl::Buffer pinned;
    void* host = nullptr;
    cl::Event used;  ///< the last copy from it or to it; null: none
  };
  void prepare();
  static void wait(Half& half);

  cl::Context context_;
  cl::CommandQueue queue_;
  std::array<Half, 2> halves_;
};

}  // namespace imago::python
