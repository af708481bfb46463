// This file checks fields that several descriptions of signals have.
#include "signal/checks.hpp"

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "problem/words.hpp"

namespace imago::signal {

void check_length(const std::string& field, std::size_t length) {
  if (length == 0 || length > kMostElements)
    base::invalid(field, length, "it must be from 1 to 2^40");
}

void check_lengths(const std::vector<std::size_t>& lengths) {
  if (lengths.empty()) base::invalid("the size of lengths", 0, "give one length per dimension");
  for (std::size_t d = 0; d < lengths.size(); ++d)
    check_length(base::indexed("lengths", d), lengths[d]);
}

void check_arithmetic(Kind kind, Precision precision) {
  if (kind != Kind::real && kind != Kind::complex)
    base::invalid("kind", base::word_of(problem::kKinds, kind), "it must be complex or real");
  if (precision != Precision::f32 && precision != Precision::f64)
    base::invalid("precision", base::word_of(problem::kPrecisions, precision),
                  "it must be f32 or f64");
}

void check_factors(const char* field, const Factors& factors, Kind kind) {
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (!std::isfinite(factors[i].real()) || !std::isfinite(factors[i].imag()))
      base::invalid(base::indexed(field, i), factors[i], "it must be finite");
  }
  if (kind == Kind::real && has_imaginary_parts(factors))
    base::invalid(field, "complex", "with Kind::real its numbers must be real: use Kind::complex");
}

bool has_imaginary_parts(const Factors& factors) {
  return std::any_of(factors.begin(), factors.end(), [](auto z) { return z.imag() != 0; });
}

}  // namespace imago::signal
