// This file reads a device's description.
#include "device_file.hpp"

#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace imago::command {
namespace {

template <class T>
void take(const nlohmann::json& json, const char* name, T& value) {
  if (json.contains(name)) json.at(name).get_to(value);
}

device::Type type_of(const std::string& name) {
  if (name == "cpu") return device::Type::cpu;
  if (name == "gpu") return device::Type::gpu;
  return device::Type::accelerator;
}

device::Facts facts_of(const nlohmann::json& json) {
  device::Facts facts;
  json.at("name").get_to(facts.name);
  facts.type = type_of(json.at("type").get<std::string>());
  json.at("compute_units").get_to(facts.compute_units);
  take(json, "vendor", facts.vendor);
  take(json, "architecture", facts.architecture);
  take(json, "max_work_group", facts.max_work_group);
  take(json, "simd", facts.simd);
  take(json, "vector_f32", facts.vector_f32);
  take(json, "vector_f64", facts.vector_f64);
  take(json, "f64", facts.f64);
  take(json, "local_bytes", facts.local_bytes);
  take(json, "global_bytes", facts.memory.bytes);
  take(json, "cache_bytes", facts.memory.cache_bytes);
  const auto unit = json.value("compute_unit", nlohmann::json::object());
  take(unit, "registers", facts.compute_unit.registers);
  take(unit, "items", facts.compute_unit.items);
  take(unit, "groups", facts.compute_unit.groups);
  take(unit, "local_bytes", facts.compute_unit.local_bytes);
  take(unit, "item_registers", facts.compute_unit.item_registers);
  const auto rates = json.value("rates", nlohmann::json::object());
  take(rates, "copy_bytes", facts.rates.copy_bytes);
  take(rates, "local_bytes", facts.rates.local_bytes);
  take(rates, "flops", facts.rates.flops);
  take(rates, "launch_seconds", facts.rates.launch_seconds);
  take(rates, "segments", facts.rates.segments);
  return facts;
}

}  // namespace

device::Facts read_device(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  try {
    return facts_of(nlohmann::json::parse(file));
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(path + " describes no device: " + error.what());
  }
}

}  // namespace imago::command
