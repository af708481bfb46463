// This file holds MPI's handles, and the only way in which this library waits for other ranks.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "strips.hpp"

namespace imago::mpi {

/// Ends the program if MPI failed. `call` is the name of the MPI function.
void require(int code, const char* call);

class Patience;

/// An owned communicator; the destructor frees it.
class Communicator {
 public:
  Communicator() = default;
  explicit Communicator(MPI_Comm made) : made_(made) {}
  ~Communicator();
  Communicator(Communicator&& other) noexcept : made_(std::exchange(other.made_, MPI_COMM_NULL)) {}
  Communicator& operator=(Communicator&& other) noexcept {
    std::swap(made_, other.made_);
    return *this;
  }
  /// Copies a communicator. First waits for all ranks with `patience`, because MPI_Comm_dup() would
  /// wait without limit.
  static Communicator copy_of(MPI_Comm communicator, const Patience& patience);
  /// Returns the communicator of all ranks with the same color, in the same order.
  Communicator split(std::size_t color) const;
  /// Returns the communicator of the ranks that can share memory with this one.
  Communicator split_by_memory() const;

  MPI_Comm get() const { return made_; }
  std::size_t rank() const;
  std::size_t size() const;

 private:
  MPI_Comm made_ = MPI_COMM_NULL;
};

/// A committed datatype; empty if there is nothing to send.
class Datatype {
 public:
  Datatype() = default;
  explicit Datatype(const Strips& strips);
  ~Datatype();
  Datatype(Datatype&& other) noexcept
      : made_(std::exchange(other.made_, MPI_DATATYPE_NULL)), offset_(other.offset_) {}
  Datatype& operator=(Datatype&& other) noexcept {
    std::swap(made_, other.made_);
    offset_ = other.offset_;
    return *this;
  }
  bool empty() const { return made_ == MPI_DATATYPE_NULL; }
  MPI_Datatype get() const { return made_; }
  /// Returns the offset of the first strip from the beginning of the array, in bytes.
  std::size_t offset() const { return offset_; }

 private:
  MPI_Datatype made_ = MPI_DATATYPE_NULL;
  std::size_t offset_ = 0;
};

/// Waits for requests and lets other processes of the machine run meanwhile. Ends the program after
/// `seconds` (0: never).
class Patience {
 public:
  Patience(double seconds, std::size_t rank) : seconds_(seconds), rank_(rank) {}
  /// `what` names the operation in the message, such as "the exchange 1".
  void wait(std::vector<MPI_Request>& requests, const std::string& what) const;
  void wait(MPI_Request request, const std::string& what) const;
  void barrier(MPI_Comm ranks, const std::string& what) const;

 private:
  double seconds_;
  std::size_t rank_;
};

}  // namespace imago::mpi
