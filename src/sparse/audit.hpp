// This file decides how the whole signal is audited and what an audit proves: pure functions.
// docs/sparse.md has the argument.
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

/// Probability that what an audit proves is false, over its random weights.
constexpr double kAuditDoubt = 1e-9;
/// More tones are not audited: the dense transform takes less.
constexpr std::uint64_t kMostAudited = 1 << 16;

/// How the work is dealt out.
struct AuditShape {
  std::uint64_t columns = 1, rows = 1;
  std::uint64_t row_blocks = 1, rows_of_item = 1;
  std::uint64_t most_tone_blocks = 1;
  unsigned vector = 2;           ///< reals that a work-item folds
  unsigned columns_of_item = 1;  ///< in which a work-item adds up tones
  std::uint64_t most_tones = 1;  ///< there is room for

  std::uint64_t row_reals(bool real) const { return columns * (real ? 1 : 2); }
  std::uint64_t tone_blocks(std::uint64_t tones) const;
};
AuditShape audit_shape(const Request& request, const device::Facts& facts);

/// The tones of the answer, as a caller has it: of a real signal those of half the spectrum, the
/// real part of whose sum is the signal.
std::vector<Tone> audited_tones(const std::vector<Tone>& tones, const Request& request);

/// What the kernels need to know of tones: phases in turns of 2^-64 from one column to the next and
/// from one row to the next, two for each tone.
std::vector<std::uint64_t> audit_phases(const std::vector<Tone>& tones, std::uint64_t length,
                                        std::uint64_t columns);

/// The root mean square of the samples that the tones sum up to.
double size_of(const std::vector<Tone>& tones, const Request& request);

/// By how much the true root mean square may exceed what is measured.
double audit_factor();

/// Bound of the rounding of an audit, over the size of the signal. f64: that it computes in.
double audit_rounding(const AuditShape& shape, std::uint64_t tones, bool f64);

/// Of the whole signal: root mean squares of x - xhat.
struct Audited {
  double measured = 0;  ///< in the mean that of the signal
  double bound = 0;     ///< it is not above this, but for kAuditDoubt
};
/// energy: the sum over all patterns and columns of what was left. size: that of the tones.
Audited audited(double energy, double size, double rounding, std::uint64_t length);

/// The residual that this proves: at most 1, which proves nothing.
double proven_residual(const Audited& audited, double size);

/// Makes of the answer what the whole signal says of it. size: of the answer's tones.
void conclude(const Audited& audited, double size, const Request& request,
              SparseSpectrum& spectrum);

/// Predicted seconds.
double audit_seconds(const AuditShape& shape, const Request& request, std::uint64_t tones,
                     const device::Facts& facts);

/// The largest share of samples that may differ by more than any of `checked` independent ones,
/// where the last of `attempts` answers is the one that counts.
double unseen_share(std::uint64_t checked, unsigned attempts);

}  // namespace imago::sparse
