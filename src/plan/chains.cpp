// This file joins launches into chains. The launches of a chain have different batch elements:
// those of a batch of pictures have rows, or pictures with their columns. A member of the chain is
// a batch element of the launch that has the fewest (a picture), with those of the others in the
// same memory. A part is the members of one work-group.
#include "plan/chains.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>

#include "base/integers.hpp"
#include "base/precision.hpp"
#include "plan/mapping_rules.hpp"

namespace imago::plan {
namespace {

// Largest part in bytes. Set by hand on a Xeon with 1 MiB of second-level cache, where larger parts
// gained less and 8 MiB nothing (docs/measured/cpu.md, "Chains").
constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 20;
// Points that justify a work-group (default_tiles in vector/defaults.cpp).
constexpr std::uint64_t kFewPoints = 4096;
// Parts that each compute unit should have, even if they have fewer points.
constexpr std::uint64_t kPartsPerUnit = 2;
// Largest private memory of a work-item in bytes, which PoCL has on the stack of its threads.
constexpr std::uint64_t kMostPrivate = std::uint64_t{1} << 20;
// Work of the busiest compute unit relative to the mean.
constexpr double kMostUneven = 1.2;

struct Phase {
  kernel::Step* step;
  kernel::Launch* launch;
};

std::uint64_t private_bytes(const kernel::Step& step) {
  return 2 * 2 * (step.length + 1) * step.tile * base::bytes_of(step.precision);
}

/// Returns true if the step can be in a chain.
bool can_be_chained(const kernel::Step& step) {
  return !rules_of(step.mapping()).has_work_groups && step.is_alone();
}

/// A memory, as the parts of a chain see it.
struct Area {
  std::uint64_t offset = 0;  ///< begin of the first part, in bytes
  std::uint64_t bytes = 0;   ///< distance between members
  bool written = false;
  bool divided = true;  ///< false if parts overlap, or launches divide the memory differently
};

/// Consecutive launches that may become a chain.
class Chain {
 public:
  Chain(const std::vector<Phase>& phases, std::size_t first, std::size_t end, Placement placement,
        const device::Facts& facts)
      : phases_(phases.begin() + static_cast<std::ptrdiff_t>(first),
                phases.begin() + static_cast<std::ptrdiff_t>(end)),
        placement_(placement),
        facts_(facts),
        members_(fewest(phases_)) {}

  /// Returns the members of a part; empty if there should be no chain.
  std::optional<std::uint64_t> part() const {
    std::uint64_t bytes = 0, held = 0;
    for (const Phase& phase : phases_) {
      if (phase.launch->batch % members_ != 0) return {};
      held += private_bytes(*phase.step);
    }
    for (const auto& [memory, area] : areas()) {
      if (!area.written) continue;
      if (!area.divided) return {};
      bytes = std::max(bytes, area.bytes);
    }
    const kernel::Step& step = *phases_.front().step;
    const std::uint64_t points =
        step.length * step.column_count() * phases_.front().launch->batch / members_;
    const std::uint64_t few = members_ / (kPartsPerUnit * std::max(1u, facts_.compute_units));
    // A power of two keeps the number of different kernels small.
    std::uint64_t part =
        std::bit_floor(std::max<std::uint64_t>(1, std::min(kFewPoints / points, few)));
    while (!has_whole_tiles(part) && part * bytes <= kMostBytes) part *= 2;
    if (held > kMostPrivate || part * bytes > kMostBytes || !is_even(part)) return {};
    return part;
  }

  void join(std::uint64_t part) const {
    for (const Phase& phase : phases_) {
      phase.step->vectors().repeat = static_cast<unsigned>(tiles(phase, part));
      phase.launch->groups = base::ceil_divide(members_, part);
      phase.launch->chained = phase.launch != phases_.front().launch;
    }
  }

 private:
  static std::uint64_t fewest(const std::vector<Phase>& phases) {
    std::uint64_t least = phases.front().launch->batch;
    for (const Phase& phase : phases) least = std::min(least, phase.launch->batch);
    return least;
  }
  /// Returns the batch elements of the phase in a part.
  std::uint64_t members(const Phase& phase, std::uint64_t part) const {
    return phase.launch->batch / members_ * part;
  }
  std::uint64_t tiles(const Phase& phase, std::uint64_t part) const {
    return rules_of(phase.step->mapping()).tiles(*phase.step, members(phase, part));
  }
  /// Returns true if no tile has batch elements of two parts.
  bool has_whole_tiles(std::uint64_t part) const {
    return std::all_of(phases_.begin(), phases_.end(), [&](const Phase& phase) {
      return !phase.step->columns.empty() || members(phase, part) % phase.step->tile == 0;
    });
  }
  /// Returns true if the compute units have about the same work.
  bool is_even(std::uint64_t part) const {
    const std::uint64_t units = std::max(1u, facts_.compute_units),
                        parts = base::ceil_divide(members_, part);
    const std::uint64_t most = base::ceil_divide(parts, units) * units * part;
    return static_cast<double>(most) <= kMostUneven * static_cast<double>(members_);
  }

  std::map<kernel::Memory, Area> areas() const {
    std::map<kernel::Memory, Area> areas;
    for (const Phase& phase : phases_) {
      add(areas, phase, kernel::End::load);
      add(areas, phase, kernel::End::store);
    }
    return areas;
  }

  void add(std::map<kernel::Memory, Area>& areas, const Phase& phase, kernel::End end) const {
    const bool stores = end == kernel::End::store;
    const kernel::Side& side = stores ? phase.step->out : phase.step->in;
    const kernel::Place& place = stores ? phase.launch->out : phase.launch->in;
    const bool whole = side.elements == kernel::Elements::complex && !side.planar;
    const std::uint64_t element = phase.step->bytes(side) / (whole ? 1 : 2);
    const bool caller = place.memory == kernel::Memory::output;
    const auto memory =
        caller && placement_ == Placement::in_place ? kernel::Memory::input : place.memory;
    const std::uint64_t lines = phase.launch->batch / members_;
    const Area seen{place.offset * element, lines * place.distance * element, stores,
                    phase.step->span(end) <= place.distance};
    Area& area = areas.try_emplace(memory, seen).first->second;
    area.written = area.written || seen.written;
    area.divided =
        area.divided && seen.divided && area.offset == seen.offset && area.bytes == seen.bytes;
  }

  const std::vector<Phase> phases_;
  const Placement placement_;
  const device::Facts& facts_;
  /// Batch elements of the launch that has the fewest; each of the others has a multiple of them.
  const std::uint64_t members_;
};

/// Returns the launches of the programs, in sequences that may become chains.
std::vector<std::vector<Phase>> sequences_of(const std::vector<kernel::Program*>& programs) {
  std::vector<std::vector<Phase>> found(1);
  for (kernel::Program* program : programs) {
    // A step with several launches would need the same part in each.
    const bool once = program->launches.size() == program->steps.size();
    for (kernel::Launch& launch : program->launches) {
      kernel::Step& step = program->steps[launch.step];
      if (once && can_be_chained(step))
        found.back().push_back({&step, &launch});
      else if (!found.back().empty())
        found.emplace_back();
    }
  }
  return found;
}

}  // namespace

void chain(const std::vector<kernel::Program*>& programs, Placement placement,
           const device::Facts& facts) {
  if (facts.type != device::Type::cpu) return;
  for (const auto& phases : sequences_of(programs)) {
    for (std::size_t first = 0; first < phases.size();) {
      std::size_t end = std::min(phases.size(), first + kernel::kMostPhases);
      for (; end > first + 1; --end) {
        const Chain candidate(phases, first, end, placement, facts);
        const auto part = candidate.part();
        if (!part) continue;
        candidate.join(*part);
        break;
      }
      first = std::max(end, first + 1);
    }
  }
}

}  // namespace imago::plan
