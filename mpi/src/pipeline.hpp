// This file leads an array through the states of its route: what a rank computes, and exchanges.
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
  /// What all ranks know to be the same.
  struct Task {
    Transform transform;
    Route route;
    Options options;
  };
  /// Collective.
  Pipeline(const Communicator& ranks, const Agreement& agreement, const Patience& patience,
           Task task, const Pool& pool);

  /// Collective: all ranks have settled since the call before, of which shared memory may hold
  /// what a late one still reads. A rank that fails goes on with its exchanges: others wait for it.
  void run(Way way, std::byte* signal, std::byte* spectrum, std::exception_ptr& failure);
  std::size_t workspace_bytes() const;
  std::string describe() const;

 private:
  /// Which memory a side of an exchange is.
  enum class Side { signal, spectrum, first, second, third };
  static constexpr std::array kWork{Side::first, Side::second, Side::third};
  /// One that is neither.
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
  std::array<Communicator, 2> groups_;  ///< of each side of the grid
  bool in_callers_memory_ = false;      ///< all devices of the pool
  bool shared_ = false;
  std::array<Memory, kWork.size()> work_;
  std::vector<Pinned> pins_;  ///< of it
  std::vector<Leg> legs_;
  std::vector<Local> locals_;
  std::byte *signal_ = nullptr, *spectrum_ = nullptr;  ///< of the call
};

}  // namespace imago::mpi
