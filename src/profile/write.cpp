// This file writes a profile as JSON text. The structured bindings name every member, so a new one
// stops the build here until it is written (and read in read.cpp).
#include "profile/write.hpp"

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "profile/read.hpp"
#include "profile/words.hpp"

namespace imago::profile {
namespace {

using Json = nlohmann::ordered_json;

template <class Words, class Enum>
Json word(const Words& words, Enum value) {
  const auto text = word_of(words, value);
  if (text.empty()) {
    base::profile_error("a profile", "to be written",
                        "the value " + std::to_string(static_cast<int>(value)) +
                            " of an enumeration has no word in a profile (native twiddles are for "
                            "callers only)");
  }
  return std::string(text);
}

/// What is automatic is left out.
template <class Words, class Enum>
void put_word(Json& json, const char* name, const Words& words, Enum value) {
  if (value != Enum::automatic) json[name] = word(words, value);
}
void put_number(Json& json, const char* name, std::uint64_t value) {
  if (value != 0) json[name] = value;
}

Json json_of(const Device& device) {
  const auto& [name, vendor, driver, platform, architecture, type] = device;
  return {{"name", name},
          {"vendor", vendor},
          {"driver", driver},
          {"platform", platform},
          {"architecture", architecture},
          {"type", word(kTypes, type)}};
}

Json json_of(const device::Rates& rates) {
  const auto& [copy_bytes, local_bytes, flops, launch_seconds, segments] = rates;
  return {{"copy_bytes", copy_bytes},
          {"local_bytes", local_bytes},
          {"flops", flops},
          {"launch_seconds", launch_seconds},
          {"segments", segments}};
}

Json json_of(const ProblemClass& problem) {
  const auto& [kind, lengths, precision, placement, packed, batch] = problem;
  return {{"kinds", word(kKinds, kind)},
          {"lengths", lengths},
          {"batch", batch},
          {"precision", word(kPrecisions, precision)},
          {"placement", word(kPlacements, placement)},
          {"layout", word(kLayouts, packed)}};
}

Json json_of(const KernelParameters& kernel) {
  const auto& [length, radices, items, columns, lanes, axis, exchange, twiddles, four_step] =
      kernel;
  Json json = Json::object();
  put_number(json, "length", length);
  if (!radices.empty()) json["radices"] = radices;
  put_number(json, "items", items);
  put_number(json, "columns", columns);
  put_number(json, "lanes", lanes);
  put_word(json, "axis", kLaneAxes, axis);
  put_word(json, "exchange", kExchanges, exchange);
  put_word(json, "twiddles", kTwiddles, twiddles);
  put_word(json, "four_step", kTwiddles, four_step);
  return json;
}

Json json_of(const Parameters& parameters) {
  const auto& [mapping, algorithm, kernels, launches] = parameters;
  Json json = Json::object();
  put_word(json, "mapping", kMappings, mapping);
  put_word(json, "algorithm", kAlgorithms, algorithm);
  put_word(json, "launches", kLaunches, launches);
  if (kernels.empty()) return json;
  json["kernels"] = Json::array();
  for (const auto& kernel : kernels) json["kernels"].push_back(json_of(kernel));
  return json;
}

Json json_of(const Entry& entry) {
  const auto& [problem, parameters, seconds, driver] = entry;
  Json json{
      {"problem", json_of(problem)}, {"parameters", json_of(parameters)}, {"seconds", seconds}};
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
