// This file is the way of values from work-item to work-item, through local memory.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "blocks/exchange/held.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

class LocalExchange {
 public:
  explicit LocalExchange(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  /// What is done with a value for leg r of site i.
  using Use = std::function<void(std::size_t i, std::size_t r, const Cx& value)>;

  /// What all work-items hold goes to local memory; `use` is called for the values at `reads`, each
  /// as it comes: fewer registers wait. Several may ask for a value where it is `shared`, and a
  /// work-item's own ones are not read again.
  void fetch(const Held& held, const std::vector<Site>& reads, const Use& use, bool shared = false);
  /// The same without more to do: the values at `reads`.
  std::vector<Points> fetched(const Held& held, const std::vector<Site>& reads);

 private:
  template <class Part, class Take>
  void turn(const Held& held, Part part, const std::vector<Site>& reads, Take take);
  const Cx* own(const Held& held, const Site& site, std::size_t leg) const;
  ir::Value index(const Site& site, std::size_t leg) const;
  bool returns(const std::vector<Site>& at) const;

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> read_;  ///< columns and points, by values
  bool used_ = false, shared_ = false;                      ///< before; and what was read then
};

}  // namespace imago::blocks
