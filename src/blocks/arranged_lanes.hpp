// This file moves the elements of cosine axes between global memory and the passes of the
// work-group mapping, and from pass to pass.
#pragma once

#include <vector>

#include "blocks/arrangement.hpp"
#include "blocks/elements.hpp"
#include "blocks/local_exchange.hpp"
#include "blocks/seat.hpp"

namespace imago::blocks {

class ArrangedLanes {
 public:
  ArrangedLanes(const Frame& frame, LocalExchange& exchange);

  /// The points at the sites of the first pass.
  std::vector<Points> load(const Seat& seat, const std::vector<Site>& points);
  /// What all work-items hold, at `reads` in front of pass `pass`.
  std::vector<Points> exchanged(std::size_t pass, const Held& held, const std::vector<Site>& reads);
  void store(const Seat& seat, const Held& held);

 private:
  std::vector<Seat> elements_of(ir::Value place, bool columns_fastest) const;
  ir::Value place_at_store() const;
  std::vector<Site> sites_of(const std::vector<Seat>& seats) const;
  std::vector<Points> load_in_order(const Seat& seat, const std::vector<Site>& points);
  void store_in_order(const Seat& seat, const Held& held);
  Cx element_at(const Seat& seat, const Site& site, ir::Value number) const;
  void exchange(std::size_t pass, const Held& held, const std::vector<Site>& reads,
                const LocalExchange::Use& use);

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
  const Input input_;
  const Output output_;
  LocalExchange& exchange_;
};

}  // namespace imago::blocks
