// This file makes signals that a sparse transform may get wrong: short in time, constructed against
// a known seed, or changed with the same energy. It also measures the error of an answer.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <imago/sparse_transform.hpp>

namespace imago::catalogue {

/// The parameters of a hostile signal.
struct Hostile {
  std::size_t family = 0;  ///< below hostile_families().size()
  SparseTransform transform;
  unsigned seed = 0;  ///< seed of the signal
};

/// Returns the names of the families.
const std::vector<std::string>& hostile_families();
/// Returns true if the signals of a family are constructed against the seed of the transform: an
/// answer with that seed cannot see the hidden part.
bool made_against_seed(std::size_t family);
/// Returns the signal as the device holds it: rounded to the transform's precision, real if the
/// transform is.
std::vector<std::complex<double>> make_hostile(const Hostile& hostile);

/// The true errors of an answer, from dense transforms in double precision.
struct Truth {
  double residual = 0;      ///< ||x - xhat|| / ||x||
  double worst_missed = 0;  ///< largest |X| that is not listed
  double worst_value = 0;   ///< largest error of a listed value
  double share = 0;         ///< fraction of samples that differ by more than `difference`
};
Truth truth_of(const SparseSpectrum& answer, const SparseTransform& transform,
               const std::vector<std::complex<double>>& samples);

/// Returns true if a claim of the answer is false. For an answer by the dense transform the check
/// allows for its rounding.
bool is_false(const SparseSpectrum& answer, const Truth& truth, const SparseTransform& transform);

}  // namespace imago::catalogue
