// This file implements repeated sides, transforms of different size, and the symmetry of half
// spectra.
#include "catalogue/host_memory.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/integers.hpp"

namespace imago::catalogue {
namespace {

/// Returns a stream of random numbers of a case, different from that of its data.
Random random_of(const Case& problem, std::uint64_t stream) {
  return Random(hash(problem.name()) + stream);
}

}  // namespace

int octaves(Precision precision) {
  if (precision == Precision::f16) return 7;
  return precision == Precision::f32 ? 20 : 40;
}

int exponent_of(std::uint64_t member, Precision precision) {
  const int span = octaves(precision);
  if (member < 2) return member == 0 ? -span : 0;
  return -static_cast<int>(Random(member).below(static_cast<std::uint64_t>(span) + 1));
}

Strangers::Strangers(const Case& problem, const Repeated& side) {
  const auto kinds = problem.kinds();
  const auto& extents = side.side.extents;
  for (std::size_t d = 0; d < kinds.size(); ++d)
    (kinds[d] == Kind::identity ? of_member_ : elements_) *= extents[d];
  of_call_ = of_member_ * side.side.batch;
  all_ = of_call_ * side.repeats;
  if (of_member_ == 1) return;
  places_.resize(of_member_ * elements_);
  for (std::uint64_t element = 0; element < places_.size(); ++element) {
    std::uint64_t left = element, stride = 1, place = 0;
    for (std::size_t d = extents.size(); d-- > 0; left /= extents[d]) {
      if (kinds[d] != Kind::identity) continue;
      place += left % extents[d] * stride;
      stride *= extents[d];
    }
    places_[element] = static_cast<std::uint32_t>(place);
  }
}

bool can_differ(const Case& problem, const Repeated& source) {
  return Strangers(problem, source).of_call() > 1 && !overlaps(source.side);
}

std::vector<int> exponents(const Case& problem, const Repeated& source) {
  const Strangers strangers(problem, source);
  std::vector<int> all(strangers.all());
  if (!can_differ(problem, source)) return all;
  Random random = random_of(problem, 1);
  const int span = octaves(problem.precision);
  int low = -span / 2;
  if (problem.precision == Precision::f16) {
    // f16 stores both sides: small signals if results grow, large ones otherwise.
    const bool grows = problem.scale() * std::sqrt(static_cast<double>(problem.points())) > 1;
    low = grows ? -span : 0;
  }
  const bool up = random.below(2) == 0;
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    const std::uint64_t in_call = i % strangers.of_call();
    const int chance = static_cast<int>(random.below(static_cast<std::uint64_t>(span) + 1));
    all[i] = low + (in_call > 1 ? chance : (in_call == 1) == up ? span : 0);
  }
  return all;
}

std::vector<Poison> poisons(const Case& problem, const Repeated& source) {
  const Strangers strangers(problem, source);
  const std::uint64_t count = strangers.of_call();
  Random random = random_of(problem, 2);
  // In a half spectrum the other half would need the same poison, except at frequency 0.
  const bool anywhere = !problem.real() || source.side.real;
  constexpr double kValues[] = {std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()};
  std::vector<Poison> all;
  for (std::uint64_t first = 0; first < strangers.all(); first += count) {
    const std::uint64_t ill = random.below(count),
                        well = (ill + 1 + random.below(count - 1)) % count;
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool chance = random.below(2) == 0;
      if (i == well || (i != ill && chance)) continue;
      all.push_back({first + i, anywhere ? random.below(strangers.elements()) : 0,
                     kValues[random.below(std::size(kValues))]});
    }
  }
  return all;
}

Repeated repeated_side(const Case& problem, bool source, std::uint64_t pooled) {
  const Side side = side_of(problem, source);
  if (problem.real() && problem.placement == Placement::in_place) return {side};
  const std::uint64_t elements = side_of(problem, false).size() * problem.batch;
  return {side, base::ceil_divide(pooled, elements), kGuard};
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> conjugates(const Case& problem) {
  const auto kinds = problem.kinds();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  if (std::count(kinds.begin(), kinds.end(), Kind::complex) == 0) return pairs;
  const auto& lengths = problem.lengths;
  const std::uint64_t n = lengths.back(), row = n / 2 + 1;
  std::uint64_t rows = 1;
  for (std::size_t d = 0; d + 1 < lengths.size(); ++d) rows *= lengths[d];
  for (std::uint64_t at = 0; at < rows; ++at) {
    // The row with the opposite frequency along every complex axis.
    std::uint64_t opposite = 0, left = at, stride = 1;
    for (std::size_t d = lengths.size() - 1; d-- > 0;) {
      const std::uint64_t k = left % lengths[d];
      left /= lengths[d];
      opposite += stride * (kinds[d] == Kind::complex ? (lengths[d] - k) % lengths[d] : k);
      stride *= lengths[d];
    }
    if (at > opposite) continue;
    pairs.emplace_back(at * row, opposite * row);
    if (n % 2 == 0) pairs.emplace_back(at * row + row - 1, opposite * row + row - 1);
  }
  return pairs;
}

}  // namespace imago::catalogue
