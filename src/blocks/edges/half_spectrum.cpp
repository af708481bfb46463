// This file loads and stores half spectra.
#include "blocks/edges/half_spectrum.hpp"

#include <variant>

#include "base/integers.hpp"

namespace imago::blocks {

using ir::Value;

Value partner_index(const Frame& frame, Value index, Value p) {
  const kernel::Step& step = frame.step;
  const ir::Type wide{ir::Base::i64, 1};
  const Value twice = frame.b.convert(p, wide) * 2;
  const Value ahead = frame.b.integer(static_cast<std::int64_t>(step.line), wide) - twice;
  return index + ahead * static_cast<std::int64_t>(step.in.line_stride());
}

Cx real_where(const ir::Condition& real, const Cx& x) {
  ir::Builder& b = x.re.builder();
  return {x.re, b.select(real, b.real(0, x.im.type()), x.im)};
}

std::vector<std::int64_t> rounded_real_points(const kernel::Step& step) {
  const bool chirp = std::holds_alternative<kernel::Chirp>(step.out.convolved);
  std::vector<std::int64_t> points;
  // Otherwise point 0 is a sum of real numbers.
  if (chirp) points.push_back(0);
  // If the last radix is a power of two, point n/2 is a sum of real numbers, too.
  if (step.line % 2 == 0 && (chirp || !base::is_power_of_two(step.passes.back().radix)))
    points.push_back(static_cast<std::int64_t>(step.line / 2));
  return points;
}

Cx load_point(const kernel::HalfSpectrum&, const Input& input, const Point& at,
              const Access& access) {
  const Frame& frame = input.frame();
  ir::Builder& b = frame.b;
  const auto n = static_cast<std::int64_t>(frame.step.line);
  const Value partner = partner_index(frame, at.index, at.p);
  const ir::Condition upper = b.integer(n / 2) < at.p;
  Cx x = input.element(b.select(upper, partner, at.index), access.spread, access.condition);
  x.im = b.select(upper, -x.im, x.im);
  const auto is = [&](std::int64_t point) { return ir::equal(at.p, b.integer(point)); };
  x = real_where(is(0), x);
  return n % 2 == 0 ? real_where(is(n / 2), x) : x;
}

void store_point(const kernel::HalfSpectrum&, const Output& output, const Point& at, const Cx& x,
                 const Spread& spread) {
  const Frame& frame = output.frame();
  ir::Builder& b = frame.b;
  b.when(at.p < static_cast<std::int64_t>(frame.step.line / 2 + 1), [&] {
    Cx y = x;
    // Lanes along a line are those of store_line(), which clears these imaginary parts itself.
    for (const std::int64_t point : rounded_real_points(frame.step)) {
      if ((spread.along_line && spread.width > 1) || b.split(at.p).second > point) continue;
      y = real_where(ir::equal(at.p, b.integer(point)), y);
    }
    output.element(at.index, y, spread);
  });
}

}  // namespace imago::blocks
