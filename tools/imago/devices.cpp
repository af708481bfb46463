// This file is `imago devices`: the OpenCL devices of this machine and what imago knows about them.
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <imago/devices.hpp>

#include "command.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

struct Settings {
  std::string device;
  bool json = false;
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

void print_table(const std::vector<Entry>& entries) {
  std::vector<std::vector<std::string>> rows{
      {"index", "name", "type", "platform", "driver", "units", "memory", "local", "f64"}};
  for (const auto& [index, facts] : entries) {
    rows.push_back({std::to_string(index), facts.name, word(facts.type), facts.platform,
                    facts.driver, std::to_string(facts.compute_units),
                    bytes_text(facts.memory.bytes), bytes_text(facts.local_bytes),
                    facts.f64 ? "yes" : "no"});
  }
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

int run(const Settings& settings) {
  Progress progress;
  progress.show("asking the devices");  // kernels are compiled for those that are new
  const std::vector<Entry> found = entries(settings.device);
  progress.clear();
  if (settings.json) {
    auto list = nlohmann::json::array();
    for (const auto& [index, facts] : found) {
      list.push_back(to_json(facts));
      list.back()["index"] = index;
    }
    fmt::print("{}\n", dump({{"devices", list}}));
  }
  if (found.empty()) throw Failure("no OpenCL device was found; is a driver installed?");
  if (!settings.json) print_table(found);
  return kSuccess;
}

}  // namespace

Command devices_command(CLI::App& app) {
  const auto settings = std::make_shared<Settings>();
  CLI::App* sub = app.add_subcommand("devices", "List the OpenCL devices of this machine");
  add_device(*sub, settings->device);
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
