// This file derives from a Step what follows from its fields: sizes and the kernel's name.
#include "plan/program.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace imago::plan {
namespace {

std::size_t real_bytes(Precision precision) { return precision == Precision::f64 ? 8 : 4; }

char letter(Twiddles twiddles) {
  switch (twiddles) {
    case Twiddles::table:
      return 't';
    case Twiddles::product:
      return 'm';
    case Twiddles::polynomial:
      return 'p';
    case Twiddles::native:
      return 'n';
    case Twiddles::automatic:
      break;
  }
  return 'a';
}

std::string pass_name(const Pass& pass, Mapping mapping) {
  std::string text = std::to_string(pass.radix);
  text.append(1, letter(pass.twiddles));
  if (mapping == Mapping::work_group) {
    text.append(pass.columns_fastest ? "c" : "")
        .append(pass.coupled > 0 ? "i" : "")
        .append(pass.woven ? "w" : "");
  } else {
    text.append(1, "cqko"[static_cast<int>(pass.lane)]);
    text.append(std::to_string(pass.width));
  }
  text.append("o").append(std::to_string(pass.table_offset));
  // The other fields follow from the radices, but where a new axis begins.
  return pass.outer > 1 ? text.append("a").append(std::to_string(pass.outer)) : text;
}

}  // namespace

std::uint64_t Step::column_count() const {
  std::uint64_t count = 1;
  for (const Column& column : columns) count *= column.extent;
  return count;
}

std::uint64_t Step::place_count() const {
  std::uint64_t count = 1;
  for (const Column& column : columns)
    count *= column.mirrored() ? 2 * column.pairs() : column.extent;
  return count;
}

bool Step::mirrored() const { return mirrors(Mirror::points) || mirrors(Mirror::elements); }

Roots Step::roots_in() const {
  if (in_form == Form::folded) return {2 * line};
  return cosines.load ? plan::roots_in(cosines, line) : Roots{};
}

Roots Step::roots_out() const {
  if (out_form == Form::folded) return {2 * line};
  return cosines.store ? plan::roots_out(cosines, line) : Roots{};
}

bool Step::meets_images() const {
  return mapping == Mapping::work_group && stores_images() && passes.back().coupled == 0 &&
         (passes.size() > 1 || mirrored());
}

bool Step::arranges_at_load() const {
  const auto joins = [&](const CosineAxis& axis) {
    return axis.first == 0 && axis.joins_at_load() && !axis.alone() && passes.front().coupled == 0;
  };
  return arranges() &&
         (!loads_in_order() || std::any_of(cosine_axes.begin(), cosine_axes.end(), joins));
}

bool Step::arranges_at_store() const {
  const Pass& last = passes.back();
  const auto moves = [&](const CosineAxis& axis) {
    return axis.last + 1 == passes.size() && !axis.alone() &&
           (axis.joins_at_load() || last.coupled == 0);
  };
  const std::uint64_t neighbours = last.left > 1      ? last.left
                                   : last.coupled > 0 ? last.coupled / 2
                                                      : last.done;
  const bool in_order = last.columns_fastest || std::min<std::uint64_t>(neighbours, items) >= kRun;
  return arranges() && (!in_order || std::any_of(cosine_axes.begin(), cosine_axes.end(), moves));
}

bool Step::mirrors(Mirror mirror) const {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const Column& c) { return c.mirror == mirror; });
}

unsigned Step::work_group_size() const { return mapping == Mapping::work_group ? items * tile : 1; }

std::size_t Step::column_span() const {
  return length + (padding == 0 ? 0 : (length - 1) / padding) + column_pad;
}

std::size_t Step::local_bytes() const {
  if (staged()) return length * tile * 2 * real_bytes(precision);
  if (mapping != Mapping::work_group ||
      (passes.size() < 2 && !meets_images() && !loads_images() && !arranges()))
    return 0;
  const std::size_t parts = exchange == Exchange::interleaved ? 2 : 1;
  return column_span() * tile * parts * real_bytes(precision);
}

std::size_t Step::in_bytes() const { return element_bytes(in_f16 ? Precision::f16 : precision); }
std::size_t Step::out_bytes() const { return element_bytes(out_f16 ? Precision::f16 : precision); }

std::string Step::name() const {
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  std::string text = "fft" + number(length) + (precision == Precision::f64 ? "_f64" : "_f32");
  const bool grouped = mapping == Mapping::work_group;
  text.append(grouped ? "_w" : "_v").append(number(grouped ? items : tile));
  text.append("x").append(number(grouped ? tile : repeat));
  if (inverse) text += "_inverse";
  if (scaled) text += "_scaled";
  if (wide_index) text += "_wide";
  if (in_planar) text += "_ip";
  if (out_planar) text += "_op";
  if (in_f16) text += "_ih";
  if (out_f16) text += "_oh";
  if (has_table) text += "_table";
  if (in_packed) text += "_pi";
  if (out_packed) text += "_po";
  text += "_r";
  for (const Pass& pass : passes) text.append("_").append(pass_name(pass, mapping));
  const auto numbers = [&](const char* label, std::initializer_list<std::uint64_t> list) {
    text.append(label);
    for (const std::uint64_t n : list) text.append("_").append(number(n));
  };
  if (grouped) numbers(exchange == Exchange::interleaved ? "_xt" : "_xi", {padding, column_pad});
  numbers("_s", {in_stride, out_stride});
  if (cosines.load || cosines.store)
    numbers("_k", {static_cast<std::uint64_t>(cosines.kind), cosines.elements,
                   std::uint64_t{cosines.orthonormal}, std::uint64_t{cosines.load},
                   std::uint64_t{cosines.store}});
  for (const CosineAxis& axis : cosine_axes)
    numbers("_a", {static_cast<std::uint64_t>(axis.cosines.kind), axis.cosines.elements,
                   std::uint64_t{axis.cosines.orthonormal}, axis.inner});
  if (!plain())
    numbers("_f", {static_cast<std::uint64_t>(in_form), static_cast<std::uint64_t>(out_form), line,
                   in_point, out_point, in_pair_stride, out_pair_stride, in_roots, out_roots});
  for (const Column& c : columns) {
    const char* const label = c.mirror == Mirror::none     ? "_c"
                              : c.mirror == Mirror::points ? "_m"
                                                           : "_e";
    numbers(label, {c.extent, c.in_stride, c.out_stride, c.phase, c.number});
    if (!plain()) numbers("_p", {c.in_point, c.out_point});
  }
  if (inter_order != 0)
    text.append("_t").append(number(inter_order)).append(1, letter(inter_twiddles));
  if (const Convolution& c = convolution; c.points != 0) {
    text += c.rader ? "_rader" : "_bluestein";
    if (c.load) text += "_l";
    if (c.store) text += "_s";
    numbers("", {c.points, c.turn, c.stride, c.chirp, c.order, c.spectrum});
  }
  return text;
}

}  // namespace imago::plan
