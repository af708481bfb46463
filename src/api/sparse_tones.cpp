// This file implements sparse_tones().
#include <imago/sparse_tones.hpp>

#include <string>

#include "base/errors.hpp"
#include "sparse/tones.hpp"

namespace imago {

std::vector<SparseTone> sparse_tones(const SparseSpectrum& spectrum,
                                     const SparseTransform& transform) {
  if (spectrum.values.size() != spectrum.indices.size())
    base::invalid("spectrum.values", std::to_string(spectrum.values.size()) + " values",
                  "give as many as indices, " + std::to_string(spectrum.indices.size()));
  for (std::size_t i = 0; i < spectrum.indices.size(); ++i) {
    const auto index = spectrum.indices[i];
    if (index >= transform.length)
      base::invalid(
          "spectrum.indices", std::to_string(index),
          "indices must be below the transform's length, " + std::to_string(transform.length));
    if (i > 0 && index <= spectrum.indices[i - 1])
      base::invalid("spectrum.indices",
                    std::to_string(index) + " after " + std::to_string(spectrum.indices[i - 1]),
                    "indices must ascend, as SparsePlan returns them");
  }
  return sparse::take_apart(spectrum, transform);
}

}  // namespace imago
