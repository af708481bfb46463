// This file brings points of a line, or elements, together with their mirror images in the
// work-group mapping: number p with number n - p, and 0 with itself.
#pragma once

#include "blocks/local_exchange.hpp"
#include "blocks/seat.hpp"

namespace imago::blocks {

class Images {
 public:
  Images(const Frame& frame, LocalExchange& exchange)
      : b_(frame.b), f_(frame), step_(frame.step), exchange_(exchange) {}

  using Use = LocalExchange::Use;

  /// use(i, s, image) for every point that is held behind the last pass.
  void of_points(const Seat& seat, const Held& held, const Use& use);
  /// The same of elements in front of the first pass, which come through local memory.
  void of_elements(const Seat& seat, const Held& held, const Use& use);

 private:
  void in_couples(const Seat& seat, const Held& held, const Use& use) const;

  ir::Builder& b_;
  const Frame& f_;
  const plan::Step& step_;
  LocalExchange& exchange_;
};

}  // namespace imago::blocks
