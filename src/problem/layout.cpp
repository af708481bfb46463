// This file computes the addresses of a side's elements.
#include "problem/layout.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/errors.hpp"
#include "base/integers.hpp"

namespace imago::problem {
namespace {

// Offsets and distances are `long` in a kernel, so addresses stay below 2^63 bytes.
constexpr std::uint64_t kMostBytes = std::numeric_limits<std::int64_t>::max();

struct Dimension {
  std::uint64_t extent, stride;
  std::string field;  ///< the caller's name of the stride
  friend bool operator==(const Dimension& a, const Dimension& b) {
    return a.extent == b.extent && a.stride == b.stride;
  }
};

void check_strides(const SideRequest& r) {
  const auto& strides = r.layout.strides;
  const std::string name = std::string(r.name) + ".";
  if (!strides.empty() && strides.size() != r.lengths.size()) {
    base::invalid("the size of " + name + "strides", strides.size(),
                  "give one stride per length, or none");
  }
  for (std::size_t i = 0; i < strides.size(); ++i) {
    // A side that is only read may have the same element at each index.
    if (strides[i] == 0 && r.written)
      base::invalid(name + "strides[" + std::to_string(i) + "]", 0, "it must be at least 1");
  }
  if (r.layout.distance == 0 && !strides.empty() && r.batch > 1) {
    base::invalid(name + "distance", 0,
                  "with strides and a batch, give the distance between batch elements");
  }
}

/// Returns the dimensions with more than one index, by ascending stride.
std::vector<Dimension> dimensions(const Side& side, std::uint64_t batch, const char* name) {
  std::vector<Dimension> found;
  const std::string prefix = std::string(name) + ".";
  for (std::size_t i = 0; i < side.lengths.size(); ++i) {
    if (side.lengths[i] > 1)
      found.push_back(
          {side.lengths[i], side.strides[i], prefix + "strides[" + std::to_string(i) + "]"});
  }
  if (batch > 1) found.push_back({batch, side.distance, prefix + "distance"});
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.stride < b.stride; });
  return found;
}

/// Search for two elements at one address: steps along the dimensions, not all 0, whose sum is 0.
/// The rest after a step must be within reach of the dimensions with smaller strides, so there is
/// little to try, except for hostile layouts.
class Meeting {
 public:
  explicit Meeting(const std::vector<Dimension>& sorted) : sorted_(sorted) {
    std::int64_t reach = 0;
    for (const Dimension& d : sorted) {
      reach_.push_back(reach);  // reach of the dimensions with smaller strides
      reach += static_cast<std::int64_t>((d.extent - 1) * d.stride);
    }
  }
  /// True if two elements share an address. False also if the search gave up.
  bool found() { return search(sorted_.size(), 0, true); }

 private:
  bool search(std::size_t left, std::int64_t rest, bool all_zero) {
    if (left == 0) return rest == 0 && !all_zero;
    const Dimension& d = sorted_[left - 1];
    const auto stride = static_cast<std::int64_t>(d.stride),
               most = static_cast<std::int64_t>(d.extent) - 1, reach = reach_[left - 1];
    // |rest + steps * stride| <= reach. A solution and its negative are both valid; one is enough.
    const std::int64_t first =
        all_zero ? 0 : std::max(-most, floor_divide(-reach - rest + stride - 1, stride));
    const std::int64_t last = std::min(most, floor_divide(reach - rest, stride));
    for (std::int64_t steps = first; steps <= last; ++steps) {
      if (--tries_ < 0) return false;
      if (search(left - 1, rest + steps * stride, all_zero && steps == 0)) return true;
    }
    return false;
  }
  static std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
  }

  const std::vector<Dimension>& sorted_;
  std::vector<std::int64_t> reach_;
  int tries_ = 100000;
};

/// Throws unless each stride is above the reach of the dimensions with smaller strides.
void check_apart(const std::vector<Dimension>& sorted) {
  std::uint64_t reach = 1;  // from the first to the last element of the dimensions so far
  for (const Dimension& d : sorted) {
    const std::string least = std::to_string(reach);
    if (d.stride < reach && Meeting(sorted).found())
      base::invalid(d.field, d.stride, "it must be at least " + least + ": results would overlap");
    if (d.stride < reach)
      base::unsupported(d.field + " is " + std::to_string(d.stride) +
                            ", and imago cannot write dimensions that interleave",
                        "use at least " + least + ", or several transforms");
    reach += (d.extent - 1) * d.stride;
  }
}

/// True if each stride is above the reach of the dimensions with smaller strides.
bool are_nested(const std::vector<Dimension>& sorted) {
  std::uint64_t reach = 1;
  for (const Dimension& d : sorted) {
    if (d.stride < reach) return false;
    reach += (d.extent - 1) * d.stride;
  }
  return true;
}

/// Returns one past the last element, or nothing if it overflows.
std::optional<std::uint64_t> end_of(const Side& side, std::uint64_t batch) {
  std::optional<std::uint64_t> end = base::checked_add(side.offset, 1);
  const auto add = [&end](std::uint64_t extent, std::uint64_t stride) {
    const auto reach = base::checked_multiply(extent - 1, stride);
    end = end && reach ? base::checked_add(*end, *reach) : std::nullopt;
  };
  for (std::size_t i = 0; i < side.lengths.size(); ++i) add(side.lengths[i], side.strides[i]);
  add(batch, side.distance);
  return end;
}

}  // namespace

Side make_side(const SideRequest& r) {
  check_strides(r);
  Side side;
  side.lengths = r.lengths;
  side.strides.assign(r.layout.strides.begin(), r.layout.strides.end());
  side.offset = r.layout.offset;
  side.storage = r.layout.storage;
  side.real = r.real;
  side.element_bytes = r.element_bytes;
  std::uint64_t packed = 1;
  if (side.strides.empty()) {
    side.strides.resize(r.lengths.size());
    for (std::size_t i = r.lengths.size(); i-- > 0;)
      side.strides[i] = packed, packed *= r.padded[i];
  }
  side.distance = r.layout.distance != 0 && r.batch > 1 ? r.layout.distance : packed;
  for (std::size_t i = 0; i < r.begin.size(); ++i) {
    const auto skipped = base::checked_multiply(r.begin[i], side.strides[i]);
    const auto offset = skipped ? base::checked_add(side.offset, *skipped) : std::nullopt;
    side.offset = offset.value_or(kMostBytes);
  }
  const auto end = end_of(side, r.batch);
  if (!end || *end > kMostBytes / r.element_bytes) {
    base::invalid("batch", r.batch,
                  "offset, strides and batch x distance of the " + std::string(r.name) +
                      " must fit 64-bit addresses");
  }
  side.end = *end;
  if (r.written) check_apart(dimensions(side, r.batch, r.name));
  return side;
}

Layout filled(Layout layout, const std::vector<std::size_t>& lengths) {
  if (!layout.strides.empty()) return layout;
  std::size_t distance = 1;
  layout.strides.resize(lengths.size());
  for (std::size_t d = lengths.size(); d-- > 0;) {
    layout.strides[d] = distance;
    distance *= lengths[d];
  }
  if (layout.distance == 0) layout.distance = distance;
  return layout;
}

Layout layout_of(const Side& side, std::uint64_t batch) {
  return {.strides = {side.strides.begin(), side.strides.end()},
          .distance = batch > 1 ? side.distance : 0,
          .offset = side.offset,
          .storage = side.storage};
}

bool cover_the_same(const Side& a, const Side& b, std::uint64_t batch) {
  const auto merged = [&](const Side& side) {
    std::vector<Dimension> result;
    for (const Dimension& d : dimensions(side, batch, "")) {
      if (!result.empty() && d.stride == result.back().stride * result.back().extent)
        result.back().extent *= d.extent;
      else
        result.push_back(d);
    }
    return result;
  };
  return merged(a) == merged(b);
}

bool rows_meet(const Problem& problem) {
  const Side &signal = problem.signal, &spectrum = problem.spectrum;
  const std::size_t axis = problem.real_axis().value();
  const auto twice = [](std::uint64_t reals, std::uint64_t numbers) {
    return reals % 2 == 0 && reals / 2 == numbers;
  };
  for (std::size_t d = 0; d < problem.lengths.size(); ++d) {
    if (problem.lengths[d] == 1) continue;
    const std::uint64_t reals = signal.strides[d], numbers = spectrum.strides[d];
    if (d == axis ? reals != 1 || numbers != 1 : !twice(reals, numbers)) return false;
  }
  return twice(signal.offset, spectrum.offset) &&
         (problem.batch == 1 || twice(signal.distance, spectrum.distance)) &&
         are_nested(dimensions(signal, problem.batch, "")) &&
         are_nested(dimensions(spectrum, problem.batch, ""));
}

}  // namespace imago::problem
