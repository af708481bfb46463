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

class LocalExchange {
 public:
  explicit LocalExchange(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  /// What is done with a value for leg r of site i.
  using Use = std::function<void(std::size_t i, std::size_t r, const Cx& value)>;

  /// All work-items' values, held at `at`, go to local memory; `use` is called for those at
  /// `reads`, each as it comes: fewer registers wait. With `own`, a work-item's own ones are not
  /// read again, and others may be read by several.
  void fetch(const std::vector<Points>& held, const std::vector<Site>& at,
             const std::vector<Site>& reads, const Use& use, bool own = false);

 private:
  template <class Part, class Take>
  void turn(Part part, const std::vector<Site>& reads, Take take);
  template <class Part>
  ir::Value read(Part part, const Site& site, std::size_t leg) const;
  ir::Value index(const Site& site, std::size_t leg) const;
  bool returns() const;

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
  const std::vector<Points>* held_ = nullptr;
  const std::vector<Site>* at_ = nullptr;
  bool own_ = false;
  std::set<std::pair<std::uint32_t, std::uint32_t>> read_;  ///< columns and points, by values
  bool used_ = false, shared_ = false;  ///< before; and some places were read more than once
};

}  // namespace imago::blocks
