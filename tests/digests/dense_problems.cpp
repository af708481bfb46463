// This file lists transforms without hooks.
#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "catalogue/shapes.hpp"
#include "digests/problems.hpp"
#include "problem/words.hpp"

namespace imago::digests {
namespace {

constexpr std::uint64_t kSeed = 20250;
constexpr int kRandomProblems = 1200;

std::string group_of(const catalogue::Case& described) {
  std::string kind(base::word_of(problem::kKinds, described.kind));
  if (!described.axes.empty()) kind = "axes";
  kind += ' ';
  kind += base::word_of(problem::kPrecisions, described.precision);
  kind += ' ';
  return kind.append(base::word_of(problem::kAlgorithms, described.parameters.algorithm));
}

}  // namespace

std::vector<Problem> dense_problems(const device::Facts& facts) {
  std::vector<Problem> problems;
  const auto add = [&](const catalogue::Case& described) {
    problems.push_back({&facts, group_of(described), described.name(), described.transform(),
                        Options{.parameters = described.parameters, .profiles = false}});
  };
  for (const auto& described : catalogue::cases(catalogue::Tier::ci, kSeed, facts)) add(described);
  catalogue::Random random(kSeed + facts.compute_units);
  for (int i = 0; i < kRandomProblems; ++i)
    add(catalogue::make_case(catalogue::random_traits(random), random));
  return problems;
}

}  // namespace imago::digests
