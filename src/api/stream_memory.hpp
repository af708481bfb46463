// This file lays out the memory of streams, and the commands that copy and clear it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/plan.hpp>

#include "api/commands.hpp"
#include "problem/problem.hpp"
#include "runtime/memory.hpp"

namespace imago::stream {

/// One side of a stream in memory: its elements are samples or frames, of `each` elements of the
/// plan's layout.
struct Format {
  Format() = default;
  Format(const problem::Side& side, std::uint64_t each)
      : each(each), element_bytes(side.element_bytes), is_planar(side.storage == Storage::planar) {}
  std::size_t bytes(std::uint64_t count) const { return count * each * element_bytes; }

  std::uint64_t each = 1;
  std::size_t element_bytes = 1;
  bool is_planar = false;
};

/// Memory for elements of a stream: one buffer, or two if they are planar.
class Memory {
 public:
  Memory() = default;
  Memory(cl_context context, const Format& format, std::uint64_t count) : format_(format) {
    for (std::size_t i = 0; i < (format.is_planar ? 2 : 1); ++i)
      buffers_[i] = cl::Buffer(runtime::allocate(context, format.bytes(count)).take(), false);
    bytes_ = (format.is_planar ? 2 : 1) * format.bytes(count);
  }
  std::size_t bytes() const { return bytes_; }

  /// Returns the array that begins with element i.
  Array at(std::uint64_t i) const {
    const std::uint64_t offset = i * format_.each;
    if (!format_.is_planar) return {buffers_[0], offset};
    return Array::planar(buffers_[0], buffers_[1], offset);
  }

 private:
  Format format_;
  std::array<cl::Buffer, 2> buffers_;
  std::size_t bytes_ = 0;
};

/// Appends the commands that copy `count` elements.
inline void copy(std::vector<api::Command>& commands, const Format& format, const Array& from,
                 const Array& to, std::uint64_t count) {
  const std::size_t from_offset = from.offset() * format.element_bytes,
                    to_offset = to.offset() * format.element_bytes, bytes = format.bytes(count);
  if (bytes == 0) return;
  commands.push_back(runtime::Copy{from.re(), from_offset, to.re(), to_offset, bytes});
  if (format.is_planar)
    commands.push_back(runtime::Copy{from.im(), from_offset, to.im(), to_offset, bytes});
}

inline void clear(std::vector<api::Command>& commands, const Format& format, const Array& array,
                  std::uint64_t count) {
  const std::size_t offset = array.offset() * format.element_bytes, bytes = format.bytes(count);
  if (bytes == 0) return;
  for (const cl_mem memory : {array.re(), array.im()}) {
    if (memory) commands.push_back(runtime::Clear{memory, offset, bytes});
  }
}

}  // namespace imago::stream
