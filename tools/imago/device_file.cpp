// This file reads a device model. It is strict, because a misspelt name would otherwise leave a
// default, and has limits that no device reaches.
#include "device_file.hpp"

#include <algorithm>
#include <optional>

#include "formats/file.hpp"
#include "profile/json_tree.hpp"
#include "profile/node.hpp"
#include "profile/read.hpp"
#include "profile/words.hpp"

namespace imago::command {
namespace {

using profile::Node;

constexpr std::uint64_t kMostUnits = 1 << 20, kMostItems = 1 << 20, kMostLanes = 1024,
                        kMostBytes = std::uint64_t{1} << 50;
constexpr double kLeastFactor = 0.25, kMostFactor = 4;
constexpr std::size_t kMostEstimates = 64;

/// Reads a number that may be missing.
template <class T>
void take(const Node& node, std::string_view name, T& value, std::uint64_t least,
          std::uint64_t most) {
  if (const auto member = node.optional(name)) value = static_cast<T>(member->whole(least, most));
}
void take(const Node& node, std::string_view name, std::string& value) {
  if (const auto member = node.optional(name)) value = member->text();
}

device::ComputeUnit unit_of(const Node& node) {
  node.only({"registers", "items", "groups", "local_bytes", "item_registers", "register_factor"});
  device::ComputeUnit unit;
  take(node, "registers", unit.registers, 1, kMostBytes >> 20);
  take(node, "items", unit.items, 1, kMostItems);
  take(node, "groups", unit.groups, 1, kMostItems);
  take(node, "local_bytes", unit.local_bytes, 0, kMostBytes);
  take(node, "item_registers", unit.item_registers, 1, kMostItems);
  if (const auto factor = node.optional("register_factor"))
    unit.register_factor = factor->real(kLeastFactor, kMostFactor);
  return unit;
}

device::Facts facts_of(const Node& root) {
  device::Facts facts;
  facts.name = root.member("name").text();
  facts.type = root.member("type").word(profile::kTypes);
  facts.compute_units = static_cast<unsigned>(root.member("compute_units").whole(1, kMostUnits));
  take(root, "vendor", facts.vendor);
  take(root, "architecture", facts.architecture);
  take(root, "max_work_group", facts.max_work_group, 1, kMostItems);
  take(root, "simd", facts.simd, 1, kMostLanes);
  take(root, "vector_f32", facts.vector_f32, 1, kMostLanes);
  take(root, "vector_f64", facts.vector_f64, 0, kMostLanes);
  if (const auto f64 = root.optional("f64")) facts.f64.native = f64->truth();
  take(root, "local_bytes", facts.local_bytes, 1, kMostBytes);
  take(root, "global_bytes", facts.memory.bytes, 0, kMostBytes);
  take(root, "cache_bytes", facts.memory.cache_bytes, 0, kMostBytes);
  if (const auto unit = root.optional("compute_unit")) facts.compute_unit = unit_of(*unit);
  facts.compute_unit.moves_loads = device::moves_loads(facts.architecture);
  if (const auto rates = root.optional("rates")) facts.rates = profile::read_rates(*rates);
  return facts;
}

}  // namespace

Described parse_device(std::string_view text, const std::string& origin) {
  const auto tree = profile::parse_tree(text, origin);
  const Node root(tree, origin);
  root.only({"name", "vendor", "architecture", "type", "compute_units", "max_work_group", "simd",
             "vector_f32", "vector_f64", "f64", "local_bytes", "global_bytes", "cache_bytes",
             "compute_unit", "rates", "sources", "estimates"});
  Described described;
  described.facts = facts_of(root);
  if (const auto sources = root.optional("sources"))
    for (const auto& name : sources->names())
      described.sources.emplace_back(name, sources->member(name).text());
  if (const auto estimates = root.optional("estimates"))
    for (std::size_t i = 0; i < estimates->size(0, kMostEstimates); ++i)
      described.estimates.push_back(estimates->element(i).text());
  return described;
}

Described read_device(const std::string& path) {
  formats::InputFile file(path);
  // Texts longer than any device model are rejected by their length.
  std::string text(std::min<std::uint64_t>(file.size(), profile::kMostBytes + 1), '\0');
  file.read(0, text.data(), text.size());
  return parse_device(text, path);
}

}  // namespace imago::command
