// This file keeps measurements over ranks in one JSON file, to which every run adds, because one
// start of mpirun has one number of ranks.
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
  bool weak = false;  ///< the first length is proportional to the number of ranks
  double seconds = 0, low = 0, high = 0;  ///< times of the slowest rank: the median and the
                                          ///< interquartile range
  double plan_seconds = 0, error = 0;  ///< error: relative distance from imago's result; negative:
                                       ///< unknown
  std::size_t rounds = 0;
};

/// One start of the program.
struct Run {
  std::size_t ranks = 1;
  std::string processor;
  std::size_t cores = 0;
  std::string devices = {};       ///< devices of imago's ranks
  scaling::RankRates rates = {};  ///< measured while all ranks work
  std::vector<Point> points = {};
};

std::string shape_text(const std::vector<std::size_t>& lengths);
/// Returns an empty list if there is no file; throws std::runtime_error if it is no record.
std::vector<Run> read_runs(const std::string& file);
void write_runs(const std::string& file, const std::vector<Run>& runs);

}  // namespace imago::bench::ranks
