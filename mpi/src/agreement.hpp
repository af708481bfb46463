// This file makes errors collective: if one rank fails, all ranks throw its exception.
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

  /// Collective. If `failure` is set on a rank, every rank throws the failure of the first such
  /// rank. Its text begins with "rank 3: ".
  void settle(const std::exception_ptr& failure, const std::string& what) const;
  /// Does `work`, then settles its failure.
  void together(const std::function<void()>& work, const std::string& what) const;
  /// Returns true if `mine` is true on all ranks.
  bool all(bool mine, const std::string& what) const;
  /// Throws InvalidArgument on all ranks if a rank's text differs from that of rank 0.
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
  /// Throws InvalidArgument on all ranks unless all ranks use the same direction.
  void check();

 private:
  void wait();

  const Communicator& ranks_;
  const Patience& patience_;
  std::array<unsigned long, 2> mine_,
      first_{};  ///< first rank that runs forward, first that runs back
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Does `work` unless something failed before; keeps the exception that it throws.
void guarded(std::exception_ptr& failure, const std::function<void()>& work);

}  // namespace imago::mpi
