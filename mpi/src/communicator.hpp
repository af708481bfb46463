// This file holds MPI's handles, and the one way in which this library waits for other ranks.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "strips.hpp"

namespace imago::mpi {

/// Ends the program where MPI fails: `call` names the function.
void require(int code, const char* call);

class Patience;

/// A communicator of our own, given back at the end.
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
  /// Waits for all ranks first, with patience: MPI_Comm_dup() would wait without end.
  static Communicator copy_of(MPI_Comm communicator, const Patience& patience);
  /// Those of the same color, in their order.
  Communicator split(std::size_t color) const;
  /// Those that may share memory.
  Communicator split_by_memory() const;

  MPI_Comm get() const { return made_; }
  std::size_t rank() const;
  std::size_t size() const;

 private:
  MPI_Comm made_ = MPI_COMM_NULL;
};

/// A committed datatype; none where there is nothing to move.
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
  /// Of the first strip, from the array's begin.
  std::size_t offset() const { return offset_; }

 private:
  MPI_Datatype made_ = MPI_DATATYPE_NULL;
  std::size_t offset_ = 0;
};

/// Waits, and lets other processes of the machine run meanwhile. Ends the program where that takes
/// more than `seconds` (0: never).
class Patience {
 public:
  Patience(double seconds, std::size_t rank) : seconds_(seconds), rank_(rank) {}
  /// `what` is said of whoever waits in vain: "the exchange 1".
  void wait(std::vector<MPI_Request>& requests, const std::string& what) const;
  void wait(MPI_Request request, const std::string& what) const;
  void barrier(MPI_Comm ranks, const std::string& what) const;

 private:
  double seconds_;
  std::size_t rank_;
};

}  // namespace imago::mpi
