// This file implements the numbers of a row and of the summary.
#include "bench/rows.hpp"

#include <algorithm>
#include <utility>

#include "bench/statistics.hpp"

namespace imago::bench {
namespace {

constexpr const char* kOwn = "imago";
constexpr const char* kBestPeer = "best peer";

const Series* series_of(const std::vector<Series>& series, const std::string& name) {
  const auto found =
      std::find_if(series.begin(), series.end(), [&](const Series& s) { return s.name == name; });
  return found == series.end() || found->seconds.empty() ? nullptr : &*found;
}

double moved_gigabytes(const Case& problem) { return 2e-9 * static_cast<double>(bytes(problem)); }

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
  result.spread =
      (quantile(series.seconds, 0.75) - quantile(series.seconds, 0.25)) / result.seconds;
  result.gflops = flops(row.problem) / result.seconds * 1e-9;
  result.gbps = moved_gigabytes(row.problem) / result.seconds;
  result.wall_share = row.wall_gbps > 0 ? result.gbps / row.wall_gbps : 0;
}

using Values = std::vector<std::pair<double, std::size_t>>;  // a value and its row's length

void add_mean(std::vector<Mean>& means, Precision precision, const std::string& peer,
              const Values& values) {
  if (values.empty()) return;
  std::vector<double> plain;
  for (const auto& [value, length] : values) plain.push_back(value);
  const auto worst = std::min_element(values.begin(), values.end());
  means.push_back(
      {precision, peer, geometric_mean(plain), worst->first, worst->second, values.size()});
}

Values shares(const std::vector<const Row*>& rows) {
  Values values;
  for (const Row* row : rows)
    for (const Result& result : row->results)
      if (result.engine == kOwn && result.wall_share > 0)
        values.emplace_back(result.wall_share, row->problem.length);
  return values;
}

Values ratios(const std::vector<const Row*>& rows, const std::string& peer) {
  Values values;
  for (const Row* row : rows)
    for (const Ratio& ratio : row->ratios)
      if (ratio.peer == peer) values.emplace_back(ratio.value, row->problem.length);
  return values;
}

Values best_ratios(const std::vector<const Row*>& rows) {
  Values values;
  for (const Row* row : rows) {
    if (row->ratios.empty()) continue;
    const auto best =
        std::min_element(row->ratios.begin(), row->ratios.end(),
                         [](const Ratio& a, const Ratio& b) { return a.value < b.value; });
    values.emplace_back(best->value, row->problem.length);
  }
  return values;
}

std::vector<std::string> peers_of(const std::vector<const Row*>& rows) {
  std::vector<std::string> peers;
  for (const Row* row : rows)
    for (const Ratio& ratio : row->ratios)
      if (std::find(peers.begin(), peers.end(), ratio.peer) == peers.end())
        peers.push_back(ratio.peer);
  return peers;
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

std::vector<Mean> summarise(const Report& report) {
  std::vector<Mean> means;
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    std::vector<const Row*> rows;
    for (const Row& row : report.rows)
      if (row.problem.precision == precision) rows.push_back(&row);
    add_mean(means, precision, "", shares(rows));
    const auto peers = peers_of(rows);
    for (const auto& peer : peers) add_mean(means, precision, peer, ratios(rows, peer));
    if (peers.size() > 1) add_mean(means, precision, kBestPeer, best_ratios(rows));
  }
  return means;
}

}  // namespace imago::bench
