// This file implements the decisions that depend on the device.
#include "lines/line_context.hpp"

#include "lines/canon.hpp"
#include "lines/largest.hpp"
#include "lines/mapping.hpp"

namespace imago::lines {

std::uint64_t LineContext::points() const {
  std::uint64_t points = counted(problem.batch);
  for (const std::uint64_t length : problem.lengths) points *= length;
  return points;
}

std::uint64_t LineContext::counted(std::uint64_t lines) const {
  return problem.alike ? lines / problem.batch : lines;
}

bool LineContext::has_radices(std::uint64_t points) const {
  return lines::has_radices(points, mapping, problem.precision, facts);
}

bool LineContext::takes_whole(const Request& line, bool apart, std::uint64_t lines) const {
  if (problem.reproducible) return canon_takes_whole(line.length, problem.precision);
  if (!has_radices(line.length)) return false;
  if (!rules_of(mapping).one_core_per_line)
    return single() || applicable(algorithm, line, mapping, facts);
  const std::uint64_t most = apart ? largest_with_columns(mapping, problem.precision, facts)
                                   : largest_single(mapping, problem.precision, facts);
  return single() && line.length <= most &&
         (line.length < kLongOnCpu || lines >= facts.compute_units);
}

}  // namespace imago::lines
