// This file writes a report as JSON. Missing numbers are null, never zero.
#include <cmath>

#include <nlohmann/json.hpp>

#include "bench/rows.hpp"
#include "problem/words.hpp"

namespace imago::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 2;  // version of the file format; raise it for incompatible changes

Json number(double value) {
  return std::isfinite(value) && value >= 0 ? Json(value) : Json(nullptr);
}

Json ratios_json(const std::vector<Ratio>& ratios) {
  Json json = Json::array();
  for (const Ratio& ratio : ratios)
    json.push_back(
        {{"peer", ratio.peer}, {"value", ratio.value}, {"low", ratio.low}, {"high", ratio.high}});
  return json;
}

Json result_json(const Result& result, Timing timing) {
  if (!result.skipped.empty()) return {{"engine", result.engine}, {"skipped", result.skipped}};
  Json json = {{"engine", result.engine},
               {"seconds", number(result.seconds)},
               {"spread", number(result.spread)},
               {"gflops", number(result.gflops)},
               {"gbps", number(result.gbps)},
               {"wall_share", number(result.wall_share)},
               {"plan_cold_seconds", number(result.plan_cold)},
               {"first_call_cold_seconds", number(result.first_cold)},
               {"plan_warm_seconds", number(result.plan_warm)},
               {"first_call_warm_seconds", number(result.first_warm)},
               {"error", number(result.error)},
               {"calls", result.calls},
               {"rounds", result.rounds}};
  if (!result.way.empty()) json["way"] = result.way;
  if (timing == Timing::single_calls) {
    json["latency_seconds"] = number(result.latency);
    json["latency_spread"] = number(result.latency_spread);
  }
  return json;
}

Json row_json(const Row& row, Timing timing) {
  const Case& problem = row.problem;
  Json json = {{"lengths", problem.lengths},
               {"kind", base::word_of(problem::kKinds, problem.kind)},
               {"family", family(problem)},
               {"batch", problem.batch},
               {"precision", word(problem.precision)},
               {"placement", base::word_of(problem::kPlacements, problem.placement)},
               {"wall_gbps", number(row.wall_gbps)},
               {"wall_by", row.wall_by},
               {"results", Json::array()},
               {"ratios", ratios_json(row.ratios)}};
  for (const Result& result : row.results) json["results"].push_back(result_json(result, timing));
  if (timing == Timing::single_calls) {
    json["wall_latency_seconds"] = number(row.wall_latency);
    json["latency_ratios"] = ratios_json(row.latency_ratios);
  }
  return json;
}

Json mean_json(const Mean& mean, Timing timing) {
  Json json = {{"precision", mean.precision ? word(*mean.precision) : kAllFamilies},
               {"family", mean.family}};
  if (mean.peer.empty())
    json["of"] = "wall_share";
  else
    json["peer"] = mean.peer;
  if (timing == Timing::single_calls && !mean.peer.empty())
    json["of"] = mean.latency ? "latency_seconds" : "seconds";
  const bool any = mean.rows != 0;
  json["geometric_mean"] = any ? Json(mean.value) : Json(nullptr);
  json["worst"] = any ? Json(mean.worst) : Json(nullptr);
  json["worst_shape"] = any ? Json(mean.worst_shape) : Json(nullptr);
  if (timing == Timing::single_calls)
    json["worst_case"] = any ? Json(mean.worst_case) : Json(nullptr);
  json["rows"] = mean.rows;
  json["cases"] = mean.cases;
  return json;
}

}  // namespace

std::string to_json(const Report& report) {
  Json json = {{"format", kFormat}, {"interrupted", report.interrupted}, {"facts", Json::object()}};
  const Timing timing = report.timing;
  if (timing == Timing::single_calls) json["timing"] = "single calls";
  for (const auto& [name, value] : report.facts) json["facts"][name] = value;
  json["rows"] = Json::array();
  for (const Row& row : report.rows) json["rows"].push_back(row_json(row, timing));
  json["summary"] = Json::array();
  for (const Mean& mean : summarise(report)) json["summary"].push_back(mean_json(mean, timing));
  return json.dump(2) + "\n";
}

}  // namespace imago::bench
