// This file writes and reads parameters, by one list of the members of each struct. Its structured
// bindings name every member, so that a new member breaks the build here until it is in the list.
#include "profile/parameters_json.hpp"

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "profile/node.hpp"
#include "profile/words.hpp"

namespace imago::profile {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 60;
constexpr std::uint64_t kMostItems = 1 << 20, kMostColumns = 1 << 20, kMostLanes = 64;
constexpr std::uint64_t kLargestRadix = 97;
constexpr std::size_t kMostElements = 60;  // elements of a list

/// Calls visit(name, member, allowed) for each member, in the order of the file. `allowed` is the
/// largest number, or the words.
template <class Kernel, class Visit>
requires std::is_same_v<std::remove_const_t<Kernel>, KernelParameters>
void each_member(Kernel& kernel, Natives natives, const Visit& visit) {
  auto& [length, radices, items, columns, lanes, axis, exchange, twiddles, four_step] = kernel;
  const auto visit_twiddles = [&](const char* name, auto& value) {
    if (natives == Natives::with)
      visit(name, value, problem::kTwiddles);
    else
      visit(name, value, kTwiddles);
  };
  visit("length", length, kMostPoints);
  visit("radices", radices, kLargestRadix);
  visit("items", items, kMostItems);
  visit("columns", columns, kMostColumns);
  visit("lanes", lanes, kMostLanes);
  visit("axis", axis, kLaneAxes);
  visit("exchange", exchange, kExchanges);
  visit_twiddles("twiddles", twiddles);
  visit_twiddles("four_step", four_step);
}
template <class All, class Visit>
requires std::is_same_v<std::remove_const_t<All>, Parameters>
void each_member(All& parameters, Natives, const Visit& visit) {
  auto& [mapping, algorithm, kernels, launches] = parameters;
  visit("mapping", mapping, kMappings);
  visit("algorithm", algorithm, kAlgorithms);
  visit("launches", launches, kLaunches);
  visit("kernels", kernels, kMostElements);
}

template <class Members>
Json written_members(const Members& members, Natives natives) {
  Json json = Json::object();
  each_member(members, natives, [&](const char* name, const auto& value, const auto& allowed) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_enum_v<Value>) {
      if (value != Value::automatic) json[name] = written(allowed, value);
    } else if constexpr (std::is_integral_v<Value>) {
      if (value != 0) json[name] = value;
    } else if (!value.empty()) {
      json[name] = Json::array();
      for (const auto& element : value) {
        if constexpr (std::is_integral_v<typename Value::value_type>)
          json[name].push_back(element);
        else
          json[name].push_back(written_members(element, natives));
      }
    }
  });
  return json;
}

template <class Members>
Members read_members(const Node& node, Natives natives) {
  Members members;
  std::vector<std::string_view> names;
  each_member(members, natives, [&](const char* name, auto&&...) { names.push_back(name); });
  node.only(names);
  each_member(members, natives, [&](const char* name, auto& value, const auto& allowed) {
    using Value = std::remove_reference_t<decltype(value)>;
    const auto found = node.optional(name);
    if (!found) return;
    if constexpr (std::is_enum_v<Value>) {
      value = found->word(allowed);
    } else if constexpr (std::is_integral_v<Value>) {
      value = static_cast<Value>(found->whole(0, allowed));
    } else {
      const std::size_t count = found->size(0, kMostElements);
      for (std::size_t i = 0; i < count; ++i) {
        using Element = typename Value::value_type;
        if constexpr (std::is_integral_v<Element>)
          value.push_back(static_cast<Element>(found->element(i).whole(1, allowed)));
        else
          value.push_back(read_members<Element>(found->element(i), natives));
      }
    }
  });
  return members;
}

}  // namespace

Json json_of(const Parameters& parameters, Natives natives) {
  return written_members(parameters, natives);
}

Parameters read_parameters(const Node& node, Natives natives) {
  return read_members<Parameters>(node, natives);
}

}  // namespace imago::profile
