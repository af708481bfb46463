// This file estimates the length of the text of hooks, which decides about loops.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <variant>

#include "blocks/side_hooks.hpp"

namespace imago::blocks {
namespace {

// The compiler's time grows faster than the text (docs/measured/first-calls.md). These limits and
// the next functions' results are estimates of characters.
constexpr std::size_t kMostWithLanes = 100000, kMostWithLegs = 70000, kMostForLegs = 12000;

std::size_t text_of_passes(const kernel::Step& step) {
  constexpr std::size_t kLeg = 1100;
  std::size_t text = 0;
  for (const kernel::Pass& pass : step.passes) text += kLeg * pass.radix;
  // Columns that fill no vector have their own text.
  const bool rest = step.columns.empty() || step.columns[0].extent % step.tile != 0;
  return step.tile > 1 && rest ? 2 * text : text;
}

/// Returns the text of the hooks for one vector.
std::size_t text_of(const kernel::Hooked& hooked) {
  constexpr std::size_t kHook = 300, kDecibels = 1500;
  std::size_t text = 0;
  for (const kernel::HookStep& hook : hooked.steps) {
    const auto* power = std::get_if<kernel::Power>(&hook);
    text += kHook + (power && power->decibels ? kDecibels : 0);
  }
  return text;
}

/// Returns the text of the hooks for one lane.
std::size_t text_of_lane(const kernel::Hooked& hooked) {
  constexpr std::size_t kLane = 200, kHook = 200, kLong = 2600;
  std::size_t text = kLane;
  for (const kernel::HookStep& hook : hooked.steps) {
    const auto* power = std::get_if<kernel::Power>(&hook);
    const bool computes = (power && power->decibels) ||
                          std::holds_alternative<kernel::Modulation>(hook) ||
                          std::holds_alternative<kernel::LineTwiddle>(hook);
    const auto* sum = std::get_if<kernel::WeightedSum>(&hook);
    text += computes ? kLong : kHook * (sum ? 2 * std::min(sum->count, kUnrolledSum) : 1);
  }
  return text;
}

/// Returns true if the lanes probably pass through the hooks one by one.
bool parts_lanes(const kernel::Hooked& hooked) {
  return std::any_of(hooked.steps.begin(), hooked.steps.end(), [](const kernel::HookStep& hook) {
    const auto* snippet = std::get_if<kernel::Snippet>(&hook);
    return (snippet && !snippet->lanes) || std::holds_alternative<kernel::Rotation>(hook);
  });
}

}  // namespace

bool SideHooks::loops_over_lanes(unsigned lanes) const {
  const kernel::Step& step = f_.step;
  if (lanes == 1 || step.interleaved()) return false;
  std::size_t text = text_of_passes(step);
  const auto add = [&](const std::optional<kernel::Hooked>& hooked, std::size_t pass) {
    if (hooked && (&*hooked == &hooked_ || parts_lanes(*hooked)))
      text += text_of_lane(*hooked) * lanes * step.passes[pass].radix;
  };
  const kernel::FusedConvolution& c = step.convolution;
  add(step.in.hooked, 0);
  add(step.out.hooked, step.passes.size() - 1);
  if (c.hooked) add(c.hooked, c.passes_forth - 1);
  return text > kMostWithLanes;
}

bool SideHooks::loops_over_legs(unsigned legs, const std::function<bool()>& parted) const {
  if (f_.step.interleaved()) return false;
  constexpr std::size_t kLoop = 600;
  const std::size_t passes = text_of_passes(f_.step), text = text_of(hooked_);
  const auto exceeds = [&](std::size_t each) {
    return each * legs > kMostForLegs && passes + each * legs > kMostWithLegs;
  };
  const std::size_t twice = 2 * text + kLoop;  // for all lanes, and for one in a loop
  return exceeds(text) || (exceeds(twice) && parted());
}

}  // namespace imago::blocks
