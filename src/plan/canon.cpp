// This file implements the canon of lines. Its costs and sizes are part of the arithmetic that
// imago promises. So they have no other users, and they change only with lines::kCanon.
#include "plan/canon.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "device/work.hpp"
#include "kernel/edges/convolved.hpp"
#include "kernel/radices.hpp"
#include "lines/canon.hpp"
#include "plan/kernel_context.hpp"
#include "plan/legality.hpp"

namespace imago::plan {
namespace {

using Lengths = std::vector<std::uint64_t>;

constexpr unsigned kLargestRadix = 16;  // larger composite ones exceed the registers of CPUs
constexpr unsigned kPointsPerItem = 16;

/// Returns an estimate of a butterfly's operations on vectors.
std::uint64_t butterfly_cost(std::uint64_t radix, bool twiddles) {
  std::uint64_t arithmetic = 0;
  for (const std::uint64_t p : base::prime_factors(radix)) arithmetic += radix * p;
  return 4 * radix + arithmetic + (twiddles ? 4 * radix : 0);
}

/// Returns the cost of a pass on vectors of adjacent points of one transform.
std::uint64_t pass_cost(std::uint64_t length, std::uint64_t done, unsigned radix, unsigned lanes) {
  if (radix > kLargestRadix && !base::is_prime(radix)) return 1'000'000'000;
  const std::uint64_t left = length / (done * radix), butterfly = butterfly_cost(radix, done > 1);
  if (left > 1) {
    const std::uint64_t width = std::min<std::uint64_t>(lanes, std::bit_floor(left));
    return done * base::ceil_divide(left, width) * (butterfly + 2);
  }
  if (done == 1) return length > kLargestRadix / 2 ? 1000 * butterfly : butterfly;
  if (done < lanes) return 1000 * done * butterfly;
  const unsigned narrow = std::min(radix, lanes);
  const std::uint64_t transposition =
      2 * radix * (base::is_power_of_two(radix) ? std::bit_width(narrow) : narrow);
  return base::ceil_divide(done, lanes) * (butterfly + transposition + 2 * radix);
}

/// Returns the lanes that the passes should fill.
unsigned lanes_for(std::uint64_t length, Precision precision) {
  constexpr std::uint64_t kFew = 32, kMany = 256;
  if (length < kFew) return 4;
  return length < kMany || precision == Precision::f64 ? 8 : 16;
}

std::vector<unsigned> radices_of(std::uint64_t length, Precision precision) {
  static const std::vector<unsigned> allowed{2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                             12, 13, 14, 15, 16, 17, 19, 23, 29, 31};
  // Vectors compute four passes of radix 8 in pairs (plan/vector/joins.hpp). On a CPU, passes of
  // radix 16 take twice as long.
  if (length == 4096 && precision != Precision::f64) return {8, 8, 8, 8};
  const unsigned lanes = lanes_for(length, precision);
  // Sums of these integers are exact in double precision.
  return kernel::cheapest(length, allowed,
                          [&](std::uint64_t done, unsigned radix) {
                            return static_cast<double>(pass_cost(length, done, radix, lanes));
                          })
      .radices;
}

/// Returns the larger of a part and the root of the rest, each to the power left - 1. Columns that
/// do not fill a tile of 16 make it larger.
std::uint64_t unevenness(std::uint64_t part, std::uint64_t rest, unsigned left) {
  constexpr std::uint64_t kRagged[] = {100, 142, 201};
  std::uint64_t power = 1;
  for (unsigned i = 1; i < left; ++i) power *= part;
  return std::max(power, rest) * kRagged[(part % 16 != 0) + (rest % 16 != 0)];
}

/// Returns n as a product of `parts` lengths up to `most`; empty if there is none.
Lengths split(std::uint64_t n, unsigned parts, std::uint64_t most) {
  if (parts == 1) return n >= 2 && n <= most ? Lengths{n} : Lengths{};
  Lengths best;
  std::uint64_t least = 0;
  for (std::uint64_t d = 2; d <= std::min(most, n / 2); ++d) {
    if (n % d != 0) continue;
    const std::uint64_t uneven = unevenness(d, n / d, parts);
    if (!best.empty() && uneven > least) continue;
    const Lengths rest = split(n / d, parts - 1, most);
    if (rest.empty()) continue;
    best = {d}, least = uneven;  // the larger of two equal ones
    best.insert(best.end(), rest.begin(), rest.end());
  }
  return best;
}

/// Returns the lengths of the kernels that transform n points.
Lengths kernels_for(std::uint64_t n, Precision precision) {
  constexpr unsigned kMostParts = 4;
  const std::uint64_t longest = lines::longest_of_canon(precision);
  if (n <= longest) return {n};
  for (unsigned parts = 2; parts <= kMostParts; ++parts) {
    Lengths found = split(n, parts, longest / 2);
    if (!found.empty()) return found;
  }
  base::unsupported("options.reproducible is true, and a line has " + std::to_string(n) + " points",
                    "use a shorter one, or plan without the option");
}

/// Returns the length of Bluestein's convolution: the least product of a power of two and a small
/// odd number.
std::uint64_t convolution_length(std::uint64_t least) {
  std::uint64_t best = std::bit_ceil(least);
  for (const std::uint64_t odd : {3, 5, 7, 9, 15})
    best = std::min(best, odd * std::bit_ceil(base::ceil_divide(least, odd)));
  return best;
}

/// Returns work-items for few points each, at most so many that a group of any device has them.
unsigned items_for(const KernelParameters& kernel, const device::Facts& facts) {
  if (kernel.radices.size() == 1) return 1;
  const std::uint64_t wished = base::ceil_divide(kernel.length, std::uint64_t{kPointsPerItem});
  return static_cast<unsigned>(std::min<std::uint64_t>(wished, facts.max_work_group));
}

/// Sets the work-items and columns of short rows that fill a GPU. The model finds no difference,
/// but on an H200 others take up to 1.4 times as long (docs/measured/h200.md, "Reproducible
/// plans").
void lay_out_short(const lines::Request& request, const device::Facts& facts,
                   KernelParameters& kernel) {
  const KernelContext context{&request};
  const bool rows = context.alone() && context.packed() && request.bare();
  if (!rows || device::work_of(request.points(), facts) != device::Work::full) return;
  if (kernel.length == 8) kernel.items = 4, kernel.columns = 32;
  if (kernel.length == 64) kernel.items = 8, kernel.columns = 4;
}

}  // namespace

Parameters canon_of(const lines::Request& request, Mapping mapping, const device::Facts& facts) {
  const std::uint64_t n = request.length, longest = lines::longest_of_canon(request.precision);
  Parameters canon{.mapping = mapping, .algorithm = Algorithm::single};
  Lengths lengths;
  if (kernel::has_radices(n)) {
    lengths = kernels_for(n, request.precision);
    if (lengths.size() > 1) canon.algorithm = Algorithm::hierarchy;
  } else if (base::is_prime(n) && n - 1 <= longest && kernel::has_radices(n - 1)) {
    canon.algorithm = Algorithm::rader;
    lengths = {n - 1};
  } else {
    canon.algorithm = Algorithm::bluestein;
    const std::uint64_t least = lengths_of(kernel::Chirp{n}).least;
    check_counted(least, n);
    lengths = kernels_for(convolution_length(least), request.precision);
  }
  for (const std::uint64_t length : lengths) {
    KernelParameters kernel{.length = length,
                            .radices = radices_of(length, request.precision),
                            .twiddles = Twiddles::table,
                            .four_step = Twiddles::product};
    if (mapping == Mapping::work_group) {
      kernel.items = items_for(kernel, facts);
      if (canon.algorithm == Algorithm::single) lay_out_short(request, facts, kernel);
    }
    canon.kernels.push_back(std::move(kernel));
  }
  return canon;
}

namespace {

[[noreturn]] void refuse(const std::string& field) {
  base::invalid(field, "not the canon's",
                "leave it automatic: options.reproducible is true, and another value would change "
                "the bits");
}

/// Adds the caller's choices for kernel i of the wish.
void add(const KernelParameters& given, std::size_t i, KernelParameters& kernel) {
  const auto other = [](Twiddles wanted, Twiddles canon) {
    return wanted != Twiddles::automatic && wanted != canon;
  };
  if (given.length != 0 && given.length != kernel.length) refuse(field_of(i, "length"));
  if (!given.radices.empty() && given.radices != kernel.radices) refuse(field_of(i, "radices"));
  if (other(given.twiddles, kernel.twiddles)) refuse(field_of(i, "twiddles"));
  if (other(given.four_step, kernel.four_step)) refuse(field_of(i, "four_step"));
  if (given.items != 0) kernel.items = given.items;
  kernel.columns = given.columns;
  kernel.lanes = given.lanes;
  kernel.axis = given.axis;
  kernel.exchange = given.exchange;
}

}  // namespace

std::vector<Parameters> canon_with(std::vector<Parameters> canons, const Parameters& wish,
                                   bool inverse) {
  std::size_t next = 0, count = 0;
  for (Parameters& canon : canons) {
    if (wish.algorithm != Algorithm::automatic && wish.algorithm != canon.algorithm)
      refuse("parameters.algorithm");
    canon.launches = wish.launches;
    count += canon.kernels.size();
  }
  if (wish.kernels.empty()) return canons;
  if (wish.kernels.size() != count)
    base::invalid("the size of parameters.kernels", wish.kernels.size(),
                  "it must be 0 or " + std::to_string(count) + " if options.reproducible is true");
  if (inverse) std::reverse(canons.begin(), canons.end());
  for (Parameters& canon : canons) {
    for (KernelParameters& kernel : canon.kernels) {
      add(wish.kernels[next], next, kernel);
      ++next;
    }
  }
  if (inverse) std::reverse(canons.begin(), canons.end());
  return canons;
}

}  // namespace imago::plan
