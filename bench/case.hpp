// This file says what is measured: a case is a complex forward transform of one length, and a suite
// is a named list of cases. Suites are formulas over the number of points that fill a kind of
// device.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <imago/transform.hpp>

namespace imago::bench {

/// A batch of complex forward transforms, packed and interleaved.
struct Case {
  std::size_t length = 0, batch = 1;
  Precision precision = Precision::f32;
  Placement placement = Placement::in_place;
  friend bool operator==(const Case&, const Case&) = default;
};

inline std::size_t points(const Case& problem) { return problem.length * problem.batch; }
/// Of the data: what one pass has to read, and again to write.
inline std::size_t bytes(const Case& problem) {
  return points(problem) * (problem.precision == Precision::f64 ? 16 : 8);
}
/// 5 N log2 N per transform, by convention, whatever the algorithm does.
double flops(const Case& problem);
/// For people: "1024 x 32768 f32 in place".
std::string name(const Case& problem);

struct SuiteInfo {
  std::string name, about;
};
std::vector<SuiteInfo> suites();
/// The cases of a suite; throws InvalidArgument with the names that exist.
std::vector<Case> suite(std::string_view name);
/// A case per length, with as many transforms as `total_points` hold (at least one) or `batch` of
/// them.
std::vector<Case> free_form(const std::vector<std::size_t>& lengths, std::size_t total_points,
                            Precision precision = Precision::f32,
                            Placement placement = Placement::in_place, std::size_t batch = 0);

}  // namespace imago::bench
