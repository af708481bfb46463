// This file makes ranks fail together: what goes wrong at one of them, all of them throw.
#pragma once

#include <array>
#include <exception>
#include <functional>
#include <string>

#include "communicator.hpp"
#include "exchange.hpp"

namespace imago::mpi {

class Agreement {
 public:
  Agreement(const Communicator& ranks, const Patience& patience)
      : ranks_(ranks), patience_(patience) {}

  /// Collective. Where `failure` of a rank is not null, every rank throws that of the first such
  /// one, and its text begins with "rank 3: ".
  void settle(const std::exception_ptr& failure, const std::string& what) const;
  /// Does `work`, then settles.
  void together(const std::function<void()>& work, const std::string& what) const;
  /// Whether it is true at all ranks.
  bool all(bool mine, const std::string& what) const;
  /// Throws InvalidArgument at all ranks where a text is not that of rank 0.
  void same(const std::string& text, const std::string& field) const;

 private:
  std::size_t least(std::size_t mine, const std::string& what) const;
  std::string text_of(std::size_t rank, std::string mine, const std::string& what) const;

  const Communicator& ranks_;
  const Patience& patience_;
};

/// Compares the ranks' directions of a transform while they compute, before they exchange.
class SameWay {
 public:
  /// Collective.
  SameWay(const Communicator& ranks, const Patience& patience, Way way);
  ~SameWay() { wait(); }
  SameWay(const SameWay&) = delete;
  SameWay& operator=(const SameWay&) = delete;
  /// Throws InvalidArgument at all ranks unless all go the same way.
  void check();

 private:
  void wait();

  const Communicator& ranks_;
  const Patience& patience_;
  std::array<unsigned long, 2> mine_, first_{};  ///< ranks that go forward, and that go back
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Does `work` unless something failed before; keeps what it throws.
void guarded(std::exception_ptr& failure, const std::function<void()>& work);

}  // namespace imago::mpi
