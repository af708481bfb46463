// This file exchanges values between work-items through local memory.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "blocks/exchange/exchanger.hpp"

namespace imago::blocks {

class LocalMemory {
 public:
  explicit LocalMemory(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  /// Returns the part of a value that local memory holds; and uses it for leg r of site i.
  using Part = std::function<ir::Value(const Cx& value)>;
  using Take = std::function<void(std::size_t i, std::size_t r, ir::Value part)>;

  /// Executes one round of an exchange: all work-items write a part of their values, then read.
  void exchange_part(const kernel::RegisterExchange& exchange, const Held& held, const Part& part,
                     const std::vector<Site>& reads, const Take& take);

 private:
  void write(const Held& held, const Part& part);
  ir::Value address(const Site& site, std::size_t leg) const;

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
  std::optional<kernel::RegisterExchange> last_;  ///< exchange of the round before
};

}  // namespace imago::blocks
