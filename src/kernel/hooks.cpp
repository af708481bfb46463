// This file computes properties of a side's hooks from their fields.
#include "kernel/hooks.hpp"

#include <algorithm>
#include <bit>

namespace imago::kernel {
namespace {

template <class Kind>
bool has(const Hooked& hooked) {
  return std::any_of(hooked.steps.begin(), hooked.steps.end(),
                     [](const HookStep& step) { return std::holds_alternative<Kind>(step); });
}

}  // namespace

Number Number::of(double value) { return {std::bit_cast<std::uint64_t>(value)}; }
double Number::value() const { return std::bit_cast<double>(bits); }

std::uint64_t Hooked::size() const {
  std::uint64_t product = 1;
  for (const std::uint64_t length : lengths) product *= length;
  return product;
}

std::uint64_t Hooked::stride(std::size_t axis) const {
  std::uint64_t product = 1;
  for (std::size_t d = axis + 1; d < lengths.size(); ++d) product *= lengths[d];
  return product;
}

bool Hooked::real_in_memory() const { return has<Power>(*this) || has<RealPart>(*this); }

bool Hooked::accumulates() const { return has<Accumulation>(*this); }

const WeightedSum* Hooked::sum() const {
  return steps.empty() ? nullptr : std::get_if<WeightedSum>(&steps[0]);
}

const Access* Hooked::access() const {
  for (const HookStep& step : steps) {
    if (const auto* access = std::get_if<Access>(&step)) return access;
  }
  return nullptr;
}

bool Hooked::calls_lanes() const {
  return std::any_of(steps.begin(), steps.end(), [](const HookStep& step) {
    const auto* snippet = std::get_if<Snippet>(&step);
    return std::holds_alternative<Access>(step) || (snippet && snippet->lanes);
  });
}

bool Hooked::convolves_real_lines() const {
  return std::all_of(steps.begin(), steps.end(), [this](const HookStep& step) {
    if (std::holds_alternative<Scaling>(step)) return true;
    const auto* factors = std::get_if<Factors>(&step);
    if (!factors || !factors->of_real || factors->places.distance != 0) return false;
    for (std::size_t d = 0; d < lengths.size(); ++d) {
      if (static_cast<int>(d) != line_axis && lengths[d] > 1 && factors->places.strides[d] != 0)
        return false;
    }
    return true;
  });
}

int Hooked::frames_axis() const {
  for (const HookStep& step : steps) {
    if (const auto* framing = std::get_if<Framing>(&step)) return static_cast<int>(framing->frames);
  }
  return -1;
}

}  // namespace imago::kernel
