// This file implements the comparison of two reports.
#include "bench/compare.hpp"

#include <algorithm>

namespace imago::bench {
namespace {

const std::string* fact_of(const Facts& facts, const std::string& name) {
  for (const auto& [its, value] : facts)
    if (its == name) return &value;
  return nullptr;
}

std::vector<Difference> differences_of(const Facts& before, const Facts& after) {
  std::vector<Difference> differences;
  for (const auto& [name, value] : before) {
    const std::string* other = fact_of(after, name);
    if (other == nullptr || *other != value)
      differences.push_back({name, value, other == nullptr ? "" : *other});
  }
  for (const auto& [name, value] : after)
    if (fact_of(before, name) == nullptr) differences.push_back({name, "", value});
  return differences;
}

const Row* row_of(const Report& report, const Case& problem) {
  for (const Row& row : report.rows)
    if (row.problem == problem) return &row;
  return nullptr;
}

const Result* result_of(const Row& row, const std::string& engine) {
  for (const Result& result : row.results)
    if (result.engine == engine) return &result;
  return nullptr;
}

/// Assumes that the interquartile range is symmetric about the median.
Interval interval_of(double seconds, double spread) {
  return {seconds, std::max(0.0, seconds * (1 - spread / 2)), seconds * (1 + spread / 2)};
}

Change change_of(const Interval& ratio) {
  if (ratio.low > 1) return Change::faster;
  return ratio.high < 1 ? Change::slower : Change::none;
}

// An interval that starts at 0 allows any ratio.
Interval ratio_of(const Interval& before, const Interval& after) {
  return {before.value / after.value, before.low / after.high, before.high / after.low};
}

/// Adds the times that both results have; none if an engine rejected the case.
void add_times(std::vector<Compared>& rows, const Case& problem, const Result& before,
               const Result& after) {
  const auto add = [&](bool latency, const Interval& first, const Interval& second) {
    if (!(first.value > 0 && second.value > 0)) return;
    const Interval ratio = ratio_of(first, second);
    rows.push_back({problem, before.engine, latency, first, second, ratio, change_of(ratio)});
  };
  add(false, interval_of(before.seconds, before.spread), interval_of(after.seconds, after.spread));
  add(true, interval_of(before.latency, before.latency_spread),
      interval_of(after.latency, after.latency_spread));
}

/// Collects values of one kind, row by row.
class Means {
 public:
  void add(const ComparedMean& of, double value, const Case& problem, Change change) {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Gathered& each) {
      return each.mean.engine == of.engine && each.mean.beside == of.beside &&
             each.mean.latency == of.latency;
    });
    Gathered& mine = found == all_.end() ? all_.emplace_back(Gathered{of, {}}) : *found;
    if (mine.values.empty() || value < mine.mean.worst) {
      mine.mean.worst = value;
      mine.mean.worst_case = name(problem);
    }
    mine.mean.slower += change == Change::slower;
    mine.mean.faster += change == Change::faster;
    mine.values.push_back(value);
  }
  std::vector<ComparedMean> take() {
    std::vector<ComparedMean> means;
    for (Gathered& each : all_) {
      each.mean.rows = each.values.size();
      each.mean.value = geometric_mean(each.values);
      means.push_back(std::move(each.mean));
    }
    return means;
  }

 private:
  struct Gathered {
    ComparedMean mean;
    std::vector<double> values;
  };
  std::vector<Gathered> all_;
};

/// Adds imago's speedups over the engines in both reports, each with its interval.
void add_ratios(Means& means, const Row& before, const Row& after, bool latency) {
  const auto ratios = latency ? &Row::latency_ratios : &Row::ratios;
  for (const Ratio& first : before.*ratios) {
    for (const Ratio& second : after.*ratios) {
      if (first.peer != second.peer || !(first.low > 0) || !(second.low > 0)) continue;
      const Interval change{second.value / first.value, second.low / first.high,
                            second.high / first.low};
      ComparedMean of;
      of.engine = "imago";
      of.beside = first.peer;
      of.latency = latency;
      means.add(of, change.value, before.problem, change_of(change));
    }
  }
}

std::vector<std::string> missing(const Report& from, const Report& in) {
  std::vector<std::string> names;
  for (const Row& row : from.rows)
    if (row_of(in, row.problem) == nullptr) names.push_back(name(row.problem));
  return names;
}

}  // namespace

Comparison compare(const Report& before, const Report& after) {
  Comparison comparison;
  comparison.differences = differences_of(before.facts, after.facts);
  comparison.only_before = missing(before, after);
  comparison.only_after = missing(after, before);
  Means times, ratios;
  for (const Row& row : before.rows) {
    const Row* other = row_of(after, row.problem);
    if (other == nullptr) continue;
    const std::size_t first = comparison.rows.size();
    for (const Result& result : row.results) {
      const Result* mine = result_of(row, result.engine);
      const Result* its = result_of(*other, result.engine);
      if (mine != nullptr && its != nullptr) add_times(comparison.rows, row.problem, *mine, *its);
    }
    for (std::size_t i = first; i < comparison.rows.size(); ++i) {
      const Compared& each = comparison.rows[i];
      ComparedMean of;
      of.engine = each.engine;
      of.latency = each.latency;
      times.add(of, each.ratio.value, each.problem, each.change);
    }
    for (const bool latency : {false, true}) add_ratios(ratios, row, *other, latency);
  }
  comparison.means = times.take();
  for (ComparedMean& mean : ratios.take()) comparison.means.push_back(std::move(mean));
  return comparison;
}

}  // namespace imago::bench
