// This file writes a report as text: the facts, a line per engine and case, and the geometric
// means.
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

std::string ratio_text(const std::vector<Ratio>& ratios, const std::string& engine) {
  for (const Ratio& ratio : ratios)
    if (ratio.peer == engine)
      return fmt::format("{:.2f} [{:.2f}, {:.2f}]", ratio.value, ratio.low, ratio.high);
  return {};
}

std::string error_text(double error) {
  if (std::isnan(error)) return "nan";
  return error < 0 ? "-" : fmt::format("{:.1e}", error);
}

// Returns the time to make a plan plus that of its first call, because a plan is of no use before.
std::string plan_text(double plan, double first) {
  return plan < 0 ? "-" : time_text(plan + first);
}

constexpr const char* kColumns = "{:<36}{:<7}{:>9}{:>10}{:>9}{:>7}  {:<20}{:>10}{:>10}{:>10}\n";

std::string line(const Row& row, const Result& result, const std::string& title) {
  if (!result.skipped.empty())
    return fmt::format("{:<36}{:<7}  -  {}\n", title, result.engine, result.skipped);
  return fmt::format(fmt::runtime(kColumns), title, result.engine, time_text(result.seconds),
                     fmt::format("{:.1f}", result.gflops), fmt::format("{:.1f}", result.gbps),
                     fmt::format("{:.3f}", result.wall_share),
                     ratio_text(row.ratios, result.engine),
                     plan_text(result.plan_cold, result.first_cold),
                     plan_text(result.plan_warm, result.first_warm), error_text(result.error));
}

// For single calls, in microseconds: back-to-back calls, then synchronous calls.
constexpr const char* kCallColumns = "{:<36}{:<7}{:>10}  {:<20}{:>10}  {:<20}{:>10}{:>10}{:>10}\n";

std::string microseconds(double seconds) {
  return seconds < 0 ? "-" : fmt::format("{:.2f}", seconds * 1e6);
}

std::string call_line(const Row& row, const Result& result, const std::string& title) {
  if (!result.skipped.empty()) return line(row, result, title);
  return fmt::format(fmt::runtime(kCallColumns), title, result.engine, microseconds(result.seconds),
                     ratio_text(row.ratios, result.engine), microseconds(result.latency),
                     ratio_text(row.latency_ratios, result.engine),
                     plan_text(result.plan_cold, result.first_cold),
                     plan_text(result.plan_warm, result.first_warm), error_text(result.error));
}

std::string wall_line(const Row& row, Timing timing) {
  if (timing == Timing::trains)
    return fmt::format("{:<36}{:<7}{:>28.1f}  {}\n", "", "wall", row.wall_gbps, row.wall_by);
  const double train = 1e-9 * static_cast<double>(moved_bytes(row.problem)) / row.wall_gbps;
  return fmt::format("{:<36}{:<7}{:>10}  {:<20}{:>10}\n", "", "wall", microseconds(train),
                     row.wall_by, microseconds(row.wall_latency));
}

std::string mean_text(const Mean& mean, Timing timing) {
  if (mean.rows == 0) return fmt::format("imago has no number in any of {} rows", mean.cases);
  std::string what =
      mean.peer.empty() ? "share of the wall" : "imago is faster than " + mean.peer + " by";
  if (timing == Timing::single_calls)
    what = (mean.latency ? "with a wait: " : "in a train: ") + what;
  // A shape identifies one row of a family, but single calls have means over all precisions and
  // kinds.
  return fmt::format("{:<{}}{:>7.3f}  over {} of {} rows, worst {:.3f} at {}", what,
                     timing == Timing::single_calls ? 50 : 36, mean.value, mean.rows, mean.cases,
                     mean.worst,
                     timing == Timing::single_calls ? mean.worst_case : mean.worst_shape);
}

}  // namespace

std::string table_head(const Facts& facts, Timing timing) {
  std::string text;
  for (const auto& [name, value] : facts) text += fmt::format("{:<14} {}\n", name, value);
  if (timing == Timing::single_calls)
    return text + fmt::format(fmt::runtime("\n" + std::string(kCallColumns)), "lengths x batch, us",
                              "engine", "in a train", "imago is faster by", "with wait",
                              "imago is faster by", "cold", "warm", "error");
  return text + fmt::format(fmt::runtime("\n" + std::string(kColumns)), "lengths x batch", "engine",
                            "time", "GFLOP/s", "GB/s", "wall", "imago is faster by", "cold", "warm",
                            "error");
}

std::string table_row(const Row& row, Timing timing) {
  std::string text, title = name(row.problem);
  for (const Result& result : row.results) {
    text +=
        timing == Timing::single_calls ? call_line(row, result, title) : line(row, result, title);
    title.clear();
  }
  return row.wall_gbps > 0 ? text + wall_line(row, timing) : text;
}

std::string table_summary(const Report& report) {
  std::string text = "geometric means\n", title;
  for (const Mean& mean : summarise(report)) {
    const std::string its =
        fmt::format("{}, {}", mean.family, mean.precision ? word(*mean.precision) : kAllFamilies);
    text += fmt::format("  {:<24}{}\n", its == title ? "" : its, mean_text(mean, report.timing));
    title = its;
  }
  return report.interrupted ? text + "  interrupted: finished rows only\n" : text;
}

}  // namespace imago::bench
