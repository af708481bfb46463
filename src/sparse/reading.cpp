// This file reads the state that an attempt leaves.
#include "sparse/reading.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sparse/attempt.hpp"

namespace imago::sparse {
namespace {

static_assert(IMAGO_HASHES == kHashes);

constexpr double kQuantile = 0.15;  // fraction of the buckets that are assumed to hold only noise

double float_of(std::uint32_t word) { return std::bit_cast<float>(word); }

double double_of(const std::uint32_t* words) {
  return std::bit_cast<double>(words[0] | static_cast<std::uint64_t>(words[1]) << 32);
}

/// Returns the magnitude of the amplitude. This runs for every tone in each call. It avoids
/// std::abs, which guards against over- and underflow that tones are far from.
double size_of(const Tone& tone) { return std::sqrt(std::norm(tone.amplitude)); }

/// Returns the energy in the middle of a bin. Bins are steps of 2^21 in a float's bits, relative to
/// the peak's bin.
double bin_energy(std::uint32_t peak_bits, std::size_t bin) {
  const auto peak_bin = static_cast<std::int64_t>(peak_bits >> 21);
  const auto wanted = peak_bin - (IMAGO_BINS - 5) + static_cast<std::int64_t>(bin);
  if (wanted <= 0) return 0;
  const auto bits = static_cast<std::uint32_t>(wanted) << 21;
  return (float_of(bits) + float_of(bits + (1u << 21))) / 2;
}

/// Returns the energy at the quantile; 0 if it is in the first bin, where the histogram ends.
double quantile(std::span<const std::uint32_t> state) {
  const auto bins = state.subspan(IMAGO_HISTOGRAM, IMAGO_BINS);
  double total = 0, sum = 0;
  for (const auto count : bins) total += count;
  std::size_t bin = 0;
  while (bin + 1 < bins.size() && (sum += bins[bin]) < kQuantile * total) ++bin;
  return bin == 0 ? 0 : bin_energy(state[IMAGO_PEAK], bin);
}

void read_checks(std::span<const std::uint32_t> state, Reading& reading) {
  double error = 0, energy = 0;
  std::uint32_t worst = 0;  // bits of a float, in which a NaN is larger than any number
  for (std::size_t i = 0; i < IMAGO_CHECK_GROUPS; ++i) {
    const std::uint32_t* group = &state[IMAGO_CHECK + IMAGO_CHECK_WORDS * i];
    error += float_of(group[0]);
    energy += float_of(group[1]);
    reading.largest = std::max(reading.largest, float_of(group[2]));
    worst = std::max(worst, group[3]);
  }
  reading.checked = state[IMAGO_CHECKED];
  reading.energy = energy / static_cast<double>(reading.checked);
  reading.difference = std::sqrt(float_of(worst));
  reading.residual = energy == 0 && error == 0 ? 0 : std::sqrt(error / energy);
}

/// Returns a bound on the error of a checked difference. Few tones are summed one after another,
/// many by hundreds of work-items.
double check_rounding(const std::vector<Tone>& tones, Precision precision) {
  const auto count = static_cast<double>(tones.size());
  double sum = 0;
  for (const auto& tone : tones) sum += size_of(tone);
  const double unit = precision == Precision::f64 ? 0x1p-53 : 0x1p-24;
  return unit * (16 + std::min(count, 64.0) + count / 256) * sum;
}

/// Compares squares. With a square root for each, 1000 tones take four times as long.
bool is_small(const Tone& tone, double least) {
  return !(std::norm(tone.amplitude) > least * least);
}

/// The consequence of dropping the small tones.
struct DroppedTones {
  bool any = false;
  double sizes = 0, residual = 0;  ///< sum of their amplitudes, and the new residual
};

DroppedTones loss_of(const Reading& reading, double least) {
  DroppedTones loss;
  double energy = 0;
  for (const Tone& tone : reading.tones) {
    if (!is_small(tone, least)) continue;
    loss.any = true;
    loss.sizes += size_of(tone);
    energy += std::norm(tone.amplitude);
  }
  loss.residual = reading.residual;
  if (energy > 0) loss.residual = std::hypot(loss.residual, std::sqrt(energy / reading.energy));
  return loss;
}

void drop(Reading& reading, double least, const DroppedTones& loss) {
  if (!loss.any) return;
  reading.residual = loss.residual;
  reading.difference += loss.sizes;
  std::erase_if(reading.tones, [&](const Tone& tone) { return is_small(tone, least); });
}

}  // namespace

std::size_t tone_words(Precision precision) { return precision == Precision::f64 ? 6 : 4; }

std::size_t state_words(std::uint64_t tones, Precision precision) {
  return IMAGO_TONES + tones * tone_words(precision);
}

std::size_t state_words(const Level& level, Precision precision) {
  const std::size_t cleared = 2 * level.slots() + 3 * kHashes * level.buckets();
  return state_words(level.capacity(), precision) + cleared + level.capacity() +
         3 * kHashes * level.slots();
}

std::uint64_t tones_in(std::span<const std::uint32_t> state, unsigned last,
                       std::uint64_t capacity) {
  std::uint64_t count = 0;
  for (unsigned round = 0; round <= last; ++round) count += state[IMAGO_CREATED + round];
  return std::min(count, capacity);
}

Reading read_state(std::span<const std::uint32_t> state, unsigned last, std::uint64_t capacity,
                   Precision precision, double own_noise, double of_quantile) {
  Reading reading;
  reading.peak = std::sqrt(float_of(state[IMAGO_PEAK]));
  reading.worst = std::sqrt(float_of(state[IMAGO_WORST]));
  const double measured = of_quantile * std::sqrt(quantile(state)), own = own_noise * reading.peak;
  reading.noise = measured + own;
  if (measured > own) reading.excess = std::sqrt(measured * measured - own * own);
  read_checks(state, reading);
  reading.unfinished = state[IMAGO_EVENTS + last] != 0;
  for (unsigned round = IMAGO_FIRST_ROUND; round <= last; ++round)
    reading.rounds += state[IMAGO_EVENTS + round] != 0;
  const std::uint64_t count = tones_in(state, last, capacity);
  reading.full = count == capacity;
  reading.tones.resize(count);
  const std::uint32_t* words = state.data() + state_words(0, precision);
  for (Tone& tone : reading.tones) {
    tone = get_tone(words, precision);
    words += tone_words(precision);
  }
  reading.difference += check_rounding(reading.tones, precision);
  return reading;
}

Tone get_tone(const std::uint32_t* words, Precision precision) {
  const std::uint64_t frequency = words[0] | static_cast<std::uint64_t>(words[1]) << 32;
  if (precision == Precision::f64) return {frequency, {double_of(words + 2), double_of(words + 4)}};
  return {frequency, {float_of(words[2]), float_of(words[3])}};
}

void put_tone(const Tone& tone, Precision precision, std::uint32_t* words) {
  words[0] = static_cast<std::uint32_t>(tone.frequency);
  words[1] = static_cast<std::uint32_t>(tone.frequency >> 32);
  const double parts[] = {tone.amplitude.real(), tone.amplitude.imag()};
  for (std::size_t i = 0; i < 2; ++i) {
    if (precision == Precision::f64) {
      const auto bits = std::bit_cast<std::uint64_t>(parts[i]);
      words[2 + 2 * i] = static_cast<std::uint32_t>(bits);
      words[3 + 2 * i] = static_cast<std::uint32_t>(bits >> 32);
    } else {
      words[2 + i] = std::bit_cast<std::uint32_t>(static_cast<float>(parts[i]));
    }
  }
}

void charge(Reading& reading, double gain) {
  if (reading.excess > 0)
    reading.residual =
        std::max(reading.residual, reading.excess / gain / std::sqrt(reading.energy));
}

void prune(Reading& reading, const Window& window) {
  prune(reading, std::max(kCleanBucket * reading.noise, 4 * window.leak() * reading.peak));
}

void prune(Reading& reading, double least) { drop(reading, least, loss_of(reading, least)); }

void prune_within(Reading& reading, double least, double tolerance) {
  const DroppedTones loss = loss_of(reading, least);
  if (loss.residual <= tolerance) drop(reading, least, loss);
}

}  // namespace imago::sparse
