// This file lists rows of different lengths, whose kernels are generic.
#include <string>
#include <utility>
#include <vector>

#include "base/words.hpp"
#include "catalogue/random.hpp"
#include "digests/problems.hpp"
#include "problem/words.hpp"

namespace imago::digests {
namespace {

/// Returns rows of random lengths, some with a truncated spectrum, factors or adjacent fields.
RaggedTransform ragged_rows(Kind kind, Precision precision, std::uint64_t seed) {
  catalogue::Random random(seed);
  RaggedTransform t{.kind = kind, .precision = precision, .batch = 1 + random.below(40)};
  std::size_t elements = 0;
  for (std::size_t left = 2 + random.below(4); left-- > 0;) {
    t.lengths.push_back(2 + random.below(random.below(4) == 0 ? 12000 : 700));
    elements += t.lengths.back();
  }
  t.norm = static_cast<Norm>(random.below(4));
  if (random.below(3) == 0) t.spectrum = {.offsets = {}, .stride = t.batch, .distance = 1};
  if (random.below(3) == 0)
    for (const std::size_t n : t.lengths) t.kept.push_back(n / 3 + 1);
  if (random.below(3) == 0) t.on_forward.load.assign(elements, 0.5);
  return t;
}

}  // namespace

std::vector<Problem> ragged_problems(const device::Facts& facts) {
  std::vector<Problem> problems;
  for (const auto& [word, kind] : problem::kKinds) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      const bool f64 = precision == Precision::f64;
      if (kind == Kind::identity || (f64 && !facts.f64.native && !facts.f64.pairs)) continue;
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        std::string name = "rows ";
        name.append(word).append(f64 ? "-f64-" : "-f32-").append(std::to_string(seed));
        problems.push_back(planned_rows(facts, f64 ? "generic rows f64" : "generic rows f32",
                                        std::move(name), ragged_rows(kind, precision, seed)));
      }
    }
  }
  return problems;
}

}  // namespace imago::digests
