// This file solves signals of known tones, for the tests of the sparse methods.
#pragma once

#include <imago/imago.hpp>

#include "catalogue/tones.hpp"
#include "runtime/facts.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/parts.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace imago::test {

using catalogue::Tones;

inline cl::Buffer upload(const catalogue::SparseSignal& signal, const SparseTransform& t) {
  const bool real = t.kind == Kind::real;
  if (t.precision == Precision::f64)
    return default_device().upload(catalogue::stored<double>(signal, real));
  return default_device().upload(catalogue::stored<float>(signal, real));
}

/// Returns a request for one method without the dense transform, so that this method finds the
/// result.
inline SparseTransform only(SparseMethod method, const Tones& tones, Precision precision) {
  SparseTransform t;
  t.length = tones.length;
  t.sparsity = tones.sparsity;
  t.kind = tones.real ? Kind::real : Kind::complex;
  t.precision = precision;
  t.method = method;
  t.allow_dense = false;
  return t;
}

/// A signal on the default device, and the input of the methods' runners.
struct Example {
  Example(const Tones& tones, const SparseTransform& wish)
      : transform(wish), signal(catalogue::make_signal(tones)), buffer(upload(signal, wish)) {}
  sparse_device::Setup setup() const { return {target, facts, request, options}; }
  sparse_device::Signal where() const { return {buffer(), 0}; }

  SparseTransform transform;
  sparse::Request request = sparse::make_request(transform);
  catalogue::SparseSignal signal;
  cl::Buffer buffer;
  runtime::Target target =
      engine::make_target(default_device().context(), default_device().device());
  device::Facts facts = runtime::facts(default_device().device(), runtime::DiskCache::at({}));
  Options options = {};
};

struct Outcome {
  SparseSpectrum answer;
  catalogue::Comparison comparison;
};

/// Returns the answer to a signal with these tones, and its errors.
inline Outcome solve(const Tones& tones, const SparseTransform& t) {
  const auto& device = default_device();
  const auto signal = catalogue::make_signal(tones);
  const auto buffer = upload(signal, t);
  const SparsePlan plan(device.context, device.device, t);
  Outcome outcome{plan.forward(device.queue, buffer), {}};
  outcome.comparison = catalogue::compare(outcome.answer, signal);
  INFO("length " << t.length << ", sparsity " << tones.sparsity << ", hint " << t.sparsity
                 << ", residual " << outcome.answer.residual << ", attempts "
                 << outcome.answer.attempts);
  // Every claim must be true, whatever the test is for.
  if (outcome.answer.verdict != Verdict::unverified) {
    CHECK(outcome.comparison.spurious == 0);
    CHECK(outcome.comparison.worst_missed <= outcome.answer.floor);
  }
  return outcome;
}

inline Tones tones(std::uint64_t n, std::uint64_t k, unsigned seed = 1) {
  Tones t;
  t.length = n;
  t.sparsity = k;
  t.seed = seed;
  return t;
}

}  // namespace imago::test
