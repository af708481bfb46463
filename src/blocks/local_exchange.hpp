// This file is the way of values from work-item to work-item, through local memory.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "blocks/frame.hpp"

namespace imago::blocks {

/// Legs of one butterfly, or other points that a work-item has: first, first + stride, ...
struct Site {
  ir::Value active;  ///< butterfly and column exist
  ir::Value busy;    ///< butterfly exists
  ir::Value column;
  std::int64_t stride = 1;  ///< from point to point
  std::vector<ir::Value> points = {};
};

/// What a work-item has, and where that belongs.
struct Held {
  const std::vector<Points>& values;
  const std::vector<Site>& at;
};

class LocalExchange {
 public:
  explicit LocalExchange(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  /// What is done with a value for leg r of site i.
  using Use = std::function<void(std::size_t i, std::size_t r, const Cx& value)>;

  /// What all work-items hold goes to local memory; `use` is called for the values at `reads`, each
  /// as it comes: fewer registers wait. Several may ask for a value where it is `shared`, and a
  /// work-item's own ones are not read again.
  void fetch(const Held& held, const std::vector<Site>& reads, const Use& use, bool shared = false);

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
