// This file decides how the audit reads the whole signal, and what its result proves.
#include "sparse/audit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/integers.hpp"

namespace imago::sparse {
namespace {

constexpr double kPatterns = int{IMAGO_PATTERNS}, kToneItems = int{IMAGO_TONE_ITEMS};
constexpr std::uint64_t kLeastColumns = 512;
constexpr std::uint64_t kMostRowsOfItem = 1024;
// Work-items that keep a device busy, and the number of tones that is worth a work-item.
constexpr std::uint64_t kCpuItems = 2048, kGpuItems = 1 << 18, kTonesOfItem = 64;
constexpr std::uint64_t kMostToneBlocks = 16;

// Predictions. CPU: a core's time per sample and pattern, and per tone, pattern and column or row
// (docs/sparse/method.md). GPU: launches, the bytes of the signal, and fused operations of a
// compute unit of which half are in double precision. The GPU figures are not measured yet.
constexpr double kCpuFold = 0.5e-9, kCpuTone = 1e-9, kCpuLaunch = 20e-6;
constexpr double kGpuLaunch = 5e-6, kGpuBytes = 5e11, kGpuUnitOperations = 5e10;
constexpr unsigned kLaunches = 5;
constexpr double kNoiseExcess = 1.25;  // allowed ratio of the whole signal's residual to that of
                                       // the checked samples

bool is_single(std::uint64_t frequency, std::uint64_t length) {
  return frequency == 0 || 2 * frequency == length;
}

/// Returns floor(2^64 f / n).
std::uint64_t turns(std::uint64_t f, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(f) << 64) / n);
}

}  // namespace

std::uint64_t AuditShape::tone_blocks(std::uint64_t tones) const {
  return std::clamp<std::uint64_t>(tones / kTonesOfItem, 1, most_tone_blocks);
}

AuditShape audit_shape(const Request& request, const device::Facts& facts) {
  const bool cpu = facts.type == device::Type::cpu;
  AuditShape shape;
  const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(request.length)));
  shape.columns = std::max(kLeastColumns, std::bit_ceil(root));
  shape.rows = base::ceil_divide(request.length, shape.columns);
  shape.vector = cpu ? 8 : 2;
  shape.columns_of_item = cpu ? 4 : 1;
  const std::uint64_t vectors = shape.row_reals(request.real) / shape.vector;
  const std::uint64_t blocks = base::ceil_divide(cpu ? kCpuItems : kGpuItems, vectors);
  shape.rows_of_item =
      std::clamp<std::uint64_t>(base::ceil_divide(shape.rows, blocks), 64, kMostRowsOfItem);
  shape.row_blocks = base::ceil_divide(shape.rows, shape.rows_of_item);
  shape.most_tone_blocks = cpu ? 1 : kMostToneBlocks;
  shape.most_tones = std::min(kMostAudited, request.length / 8);
  return shape;
}

std::vector<Tone> audited_tones(const std::vector<Tone>& tones, const Request& request) {
  if (!request.real) return tones;
  std::vector<Tone> half;
  for (const auto& tone : tones) {
    if (tone.frequency >= request.listed()) continue;
    half.push_back(tone);
    if (!is_single(tone.frequency, request.length)) half.back().amplitude *= 2;
  }
  return half;
}

std::vector<std::uint64_t> audit_phases(const std::vector<Tone>& tones, std::uint64_t length,
                                        std::uint64_t columns) {
  std::vector<std::uint64_t> phases;
  phases.reserve(2 * tones.size());
  for (const auto& tone : tones) {
    phases.push_back(turns(tone.frequency, length));
    phases.push_back(
        turns(base::multiply_modulo(tone.frequency, columns % length, length), length));
  }
  return phases;
}

double size_of(const std::vector<Tone>& tones, const Request& request) {
  double energy = 0;
  for (const auto& tone : tones) {
    const bool pair = request.real && !is_single(tone.frequency, request.length);
    energy += std::norm(tone.amplitude) / (pair ? 2 : 1);
  }
  return std::sqrt(energy);
}

// The energy of an audit is a sum over Q patterns of w^T G w, with w normal and G positive with
// trace V. Then E exp(-u w^T G w) = prod (1 + 2 u g_i)^(-1/2) <= (1 + 2 u V)^(-1/2). Chernoff's
// bound is thus P(mean <= s V) <= (s e^(1 - s))^(Q / 2).
double audit_factor() {
  const double wanted = 2 * std::log(kAuditDoubt) / kPatterns;
  double low = 0, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double s = (low + high) / 2;
    (std::log(s) + 1 - s < wanted ? low : high) = s;
  }
  return 1 / std::sqrt(low);
}

// Let u be the unit roundoff, with all errors in the worst direction. A sum of m numbers in blocks
// of b has an error of u times the partial sums. Their energy is b / 2 times that of the numbers,
// in the mean over the weights. The phases of tones have errors of 4 u each, plus 4 u for each row
// if they are rotated from row to row. The factor 2 covers deviations from the mean.
double audit_rounding(const AuditShape& shape, std::uint64_t tones, bool f64) {
  const double u = f64 ? 0x1p-53 : 0x1p-24;
  const auto rows = static_cast<double>(shape.rows), k = static_cast<double>(tones);
  const double of_item = std::ceil(rows / kToneItems);
  const auto of_block = static_cast<double>(base::ceil_divide(tones, shape.tone_blocks(tones)));
  const double folds = std::sqrt(rows * static_cast<double>(shape.rows_of_item) / 2) +
                       static_cast<double>(shape.row_blocks);
  const double turned = f64 ? 4 * of_item : 0;
  const double of_tones = std::sqrt(rows * of_item / 2) + kToneItems +
                          (4 + turned) * std::sqrt(rows) + (of_block + 32) * std::sqrt(k);
  const double phases = 6.3 * 0x1p-64 * (rows + static_cast<double>(shape.columns));
  return 2 * u * (folds + (tones > 0 ? of_tones : 0)) + phases * std::sqrt(rows * k);
}

Audited audited(double energy, double size, double rounding, std::uint64_t length) {
  Audited result;
  result.measured = std::sqrt(energy / kPatterns / static_cast<double>(length));
  const double factor = audit_factor(), own = factor * rounding;
  // The rounding is relative to the size of the signal, which is at most the tones' size plus the
  // bound.
  result.bound = own < 0.5 ? factor * (result.measured + rounding * size) / (1 - own)
                           : std::numeric_limits<double>::infinity();
  return result;
}

double proven_residual(const Audited& audited, double size) {
  if (audited.bound == 0 && size == 0) return 0;
  // ||x|| is at least ||xhat|| - ||x - xhat||.
  if (!(2 * audited.bound < size)) return 1;
  return audited.bound / (size - audited.bound);
}

// Allows a residual a few percent above that of the samples, because with noise the whole signal
// has slightly more or less than they.
void conclude(const Audited& audited, double size, const Request& request,
              SparseSpectrum& spectrum) {
  const double total = std::hypot(size, audited.measured);
  const double measured = total == 0 ? 0 : audited.measured / total;
  const double proven = proven_residual(audited, size);
  const double sampled = spectrum.residual;
  spectrum.residual = measured;
  if (proven <= request.tolerance) {
    spectrum.verdict = Verdict::verified;
    spectrum.residual = proven;
    // No coefficient of the remainder exceeds n times its root mean square.
    const double least = request.precision == Precision::f64
                             ? std::numeric_limits<double>::min()
                             : double{std::numeric_limits<float>::min()};
    spectrum.floor = static_cast<double>(request.length) * std::max(audited.bound, least);
  } else if (spectrum.verdict == Verdict::consistent) {
    if (!(measured <= request.tolerance)) spectrum.verdict = Verdict::unverified;
  } else if (!(measured <= kNoiseExcess * sampled)) {
    spectrum.verdict = Verdict::unverified;
  }
}

double audit_seconds(const AuditShape& shape, const Request& request, std::uint64_t tones,
                     const device::Facts& facts) {
  const double units = std::max(1u, facts.compute_units);
  const double folds = static_cast<double>(request.length) * kPatterns * (request.real ? 1 : 2);
  const double values =
      static_cast<double>(tones) * static_cast<double>(shape.rows + shape.columns);
  if (facts.type == device::Type::cpu)
    return kLaunches * kCpuLaunch + (folds * kCpuFold + values * kPatterns * kCpuTone) / units;
  const double bytes = facts.rates.copy_bytes > 0 ? facts.rates.copy_bytes : kGpuBytes;
  return kLaunches * kGpuLaunch + static_cast<double>(request.signal_bytes()) / bytes +
         (folds + 4 * values * kPatterns) / (units * kGpuUnitOperations);
}

double unseen_share(std::uint64_t checked, unsigned attempts) {
  if (checked == 0) return 1;
  const double doubt = (1 - kSparseConfidence) / std::max(1u, attempts);
  return -std::expm1(std::log(doubt) / static_cast<double>(checked));
}

}  // namespace imago::sparse
