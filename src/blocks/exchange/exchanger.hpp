// This file separates the exchanges between the work-items of a group (kernel::RegisterExchange)
// from their implementation: each Exchange is lowered by one class of exchanger.cpp.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "blocks/exchange/held.hpp"
#include "blocks/frame.hpp"
#include "kernel/exchange.hpp"

namespace imago::blocks {

/// Executes the exchanges of a step, one after the other in the plan's order.
class Exchanger {
 public:
  explicit Exchanger(const kernel::Step& step) : exchanges_(kernel::exchanges_of(step)) {}
  Exchanger(const Exchanger&) = delete;
  Exchanger& operator=(const Exchanger&) = delete;
  virtual ~Exchanger() = default;

  /// Uses a value for leg r of site i.
  using Use = std::function<void(std::size_t i, std::size_t r, const Cx& value)>;

  /// Executes the next exchange: all work-items write the values that they hold, and `use` is
  /// called for the values at `reads`, each as it arrives, which needs fewer registers.
  void fetch(const Held& held, const std::vector<Site>& reads, const Use& use) {
    lower(exchanges_.at(done_++), held, reads, use);
  }
  /// Returns the values at `reads` after the next exchange.
  std::vector<Points> fetched(const Held& held, const std::vector<Site>& reads);

 private:
  virtual void lower(const kernel::RegisterExchange& exchange, const Held& held,
                     const std::vector<Site>& reads, const Use& use) = 0;

  const std::vector<kernel::RegisterExchange> exchanges_;
  std::size_t done_ = 0;
};

/// Returns the exchanger that the step selects.
std::unique_ptr<Exchanger> make_exchanger(const Frame& frame);

}  // namespace imago::blocks
