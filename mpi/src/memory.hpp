// This file holds the memory between two exchanges: a rank's own, or shared by the ranks of a
// machine.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "agreement.hpp"
#include "communicator.hpp"

namespace imago::mpi {

/// Mapped memory. It is zero, and its pages are not allocated before they are used.
class Memory {
 public:
  Memory() = default;
  /// Throws std::bad_alloc.
  explicit Memory(std::size_t bytes);
  ~Memory();
  Memory(Memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  /// Collective. Returns the same memory on all ranks, which must be on one machine; nullopt if the
  /// machine does not have enough shared memory.
  static std::optional<Memory> shared(std::size_t bytes, const Communicator& ranks,
                                      const Agreement& agreement);

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  std::size_t bytes() const { return bytes_; }

 private:
  Memory(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace imago::mpi
