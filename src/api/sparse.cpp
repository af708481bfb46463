// This file implements SparsePlan: the choice of a method, and the loop of a Las Vegas algorithm.
#include <imago/sparse.hpp>

#include <algorithm>
#include <mutex>
#include <optional>
#include <sstream>
#include <utility>

#include "api/arguments.hpp"
#include "base/errors.hpp"
#include "base/log.hpp"
#include "runtime/facts.hpp"
#include "sparse/ascending.hpp"
#include "sparse/verdict.hpp"
#include "sparse_device/dense.hpp"
#include "sparse_device/phase.hpp"
#include "sparse_device/voting.hpp"

namespace imago {
namespace {

constexpr double kWorthIt = 0.7;  // of the dense time: predictions are no better than that

/// What is computed, and why.
struct Choice {
  std::optional<sparse::PhaseParameters> phase;
  std::optional<sparse::VotingParameters> voting;
  bool dense = false;  ///< alone, or where the other is not sure
  std::string reason;
  std::optional<double> dense_seconds = {};  ///< predicted, where the choice was imago's
};

double dense_seconds(const sparse::Request& request, const device::Facts& facts,
                     const Options& options) {
  return engine::decide(sparse_device::dense_transform(request), facts,
                        sparse_device::own_choice(options))
      .forward->seconds;
}

Choice choose_voting(const sparse::Request& request) {
  auto parameters = sparse::voting_parameters(request);
  if (!parameters)
    base::unsupported("the voting method takes powers of two from " +
                          std::to_string(sparse::kLeastVotingLength) +
                          " (f64: twice that) to 2^31, and up to a 128th (f64: a 256th) as many "
                          "coefficients",
                      "use SparseMethod::phase or dense");
  return {{}, std::move(parameters), request.allow_dense, "voting, as asked for"};
}

Choice choose(const sparse::Request& request, const device::Facts& facts, const Options& options) {
  if (request.method == SparseMethod::dense) return {{}, {}, true, "dense, as asked for"};
  if (request.method == SparseMethod::voting) return choose_voting(request);
  auto parameters = sparse::phase_parameters(request);
  if (request.method == SparseMethod::phase || !request.allow_dense) {
    if (!parameters)
      base::unsupported(
          "the phase method takes lengths from " + std::to_string(sparse::kLeastPhaseLength) +
              " to 2^32 - 1 and up to a 32nd as many coefficients, at most 2^20; of a "
              "real signal, or with much noise, fewer",
          "use SparseMethod::dense");
    return {std::move(parameters), {}, request.allow_dense, "phase, as asked for"};
  }
  if (!parameters) return {{}, {}, true, "dense: the phase method does not fit"};
  const double fast = sparse::seconds(*parameters, parameters->coarse.front(), facts);
  const double slow = dense_seconds(request, facts, options);
  const auto times = " (predicted: " + std::to_string(1e6 * fast) + " us, dense " +
                     std::to_string(1e6 * slow) + " us)";
  if (fast > kWorthIt * slow) return {{}, {}, true, "dense: about as fast" + times};
  return {std::move(parameters), {}, true, "phase" + times, slow};
}

/// The answer in the caller's terms: X[f], ascending, of a real signal half of the spectrum.
void list(const std::vector<sparse::Tone>& tones, const sparse::Request& request,
          SparseSpectrum& spectrum) {
  const auto n = static_cast<double>(request.length);
  spectrum.indices.reserve(tones.size());
  spectrum.values.reserve(tones.size());
  for (const auto& tone : tones) {
    if (tone.frequency >= request.listed()) continue;
    spectrum.indices.push_back(tone.frequency);
    spectrum.values.push_back(n * tone.amplitude);
  }
}

template <class T>
void arrange(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> arranged;
  arranged.reserve(order.size());
  for (const auto i : order) arranged.push_back(values[i]);
  values = std::move(arranged);
}

void sort(SparseSpectrum& spectrum) {
  const auto order = sparse::ascending(spectrum.indices);
  arrange(spectrum.indices, order);
  arrange(spectrum.values, order);
}

std::size_t common(const std::vector<sparse::Tone>& some, std::vector<std::uint64_t> others) {
  std::sort(others.begin(), others.end());
  return static_cast<std::size_t>(
      std::count_if(some.begin(), some.end(), [&](const sparse::Tone& tone) {
        return std::binary_search(others.begin(), others.end(), tone.frequency);
      }));
}

std::vector<std::uint64_t> frequencies(const std::vector<sparse::Tone>& tones) {
  std::vector<std::uint64_t> found;
  for (const auto& tone : tones) found.push_back(tone.frequency);
  return found;
}

void log(const sparse::Reading& reading, const sparse::Attempted& attempted) {
  if (!base::logs(LogLevel::debug)) return;
  std::ostringstream text;
  text << "sparse attempt " << attempted.number << ", level " << attempted.level
       << (attempted.fine ? ", fine" : "") << ": " << reading.tones.size() << " tones ("
       << attempted.kept << " known) in " << reading.rounds << " rounds, peak " << reading.peak
       << ", noise " << reading.noise << ", worst bucket " << reading.worst << ", residual "
       << reading.residual << (reading.unfinished ? ", unfinished" : "")
       << (reading.full ? ", full" : "");
  base::log(LogLevel::debug, text.str());
}

}  // namespace

// The class is exported, its inside is not.
struct [[gnu::visibility("hidden")]] SparsePlan::State {
  State(const runtime::Target& target, SparseTransform wish, const Options& options);

  /// What a call brings along.
  struct Use {
    runtime::Sequence* sequence;
    sparse_device::Signal signal;
    std::uint64_t seed;
  };
  SparseSpectrum solve(const Use& use);

  SparseTransform transform;
  runtime::Handle<cl_context> context;  ///< before everything that lives in it: the last to go
  api::Home home;
  sparse::Request request;
  device::Facts facts;
  Choice choice;
  problem::Side side;  ///< where the signal lies
  std::unique_ptr<sparse_device::PhaseRunner> phase;
  std::unique_ptr<sparse_device::VotingRunner> voting;
  std::unique_ptr<sparse_device::DenseRunner> dense;
  std::mutex mutex;  ///< one call at a time: they share the device memory

 private:
  using Tones = std::vector<sparse::Tone>;
  /// One attempt of the method, given the tones that are known; and what it is worth.
  struct Step {
    sparse::Reading reading;
    sparse::Decision decision;
    double floor = 0;           ///< of an amplitude
    std::uint64_t samples = 0;  ///< read
  };
  Step phase_step(const Use& use, sparse::Attempted& attempted, const Tones& known);
  Step voting_step(const Use& use, sparse::Attempted& attempted, const Tones& known);
  /// Whether another attempt is asked for, and not slower than the dense transform that is there.
  bool goes_on(const sparse::Decision& decision) const;
  SparseSpectrum answer_of(const Step& step, sparse::Next claim) const;
  /// The sparse method's answer; false where it is not sure and may be asked no more.
  bool try_sparse(const Use& use, SparseSpectrum& spectrum);
};

SparsePlan::State::State(const runtime::Target& target, SparseTransform wish,
                         const Options& options)
    : transform(wish),
      context(runtime::Handle<cl_context>::shared(target.context)),
      home{target.context, target.device},
      request(sparse::make_request(wish)),
      facts(runtime::facts(target.device, engine::disk_cache(options))) {
  if (request.precision == Precision::f64 && !facts.f64)
    base::unsupported("the device \"" + facts.name + "\" has no double precision",
                      "use Precision::f32 or another device");
  choice = choose(request, facts, options);
  side.element_bytes = request.signal_bytes() / request.length;
  side.end = request.length;
  if (choice.phase)
    phase = std::make_unique<sparse_device::PhaseRunner>(target, facts, request, *choice.phase,
                                                         options);
  if (choice.voting)
    voting = std::make_unique<sparse_device::VotingRunner>(target, facts, request, *choice.voting,
                                                           options);
  if (choice.dense)
    dense = std::make_unique<sparse_device::DenseRunner>(target, facts, request, options);
}

SparsePlan::State::Step SparsePlan::State::phase_step(const Use& use, sparse::Attempted& attempted,
                                                      const Tones& known) {
  sparse_device::PhaseRunner::Start start;
  start.level = attempted.level;
  start.fine = attempted.fine;
  start.draws = sparse::draw(request.length, use.seed, attempted.number);
  start.known = known;
  Step step{phase->attempt(*use.sequence, use.signal, start), {}, 0, 0};
  attempted.common = common(step.reading.tones, frequencies(known));
  step.decision = sparse::judge(step.reading, attempted, *choice.phase, request.tolerance);
  const auto& level = choice.phase->level(attempted.level, attempted.fine);
  step.floor = sparse::floor_of(step.reading, level, choice.phase->window);
  step.samples = level.samples(choice.phase->window);
  return step;
}

// Every attempt starts anew: the window reaches few buckets, so nothing needs to be subtracted.
SparsePlan::State::Step SparsePlan::State::voting_step(const Use& use, sparse::Attempted& attempted,
                                                       const Tones& known) {
  const auto draws = sparse::draw_voting(request.length, use.seed, attempted.number);
  Step step{voting->attempt(*use.sequence, use.signal, attempted.level, draws), {}, 0, 0};
  attempted.common = common(step.reading.tones, frequencies(known));
  step.decision = sparse::judge(step.reading, attempted, *choice.voting, request.tolerance);
  const auto& level = choice.voting->levels[attempted.level];
  step.floor = sparse::floor_of(step.reading, level);
  step.samples = choice.voting->samples(level);
  return step;
}

bool SparsePlan::State::goes_on(const sparse::Decision& decision) const {
  if (decision.next != sparse::Next::retry) return false;
  if (!choice.dense_seconds) return true;
  const auto& level = choice.phase->level(decision.level, decision.fine);
  return sparse::seconds(*choice.phase, level, facts) < *choice.dense_seconds;
}

SparseSpectrum SparsePlan::State::answer_of(const Step& step, sparse::Next claim) const {
  SparseSpectrum spectrum;
  spectrum.used = phase ? SparseMethod::phase : SparseMethod::voting;
  spectrum.residual = step.reading.residual;
  spectrum.floor = static_cast<double>(request.length) * step.floor;
  if (claim == sparse::Next::accept_verified) spectrum.verdict = Verdict::verified;
  if (claim == sparse::Next::accept_noise_floor) spectrum.verdict = Verdict::noise_floor;
  list(step.reading.tones, request, spectrum);
  return spectrum;
}

bool SparsePlan::State::try_sparse(const Use& use, SparseSpectrum& spectrum) {
  Tones known;
  std::uint64_t samples = 0;
  for (sparse::Attempted attempted;; ++attempted.number) {
    attempted.kept = known.size();
    auto step = phase ? phase_step(use, attempted, known) : voting_step(use, attempted, known);
    log(step.reading, attempted);
    const bool last = !goes_on(step.decision);
    const auto claim = step.decision.next == sparse::Next::retry
                           ? step.decision.otherwise.value_or(sparse::Next::give_up)
                           : step.decision.next;
    // An attempt that claims nothing takes nothing back.
    if (claim != sparse::Next::give_up || (last && spectrum.verdict == Verdict::unverified))
      spectrum = answer_of(step, claim);
    spectrum.attempts = static_cast<int>(attempted.number) + 1;
    spectrum.samples = samples += step.samples + sparse::IMAGO_CHECKS;
    if (last) return spectrum.verdict != Verdict::unverified;
    known = std::move(step.reading.tones);
    attempted.level = step.decision.level;
    attempted.fine = step.decision.fine;
  }
}

SparseSpectrum SparsePlan::State::solve(const Use& use) {
  SparseSpectrum spectrum;
  const bool sure = (phase || voting) && try_sparse(use, spectrum);
  if (!sure && dense) {
    const int attempts = spectrum.attempts;
    const std::uint64_t samples = spectrum.samples;
    spectrum = dense->compute(*use.sequence, use.signal);
    spectrum.attempts = attempts;
    spectrum.samples = samples + request.length;
  }
  sort(spectrum);
  return spectrum;
}

SparsePlan::SparsePlan(const cl::Context& context, const cl::Device& device,
                       SparseTransform transform, const Options& options)
    : state_(
          std::make_unique<State>(engine::make_target(context(), device()), transform, options)) {}
SparsePlan::~SparsePlan() = default;
SparsePlan::SparsePlan(SparsePlan&&) noexcept = default;
SparsePlan& SparsePlan::operator=(SparsePlan&&) noexcept = default;

SparseSpectrum SparsePlan::forward(const cl::CommandQueue& queue, const Array& signal,
                                   const std::vector<cl::Event>& waits,
                                   std::optional<std::uint64_t> seed) const {
  const bool in_order = api::check_queue(state_->home, queue());
  api::check_side(state_->home, {"signal", signal, signal.offset(), state_->side, true, false});
  auto events = api::check_waits(state_->home, waits);
  const std::lock_guard lock(state_->mutex);
  runtime::Sequence sequence(queue(), in_order, std::move(events));
  return state_->solve(
      {&sequence, {signal.re(), signal.offset()}, seed.value_or(state_->request.seed)});
}

const SparseTransform& SparsePlan::transform() const noexcept { return state_->transform; }
std::size_t SparsePlan::signal_bytes() const noexcept { return state_->request.signal_bytes(); }
std::size_t SparsePlan::workspace_bytes() const noexcept {
  return (state_->phase ? state_->phase->bytes() : 0) +
         (state_->voting ? state_->voting->bytes() : 0) +
         (state_->dense ? state_->dense->bytes() : 0);
}

std::string SparsePlan::describe() const {
  std::string text = state_->choice.reason + "\n";
  if (state_->phase) text += state_->phase->describe(state_->facts);
  if (state_->voting) text += state_->voting->describe(state_->facts);
  if (state_->dense)
    text += (state_->phase || state_->voting ? "otherwise " : "") + state_->dense->describe();
  return text;
}

}  // namespace imago
