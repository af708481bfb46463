// This file implements the lists of problems and their data.
#include "bench/nufft/rows.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <sstream>
#include <stdexcept>

namespace imago::bench::nufft {
namespace {

using std::numbers::pi;
constexpr const char* kDistributions[] = {"uniform", "clustered", "radial"};

struct Accuracy {
  bool f64;
  double tolerance;
};

/// The twelve rows of two cores, which never change.
std::vector<Problem> cpu_rows() {
  std::vector<Problem> rows;
  for (const auto& [modes, points] : {std::pair<std::vector<std::size_t>, std::size_t>{
                                          {std::size_t{1} << 20}, std::size_t{1} << 20},
                                      {{1024, 1024}, std::size_t{1} << 20},
                                      {{512, 512}, std::size_t{1} << 21}})
    for (const Accuracy& each : {Accuracy{false, 1e-3}, {false, 1e-6}, {true, 1e-6}, {true, 1e-12}})
      rows.push_back({modes, points, each.f64, each.tolerance});
  return rows;
}

/// The rows of large GPUs; the tolerances are those of the caller.
std::vector<Problem> gpu_rows(const std::vector<Distribution>& distributions) {
  std::vector<Problem> rows;
  for (const Accuracy& each : {Accuracy{false, 1e-3}, {false, 1e-6}, {true, 1e-9}, {true, 1e-12}})
    for (const std::vector<std::size_t>& modes : std::vector<std::vector<std::size_t>>{
             {std::size_t{1} << 20}, {1024, 1024}, {128, 128, 128}})
      for (const Distribution distribution : distributions)
        if (modes.size() > 1 || distribution == Distribution::uniform)
          rows.push_back({modes, std::size_t{1} << 22, each.f64, each.tolerance, distribution});
  return rows;
}

std::vector<std::string> parts_of(const std::string& text, char divider) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, divider);) parts.push_back(part);
  return parts;
}

std::size_t count_of(const std::string& text) {
  std::size_t used = 0;
  const unsigned long long count = std::stoull(text, &used);
  if (used != text.size() || count == 0 || text[0] == '-') throw std::invalid_argument(text);
  return count;
}

Problem row_of(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text, ':');
  Problem row;
  if (parts.size() != 5) throw std::invalid_argument(text);
  for (const std::string& n : parts_of(parts[0], 'x')) row.modes.push_back(count_of(n));
  row.points = count_of(parts[1]);
  row.f64 = parts[2] == "f64";
  row.tolerance = std::stod(parts[3]);
  std::size_t which = 0;
  while (which < std::size(kDistributions) && parts[4] != kDistributions[which]) ++which;
  row.distribution = static_cast<Distribution>(which);
  if (row.modes.empty() || row.modes.size() > 3 || (!row.f64 && parts[2] != "f32") ||
      which == std::size(kDistributions) ||
      (row.distribution == Distribution::radial && row.modes.size() == 1))
    throw std::invalid_argument(text);
  return row;
}

/// Makes numbers that are equal on every platform.
class Random {
 public:
  /// Returns a number in [-1, 1).
  double operator()() { return std::ldexp(static_cast<double>(bits_() >> 11), -52) - 1; }

 private:
  std::mt19937_64 bits_{1};
};

double part_behind_point(double value) { return value - std::floor(value); }

/// Returns the direction of a spoke. Successive spokes are far apart: angles are multiples of the
/// golden angle, and in space of the two-dimensional golden means (Chan et al., Magnetic Resonance
/// in Medicine 61, 2009).
std::vector<double> direction(std::size_t axes, std::size_t spoke) {
  const auto i = static_cast<double>(spoke);
  if (axes == 2) {
    const double angle = pi * part_behind_point(i * (std::numbers::phi - 1));
    return {std::sin(angle), std::cos(angle)};
  }
  const double z = part_behind_point(i * 0.4655712318767680),
               angle = 2 * pi * part_behind_point(i * 0.6823278038280193);
  const double across = std::sqrt(1 - z * z);
  return {z, across * std::sin(angle), across * std::cos(angle)};
}

void set_radial(const Problem& problem, std::vector<std::vector<double>>& coordinates) {
  std::size_t longest = 0;
  for (const std::size_t n : problem.modes) longest = std::max(longest, n);
  const std::size_t samples = 2 * longest;  // along a spoke
  for (std::size_t j = 0; j < problem.points; ++j) {
    const std::vector<double> along = direction(problem.modes.size(), j / samples);
    const double radius =
        pi * (2 * static_cast<double>(j % samples) / static_cast<double>(samples) - 1);
    for (std::size_t axis = 0; axis < along.size(); ++axis)
      coordinates[axis][j] = radius * along[axis];
  }
}

}  // namespace

std::vector<Problem> problems_of(const std::string& text) {
  if (text == "cpu") return cpu_rows();
  if (text == "gpu") return gpu_rows({Distribution::uniform, Distribution::clustered});
  if (text == "radial") return gpu_rows({Distribution::radial});
  try {
    return {row_of(text)};
  } catch (const std::logic_error&) {
    throw std::invalid_argument(text +
                                " is neither a list (cpu, gpu, radial) nor a row such as "
                                "1024x1024:4194304:f32:1e-3:uniform. Precisions are f32 and f64; "
                                "points are uniform, clustered, or radial (2-D and 3-D)");
  }
}

std::string shape_text(const Problem& problem) {
  std::string text;
  for (const std::size_t n : problem.modes) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}
std::string tolerance_text(const Problem& problem) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0e", problem.tolerance);
  return text;
}
const char* distribution_text(const Problem& problem) {
  return kDistributions[static_cast<std::size_t>(problem.distribution)];
}
const char* precision_text(const Problem& problem) { return problem.f64 ? "f64" : "f32"; }

Data make_data(const Problem& problem) {
  Random random;
  const auto rounded = [&](double value) {
    return problem.f64 ? value : static_cast<double>(static_cast<float>(value));
  };
  Data data;
  data.coordinates.assign(problem.modes.size(), std::vector<double>(problem.points));
  if (problem.distribution == Distribution::radial) {
    set_radial(problem, data.coordinates);
  } else {
    const bool all = problem.distribution == Distribution::uniform;
    for (std::vector<double>& axis : data.coordinates)
      for (double& x : axis) x = all ? pi * random() : pi * (random() - 7) / 8;
  }
  for (std::vector<double>& axis : data.coordinates)
    for (double& x : axis) x = rounded(x);
  data.strengths.resize(problem.points);
  data.modes.resize(problem.mode_count());
  for (auto* numbers : {&data.strengths, &data.modes})
    for (std::complex<double>& number : *numbers) {
      const double re = rounded(random());
      number = {re, rounded(random())};
    }
  return data;
}

}  // namespace imago::bench::nufft
