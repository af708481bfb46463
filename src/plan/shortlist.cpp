// This file lists the candidates of a choice.
#include "plan/shortlist.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include <imago/error.hpp>

#include "base/integers.hpp"
#include "device/work.hpp"
#include "kernel/radices.hpp"
#include "lines/largest.hpp"
#include "plan/convolution_lengths.hpp"
#include "plan/kernel_context.hpp"
#include "plan/mapping_rules.hpp"
#include "plan/planner.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

// Work-items of a work-group for few points each, and the largest odd part of their number.
constexpr unsigned kLeastSmall = 48, kMostSmall = 512, kMostOdd = 15;
constexpr double kTooMany = 1e6;     // cost of a radix with more points than wished for
constexpr std::size_t kLengths = 4;  // convolution lengths to compare

/// Returns the largest divisor up to the square root.
std::uint64_t middle_divisor(std::uint64_t length) {
  std::uint64_t best = 1;
  for (std::uint64_t d = 2; d * d <= length; ++d) {
    if (length % d == 0) best = d;
  }
  return best;
}

/// Returns the parameters that determine which numbers are added and multiplied, and in which
/// order. Work-items, columns, lanes and exchanges only determine where that happens.
Parameters arithmetic_of(const Parameters& parameters) {
  Parameters kept{.mapping = parameters.mapping, .algorithm = parameters.algorithm};
  for (const KernelParameters& kernel : parameters.kernels)
    kept.kernels.push_back({.length = kernel.length,
                            .radices = kernel.radices,
                            .twiddles = kernel.twiddles,
                            .four_step = kernel.four_step});
  return kept;
}

/// Returns the defaults for the arithmetic of `alike`, or `alike` itself if they are not legal.
Parameters first_alike(const lines::Request& request, const device::Facts& facts,
                       const Parameters& alike) {
  try {
    return complete(request, facts, arithmetic_of(alike));
  } catch (const InvalidArgument&) {
    return complete(request, facts, alike);
  }
}

/// Gives a wish the arithmetic of `alike`; returns false if the wish has other kernels.
bool make_alike(const Parameters& alike, Parameters& wish) {
  const auto& kernels = alike.kernels;
  if (wish.algorithm != Algorithm::automatic && wish.algorithm != alike.algorithm) return false;
  if (wish.kernels.size() != kernels.size()) return false;
  wish.algorithm = alike.algorithm;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (wish.kernels[i].length != kernels[i].length) return false;
    wish.kernels[i].radices = kernels[i].radices;
    wish.kernels[i].twiddles = kernels[i].twiddles;
    wish.kernels[i].four_step = kernels[i].four_step;
  }
  return true;
}

class Shortlist {
 public:
  Shortlist(const lines::Request& request, const device::Facts& facts, const Parameters* alike)
      : request_(request),
        facts_(facts),
        alike_(alike),
        list_{alike ? first_alike(request, facts, *alike) : complete(request, facts, {})},
        rules_(rules_of(list_[0].mapping)) {}

  /// Returns complete parameters, and their variations with the same passes.
  static std::vector<Parameters> around(const lines::Request& request, const device::Facts& facts,
                                        const Parameters& middle) {
    Shortlist list(request, facts, middle);
    list.vary_kernels([](const KernelParameters& kernel, const KernelParameters& other) {
      return kernel.items == other.items && kernel.radices == other.radices;
    });
    return std::move(list.list_);
  }

  std::vector<Parameters> make() {
    if (alike_) add(*alike_);
    const Parameters defaults = list_[0];
    if (defaults.algorithm == Algorithm::global) return list_;
    vary_kernels([](const auto&, const auto&) { return true; });
    if (kernel::is_convolution(defaults.algorithm)) {
      vary_convolution();
    } else {
      vary_split();
      if (needs_few_points()) vary_points();
      if (!kernel::has_radices(request_.length)) vary_convolution();
    }
    return std::move(list_);
  }

 private:
  Shortlist(const lines::Request& request, const device::Facts& facts, const Parameters& middle)
      : request_(request),
        facts_(facts),
        alike_(nullptr),
        list_{middle},
        rules_(rules_of(middle.mapping)) {}

  const Parameters& defaults() const { return list_[0]; }

  /// Adds the variations of the first candidate's kernels for which takes(kernel, variation) is
  /// true.
  template <class Takes>
  void vary_kernels(Takes takes) {
    const Parameters first = defaults();  // a copy: the list grows
    for (std::size_t i = 0; i < first.kernels.size(); ++i) {
      for (const KernelParameters& kernel :
           rules_.variations(first.kernels[i], context_of(request_, first, i), facts_)) {
        if (takes(first.kernels[i], kernel)) add(i, kernel);
      }
    }
  }

  /// Completes a wish and adds it if it is legal, new and, if `alike_` is set, alike.
  void add(Parameters wish) {
    if (alike_ && !make_alike(*alike_, wish)) return;
    try {
      Parameters candidate = complete(request_, facts_, wish);
      if (std::find(list_.begin(), list_.end(), candidate) == list_.end())
        list_.push_back(std::move(candidate));
    } catch (const Error&) {
      // The candidate exceeds the device's limits.
    }
  }

  /// Adds the defaults with another kernel.
  void add(std::size_t i, const KernelParameters& kernel) {
    Parameters wish = defaults();
    wish.kernels[i] = kernel;
    add(wish);
  }

  /// Moves a factor of two between the first two kernels.
  void vary_split() {
    const auto kernels = defaults().kernels;  // a copy: the list grows
    if (kernels.size() < 2) return;
    for (const bool forth : {false, true}) {
      Parameters wish;
      wish.mapping = defaults().mapping;
      wish.algorithm = defaults().algorithm;
      for (const auto& kernel : kernels) wish.kernels.push_back({.length = kernel.length});
      auto &from = wish.kernels[forth ? 0 : 1].length, &to = wish.kernels[forth ? 1 : 0].length;
      if (from % 2 != 0 || from == 2) continue;
      from /= 2, to *= 2;
      add(wish);
    }
  }

  /// Returns true if few points per work-item can be faster: they have short chains of
  /// instructions. Work that does not load a GPU fully cannot hide latency, and one operation on
  /// pairs of f32 is a chain of ten.
  bool needs_few_points() const {
    const bool pairs = request_.precision == Precision::f64 && facts_.f64.pairs;
    return rules_.has_work_groups &&
           (pairs || device::work_of(request_.points(), facts_) != device::Work::full);
  }

  /// Adds candidates with few points per work-item. All kernels have one size of work-groups, so
  /// that they can run as one launch.
  void vary_points() {
    std::vector<std::uint64_t> lengths;
    for (const auto& kernel : defaults().kernels) lengths.push_back(kernel.length);
    for (const unsigned points : {4, 8, 16}) {
      for (const unsigned odd : odd_parts(lengths, points)) {
        for (unsigned size = odd; size <= kMostSmall; size *= 2) {
          if (size >= kLeastSmall) add_of_one_size(lengths, {size, odd, points});
        }
      }
    }
    if (lengths.size() > 1 || request_.axes.size() > 1 || lengths[0] < lines::kShortestShared)
      return;
    const std::uint64_t part = middle_divisor(lengths[0]);
    if (part == 1) return;
    for (const unsigned size : {128, 256}) add_of_one_size({lengths[0] / part, part}, {size, 1, 8});
  }

  /// Work-groups of one size for several kernels. Each transform has the odd part of the size,
  /// times a power of two, as its work-items.
  struct OneSize {
    unsigned size, odd, points;  ///< points: the most that a work-item holds
    unsigned items_for(std::uint64_t length) const {
      unsigned items = odd;
      while (std::uint64_t{items} * points < length) items *= 2;
      return items;
    }
  };

  /// Returns the two odd parts of sizes that leave the fewest work-items without points; 1 is
  /// perfect for powers of two.
  static std::vector<unsigned> odd_parts(const std::vector<std::uint64_t>& lengths,
                                         unsigned points) {
    std::vector<std::pair<double, unsigned>> order;
    for (unsigned odd = 1; odd <= kMostOdd; odd += 2) {
      double idle = 1;
      for (const std::uint64_t length : lengths)
        idle *= OneSize{0, odd, points}.items_for(length) * points / static_cast<double>(length);
      order.emplace_back(idle, odd);
    }
    std::sort(order.begin(), order.end());
    if (order[0].first == 1) return {order[0].second};
    return {order[0].second, order[1].second};
  }

  /// Adds kernels with such work-groups.
  void add_of_one_size(const std::vector<std::uint64_t>& lengths, const OneSize& groups) {
    Parameters wish;
    wish.mapping = defaults().mapping;
    const auto cost = [&](std::uint64_t, unsigned radix) {
      return radix <= groups.points ? 1 + radix / 64.0 : kTooMany;
    };
    for (const std::uint64_t length : lengths) {
      KernelParameters kernel{.length = length};
      const auto found = cheapest_radices(length, cost);
      kernel.items = found.size() > 1 ? groups.items_for(length) : 1;
      if (found.empty() || kernel.items > groups.size) return;
      kernel.radices = found;
      kernel.columns = groups.size / kernel.items;
      wish.kernels.push_back(std::move(kernel));
    }
    add(wish);
  }

  /// Returns the cheapest radices, for each axis separately if there are several.
  std::vector<unsigned> cheapest_radices(std::uint64_t length, const kernel::PassCost& cost) const {
    std::vector<unsigned> radices;
    const bool several = request_.axes.size() > 1;
    for (const kernel::AxisPlace& axis :
         several ? kernel::in_pass_order(request_.axes, request_.axis_order())
                 : std::vector{kernel::AxisPlace{length}}) {
      const kernel::Factorisation found =
          kernel::cheapest(axis.length, kernel::all_radices(), cost);
      if (found.radices.empty() || found.cost >= kTooMany) return {};
      radices.insert(radices.end(), found.radices.begin(), found.radices.end());
    }
    return radices;
  }

  /// Adds the algorithms of convolution, and the next best lengths for Bluestein's.
  void vary_convolution() {
    const Mapping mapping = defaults().mapping;
    if (unpadded_suits()) return;
    for (const Solver* solver : kSolvers) {
      if (kernel::is_convolution(solver->algorithm)) add({mapping, solver->algorithm, {}});
    }
    const auto lengths = convolution_lengths(lengths_of(kernel::Chirp{request_.length}).least);
    for (std::size_t i = 1; i < std::min(kLengths, lengths.size()); ++i)
      add({mapping, Algorithm::bluestein, {{.length = lengths[i]}}});
  }

  bool unpadded_suits() const {
    const Parameters& p = defaults();
    const kernel::Convolved convolved = kernel::convolved_by(p.algorithm, request_.length);
    if (!rules_.unpadded_suits || lengths_of(convolved).unpadded == 0) return false;
    const auto& radices = p.kernels[0].radices;
    return p.kernels[0].length == lengths_of(convolved).unpadded &&
           *std::max_element(radices.begin(), radices.end()) <= 16;
  }

  const lines::Request& request_;
  const device::Facts& facts_;
  const Parameters* alike_;
  std::vector<Parameters> list_;
  const MappingRules& rules_;
};

}  // namespace

std::vector<Parameters> shortlist(const lines::Request& request, const device::Facts& facts) {
  return Shortlist(request, facts, nullptr).make();
}

std::vector<Parameters> shortlist_alike(const lines::Request& request, const device::Facts& facts,
                                        const Parameters& alike) {
  return Shortlist(request, facts, &alike).make();
}

std::vector<Parameters> shortlist_around(const lines::Request& request, const device::Facts& facts,
                                         const Parameters& middle) {
  return Shortlist::around(request, facts, middle);
}

namespace {

/// Returns the work-items per work-group of all kernels; 0 if they differ, or on CPUs.
unsigned size_of_groups(const Parameters& parameters) {
  const auto& kernels = parameters.kernels;
  const unsigned size = kernels[0].items * kernels[0].columns;
  const bool one = std::all_of(kernels.begin(), kernels.end(), [&](const KernelParameters& kernel) {
    return kernel.items * kernel.columns == size;
  });
  return one ? size : 0;
}

/// Adds candidates whose kernels all have one size of work-groups, so that they can run as one
/// launch. For each size it combines the first few candidates of each line.
void append_of_one_size(const std::vector<std::vector<Parameters>>& each, const Cut& cut,
                        std::vector<Parameters>& all) {
  std::set<unsigned> sizes;
  for (const Parameters& p : each[0]) sizes.insert(size_of_groups(p));
  sizes.erase(0);
  for (const unsigned size : sizes) {
    for (std::size_t turn = 0; turn < 3; ++turn) {
      std::vector<Parameters> shares;
      for (const auto& line : each) {
        std::vector<Parameters> fitting;
        std::copy_if(line.begin(), line.end(), std::back_inserter(fitting),
                     [&](const Parameters& p) { return size_of_groups(p) == size; });
        if (fitting.empty()) break;
        shares.push_back(fitting[std::min(turn, fitting.size() - 1)]);
      }
      if (shares.size() < each.size()) break;
      auto joined = join(shares, cut);
      if (std::find(all.begin(), all.end(), joined) == all.end()) all.push_back(std::move(joined));
    }
  }
}

}  // namespace

std::vector<Parameters> shortlist(const Cut& cut, const device::Facts& facts) {
  std::vector<std::vector<Parameters>> each;
  std::vector<Parameters> defaults;
  for (const lines::Request& line : cut.lines) {
    each.push_back(shortlist(line, facts));
    std::erase_if(each.back(), [&](const Parameters& p) { return !can_join(p, line, cut); });
    defaults.push_back(each.back().front());
  }
  std::vector<Parameters> all{join(defaults, cut)};
  if (cut.lines.size() > 1) append_of_one_size(each, cut, all);
  for (std::size_t i = 0; i < each.size(); ++i) {
    for (std::size_t j = 1; j < each[i].size() && !cut.lines[i].remains(); ++j) {
      auto shares = defaults;
      shares[i] = each[i][j];
      all.push_back(join(shares, cut));
    }
  }
  return all;
}

}  // namespace imago::plan
