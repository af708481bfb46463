// This file runs the loop of a Las Vegas algorithm.
#include "sparse_device/solver.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/log.hpp"
#include "sparse/ascending.hpp"
#include "sparse/attempt.hpp"
#include "sparse/verdict.hpp"

namespace imago::sparse_device {
namespace {

/// Lists the result for the caller: X[f], in ascending order; half of the spectrum for a real
/// signal.
void list(const std::vector<sparse::Tone>& tones, const sparse::Request& request,
          SparseSpectrum& spectrum) {
  const auto n = static_cast<double>(request.length);
  spectrum.indices.reserve(tones.size());
  spectrum.values.reserve(tones.size());
  for (const auto i : sparse::ascending(tones)) {
    const sparse::Tone& tone = tones[i];
    if (tone.frequency >= request.listed()) break;
    spectrum.indices.push_back(tone.frequency);
    const bool real = request.real && (tone.frequency == 0 || 2 * tone.frequency == request.length);
    spectrum.values.push_back(n * (real ? tone.amplitude.real() : tone.amplitude));
  }
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

/// Returns the tones of a result in the caller's form.
std::vector<sparse::Tone> tones_of(const SparseSpectrum& spectrum, const sparse::Request& request) {
  const auto n = static_cast<double>(request.length);
  std::vector<sparse::Tone> tones;
  for (std::size_t i = 0; i < spectrum.indices.size(); ++i)
    tones.push_back({spectrum.indices[i], spectrum.values[i] / n});
  return tones;
}

Rung rung_of(const sparse::Attempted& attempted) { return {attempted.level, attempted.fine}; }

/// Returns the claim of an attempt if no other follows.
sparse::Next claim_of(const sparse::Decision& decision) {
  if (decision.next != sparse::Next::retry) return decision.next;
  return decision.otherwise.value_or(sparse::Next::give_up);
}

}  // namespace

Solver::Solver(const Setup& setup)
    : request_(setup.request),
      facts_(setup.facts),
      choice_(choose(setup)),
      method_(make_method(setup, choice_)) {
  if (method_ && request_.assurance == Assurance::verified)
    audit_ = std::make_unique<AuditRunner>(setup);
  if (choice_.dense) dense_ = std::make_unique<DenseRunner>(setup);
}

bool Solver::goes_on(const sparse::Decision& decision) const {
  if (decision.next != sparse::Next::retry) return false;
  if (!choice_.dense_seconds) return true;
  return method_->seconds({decision.level, decision.fine}, facts_) < *choice_.dense_seconds;
}

SparseSpectrum Solver::answer_of(sparse::Reading reading, const sparse::Attempted& attempted,
                                 sparse::Next claim) const {
  SparseSpectrum spectrum;
  spectrum.used = method_->method();
  // If all samples were zero there is no noise estimate, hence no floor.
  if (!sparse::is_silent(reading)) {
    const double floor = method_->floor(reading, rung_of(attempted));
    spectrum.floor = static_cast<double>(request_.length) * floor;
    // Drops tones that the checked samples do not require. The limit is half the floor, because
    // noise makes some tones above the floor look smaller.
    if (claim == sparse::Next::accept_consistent)
      sparse::prune_within(reading, floor / 2, request_.tolerance);
  }
  spectrum.residual = reading.residual;
  spectrum.checked = reading.checked;
  spectrum.difference = reading.difference;
  spectrum.unseen = sparse::unseen_share(reading.checked, attempted.number + 1);
  if (claim == sparse::Next::accept_consistent) spectrum.verdict = Verdict::consistent;
  if (claim == sparse::Next::accept_noise_floor) spectrum.verdict = Verdict::noise_floor;
  list(reading.tones, request_, spectrum);
  return spectrum;
}

bool Solver::try_method(const Use& use, SparseSpectrum& spectrum) {
  std::vector<sparse::Tone> known;
  std::uint64_t samples = 0;
  for (sparse::Attempted attempted;; ++attempted.number) {
    const Rung rung = rung_of(attempted);
    attempted.kept = known.size();
    auto reading =
        method_->attempt(*use.sequence, use.signal, {rung, use.seed, attempted.number, known});
    attempted.common = common(reading.tones, frequencies(known));
    const auto decision = method_->judge(reading, attempted);
    log(reading, attempted);
    const bool last = !goes_on(decision);
    const auto claim = claim_of(decision);
    // An attempt that claims nothing does not replace an earlier claim.
    if (claim != sparse::Next::give_up || (last && spectrum.verdict == Verdict::unverified))
      spectrum = answer_of(reading, attempted, claim);
    spectrum.attempts = static_cast<int>(attempted.number) + 1;
    spectrum.samples = samples += method_->samples(rung) + reading.checked;
    if (last) return spectrum.verdict != Verdict::unverified;
    known = std::move(reading.tones);
    attempted.level = decision.level;
    attempted.fine = decision.fine;
  }
}

bool Solver::audit(const Use& use, SparseSpectrum& spectrum) {
  const auto tones = sparse::audited_tones(tones_of(spectrum, request_), request_);
  if (!audit_->takes(tones.size())) return false;
  const auto audited = audit_->audit(*use.sequence, use.signal, tones, use.secret);
  spectrum.samples += request_.length;
  sparse::conclude(audited, sparse::size_of(tones, request_), request_, spectrum);
  return spectrum.verdict == Verdict::verified || spectrum.verdict == Verdict::noise_floor;
}

SparseSpectrum Solver::solve(const Use& use) {
  SparseSpectrum spectrum;
  bool sure = method_ && try_method(use, spectrum);
  if (sure && audit_) sure = audit(use, spectrum);
  if (!sure && dense_) {
    const int attempts = spectrum.attempts;
    const std::uint64_t samples = spectrum.samples;
    spectrum = dense_->compute(*use.sequence, use.signal);
    spectrum.attempts = attempts;
    spectrum.samples = samples + request_.length;
  }
  spectrum.seed = use.seed;
  return spectrum;
}

std::size_t Solver::bytes() const {
  return (method_ ? method_->bytes() : 0) + (audit_ ? audit_->bytes() : 0) +
         (dense_ ? dense_->bytes() : 0);
}

std::string Solver::describe() const {
  std::string text = choice_.reason + "\n";
  if (method_) text += method_->describe(facts_);
  if (audit_) text += audit_->describe(facts_);
  if (dense_) text += (method_ ? "otherwise " : "") + dense_->describe();
  return text;
}

KernelLists Solver::kernels() const {
  KernelLists lists;
  if (method_) method_->list(lists);
  if (audit_) audit_->list(lists);
  if (dense_) dense_->list(lists);
  return lists;
}

Estimate estimate(const sparse::Request& request, const device::Facts& facts,
                  const Options& options) {
  const runtime::Target nowhere;
  const Setup setup{nowhere, facts, request, options};
  const Choice choice = choose(setup);
  Estimate sum;
  sum.signal_bytes = request.signal_bytes();
  const auto add = [&](const Estimate& part, bool runs) {
    sum.workspace_bytes += part.workspace_bytes;
    sum.table_bytes += part.table_bytes;
    if (!runs) return;
    sum.kernels += part.kernels, sum.bytes_moved += part.bytes_moved, sum.seconds += part.seconds;
  };
  const auto method = method_estimate(setup, choice);
  if (method) add(*method, true);
  if (method && request.assurance == Assurance::verified) add(audit_estimate(setup), true);
  if (choice.dense) add(dense_estimate(setup), !method);
  return sum;
}

}  // namespace imago::sparse_device
