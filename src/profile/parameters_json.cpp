// This file writes and reads parameters. The structured bindings name every member, so that a new
// member breaks the build here until it is written, and read below.
#include "profile/parameters_json.hpp"

#include <cstdint>
#include <string_view>

#include "profile/node.hpp"
#include "profile/words.hpp"

namespace imago::profile {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 60;
constexpr std::uint64_t kMostItems = 1 << 20, kMostColumns = 1 << 20, kMostLanes = 64;
constexpr std::uint64_t kLargestRadix = 64;
constexpr std::size_t kMostKernels = 60, kMostRadices = 60;

template <class Words, class Enum>
void put_word(Json& json, const char* name, const Words& words, Enum value) {
  if (value != Enum::automatic) json[name] = written(words, value);
}
void put_twiddles(Json& json, const char* name, Twiddles value, Natives natives) {
  if (natives == Natives::with)
    put_word(json, name, problem::kTwiddles, value);
  else
    put_word(json, name, kTwiddles, value);
}
void put_number(Json& json, const char* name, std::uint64_t value) {
  if (value != 0) json[name] = value;
}

Json json_of(const KernelParameters& kernel, Natives natives) {
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
  put_twiddles(json, "twiddles", twiddles, natives);
  put_twiddles(json, "four_step", four_step, natives);
  return json;
}

template <class Words, class Value>
void set_word(const Node& node, std::string_view name, Value& value, const Words& words) {
  node.set(name, value, [&](const Node& member) { return member.word(words); });
}
void set_twiddles(const Node& node, std::string_view name, Twiddles& value, Natives natives) {
  if (natives == Natives::with)
    set_word(node, name, value, problem::kTwiddles);
  else
    set_word(node, name, value, kTwiddles);
}
void set_number(const Node& node, std::string_view name, auto& value, std::uint64_t most) {
  node.set(name, value, [&](const Node& member) { return member.whole(0, most); });
}

KernelParameters read_kernel(const Node& node, Natives natives) {
  node.only({"length", "radices", "items", "columns", "lanes", "axis", "exchange", "twiddles",
             "four_step"});
  KernelParameters kernel;
  set_number(node, "length", kernel.length, kMostPoints);
  if (const auto radices = node.optional("radices")) {
    const std::size_t count = radices->size(0, kMostRadices);
    for (std::size_t i = 0; i < count; ++i) {
      kernel.radices.push_back(static_cast<unsigned>(radices->element(i).whole(1, kLargestRadix)));
    }
  }
  set_number(node, "items", kernel.items, kMostItems);
  set_number(node, "columns", kernel.columns, kMostColumns);
  set_number(node, "lanes", kernel.lanes, kMostLanes);
  set_word(node, "axis", kernel.axis, kLaneAxes);
  set_word(node, "exchange", kernel.exchange, kExchanges);
  set_twiddles(node, "twiddles", kernel.twiddles, natives);
  set_twiddles(node, "four_step", kernel.four_step, natives);
  return kernel;
}

}  // namespace

Json json_of(const Parameters& parameters, Natives natives) {
  const auto& [mapping, algorithm, kernels, launches] = parameters;
  Json json = Json::object();
  put_word(json, "mapping", kMappings, mapping);
  put_word(json, "algorithm", kAlgorithms, algorithm);
  put_word(json, "launches", kLaunches, launches);
  if (kernels.empty()) return json;
  json["kernels"] = Json::array();
  for (const auto& kernel : kernels) json["kernels"].push_back(json_of(kernel, natives));
  return json;
}

Parameters read_parameters(const Node& node, Natives natives) {
  node.only({"mapping", "algorithm", "launches", "kernels"});
  Parameters parameters;
  set_word(node, "mapping", parameters.mapping, kMappings);
  set_word(node, "algorithm", parameters.algorithm, kAlgorithms);
  set_word(node, "launches", parameters.launches, kLaunches);
  if (const auto kernels = node.optional("kernels")) {
    const std::size_t count = kernels->size(0, kMostKernels);
    for (std::size_t i = 0; i < count; ++i) {
      parameters.kernels.push_back(read_kernel(kernels->element(i), natives));
    }
  }
  return parameters;
}

}  // namespace imago::profile
