// This file converts a description to imago's transform.
#include <algorithm>
#include <cstdint>

#include "description.hpp"
#include "status.hpp"

namespace imago::clfft {
namespace {

void check_shape(const Description& d) {
  const std::size_t count = d.lengths.size();
  require(count == static_cast<std::size_t>(d.dim) && d.input.strides.size() == count &&
              d.output.strides.size() == count,
          CLFFT_INVALID_PLAN, "lengths and strides are not set for all dimensions");
  for (const std::size_t length : d.lengths)
    require(length > 0, CLFFT_INVALID_PLAN, "a length is not set; call clfftSetPlanLength");
}

void check_in_place(const Description& d) {
  if (!d.in_place()) return;
  require(d.input.layout != CLFFT_HERMITIAN_PLANAR && d.output.layout != CLFFT_HERMITIAN_PLANAR,
          CLFFT_INVALID_PLAN, "in place, a Hermitian spectrum must be interleaved");
  if (d.is_real()) return;
  require(d.input.layout == d.output.layout, CLFFT_INVALID_PLAN,
          "in place, input and output must have the same layout");
  require(d.input.strides == d.output.strides, CLFFT_INVALID_PLAN,
          "in place, input and output must have the same strides");
  require(d.input.distance == d.output.distance, CLFFT_INVALID_PLAN,
          "in place, input and output must have the same distance");
}

void check_strictly(const Description& d) {
  if (!is_strict()) return;
  const std::size_t longest = *std::max_element(d.lengths.begin(), d.lengths.end());
  require(!d.is_real() || longest <= std::size_t{1} << (d.is_double() ? 22 : 24),
          CLFFT_NOTIMPLEMENTED, "IMAGO_CLFFT_STRICT: a real transform is too long");
  require(!d.is_real() || d.transposed == CLFFT_NOTRANSPOSE, CLFFT_TRANSPOSED_NOTIMPLEMENTED,
          "IMAGO_CLFFT_STRICT: a real transform is transposed");
}

/// Returns the number of points along the fastest dimension of the input or output.
std::size_t row_length(const Description& d, const ClientSide& side) {
  return d.is_real() && !side.is_real() ? d.lengths[0] / 2 + 1 : d.lengths[0];
}

/// Returns the strides of the output. If the output is transposed, its rows are columns. A second
/// stride of packed rows that are not transposed then means packed columns, as in clFFT.
std::vector<std::size_t> output_strides(const Description& d) {
  std::vector<std::size_t> strides = d.output.strides;
  if (d.transposed == CLFFT_NOTRANSPOSE) return strides;
  if (strides[1] == row_length(d, d.output) * strides[0]) strides[1] = d.lengths[1] * strides[0];
  std::swap(strides[0], strides[1]);
  return strides;
}

Layout layout_of(const Description& d, const ClientSide& side, std::vector<std::size_t> strides) {
  // The stride of a dimension with one point has no effect, and may be 0.
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (d.lengths[i] == 1) strides[i] = 1;
  }
  Layout layout;
  layout.strides.assign(strides.rbegin(), strides.rend());
  layout.distance = d.batch > 1 ? side.distance : 0;
  layout.storage = side.is_planar() ? Storage::planar : Storage::interleaved;
  return layout;
}

/// True if the points are a packed matrix, which needs the same memory when transposed.
bool is_packed(const Description& d) {
  return d.input.strides[0] == 1 && d.input.strides[1] == d.lengths[0];
}

/// Returns the type of the elements of the spectrum or of the signal.
CallbackElements elements_of(const Transform& t, bool spectrum) {
  const Layout& layout = spectrum ? t.spectrum : t.signal;
  return {t.precision == Precision::f64, t.kind == Kind::real && !spectrum,
          layout.storage == Storage::planar};
}

double used_scale(const Description& d, bool inverse) {
  return inverse ? d.backward_scale : d.forward_scale;
}

}  // namespace

Transform transform_of(const Description& given, bool inverse) {
  Description d = given;
  d.batch = std::max<std::size_t>(d.batch, 1);  // as in clFFT
  check_shape(d);
  check_in_place(d);
  check_strictly(d);
  const bool transposed = d.transposed != CLFFT_NOTRANSPOSE;
  require(!transposed || d.dim == CLFFT_2D, CLFFT_TRANSPOSED_NOTIMPLEMENTED,
          "only results of two dimensions can be transposed");

  Transform t;
  t.kind = d.is_real() ? Kind::real : Kind::complex;
  t.precision = d.is_double() ? Precision::f64 : Precision::f32;
  t.lengths.assign(d.lengths.rbegin(), d.lengths.rend());
  t.batch = d.batch;
  t.placement = d.in_place() && (!transposed || d.is_real() || is_packed(d))
                    ? Placement::in_place
                    : Placement::out_of_place;
  t.directions = inverse ? Directions::inverse : Directions::forward;
  (inverse ? t.spectrum : t.signal) = layout_of(d, d.input, d.input.strides);
  (inverse ? t.signal : t.spectrum) = layout_of(d, d.output, output_strides(d));
  t.scale = Scale{};
  (inverse ? t.scale->inverse : t.scale->forward) = used_scale(d, inverse);
  (inverse ? t.on_inverse : t.on_forward) = hooks_of(
      {d.before, elements_of(t, inverse)}, {d.after, elements_of(t, !inverse)}, d.in_place());
  return t;
}

}  // namespace imago::clfft
