// This file holds the signature of the kernels and the hooks.
#include "blocks/frame.hpp"

namespace imago::blocks {
namespace {

ir::Type real_type(Precision precision) {
  return {precision == Precision::f64 ? ir::Base::f64 : ir::Base::f32, 1};
}

}  // namespace

Frame::Frame(ir::Builder& builder, const plan::Step& s)
    : b(builder), step(s), real(real_type(s.precision)) {
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

Points load_hook(const Frame& frame, const Points& values, const Legs& legs, const Index& phase) {
  const plan::Step& step = frame.step;
  Points x = values;
  if (step.inverse) {
    for (Cx& value : x) value = swapped(value);
  }
  if (step.inter_order == 0) return x;
  multiply(x, {step.inter_twiddles, step.inter_order, phase, frame.real}, legs);
  return x;
}

Cx store_hook(const Frame& frame, const Cx& value) {
  Cx x = value;
  if (frame.step.scaled) x = {x.re * frame.scale, x.im * frame.scale};
  return frame.step.inverse ? swapped(x) : x;
}

}  // namespace imago::blocks
