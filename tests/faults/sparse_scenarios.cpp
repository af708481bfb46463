// This file tests sparse plans under faults: each method, and the fallback to the dense transform.
#include <memory>
#include <utility>

#include "catalogue/random.hpp"
#include "catalogue/tones.hpp"
#include "faults.hpp"
#include "scenarios.hpp"

namespace imago::faults {
namespace {

/// A plan that is created and used once; if the use fails, once more without faults.
struct SparseRun {
  const test::Device& device;
  Options options;
  SparseTransform transform;
  catalogue::SparseSignal signal;  ///< no indices: not sparse, and nothing is expected
  cl::Buffer samples;

  std::string wrong(const SparseSpectrum& answer) const {
    if (answer.indices.size() != answer.values.size()) return "as many values as indices";
    if (signal.indices.empty()) return {};
    const auto found = catalogue::compare(answer, signal);
    if (found.missed > 0) return std::to_string(found.missed) + " coefficients are missing";
    if (found.spurious > 0) return std::to_string(found.spurious) + " coefficients are not there";
    return found.mean_error < 1e-5 ? "" : "values are off";
  }

  Outcome operator()() const {
    Outcome outcome;
    SparseSpectrum answer;
    std::unique_ptr<const SparsePlan> plan;
    try {
      const Live scope;
      plan = std::make_unique<SparsePlan>(device.context, device.device, transform, options);
      answer = plan->forward(device.queue, samples);
    } catch (...) {
      outcome.error = std::current_exception();
    }
    if (outcome.error && plan) answer = plan->forward(device.queue, samples);
    if (plan) outcome.wrong = wrong(answer);
    const Live scope;
    plan.reset();
    return outcome;
  }
};

SparseTransform transform_of(SparseMethod method, std::uint64_t length, std::uint64_t sparsity) {
  SparseTransform t;
  t.length = length;
  t.sparsity = sparsity;
  t.method = method;
  t.seed = 1;
  return t;
}

Scenario tones_scenario(const test::Device& device, const Options& options, const char* name,
                        const SparseTransform& t) {
  catalogue::Tones tones;
  tones.length = t.length, tones.sparsity = t.sparsity, tones.seed = 1;
  auto signal = catalogue::make_signal(tones);
  const auto samples = device.upload(catalogue::stored<float>(signal, false));
  return {name, SparseRun{device, options, t, std::move(signal), samples}};
}

/// Noise, in which a sparse method can find nothing.
Scenario noise_scenario(const test::Device& device, const Options& options) {
  const auto t = transform_of(SparseMethod::phase, 16384, 10);
  catalogue::Random random(1);
  std::vector<float> noise(2 * t.length);
  for (auto& number : noise) number = static_cast<float>(random.uniform());
  return {"fallback", SparseRun{device, options, t, {}, device.upload(noise)}};
}

}  // namespace

std::vector<Scenario> sparse_scenarios(const test::Device& device,
                                       const std::filesystem::path& cache) {
  Options options;
  options.cache_directory = cache;
  return {tones_scenario(device, options, "phase", transform_of(SparseMethod::phase, 16384, 20)),
          tones_scenario(device, options, "voting", transform_of(SparseMethod::voting, 16384, 20)),
          tones_scenario(device, options, "dense", transform_of(SparseMethod::dense, 4096, 20)),
          noise_scenario(device, options)};
}

}  // namespace imago::faults
