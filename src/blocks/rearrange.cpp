// This file moves values between lanes. An arrangement lists the element in each lane. A step
// between two arrangements costs one shuffle for each vector and each source after the first.
#include "blocks/rearrange.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/errors.hpp"
#include "base/integers.hpp"

namespace imago::blocks {
namespace {

/// The element of the block in each lane of each vector.
using Arrangement = std::vector<std::vector<int>>;

Arrangement in_order(unsigned count, unsigned lanes) {
  Arrangement result(count, std::vector<int>(lanes));
  for (unsigned v = 0; v < count; ++v) {
    for (unsigned l = 0; l < lanes; ++l) result[v][l] = static_cast<int>(v * lanes + l);
  }
  return result;
}

Arrangement by_component(unsigned count, unsigned lanes) {
  Arrangement result(count, std::vector<int>(lanes));
  for (unsigned v = 0; v < count; ++v) {
    for (unsigned l = 0; l < lanes; ++l) result[v][l] = static_cast<int>(l * count + v);
  }
  return result;
}

/// Exchanges bit `vector_bit` of the vector number with bit `lane_bit` of the lane number.
Arrangement exchanged(const Arrangement& from, unsigned vector_bit, unsigned lane_bit) {
  Arrangement to = from;
  for (unsigned v = 0; v < from.size(); ++v) {
    for (unsigned l = 0; l < from[v].size(); ++l) {
      const unsigned vb = v >> vector_bit & 1, lb = l >> lane_bit & 1;
      if (vb != lb) to[v][l] = from[v ^ 1u << vector_bit][l ^ 1u << lane_bit];
    }
  }
  return to;
}

/// Returns the steps from memory order to components; for powers of two, one step for each
/// exchanged bit.
std::vector<Arrangement> steps(unsigned count, unsigned lanes) {
  std::vector<Arrangement> path{in_order(count, lanes)};
  if (base::is_power_of_two(count)) {
    const auto c = static_cast<unsigned>(std::countr_zero(count)),
               w = static_cast<unsigned>(std::countr_zero(lanes));
    for (unsigned bit = 0; bit < std::min(c, w); ++bit) {
      path.push_back(exchanged(path.back(), c <= w ? bit : c - w + bit, bit));
    }
    if (path.size() > 1 && c <= w) path.pop_back();  // the last step also puts the lanes in order
  }
  path.push_back(by_component(count, lanes));
  return path;
}

/// Adds further blocks after the first one, in their own lanes.
void widen(Arrangement& block, unsigned abreast) {
  const int elements = static_cast<int>(block.size() * block[0].size());
  for (std::vector<int>& lanes : block) {
    const std::vector<int> first = lanes;
    for (unsigned i = 1; i < abreast; ++i) {
      for (const int element : first) lanes.push_back(element + static_cast<int>(i) * elements);
    }
  }
}

/// Returns the vector that holds `wanted`, merged from the vectors that have its elements.
ir::Value gathered(const Vectors& values, const Arrangement& from, const std::vector<int>& wanted) {
  std::vector<int> held;  // elements of the accumulated vector, -1 if still missing
  ir::Value result;
  for (std::size_t v = 0; v < values.size(); ++v) {
    std::vector<int> mask(wanted.size(), -1);
    bool useful = false;
    for (std::size_t l = 0; l < wanted.size(); ++l) {
      const auto at = std::find(from[v].begin(), from[v].end(), wanted[l]);
      if (at != from[v].end()) mask[l] = static_cast<int>(at - from[v].begin()), useful = true;
    }
    if (!useful) continue;
    if (!result.valid()) {
      result = values[v], held = from[v];
      continue;
    }
    std::vector<int> lanes(wanted.size(), 0), now(wanted.size(), -1);
    for (std::size_t l = 0; l < wanted.size(); ++l) {
      const auto old = std::find(held.begin(), held.end(), wanted[l]);
      if (mask[l] >= 0)
        lanes[l] = mask[l] + static_cast<int>(held.size());
      else if (old != held.end())
        lanes[l] = static_cast<int>(old - held.begin());
      else
        continue;
      now[l] = wanted[l];
    }
    result = result.builder().shuffle(result, values[v], lanes);
    held = now;
  }
  if (held == wanted) return result;
  std::vector<int> lanes(wanted.size());
  for (std::size_t l = 0; l < wanted.size(); ++l) {
    lanes[l] = static_cast<int>(std::find(held.begin(), held.end(), wanted[l]) - held.begin());
  }
  return result.builder().shuffle(result, result, lanes);
}

Vectors follow(Vectors values, const std::vector<Arrangement>& path) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    Vectors next;
    for (const auto& wanted : path[i]) next.push_back(gathered(values, path[i - 1], wanted));
    values = std::move(next);
  }
  return values;
}

}  // namespace

Vectors to_components(const Vectors& block, unsigned abreast) {
  const unsigned lanes = block[0].type().lanes / abreast;
  if (block.size() == 1 || lanes == 1) return block;
  auto path = steps(static_cast<unsigned>(block.size()), lanes);
  for (Arrangement& arrangement : path) widen(arrangement, abreast);
  return follow(block, path);
}

Vectors from_components(const Vectors& components) {
  if (components.size() == 1 || components[0].type().lanes == 1) return components;
  auto path = steps(static_cast<unsigned>(components.size()), components[0].type().lanes);
  std::reverse(path.begin(), path.end());
  return follow(components, path);
}

ir::Value gathered(ir::Builder& b, ir::MemoryId memory, ir::Value index, std::int64_t apart,
                   unsigned lanes, const ir::Condition& condition) {
  if (lanes == 1 || apart == 1) return b.load_if(condition, memory, index, lanes);
  if (apart == 0) return b.splat(b.load_if(condition, memory, index), lanes);
  if (condition.is_always()) return b.load_strided(memory, index, apart, lanes);
  Vectors each;
  for (unsigned l = 0; l < lanes; ++l)
    each.push_back(b.load_if(condition, memory, index + l * apart));
  return from_lanes(each);
}

ir::Value repeated(ir::Value vector, unsigned times) {
  const unsigned lanes = vector.type().lanes;
  std::vector<int> all(std::size_t{lanes} * times);
  for (std::size_t l = 0; l < all.size(); ++l) all[l] = static_cast<int>(l % lanes);
  return vector.builder().shuffle(vector, vector, all);
}

ir::Value from_halves(ir::Value low, ir::Value high) {
  ir::Builder& b = low.builder();
  const unsigned half = low.type().lanes;
  if (half == 1) return b.pair(low, high);
  std::vector<int> all(std::size_t{2} * half);
  for (std::size_t l = 0; l < all.size(); ++l) all[l] = static_cast<int>(l);
  return b.shuffle(low, high, all);
}

ir::Value half_of(ir::Value vector, unsigned number) {
  ir::Builder& b = vector.builder();
  const unsigned half = vector.type().lanes / 2;
  if (half == 1) return b.extract(vector, number);
  std::vector<int> lanes(half);
  for (std::size_t l = 0; l < half; ++l) lanes[l] = static_cast<int>(number * half + l);
  return b.shuffle(vector, vector, lanes);
}

ir::Value from_lanes(const Vectors& lanes) {
  Vectors vectors = lanes;
  while (vectors.size() > 1) {
    Vectors wider;
    for (std::size_t i = 0; i < vectors.size(); i += 2)
      wider.push_back(from_halves(vectors[i], vectors[i + 1]));
    vectors = std::move(wider);
  }
  return vectors[0];
}

}  // namespace imago::blocks
