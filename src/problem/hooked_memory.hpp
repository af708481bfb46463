// This file finds the part of an array that is in memory, from the hooks of one end that are next
// to memory: boxes, and frames of a signal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imago/hooks.hpp>

#include "problem/layout.hpp"

namespace imago::problem {

/// The part of an array that is in memory. Add hooks in their order; `field` names each in errors.
class HookedMemory {
 public:
  HookedMemory(const std::vector<std::uint64_t>& lengths, bool store);

  void take(const hook::ZeroOutside& box, const std::string& field);
  /// Adds frames of the side `name` ("signal"), which has this layout.
  void take(const hook::Frames& frames, const Layout& layout, const std::string& name,
            const std::string& field);
  /// Adds a hook that moves elements.
  void move(const std::string& field);
  /// Sets the part of a side that is in memory; `field` names the end.
  void place(SideRequest& request, const std::string& field) const;

 private:
  void place_frames(SideRequest& request, const std::string& field) const;

  const std::vector<std::uint64_t>& lengths_;
  const bool store_;
  bool moved_ = false;
  std::vector<std::uint64_t> begin_, end_;  ///< bounds of the box along each axis
  std::optional<hook::Frames> frames_;
};

}  // namespace imago::problem
