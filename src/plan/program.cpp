// This file derives from a Step what follows from its fields: sizes and the kernel's name.
#include "plan/program.hpp"

#include <algorithm>
#include <string>

#include "base/hash.hpp"
#include "plan/key.hpp"

namespace imago::plan {
namespace {

std::size_t real_bytes(Precision precision) { return precision == Precision::f64 ? 8 : 4; }

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
  KeyText key;
  each_field(*this, key);
  const bool grouped = mapping == Mapping::work_group;
  std::string text = "fft";
  text.append(std::to_string(length)).append(precision == Precision::f64 ? "_f64" : "_f32");
  text.append(grouped ? "_w" : "_v").append(std::to_string(grouped ? items : tile));
  text.append("x").append(std::to_string(grouped ? tile : repeat)).append("_");
  return text.append(base::digest(key.text()).hex(), 0, 16);
}

}  // namespace imago::plan
