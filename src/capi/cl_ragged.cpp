// This file implements the rows of different lengths of imago_cl.h: C functions that use a
// RaggedPlan. No exception leaves them.
#include <imago/imago_cl.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

#include <imago/ragged.hpp>

#include "capi/cl_functions.hpp"
#include "problem/words.hpp"

namespace imago::capi {
namespace {

std::vector<std::size_t> copied_sizes(const std::size_t* first, std::size_t count) {
  return first ? std::vector<std::size_t>(first, first + count) : std::vector<std::size_t>();
}

RowLayout row_layout_of(const imago_row_layout& layout, std::size_t rows) {
  RowLayout made;
  made.offsets = copied_sizes(layout.offsets, rows);
  if (layout.stride != 0) made.stride = layout.stride;
  made.distance = layout.distance;
  return made;
}

/// Returns the factors of elements, which are pairs.
std::vector<std::complex<double>> pairs_of(const double* pairs, std::size_t count) {
  std::vector<std::complex<double>> factors;
  for (std::size_t i = 0; pairs && i < count; ++i)
    factors.emplace_back(pairs[2 * i], pairs[2 * i + 1]);
  return factors;
}

RaggedTransform ragged_transform_of(const imago_ragged_transform& t) {
  RaggedTransform made;
  made.kind = chosen(problem::kKinds, t.kind, "kind");
  made.precision = chosen(kPrecisions, t.precision, "precision");
  if (t.rows > 0) made.lengths = copied_sizes(&given(t.lengths, "lengths"), t.rows);
  if (t.batch != 0) made.batch = t.batch;
  made.norm = chosen(kNorms, t.norm, "norm");
  made.directions = chosen(problem::kDirections, t.directions, "directions");
  made.signal = row_layout_of(t.signal, t.rows);
  made.spectrum = row_layout_of(t.spectrum, t.rows);
  made.kept = copied_sizes(t.kept, t.rows);
  std::size_t signal = 0, spectrum = 0;
  for (std::size_t row = 0; row < t.rows; ++row) {
    const std::size_t entries =
        made.kind == Kind::real ? made.lengths[row] / 2 + 1 : made.lengths[row];
    signal += made.lengths[row];
    // The plan refuses larger numbers; they must not be used to read memory.
    spectrum += made.kept.empty() ? entries : std::min(entries, made.kept[row]);
  }
  made.on_forward = {pairs_of(t.forward_load, signal), pairs_of(t.forward_store, spectrum)};
  made.on_inverse = {pairs_of(t.inverse_load, spectrum), pairs_of(t.inverse_store, signal)};
  return made;
}

}  // namespace
}  // namespace imago::capi

// The name is declared in imago_cl.h.
struct imago_cl_ragged : imago::capi::Owns<imago::RaggedPlan> {
  static constexpr const char *kName = "ragged", *kDescription = "ragged_transform";
  static constexpr auto kDescribed = &imago::capi::ragged_transform_of;
};

namespace capi = imago::capi;

IMAGO_CL_CREATE(ragged, ragged_transform)
IMAGO_CL_ESTIMATE(ragged, ragged_transform)
IMAGO_CL_ANY(ragged)
IMAGO_CL_SIZE(ragged, signal_bytes)
IMAGO_CL_SIZE(ragged, spectrum_bytes)
IMAGO_CL_SIZE(ragged, workspace_bytes)
IMAGO_CL_SIZE(ragged, table_bytes)

imago_status imago_cl_ragged_forward(const imago_cl_ragged* ragged, cl_command_queue queue,
                                     imago_array signal, imago_array spectrum,
                                     const imago_cl_call* call) {
  return capi::run<&imago::RaggedPlan::forward>(ragged, queue, call, signal, spectrum);
}

imago_status imago_cl_ragged_inverse(const imago_cl_ragged* ragged, cl_command_queue queue,
                                     imago_array spectrum, imago_array signal,
                                     const imago_cl_call* call) {
  return capi::run<&imago::RaggedPlan::inverse>(ragged, queue, call, spectrum, signal);
}
