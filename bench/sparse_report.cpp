// This file writes a report on sparse transforms: text, JSON, and figure 5 of the cusFFT paper.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/facts.hpp"
#include "bench/sparse.hpp"
#include "charts/colours.hpp"
#include "charts/sheet.hpp"

namespace imago::bench {
namespace {

constexpr const char* kMethods[] = {"phase", "verified", "voting"};
constexpr const char* kColumns = "{:<26}{:<9}{:>13}{:>8}{:>9}{:>9}{:>12}  {}\n";

using Rows = std::vector<const SparseRow*>;

bool is_sparse(const SparseResult& result) {
  return std::any_of(std::begin(kMethods), std::end(kMethods),
                     [&](const char* method) { return result.engine == method; });
}

double x_of(const SparseRow& row, bool over_n) {
  return static_cast<double>(over_n ? row.problem.length : row.problem.sparsity);
}

/// Returns the rows that share the most frequent value of `fixed`, in ascending order of the other
/// parameter.
template <class Fixed>
Rows longest_line(const SparseReport& report, Fixed fixed, bool over_n) {
  std::map<std::size_t, Rows> lines;
  for (const auto& row : report.rows) lines[fixed(row)].push_back(&row);
  Rows longest;
  for (auto& [value, rows] : lines)
    if (rows.size() >= longest.size()) longest = rows;
  std::sort(longest.begin(), longest.end(), [&](const SparseRow* a, const SparseRow* b) {
    return x_of(*a, over_n) < x_of(*b, over_n);
  });
  return longest;
}

std::string line(const SparseRow& row, const SparseResult& result, const std::string& title) {
  if (!result.skipped.empty())
    return fmt::format("{:<26}{:<9}  -  {}\n", title, result.engine, result.skipped);
  const auto dense = seconds_of(row, "imago");
  const bool sparse = is_sparse(result);
  return fmt::format(fmt::runtime(kColumns), title, result.engine,
                     fmt::format("{:.1f} us", 1e6 * result.seconds),
                     fmt::format("{:.0f} %", 100 * result.spread),
                     dense ? fmt::format("{:.3g}", *dense / result.seconds) : "-",
                     sparse ? fmt::format("{:.1e}", result.error) : "-",
                     sparse ? std::to_string(result.samples) : "-",
                     sparse ? fmt::format("{} of {}", result.sure, result.calls) : "");
}

using charts::Panel;
using charts::Point;
using charts::Scale;

constexpr const char *kOverN = "Length n", *kOverK = "Coefficients k";

/// Returns a ratio of times, with the range that both interquartile ranges allow.
Point ratio_point(double x, const SparseResult& slow, const SparseResult& fast) {
  const auto most = [](const SparseResult& of) { return of.seconds * (1 + of.spread / 2); };
  const auto least = [](const SparseResult& of) {
    return of.seconds * std::max(0.0, 1 - of.spread / 2);
  };
  return {x, slow.seconds / fast.seconds, least(slow) / most(fast), most(slow) / least(fast)};
}

const SparseResult* result_of(const SparseRow& row, const std::string& engine) {
  for (const auto& result : row.results)
    if (result.engine == engine && result.skipped.empty()) return &result;
  return nullptr;
}

Panel fitted(Panel panel, bool over_n, const char* y) {
  fit_x(panel, over_n ? kOverN : kOverK, over_n ? Scale::powers_of_two : Scale::powers_of_ten);
  fit_y(panel, y, Scale::powers_of_ten);
  return panel;
}

/// Draws times. Lines of dense transforms are dashed, and have the colours of their engines.
Panel times(const Rows& rows, bool over_n, std::string title) {
  Panel panel{std::move(title), {}, {}};
  for (const SparseRow* row : rows)
    for (const auto& result : row->results) {
      if (!result.skipped.empty()) continue;
      const bool sparse = is_sparse(result);
      auto& series =
          series_of(panel, sparse ? result.engine : charts::label_of(result.engine) + " dense");
      series.colour = result.engine;
      series.dashed = !sparse;
      const double half = result.seconds * result.spread / 2;
      series.points.push_back({x_of(*row, over_n), result.seconds,
                               std::max(0.0, result.seconds - half), result.seconds + half});
    }
  return fitted(std::move(panel), over_n, "Seconds of a call");
}

/// Draws speedups over dense engines: over all but FFTW, or over FFTW only. Colours are those of
/// the methods.
Panel speed_ups(const Rows& rows, bool over_n, bool over_fftw, std::string title) {
  Panel panel{std::move(title), {}, {}};
  panel.reference = 1;
  for (const SparseRow* row : rows) {
    for (const auto& dense : row->results) {
      if (is_sparse(dense) || !dense.skipped.empty() || (dense.engine == "fftw") != over_fftw)
        continue;
      for (const char* method : kMethods) {
        const SparseResult* sparse = result_of(*row, method);
        if (sparse == nullptr) continue;
        const bool usual = over_fftw || dense.engine == "imago";  // the title names it
        auto& series = series_of(panel, usual ? method
                                              : fmt::format("{} over {}", charts::label_of(method),
                                                            charts::label_of(dense.engine)));
        series.colour = method;
        series.dashed = !usual;
        series.points.push_back(ratio_point(x_of(*row, over_n), dense, *sparse));
      }
    }
  }
  return fitted(std::move(panel), over_n, "Times as fast");
}

Panel errors(const Rows& rows, std::string title) {
  Panel panel{std::move(title), {}, {}};
  for (const SparseRow* row : rows)
    for (const auto& result : row->results)
      if (is_sparse(result) && result.skipped.empty() && result.error > 0)
        series_of(panel, result.engine).points.push_back({x_of(*row, false), result.error});
  return fitted(std::move(panel), false, "Mean error over the largest");
}

std::string size_text(std::size_t n) {
  const double log = std::log2(static_cast<double>(n));
  return log == std::floor(log) ? fmt::format("2^{:.0f}", log) : std::to_string(n);
}

}  // namespace

std::optional<double> seconds_of(const SparseRow& row, const std::string& engine) {
  const SparseResult* result = result_of(row, engine);
  return result == nullptr ? std::nullopt : std::optional(result->seconds);
}

std::optional<double> break_even(const Rows& rows, const std::string& sparse,
                                 const std::string& dense, bool over_n) {
  std::optional<std::pair<double, double>> before;  // logarithms of x and of the speedup
  for (const SparseRow* row : rows) {
    const auto fast = seconds_of(*row, sparse), slow = seconds_of(*row, dense);
    if (!fast || !slow) continue;
    const std::pair here{std::log(x_of(*row, over_n)), std::log(*slow / *fast)};
    if (before && (before->second < 0) != (here.second < 0)) {
      const double share = before->second / (before->second - here.second);
      return std::exp(before->first + share * (here.first - before->first));
    }
    before = here;
  }
  return {};
}

std::vector<const SparseRow*> over_length(const SparseReport& report) {
  return longest_line(
      report, [](const SparseRow& row) { return row.problem.sparsity; }, true);
}
std::vector<const SparseRow*> over_sparsity(const SparseReport& report) {
  return longest_line(
      report, [](const SparseRow& row) { return row.problem.length; }, false);
}

std::string sparse_table_head(const Facts& facts) {
  std::string text;
  for (const auto& [name, value] : facts) text += fmt::format("{:<14} {}\n", name, value);
  return text + fmt::format(fmt::runtime("\n" + std::string(kColumns)), "coefficients of length",
                            "method", "time", "spread", "speedup", "error", "samples", "confirmed");
}

std::string sparse_table_row(const SparseRow& row) {
  std::string text;
  std::string title = fmt::format("{} of {} {}", row.problem.sparsity,
                                  size_text(row.problem.length), word(row.problem.precision));
  for (const auto& result : row.results) {
    text += line(row, result, title);
    title.clear();
  }
  return text;
}

std::string sparse_summary(const SparseReport& report) {
  std::string text =
      "\nspread     middle half of the samples, relative to the median\n"
      "speedup    time of imago's dense transform divided by that of this line\n"
      "error      mean error of a coefficient divided by the largest coefficient\n"
      "samples    number of samples read\n"
      "confirmed  calls whose result is consistent, or verified for the method \"verified\"\n\n"
      "equal speed of sparse and dense transforms\n";
  for (const bool over_n : {true, false}) {
    const auto rows = over_n ? over_length(report) : over_sparsity(report);
    if (rows.size() < 2) continue;
    for (const auto& result : rows.back()->results) {
      if (is_sparse(result)) continue;
      for (const char* method : kMethods) {
        const auto at = break_even(rows, method, result.engine, over_n);
        text += fmt::format("  {:<9}and {:<7}{}: {}\n", method, result.engine,
                            over_n ? fmt::format("k = {}", rows.back()->problem.sparsity)
                                   : "n = " + size_text(rows.back()->problem.length),
                            !at      ? "nowhere between"
                            : over_n ? fmt::format("n = {:.0f} (2^{:.1f})", *at, std::log2(*at))
                                     : fmt::format("k = {:.0f}", *at));
      }
    }
  }
  return report.interrupted ? text + "  interrupted: finished rows only\n" : text;
}

std::string to_json(const SparseReport& report) {
  nlohmann::ordered_json json = {{"interrupted", report.interrupted},
                                 {"facts", nlohmann::ordered_json::object()},
                                 {"rows", nlohmann::ordered_json::array()}};
  for (const auto& [name, value] : report.facts) json["facts"][name] = value;
  for (const auto& row : report.rows) {
    nlohmann::ordered_json one = {{"length", row.problem.length},
                                  {"sparsity", row.problem.sparsity},
                                  {"precision", word(row.problem.precision)},
                                  {"results", nlohmann::ordered_json::array()}};
    for (const auto& result : row.results) {
      nlohmann::ordered_json of = {{"engine", result.engine}};
      if (!result.skipped.empty()) {
        of["skipped"] = result.skipped;
      } else {
        of["seconds"] = result.seconds;
        of["spread"] = result.spread;
        if (is_sparse(result)) {
          of["error"] = result.error;
          of["samples"] = result.samples;
          of["calls"] = result.calls;
          of["sure"] = result.sure;
        }
      }
      one["results"].push_back(std::move(of));
    }
    json["rows"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

std::string to_svg(const SparseReport& report) {
  const auto lengths = over_length(report), sparsities = over_sparsity(report);
  charts::Sheet sheet{
      machine_of(report.facts),
      "Sparse transforms compared with dense ones; error bars: the middle half of the samples; "
      "speedups are over imago's dense transform unless stated",
      {}};
  if (report.rows.empty()) return draw(sheet);
  const std::string k = fmt::format("k = {}", lengths.back()->problem.sparsity),
                    n = fmt::format("n = {}", size_text(sparsities.back()->problem.length));
  for (Panel& panel :
       std::array{times(lengths, true, "time, " + k), times(sparsities, false, "time, " + n),
                  speed_ups(lengths, true, false, "speedup over dense transforms, " + k),
                  speed_ups(lengths, true, true, "speedup over FFTW, " + k),
                  speed_ups(sparsities, false, false, "speedup over dense transforms, " + n),
                  errors(sparsities, "error, " + n)}) {
    if (panel.series.empty()) continue;
    panel.title = fmt::format("{}: {}", static_cast<char>('a' + sheet.panels.size()), panel.title);
    sheet.panels.push_back(std::move(panel));
  }
  return draw(sheet);
}

}  // namespace imago::bench
