// This file draws scaling.
#include "picture.hpp"

#include <map>
#include <set>
#include <tuple>

#include "bench/chart.hpp"

namespace imago::bench::ranks {
namespace {

/// What is one chart. Of weak scaling lengths[0] is of one rank.
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

/// Milliseconds by contestant and ranks, in the order of contestants' first appearance.
class Lines {
 public:
  void set(const std::string& name, std::size_t ranks, double seconds) {
    if (!lines_.contains(name)) names_.push_back(name);
    lines_[name][ranks] = 1e3 * seconds;
    ranks_.insert(ranks);
  }
  bool scales() const { return ranks_.size() > 1; }
  void draw(Chart& chart) const {
    for (const std::string& name : names_)
      for (const auto& [ranks, milliseconds] : lines_.at(name))
        add_point(chart, name, static_cast<double>(ranks), milliseconds);
  }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::map<std::size_t, double>> lines_;
  std::set<std::size_t> ranks_;
};

void add_model(Lines& lines, const Point& point, const Run& run) {
  const model::SpreadArray array{point.lengths, point.f64 ? std::size_t{16} : std::size_t{8}};
  const auto cost = model::predict(array, run.ranks, model::Decomposition::slabs,
                                   model::Residence::device, run.rates);
  if (!cost) return;
  lines.set("model", run.ranks, cost->memory);
  lines.set("model, messages", run.ranks, cost->one_by_one());
}

}  // namespace

std::string picture(const std::vector<Run>& runs) {
  std::map<Series, Lines> all;
  std::map<Series, Lines> models;
  for (const Run& run : runs)
    for (const Point& point : run.points) {
      const Series series = series_of(point, run.ranks);
      all[series].set(point.contestant, run.ranks, point.seconds);
      if (point.transposed) add_model(models[series], point, run);
    }
  std::vector<Chart> charts;
  for (const auto& [series, lines] : all) {
    if (!lines.scales()) continue;
    Chart& chart = charts.emplace_back();
    chart.title = title_of(series);
    chart.axes = "ranks; vertically milliseconds of one transform, the slowest rank's";
    chart.logarithmic = !series.weak;
    lines.draw(chart);
    models[series].draw(chart);
  }
  return draw(charts);
}

}  // namespace imago::bench::ranks
