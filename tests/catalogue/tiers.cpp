// This file chooses the cases of the two tiers. A new kernel costs up to a second of compilation, a
// new batch or offset a few milliseconds: so few variants, and several cases of each.
#include <algorithm>
#include <array>
#include <cmath>

#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "catalogue/variants.hpp"

namespace imago::catalogue {
namespace {

constexpr std::uint64_t kCiLimit = std::uint64_t{1} << 17;  // longest length of the CI tier
constexpr std::uint64_t kEveryCombination = 1024, kOneCombination = 4096;
constexpr std::uint64_t kLongest32 = std::uint64_t{1} << 24, kLongest64 = std::uint64_t{1} << 22;
constexpr std::uint64_t kElements = std::uint64_t{1} << 16;  // of a case whose batch is not 1
constexpr std::array kMappings{Mapping::vector, Mapping::work_group};
constexpr std::array kDirections{Direction::forward, Direction::inverse};

std::vector<Precision> precisions(const device::Facts& facts) {
  if (facts.f64) return {Precision::f32, Precision::f64};
  return {Precision::f32};
}

Parameters forced(Mapping mapping, Algorithm algorithm = Algorithm::automatic) {
  Parameters parameters;
  parameters.mapping = mapping;
  parameters.algorithm = algorithm;
  return parameters;
}

/// Whether the planner may refuse it. What forces no algorithm must work, so that its case stays
/// and fails.
bool may_be_illegal(const Variant& variant) {
  return variant.parameters.algorithm != Algorithm::automatic ||
         !variant.parameters.kernels.empty();
}

void shuffle(std::vector<Variant>& variants, Random& random) {
  for (std::size_t i = variants.size(); i > 1; --i)
    std::swap(variants[i - 1], variants[random.below(i)]);
}

/// Seeded lengths, spread evenly over the octaves from `low` to `high`.
std::vector<std::uint64_t> sample(std::uint64_t low, std::uint64_t high, std::size_t count,
                                  Random& random) {
  const auto lengths = planned_lengths(high);
  std::vector<std::uint64_t> chosen;
  const double octaves = std::log2(static_cast<double>(high) / static_cast<double>(low));
  for (std::size_t i = 0; i < count; ++i) {
    const double at =
        (static_cast<double>(i) + (random.uniform() + 1) / 2) / static_cast<double>(count);
    const auto wish =
        static_cast<std::uint64_t>(static_cast<double>(low) * std::exp2(octaves * at));
    chosen.push_back(*std::prev(std::upper_bound(lengths.begin(), lengths.end(), wish)));
  }
  return chosen;
}

/// Builds the CI tier.
class CiTier {
 public:
  CiTier(std::uint64_t seed, const device::Facts& facts)
      : facts_(facts), random_(seed), rotation_(seed) {}

  std::vector<Case> cases() {
    for (const auto precision : precisions(facts_)) {
      for (const auto mapping : kMappings) {
        add_boundaries(mapping, precision);
        cover(mapping, precision);
      }
    }
    add_crosses();
    add_automatic();
    return std::move(cases_);
  }

 private:
  /// Gives the next variant its direction and scale in turn.
  Variant variant(std::uint64_t length, Precision precision, const Parameters& parameters) {
    const std::uint64_t turn = turn_++;
    return {length, precision, kDirections[turn % 2], turn / 2 % 2 == 1, parameters};
  }

  void add(const Variant& variant) {
    const auto program = program_of(variant, facts_);
    if (!program && may_be_illegal(variant)) return;
    if (program) covered_.merge(features(variant, *program));
    rotation_.append(cases_, variant, 1, kElements);
  }

  void add_boundaries(Mapping mapping, Precision precision) {
    const Variant like{1, precision, Direction::forward, false, forced(mapping)};
    for (const auto length : boundaries(like, kCiLimit, facts_))
      add(variant(length, precision, like.parameters));
  }

  /// Adds variants until every word that the planner can produce is covered.
  void cover(Mapping mapping, Precision precision) {
    std::vector<Variant> candidates;
    const auto all = [&](Algorithm algorithm, const std::vector<std::uint64_t>& lengths) {
      for (const auto length : lengths) {
        candidates.push_back(variant(length, precision, forced(mapping, algorithm)));
      }
    };
    all(Algorithm::automatic, planned_lengths(kEveryCombination));
    all(Algorithm::automatic, sample(kEveryCombination, kCiLimit, 200, random_));
    all(Algorithm::hierarchy, sample(64, kCiLimit, 100, random_));
    all(Algorithm::global, sample(4, kOneCombination, 100, random_));
    shuffle(candidates, random_);
    for (const auto& chosen : catalogue::cover(candidates, facts_, covered_)) {
      rotation_.append(cases_, chosen, 1, kElements);
    }
  }

  /// Every batch, placement, direction and norm on a few lengths, one of them in three kernels.
  void add_crosses() {
    for (const auto mapping : kMappings) {
      for (const std::uint64_t length : {1, 12, 64, 1000}) {
        cross(length, forced(mapping));
      }
      cross(3600, forced(mapping, Algorithm::hierarchy));
      Parameters three = forced(mapping, Algorithm::hierarchy);
      three.kernels.resize(3);
      three.kernels[0].length = 12;
      three.kernels[1].length = 16;
      three.kernels[2].length = 10;
      cross(1920, three);
    }
  }

  void cross(std::uint64_t length, const Parameters& parameters) {
    for (const auto direction : kDirections) {
      const bool scaled = turn_++ / 2 % 2 == (direction == Direction::forward ? 0 : 1);
      const Variant variant{length, Precision::f32, direction, scaled, parameters};
      if (program_of(variant, facts_)) rotation_.append_all(cases_, variant);
    }
  }

  /// What a user gets who forces nothing.
  void add_automatic() {
    for (const auto precision : precisions(facts_)) {
      for (const std::uint64_t length : {16, 360, 4096, 65536}) add(variant(length, precision, {}));
    }
  }

  const device::Facts& facts_;
  Random random_;
  Rotation rotation_;
  std::uint64_t turn_ = 0;
  std::set<std::string> covered_;
  std::vector<Case> cases_;
};

/// Builds the full tier.
class FullTier {
 public:
  FullTier(std::uint64_t seed, const device::Facts& facts)
      : facts_(facts), random_(seed), rotation_(seed) {}

  std::vector<Case> cases() {
    add_every_combination();
    add_one_combination();
    add_algorithms();
    for (const auto precision : precisions(facts_)) add_long(precision);
    return std::move(cases_);
  }

 private:
  void add(const Variant& variant, std::size_t per_placement) {
    if (may_be_illegal(variant) && !program_of(variant, facts_)) return;
    rotation_.append(cases_, variant, per_placement, kElements);
  }

  void add_every_combination() {
    for (const auto length : planned_lengths(kEveryCombination)) {
      for (const auto precision : precisions(facts_)) {
        for (const auto mapping : kMappings) {
          for (const auto direction : kDirections) {
            add({length, precision, direction, scaled(), forced(mapping)}, 2);
          }
        }
      }
    }
  }

  void add_one_combination() {
    for (const auto length : planned_lengths(kOneCombination)) {
      if (length > kEveryCombination) add(rotated(length, Algorithm::automatic), 1);
    }
  }

  /// The algorithms that the planner would not choose by itself.
  void add_algorithms() {
    for (const auto algorithm : {Algorithm::hierarchy, Algorithm::global}) {
      for (const auto length : sample(16, kOneCombination, 60, random_))
        add(rotated(length, algorithm), 1);
    }
  }

  void add_long(Precision precision) {
    const std::uint64_t limit = precision == Precision::f32 ? kLongest32 : kLongest64;
    std::vector<std::uint64_t> lengths = sample(kOneCombination, limit, 24, random_);
    for (const std::uint64_t base : {2, 3, 5, 7, 10, 11, 13}) {
      for (std::uint64_t power = base; power <= limit; power *= base) {
        if (power > kOneCombination) lengths.push_back(power);
      }
    }
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    for (const auto length : lengths) {
      for (const auto mapping : kMappings) {
        Variant variant = rotated(length, Algorithm::automatic);
        variant.precision = precision;
        variant.parameters.mapping = mapping;
        add(variant, 1);
      }
    }
  }

  bool scaled() { return turn_++ / 3 % 2 == 1; }

  /// The next of the combinations of precision, mapping, direction and scale.
  Variant rotated(std::uint64_t length, Algorithm algorithm) {
    const auto available = precisions(facts_);
    const std::uint64_t turn = rotated_++;
    return {length, available[turn / 4 % available.size()], kDirections[turn / 2 % 2],
            turn / 8 % 2 == 1, forced(kMappings[turn % 2], algorithm)};
  }

  const device::Facts& facts_;
  Random random_;
  Rotation rotation_;
  std::uint64_t turn_ = 0, rotated_ = 0;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<Case> cases(Tier tier, std::uint64_t seed, const device::Facts& facts) {
  return tier == Tier::ci ? CiTier(seed, facts).cases() : FullTier(seed, facts).cases();
}

}  // namespace imago::catalogue
