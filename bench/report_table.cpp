// This file writes a report as text: the facts, a line per engine and case, the definitions of the
// columns, and the geometric means.
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

// The case is a line of its own; lines of its results have at most 100 columns.
constexpr const char* kColumns = "  {:<12}{:>8}{:>9}{:>9}{:>9}  {:<22}{:>9}{:>9}{:>9}\n";

std::string line(const Row& row, const Result& result) {
  if (!result.skipped.empty())
    return fmt::format("  {:<12}  -  {}\n", result.engine, result.skipped);
  return fmt::format(fmt::runtime(kColumns), result.engine, time_text(result.seconds),
                     fmt::format("{:.1f}", result.gflops), fmt::format("{:.1f}", result.gbps),
                     fmt::format("{:.3f}", result.wall_share),
                     ratio_text(row.ratios, result.engine),
                     plan_text(result.plan_cold, result.first_cold),
                     plan_text(result.plan_warm, result.first_warm), error_text(result.error));
}

// For single calls, in microseconds: back-to-back calls, then synchronous calls.
constexpr const char* kCallColumns = "  {:<12}{:>12}  {:<18}{:>9}  {:<18}{:>8}{:>9}{:>8}\n";

std::string microseconds(double seconds) {
  return seconds < 0 ? "-" : fmt::format("{:.2f}", seconds * 1e6);
}

std::string call_line(const Row& row, const Result& result) {
  if (!result.skipped.empty()) return line(row, result);
  return fmt::format(fmt::runtime(kCallColumns), result.engine, microseconds(result.seconds),
                     ratio_text(row.ratios, result.engine), microseconds(result.latency),
                     ratio_text(row.latency_ratios, result.engine),
                     plan_text(result.plan_cold, result.first_cold),
                     plan_text(result.plan_warm, result.first_warm), error_text(result.error));
}

std::string copy_line(const Row& row, Timing timing) {
  if (timing == Timing::trains)
    return fmt::format("  {:<12}{:>26.1f}{:>9}  {}\n", "copy", row.wall_gbps, "", row.wall_by);
  const double train = 1e-9 * static_cast<double>(moved_bytes(row.problem)) / row.wall_gbps;
  return fmt::format("  {:<12}{:>12}  {:<18}{:>9}\n", "copy", microseconds(train), row.wall_by,
                     microseconds(row.wall_latency));
}

// Definitions of the columns, for the end of the table.
constexpr const char* kLegend =
    "GFLOP/s       5 N log2 N operations per transform of N points; half of that for real data\n"
    "GB/s          one read of the input and one write of the output\n"
    "of copy       fraction of copy bandwidth: GB/s divided by the GB/s of the line \"copy\"\n";
constexpr const char* kCallLegend =
    "back-to-back  time per call of back-to-back calls (throughput)\n"
    "one call      time of one call and the wait for its result (latency)\n";
constexpr const char* kCommonLegend =
    "speedup       time of the library divided by imago's, with its 95 % interval\n"
    "cold          time for a plan and its first call, without cached kernels or wisdom\n"
    "warm          the same with cached kernels or wisdom\n"
    "error         relative L2 error of the worst transform\n"
    "copy          a copy of as many bytes on the device, the upper limit of a GPU\n";

std::string legend(Timing timing) {
  return std::string("\n") + (timing == Timing::single_calls ? kCallLegend : kLegend) +
         kCommonLegend;
}

std::string mean_text(const Mean& mean, Timing timing) {
  const bool calls = timing == Timing::single_calls;
  std::string what = mean.peer.empty()        ? "fraction of copy bandwidth"
                     : mean.peer == kBestPeer ? "speedup over best other library"
                     : mean.peer == kGraphs   ? "speedup over cufft, both in graphs"
                                              : "speedup over " + mean.peer;
  if (calls) what = (mean.latency ? "one call: " : "back-to-back: ") + what;
  if (mean.rows == 0) return fmt::format("{}: no number in any of {} rows", what, mean.cases);
  std::string rows;
  if (mean.rows != mean.cases) rows = fmt::format("  over {} of {} rows", mean.rows, mean.cases);
  // A shape identifies one row of a family, but single calls have means over all precisions and
  // kinds.
  return fmt::format("{:<{}}{:>7.3f}{}  ({:.3f} at {})", what, calls ? 46 : 32, mean.value, rows,
                     mean.worst, calls ? mean.worst_case : mean.worst_shape);
}

}  // namespace

std::string table_head(const Facts& facts, Timing timing) {
  std::string text;
  for (const auto& [name, value] : facts) text += fmt::format("{:<14} {}\n", name, value);
  if (timing == Timing::single_calls)
    return text + "\nlengths x batch; times in us\n" +
           fmt::format(fmt::runtime(kCallColumns), "library", "back-to-back", "speedup [95 %]",
                       "one call", "speedup [95 %]", "cold", "warm", "error");
  return text + "\nlengths x batch\n" +
         fmt::format(fmt::runtime(kColumns), "library", "time", "GFLOP/s", "GB/s", "of copy",
                     "speedup [95 %]", "cold", "warm", "error");
}

std::string table_row(const Row& row, Timing timing) {
  std::string text = name(row.problem);
  for (const Result& result : row.results)
    if (!result.way.empty()) text += ", " + result.engine + ": " + result.way;
  text += "\n";
  for (const Result& result : row.results)
    text += timing == Timing::single_calls ? call_line(row, result) : line(row, result);
  return row.wall_gbps > 0 ? text + copy_line(row, timing) : text;
}

std::string table_summary(const Report& report) {
  std::string text = legend(report.timing) + "\ngeometric means, and the lowest row\n", title;
  for (const Mean& mean : summarise(report)) {
    const std::string its =
        fmt::format("{}, {}", mean.family, mean.precision ? word(*mean.precision) : kAllFamilies);
    if (its != title) text += fmt::format("  {}: {} rows\n", its, mean.cases);
    text += fmt::format("    {}\n", mean_text(mean, report.timing));
    title = its;
  }
  return report.interrupted ? text + "  interrupted: finished rows only\n" : text;
}

}  // namespace imago::bench
