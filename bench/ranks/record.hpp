// This file keeps what was measured over ranks in one JSON file, to which every run adds, for one
// number of ranks is one start of mpirun.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scaling/ranks.hpp"

namespace imago::bench::ranks {

/// The times of one contestant.
struct Point {
  std::string contestant;
  std::vector<std::size_t> lengths;
  bool f64 = false, transposed = false;
  bool weak = false;  ///< the first length is so many for each rank, times ranks
  double seconds = 0, low = 0, high = 0;  ///< of the slowest rank: the median, the middle half
  double plan_seconds = 0, error = 0;  ///< error: from imago's result, relative; below 0: unknown
  std::size_t rounds = 0;
};

/// One start of the program.
struct Run {
  std::size_t ranks = 1;
  std::string processor;
  std::size_t cores = 0;
  std::string devices = {};       ///< of imago's ranks
  scaling::RankRates rates = {};  ///< measured with all ranks at work
  std::vector<Point> points = {};
};

std::string shape_text(const std::vector<std::size_t>& lengths);
/// Empty where there is no file; throws std::runtime_error where it is no record.
std::vector<Run> read_runs(const std::string& file);
void write_runs(const std::string& file, const std::vector<Run>& runs);

}  // namespace imago::bench::ranks
