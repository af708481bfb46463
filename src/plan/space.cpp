// This file enumerates legal parameters.
#include "plan/space.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <utility>

#include <imago/error.hpp>

#include "base/integers.hpp"
#include "device/work.hpp"
#include "kernel/edges/convolved.hpp"
#include "kernel/radices.hpp"
#include "lines/largest.hpp"
#include "plan/kernel_context.hpp"
#include "plan/legality.hpp"
#include "plan/mapping_rules.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kMostSplits = 64;  // for several lines, because their kernels are copied
constexpr std::size_t kMostFactorisations = 100;
constexpr std::size_t kAnyPasses = std::numeric_limits<std::size_t>::max();
constexpr std::uint64_t kShortestPart = 8;
/// Shortest transform with three kernels.
constexpr std::uint64_t kShortestOfThree = std::uint64_t{1} << 17;

void factorise(std::uint64_t rest, const std::vector<unsigned>& allowed, std::size_t passes_left,
               std::vector<unsigned>& taken, std::vector<std::vector<unsigned>>& found) {
  if (rest == 1) {
    found.push_back(taken);
    return;
  }
  if (passes_left == 0) return;
  for (const unsigned radix : allowed) {
    if (rest % radix != 0) continue;
    taken.push_back(radix);
    factorise(rest / radix, allowed, passes_left - 1, taken, found);
    taken.pop_back();
  }
}

std::size_t fewest_passes(std::uint64_t length) {
  return kernel::cheapest(length, kernel::all_radices(),
                          [](std::uint64_t, unsigned) { return 1.0; })
      .radices.size();
}

/// The properties of a kernel that its choices depend on.
struct Part {
  std::uint64_t length = 1;
  KernelContext context = {};
  friend auto operator<=>(const Part&, const Part&) = default;
};

class Enumeration {
 public:
  Enumeration(const lines::Request& request, const device::Facts& facts, Mapping mapping)
      : request_(request), facts_(facts), rules_(rules_of(mapping)) {}

  Space::Choices kernels(const Part& part) {
    const auto [at, added] = done_.try_emplace(part);
    if (added) {
      auto found = std::make_shared<std::vector<KernelParameters>>();
      for (const auto& radices : factorisations(part)) {
        for (const KernelParameters& kernel :
             rules_.choices({.length = part.length, .radices = radices}, part.context, facts_))
          add(part, kernel, *found);
      }
      at->second = std::move(found);
    }
    return at->second;
  }

 private:
  std::vector<std::vector<unsigned>> factorisations(const Part& part) const {
    if (part.length == 1) return {{1}};
    if (request_.axes.size() > 1) return along_axes();
    if (part.context.only) {
      auto all = ordered_factorisations(part.length, kernel::all_radices(), kAnyPasses);
      if (kernel::has_butterfly(part.length) && !kernel::is_radix(part.length))
        all.push_back({static_cast<unsigned>(part.length)});
      return all;
    }
    return evenly(
        ordered_factorisations(part.length, kernel::all_radices(), fewest_passes(part.length) + 1));
  }

  /// Returns kMostFactorisations of them, if there are more: 1260 points have hundreds, and each
  /// has hundreds of choices.
  static std::vector<std::vector<unsigned>> evenly(std::vector<std::vector<unsigned>> all) {
    if (all.size() <= kMostFactorisations) return all;
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
    std::vector<std::vector<unsigned>> drawn;
    for (std::size_t i = 0; i < kMostFactorisations; ++i)
      drawn.push_back(std::move(all[i * all.size() / kMostFactorisations]));
    return drawn;
  }

  /// Returns the radices of passes that go along one axis after the other.
  std::vector<std::vector<unsigned>> along_axes() const {
    std::vector<std::vector<unsigned>> all{{}};
    for (const kernel::AxisPlace& axis :
         kernel::in_pass_order(request_.axes, request_.axis_order())) {
      std::vector<std::vector<unsigned>> longer;
      for (const auto& before : all) {
        for (const auto& radices :
             ordered_factorisations(axis.length, kernel::all_radices(), kAnyPasses)) {
          longer.push_back(before);
          longer.back().insert(longer.back().end(), radices.begin(), radices.end());
        }
      }
      all = std::move(longer);
    }
    return all;
  }

  /// Adds the kernel if it is legal.
  void add(const Part& part, const KernelParameters& kernel,
           std::vector<KernelParameters>& found) const {
    try {
      check_kernel(part.context, facts_, rules_.mapping, kernel);
    } catch (const Error&) {
      return;
    }
    found.push_back(kernel);
  }

  const lines::Request& request_;
  const device::Facts& facts_;
  const MappingRules& rules_;
  std::map<Part, Space::Choices> done_;
};

/// Returns true if radices count as one choice: they are a permutation of each other, or at most
/// two differ.
bool radices_near(const std::vector<unsigned>& a, const std::vector<unsigned>& b) {
  if (a.size() != b.size()) return false;
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i];
  return different <= 2 || std::is_permutation(a.begin(), a.end(), b.begin());
}

/// Returns true if the kernels differ in exactly one choice.
bool differ_in_one(const KernelParameters& a, const KernelParameters& b) {
  if (a.radices != b.radices && !radices_near(a.radices, b.radices)) return false;
  const int different = (a.radices != b.radices) + (a.items != b.items) + (a.lanes != b.lanes) +
                        (a.columns != b.columns) + (a.axis != b.axis) + (a.exchange != b.exchange) +
                        (a.twiddles != b.twiddles) + (a.four_step != b.four_step);
  return different == 1;
}

unsigned group_size(const KernelParameters& kernel) { return kernel.items * kernel.columns; }

bool has_one_size(const Parameters& parameters) {
  const auto& kernels = parameters.kernels;
  return std::all_of(kernels.begin(), kernels.end(), [&](const KernelParameters& kernel) {
    return group_size(kernel) == group_size(kernels[0]);
  });
}

bool same_split(const Space::Split& split, const Parameters& parameters) {
  return (split.algorithm == parameters.algorithm ||
          parameters.algorithm == Algorithm::automatic) &&
         std::equal(split.kernels.begin(), split.kernels.end(), parameters.kernels.begin(),
                    parameters.kernels.end(), [](const auto& choices, const auto& kernel) {
                      return (*choices)[0].length == kernel.length;
                    });
}

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMany / b ? kMany : a * b;
}

/// Adds all ordered lists of `parts` divisors with product `n`, each from kShortestPart to
/// `longest`.
void split_into(std::uint64_t n, unsigned parts, std::uint64_t longest,
                std::vector<std::uint64_t>& taken, std::vector<std::vector<std::uint64_t>>& found) {
  if (parts == 1) {
    if (n < kShortestPart || n > longest) return;
    taken.push_back(n);
    found.push_back(taken);
    taken.pop_back();
    return;
  }
  for (std::uint64_t d = kShortestPart; d <= std::min(longest, n / kShortestPart); ++d) {
    if (n % d != 0) continue;
    taken.push_back(d);
    split_into(n / d, parts - 1, longest, taken, found);
    taken.pop_back();
  }
}

/// Adds every convolution algorithm that can compute the line, at the lengths that its solver
/// prefers.
void add_convolutions(const lines::Request& request, const device::Facts& facts, Mapping mapping,
                      Enumeration& enumeration, std::vector<Space::Split>& splits) {
  for (const Solver* solver : kSolvers) {
    if (!kernel::is_convolution(solver->algorithm) || !solver->applicable(request, mapping, facts))
      continue;
    Space::Split split{solver->algorithm, {}};
    const auto parts = solver->lengths(request, mapping, facts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const KernelContext context{&request, std::min<std::size_t>(i, 1), parts.size() == 1, true};
      split.kernels.push_back(enumeration.kernels({parts[i], context}));
    }
    splits.push_back(std::move(split));
  }
}

std::vector<Space::Split> splits_of(const lines::Request& request, const device::Facts& facts,
                                    Mapping mapping) {
  std::vector<Space::Split> splits;
  Enumeration enumeration(request, facts, mapping);
  const std::uint64_t longest = lines::largest_single(mapping, request.precision, facts);
  if (request.length <= std::max(longest, lines::largest_line(request, mapping, facts))) {
    splits.push_back({Algorithm::single, {enumeration.kernels({request.length, {&request}})}});
  }
  std::vector<std::vector<std::uint64_t>> lengths;
  std::vector<std::uint64_t> taken;
  split_into(request.length, 2, longest / 2, taken, lengths);
  if (request.length >= kShortestOfThree)
    split_into(request.length, 3, longest / 4, taken, lengths);
  // Several kernels read and write data more often than one kernel would need to. That matters less
  // than the number of busy compute units if they are otherwise idle.
  const bool shared = rules_of(mapping).has_work_groups &&
                      request.length >= lines::kShortestShared &&
                      device::work_of(request.points(), facts) != device::Work::full;
  const bool several = request.axes.size() < 2 && (splits.empty() || splits[0].size() == 0 ||
                                                   request.length > longest / 4 || shared);
  if (several && kHierarchy.applicable(request, mapping, facts)) {
    for (const auto& parts : lengths) {
      Space::Split split{Algorithm::hierarchy, {}};
      const Parameters several_kernels{.mapping = mapping,
                                       .algorithm = Algorithm::hierarchy,
                                       .kernels = std::vector<KernelParameters>(parts.size())};
      for (std::size_t i = 0; i < parts.size(); ++i) {
        // All kernels after the first have the same choices.
        KernelContext context{&request, std::min<std::size_t>(i, 1), false};
        context.mirror = request.mirror(several_kernels, i);
        split.kernels.push_back(enumeration.kernels({parts[i], context}));
      }
      splits.push_back(std::move(split));
    }
  }
  if (!kernel::has_radices(request.length))
    add_convolutions(request, facts, mapping, enumeration, splits);
  std::erase_if(splits, [](const Space::Split& split) { return split.size() == 0; });
  return splits;
}

/// Returns the splits of all lines of a cut together; the first splits of each line come first.
std::vector<Space::Split> splits_of(const Cut& cut, const device::Facts& facts, Mapping mapping) {
  std::vector<lines::Request> lines = cut.lines;
  // A remaining line uses the parameters of the line before.
  std::erase_if(lines, [](const lines::Request& line) { return line.remains(); });
  if (lines.size() == 1) return splits_of(lines[0], facts, mapping);
  std::vector<Space::Split> together{{cut.algorithm, {}}};
  for (const lines::Request& line : lines) {
    const auto splits = splits_of(line, facts, mapping);
    std::vector<Space::Split> longer;
    for (const auto& before : together) {
      for (const auto& split : splits) {
        if (longer.size() == kMostSplits) break;
        longer.push_back(before);
        auto& kernels = longer.back().kernels;
        kernels.insert(kernels.end(), split.kernels.begin(), split.kernels.end());
      }
    }
    together = std::move(longer);
  }
  return together;
}

}  // namespace

std::vector<std::vector<unsigned>> ordered_factorisations(std::uint64_t length,
                                                          const std::vector<unsigned>& allowed,
                                                          std::size_t most_passes) {
  std::vector<std::vector<unsigned>> found;
  std::vector<unsigned> taken;
  factorise(length, allowed, most_passes, taken, found);
  return found;
}

std::uint64_t Space::Split::size() const {
  std::uint64_t product = 1;
  for (const auto& kernel : kernels) product = saturated_product(product, kernel->size());
  return product;
}

Space::Space(const lines::Request& request, const device::Facts& facts, Mapping mapping)
    : Space({{Algorithm::automatic, {request}}}, facts, mapping) {}

Space::Space(const std::vector<Cut>& cuts, const device::Facts& facts, Mapping mapping)
    : mapping_(mapping) {
  for (const Cut& cut : cuts) {
    for (Split& split : splits_of(cut, facts, mapping)) splits_.push_back(std::move(split));
    const auto points = cut.lines.empty() ? 0 : cut.lines[0].points();
    may_be_one_launch_ =
        !facts.waiting.empty() && device::work_of(points, facts) != device::Work::full;
  }
}

std::uint64_t Space::size() const {
  std::uint64_t sum = 0;
  for (const Split& split : splits_) sum = split.size() > kMany - sum ? kMany : sum + split.size();
  return sum;
}

Parameters Space::at(std::uint64_t index) const {
  auto split = splits_.begin();
  for (; index >= split->size(); ++split) index -= split->size();
  Parameters parameters{mapping_, split->algorithm, {}};
  for (const auto& kernel : split->kernels) {
    parameters.kernels.push_back((*kernel)[index % kernel->size()]);
    index /= kernel->size();
  }
  return parameters;
}

std::vector<Parameters> Space::neighbours(const Parameters& from) const {
  std::vector<Parameters> found;
  if (from.mapping != mapping_) return found;
  for (const Split& split : splits_) {
    if (!same_split(split, from)) continue;
    for (std::size_t i = 0; i < from.kernels.size(); ++i) {
      for (const auto& kernel : *split.kernels[i]) {
        if (!differ_in_one(kernel, from.kernels[i])) continue;
        found.push_back(from);
        found.back().kernels[i] = kernel;
      }
    }
    if (may_be_one_launch_ && from.kernels.size() > 1) append_resized(split, from, found);
  }
  return found;
}

/// Adds candidates with half and twice the columns in the work-groups of all kernels, and with the
/// other launches.
void Space::append_resized(const Split& split, const Parameters& from,
                           std::vector<Parameters>& found) const {
  for (const bool twice : {false, true}) {
    Parameters resized = from;
    bool there = rules_of(mapping_).has_work_groups;
    for (std::size_t i = 0; i < from.kernels.size(); ++i) {
      auto& kernel = resized.kernels[i];
      kernel.columns = twice ? kernel.columns * 2 : kernel.columns / 2;
      const auto& choices = *split.kernels[i];
      there = there && std::find(choices.begin(), choices.end(), kernel) != choices.end();
    }
    if (there) found.push_back(std::move(resized));
  }
  for (const Launches launches : {Launches::several, Launches::one}) {
    if (from.launches == launches) continue;
    found.push_back(from);
    found.back().launches = launches;
  }
}

std::vector<Parameters> Space::sample(std::size_t most, std::uint64_t seed) const {
  const std::uint64_t all = size();
  std::vector<Parameters> chosen;
  if (all <= most) {
    for (std::uint64_t i = 0; i < all; ++i) chosen.push_back(at(i));
    return chosen;
  }
  std::mt19937_64 random(seed);  // its sequence is portable, unlike std::shuffle's
  std::set<std::vector<std::uint64_t>> drawn;
  while (drawn.size() < most) {
    // Draws each split equally often, because splits with few kernels have far fewer combinations.
    // Draws each kernel separately, because their product may overflow 64 bits.
    std::vector<std::uint64_t> taken{random() % splits_.size()};
    const Split& split = splits_[taken[0]];
    Parameters parameters{mapping_, split.algorithm, {}};
    const bool one_size = may_be_one_launch_ && random() % 2 == 0;
    for (const Choices& choices : split.kernels) {
      const auto& kernel = *choices;
      const auto fits = [&](std::uint64_t i) {
        return parameters.kernels.empty() ||
               group_size(kernel[i]) == group_size(parameters.kernels[0]);
      };
      taken.push_back(random() % kernel.size());
      for (std::uint64_t tries = kernel.size(); one_size && tries > 0 && !fits(taken.back());
           --tries)
        taken.back() = (taken.back() + 1) % kernel.size();
      parameters.kernels.push_back(kernel[taken.back()]);
    }
    if (may_be_one_launch_ && parameters.kernels.size() > 1) {
      const bool one = one_size && has_one_size(parameters) && random() % 4 != 0;
      parameters.launches = one ? Launches::one : Launches::several;
      taken.push_back(one);
    }
    if (drawn.insert(taken).second) chosen.push_back(std::move(parameters));
  }
  return chosen;
}

}  // namespace imago::plan
