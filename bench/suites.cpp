// This file holds the suites: which lengths, and how many points in all fill the kind of device. A
// new suite is a line in kSuites and a function.
#include <array>
#include <cmath>

#include "base/errors.hpp"
#include "bench/case.hpp"

namespace imago::bench {
namespace {

constexpr std::size_t kCpuPoints = std::size_t{1}
                                   << 20;  // 8 MiB of complex f32: beyond an L2 cache
constexpr std::size_t kQuickPoints = std::size_t{1} << 16;
constexpr std::size_t kGpuPoints = std::size_t{1}
                                   << 25;  // 256 MiB of complex f32: beyond a GPU's L2

std::vector<std::size_t> powers_of_two(unsigned first, unsigned last) {
  std::vector<std::size_t> lengths;
  for (unsigned i = first; i <= last; ++i) lengths.push_back(std::size_t{1} << i);
  return lengths;
}

std::vector<Case> quick() { return free_form({64, 1000, 1024, 4096}, kQuickPoints); }

std::vector<Case> cpu() {
  auto lengths = powers_of_two(4, 16);
  lengths.insert(lengths.end(), {360, 1000, 1008});
  auto cases = free_form(lengths, kCpuPoints, Precision::f32);
  const auto doubles = free_form(lengths, kCpuPoints, Precision::f64);
  cases.insert(cases.end(), doubles.begin(), doubles.end());
  return cases;
}

std::vector<Case> h200() {
  auto lengths = powers_of_two(2, 26);
  lengths.insert(lengths.end(), {100, 360, 1000, 1001, 1536, 2401, 6561, 10000, 15625});
  return free_form(lengths, kGpuPoints);
}

struct Entry {
  const char* name;
  const char* about;
  std::vector<Case> (*cases)();
};
constexpr std::array kSuites = {
    Entry{"quick", "four lengths, 2^16 points in all, f32: a few seconds per length", quick},
    Entry{"cpu", "16 to 65536 and 360, 1000, 1008, 2^20 points in all, f32 and f64", cpu},
    Entry{"h200", "4 to 2^26 and nine mixed lengths, 2^25 points in all, f32: fills a large GPU",
          h200},
};

}  // namespace

double flops(const Case& problem) {
  const auto n = static_cast<double>(problem.length);
  return 5 * n * std::log2(n) * static_cast<double>(problem.batch);
}

std::string name(const Case& problem) {
  return std::to_string(problem.length) + " x " + std::to_string(problem.batch) +
         (problem.precision == Precision::f64 ? " f64" : " f32") +
         (problem.placement == Placement::in_place ? " in place" : " out of place");
}

std::vector<SuiteInfo> suites() {
  std::vector<SuiteInfo> list;
  for (const auto& entry : kSuites) list.push_back({entry.name, entry.about});
  return list;
}

std::vector<Case> suite(std::string_view name) {
  std::string known;
  for (const auto& entry : kSuites) {
    if (name == entry.name) return entry.cases();
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  base::invalid("suite", name, "one of " + known);
}

std::vector<Case> free_form(const std::vector<std::size_t>& lengths, std::size_t total_points,
                            Precision precision, Placement placement, std::size_t batch) {
  std::vector<Case> cases;
  for (const std::size_t length : lengths) {
    if (length == 0) base::invalid("lengths", length, "each at least 1");
    const std::size_t fill = std::max<std::size_t>(1, total_points / length);
    cases.push_back({length, batch != 0 ? batch : fill, precision, placement});
  }
  return cases;
}

}  // namespace imago::bench
