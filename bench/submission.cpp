// This file implements submissions. The allowed facts are listed, not the forbidden ones, so that a
// new fact of reports is in no submission until its privacy is checked.
#include "bench/submission.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string_view>

#include <nlohmann/json.hpp>

#include "bench/engines.hpp"
#include "bench/facts.hpp"

namespace imago::bench {
namespace {

/// Allowed facts, in addition to the versions of engines.
constexpr std::array<std::string_view, 9> kFacts = {
    "device", "compute units", "memory", "driver", "platform", "host", "build", "suite", "clock"};
constexpr std::string_view kDate = "date", kEnvironment = "environment";
constexpr std::size_t kDay = 10;  // characters of 2026-11-24

/// Variables that change times and whose values are numbers or single words.
constexpr std::array<std::string_view, 9> kVariables = {
    "POCL_MAX_PTHREAD_COUNT", "POCL_WORK_GROUP_SPECIALIZATION",
    "POCL_AFFINITY",          "OMP_NUM_THREADS",
    "OMP_WAIT_POLICY",        "GOMP_SPINCOUNT",
    "MKL_NUM_THREADS",        "LP_NUM_THREADS",
    "IMAGO_TRUST_DEVICE"};
constexpr std::size_t kLongestValue = 20;

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_word(std::string_view value) {
  return !value.empty() && value.size() <= kLongestValue &&
         std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::isalnum(c); });
}

std::string harmless(const std::string& environment) {
  std::string kept;
  std::istringstream settings(environment);
  for (std::string each; settings >> each;) {
    const std::size_t sign = each.find('=');
    if (sign == std::string::npos || !holds(kVariables, each.substr(0, sign)) ||
        !is_word(each.substr(sign + 1)))
      continue;
    kept += (kept.empty() ? "" : " ") + each;
  }
  return kept.empty() ? "nothing set" : kept;
}

bool is_engine(const std::string& name) {
  const auto& engines = known_engines();
  return std::any_of(engines.begin(), engines.end(),
                     [&](const EngineInfo& engine) { return engine.name == name; });
}

/// Removes the reason why an engine is not measured, because it may contain the path of its
/// library.
std::string version(const std::string& value) {
  return value.starts_with(kNotMeasured) ? kNotMeasured : value;
}

std::string fact(const Report& report, std::string_view name) {
  for (const auto& [its, value] : report.facts)
    if (its == name) return value;
  return {};
}

}  // namespace

Report without_personal_data(const Report& report) {
  Report kept = report;
  kept.facts.clear();
  for (const auto& [name, value] : report.facts) {
    if (holds(kFacts, name)) kept.facts.emplace_back(name, value);
    if (is_engine(name)) kept.facts.emplace_back(name, version(value));
    if (name == kDate) kept.facts.emplace_back(name, value.substr(0, kDay));
    if (name == kEnvironment) kept.facts.emplace_back(name, harmless(value));
  }
  for (Row& row : kept.rows)
    for (Result& result : row.results)
      if (!result.skipped.empty()) result.skipped = kRefused;
  return kept;
}

std::string to_submission(const Report& report) {
  auto json = nlohmann::ordered_json::parse(to_json(without_personal_data(report)));
  json.erase("summary");  // computed from the rows again
  return json.dump(2) + "\n";
}

std::string submission_name(const Report& report) {
  std::string name = "imago";
  for (const unsigned char c : "-" + fact(report, "device") + "-" + fact(report, "suite")) {
    if (std::isalnum(c))
      name += static_cast<char>(std::tolower(c));
    else if (name.back() != '-')
      name += '-';
  }
  while (name.back() == '-') name.pop_back();
  return name + ".json";
}

}  // namespace imago::bench
