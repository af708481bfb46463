// This file holds the results of the benchmark of nonuniform transforms, and prints and writes
// them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "bench/nufft/problem.hpp"

namespace imago::bench::nufft {

/// The measurement of a contestant in a row.
struct Result {
  std::string program;
  std::string about;                                ///< its choices
  std::string refusal;                              ///< reason why it was not measured
  std::array<std::vector<double>, 3> seconds = {};  ///< for each step and round
  double error1 = 0, error2 = 0;                    ///< relative L2 errors of types 1 and 2

  const std::vector<double>& of(Step step) const { return seconds[static_cast<std::size_t>(step)]; }
};

struct Row {
  Problem problem;
  std::vector<Result> results;  ///< imago's first
};

struct Run {
  std::string device;
  unsigned threads = 0;  ///< finufft's
  std::vector<Row> rows;
};

/// Returns the median over the rounds of the times of a contestant over imago's; 0 if one of them
/// was not measured.
double ratio(const Row& row, const Result& result, Step step);

void print_row(const Row& row);
/// Prints the geometric means of the ratios, for each contestant and step.
void print_means(const Run& run);
/// Write the run to a file. Throw std::runtime_error if that fails.
void write_csv(const Run& run, const std::string& file);
void write_json(const Run& run, const std::string& file);

}  // namespace imago::bench::nufft
