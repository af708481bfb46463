// This file writes the tuner's reports.
#include "tune_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/precision.hpp"
#include "kernel/program.hpp"
#include "options.hpp"
#include "profile/parameters_json.hpp"
#include "profile/words.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

constexpr double kGained = 1.005;  ///< smaller ratios are printed as 1.00

/// Returns the time of imago's own choice over that of the best; NaN if one of them has none.
double own_ratio(const tuner::Tuned& row) {
  const auto *best = row.result.best(), *own = row.result.of(row.own);
  return best && own && own->failure.empty() ? own->seconds / best->seconds : std::nan("");
}

double gbps(const profile::ProblemClass& problem, double seconds) {
  const auto size = static_cast<double>(2 * base::bytes_of(problem.precision));
  const double arrays = problem.kind == Kind::complex ? 2 : 1;  // real numbers are half as large
  return arrays * size * static_cast<double>(problem.points() * problem.batch) / seconds / 1e9;
}

std::size_t failures(const tuner::Result& result) {
  return static_cast<std::size_t>(
      std::count_if(result.tried.begin(), result.tried.end(),
                    [](const auto& tried) { return !tried.failure.empty(); }));
}

}  // namespace

std::string text_of(const Parameters& parameters) {
  std::string text;
  for (const auto& kernel : parameters.kernels) {
    if (!text.empty()) text += "; then ";
    text += fmt::format("radices {}, ", fmt::join(kernel.radices, " "));
    if (parameters.mapping == Mapping::vector) {
      const char* const what = kernel.axis == LaneAxis::columns ? "transforms" : "points";
      text += fmt::format("vectors of {} {}, {} per work-item", kernel.lanes, what,
                          counted(kernel.columns, "transform"));
    } else {
      text += fmt::format("{}, {} per work-group", counted(kernel.items, "work-item"),
                          counted(kernel.columns, "transform"));
      if (kernel.exchange == Exchange::split) text += ", split exchange";
      if (kernel.exchange == Exchange::in_place) text += ", points in place";
    }
    if (kernel.twiddles != Twiddles::product)
      text += fmt::format(", twiddles {}", profile::word_of(profile::kTwiddles, kernel.twiddles));
  }
  return text;
}

std::string tuned_head() {
  return fmt::format("{:>10} {:>9} {:>10} {:>8} {:>7} {:>6} {:>7}  {}\n", "length", "batch", "best",
                     "GB/s", "own", "tried", "s", "parameters");
}

Report report_of(const tuner::Tuned& row) {
  const auto& best = *row.result.best();
  const double gain = own_ratio(row);
  Report report;
  report.row("{:>10} {:>9} {:>10} {:>8.1f} {:>7} {:>6} {:>7}  {}",
             Field{"lengths", row.problem.lengths, row.problem.shape()},
             Field::plain("batch", row.problem.batch), Field::seconds("seconds", best.seconds),
             gbps(row.problem, best.seconds), Field::number("gain", gain, "{:.3f}"),
             Field::plain("tried", row.result.tried.size()),
             Field::number("search_seconds", row.seconds, "{:.1f}"),
             Field::plain("parameters", text_of(best.parameters)));
  return report;
}

std::string tuned_summary(const std::vector<tuner::Tuned>& rows) {
  std::vector<double> ratios;
  for (const tuner::Tuned& row : rows) {
    const double ratio = own_ratio(row);
    if (!std::isnan(ratio)) ratios.push_back(ratio);
  }
  if (ratios.empty()) return {};
  std::sort(ratios.begin(), ratios.end());
  double log_sum = 0;
  for (const double ratio : ratios) log_sum += std::log(ratio);
  return fmt::format(
      "gain       speedup from tuning (time of imago's own choice / best time): median {:.3f}, "
      "geometric mean {:.3f}, largest {:.3f}, over {}{}\n",
      ratios[ratios.size() / 2], std::exp(log_sum / static_cast<double>(ratios.size())),
      ratios.back(), counted(ratios.size(), "length"),
      ratios.back() < kGained ? "; 1 means that tuning gained nothing" : "");
}

nlohmann::json tuned_json(const std::vector<tuner::Tuned>& rows, const device::Facts& facts) {
  auto list = nlohmann::json::array();
  for (const tuner::Tuned& row : rows) {
    auto tried = nlohmann::json::array();
    for (const auto& candidate : row.result.tried) {
      tried.push_back({{"parameters", text_of(candidate.parameters)},
                       {"chosen", profile::json_of(candidate.parameters, profile::Natives::with)},
                       {"predicted", candidate.predicted},
                       {"samples", candidate.samples},
                       {"finalist", candidate.finalist}});
      if (candidate.failure.empty())
        tried.back()["seconds"] = candidate.seconds;
      else
        tried.back()["failure"] = candidate.failure;
    }
    list.push_back({{"class", row.problem.key()},
                    {"shape", row.problem.shape()},
                    {"kind", profile::word_of(profile::kKinds, row.problem.kind)},
                    {"precision", row.problem.arithmetic()},
                    {"placement", profile::word_of(profile::kPlacements, row.problem.placement)},
                    {"lengths", row.problem.lengths},
                    {"batch", row.problem.batch},
                    {"space", row.result.space},
                    {"failures", failures(row.result)},
                    {"search_seconds", row.seconds},
                    {"own", text_of(row.own)},
                    {"own_over_best", own_ratio(row)},  // NaN is written as null
                    {"stopped", row.result.stopped},
                    {"tried", tried}});
  }
  return {{"device", to_json(facts)}, {"rows", list}};
}

std::string profile_table(const profile::Profile& profile) {
  std::string text = fmt::format("device     {} ({}), driver {}\n", profile.device.name,
                                 profile.device.platform, profile.device.driver);
  const auto& rates = profile.rates;
  if (rates.copy_bytes > 0) {
    text += fmt::format(
        "measured   copy {:.0f} GB/s, local memory {:.0f} GB/s, {:.0f} GFLOP/s, launch {:.1f} us, "
        "segments of 16 to 256 bytes {:.2f}\n",
        rates.copy_bytes / 1e9, rates.local_bytes / 1e9, rates.flops / 1e9,
        rates.launch_seconds * 1e6, fmt::join(rates.segments, " "));
  }
  text += fmt::format("{:>10} {:>9} {:>8} {:>4} {:>13} {:>10} {:>8}  {}\n", "length", "batch", "",
                      "", "", "time", "GB/s", "parameters");
  for (const auto& entry : profile.entries) {
    text +=
        fmt::format("{:>10} {:>9} {:>8} {:>4} {:>13} {:>10} {:>8.1f}  {}\n", entry.problem.shape(),
                    entry.problem.batch, word(entry.problem.kind), entry.problem.arithmetic(),
                    word(entry.problem.placement), seconds_text(entry.seconds),
                    gbps(entry.problem, entry.seconds), text_of(entry.parameters));
  }
  return text;
}

}  // namespace imago::command
