// This file implements the sparse transforms of imago_cl.h: C functions that use a SparsePlan. No
// exception leaves them.
#include <imago/imago_cl.h>

#include <array>
#include <cstddef>
#include <utility>

#include <imago/sparse.hpp>

#include "capi/cl_functions.hpp"
#include "problem/words.hpp"

namespace imago::capi {
namespace {

SparseTransform sparse_transform_of(const imago_sparse_transform& t) {
  SparseTransform made;
  made.length = t.length;
  made.sparsity = t.sparsity;
  made.kind = chosen(problem::kKinds, t.kind, "kind");
  made.precision = chosen(kPrecisions, t.precision, "precision");
  made.method = chosen(problem::kSparseMethods, t.method, "method");
  made.allow_dense = t.forbid_dense == 0;
  made.assurance = t.verified != 0 ? Assurance::verified : Assurance::consistent;
  made.tolerance = t.tolerance;
  made.noise = t.noise;
  if (t.has_seed != 0) made.seed = t.seed;
  return made;
}

/// Returns C's enumerator of a value: its index in the words.
template <class Enumerator, class Value, std::size_t size>
Enumerator enumerator_of(const std::array<base::Word<Value>, size>& words, Value value) {
  std::size_t index = 0;
  while (words.at(index).value != value) ++index;
  return static_cast<Enumerator>(index);
}

/// The caller's struct with the memory that it points to.
struct OwnedSpectrum : imago_sparse_spectrum {
  explicit OwnedSpectrum(SparseSpectrum spectrum)
      : imago_sparse_spectrum{}, held(std::move(spectrum)) {
    size = sizeof(imago_sparse_spectrum);
    count = held.indices.size();
    indices = held.indices.data();
    values = reinterpret_cast<const double*>(held.values.data());
    verdict = enumerator_of<imago_verdict>(problem::kVerdicts, held.verdict);
    used = enumerator_of<imago_sparse_method>(problem::kSparseMethods, held.used);
    residual = held.residual;
    floor = held.floor;
    checked = held.checked;
    difference = held.difference;
    unseen = held.unseen;
    seed = held.seed;
    samples = held.samples;
    attempts = static_cast<std::size_t>(held.attempts);
  }
  SparseSpectrum held;
};

void check_sparse_call(const Call& call) {
  if (call.workspace || !call.arguments.empty())
    base::invalid("the call", "one with a workspace or arguments",
                  "sparse transforms have neither: give only events");
}

}  // namespace
}  // namespace imago::capi

// The name is declared in imago_cl.h.
struct imago_cl_sparse : imago::capi::Owns<imago::SparsePlan> {
  static constexpr const char *kName = "sparse", *kDescription = "sparse_transform";
  static constexpr auto kDescribed = &imago::capi::sparse_transform_of;
};

namespace capi = imago::capi;

IMAGO_CL_CREATE(sparse, sparse_transform)
IMAGO_CL_ESTIMATE(sparse, sparse_transform)
IMAGO_CL_ANY(sparse)
IMAGO_CL_SIZE(sparse, signal_bytes)
IMAGO_CL_SIZE(sparse, workspace_bytes)

imago_status imago_cl_sparse_forward(const imago_cl_sparse* sparse, cl_command_queue queue,
                                     imago_array signal, const imago_cl_call* call,
                                     const imago_sparse_spectrum** spectrum) {
  return capi::create(spectrum, "spectrum", [&] {
    const imago::SparsePlan& plan = capi::given(sparse, "sparse").object;
    const imago_sparse_spectrum* made = nullptr;
    capi::enqueue(queue, call, [&](const cl::CommandQueue& to, const imago::Call& how) {
      capi::check_sparse_call(how);
      made = new capi::OwnedSpectrum(plan.forward(
          to, capi::array_of(signal), {.waits = how.waits, .event = how.event, .seed = {}}));
    });
    return made;
  });
}

void imago_sparse_spectrum_destroy(const imago_sparse_spectrum* spectrum) {
  delete static_cast<const capi::OwnedSpectrum*>(spectrum);
}
