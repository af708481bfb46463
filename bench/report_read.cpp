// This file reads a report from JSON: format 2, and format 1, which had one length and no kinds.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "bench/compare.hpp"
#include "problem/words.hpp"

namespace imago::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kNewestFormat = 2;

/// Reads JSON whose strings are printable, because reports may come from other people.
Json parse(const std::string& text) {
  return Json::parse(text, [](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::value && value.is_string())
      value = base::printable(value.get<std::string>());
    return true;
  });
}

/// Reads the values of one file; error messages contain its name.
class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {}
  Report read(const std::string& text) const;

 private:
  [[noreturn]] void wrong(const std::string& what) const {
    base::invalid("report", name_,
                  what + "; a report is what `imago bench --json` writes of dense transforms");
  }
  template <class Words>
  auto enumerated(const Json& row, const char* key, const Words& words) const {
    const auto text = row.at(key).get<std::string>();
    const auto value = base::value_of(words, text);
    if (!value) wrong(std::string(key) + " is " + text);
    return *value;
  }
  double time(const Json& result, const char* key) const;
  Result result(const Json& json) const;
  Row row(const Json& json) const;
  std::vector<Ratio> ratios(const Json& row, const char* key) const;

  const std::string& name_;
};

/// Returns -1 if it was not measured.
double Reader::time(const Json& result, const char* key) const {
  if (!result.contains(key) || result.at(key).is_null()) return -1;
  const double value = result.at(key).get<double>();
  if (!std::isfinite(value) || value < 0) wrong(std::string(key) + " is " + std::to_string(value));
  return value;
}

Result Reader::result(const Json& json) const {
  Result result;
  result.engine = json.at("engine").get<std::string>();
  result.skipped = json.value("skipped", "");
  if (!result.skipped.empty()) return result;
  result.way = json.value("way", "");
  result.seconds = time(json, "seconds");
  result.spread = std::max(0.0, time(json, "spread"));
  result.gbps = std::max(0.0, time(json, "gbps"));
  result.wall_share = std::max(0.0, time(json, "wall_share"));
  result.latency = time(json, "latency_seconds");
  result.latency_spread = std::max(0.0, time(json, "latency_spread"));
  return result;
}

std::vector<Ratio> Reader::ratios(const Json& row, const char* key) const {
  std::vector<Ratio> ratios;
  if (!row.contains(key)) return ratios;
  for (const Json& each : row.at(key))
    ratios.push_back({each.at("peer").get<std::string>(), time(each, "value"), time(each, "low"),
                      time(each, "high")});
  return ratios;
}

Row Reader::row(const Json& json) const {
  Row row;
  Case& problem = row.problem;
  if (json.contains("length"))
    problem.lengths = {json.at("length").get<std::uint64_t>()};
  else
    json.at("lengths").get_to(problem.lengths);
  json.at("batch").get_to(problem.batch);
  problem.precision = enumerated(json, "precision", problem::kPrecisions);
  problem.placement = enumerated(json, "placement", problem::kPlacements);
  if (json.contains("kind")) problem.kind = enumerated(json, "kind", problem::kKinds);
  validate(row.problem);
  for (const Json& each : json.at("results")) row.results.push_back(result(each));
  row.wall_gbps = std::max(0.0, time(json, "wall_gbps"));
  row.wall_latency = time(json, "wall_latency_seconds");
  row.ratios = ratios(json, "ratios");
  row.latency_ratios = ratios(json, "latency_ratios");
  return row;
}

Report Reader::read(const std::string& text) const {
  try {
    const Json json = parse(text);
    if (!json.contains("format")) wrong("it has no format");
    if (json.at("format") > kNewestFormat)
      wrong("its format is " + json.at("format").dump() + ", newer than this program's " +
            std::to_string(kNewestFormat));
    Report report;
    if (json.contains("timing")) report.timing = Timing::single_calls;
    for (const auto& [name, value] : json.at("facts").items())
      report.facts.emplace_back(base::printable(name), value.get<std::string>());
    for (const Json& each : json.at("rows")) report.rows.push_back(row(each));
    report.interrupted = json.value("interrupted", false);
    return report;
  } catch (const Json::exception& error) {
    wrong(error.what());
  }
}

}  // namespace

Report from_json(const std::string& text, const std::string& name) {
  return Reader(name).read(text);
}

}  // namespace imago::bench
