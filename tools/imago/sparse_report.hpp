// This file prints the results of `imago sparse`: as a report, a table in a file and a picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <imago/sparse_tones.hpp>

#include "device/facts.hpp"
#include "report_writer.hpp"

namespace imago::command {

/// Comparison of a synthetic signal's coefficients with the results.
struct SparseComparison {
  std::size_t known = 0, missed = 0, spurious = 0;
  double mean_error = 0;  ///< relative to the largest coefficient
};

struct SparseReport {
  std::string source, about;  ///< the file or "synthetic"; its contents
  device::Facts facts;
  SparseTransform transform;
  std::string plan;  ///< SparsePlan::describe()
  std::size_t workspace_bytes = 0;
  double plan_seconds = 0, first_seconds = 0, seconds = 0;
  std::optional<double> rate;  ///< samples per second
  double centre = 0;           ///< frequency of complex samples' 0, in Hz
  SparseSpectrum spectrum;
  std::vector<SparseTone> tones;  ///< tones of the spectrum
  std::optional<SparseComparison> comparison;
  std::size_t top = 10;  ///< number of tones in the table
  std::string output, picture;
};

std::string word(Verdict verdict);
std::string word(Assurance assurance);
/// Returns the guarantees of the result, line by line.
std::vector<std::string> claims(const SparseReport& report);
/// Returns for example "16777216 points, complex, f32, sparsity 1000".
std::string describe(const SparseTransform& transform);
/// Returns the signed frequency of a bin, in Hz if the rate is known, else in cycles per sample.
double frequency_of(const SparseReport& report, double bin);

Report report_of(const SparseReport& found);
/// Returns only the plan, for --explain.
Report plan_of(const SparseReport& found);
/// Returns a line per coefficient: index, real and imaginary part.
std::string to_csv(const SparseSpectrum& spectrum);
/// Returns an SVG with a stem for each coefficient over frequency, in decibels. It also shows the
/// detection threshold if that is known.
std::string picture(const SparseReport& report);

}  // namespace imago::command
