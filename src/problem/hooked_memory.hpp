// This file follows what the hooks of one end leave next to memory: boxes, and frames of a signal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imago/hooks.hpp>

#include "problem/layout.hpp"

namespace imago::problem {

/// The part of an array that memory holds. Hooks come in their order; `field` names each in errors.
class HookedMemory {
 public:
  HookedMemory(const std::vector<std::uint64_t>& lengths, bool store);

  void take(const hook::ZeroOutside& box, const std::string& field);
  /// Of the side `name` ("signal"), which lies as `layout` says.
  void take(const hook::Frames& frames, const Layout& layout, const std::string& name,
            const std::string& field);
  /// Elements move from here on.
  void move(const std::string& field);
  /// Says of a side's memory what it holds; `field` names the end.
  void place(SideRequest& request, const std::string& field) const;

 private:
  void place_frames(SideRequest& request, const std::string& field) const;

  const std::vector<std::uint64_t>& lengths_;
  const bool store_;
  bool moved_ = false;
  std::vector<std::uint64_t> begin_, end_;  ///< of the box
  std::optional<hook::Frames> frames_;
};

}  // namespace imago::problem
