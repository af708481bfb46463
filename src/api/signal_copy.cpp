// This file launches the kernels that copy signals.
#include "api/signal_copy.hpp"

#include <algorithm>
#include <utility>

#include "api/arguments.hpp"
#include "base/integers.hpp"
#include "base/text.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "kernels/text.hpp"
#include "model/rates.hpp"
#include "problem/words.hpp"
#include "runtime/arguments.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"

namespace imago::api {
namespace {

/// Returns true if the launches move single numbers: real ones, or those of a plane.
bool has_single_parts(const signal::SignalCopy& copy) {
  return copy.from.storage != Storage::interleaved || copy.to.storage != Storage::interleaved;
}

/// Returns true if planes become the parts of interleaved numbers.
bool joins_planes(const signal::SignalCopy& copy) {
  return copy.from.storage == Storage::planar && copy.to.storage == Storage::interleaved;
}
std::size_t launches_of(const signal::SignalCopy& copy) {
  return copy.from.storage == Storage::planar || copy.to.storage == Storage::planar ? 2 : 1;
}

/// Returns the dimension whose elements are the rows: the fastest one, or the longest if that is
/// short.
std::size_t row_of(const signal::SignalCopy& copy) {
  constexpr std::size_t kShort = 16;
  const auto& lengths = copy.lengths;
  std::size_t fastest = 0;
  for (std::size_t d = 1; d < lengths.size(); ++d) {
    if (lengths[d] > 1 && (lengths[fastest] == 1 || copy.to.strides[d] < copy.to.strides[fastest]))
      fastest = d;
  }
  if (lengths[fastest] >= kShort) return fastest;
  return static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end()) -
                                  lengths.begin());
}

/// Returns the four numbers of a dimension (kernels/signal_copy.cl).
std::array<cl_long, 4> numbers_of(const signal::SignalCopy& copy, std::size_t d) {
  const bool along = d == copy.axis;
  return {static_cast<cl_long>(copy.lengths[d]),
          along ? 0 : static_cast<cl_long>(copy.from.strides[d]),
          static_cast<cl_long>(copy.to.strides[d]) * (joins_planes(copy) ? 2 : 1), along};
}

std::size_t table_bytes_of(const signal::SignalCopy& copy) {
  return (copy.lengths.size() - 1) * sizeof(std::array<cl_long, 4>);
}

std::vector<std::array<cl_long, 4>> rows_of(const signal::SignalCopy& copy) {
  std::vector<std::array<cl_long, 4>> rows;
  const std::size_t inner = row_of(copy);
  for (std::size_t d = copy.lengths.size(); d-- > 0;) {
    if (d != inner) rows.push_back(numbers_of(copy, d));
  }
  return rows;
}

device::Facts facts_of(cl_device_id device, const Options& options) {
  return engine::facts_for(runtime::reported_facts(device), options);
}

}  // namespace

kernel::Handmade copy_kernel(const signal::SignalCopy& copy, const device::Facts& facts) {
  using kernel::defined;
  const bool cpu = facts.type == device::Type::cpu, f64 = copy.precision == Precision::f64;
  const std::size_t parts = has_single_parts(copy) ? 1 : 2, items = cpu ? 1 : 64,
                    block = cpu ? 4096 : 16;
  const int real = !f64 ? 0 : facts.f64.pairs ? 2 : 1;
  std::string text;
  if (real == 2) text = "#define N\n" + std::string(kernels::text("pairs.cl")) + "#undef N\n";
  const std::string word(base::word_of(problem::kBorders, copy.border));
  return {.name = "signal_copy_" + word + (f64 ? "_f64x" : "_f32x") + std::to_string(parts),
          .options = engine::kBuildOptions + defined("IMAGO_DOUBLE", real) +
                     defined("PARTS", parts) + defined("BORDER", static_cast<int>(copy.border)) +
                     defined("GROUP", items) + defined("RUN", items * block),
          .text = text + std::string(kernels::text("signal_copy.cl")),
          .items = items,
          .block = block,
          .entry = "signal_copy",
          .is_shared = true};
}

SignalCopier::SignalCopier(const runtime::Target& target, signal::SignalCopy copy,
                           const Options& options)
    : copy_(std::move(copy)),
      kernels_(target, {{copy_.border, copy_kernel(copy_, facts_of(target.device, options))}},
               engine::disk_cache(options)) {
  const auto rows = rows_of(copy_);
  rows_ = runtime::allocate_copy(target.context, table_bytes(), rows.data());
}

std::vector<runtime::KernelLaunch> SignalCopier::launches(const Array& from,
                                                          const Array& to) const {
  const kernel::Handmade& code = kernels_.code(copy_.border);
  const std::size_t inner = row_of(copy_), length = copy_.lengths[inner],
                    rows = copy_.elements() / length,
                    runs = base::ceil_divide(length, code.items * code.block);
  const auto [count, from_step, to_step, along] = numbers_of(copy_, inner);
  const cl_long written_from = static_cast<cl_long>(to.offset() + copy_.to.offset);
  std::vector<runtime::KernelLaunch> launches;
  for (std::size_t plane = 0; plane < launches_of(copy_); ++plane) {
    const cl_mem read = plane == 1 && from.im() ? from.im() : from.re(),
                 written = plane == 1 && to.im() ? to.im() : to.re();
    auto kernel = kernels_.own(copy_.border);
    runtime::Arguments(kernel.get())
        .value(read)
        .value(static_cast<cl_long>(from.offset() + copy_.from.offset))
        .value(written)
        .value(joins_planes(copy_) ? 2 * written_from + static_cast<cl_long>(plane) : written_from)
        .value(rows_.get())
        .value(static_cast<cl_int>(copy_.lengths.size() - 1))
        .value(count)
        .value(from_step)
        .value(to_step)
        .value(along)
        .value(static_cast<cl_long>(runs))
        .value(static_cast<cl_long>(copy_.samples))
        .value(static_cast<cl_long>(copy_.before))
        .value(static_cast<cl_long>(copy_.apart()));
    launches.push_back(kernels_.launch(copy_.border, std::move(kernel), rows * runs));
  }
  return launches;
}

std::size_t SignalCopier::table_bytes() const { return table_bytes_of(copy_); }

std::string SignalCopier::describe() const {
  const std::string word(base::word_of(problem::kBorders, copy_.border));
  return "signals with border " + word + ", " + base::counted(copy_.elements(), "element") +
         "\n  " + base::counted(launches_of(copy_), "launch", "launches") + " of " +
         kernels_.code(copy_.border).name + "\n";
}

Estimate estimate(const cl::Device& device, const signal::SignalCopy& copy,
                  const Options& options) {
  Estimate estimate;
  estimate.table_bytes = table_bytes_of(copy);
  estimate.kernels = launches_of(copy);
  estimate.bytes_moved = copy.bytes() * (copy.border == Border::zeros ? 1 : 2);
  estimate.seconds = static_cast<double>(estimate.bytes_moved) /
                     model::rates_of(facts_of(device(), options)).copy_bytes;
  return estimate;
}

}  // namespace imago::api
