// This file finds the cheapest ordered factorisation of a length into radices.
#include "kernel/radices.hpp"

#include <algorithm>
#include <map>

namespace imago::kernel {

const std::vector<unsigned>& all_radices() {
  static const std::vector<unsigned> radices{
      2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23,
      24, 25, 27, 28, 29, 30, 31, 32, 37, 41, 43, 47, 49, 53, 61, 67, 71, 73, 79, 89, 97};
  return radices;
}

const std::vector<unsigned>& radices_in_place() {
  static const std::vector<unsigned> radices = [] {
    std::vector<unsigned> all = all_radices();
    all.insert(all.end(), {36, 40});
    return all;
  }();
  return radices;
}

bool is_radix(std::uint64_t n) {
  const auto& radices = radices_in_place();
  return std::find(radices.begin(), radices.end(), n) != radices.end();
}

std::uint64_t without_radices(std::uint64_t n) {
  for (std::uint64_t d = 2; d <= kLargestRadixPrime && n > 0; ++d) {
    while (n % d == 0) n /= d;
  }
  return n;
}

bool has_radices(std::uint64_t n) { return without_radices(n) == 1; }

bool has_butterfly(std::uint64_t n) {
  constexpr std::uint64_t kMost = 63;
  const std::uint64_t rest = without_radices(n);
  return (n >= 2 && n <= kMost && (rest == 1 || is_radix(rest))) || is_radix(n);
}

Factorisation cheapest(std::uint64_t length, const std::vector<unsigned>& allowed,
                       const PassCost& cost) {
  if (length == 1) return {{1}, cost(1, 1)};
  struct Node {
    double cost = 0;
    unsigned radix = 0;  // radix of the pass that reached it
  };
  std::map<std::uint64_t, Node> reached{{1, {}}};
  // Divisors in ascending order: every radix exceeds 1, so a node is final when it is visited.
  for (auto at = reached.begin(); at != reached.end(); ++at) {
    const auto [done, node] = *at;
    for (const unsigned radix : allowed) {
      if (length / done % radix != 0) continue;
      const double total = node.cost + cost(done, radix);
      const auto [next, added] = reached.try_emplace(done * radix, Node{total, radix});
      if (!added && total < next->second.cost) next->second = {total, radix};
    }
  }
  const auto end = reached.find(length);
  if (end == reached.end()) return {};
  Factorisation result{{}, end->second.cost};
  for (std::uint64_t done = length; done > 1;) {
    result.radices.push_back(reached.at(done).radix);
    done /= result.radices.back();
  }
  std::reverse(result.radices.begin(), result.radices.end());
  return result;
}

std::vector<AxisPlace> in_pass_order(const std::vector<std::uint64_t>& axes, AxisOrder order) {
  std::vector<AxisPlace> places;
  std::uint64_t outer = 1;
  for (const std::uint64_t length : axes) {
    places.push_back({length, outer, 1});
    outer *= length;
  }
  for (AxisPlace& place : places) place.inner = outer / (place.outer * place.length);
  const bool all = order == AxisOrder::slowest_last;
  if (places.size() > 1) std::reverse(places.begin() + (all ? 0 : 1), places.end());
  return places;
}

}  // namespace imago::kernel
