// This file computes the numbers of a row and of the summary.
#include "bench/rows.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "bench/statistics.hpp"
#include "problem/words.hpp"

namespace imago::bench {
namespace {

constexpr const char* kOwn = "imago";

const Series* series_of(const std::vector<Series>& series, const std::string& name) {
  const auto found =
      std::find_if(series.begin(), series.end(), [&](const Series& s) { return s.name == name; });
  return found == series.end() || found->seconds.empty() ? nullptr : &*found;
}

double moved_gigabytes(const Case& problem) {
  return 1e-9 * static_cast<double>(moved_bytes(problem));
}

/// Returns the fastest copy; null without copies.
const Series* fastest_copy(const Row& row, const std::vector<Series>& series) {
  const Series* fastest = nullptr;
  for (const Series& each : series) {
    const bool engine =
        std::any_of(row.results.begin(), row.results.end(),
                    [&](const Result& result) { return result.engine == each.name; });
    if (engine || each.seconds.empty()) continue;
    if (fastest == nullptr || median(each.seconds) < median(fastest->seconds)) fastest = &each;
  }
  return fastest;
}

// Returns the ratio of each other engine's series to imago's.
std::vector<Ratio> ratios_of(const Row& row, const std::vector<Series>& series) {
  std::vector<Ratio> ratios;
  const Series* own = series_of(series, kOwn);
  for (const Result& result : row.results) {
    const Series* mine = series_of(series, result.engine);
    if (own == nullptr || mine == nullptr || mine == own) continue;
    const auto interval = median_interval(pair_ratios(mine->seconds, own->seconds));
    ratios.push_back({result.engine, interval.value, interval.low, interval.high});
  }
  return ratios;
}

void note_failures(Row& row, const std::vector<Series>& series) {
  for (Result& result : row.results)
    for (const Series& each : series)
      if (each.name == result.engine && !each.failure.empty()) result.skipped = each.failure;
}

void fill_times(Result& result, const Series& series, const Row& row) {
  result.calls = series.calls;
  result.rounds = series.seconds.size();
  result.seconds = median(series.seconds);
  result.spread = spread(series.seconds);
  result.gflops = flops(row.problem) / result.seconds * 1e-9;
  result.gbps = moved_gigabytes(row.problem) / result.seconds;
  result.wall_share = row.wall_gbps > 0 ? result.gbps / row.wall_gbps : 0;
}

using Rows = std::vector<const Row*>;
using Values = std::vector<std::pair<double, const Case*>>;  // a value and its case

void add_mean(std::vector<Mean>& means, const Mean& of, const Values& values) {
  if (values.empty()) {
    means.push_back(of);
    return;
  }
  std::vector<double> plain;
  for (const auto& [value, problem] : values) plain.push_back(value);
  const auto worst = std::min_element(
      values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Mean mean = of;
  mean.value = geometric_mean(plain);
  mean.worst = worst->first;
  mean.worst_shape = shape(*worst->second);
  mean.worst_case = name(*worst->second);
  mean.rows = values.size();
  means.push_back(std::move(mean));
}

Values shares(const Rows& rows) {
  Values values;
  for (const Row* row : rows)
    for (const Result& result : row->results)
      if (result.engine == kOwn && result.wall_share > 0)
        values.emplace_back(result.wall_share, &row->problem);
  return values;
}

using Ratios = std::vector<Ratio> Row::*;  // ratios of back-to-back or synchronous calls

Values values_of(const Rows& rows, Ratios ratios, const std::string& peer) {
  Values values;
  for (const Row* row : rows)
    for (const Ratio& ratio : row->*ratios)
      if (ratio.peer == peer) values.emplace_back(ratio.value, &row->problem);
  return values;
}

/// True for another way to launch of a library, such as "imago-graph".
bool is_other_launch(const std::string& engine) { return engine.find('-') != engine.npos; }

Values best_values(const Rows& rows, Ratios ratios) {
  Values values;
  for (const Row* row : rows) {
    auto all = row->*ratios;
    std::erase_if(all, [](const Ratio& ratio) { return is_other_launch(ratio.peer); });
    if (all.empty()) continue;
    const auto best = std::min_element(
        all.begin(), all.end(), [](const Ratio& a, const Ratio& b) { return a.value < b.value; });
    values.emplace_back(best->value, &row->problem);
  }
  return values;
}

Values graph_values(const Rows& rows, Ratios ratios) {
  Values values;
  for (const auto& [peer, problem] : values_of(rows, ratios, "cufft-graph"))
    for (const auto& [own, same] : values_of(rows, ratios, "imago-graph"))
      if (same == problem) values.emplace_back(peer / own, problem);
  return values;
}

std::vector<std::string> peers_of(const Rows& rows) {
  std::vector<std::string> peers;
  for (const Row* row : rows)
    for (const Ratio& ratio : row->ratios)
      if (std::find(peers.begin(), peers.end(), ratio.peer) == peers.end())
        peers.push_back(ratio.peer);
  return peers;
}

Rows selected(const Report& report, std::optional<Precision> precision) {
  Rows rows;
  for (const Row& row : report.rows)
    if (!precision || row.problem.precision == *precision) rows.push_back(&row);
  return rows;
}

std::vector<std::string> families_of(const Rows& rows) {
  std::vector<std::string> families;
  for (const Row* row : rows) {
    const std::string its = family(row->problem);
    if (std::find(families.begin(), families.end(), its) == families.end()) families.push_back(its);
  }
  return families;
}

bool has_own(const Rows& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const Row* row) {
    return std::any_of(row->results.begin(), row->results.end(),
                       [](const Result& result) { return result.engine == kOwn; });
  });
}

/// If there are several other engines, adds also the ratio to the best of each row.
void add_ratios(std::vector<Mean>& means, Mean of, const Rows& rows, bool several) {
  const Ratios ratios = of.latency ? &Row::latency_ratios : &Row::ratios;
  const auto peers = peers_of(rows);
  for (const auto& peer : peers) {
    of.peer = peer;
    add_mean(means, of, values_of(rows, ratios, peer));
  }
  of.peer = kGraphs;
  if (const Values values = graph_values(rows, ratios); !values.empty())
    add_mean(means, of, values);
  of.peer = kBestPeer;
  if (several && !peers.empty()) add_mean(means, of, best_values(rows, ratios));
}

class Summary {
 public:
  explicit Summary(Timing timing) : timing_(timing) {}
  /// Adds the means of each family of a precision, and, if there are several families, of all.
  void add(const Rows& rows, Precision precision);
  /// Adds the means over all precisions.
  void add_all(const Rows& rows);
  std::vector<Mean> take() { return std::move(means_); }

 private:
  void add_family(const Rows& rows, Mean of, bool several);

  Timing timing_;
  std::vector<Mean> means_;
};

void Summary::add_family(const Rows& rows, Mean of, bool several) {
  of.cases = rows.size();
  if (has_own(rows)) add_mean(means_, of, shares(rows));
  add_ratios(means_, of, rows, several);
  of.latency = true;
  if (timing_ == Timing::single_calls) add_ratios(means_, of, rows, several);
}

void Summary::add_all(const Rows& rows) {
  Mean of;
  of.family = kAllFamilies;
  add_family(rows, of, peers_of(rows).size() > 1);
}

void Summary::add(const Rows& rows, Precision precision) {
  const bool several = peers_of(rows).size() > 1;
  Mean of;
  of.precision = precision;
  const auto families = families_of(rows);
  for (const auto& each : families) {
    Rows its;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(its),
                 [&](const Row* row) { return family(row->problem) == each; });
    of.family = each;
    add_family(its, of, several);
  }
  of.family = kAllFamilies;
  if (families.size() > 1) add_family(rows, of, several);
}

}  // namespace

Row make_row(const Case& problem, std::vector<Result> results, const std::vector<Series>& series) {
  Row row;
  row.problem = problem;
  row.results = std::move(results);
  if (const Series* copy = fastest_copy(row, series)) {
    row.wall_gbps = moved_gigabytes(problem) / median(copy->seconds);
    row.wall_by = copy->name;
  }
  note_failures(row, series);
  for (Result& result : row.results)
    if (const Series* mine = series_of(series, result.engine)) fill_times(result, *mine, row);
  row.ratios = ratios_of(row, series);
  return row;
}

void add_latencies(Row& row, const std::vector<Series>& series) {
  if (const Series* copy = fastest_copy(row, series)) row.wall_latency = median(copy->seconds);
  note_failures(row, series);
  for (Result& result : row.results) {
    const Series* mine = series_of(series, result.engine);
    if (mine == nullptr) continue;
    result.latency = median(mine->seconds);
    result.latency_spread = spread(mine->seconds);
  }
  row.latency_ratios = ratios_of(row, series);
}

std::vector<std::string> families_of(const Report& report, Precision precision) {
  return families_of(selected(report, precision));
}

std::vector<Mean> summarise(const Report& report) {
  Summary summary(report.timing);
  std::size_t precisions = 0;
  for (const auto& [word, precision] : problem::kPrecisions) {
    const Rows rows = selected(report, precision);
    summary.add(rows, precision);
    precisions += !rows.empty();
  }
  if (report.timing == Timing::single_calls && precisions > 1)
    summary.add_all(selected(report, std::nullopt));
  return summary.take();
}

}  // namespace imago::bench
