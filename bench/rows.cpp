// This file implements the numbers of a row and of the summary.
#include "bench/rows.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "bench/statistics.hpp"
#include "problem/words.hpp"

namespace imago::bench {
namespace {

constexpr const char* kOwn = "imago";
constexpr const char* kBestPeer = "best peer";

const Series* series_of(const std::vector<Series>& series, const std::string& name) {
  const auto found =
      std::find_if(series.begin(), series.end(), [&](const Series& s) { return s.name == name; });
  return found == series.end() || found->seconds.empty() ? nullptr : &*found;
}

double moved_gigabytes(const Case& problem) {
  return 1e-9 * static_cast<double>(moved_bytes(problem));
}

void find_wall(Row& row, const std::vector<Series>& series) {
  for (const Series& each : series) {
    const bool engine =
        std::any_of(row.results.begin(), row.results.end(),
                    [&](const Result& result) { return result.engine == each.name; });
    if (engine || each.seconds.empty()) continue;
    const double gbps = moved_gigabytes(row.problem) / median(each.seconds);
    if (gbps <= row.wall_gbps) continue;
    row.wall_gbps = gbps;
    row.wall_by = each.name;
  }
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
using Values = std::vector<std::pair<double, const Case*>>;  // a value and where it is from

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

Values ratios(const Rows& rows, const std::string& peer) {
  Values values;
  for (const Row* row : rows)
    for (const Ratio& ratio : row->ratios)
      if (ratio.peer == peer) values.emplace_back(ratio.value, &row->problem);
  return values;
}

Values best_ratios(const Rows& rows) {
  Values values;
  for (const Row* row : rows) {
    if (row->ratios.empty()) continue;
    const auto best =
        std::min_element(row->ratios.begin(), row->ratios.end(),
                         [](const Ratio& a, const Ratio& b) { return a.value < b.value; });
    values.emplace_back(best->value, &row->problem);
  }
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

bool has_own(const Rows& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const Row* row) {
    return std::any_of(row->results.begin(), row->results.end(),
                       [](const Result& result) { return result.engine == kOwn; });
  });
}

/// `several`: whether the best of the peers is another question than each of them.
void add_means(std::vector<Mean>& means, Mean of, const Rows& rows, bool several) {
  of.cases = rows.size();
  if (has_own(rows)) add_mean(means, of, shares(rows));
  const auto peers = peers_of(rows);
  for (const auto& peer : peers) {
    of.peer = peer;
    add_mean(means, of, ratios(rows, peer));
  }
  of.peer = kBestPeer;
  if (several && !peers.empty()) add_mean(means, of, best_ratios(rows));
}

}  // namespace

Row make_row(const Case& problem, std::vector<Result> results, const std::vector<Series>& series) {
  Row row{problem, 0, {}, std::move(results), {}};
  find_wall(row, series);
  const Series* own = series_of(series, kOwn);
  for (Result& result : row.results) {
    for (const Series& each : series)
      if (each.name == result.engine && !each.failure.empty()) result.skipped = each.failure;
    const Series* mine = series_of(series, result.engine);
    if (mine == nullptr) continue;
    fill_times(result, *mine, row);
    if (own == nullptr || mine == own) continue;
    const auto interval = median_interval(pair_ratios(mine->seconds, own->seconds));
    row.ratios.push_back({result.engine, interval.value, interval.low, interval.high});
  }
  return row;
}

std::vector<std::string> families_of(const Report& report, Precision precision) {
  std::vector<std::string> families;
  for (const Row& row : report.rows) {
    if (row.problem.precision != precision) continue;
    const std::string its = family(row.problem);
    if (std::find(families.begin(), families.end(), its) == families.end()) families.push_back(its);
  }
  return families;
}

std::vector<Mean> summarise(const Report& report) {
  std::vector<Mean> means;
  for (const auto& [word, precision] : problem::kPrecisions) {
    Rows all;
    for (const Row& row : report.rows)
      if (row.problem.precision == precision) all.push_back(&row);
    const bool several = peers_of(all).size() > 1;
    const auto families = families_of(report, precision);
    Mean of;
    of.precision = precision;
    for (const auto& each : families) {
      Rows rows;
      std::copy_if(all.begin(), all.end(), std::back_inserter(rows),
                   [&](const Row* row) { return family(row->problem) == each; });
      of.family = each;
      add_means(means, of, rows, several);
    }
    of.family = kAllFamilies;
    if (families.size() > 1) add_means(means, of, all, several);
  }
  return means;
}

}  // namespace imago::bench
