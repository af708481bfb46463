// This file lists transforms without hooks.
#include "base/prime_field.hpp"
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

/// Returns the cases of a device.
std::vector<catalogue::Case> cases_for(const device::Facts& facts) {
  auto all = catalogue::cases(catalogue::Tier::ci, kSeed, facts);
  catalogue::Random random(kSeed + facts.compute_units);
  for (int i = 0; i < kRandomProblems; ++i)
    all.push_back(catalogue::make_case(catalogue::random_traits(random), random));
  return all;
}

}  // namespace

std::vector<Problem> dense_problems(const device::Facts& facts) {
  std::vector<Problem> problems;
  for (const auto& described : cases_for(facts))
    problems.push_back(planned(facts, group_of(described), described.name(), described.transform(),
                               Options{.parameters = described.parameters, .profiles = false}));
  return problems;
}

std::vector<Problem> generic_problems(const device::Facts& facts) {
  std::vector<Problem> problems;
  for (auto& described : cases_for(facts)) {
    if (described.parameters != Parameters()) continue;
    const std::string group = "generic " + group_of(described);
    problems.push_back(planned(facts, group.substr(0, group.rfind(' ')),
                               "generic " + described.name(), described.transform(),
                               Options{.profiles = false}, Made::generic));
  }
  return problems;
}

std::vector<Problem> residue_problems(const device::Facts& facts) {
  std::vector<Problem> problems;
  for (const std::size_t length : {64, 1024, 4096, 1 << 16, 1 << 19, 1 << 22}) {
    problem::Computation residues(Transform{
        .precision = Precision::f64, .lengths = {length}, .batch = length > 4096 ? 1u : 5u});
    residues.ring = base::Ring::m61;
    problems.push_back(planned(facts, "residues", "residues " + std::to_string(length), residues,
                               Options{.profiles = false}));
  }
  for (const base::Ring ring : {base::Ring::goldilocks, base::Ring::baby_bear}) {
    for (const std::size_t length : {2, 64, 1024, 8192, 1 << 17, 1 << 20, 1 << 24}) {
      problem::Computation residues(
          Transform{.precision = base::prime_field(ring).wide ? Precision::f64 : Precision::f32,
                    .lengths = {length},
                    .batch = length > 4096 ? 1u : 5u,
                    .signal = {.storage = Storage::real},
                    .spectrum = {.storage = Storage::real}});
      residues.ring = ring;
      problems.push_back(planned(
          facts, "prime fields",
          "prime field " + std::to_string(static_cast<int>(ring)) + " " + std::to_string(length),
          residues, Options{.profiles = false}));
    }
  }
  return problems;
}

}  // namespace imago::digests
