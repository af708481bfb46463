// This file generates shapes and layouts.
#include "catalogue/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/integers.hpp"

namespace imago::catalogue {
namespace {

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 16;
// Largest extents of the main axis and of the others, by rank.
constexpr std::array<std::uint64_t, 4> kMain{4096, 400, 120, 74}, kOther{1, 40, 12, 6};
constexpr std::uint64_t kShortestSeveral = 8192, kLongestSeveral = 32768, kOtherSeveral = 2;

template <class Value>
Value one_of(Random& random, std::initializer_list<Value> values) {
  return *(values.begin() + random.below(values.size()));
}

bool in_place(const Traits& t) { return t.placement == Placement::in_place; }
/// Returns true if the last axis is real.
bool real(const Traits& t) {
  return t.axes == Axes::real || t.axes == Axes::some_real || t.axes == Axes::cosines_of_real;
}
bool has_cosines(const Traits& t) {
  return t.axes == Axes::cosines || t.axes == Axes::cosines_of_complex ||
         t.axes == Axes::cosines_of_real;
}

/// Returns true if only the last axis of a real transform is transformed.
bool only_rows(const Traits& t) { return t.rank == 1; }

/// Returns true for a transform in place from one layout to another.
bool moves(const Traits& t) { return in_place(t) && t.target == Spread::permuted; }

void repair_spread(const Traits& t, bool source, Spread& spread) {
  if (moves(t)) return;
  const bool half = real(t) && in_place(t);  // the last axis stays the innermost
  if (spread == Spread::windows && (!source || in_place(t))) spread = Spread::gaps;
  // Half spectra in several dimensions are symmetric, so overlapping windows are impossible.
  if (spread == Spread::windows && real(t) && t.direction == Direction::inverse && !only_rows(t))
    spread = Spread::gaps;
  if (spread == Spread::between && t.rank == 1) spread = Spread::innermost;
  if (spread == Spread::innermost && half) spread = t.rank == 1 ? Spread::gaps : Spread::between;
  if (spread == Spread::permuted && (t.rank == 1 || (half && t.rank == 2))) spread = Spread::gaps;
}

bool needs_batch(Spread spread) {
  return spread == Spread::windows || spread == Spread::innermost || spread == Spread::between;
}

/// Changes traits that are not compatible.
void repair(Traits& t) {
  if (t.rank == 1 && t.axes == Axes::some_complex) t.axes = Axes::complex;
  if (t.rank == 1 && t.axes == Axes::some_real) t.axes = Axes::real;
  if (t.rank == 1 && has_cosines(t)) t.axes = Axes::cosines;
  if (t.axes == Axes::cosines) t.source_storage = t.target_storage = Storage::interleaved;
  const bool forward = t.direction == Direction::forward;
  if (real(t)) (forward ? t.source_storage : t.target_storage) = Storage::interleaved;
  if (in_place(t)) {
    if (real(t)) t.source_storage = Storage::interleaved;
    t.target_storage = t.source_storage;
    if (t.target != Spread::permuted || (!real(t) && t.rank == 1)) t.target = Spread::packed;
    if (t.target == Spread::permuted) t.source = Spread::permuted;
  }
  repair_spread(t, true, t.source);
  if (!in_place(t)) repair_spread(t, false, t.target);
  if ((needs_batch(t.source) || needs_batch(t.target)) && t.batch == Batch::one)
    t.batch = Batch::few;
}

std::uint64_t between(Random& random, std::uint64_t low, std::uint64_t high) {
  return low + random.below(high - low + 1);
}

/// Returns a number that is log-uniform between low and high.
std::uint64_t spread_evenly(Random& random, std::uint64_t low, std::uint64_t high) {
  const double octaves = std::log2(static_cast<double>(high) / static_cast<double>(low));
  return static_cast<std::uint64_t>(static_cast<double>(low) *
                                    std::exp2(octaves * (random.uniform() + 1) / 2));
}

bool fits(Sizes sizes, std::uint64_t length) {
  const std::uint64_t prime = base::largest_prime_factor(length);
  switch (sizes) {
    case Sizes::powers:
      return base::is_power_of_two(length);
    case Sizes::smooth:
      return prime <= 13 && !base::is_power_of_two(length);
    case Sizes::primes:
      return prime > 13 && prime <= 31;
    case Sizes::large:
      return prime > 31;
    case Sizes::several:
      return prime <= 13;
  }
  return false;
}

std::vector<std::uint64_t> make_lengths(const Traits& t, Random& random) {
  const bool several = t.sizes == Sizes::several;
  const std::uint64_t low = several ? kShortestSeveral : 2,
                      high = several ? kLongestSeveral : kMain[t.rank - 1];
  std::vector<std::uint64_t> lengths(t.rank, 1);
  for (auto& length : lengths) {
    if (t.rank > 1 && random.below(8) > 0)
      length = spread_evenly(random, 2, several ? kOtherSeveral + 1 : kOther[t.rank - 1] + 1);
  }
  auto& main = lengths[random.below(t.rank)];
  do main = spread_evenly(random, low, high + 1);
  while (!fits(t.sizes, main));
  return lengths;
}

Kind cosine_kind(Random& random, std::uint64_t length) {
  const Kind kind = one_of(random, {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1,
                                    Kind::dst2, Kind::dst3, Kind::dst4});
  return kind == Kind::dct1 && length == 1 ? Kind::dct2 : kind;
}

/// Sets cosine and sine transforms along at least one axis, and keeps one axis for complex numbers
/// if the traits need it.
void set_cosines(const Traits& t, Random& random, Case& problem) {
  const bool beside = t.axes != Axes::cosines;
  for (std::size_t d = 0; d < t.rank; ++d)
    problem.axes.push_back(cosine_kind(random, problem.lengths[d]));
  if (beside) {
    const std::size_t at = real(t) ? t.rank - 1 : random.below(t.rank);
    problem.axes[at] = real(t) ? Kind::real : Kind::complex;
  }
  if (t.rank - (beside ? 1 : 0) < 2 || random.below(2) == 0) return;
  const auto first = std::find_if(problem.axes.begin(), problem.axes.end(), is_trigonometric);
  *first = !beside || random.below(2) == 0 ? Kind::identity : Kind::complex;
}

void set_axes(const Traits& t, Random& random, Case& problem) {
  if (has_cosines(t)) return set_cosines(t, random, problem);
  problem.kind = t.axes == Axes::real ? Kind::real : Kind::complex;
  if (t.axes == Axes::complex || t.axes == Axes::real) return;
  problem.axes.assign(t.rank, Kind::complex);
  if (t.axes == Axes::some_real) problem.axes.back() = Kind::real;
  // The longest axis stays, and so does a real one.
  const auto main = static_cast<std::size_t>(
      std::max_element(problem.lengths.begin(), problem.lengths.end()) - problem.lengths.begin());
  for (std::size_t d = 0; d < t.rank; ++d) {
    if (d != main && problem.axes[d] != Kind::real && random.below(2) == 0)
      problem.axes[d] = Kind::identity;
  }
  if (std::count(problem.axes.begin(), problem.axes.end(), Kind::identity) == 0)
    problem.axes[main == 0 && t.axes == Axes::some_complex ? 1 : 0] = Kind::identity;
}

std::uint64_t make_batch(const Traits& t, Random& random, const Case& problem) {
  std::uint64_t size = 1;
  for (const auto length : problem.lengths) size *= length;
  const std::uint64_t most = std::max<std::uint64_t>(2, kMostElements / size);
  switch (t.batch) {
    case Batch::one:
      return 1;
    case Batch::few:
      return std::min(most, between(random, 2, 5));
    case Batch::many:
      return std::min(most, between(random, 16, 70));
  }
  return 1;
}

/// Dimensions from the innermost to the outermost; the batch is number `rank`.
using Order = std::vector<std::size_t>;

Order make_order(Spread spread, std::size_t rank, bool last_first, Random& random) {
  Order order(rank + 1);
  for (std::size_t d = 0; d < rank; ++d) order[d] = rank - 1 - d;
  order[rank] = rank;
  if (spread == Spread::permuted) {
    const Order rows = order;
    const std::size_t fixed = last_first ? 1 : 0;
    while (order == rows) {
      for (std::size_t i = rank; i > fixed + 1; --i)
        std::swap(order[i - 1], order[fixed + random.below(i - fixed)]);
    }
  }
  if (spread == Spread::innermost || spread == Spread::between) {
    order.pop_back();
    const std::size_t at = spread == Spread::innermost ? 0 : between(random, 1, rank - 1);
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(at), rank);
  }
  return order;
}

/// Returns strides in this order, each beyond the range of the inner dimensions.
Layout strided(const std::vector<std::uint64_t>& extents, std::uint64_t batch, const Order& order,
               bool gaps, bool first_dense, Random& random) {
  Layout layout;
  layout.strides.resize(extents.size());
  std::uint64_t stride = gaps && !first_dense ? between(random, 1, 3) : 1;
  for (const std::size_t d : order) {
    const bool member = d == extents.size();
    (member ? layout.distance : layout.strides[d]) = stride;
    stride *= member ? batch : extents[d];
    if (gaps) stride += random.below(4);
  }
  if (batch == 1) layout.distance = 0;
  return layout;
}

/// Converts counts of complex numbers to counts of real numbers.
void doubled(Layout& layout) {
  layout.offset *= 2;
  layout.distance *= 2;
  for (std::size_t d = 0; d + 1 < layout.strides.size(); ++d) layout.strides[d] *= 2;
}

Layout lay_out(const Case& problem, bool source, Spread spread, Random& random) {
  if (spread == Spread::packed) return {};
  Layout layout;
  if (spread == Spread::windows) {
    const std::uint64_t size = packed_size(problem, source);
    layout.distance = between(random, 1, std::max<std::uint64_t>(1, size - 1));
    layout.offset = random.below(9);
    return layout;
  }
  // In place with a real axis, the layout is that of the spectrum, whose rows are complete.
  const bool half = problem.real() && problem.placement == Placement::in_place;
  const auto sizes = half ? extents(problem, is_real(problem, false)) : extents(problem, source);
  const auto order = make_order(spread, sizes.size(), half, random);
  const bool gaps = spread == Spread::gaps || random.below(3) == 0;
  layout = strided(sizes, problem.batch, order, gaps, half, random);
  layout.offset = random.below(9);
  if (half && is_real(problem, source)) doubled(layout);
  return layout;
}

/// Sets layouts in place with two different orders of the dimensions. Complex data has no gaps,
/// because they would be at different places.
void lay_out_moved(Case& problem, Random& random) {
  const std::uint64_t offset = random.below(9);
  const auto side = [&](bool source) {
    const auto sizes = extents(problem, source);
    const bool gaps = problem.real() && random.below(2) == 0;
    const Spread spread =
        sizes.size() > 1 ? one_of(random, {Spread::permuted, Spread::gaps}) : Spread::innermost;
    const auto order = make_order(spread, sizes.size(), false, random);
    Layout layout = strided(sizes, problem.batch, order, gaps, false, random);
    layout.offset = problem.real() ? random.below(9) : offset;
    return layout;
  };
  problem.source = side(true);
  problem.target = side(false);
}

}  // namespace

std::array<unsigned, 12> Traits::values() const {
  const auto number = [](auto value) { return static_cast<unsigned>(value); };
  return {rank,
          number(axes),
          number(sizes),
          number(batch),
          number(precision),
          number(placement),
          number(direction),
          number(source),
          number(target),
          number(source_storage),
          number(target_storage),
          number(mapping)};
}

Traits random_traits(Random& random) {
  const auto spread = [&] {
    return one_of(random, {Spread::packed, Spread::gaps, Spread::permuted, Spread::innermost,
                           Spread::between, Spread::windows});
  };
  const auto storage = [&] { return one_of(random, {Storage::interleaved, Storage::planar}); };
  Traits t;
  t.rank = static_cast<unsigned>(between(random, 1, 4));
  t.axes = one_of(random, {Axes::complex, Axes::real, Axes::some_complex, Axes::some_real,
                           Axes::cosines, Axes::cosines_of_complex, Axes::cosines_of_real});
  t.sizes =
      one_of(random, {Sizes::powers, Sizes::smooth, Sizes::primes, Sizes::large, Sizes::several});
  t.batch = one_of(random, {Batch::one, Batch::few, Batch::many});
  t.precision = one_of(random, {Precision::f16, Precision::f32, Precision::f64});
  t.placement = one_of(random, {Placement::out_of_place, Placement::in_place});
  t.direction = one_of(random, {Direction::forward, Direction::inverse});
  t.source = spread();
  t.target = spread();
  t.source_storage = storage();
  t.target_storage = storage();
  t.mapping = one_of(random, {Mapping::vector, Mapping::work_group});
  repair(t);
  return t;
}

Case make_case(const Traits& t, Random& random) {
  Case problem;
  problem.lengths = make_lengths(t, random);
  set_axes(t, random, problem);
  problem.batch = make_batch(t, random, problem);
  problem.precision = t.precision;
  problem.placement = t.placement;
  problem.direction = t.direction;
  problem.norm = one_of(random, {Norm::none, Norm::backward, Norm::ortho, Norm::forward});
  problem.parameters.mapping = t.mapping;
  if (moves(t)) {
    lay_out_moved(problem, random);
  } else {
    problem.source = lay_out(problem, true, t.source, random);
    if (!in_place(t)) problem.target = lay_out(problem, false, t.target, random);
  }
  problem.source.storage = t.source_storage;
  if (!in_place(t) || problem.target != Layout{}) problem.target.storage = t.target_storage;
  return problem;
}

bool is_plain(const Traits& t) {
  return !real(t) && !has_cosines(t) && t.sizes != Sizes::primes && t.sizes != Sizes::large &&
         t.precision != Precision::f16 && t.source_storage == Storage::interleaved &&
         t.target_storage == Storage::interleaved;
}

std::vector<Traits> pairwise(Random& random, bool plain) {
  constexpr int kOffers = 64, kDryRounds = 8;
  std::set<std::array<unsigned, 4>> met;  // two traits and their values
  const auto pairs_of = [](const Traits& traits) {
    std::vector<std::array<unsigned, 4>> pairs;
    const auto values = traits.values();
    for (unsigned i = 0; i < values.size(); ++i) {
      for (unsigned j = i + 1; j < values.size(); ++j)
        pairs.push_back({i, values[i], j, values[j]});
    }
    return pairs;
  };
  std::vector<Traits> chosen;
  for (int dry = 0; dry < kDryRounds;) {
    std::pair<std::ptrdiff_t, Traits> best{0, {}};
    for (int i = 0; i < kOffers; ++i) {
      Traits traits = random_traits(random);
      while (plain && !is_plain(traits)) traits = random_traits(random);
      const auto pairs = pairs_of(traits);
      const auto fresh = std::count_if(pairs.begin(), pairs.end(),
                                       [&](const auto& pair) { return met.count(pair) == 0; });
      if (fresh > best.first) best = {fresh, traits};
    }
    dry = best.first == 0 ? dry + 1 : 0;
    if (best.first == 0) continue;
    for (const auto& pair : pairs_of(best.second)) met.insert(pair);
    chosen.push_back(best.second);
  }
  return chosen;
}

}  // namespace imago::catalogue
