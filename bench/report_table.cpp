// This file writes a report for people: the facts, a line per engine and case, the geometric means.
#include <cmath>

#include <fmt/format.h>

#include "bench/rows.hpp"

namespace imago::bench {
namespace {

std::string time_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} us", seconds * 1e6);
}

std::string ratio_text(const Row& row, const std::string& engine) {
  for (const Ratio& ratio : row.ratios)
    if (ratio.peer == engine)
      return fmt::format("{:.2f} [{:.2f}, {:.2f}]", ratio.value, ratio.low, ratio.high);
  return {};
}

std::string error_text(double error) {
  if (std::isnan(error)) return "nan";
  return error < 0 ? "-" : fmt::format("{:.1e}", error);
}

// A plan is only of use once it has run: making it and its first call.
std::string plan_text(double plan, double first) {
  return plan < 0 ? "-" : time_text(plan + first);
}

constexpr const char* kColumns = "{:<36}{:<7}{:>9}{:>10}{:>9}{:>7}  {:<20}{:>10}{:>10}{:>10}\n";

std::string line(const Row& row, const Result& result, const std::string& title) {
  if (!result.skipped.empty())
    return fmt::format("{:<36}{:<7}  -  {}\n", title, result.engine, result.skipped);
  return fmt::format(fmt::runtime(kColumns), title, result.engine, time_text(result.seconds),
                     fmt::format("{:.1f}", result.gflops), fmt::format("{:.1f}", result.gbps),
                     fmt::format("{:.3f}", result.wall_share), ratio_text(row, result.engine),
                     plan_text(result.plan_cold, result.first_cold),
                     plan_text(result.plan_warm, result.first_warm), error_text(result.error));
}

std::string mean_text(const Mean& mean) {
  if (mean.rows == 0) return fmt::format("imago has no number in any of {} rows", mean.cases);
  const std::string what =
      mean.peer.empty() ? "share of the wall" : "imago is faster than " + mean.peer + " by";
  return fmt::format("{:<36}{:>7.3f}  over {} of {} rows, worst {:.3f} at {}", what, mean.value,
                     mean.rows, mean.cases, mean.worst, mean.worst_shape);
}

}  // namespace

std::string table_head(const Facts& facts) {
  std::string text;
  for (const auto& [name, value] : facts) text += fmt::format("{:<14} {}\n", name, value);
  return text + fmt::format(fmt::runtime("\n" + std::string(kColumns)), "lengths x batch", "engine",
                            "time", "GFLOP/s", "GB/s", "wall", "imago is faster by", "cold", "warm",
                            "error");
}

std::string table_row(const Row& row) {
  std::string text, title = name(row.problem);
  for (const Result& result : row.results) {
    text += line(row, result, title);
    title.clear();
  }
  if (row.wall_gbps > 0)
    text += fmt::format("{:<36}{:<7}{:>28.1f}  {}\n", "", "wall", row.wall_gbps, row.wall_by);
  return text;
}

std::string table_summary(const Report& report) {
  std::string text = "geometric means\n", title;
  for (const Mean& mean : summarise(report)) {
    const std::string its = fmt::format("{}, {}", mean.family, word(mean.precision));
    text += fmt::format("  {:<24}{}\n", its == title ? "" : its, mean_text(mean));
    title = its;
  }
  return report.interrupted ? text + "  interrupted: finished rows only\n" : text;
}

}  // namespace imago::bench
