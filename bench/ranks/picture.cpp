// This file draws the scaling.
#include "picture.hpp"

#include <map>
#include <set>
#include <tuple>

#include "charts/sheet.hpp"

namespace imago::bench::ranks {
namespace {

constexpr double kMilli = 1e3;  // milliseconds per second

/// The key of a chart. For weak scaling, lengths[0] is that of one rank.
struct Series {
  bool weak, f64, transposed;
  std::vector<std::size_t> lengths;
  friend auto operator<=>(const Series&, const Series&) = default;
};

Series series_of(const Point& point, std::size_t ranks) {
  Series series{point.weak, point.f64, point.transposed, point.lengths};
  if (point.weak) series.lengths.front() /= ranks;
  return series;
}

std::string title_of(const Series& series) {
  return shape_text(series.lengths) + (series.weak ? " for each rank" : "") + ", " +
         (series.f64 ? "f64" : "f32") + (series.transposed ? ", transposed" : ", in order");
}

/// Milliseconds by contestant and ranks, in the order of the contestants' first appearance.
class Lines {
 public:
  void set(const std::string& name, charts::Point point) {
    if (!lines_.contains(name)) names_.push_back(name);
    lines_[name][point.x] = point;
    ranks_.insert(point.x);
  }
  bool scales() const { return ranks_.size() > 1; }
  void draw(charts::Panel& panel, bool dashed) const {
    for (const std::string& name : names_) {
      auto& series = series_of(panel, name);
      series.dashed = dashed;
      for (const auto& [ranks, point] : lines_.at(name)) series.points.push_back(point);
    }
  }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::map<double, charts::Point>> lines_;
  std::set<double> ranks_;
};

void add_model(Lines& lines, const Point& point, const Run& run) {
  const scaling::SpreadArray array{point.lengths, point.f64 ? std::size_t{16} : std::size_t{8}};
  const auto cost = [&](scaling::Residence residence) {
    return scaling::predict(array, run.ranks, scaling::Decomposition::slabs, residence, run.rates);
  };
  const auto shared = cost(scaling::Residence::shared), sent = cost(scaling::Residence::host);
  if (!shared || !sent) return;
  const auto ranks = static_cast<double>(run.ranks);
  lines.set("model", {ranks, kMilli * shared->overlapped()});
  lines.set("model, messages", {ranks, kMilli * sent->one_by_one()});
}

/// Returns the machine, if all runs had the same one.
std::string machine_of(const std::vector<Run>& runs) {
  for (const Run& run : runs)
    if (run.processor != runs.front().processor || run.cores != runs.front().cores) return {};
  if (runs.empty() || runs.front().processor.empty()) return {};
  return ": " + runs.front().processor + ", " + std::to_string(runs.front().cores) + " cores";
}

}  // namespace

std::string picture(const std::vector<Run>& runs) {
  std::map<Series, Lines> all;
  std::map<Series, Lines> models;
  for (const Run& run : runs)
    for (const Point& point : run.points) {
      const Series series = series_of(point, run.ranks);
      all[series].set(point.contestant, {static_cast<double>(run.ranks), kMilli * point.seconds,
                                         kMilli * point.low, kMilli * point.high});
      if (point.transposed) add_model(models[series], point, run);
    }
  charts::Sheet sheet{"Transforms over ranks" + machine_of(runs),
                      "Time of one transform on the slowest rank; error bars: the middle half of "
                      "the rounds; dashed: predicted",
                      {}};
  for (const auto& [series, lines] : all) {
    if (!lines.scales()) continue;
    charts::Panel panel{title_of(series), {}, {}};
    lines.draw(panel, false);
    models[series].draw(panel, true);
    fit_x(panel, "Ranks", charts::Scale::powers_of_two);
    fit_y(panel, "Milliseconds",
          series.weak ? charts::Scale::linear : charts::Scale::powers_of_ten);
    sheet.panels.push_back(std::move(panel));
  }
  return draw(sheet);
}

}  // namespace imago::bench::ranks
