// This file writes a profile as JSON text. The structured bindings name every member, so that a new
// member breaks the build here until it is written (and read in read.cpp).
#include "profile/write.hpp"

#include <nlohmann/json.hpp>

#include "profile/parameters_json.hpp"
#include "profile/read.hpp"
#include "profile/words.hpp"

namespace imago::profile {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Device& device) {
  const auto& [name, vendor, driver, platform, architecture, type] = device;
  return {{"name", name},
          {"vendor", vendor},
          {"driver", driver},
          {"platform", platform},
          {"architecture", architecture},
          {"type", written(kTypes, type)}};
}

Json json_of(const device::Rates& rates) {
  const auto& [copy_bytes, local_bytes, flops, flops_f64, launch_seconds, segments] = rates;
  Json json{{"copy_bytes", copy_bytes}, {"local_bytes", local_bytes}, {"flops", flops}};
  if (flops_f64 > 0) json["flops_f64"] = flops_f64;
  json["launch_seconds"] = launch_seconds;
  json["segments"] = segments;
  return json;
}

Json json_of(const ProblemClass& problem) {
  const auto& [kind, lengths, precision, placement, packed, batch, pairs] = problem;
  return {{"kinds", written(kKinds, kind)},
          {"lengths", lengths},
          {"batch", batch},
          {"precision", problem.arithmetic()},
          {"placement", written(kPlacements, placement)},
          {"layout", written(kLayouts, packed)}};
}

Json json_of(const Entry& entry) {
  const auto& [problem, parameters, seconds, driver] = entry;
  Json json{{"problem", json_of(problem)},
            {"parameters", json_of(parameters, Natives::without)},
            {"seconds", seconds}};
  if (!driver.empty()) json["driver"] = driver;
  return json;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_text(const Profile& profile) {
  const auto& [device, generator, rates, entries] = profile;
  std::string text = "{\n  \"schema\": " + std::to_string(kSchema);
  text += ",\n  \"generator\": " + dump(generator);
  text += ",\n  \"device\": " + dump(json_of(device));
  text += ",\n  \"rates\": " + dump(json_of(rates));
  text += ",\n  \"entries\": [";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    text += (i == 0 ? "\n    " : ",\n    ") + dump(json_of(entries[i]));
  }
  text += "\n  ]\n}\n";
  parse(text, "a profile to be written");
  return text;
}

}  // namespace imago::profile
