// This file is `imago devices`: it lists the OpenCL devices of this machine and their properties.
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <imago/devices.hpp>

#include "base/errors.hpp"
#include "command.hpp"
#include "described_devices.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report_writer.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

struct DevicesSettings {
  std::string device;
  bool described = false, json = false;
};
struct Entry {
  std::size_t index;
  device::Facts facts;
};

std::vector<Entry> entries(const std::string& wish) {
  std::vector<Entry> found;
  const std::vector<cl::Device> all = devices();
  const cl::Device only = wish.empty() ? cl::Device() : find_device(wish);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (wish.empty() || all[i]() == only()) found.push_back({i, facts_of(all[i])});
  }
  return found;
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", printable(line));
  }
}

/// Devices, as JSON and as rows of a table.
struct List {
  std::vector<std::vector<std::string>> rows;  ///< the first is the head
  nlohmann::json devices = nlohmann::json::array();

  /// Adds a device: the cells before and after its sizes, and more values.
  void add(const device::Facts& facts, std::vector<std::string> row,
           const std::vector<std::string>& last, const nlohmann::json& more) {
    row.insert(row.end(), {std::to_string(facts.compute_units), bytes_text(facts.memory.bytes),
                           bytes_text(facts.local_bytes), facts.f64.native ? "yes" : "by pairs"});
    row.insert(row.end(), last.begin(), last.end());
    rows.push_back(std::move(row));
    devices.push_back(to_json(facts));
    devices.back().update(more);
  }
  void print(bool json) const {
    json ? fmt::print("{}\n", dump({{"devices", devices}})) : print_table(rows);
  }
};

/// Lists the device models that `imago explain --device-file` knows by name.
int list_described(bool json) {
  List list{
      {{"name", "device", "type", "units", "memory", "local", "f64", "copy GB/s", "GFLOP/s"}}};
  for (const std::string& name : described_names()) {
    const Described described = find_described(name);
    const device::Facts& facts = described.facts;
    nlohmann::json more{{"file", name}, {"estimates", described.estimates}};
    for (const auto& [figure, source] : described.sources) more["sources"][figure] = source;
    list.add(facts, {name, facts.name, word(facts.type)},
             {fmt::format("{:.0f}", 1e-9 * facts.rates.copy_bytes),
              fmt::format("{:.0f}", 1e-9 * facts.rates.flops)},
             more);
  }
  list.print(json);
  return kSuccess;
}

int run(const DevicesSettings& settings) {
  if (settings.described) return list_described(settings.json);
  Progress progress;
  progress.show_wait("Querying the devices");  // kernels are compiled for new devices
  const std::vector<Entry> found = entries(settings.device);
  progress.clear();
  List list{{{"index", "name", "type", "platform", "driver", "units", "memory", "local", "f64"}}};
  for (const auto& [index, facts] : found)
    list.add(facts,
             {std::to_string(index), facts.name, word(facts.type), facts.platform, facts.driver},
             {}, {{"index", index}});
  if (settings.json || !found.empty()) list.print(settings.json);
  if (found.empty()) base::no_device();
  return kSuccess;
}

}  // namespace

Command devices_command(CLI::App& app) {
  const auto settings = std::make_shared<DevicesSettings>();
  CLI::App* sub = app.add_subcommand("devices", "List the OpenCL devices of this machine");
  add_device(*sub, settings->device);
  sub->add_flag("--described", settings->described,
                "List the device models for explain --device-file instead")
      ->excludes("--device");
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
