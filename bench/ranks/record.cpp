// This file reads and writes records of runs over ranks.
#include "record.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace imago::bench::ranks {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;  // version of the file format; raise it for incompatible changes

Json to_json(const Point& point) {
  return {{"contestant", point.contestant},
          {"lengths", point.lengths},
          {"precision", point.f64 ? "f64" : "f32"},
          {"transposed", point.transposed},
          {"weak", point.weak},
          {"seconds", point.seconds},
          {"seconds_low", point.low},
          {"seconds_high", point.high},
          {"rounds", point.rounds},
          {"plan_seconds", point.plan_seconds},
          {"error", point.error < 0 ? Json(nullptr) : Json(point.error)}};
}

Point point_of(const Json& json) {
  Point point;
  json.at("contestant").get_to(point.contestant);
  json.at("lengths").get_to(point.lengths);
  point.f64 = json.at("precision") == "f64";
  json.at("transposed").get_to(point.transposed);
  json.at("weak").get_to(point.weak);
  json.at("seconds").get_to(point.seconds);
  json.at("seconds_low").get_to(point.low);
  json.at("seconds_high").get_to(point.high);
  json.at("rounds").get_to(point.rounds);
  json.at("plan_seconds").get_to(point.plan_seconds);
  point.error = json.at("error").is_null() ? -1 : json.at("error").get<double>();
  return point;
}

Json to_json(const Run& run) {
  Json points = Json::array();
  for (const Point& point : run.points) points.push_back(to_json(point));
  return {{"ranks", run.ranks},
          {"processor", run.processor},
          {"cores", run.cores},
          {"memory_bytes_per_second", run.rates.memory},
          {"message_bytes_per_second", run.rates.network},
          {"message_seconds", run.rates.message},
          {"devices", run.devices},
          {"link_bytes_per_second", run.rates.link},
          {"link_both_bytes_per_second", run.rates.link_both},
          {"rows", points}};
}

Run run_of(const Json& json) {
  Run run;
  json.at("ranks").get_to(run.ranks);
  json.at("processor").get_to(run.processor);
  json.at("cores").get_to(run.cores);
  json.at("memory_bytes_per_second").get_to(run.rates.memory);
  json.at("message_bytes_per_second").get_to(run.rates.network);
  json.at("message_seconds").get_to(run.rates.message);
  run.devices = json.value("devices", run.processor);  // older records are for CPUs
  run.rates.link = json.value("link_bytes_per_second", 0.0);
  run.rates.link_both = json.value("link_both_bytes_per_second", 0.0);
  for (const Json& row : json.at("rows")) run.points.push_back(point_of(row));
  return run;
}

}  // namespace

std::string shape_text(const std::vector<std::size_t>& lengths) {
  std::string text;
  for (const std::size_t n : lengths) {
    if (!text.empty()) text += "x";
    text += std::to_string(n);
  }
  return text;
}

std::vector<Run> read_runs(const std::string& file) {
  std::ifstream in(file);
  if (!in) return {};
  std::vector<Run> runs;
  try {
    const Json json = Json::parse(in);
    if (json.at("format") != kFormat) throw std::runtime_error("another format");
    for (const Json& run : json.at("runs")) runs.push_back(run_of(run));
  } catch (const std::exception& error) {
    throw std::runtime_error(file + " is no record of runs over ranks: " + error.what());
  }
  return runs;
}

void write_runs(const std::string& file, const std::vector<Run>& runs) {
  Json all = Json::array();
  for (const Run& run : runs) all.push_back(to_json(run));
  const std::string fresh = file + ".new";
  {
    std::ofstream out(fresh);
    out << Json{{"format", kFormat}, {"runs", all}}.dump(1) << "\n";
    if (!out.flush()) throw std::runtime_error(fresh + " cannot be written");
  }
  std::filesystem::rename(fresh, file);
}

}  // namespace imago::bench::ranks
