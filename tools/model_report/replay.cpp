// This file replays the cost model against measurements of the tuner.
#include "replay.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/composition.hpp"
#include "profile/json_tree.hpp"
#include "profile/node.hpp"
#include "profile/parameters_json.hpp"
#include "profile/problem_class.hpp"
#include "profile/words.hpp"
#include "tuner/session.hpp"

namespace imago::model_report {
namespace {

using profile::Node;

constexpr std::uint64_t kMost = std::uint64_t{1} << 40;

/// A candidate's measured and predicted time, in seconds.
struct Times {
  double measured = 0, predicted = 0;
};

profile::ProblemClass class_of(const Node& row) {
  profile::ProblemClass problem;
  problem.kind = row.member("kind").word(profile::kKinds);
  const auto arithmetic = row.member("precision").word(profile::kArithmetics);
  problem.precision = arithmetic.precision, problem.pairs = arithmetic.pairs;
  problem.placement = row.member("placement").word(profile::kPlacements);
  problem.batch = row.member("batch").whole(1, kMost);
  const Node lengths = row.member("lengths");
  for (std::size_t i = 0; i < lengths.size(1, 8); ++i)
    problem.lengths.push_back(lengths.element(i).whole(1, kMost));
  return problem;
}

/// Returns the rank of each value, from 0.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
  return ranks;
}

double correlation_of(const std::vector<Times>& times) {
  std::vector<double> measured, predicted;
  for (const Times& each : times)
    measured.push_back(each.measured), predicted.push_back(each.predicted);
  const auto a = ranks_of(measured), b = ranks_of(predicted);
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  const auto n = static_cast<double>(a.size());
  return 1 - 6 * squares / (n * (n * n - 1));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

std::vector<Replay> replay(std::string_view report, const std::string& origin,
                           const device::Facts& described) {
  const auto tree = profile::parse_tree(report, origin);
  const Node root(tree, origin), rows = root.member("rows");  // a node refers to its parent
  std::vector<Replay> replays;
  for (std::size_t r = 0; r < rows.size(0, profile::kMostElements); ++r) {
    const Node row = rows.element(r), tried = row.member("tried");
    const auto problem = class_of(row);
    device::Facts facts =
        engine::facts_for(described, {.f64 = problem.pairs ? F64::pairs : F64::automatic});
    facts.waiting = "CL3.0";  // device models do not say it, and candidates in one launch have run
    const auto cost_of = tuner::cost_on(problem, facts);
    std::vector<Times> times;
    const Parameters choice = tuner::choice_for(problem, facts, {});
    double planned = 0;
    double settled = 0;  // the fastest of those that were timed in turns
    for (std::size_t i = 0; i < tried.size(0, profile::kMostElements); ++i) {
      const Node candidate = tried.element(i);
      const auto seconds = candidate.optional("seconds");
      if (!seconds) continue;
      const auto parameters =
          profile::read_parameters(candidate.member("chosen"), profile::Natives::with);
      const double cost = cost_of(parameters), measured = seconds->real(0, 1e6);
      if (!std::isfinite(cost)) continue;
      times.push_back({measured, cost});
      if (tuner::choice_for(problem, facts, parameters) == choice) planned = measured;
      const auto samples = candidate.optional("samples");
      if (samples && samples->whole(0, kMost) > 0)
        settled = settled == 0 ? measured : std::min(settled, measured);
    }
    // A candidate that was timed only once is no evidence that the fastest one is not the fastest.
    for (Times& each : times) each.measured = std::max(each.measured, settled);
    if (times.size() < 2) continue;
    const auto fastest = std::min_element(times.begin(), times.end(),
                                          [](auto& a, auto& b) { return a.measured < b.measured; });
    const auto chosen = std::min_element(
        times.begin(), times.end(), [](auto& a, auto& b) { return a.predicted < b.predicted; });
    replays.push_back(
        {problem.key(), times.size(), fastest->measured, chosen->measured / fastest->measured,
         std::max(planned, planned > 0 ? settled : 0) / fastest->measured, correlation_of(times)});
  }
  return replays;
}

Summary summary_of(const std::vector<Replay>& replays) {
  Summary summary;
  summary.problems = replays.size();
  if (replays.empty()) return summary;
  std::vector<double> ratios, correlations;
  double logarithms = 0;
  for (const Replay& each : replays) {
    ratios.push_back(each.own_over_best), correlations.push_back(each.correlation);
    if (each.planned_over_best == 0) continue;
    logarithms += std::log(each.planned_over_best);
    ++summary.planned;
  }
  if (summary.planned > 0)
    summary.planned_mean = std::exp(logarithms / static_cast<double>(summary.planned));
  summary.median = median(ratios);
  summary.worst = *std::max_element(ratios.begin(), ratios.end());
  summary.correlation = median(correlations);
  return summary;
}

}  // namespace imago::model_report
