// This file prints and writes the results.
#include "bench/nufft/report.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "bench/nufft/rows.hpp"
#include "bench/statistics.hpp"

namespace imago::bench::nufft {
namespace {

constexpr const char* kNames[] = {"set points", "type 1", "type 2"};
constexpr const char* kKeys[] = {"set_points", "type1", "type2"};

std::size_t index(Step step) { return static_cast<std::size_t>(step); }
double milliseconds(const Result& result, Step step) { return 1e3 * median(result.of(step)); }

/// The ratios of one contestant, step and rank, with the text of the lowest row.
struct Mean {
  std::vector<double> ratios;
  double lowest = 0;
  std::string where;
  void add(double value, const Problem& problem) {
    if (ratios.empty() || value < lowest) {
      lowest = value;
      where = shape_text(problem) + " " + precision_text(problem) + " " + tolerance_text(problem) +
              " " + distribution_text(problem);
    }
    ratios.push_back(value);
  }
};

std::ofstream opened(const std::string& file) {
  std::ofstream out(file);
  if (!out) throw std::runtime_error(file + " cannot be written");
  out.exceptions(std::ios::badbit | std::ios::failbit);
  return out;
}

}  // namespace

double ratio(const Row& row, const Result& result, Step step) {
  const std::vector<double>& own = row.results.at(0).of(step);
  if (own.empty() || result.of(step).empty()) return 0;
  return median(pair_ratios(result.of(step), own));
}

void print_row(const Row& row) {
  const Problem& problem = row.problem;
  std::printf("%s modes, %zu %s points, %s, tolerance %s\n", shape_text(problem).c_str(),
              problem.points, distribution_text(problem), precision_text(problem),
              tolerance_text(problem).c_str());
  for (const Result& result : row.results) {
    std::printf("  %-10s", result.program.c_str());
    if (!result.refusal.empty()) {
      std::printf(" is left out: %s\n", result.refusal.c_str());
      continue;
    }
    for (const Step step : kSteps) {
      std::printf(" %10.3f", milliseconds(result, step));
      const double by = &result == &row.results[0] ? 0 : ratio(row, result, step);
      by == 0 ? std::printf("%8s", "") : std::printf(" (%5.2f)", by);
    }
    for (const double error : {result.error1, result.error2})
      std::printf("  %.1e%s", error, error <= problem.tolerance ? " " : "!");
    std::printf("  %s\n", result.about.c_str());
  }
  std::fflush(stdout);
}

void print_means(const Run& run) {
  std::map<std::string, std::map<std::string, std::array<Mean, 3>>> means;
  for (const Row& row : run.rows)
    for (const Result& result : row.results)
      for (const Step step : kSteps) {
        const double by = &result == row.results.data() ? 0 : ratio(row, result, step);
        if (by == 0) continue;
        const std::string rank = std::to_string(row.problem.modes.size()) + "-D";
        for (const std::string& family : {rank, std::string("all")})
          means[result.program][family][index(step)].add(by, row.problem);
      }
  for (const auto& [program, families] : means) {
    std::printf("\ntime of %s / time of imago, geometric means [lowest row]\n", program.c_str());
    for (const auto& [family, steps] : families)
      for (const Step step : kSteps) {
        const Mean& mean = steps[index(step)];
        std::printf("  %-4s %-11s %6.2f  over %2zu rows  [%.2f: %s]\n", family.c_str(),
                    kNames[index(step)], geometric_mean(mean.ratios), mean.ratios.size(),
                    mean.lowest, mean.where.c_str());
      }
  }
}

void write_csv(const Run& run, const std::string& file) {
  std::ofstream out = opened(file);
  out << "dim,modes,points,precision,tolerance,points_are,program,type1_ms,type2_ms,setpts_ms,"
         "error_type1,error_type2\n";
  for (const Row& row : run.rows)
    for (const Result& result : row.results) {
      if (!result.refusal.empty()) continue;
      const Problem& problem = row.problem;
      out << problem.modes.size() << ',' << shape_text(problem) << ',' << problem.points << ','
          << precision_text(problem) << ',' << tolerance_text(problem) << ','
          << distribution_text(problem) << ',' << result.program << ','
          << milliseconds(result, Step::type1) << ',' << milliseconds(result, Step::type2) << ','
          << milliseconds(result, Step::set_points) << ',' << result.error1 << ',' << result.error2
          << '\n';
    }
  out.close();
}

void write_json(const Run& run, const std::string& file) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row& row : run.rows) {
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    for (const Result& result : row.results) {
      nlohmann::ordered_json entry{{"program", result.program}};
      if (!result.refusal.empty()) {
        entry["refusal"] = result.refusal;
      } else {
        entry["about"] = result.about;
        for (const Step step : kSteps) entry["seconds"][kKeys[index(step)]] = result.of(step);
        entry["errors"] = {{"type1", result.error1}, {"type2", result.error2}};
      }
      results.push_back(std::move(entry));
    }
    const Problem& problem = row.problem;
    rows.push_back({{"modes", problem.modes},
                    {"points", problem.points},
                    {"precision", precision_text(problem)},
                    {"tolerance", problem.tolerance},
                    {"distribution", distribution_text(problem)},
                    {"results", std::move(results)}});
  }
  std::ofstream out = opened(file);
  out << nlohmann::ordered_json{{"device", run.device}, {"threads", run.threads}, {"rows", rows}}
             .dump(1)
      << '\n';
  out.close();
}

}  // namespace imago::bench::nufft
