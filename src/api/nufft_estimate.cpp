// This file predicts what nonuniform transforms of types 1 and 2 need.
#include "api/nufft_estimate.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "base/precision.hpp"
#include "base/words.hpp"
#include "engine/composition.hpp"
#include "model/rates.hpp"
#include "nufft/bins.hpp"
#include "nufft/grid_transform.hpp"
#include "nufft_device/points.hpp"
#include "nufft_device/prediction.hpp"
#include "nufft_device/spreading.hpp"
#include "problem/words.hpp"

namespace imago::api {
namespace {

std::size_t complex_bytes(const NufftTransform& transform) {
  return 2 * base::bytes_of(transform.precision);
}

/// The choices of the uniform transforms: those of the grid, and the copy to another order of
/// modes.
struct Uniform {
  engine::Blueprint grids;
  std::optional<engine::Blueprint> reordered;

  Uniform(const NufftChoices& choices, std::size_t members)
      : grids(engine::decide(nufft::grid_transform(choices.transform, choices.design, members),
                             choices.facts, choices.options)) {
    if (!choices.transform.centred)
      reordered = engine::decide(nufft::reordering(choices.transform, members), choices.facts,
                                 choices.options);
  }
  std::size_t workspace_bytes() const {
    return std::max(grids.workspace_bytes(), reordered ? reordered->workspace_bytes() : 0);
  }
  /// Returns the launches and the time of one direction; type 1 is the inverse one.
  NufftStep step(bool inverse) const {
    NufftStep sum;
    const auto add = [&](const engine::Blueprint& blueprint) {
      const auto& direction = inverse ? blueprint.inverse : blueprint.forward;
      sum.kernels += kernel::commands_of(direction->program).size();
      sum.seconds += direction->seconds;
    };
    add(grids);
    if (reordered) add(*reordered);
    return sum;
  }
};

/// Returns the choices of a plan, which do not depend on the points.
NufftEstimate choices_of(const NufftTransform& transform, const nufft::Design& design) {
  NufftEstimate estimate;
  estimate.width = design.window.width();
  estimate.upsampling = design.window.upsampling();
  estimate.grid = design.lengths;
  estimate.predicted_error = design.error(transform.promise);
  estimate.bins = design.bins() * (transform.points_per_member ? transform.batch : 1);
  for (std::size_t axis = design.lengths.size(); axis-- > 0;)
    estimate.tile.push_back(design.grid.tile[axis]);
  estimate.vectors = design.groups.vectors;
  estimate.modes_bytes = transform.batch * number_of_modes(transform) * complex_bytes(transform);
  return estimate;
}

std::string lengths_text(const std::vector<std::size_t>& lengths) {
  std::string text;
  for (const std::size_t n : lengths) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

}  // namespace

std::size_t number_of_modes(const NufftTransform& transform) {
  std::size_t product = 1;
  for (const std::size_t n : transform.modes) product *= n;
  return product;
}

std::size_t members_at_once(const NufftTransform& transform, const nufft::Design& design,
                            const device::Facts& facts) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 28;
  // The grids of a round of members with points of their own stay in a CPU's caches. 1000 members
  // of 500 points take 76 instead of 91 ms of processor time in f64 (bench/nufft_members.py).
  constexpr std::size_t kCoreBytes = std::size_t{1} << 21;
  const auto divisor = [&](std::size_t bytes) {
    const std::size_t most = bytes / (design.cells() * complex_bytes(transform));
    for (std::size_t members = std::min(transform.batch, most); members > 1; --members) {
      if (transform.batch % members == 0) return members;
    }
    return std::size_t{1};
  };
  const std::size_t all = divisor(std::min(kMostBytes, facts.memory.largest_buffer));
  if (!transform.points_per_member || facts.type != device::Type::cpu) return all;
  const std::size_t bytes = kCoreBytes * std::max(1u, facts.compute_units), cached = divisor(bytes);
  const bool fills = 2 * cached * design.cells() * complex_bytes(transform) >= bytes;
  return fills ? std::min(all, cached) : all;
}

std::size_t grid_memory_bytes(const NufftTransform& transform, const nufft::Design& design,
                              std::size_t members) {
  const std::size_t reordered = transform.centred ? 0 : number_of_modes(transform);
  return members * (design.cells() + reordered) * complex_bytes(transform);
}

nufft::Design nufft_design(const NufftTransform& transform, const device::Facts& facts,
                           const Options& options, nufft::Modes modes) {
  nufft::Design made = nufft::design(transform, facts, options.parameters.mapping, modes);
  // Sums are compensated whatever the points of other members are.
  if (transform.points_per_member && options.deterministic &&
      made.most_in_one_place < static_cast<double>(made.grid.part))
    return nufft::compensated(std::move(made), transform, facts);
  return made;
}

std::vector<PointsUse> evenly_spread(const NufftTransform& transform, const nufft::Design& design,
                                     std::size_t members) {
  const bool own = transform.points_per_member;
  const std::size_t rounds = own ? transform.batch / members : 1;
  const std::size_t all = transform.points > 0
                              ? transform.points
                              : number_of_modes(transform) * (own ? transform.batch : 1);
  const std::size_t bins = design.bins() * (own ? members : 1);
  std::vector<PointsUse> uses(rounds);
  for (std::size_t i = 0; i < rounds; ++i) {
    PointsUse& use = uses[i];
    use.count = all / rounds + (i < all % rounds ? 1 : 0);
    const std::size_t of_bin = base::ceil_divide(use.count, bins),
                      parts = base::ceil_divide(of_bin, nufft_device::part_of(design, use.count));
    if (parts > 1) use.slots = parts * bins;
  }
  return uses;
}

NufftEstimate nufft_estimate(const NufftChoices& choices, std::span<const PointsUse> parts) {
  const auto& [transform, design, facts, options] = choices;
  NufftEstimate estimate = choices_of(transform, design);
  const std::size_t members = members_at_once(transform, design, facts);
  const Uniform uniform(choices, members);
  const bool own = transform.points_per_member;
  const std::size_t rounds = transform.batch / members, sorted = own ? members : 1;
  const bool spreads = transform.types != NufftTypes::type2;
  estimate.workspace_bytes =
      grid_memory_bytes(transform, design, members) + uniform.workspace_bytes();
  std::size_t sort = 0, spread = 0, interpolate = 0;  // launches
  for (const PointsUse& part : parts) {
    if (part.count == 0) continue;
    nufft_device::Tiles tiles;
    if (spreads)
      tiles = nufft_device::tiles_of(transform, design, facts, part.slots, own ? 1 : members);
    estimate.points += part.count;
    estimate.workspace_bytes +=
        nufft_device::sizes_of(transform, design, facts, part.count, sorted).sum() + tiles.bytes;
    sort += nufft_device::sort_stages(transform, design, part.count, sorted).size();
    spread += nufft_device::spread_launches(design, part.slots, members, tiles.members).size();
    ++interpolate;
  }
  // The points of `parts` are those of all members, or of one member or more in turn.
  const std::size_t repeats = own ? 1 : rounds, numbers = own ? 1 : transform.batch;
  estimate.points_bytes = numbers * estimate.points * nufft::number_bytes(transform);

  const auto seconds = nufft_device::predict(transform, design, facts, estimate.points);
  const double launch = model::rates_of(facts).launch_seconds;
  estimate.set_points = {sort, seconds.sort + static_cast<double>(sort) * launch};
  const auto step = [&](bool inverse, std::size_t launches, double of_member) {
    const NufftStep of_grids = uniform.step(inverse);
    return NufftStep{rounds * of_grids.kernels + repeats * launches,
                     static_cast<double>(rounds) * of_grids.seconds +
                         static_cast<double>(repeats * launches) * launch +
                         static_cast<double>(numbers) * of_member};
  };
  if (spreads) estimate.type1 = step(true, spread, seconds.spread);
  if (transform.types != NufftTypes::type1)
    estimate.type2 = step(false, interpolate, seconds.interpolate);
  return estimate;
}

std::string text_of(const NufftEstimate& estimate, const NufftTransform& transform) {
  std::ostringstream text;
  text << "nonuniform transform: " << lengths_text(transform.modes) << " modes, "
       << base::word_of(problem::kPrecisions, transform.precision) << ", error at most "
       << transform.tolerance << ", of the kernel " << estimate.predicted_error << "\n"
       << "each point over " << estimate.width << " cells along each axis of a grid of "
       << lengths_text(estimate.grid) << " cells, at least " << estimate.upsampling
       << " times as fine as the modes\n"
       << estimate.points << " points "
       << (transform.points_per_member ? "of " + std::to_string(transform.batch) + " members " : "")
       << "in " << estimate.bins << " bins, with tiles of " << lengths_text(estimate.tile)
       << " cells (" << (estimate.vectors ? "vectors" : "work-groups") << ")\n"
       << estimate.workspace_bytes << " bytes of device memory; strengths " << estimate.points_bytes
       << ", modes " << estimate.modes_bytes << " bytes\n";
  const auto add = [&](const char* name, const NufftStep& step) {
    if (step.kernels > 0)
      text << name << ": " << step.kernels << " launches, predicted " << step.seconds * 1e3
           << " ms\n";
  };
  text.precision(3);
  add("set points", estimate.set_points);
  add("type 1", estimate.type1);
  add("type 2", estimate.type2);
  return text.str();
}

}  // namespace imago::api
