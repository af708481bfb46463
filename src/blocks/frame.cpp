// This file holds the signature of the kernels and the hooks.
#include "blocks/frame.hpp"

namespace imago::blocks {
namespace {

ir::Type real_type(Precision precision) {
  return {precision == Precision::f64 ? ir::Base::f64 : ir::Base::f32, 1};
}

}  // namespace

Frame::Frame(ir::Builder& builder, const plan::Step& s) : b(builder), step(s), real(real_type(s.precision)) {
  const ir::Type element = s.mapping == Mapping::work_group ? real.with_lanes(2) : real;
  const ir::Type wide{ir::Base::i64, 1};
  in = b.global("in", element, true);
  out = b.global("out", element, false);
  if (s.has_table) table = b.global("table", element, true);
  if (const std::size_t bytes = s.local_bytes(); bytes > 0) {
    const ir::Type shared = s.exchange == Exchange::together ? element : real;
    const std::size_t size = (real.base == ir::Base::f64 ? 8 : 4) * std::size_t{shared.lanes};
    local = b.local("shared", shared, bytes / size);
  }
  batch = b.parameter("batch", {ir::Base::i32, 1});
  in_offset = b.parameter("in_offset", wide);
  in_distance = b.parameter("in_distance", wide);
  out_offset = b.parameter("out_offset", wide);
  out_distance = b.parameter("out_distance", wide);
  if (s.scaled) scale = b.parameter("scale", real);
}

Cx load_hook(const Frame& frame, const Cx& value, const Spot& spot, unsigned lanes) {
  const plan::Step& step = frame.step;
  const Cx x = step.inverse ? swapped(value) : value;
  if (step.inter_order == 0) return x;
  if (const auto point = frame.b.constant_integer(spot.point.base); point && *point == 0 && spot.point.step == 0) return x;
  const ir::Value phase = phase_product(spot.point, spot.phase, step.inter_order, lanes);
  return x * (step.inter_twiddles == Twiddles::native ? native_root(phase, step.inter_order, frame.real)
                                                      : polynomial_root(phase, step.inter_order, frame.real));
}

Cx store_hook(const Frame& frame, const Cx& value) {
  Cx x = value;
  if (frame.step.scaled) x = {x.re * frame.scale, x.im * frame.scale};
  return frame.step.inverse ? swapped(x) : x;
}

}  // namespace imago::blocks
