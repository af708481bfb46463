// This file chooses the cases of the two tiers. A new kernel costs up to a second of compilation, a
// new batch or offset a few milliseconds. Therefore there are few variants, and several cases of
// each.
#include <algorithm>
#include <array>

#include "catalogue/catalogue.hpp"
#include "catalogue/cosine_blocks.hpp"
#include "catalogue/lengths.hpp"
#include "catalogue/planned_lengths.hpp"
#include "catalogue/random.hpp"
#include "catalogue/shapes.hpp"
#include "catalogue/variants.hpp"

namespace imago::catalogue {
namespace {

constexpr std::uint64_t kCiLimit = std::uint64_t{1} << 17;  // longest length of the CI tier
constexpr std::uint64_t kEveryCombination = 1024, kOneCombination = 4096;
constexpr std::uint64_t kHalf = 256;  // f16 has every length up to it
constexpr std::uint64_t kLongestPrime = 1000000;
constexpr std::size_t kPrimes = 40, kShapes = 700;
constexpr std::uint64_t kLongest32 = std::uint64_t{1} << 24, kLongest64 = std::uint64_t{1} << 22;
constexpr std::uint64_t kElements = std::uint64_t{1} << 16;  // limit of a case whose batch is not 1
constexpr std::array kMappings{Mapping::vector, Mapping::work_group};
constexpr std::array kDirections{Direction::forward, Direction::inverse};
constexpr std::array kKinds{Kind::complex, Kind::real};
constexpr std::array kCosines{Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                              Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};
constexpr std::uint64_t kLongestCosine = std::uint64_t{1} << 20;

/// f16 on either side, with kernels that pass values on to each other or load them one by one. Both
/// mappings run them.
constexpr std::array kHalves{"6x8*3-f16-out-forward-none-s3:11.1/80-t5+0",
                             "24x18*5-f16-out-inverse-ortho-s1+0:planar-t3+2:planar",
                             "200x300*2-f16-in-forward-ortho-s7+0",
                             "6x10x34*2-f16-in-inverse-ortho-real",
                             "12x90*3-f16-out-inverse-forward-real-s5+1-t3:1.12/1081",
                             "4x8*3-f16-in-forward-none-s0:1.4/32-t0:8.1/32",
                             "37x6*4-f16-out-forward-none-axes_ic-s1/50",
                             "1080*3-f16-out-forward-ortho-real-hierarchy",
                             "1080*3-f16-in-inverse-ortho-real-hierarchy",
                             "480*3-f16-in-forward-ortho-s3+2:planar-hierarchy",
                             "480*3-f16-out-inverse-ortho-s1:3/1501-global",
                             "101*9-f16-in-forward-none-s1+1-rader",
                             "100*5-f16-out-forward-none-s1+0:planar-t5+3-bluestein",
                             "180*3-f16-in-inverse-backward-s1+0-bluestein-k16-k24"};

/// Half spectra that one of several kernels folds: even and odd numbers of columns, partly filled
/// tiles, one pass and several, gaps and neighbours on either side, in place.
constexpr std::array kFolded{
    "72*3-f32-out-forward-backward-real-work_group-hierarchy",
    "72*3-f64-out-inverse-backward-real-work_group-hierarchy",
    "90*5-f32-in-forward-ortho-real-work_group-hierarchy-k9-k5",
    "90*5-f32-in-inverse-none-real-work_group-hierarchy-k9-k5",
    "1260*7-f32-out-forward-none-real-s3+1-t1+2-work_group-hierarchy-k7-k90:c6",
    "1260*7-f64-out-inverse-none-real-s3+1-t1+2-work_group-hierarchy-k90:c6-k7",
    "4x720*3-f32-out-forward-ortho-real-s3+120-t0:400.1/2000:planar-work_group-hierarchy",
    "4x720*3-f32-out-inverse-ortho-real-s0:400.1/2000:planar-t3+120-work_group-hierarchy",
    "720*7-f32-out-forward-ortho-real-s1:7/1-t2:7/1-work_group-hierarchy",
    "720*7-f32-out-inverse-ortho-real-s1:7/1-t2:7/1-work_group-hierarchy",
    "1920*3-f32-in-forward-none-real-work_group-hierarchy-k8-k10-k12",
    "1920*3-f32-in-inverse-backward-real-work_group-hierarchy-k8-k10-k12",
    "2310*3-f32-out-forward-backward-real-work_group-global",
    "2310*3-f32-in-inverse-backward-real-work_group-global",
    "6x37044*1-f32-in-forward-backward-real-work_group",
    "6x37044*1-f32-out-inverse-backward-real-work_group",
    "131072*1-f64-out-forward-none-real-work_group"};

/// The precisions with their own arithmetic; f16 is a storage format only.
constexpr std::array kPrecisions{Precision::f32, Precision::f64};
constexpr std::array kAllPrecisions{Precision::f32, Precision::f64, Precision::f16};

Parameters forced(Mapping mapping, Algorithm algorithm = Algorithm::automatic) {
  Parameters parameters;
  parameters.mapping = mapping;
  parameters.algorithm = algorithm;
  return parameters;
}

/// Returns true if the planner may reject the variant. A variant that forces no algorithm must
/// work, so its case stays and fails.
bool may_be_illegal(const Variant& variant) {
  return variant.parameters.algorithm != Algorithm::automatic ||
         !variant.parameters.kernels.empty();
}

void shuffle(std::vector<Variant>& variants, Random& random) {
  for (std::size_t i = variants.size(); i > 1; --i)
    std::swap(variants[i - 1], variants[random.below(i)]);
}

/// Returns a cosine or sine transform. All other properties are random; taken in turn, they would
/// always combine the same kinds and residues of the lengths.
Variant cosine(Kind kind, std::uint64_t length, Random& random) {
  const auto available = kPrecisions;
  Variant variant{length, available[random.below(available.size())], kDirections[random.below(2)],
                  random.below(2) == 1, forced(kMappings[random.below(2)])};
  variant.kind = kind;
  return variant;
}

bool exists(Kind kind, std::uint64_t length) { return kind != Kind::dct1 || length > 1; }

/// Builds the CI tier.
class CiTier {
 public:
  CiTier(std::uint64_t seed, const device::Facts& facts)
      : facts_(facts), random_(seed), rotation_(seed) {}

  std::vector<Case> cases() {
    for (const auto precision : kPrecisions) {
      for (const auto mapping : kMappings) {
        add_boundaries(mapping, precision);
        cover(mapping, precision);
      }
    }
    add_crosses();
    add_automatic();
    add_rough();
    add_real();
    add_cosines();
    add_halves();
    for (const bool plain : {true, true, false}) {
      for (const Traits& traits : pairwise(random_, plain))
        cases_.push_back(make_case(traits, random_));
    }
    return std::move(cases_);
  }

 private:
  /// Returns the next variant, with direction and scale in turn.
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

  /// Adds every batch, placement, direction and norm for a few lengths, one of them in three
  /// kernels.
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

  /// Adds cases without forced parameters, as most users have them.
  void add_automatic() {
    for (const auto precision : kAllPrecisions) {
      for (const std::uint64_t length : {16, 360, 4096, 65536}) add(variant(length, precision, {}));
    }
  }

  /// Adds lengths with large prime factors, among them primes p with smooth and with rough p-1.
  void add_rough() {
    for (const std::uint64_t length : {17, 31, 37, 47, 59, 97, 167, 257, 1007, 2053, 8191, 65537}) {
      const auto mapping = kMappings[turn_ / 2 % 2];
      add(variant(length, Precision::f32, forced(mapping)));
    }
    for (const auto length : rough_lengths(64, kCiLimit, 6, random_)) {
      for (const auto precision : kPrecisions) add(variant(length, precision, {}));
    }
  }

  void add_real() {
    const auto add_length = [&](std::uint64_t length) {
      const auto available = kAllPrecisions;
      Variant real =
          variant(length, available[turn_ % available.size()], forced(kMappings[turn_ / 2 % 2]));
      real.kind = Kind::real;
      add(real);
    };
    for (const std::uint64_t length : {1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 34, 97, 360, 1024, 4095})
      add_length(length);
    for (const auto length : sample(64, kCiLimit, 8, random_)) add_length(length);
    for (const char* const name : kFolded) {
      cases_.push_back(parse(name));
    }
  }

  /// Adds three kinds of each length, in turn, around the lengths at which the algorithms change.
  void add_cosines() {
    std::size_t next = 0;
    for (const std::uint64_t length :
         {1,    2,    3,    4,    5,    7,    8,     15,    16,    17,   31,
          32,   33,   64,   97,   100,  128,  255,   256,   257,   1000, 1023,
          1024, 1025, 2048, 4096, 8191, 8192, 16384, 65536, 131072}) {
      for (int i = 0; i < 3; ++i) {
        const Kind kind = kCosines[next++ % kCosines.size()];
        if (exists(kind, length)) add(cosine(kind, length, random_));
      }
    }
    for (const Case& block : cosine_blocks()) cases_.push_back(block);
  }

  void add_halves() {
    for (const char* name : kHalves) {
      for (const auto mapping : kMappings) {
        cases_.push_back(parse(name));
        cases_.back().parameters.mapping = mapping;
      }
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
    add_every_length();
    add_algorithms();
    add_rough();
    add_cosines();
    for (std::size_t i = 0; i < kShapes; ++i)
      cases_.push_back(make_case(random_traits(random_), random_));
    for (const auto precision : kPrecisions) add_long(precision);
    return std::move(cases_);
  }

 private:
  void add(const Variant& variant, std::size_t per_placement) {
    if (may_be_illegal(variant) && !program_of(variant, facts_)) return;
    rotation_.append(cases_, variant, per_placement, kElements);
  }

  void add_every_combination() {
    for (const auto length : planned_lengths(kEveryCombination)) {
      for (const auto precision : kPrecisions) {
        for (const auto mapping : kMappings) {
          for (const auto direction : kDirections) {
            add({length, precision, direction, scaled(), forced(mapping)}, 2);
          }
        }
      }
    }
  }

  /// Adds one combination of each length, kind and precision that is missing.
  void add_every_length() {
    const auto combined = planned_lengths(kEveryCombination);
    for (std::uint64_t length = 1; length <= kOneCombination; ++length) {
      const bool there = std::binary_search(combined.begin(), combined.end(), length);
      for (const auto kind : kKinds) {
        for (const auto precision : kPrecisions) {
          if (kind == Kind::real || !there) add_rotated(length, precision, kind);
        }
        if (length <= kHalf) add_rotated(length, Precision::f16, kind);
      }
    }
  }

  void add_rough() {
    for (const auto length : rough_lengths(kOneCombination, kLongestPrime, kPrimes, random_)) {
      for (const auto kind : kKinds) {
        for (const auto precision : kPrecisions) add_rotated(length, precision, kind);
      }
    }
  }

  /// Adds every kind of every length to 1024, and a few kinds of some lengths to 2^20.
  void add_cosines() {
    const auto add_one = [this](Kind kind, std::uint64_t length) {
      if (exists(kind, length)) add(cosine(kind, length, random_), 1);
    };
    for (std::uint64_t length = 1; length <= kEveryCombination; ++length)
      for (const Kind kind : kCosines) add_one(kind, length);
    for (std::uint64_t length = 2 * kEveryCombination; length <= kLongestCosine; length *= 2) {
      for (const Kind kind : kCosines) add_one(kind, length);
      add_one(Kind::dct1, length + 1);  // these two are a DFT of 2 * length
      add_one(Kind::dst1, length - 1);
    }
    auto lengths = rough_lengths(kEveryCombination, kLongestCosine, kPrimes / 2, random_);
    for (const std::uint64_t base : {3, 5, 7, 10, 11, 13})
      for (std::uint64_t power = base; power <= kLongestCosine; power *= base)
        if (power > kEveryCombination) lengths.push_back(power);
    std::size_t next = 0;
    for (const auto length : lengths)
      for (int i = 0; i < 3; ++i) add_one(kCosines[next++ % kCosines.size()], length);
    for (const Case& block : cosine_blocks()) cases_.push_back(block);
  }

  void add_rotated(std::uint64_t length, Precision precision, Kind kind) {
    Variant variant = rotated(length, Algorithm::automatic);
    variant.precision = precision;
    variant.kind = kind;
    add(variant, 1);
  }

  /// Adds the algorithms that the planner would not choose.
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
      add_rotated(length, precision, Kind::real);
    }
  }

  bool scaled() { return turn_++ / 3 % 2 == 1; }

  /// Returns the next combination of precision, mapping, direction and scale.
  Variant rotated(std::uint64_t length, Algorithm algorithm) {
    const auto available = kPrecisions;
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
  auto all = tier == Tier::ci ? CiTier(seed, facts).cases() : FullTier(seed, facts).cases();
  std::set<std::string> names;  // two variants may have led to the same case
  std::erase_if(all, [&](const Case& each) { return !names.insert(each.name()).second; });
  return all;
}

}  // namespace imago::catalogue
