// This file writes a comparison as text and as JSON.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/compare.hpp"
#include "problem/words.hpp"

namespace imago::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kColumns = "  {:<16}{:<27}{:<27}{:<21}{}\n";
constexpr const char* kMeanColumns = "  {:<27}{:>7}{:>6}{:>8}{:>8}  {}\n";

std::string interval_text(const Interval& interval, double scale) {
  const int digits = interval.value * scale < 1e4 ? 2 : 0;
  return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", interval.value * scale, digits,
                     interval.low * scale, digits, interval.high * scale, digits);
}

const char* word_of(Change change) {
  return change == Change::slower ? "slower" : change == Change::faster ? "faster" : "";
}

std::string engine_text(const std::string& engine, bool latency) {
  return latency ? engine + ", one call" : engine;
}

std::string differences_text(const Comparison& comparison) {
  std::string text;
  for (const Difference& each : comparison.differences)
    text += fmt::format("{:<14} A  {}\n{:<14} B  {}\n", each.fact,
                        each.before.empty() ? "-" : each.before, "",
                        each.after.empty() ? "-" : each.after);
  return text;
}

std::string mean_text(const ComparedMean& mean) {
  const std::string what =
      engine_text(mean.engine, mean.latency) + (mean.beside.empty() ? "" : " over " + mean.beside);
  return fmt::format(fmt::runtime(kMeanColumns), what, fmt::format("{:.3f}", mean.value), mean.rows,
                     mean.slower, mean.faster,
                     fmt::format("{:.3f} at {}", mean.worst, mean.worst_case));
}

std::string missing_text(const std::vector<std::string>& names, const char* report) {
  std::string text;
  for (const std::string& each : names) text += fmt::format("only in {}: {}\n", report, each);
  return text;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json interval_json(const Interval& interval) {
  return {{"value", number(interval.value)},
          {"low", number(interval.low)},
          {"high", number(interval.high)}};
}

Json row_json(const Compared& row) {
  const std::string change = word_of(row.change);
  return {{"case", name(row.problem)},
          {"lengths", row.problem.lengths},
          {"kind", base::word_of(problem::kKinds, row.problem.kind)},
          {"batch", row.problem.batch},
          {"precision", word(row.problem.precision)},
          {"placement", base::word_of(problem::kPlacements, row.problem.placement)},
          {"engine", row.engine},
          {"of", row.latency ? "latency_seconds" : "seconds"},
          {"a", interval_json(row.before)},
          {"b", interval_json(row.after)},
          {"ratio", interval_json(row.ratio)},
          {"change", change.empty() ? Json(nullptr) : Json(change)}};
}

Json mean_json(const ComparedMean& mean) {
  return {{"engine", mean.engine},
          {"beside", mean.beside.empty() ? Json(nullptr) : Json(mean.beside)},
          {"of", mean.latency ? "latency_seconds" : "seconds"},
          {"geometric_mean", mean.value},
          {"worst", mean.worst},
          {"worst_case", mean.worst_case},
          {"rows", mean.rows},
          {"slower", mean.slower},
          {"faster", mean.faster}};
}

}  // namespace

std::string to_text(const Comparison& comparison, const std::string& before,
                    const std::string& after) {
  std::string text = fmt::format("A              {}\nB              {}\n", before, after);
  text += differences_text(comparison);
  text += '\n';
  text += "lengths x batch\n";
  text += fmt::format(fmt::runtime(kColumns), "library", "A, us", "B, us", "speedup of B", "");
  std::string title;
  for (const Compared& row : comparison.rows) {
    const std::string its = name(row.problem);
    if (its != title) text += its + "\n";
    text += fmt::format(fmt::runtime(kColumns), engine_text(row.engine, row.latency),
                        interval_text(row.before, 1e6), interval_text(row.after, 1e6),
                        interval_text(row.ratio, 1), word_of(row.change));
    title = its;
  }
  text += missing_text(comparison.only_before, "A") + missing_text(comparison.only_after, "B");
  text +=
      "\nA, B       median time of a call, with the middle half of its samples\n"
      "speedup    time in A divided by that in B, with the range that both intervals allow\n\n";
  text += comparison.means.empty() ? "no row is in both\n"
                                   : "geometric means of the speedup of B\n"
                                     "(\"imago over X\": change of imago's speedup over X)\n";
  if (!comparison.means.empty())
    text += fmt::format(fmt::runtime(kMeanColumns), "library", "mean", "rows", "slower", "faster",
                        "lowest row");
  for (const ComparedMean& mean : comparison.means) text += mean_text(mean);
  return text;
}

std::string to_json(const Comparison& comparison, const std::string& before,
                    const std::string& after) {
  Json json = {{"a", before}, {"b", after}, {"differences", Json::array()}};
  for (const Difference& each : comparison.differences)
    json["differences"].push_back({{"fact", each.fact}, {"a", each.before}, {"b", each.after}});
  json["rows"] = Json::array();
  for (const Compared& row : comparison.rows) json["rows"].push_back(row_json(row));
  json["means"] = Json::array();
  for (const ComparedMean& mean : comparison.means) json["means"].push_back(mean_json(mean));
  json["only_in_a"] = comparison.only_before;
  json["only_in_b"] = comparison.only_after;
  return json.dump(2) + "\n";
}

}  // namespace imago::bench
