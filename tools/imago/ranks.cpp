// This file implements `imago explain --ranks`.
#include "ranks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <imago/devices.hpp>

#include "command.hpp"
#include "engine/tuning.hpp"
#include "formats/recording.hpp"
#include "model/rates.hpp"
#include "report_writer.hpp"
#include "scaling/ranks.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

// Nearly the rate of a PCIe 5 x16 link in each direction.
constexpr double kUsualLink = 50e9;
constexpr const char* kWithRanks = "With --ranks";  // a group of the help

/// The rates, with their sources.
struct Assumed {
  scaling::RankRates rates;
  std::string memory, link;
};

Field rate(const char* path, double bytes) {
  return {path, bytes, bytes > 0 ? fmt::format("{:.4g} GB/s", bytes / 1e9) : "none"};
}

Assumed assumed(const Ranks& ranks, const std::string& wish, const Options& options) {
  Assumed found;
  found.rates.network = parse_rate("--network", ranks.network);
  found.rates.message = ranks.message * 1e-6;
  bool host_memory = false;
  if (ranks.memory.empty() || !wish.empty()) {
    const device::Facts plain = facts_of(find_device(wish), options);
    const device::Facts facts = engine::Tuning(plain, options).facts();
    host_memory = facts.type == device::Type::cpu;
    found.rates.memory = model::rates_of(facts).copy_bytes;
    found.memory =
        fmt::format("{}, {}", facts.rates.copy_bytes > 0 ? "measured" : "guessed", describe(facts));
  }
  if (!ranks.memory.empty()) {
    found.rates.memory = parse_rate("--memory", ranks.memory);
    found.memory = "given";
  }
  found.rates.link = host_memory ? 0 : kUsualLink;
  found.link = host_memory ? "works in host memory" : "assumed";
  if (!ranks.link.empty()) {
    found.rates.link = parse_rate("--link", ranks.link);
    found.link = "given";
  }
  if (!(found.rates.memory > 0) || !(found.rates.network > 0))
    throw Misuse("--memory and --network must be rates above 0, such as 25GB/s");
  if (!(ranks.message >= 0))
    throw Misuse(fmt::format("--message is {}: it must be 0 or more microseconds", ranks.message));
  return found;
}

scaling::SpreadArray array_of(const Problem& problem) {
  const Transform transform = problem.transform();
  if (transform.lengths.size() < 2 || transform.lengths.size() > 3 ||
      std::ranges::min(transform.lengths) == 0)
    throw Misuse("shape is " + problem.shape +
                 ", and must have two or three lengths above 0 for --ranks");
  if (!transform.axes.empty()) throw Misuse("--ranks needs one --kind for all axes: name one kind");
  if (transform.batch != 1)
    throw Misuse("--batch and --ranks exclude each other: omit one of them");
  scaling::SpreadArray array{.lengths = transform.lengths};
  array.real = transform.kind == Kind::real;
  array.element_bytes = transform.precision == Precision::f64   ? 16
                        : transform.precision == Precision::f32 ? 8
                                                                : 4;
  if (transform.kind != Kind::complex && !array.real) array.element_bytes /= 2;
  return array;
}

struct Row {
  const char *decomposition, *residence;
  scaling::RankCost cost;
};

std::vector<Row> rows_of(const scaling::SpreadArray& array, std::size_t count,
                         const scaling::RankRates& rates) {
  using scaling::Decomposition;
  using scaling::Residence;
  std::vector<Row> rows;
  // A single rank has the array in host memory, and copies it to its device and back once.
  if (const auto cost = predict(array, 1, Decomposition::slabs, Residence::device, rates))
    rows.push_back({"alone", "host", *cost});
  for (const auto& [decomposition, word] :
       {std::pair(Decomposition::slabs, "slabs"), std::pair(Decomposition::pencils, "pencils")}) {
    for (const auto& [residence, where] :
         {std::pair(Residence::host, "host"), std::pair(Residence::shared, "shared"),
          std::pair(Residence::device, "device")}) {
      const auto cost = predict(array, count, decomposition, residence, rates);
      if (cost) rows.push_back({word, where, *cost});
    }
  }
  return rows;
}

/// Adds a row of the table.
template <class... Cells>
void add_row(Report& report, const Cells&... cells) {
  report.row("{:<8} {:<7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>11} {:>11}", cells...);
}

Report report_of(const Row& row) {
  const scaling::RankCost& cost = row.cost;
  Report report;
  add_row(
      report, Field::plain("decomposition", row.decomposition), Field::plain("data", row.residence),
      Field{"grid", cost.grid, fmt::format("{}x{}", cost.grid[0], cost.grid[1])},
      Field{"part_bytes", cost.part_bytes, bytes_text(static_cast<std::size_t>(cost.part_bytes))},
      Field::seconds("memory_seconds", cost.memory), Field::seconds("link_seconds", cost.link),
      Field::seconds("network_seconds", cost.network),
      Field::seconds("one_by_one_seconds", cost.one_by_one()),
      Field::seconds("overlapped_seconds", cost.overlapped()));
  return report;
}

}  // namespace

double parse_rate(const std::string& option, const std::string& text) {
  if (text == "none") return 0;
  static constexpr std::array<std::pair<const char*, double>, 8> kUnits{{{"MB/s", 1e6},
                                                                         {"GB/s", 1e9},
                                                                         {"TB/s", 1e12},
                                                                         {"kB/s", 1e3},
                                                                         {"B/s", 1},
                                                                         {"Mbit/s", 1e6 / 8},
                                                                         {"Gbit/s", 1e9 / 8},
                                                                         {"Tbit/s", 1e12 / 8}}};
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  std::string unit(next, end);
  unit.erase(0, unit.find_first_not_of(' '));
  for (const auto& [word, factor] : kUnits) {
    if (error == std::errc() && formats::is_moderate(number) && unit == word)
      return number * factor;
  }
  throw Misuse(option + " is " + text +
               ", and must be a rate, such as 25GB/s or 200Gbit/s, or none");
}

void add_ranks(CLI::App& app, Ranks& ranks) {
  CLI::Option* count = add_count(app, "--ranks", "COUNT", ranks.count,
                                 "Predict the time over COUNT ranks, a device each; run nothing");
  const auto add = [&](const char* name, std::string& rate, const char* about) {
    app.add_option(name, rate, about)
        ->type_name("RATE")
        ->needs(count)
        ->capture_default_str()
        ->group(kWithRanks);
  };
  add("--network", ranks.network, "Set what a rank sends per second");
  add("--link", ranks.link,
      "Set the rate between host and device, each way; none for devices in host memory [50GB/s, or "
      "none on a CPU]");
  add("--memory", ranks.memory,
      "Set the device's copy bandwidth [as measured or estimated for --device]");
  app.add_option("--message", ranks.message, "Set the latency of a message")
      ->type_name("MICROSECONDS")
      ->transform(number())
      ->needs(count)
      ->capture_default_str()
      ->group(kWithRanks);
}

int explain_ranks(const Problem& problem, const Ranks& ranks, const std::string& device,
                  const Options& options, bool json) {
  const scaling::SpreadArray array = array_of(problem);
  const Assumed found = assumed(ranks, device, options);
  const std::vector<Row> rows = rows_of(array, ranks.count, found.rates);
  if (rows.size() < 2)
    throw Misuse(fmt::format("--ranks is {}: these are too many to share {} points", ranks.count,
                             problem.shape));
  const scaling::RankRates& rates = found.rates;
  Report report;
  report.line("problem", "{}, {} ranks", describe(problem.transform()),
              Field::plain("ranks", ranks.count));
  report.line("memory", "{} ({})", rate("memory", rates.memory), found.memory);
  report.line("link", "{} ({})", rate("link", rates.link), found.link);
  report.line("network", "{}, {:g} us a message", rate("network", rates.network),
              rates.message * 1e6);
  report.value("lengths", array.lengths);
  report.value("message_seconds", rates.message);
  report.value("paper", true);
  report.row("");
  add_row(report, "", "data", "grid", "part", "memory", "link", "network", "one by one",
          "overlapped");
  report.rows("predictions", rows, [](const Row& row) { return report_of(row); });
  report.row("\nThese times are predictions; nothing was executed (docs/scaling.md).");
  report.print(json);
  return kSuccess;
}

}  // namespace imago::command
