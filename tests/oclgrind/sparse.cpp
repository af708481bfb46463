// This file runs the kernels of the sparse transform under oclgrind: those for CPUs and those for
// GPUs, whatever type the simulated device reports.
#include "oclgrind/sparse.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "catalogue/tones.hpp"
#include "runtime/facts.hpp"
#include "sparse_device/audit.hpp"
#include "sparse_device/dense.hpp"
#include "sparse_device/phase.hpp"
#include "sparse_device/voting.hpp"

namespace imago::test {
namespace {

using sparse::Reading;

/// A signal on the device.
struct Example {
  SparseTransform transform;
  sparse::Request request;
  catalogue::SparseSignal signal;
  cl::Buffer buffer;
  runtime::Target target;
  device::Facts facts;
  Options options;

  sparse_device::Setup setup() const { return {target, facts, request, options}; }
  sparse_device::Signal where() const { return {buffer(), 0}; }
};

Example example(const Device& device, std::uint64_t length, Precision precision,
                bool real = false) {
  Example e;
  catalogue::Tones tones;
  tones.length = e.transform.length = length;
  tones.sparsity = e.transform.sparsity = 12;
  tones.support = catalogue::Support::run;  // neighbours meet in buckets
  tones.real = real;
  tones.seed = 1;
  e.transform.precision = precision;
  e.transform.kind = real ? Kind::real : Kind::complex;
  e.request = sparse::make_request(e.transform);
  e.signal = catalogue::make_signal(tones);
  e.buffer = precision == Precision::f64 ? device.upload(catalogue::stored<double>(e.signal, real))
                                         : device.upload(catalogue::stored<float>(e.signal, real));
  e.target = engine::make_target(device.context(), device.device());
  e.facts = runtime::reported_facts(device.device());
  return e;
}

/// Returns true if exactly the signal's tones were found; those of a real signal come in pairs.
bool is_right(const Example& e, const Reading& reading) {
  const std::size_t wanted = e.signal.indices.size() * (e.request.real ? 2 : 1);
  for (const auto& tone : reading.tones) {
    const auto f = e.request.real ? std::min(tone.frequency, e.request.length - tone.frequency)
                                  : tone.frequency;
    if (!std::binary_search(e.signal.indices.begin(), e.signal.indices.end(), f)) return false;
  }
  return reading.tones.size() == wanted;
}

/// Makes two attempts: the second one first subtracts the tones of the first.
Reading phase(const Example& e, const Device& device) {
  sparse_device::PhaseRunner runner(e.setup(), sparse::phase_parameters(e.request).value());
  sparse_device::Start start{.seed = 1};
  for (unsigned attempt = 0; attempt < 2; ++attempt) {
    runtime::Sequence sequence(device.queue());
    start.number = attempt;
    start.rung.fine = attempt == 1;
    const auto found = runner.attempt(sequence, e.where(), start);
    start.known = found.residual < 1e-4 ? found.tones : std::vector<sparse::Tone>{};
  }
  Reading reading;
  reading.tones = start.known;
  return reading;
}

Reading voting(const Example& e, const Device& device, const sparse::VotingOptions& options) {
  sparse_device::VotingRunner runner(e.setup(),
                                     sparse::voting_parameters(e.request, options).value());
  runtime::Sequence sequence(device.queue());
  return runner.attempt(sequence, e.where(), {.seed = 1});
}

Reading dense(const Example& e, const Device& device) {
  sparse_device::DenseRunner runner(e.setup());
  runtime::Sequence sequence(device.queue());
  Reading reading;
  for (const auto f : runner.compute(sequence, e.where()).indices) reading.tones.push_back({f, 0});
  return reading;
}

int report(const std::string& name, bool right) {
  std::printf("sparse %s %s\n", name.c_str(), right ? "passed" : "FAILED");
  std::fflush(stdout);  // so that a crash shows which was the last
  return right ? 0 : 1;
}

/// These options turn a kernel whose work-groups synchronize with each other into OpenCL C 1.2,
/// because oclgrind does not support later atomics. Its groups run one after the other, so no group
/// has to wait.
constexpr const char* kWaiting12 =
    "CL1.2 -Datomic_int=int -Datomic_load_explicit(p,o,s)=(*(p))"
    " -Datomic_fetch_add_explicit(p,v,o,s)=atomic_add(p,v)"
    " -Datomic_store_explicit(p,v,o,s)=atomic_xchg(p,v)";

int run_phase(const Device& device, Precision precision) {
  const char* bits = precision == Precision::f64 ? " f64" : " f32";
  int failures = 0;
  for (const auto& [type, name] : {std::pair{device::Type::cpu, "phase, CPU's groups,"},
                                   {device::Type::gpu, "phase, GPU's groups,"}}) {
    for (const bool real : {false, true}) {
      const std::uint64_t length = real ? 2187 : 2048;
      auto e = example(device, length, precision, real);
      e.facts.type = type;
      failures += report(
          name + std::string(bits) + (real ? " real " : " complex ") + std::to_string(length),
          is_right(e, phase(e, device)));
    }
  }
  return failures;
}

/// Runs one launch and one copy, without a later step that could correct errors.
int run_whole_attempt(const Device& device, Precision precision, bool real) {
  auto e = example(device, real ? 2187 : 2048, precision, real);
  e.facts.type = device::Type::gpu;
  e.facts.waiting = kWaiting12;
  sparse_device::PhaseRunner runner(e.setup(), sparse::phase_parameters(e.request).value());
  std::vector<runtime::Traced> trace;
  runtime::Sequence sequence(device.queue(), &trace);
  const auto found = runner.attempt(sequence, e.where(), {.seed = 1});
  const bool alone = trace.size() == 2 && trace[0].name == std::string("phase_whole");
  const std::string name = std::string("whole attempt, ") +
                           (precision == Precision::f64 ? "f64" : "f32") +
                           (real ? " real" : " complex");
  return report(name, alone && found.residual < 1e-4 && is_right(e, found));
}

int run_voting(const Device& device) {
  std::vector<std::pair<const char*, sparse::VotingOptions>> variants(6);
  variants[0].first = "as it is";
  variants[1] = {"no index mapping", {.index_mapping = false}};
  variants[2] = {"no loop partition", {.loop_partition = false}};
  variants[3] = {"layout transformation", {.layout_transformation = true}};
  variants[4] = {"sort", {.threshold_selection = false}};
  variants[5] = {"comb", {.comb = true}};
  int failures = 0;
  for (const auto& [name, options] : variants) {
    const auto e = example(device, sparse::kLeastVotingLength, Precision::f32);
    failures += report(std::string("voting, ") + name, is_right(e, voting(e, device, options)));
  }
  if (!device.f64()) return failures;
  const auto e = example(device, 2 * sparse::kLeastVotingLength, Precision::f64);
  return failures + report("voting, f64", is_right(e, voting(e, device, {})));
}

/// Tests both precisions, and a last row that wraps around.
int run_audit(const Device& device) {
  int failures = 0;
  for (const bool f64 : {false, true}) {
    if (f64 && !device.f64()) continue;
    auto e = example(device, 2187, Precision::f32, f64);
    e.facts.f64.native = f64;
    std::vector<sparse::Tone> tones;
    for (std::size_t i = 0; i < e.signal.indices.size(); ++i)
      tones.push_back({e.signal.indices[i], (e.request.real ? 2.0 : 1.0) * e.signal.values[i] /
                                                static_cast<double>(e.request.length)});
    sparse_device::AuditRunner runner(e.setup());
    runtime::Sequence sequence(device.queue());
    const auto audited = runner.audit(sequence, e.where(), tones, 1);
    failures += report(f64 ? "audit, f64" : "audit, f32", audited.measured < 1e-5);
  }
  return failures;
}

}  // namespace

int run_whole_attempts(const Device& device) {
  int failures = run_whole_attempt(device, Precision::f32, false) +
                 run_whole_attempt(device, Precision::f32, true);
  if (!device.f64()) return failures;
  return failures + run_whole_attempt(device, Precision::f64, false) +
         run_whole_attempt(device, Precision::f64, true);
}

int run_sparse(const Device& device) {
  int failures = run_phase(device, Precision::f32) + run_voting(device);
  if (device.f64()) failures += run_phase(device, Precision::f64);
  failures += run_audit(device);
  const auto e = example(device, 2048, Precision::f32);
  return failures + report("dense", is_right(e, dense(e, device)));
}

}  // namespace imago::test
