// This file takes an array through the states of its route: a rank's computations and exchanges.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <imago/mpi.hpp>

#include "agreement.hpp"
#include "communicator.hpp"
#include "exchange.hpp"
#include "local.hpp"
#include "memory.hpp"
#include "route.hpp"

namespace imago::mpi {

class Pipeline {
 public:
  /// The task, which is the same on all ranks.
  struct Task {
    Transform transform;
    Route route;
    Options options;
  };
  /// Collective.
  Pipeline(const Communicator& ranks, const Agreement& agreement, const Patience& patience,
           Task task, const Pool& pool);

  /// Collective. All ranks must have settled the call before, because a late rank may still read
  /// the shared memory. A rank that fails still takes part in the exchanges, because the others
  /// wait for it.
  void run(Way way, std::byte* signal, std::byte* spectrum, std::exception_ptr& failure);
  std::size_t workspace_bytes() const;
  std::string describe() const;

 private:
  /// The memory that one side of an exchange uses.
  enum class Side { signal, spectrum, first, second, third };
  static constexpr std::array kWork{Side::first, Side::second, Side::third};
  /// Returns work memory that is neither of the two.
  static Side apart(Side a, Side b);
  struct Leg {
    ExchangeShape shape;
    std::unique_ptr<Exchange> exchange;
    Side near = Side::first, far = Side::second;
  };

  bool make_shared_memory();
  void add_shared_leg(std::size_t state);
  void add_message_leg(std::size_t state);
  ExchangeShape shape_of(std::size_t state, const std::vector<std::size_t>& ranks) const;
  std::size_t chosen_pieces(const ExchangeShape& shape) const;
  void make_own_memory();
  void pin_memory(const Pool& pool);
  std::size_t copy_threads() const;
  void add_locals();
  void build(const Pool& pool);

  std::size_t bytes_of(Side side) const;
  std::byte* memory(Side side) const;
  Ends ends_of(std::size_t state) const;
  void forward(SameWay& same, std::exception_ptr& failure);
  void back(SameWay& same, std::exception_ptr& failure);
  void compute(std::size_t state, std::size_t piece, Way way, std::exception_ptr& failure);

  const Communicator& ranks_;
  const Agreement& agreement_;
  const Patience& patience_;
  Task task_;
  Communicator machine_;
  std::array<Communicator, 2> groups_;  ///< one for each side of the grid
  bool in_callers_memory_ = false;      ///< on the devices of all ranks
  bool shared_ = false;
  std::array<Memory, kWork.size()> work_;
  std::vector<Pinned> pins_;  ///< pins the memory of work_
  std::vector<Leg> legs_;
  std::vector<Local> locals_;
  std::byte *signal_ = nullptr, *spectrum_ = nullptr;  ///< arrays of the current call
};

}  // namespace imago::mpi
