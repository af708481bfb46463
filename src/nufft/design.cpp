// This file decides how a nonuniform transform is computed.
#include "nufft/design.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "nufft/bins.hpp"
#include "problem/words.hpp"

namespace imago::nufft {
namespace {

constexpr double kUpsamplings[] = {2.0, 1.25};

/// Returns the least length from n on with small prime factors only.
std::size_t next_length(std::size_t n) {
  for (;; ++n) {
    if (base::largest_prime_factor(n) <= 5) return n;
  }
}

/// Returns the lengths of type 3's grids, in increasing order up to 2^32: even, with prime factors
/// up to 5, and each at most 12 % above the one before if there is such a number. Grids depend on
/// the points, and few lengths let new points use plans and kernels that exist.
const std::vector<std::size_t>& ladder() {
  static const std::vector<std::size_t> lengths = [] {
    constexpr std::size_t kMost = std::size_t{1} << 32;
    constexpr double kStep = 1.12;
    std::vector<std::size_t> all, chosen = {2};
    for (std::size_t two = 2; two <= kMost; two *= 2) {
      for (std::size_t three = two; three <= kMost; three *= 3) {
        for (std::size_t five = three; five <= kMost; five *= 5) all.push_back(five);
      }
    }
    std::sort(all.begin(), all.end());
    for (std::size_t i = 1; i < all.size(); ++i) {
      const double last = static_cast<double>(chosen.back());
      if (i + 1 == all.size() || static_cast<double>(all[i + 1]) > kStep * last)
        chosen.push_back(all[i]);
    }
    return chosen;
  }();
  return lengths;
}

/// Returns the axes, slowest first.
std::vector<Axis> axes_of(const NufftTransform& transform, const SpreadingWindow& window) {
  std::vector<Axis> axes;
  for (const std::size_t n : transform.modes) {
    const auto least =
        static_cast<std::size_t>(std::ceil(window.upsampling() * static_cast<double>(n)));
    axes.push_back({n, next_length(std::max(least, 2 * window.width()))});
  }
  return axes;
}

/// Returns the largest relative error of rounding a number once.
double unit_of(const NufftTransform& transform) {
  return transform.precision == Precision::f64 ? 0x1p-53 : 0x1p-24;
}

/// Returns the expected error of rounding for grid cells of about equal sizes: weights and uniform
/// transforms round a number several times, and modes far from 0 are amplified.
double rounding_error(const NufftTransform& transform, double amplification) {
  double points = 1;
  for (const std::size_t n : transform.modes) points *= static_cast<double>(n);
  // With these, the cases of tests/nufft_device/nufft_test.cpp keep their tolerances.
  constexpr double kConstant = 1.8, kPerOctave = 0.05;
  return unit_of(transform) * (kConstant + kPerOctave * std::log2(points)) *
         std::pow(amplification, transform.modes.size());
}

/// Returns the error of a window, with rounding, as the promise measures it.
///
/// Each value: the errors of the worst modes along all axes, for all points in the worst places.
/// Norm: a root mean square over the modes of a point in the worst place, or that of the worst mode
/// if few have numbers. Few points have more by chance: without the factor, up to 1.76 times in the
/// thousand cases of `imago_test_nufft_device "[nufft_full]"`.
double total_error(const NufftTransform& transform, const SpreadingWindow& window,
                   Modes modes = Modes::all) {
  constexpr double kChance = 1.75;
  const double worst = static_cast<double>(transform.modes.size()) * window.worst_error();
  if (transform.promise == NufftPromise::each_value)
    return worst + kChance * rounding_error(transform, window.worst_amplification());
  const double rounding = rounding_error(transform, window.amplification());
  if (modes == Modes::few) return std::hypot(worst, kChance * rounding);
  return std::hypot(kChance * window.error(axes_of(transform, window)), rounding);
}

/// Returns the part of the tolerance that is left for rounding errors of sums of many strengths.
double room_of(const NufftTransform& transform, const SpreadingWindow& window) {
  return std::sqrt(std::max(
      0.0, std::pow(transform.tolerance, 2) - std::pow(total_error(transform, window), 2)));
}

/// Returns the narrowest window that reaches the tolerance; null if none does.
const SpreadingWindow* narrowest(const NufftTransform& transform, double upsampling, Modes modes) {
  // A cell gains at most a decimal digit.
  const double digits = -std::log10(transform.tolerance);
  const auto first = static_cast<std::size_t>(std::clamp<double>(digits, kLeastWidth, kMostWidth));
  for (std::size_t width = first; width <= kMostWidth; ++width) {
    const SpreadingWindow& window = window_of(width, upsampling);
    if (total_error(transform, window, modes) <= transform.tolerance) return &window;
  }
  return nullptr;
}

[[noreturn]] void refuse(const NufftTransform& transform) {
  std::ostringstream text, instead;
  text << "a tolerance of " << transform.tolerance << " is beyond "
       << base::word_of(problem::kPrecisions, transform.precision) << " for these modes";
  instead << "use a tolerance of at least " << least_tolerance(transform);
  if (transform.precision == Precision::f32) instead << ", or Precision::f64";
  base::unsupported(text.str(), instead.str());
}

/// Returns the most equal strengths in one place whose sum's rounding errors leave room to the
/// tolerance.
double most_equal(const NufftTransform& transform, const SpreadingWindow& window) {
  const double amplification = transform.promise == NufftPromise::each_value
                                   ? window.worst_amplification()
                                   : window.amplification();
  return room_of(transform, window) /
         (unit_of(transform) / 2 * std::pow(amplification, transform.modes.size()));
}

/// Returns the most points of a part of a bin. Each sum of a part may have all of its points in one
/// cell: rounding then grows with the root of their number, and must leave room to the tolerance.
/// Otherwise parts are to be many for the device, and few for the memory of their tiles. If local
/// memory does not hold a tile with compensated sums (`fits` is false), rounding errors of a part
/// may all have one sign.
std::size_t part_of(const NufftTransform& transform, const SpreadingWindow& window,
                    const Groups& groups, bool fits) {
  constexpr double kOfUnit = 0.4;  // root mean square of an addition's error
  const double most = 2 * std::pow(room_of(transform, window) / (kOfUnit * unit_of(transform)), 2);
  constexpr double kLeast = 1024, kMostOfVectors = 16384, kMostOfItems = 2048, kLeastPlain = 64;
  if (!fits)
    return static_cast<std::size_t>(
        std::clamp(most_equal(transform, window), kLeastPlain, kMostOfItems));
  return static_cast<std::size_t>(
      std::clamp(most, kLeast, groups.vectors ? kMostOfVectors : kMostOfItems));
}

}  // namespace

void check(const NufftTransform& transform) {
  base::check_word(problem::kNufftTypes, "types", transform.types);
  base::check_word(problem::kCoordinates, "coordinates", transform.coordinates);
  base::check_word(problem::kNufftPromises, "promise", transform.promise);
  if (transform.types == NufftTypes::type3) {
    if (!transform.modes.empty())
      base::invalid("the size of modes", transform.modes.size(),
                    "type 3 has no modes: give the number of axes");
    if (transform.axes == 0 || transform.axes > 3)
      base::invalid("axes", transform.axes, "type 3 needs a number from 1 to 3");
    if (transform.coordinates != Coordinates::radians_f32 &&
        transform.coordinates != Coordinates::radians_f64)
      base::invalid("coordinates", base::word_of(problem::kCoordinates, transform.coordinates),
                    "type 3 needs radians_f32 or radians_f64");
  } else if (transform.axes != 0 && transform.axes != transform.modes.size()) {
    base::invalid("axes", transform.axes, "it must be 0, or the size of modes");
  } else if (transform.modes.empty() || transform.modes.size() > 3) {
    base::invalid("the size of modes", transform.modes.size(), "give 1 to 3 numbers of modes");
  }
  constexpr std::size_t kMostModes = std::size_t{1} << 29;
  for (std::size_t axis = 0; axis < transform.modes.size(); ++axis) {
    if (transform.modes[axis] == 0 || transform.modes[axis] > kMostModes)
      base::invalid(base::indexed("modes", axis), transform.modes[axis],
                    "it must be from 1 to 2^29");
  }
  if (!(transform.tolerance > 0 && transform.tolerance < 1))
    base::invalid("tolerance", transform.tolerance, "it must be above 0 and below 1");
  base::check_word(problem::kPrecisions, "precision", transform.precision);
  if (transform.precision == Precision::f16)
    base::unsupported("nonuniform transforms have no f16", "use f32 or f64");
  if (transform.batch == 0) base::invalid("batch", 0, "it must be at least 1");
  // Numbers of bytes must not overflow, for the most points and modes.
  constexpr std::size_t kMostBatch = std::size_t{1} << 24;
  if (transform.batch > kMostBatch)
    base::invalid("batch", transform.batch, "it must be at most 2^24");
  constexpr std::size_t kMostExpected = std::size_t{1} << 35;
  if (transform.points > kMostExpected)
    base::invalid("points", transform.points, "it must be at most 2^35");
  if (transform.sign != 1 && transform.sign != -1)
    base::invalid("sign", transform.sign, "it must be 1 or -1");
  if (transform.points_per_member && transform.types == NufftTypes::type3)
    base::unsupported("type 3 has no points_per_member, because its grid depends on the points",
                      "make a plan for each member");
}

namespace {

/// Returns the description of a part of a type 3: any large number of modes has the same error.
NufftTransform like_part(NufftTransform transform, const SpreadingWindow& window,
                         PartOfType3 part) {
  transform.tolerance = part_tolerance(transform, window, part);
  transform.modes.assign(transform.axes, 1024);
  transform.types = NufftTypes::both;
  return transform;
}

/// Returns the error of a window for both parts of a type 3, relative to the tolerance.
double error_of_type3(const NufftTransform& transform, const SpreadingWindow& window) {
  double worst = 0;
  for (const PartOfType3 part : {PartOfType3::spreading, PartOfType3::inner}) {
    const NufftTransform own = like_part(transform, window, part);
    worst = std::max(worst, total_error(own, window, Modes::few) / own.tolerance);
  }
  return worst;
}

}  // namespace

double part_tolerance(const NufftTransform& transform, const SpreadingWindow& window,
                      PartOfType3 part) {
  constexpr double kShare = 0.5;
  // The sum of the grid's absolute values is larger than the strengths' by what a window's values
  // add up to, and the factors of frequencies at the ends divide by less.
  const bool grows = transform.promise == NufftPromise::each_value && part == PartOfType3::inner;
  return kShare * transform.tolerance /
         (grows ? std::pow(window.worst_amplification(), transform.axes) : 1);
}

double expected_points(const NufftTransform& transform) {
  double modes = 1;
  for (const std::size_t n : transform.modes) modes *= static_cast<double>(n);
  const auto members = static_cast<double>(transform.points_per_member ? transform.batch : 1);
  return transform.points == 0 ? modes : static_cast<double>(transform.points) / members;
}

std::size_t number_bytes(const NufftTransform& transform) {
  return (transform.real ? 1 : 2) * base::bytes_of(transform.precision);
}

std::size_t coordinate_bytes(Coordinates coordinates) {
  const bool is_short =
      coordinates == Coordinates::radians_f32 || coordinates == Coordinates::fractions_i32;
  return is_short ? 4 : 8;
}

double least_tolerance(const NufftTransform& transform) {
  const bool is_type3 = transform.types == NufftTypes::type3;
  double least = 1;
  for (std::size_t width = kLeastWidth; width <= kMostWidth; ++width) {
    const SpreadingWindow& window = window_of(width, kUpsamplings[0]);
    least = std::min(least, is_type3 ? transform.tolerance * error_of_type3(transform, window)
                                     : total_error(transform, window));
  }
  // Rounded up to two digits, so that the printed number is allowed.
  const double unit = std::pow(10.0, std::floor(std::log10(least)) - 1);
  return std::ceil(least / unit) * unit;
}

std::size_t Design::cells() const {
  return std::size_t{grid.cells[0]} * grid.cells[1] * grid.cells[2];
}
std::size_t Design::bins() const { return std::size_t{grid.bins[0]} * grid.bins[1] * grid.bins[2]; }
std::size_t Design::tile_bytes(std::size_t complex_bytes, std::size_t planes) const {
  const std::size_t plane = std::size_t{grid.pitch} * grid.tile[1];
  return (planes * plane + groups.padding) * complex_bytes;
}

namespace {

/// Lays out the bins of a grid.
Design laid_out(const NufftTransform& transform, const SpreadingWindow& window,
                std::vector<std::size_t> lengths, const device::Facts& facts, Mapping mapping) {
  Design made{window, std::move(lengths), {}, {}, {}};
  const std::size_t axes = made.lengths.size();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    made.grid.cells[axis] = axis < axes ? static_cast<uint>(made.lengths[axes - 1 - axis]) : 1;
    made.grid.bins[axis] = made.grid.tile[axis] = made.grid.bins_of_cell[axis] = 1;
  }
  const bool fits = divide_into_bins(made, transform, facts, mapping);
  made.grid.width = static_cast<uint>(window.width());
  made.grid.part = static_cast<uint>(part_of(transform, window, made.groups, fits));
  made.grid.tile_cells = made.grid.pitch * made.grid.tile[1] * made.grid.tile[2];
  if (transform.points_per_member) made.grid.bins_of_member = static_cast<uint>(made.bins());
  if (!fits) return made;
  if (transform.promise == NufftPromise::each_value)
    return compensated(std::move(made), transform, facts);
  made.most_in_one_place = most_equal(transform, window);
  return made;
}

/// Returns the predicted work of a call, in cells over which a point is spread. The constants are
/// ratios of times: of a cell in the grid's transform, and of one over which a point is spread.
double work(const NufftTransform& transform, const Design& design) {
  const Groups& groups = design.groups;
  const auto width = static_cast<double>(design.window.width());
  const std::size_t axes = transform.modes.size();
  // PoCL on two cores of an EPYC; an H200, where idle work-items cost as much as others.
  const double cell_work = groups.vectors ? 20 : 10;
  const double of_point = groups.vectors ? std::pow(width, axes)
                                         : groups.spread_items / static_cast<double>(groups.teams) *
                                               (axes == 3 ? width : 1);
  return expected_points(transform) * of_point + cell_work * static_cast<double>(design.cells());
}

}  // namespace

Design design(const NufftTransform& transform, const device::Facts& facts, Mapping mapping,
              Modes modes) {
  std::vector<Design> designs;
  for (const double upsampling : kUpsamplings) {
    const SpreadingWindow* const window = narrowest(transform, upsampling, modes);
    if (!window) continue;
    const auto axes = axes_of(transform, *window);
    std::vector<std::size_t> lengths;
    for (const Axis& axis : axes) lengths.push_back(axis.cells);
    designs.push_back(laid_out(transform, *window, std::move(lengths), facts, mapping));
    designs.back().errors = {window->error(axes),
                             static_cast<double>(transform.modes.size()) * window->worst_error()};
  }
  if (designs.empty()) refuse(transform);
  const Design& best = *std::min_element(
      designs.begin(), designs.end(),
      [&](const Design& a, const Design& b) { return work(transform, a) < work(transform, b); });
  check_grid(best.lengths, facts);
  return best;
}

const SpreadingWindow& window_for_frequencies(const NufftTransform& transform) {
  for (std::size_t width = kLeastWidth; width <= kMostWidth; ++width) {
    const SpreadingWindow& window = window_of(width, kUpsamplings[0]);
    if (error_of_type3(transform, window) <= 1) return window;
  }
  refuse(transform);
}

std::size_t frequency_cells(const SpreadingWindow& window, double extents) {
  constexpr double kMost = 0x1p31;
  const double cells = std::ceil(2 * window.upsampling() * extents / std::numbers::pi) +
                       static_cast<double>(window.width() + 1);
  if (!(cells < kMost))
    base::invalid("the extent of the points times that of the frequencies", extents,
                  "a grid of that size is too large. Divide the points or the frequencies into "
                  "closer groups");
  return *std::lower_bound(ladder().begin(), ladder().end(),
                           std::max(static_cast<std::size_t>(cells), 2 * window.width()));
}

void check_grid(const std::vector<std::size_t>& lengths, const device::Facts& facts) {
  std::uint64_t cells = 1;
  for (const std::size_t n : lengths) {
    const auto product = base::checked_multiply(cells, n);
    constexpr std::uint64_t kMostBytes = 16;  // bytes of a cell
    if (!product || *product > facts.memory.largest_buffer / kMostBytes)
      base::unsupported("a grid of " + std::to_string(n) + " x " + std::to_string(cells) +
                            " cells is larger than the device's largest buffer",
                        "use fewer modes, or closer points or frequencies");
    cells = *product;
  }
}

Design spreading_design(const NufftTransform& transform, const SpreadingWindow& window,
                        const device::Facts& facts, Mapping mapping) {
  return laid_out(transform, window, transform.modes, facts, mapping);
}

}  // namespace imago::nufft
