// This file decides how the audit (full verification) reads the whole signal, and what its result
// proves. Pure functions. docs/sparse/method.md has the argument.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "device/facts.hpp"
#include "sparse/attempt.hpp"
#include "sparse/reading.hpp"
#include "sparse/request.hpp"

namespace imago::sparse {

/// Probability that the audit's result is false, over its random weights.
constexpr double kAuditDoubt = 1e-9;
/// Maximum number of tones of an audit; for more tones, the dense transform is faster.
constexpr std::uint64_t kMostAudited = 1 << 16;

/// The distribution of the work.
struct AuditShape {
  std::uint64_t columns = 1, rows = 1;
  std::uint64_t row_blocks = 1, rows_of_item = 1;
  std::uint64_t most_tone_blocks = 1;
  unsigned vector = 2;           ///< real numbers that a work-item folds
  unsigned columns_of_item = 1;  ///< columns in which a work-item sums tones
  std::uint64_t most_tones = 1;  ///< maximum number of tones, for which memory is allocated

  std::uint64_t row_reals(bool real) const { return columns * (real ? 1 : 2); }
  std::uint64_t tone_blocks(std::uint64_t tones) const;
};
AuditShape audit_shape(const Request& request, const device::Facts& facts);

/// Returns the tones of the result as its caller receives them. For real signals these are the
/// tones of half the spectrum, and the signal is the real part of their sum.
std::vector<Tone> audited_tones(const std::vector<Tone>& tones, const Request& request);

/// Returns the phases of the tones for the kernels, in units of 2^-64 turns. Each tone has two:
/// from one column to the next, and from one row to the next.
std::vector<std::uint64_t> audit_phases(const std::vector<Tone>& tones, std::uint64_t length,
                                        std::uint64_t columns);

/// Returns the root mean square of the samples of the sum of the tones.
double size_of(const std::vector<Tone>& tones, const Request& request);

/// Returns the factor by which the true root mean square may exceed the measured one.
double audit_factor();

/// Returns a bound on the rounding error of an audit, relative to the size of the signal. `f64` is
/// true for double arithmetic.
double audit_rounding(const AuditShape& shape, std::uint64_t tones, bool f64);

/// Root mean squares of x - xhat over the whole signal.
struct Audited {
  double measured = 0;  ///< equals the signal's in the mean
  double bound = 0;     ///< upper bound, except with probability kAuditDoubt
};
/// Evaluates an audit. `energy` is the sum over all patterns and columns of the remaining energy;
/// `size` is the size of the tones.
Audited audited(double energy, double size, double rounding, std::uint64_t length);

/// Returns the proven residual, at most 1, which proves nothing.
double proven_residual(const Audited& audited, double size);

/// Updates the result with the audit of the whole signal. `size` is the size of the result's tones.
void conclude(const Audited& audited, double size, const Request& request,
              SparseSpectrum& spectrum);

/// Returns the predicted seconds.
double audit_seconds(const AuditShape& shape, const Request& request, std::uint64_t tones,
                     const device::Facts& facts);

/// Returns an upper bound on the fraction of samples that may differ by more than all of `checked`
/// independent ones, if the last of `attempts` results counts.
double unseen_share(std::uint64_t checked, unsigned attempts);

}  // namespace imago::sparse
