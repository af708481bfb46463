// This file runs attempts of the phase method on a device.
#include "sparse_device/phase.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <random>
#include <utility>

#include "base/text.hpp"
#include "sparse/draws.hpp"
#include "sparse/verdict.hpp"

namespace imago::sparse_device {
namespace {

constexpr unsigned kMostBatches = 5;  // maximum number of batches of rounds in one attempt

/// Returns a number that no other attempt of any plan has, because memory may hold the results of
/// another attempt or process.
std::uint32_t next_serial() {
  static std::atomic<std::uint32_t> attempts = std::random_device()();
  return ++attempts;
}

std::string launches(std::uint64_t count) { return base::counted(count, "launch", "launches"); }

}  // namespace

PhaseRunner::PhaseRunner(const Setup& setup, const sparse::PhaseParameters& parameters)
    : request_(setup.request),
      parameters_(parameters),
      ladder_(make_ladder(setup, parameters)),
      memory_(setup, parameters, ladder_.scratch_bytes()),
      kernels_(setup, parameters, memory_) {}

PhaseRunner::Ladder PhaseRunner::make_ladder(const Setup& setup,
                                             const sparse::PhaseParameters& parameters) {
  const auto add = [&](const sparse::Level& level, std::vector<Spectra>& to) {
    const auto taps = parameters.window.taps(level.buckets());
    to.push_back({bucket_engine(setup, level.buckets(), level.spectra()),
                  upload_reals(setup.target.context, taps, setup.request.precision),
                  gain_of(taps)});
  };
  Ladder ladder;
  for (const auto& level : parameters.coarse) add(level, ladder.coarse);
  for (const auto& level : parameters.fine) add(level, ladder.fine);
  return ladder;
}

std::size_t PhaseRunner::Ladder::scratch_bytes() const {
  std::size_t most = 0;
  for (const auto* spectra : {&coarse, &fine}) {
    for (const auto& one : *spectra) most = std::max(most, one.engine.scratch_bytes());
  }
  return most;
}

const sparse::Level& PhaseRunner::level_of(const Rung& rung) const {
  return parameters_.level(rung.level, rung.fine);
}

sparse::Attempt PhaseRunner::attempt_of(const Start& start, const Signal& signal) const {
  const auto& level = level_of(start.rung);
  const std::uint64_t n = request_.length;
  const auto draws = sparse::draw(n, start.seed, start.number);
  sparse::Attempt attempt = {};
  attempt.length = n;
  attempt.fraction = ~std::uint64_t{0} / n;
  attempt.remainder = ~std::uint64_t{0} % n + 1;
  attempt.signal_offset = signal.offset;
  attempt.check_seed = draws.check_seed;
  attempt.log_length = static_cast<std::uint32_t>(std::bit_width(n) - 1);
  attempt.log_buckets = level.log_buckets;
  attempt.shifts = level.shifts();
  attempt.capacity = static_cast<std::uint32_t>(level.capacity());
  attempt.log_slots = level.log_buckets + 1;
  attempt.adopted = static_cast<std::uint32_t>(start.known.size());
  std::copy(level.exponents.begin(), level.exponents.end(), attempt.exponents);
  for (unsigned h = 0; h < sparse::kHashes; ++h) {
    attempt.sigma[h] = static_cast<std::uint32_t>(draws.sigma[h]);
    attempt.inverse[h] = static_cast<std::uint32_t>(draws.inverse[h]);
    attempt.tau[h] = static_cast<std::uint32_t>(draws.tau[h]);
  }
  attempt.threshold = static_cast<float>(level.threshold());
  attempt.own_noise = static_cast<float>(parameters_.own_noise());
  attempt.serial = next_serial();
  return attempt;
}

/// Lists the known tones as results of a round before the first.
void PhaseRunner::adopt(runtime::Sequence& sequence, const Current& current, const Start& start) {
  const std::size_t first = sparse::state_words(0, request_.precision),
                    words = sparse::tone_words(request_.precision);
  for (std::size_t i = 0; i < start.known.size(); ++i)
    sparse::put_tone(start.known[i], request_.precision, &memory_.words[first + i * words]);
  sequence.write(memory_.state.get(), first * sizeof(std::uint32_t),
                 start.known.size() * words * sizeof(std::uint32_t), &memory_.words[first]);
  kernels_.launch(sequence, current.job(), {PhaseStage::adopt, sparse::IMAGO_FIRST_ROUND - 1, 0});
}

bool PhaseRunner::is_whole(const Start& start) const {
  return kernels_.has_whole() && start.number == 0 && start.rung.level == 0 && !start.rung.fine &&
         start.known.empty();
}

sparse::Reading PhaseRunner::begin(runtime::Sequence& sequence, const Current& current,
                                   const Start& start, unsigned last) {
  if (is_whole(start)) {
    kernels_.launch(sequence, current.job(), {PhaseStage::whole, last, 0});
    return read(sequence, current.level, last);
  }
  kernels_.launch(sequence, current.job(), {PhaseStage::sample, 0, 0});
  if (!start.known.empty()) adopt(sequence, current, start);
  runtime::Call call;
  call.input = call.output = {memory_.buckets.get(), nullptr, 0};
  call.scratch = {memory_.scratch.get(), current.spectra.engine.counters.get()};
  sequence.run(*current.spectra.engine.forward, call);
  return finish(sequence, current, sparse::IMAGO_FIRST_ROUND, last);
}

sparse::Reading PhaseRunner::finish(runtime::Sequence& sequence, const Current& current,
                                    unsigned first, unsigned last) {
  const auto launch = [&](PhaseStage stage, unsigned round, unsigned turn) {
    kernels_.launch(sequence, current.job(), {stage, round, turn});
  };
  for (unsigned round = first; round <= last; ++round) launch(PhaseStage::peel, round, first);
  launch(PhaseStage::refine_1, last, 1);
  for (unsigned pass = 2; pass <= current.passes; ++pass) launch(PhaseStage::refine_2, last, pass);
  launch(PhaseStage::check, last, current.passes);
  return read(sequence, current.level, last);
}

/// Returns the result after round `last`.
sparse::Reading PhaseRunner::read(runtime::Sequence& sequence, const sparse::Level& level,
                                  unsigned last) {
  const auto copy = [&](std::uint64_t from, std::uint64_t to) {
    const std::size_t begin = from == 0 ? 0 : sparse::state_words(from, request_.precision);
    const std::size_t end = sparse::state_words(to, request_.precision);
    if (end > begin)
      sequence.read(memory_.state.get(), begin * sizeof(std::uint32_t),
                    (end - begin) * sizeof(std::uint32_t), &memory_.words[begin]);
  };
  // Copies a few more tones than expected, so that one copy is usually enough.
  const std::uint64_t capacity = level.capacity();
  const std::uint64_t expected = std::min(capacity, request_.tones + request_.tones / 4 + 32);
  copy(0, expected);
  const std::uint64_t count = sparse::tones_in(memory_.words, last, capacity);
  if (count > expected) copy(expected, count);
  return sparse::read_state(memory_.words, last, capacity, request_.precision,
                            parameters_.own_noise());
}

sparse::Reading PhaseRunner::attempt(runtime::Sequence& sequence, const Signal& signal,
                                     const Start& start) {
  const auto& of_ladder = start.rung.fine ? ladder_.fine : ladder_.coarse;
  const Current current{level_of(start.rung), of_ladder[start.rung.level], signal,
                        attempt_of(start, signal),
                        start.number == 0 ? parameters_.passes : parameters_.later_passes};
  unsigned first = sparse::IMAGO_FIRST_ROUND, last = first + current.level.rounds - 1;
  auto reading = begin(sequence, current, start, last);
  for (unsigned batch = 1; reading.unfinished && !sparse::clean(reading) && batch < kMostBatches;
       ++batch) {
    first = last + 2;  // the round between found nothing, so everything is subtracted
    last = first + parameters_.rounds - 1;
    reading = finish(sequence, current, first, last);
  }
  sparse::charge(reading, current.spectra.gain);
  sparse::prune(reading, parameters_.window);
  return reading;
}

sparse::Decision PhaseRunner::judge(const sparse::Reading& reading,
                                    const sparse::Attempted& attempted) const {
  return sparse::judge(reading, attempted, parameters_, request_.tolerance);
}

double PhaseRunner::floor(const sparse::Reading& reading, const Rung& rung) const {
  return sparse::floor_of(reading, level_of(rung), parameters_.window);
}

std::uint64_t PhaseRunner::samples(const Rung& rung) const {
  return level_of(rung).samples(parameters_.window);
}

double PhaseRunner::seconds(const Rung& rung, const device::Facts& facts) const {
  return sparse::seconds(parameters_, level_of(rung), facts);
}

std::string PhaseRunner::describe(const device::Facts& facts) const {
  const auto& level = parameters_.coarse.front();
  return "  " + std::to_string(sparse::kHashes) + " dilations x " + std::to_string(level.shifts()) +
         " shifts x " + std::to_string(level.buckets()) + " buckets, window of " +
         std::to_string(parameters_.window.width) + " periods, up to " +
         std::to_string(parameters_.coarse.size()) + " levels\n" +
         "  sample, window, fold: 1 launch, " + std::to_string(level.samples(parameters_.window)) +
         " samples\n" +
         "  transforms of the buckets: " + launches(ladder_.coarse.front().engine.launches()) +
         "\n  peel: " + launches(level.rounds) + "\n  refine: " + launches(parameters_.passes) +
         "\n  check and list: 1 launch, up to " + std::to_string(sparse::IMAGO_MOST_CHECKS) +
         " samples\n  predicted: " +
         base::seconds_text(sparse::seconds(parameters_, level, facts)) + "\n" +
         (kernels_.has_whole() ? "  the first attempt in one launch\n" : "");
}

void PhaseRunner::list(KernelLists& lists) const {
  for (const auto* spectra : {&ladder_.coarse, &ladder_.fine}) {
    for (const Spectra& one : *spectra) lists.add(one.engine);
  }
  lists.add(kernels_.all());
}

Estimate estimate_of(const Setup& setup, const sparse::PhaseParameters& parameters) {
  const auto& request = setup.request;
  const auto& first = parameters.coarse.front();
  const auto of_buckets = [&](const sparse::Level& level) {
    return estimate_of(setup, bucket_transform(request, level.buckets(), level.spectra()));
  };
  Estimate sum;
  std::size_t scratch = 0;
  for (const auto* levels : {&parameters.coarse, &parameters.fine}) {
    for (const auto& level : *levels) {
      const Estimate buckets = of_buckets(level);
      scratch = std::max(scratch, buckets.workspace_bytes);
      sum.table_bytes += buckets.table_bytes;
    }
  }
  sum.workspace_bytes = PhaseMemory(setup, parameters, scratch).bytes;
  sum.kernels = phase_code(request, setup.facts, parameters).transform
                    ? 1
                    : sparse::launches(parameters, first) + of_buckets(first).kernels;
  sum.bytes_moved = first.samples(parameters.window) * (request.signal_bytes() / request.length);
  sum.seconds = sparse::seconds(parameters, first, setup.facts);
  return sum;
}

}  // namespace imago::sparse_device
