// This file makes signals that a sparse transform may be wrong about: what is short in time, what
// was made against a known seed, what keeps its energy and is something else; and measures how
// wrong an answer is.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <imago/sparse_transform.hpp>

namespace imago::catalogue {

/// What a hostile signal is made for.
struct Hostile {
  std::size_t family = 0;  ///< below hostile_families().size()
  SparseTransform transform;
  unsigned seed = 0;  ///< of the signal
};

/// Their names.
const std::vector<std::string>& hostile_families();
/// Whether a family's signals are made against the seed that the transform names: an answer with
/// that seed sees nothing of what hides from it.
bool made_against_seed(std::size_t family);
/// As the device will hold it: rounded to the transform's precision, real where it is.
std::vector<std::complex<double>> make_hostile(const Hostile& hostile);

/// What is true of an answer, by dense transforms in double.
struct Truth {
  double residual = 0;      ///< ||x - xhat|| / ||x||
  double worst_missed = 0;  ///< largest |X| that is not listed
  double worst_value = 0;   ///< largest error of a listed value
  double share = 0;         ///< of samples that differ by more than `difference`
};
Truth truth_of(const SparseSpectrum& answer, const SparseTransform& transform,
               const std::vector<std::complex<double>>& samples);

/// A claim that is not true. slack: of an answer by the dense transform, its rounding.
bool is_false(const SparseSpectrum& answer, const Truth& truth, const SparseTransform& transform);

}  // namespace imago::catalogue
