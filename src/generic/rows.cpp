// This file lays out rows of different lengths.
#include "generic/rows.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/precision.hpp"
#include "generic/axis.hpp"
#include "generic/launches.hpp"
#include "generic/long_lines.hpp"
#include "generic/program.hpp"
#include "kernel/generic.hpp"
#include "problem/kinds.hpp"

namespace imago::generic {
namespace {

// Points of a row on CPUs: 1 MB of a work-item's memory.
constexpr unsigned kRowPoints = 8192;
// Local memory and work-items on other devices, which leave room for several work-groups on a
// compute unit of 228 KB. A large tile reads the tables once for several lines.
constexpr std::size_t kRowLocalBytes = 98304;
static_assert(kRowLocalBytes / 16 < std::size_t{1} << kernel::kDividedBits);
constexpr unsigned kRowItems = 256;

/// Multiplies the results of an edge at store. A complex factor of real results is real.
void multiply_results(Edge& store, const Factors& factors) {
  if (factors.empty()) return;
  store.turned.clear();
  if (store.a.empty()) store.a.assign(store.count, 1);
  for (std::size_t q = 0; q < factors.size(); ++q) {
    store.a[q] *= factors[q];
    if (store.is_combination()) store.b[q] *= factors[q];
  }
  store.real_first = false;
}

/// Multiplies the elements of an edge at load.
void multiply_elements(Axis& axis, const Factors& factors) {
  if (factors.empty()) return;
  Edge& load = axis.load;
  if (axis.pairs_at_load) {
    // Point p is f[2p] re + i f[2p+1] im, a combination of the point and its conjugate.
    load = as_combination(std::move(load));
    load.conjugate = true;
    for (std::size_t p = 0; p < load.a.size(); ++p) {
      const double re = factors[2 * p].real(), im = factors[2 * p + 1].real();
      load.a[p] = (re + im) / 2, load.b[p] = (re - im) / 2;
    }
    return;
  }
  load = as_combination(std::move(load));
  const auto multiply = [&](std::complex<double>& factor, std::int32_t element, bool real,
                            bool conjugate) {
    const std::complex<double> own =
        static_cast<std::size_t>(element) < factors.size() ? factors[element] : 0;
    factor *= real ? own.real() : conjugate ? std::conj(own) : own;
  };
  for (std::size_t q = 0; q < load.a.size(); ++q) {
    multiply(load.a[q], load.i[q], !load.real_i.empty() && load.real_i[q], false);
    multiply(load.b[q], load.j[q], !load.real_j.empty() && load.real_j[q], load.conjugate);
  }
}

/// Makes the elements from `kept` on 0, which are not in memory.
void keep_first(Edge& load, std::uint64_t kept) {
  if (elements_of(load) <= kept) return;
  load = as_combination(std::move(load));
  if (load.real_i.empty())
    load.real_i.assign(load.i.size(), false), load.real_j.assign(load.j.size(), false);
  // The real part of element 0, times 0, replaces them.
  const auto drop = [&](std::int32_t& element, std::complex<double>& factor,
                        std::vector<bool>& real, std::size_t q) {
    if (static_cast<std::uint64_t>(element) < kept) return;
    element = 0, factor = 0, real[q] = true;
  };
  for (std::size_t q = 0; q < load.i.size(); ++q) {
    drop(load.i[q], load.a[q], load.real_i, q);
    drop(load.j[q], load.b[q], load.real_j, q);
  }
}

/// Stores the first results only.
void store_first(Edge& store, std::uint64_t kept) {
  store.count = kept;
  for (Factors* factors : {&store.a, &store.b})
    if (!factors->empty()) factors->resize(kept);
  for (auto* list : {&store.i, &store.j})
    if (!list->empty()) list->resize(kept);
}

/// A row of a launch.
struct Placed {
  std::size_t row = 0;  ///< index in the transform
  std::size_t shape = 0;
  std::uint64_t scratch = 0;  ///< first element in each half of scratch
};

class RowLayouter {
 public:
  RowLayouter(const problem::RowBatch& rows, bool inverse, const device::Facts& facts)
      : rows_(rows),
        inverse_(inverse),
        launches_(row_step_of(rows.transform.precision, facts)),
        in_(rows.side(inverse, false)),
        out_(rows.side(inverse, true)) {}

  kernel::Program lay_out();

 private:
  /// Rows with equal keys have equal numbers.
  using Key = std::tuple<std::uint64_t, std::uint64_t, std::size_t>;
  Key key_of(std::size_t row) const;
  Axis axis(std::size_t row) const;
  std::size_t shape_of(std::size_t row);
  void add_stage(const kernel::Launch& launch,
                 const std::vector<std::pair<Placed, RowLines>>& rows);
  std::uint64_t place(const kernel::Memory memory, unsigned half, const Placed& row,
                      const problem::RowSide& side, std::uint64_t unit) const;

  const problem::RowBatch& rows_;
  const bool inverse_;
  Launches launches_;
  const problem::RowSide &in_, &out_;
  std::map<Key, std::size_t> known_;
  std::vector<RowShape> shapes_;
  std::uint64_t scratch_ = 0;  ///< complex elements of each half
};

RowLayouter::Key RowLayouter::key_of(std::size_t row) const {
  const RowFactors& factors = inverse_ ? rows_.transform.on_inverse : rows_.transform.on_forward;
  const bool own = !factors.load.empty() || !factors.store.empty();
  return {rows_.transform.lengths[row], rows_.spectrum.counts[row], own ? row + 1 : 0};
}

Axis RowLayouter::axis(std::size_t row) const {
  const RaggedTransform& t = rows_.transform;
  Axis axis = axis_of({inverse_ ? problem::inverse_of(t.kind) : t.kind, inverse_, t.lengths[row],
                       t.norm == Norm::ortho});
  const std::uint64_t kept = rows_.spectrum.counts[row];
  const bool pairs = inverse_ ? axis.pairs_at_store : axis.pairs_at_load;
  if (!inverse_) store_first(axis.store, std::min(kept, axis.store.count));
  multiply_elements(axis, rows_.factors(inverse_, false, row));
  if (inverse_) keep_first(axis.load, kept);
  const Factors results = rows_.factors(inverse_, true, row);
  if (inverse_ && pairs && !results.empty()) {
    // Result p is f[2p] re + i f[2p+1] im.
    axis.store = as_combination(std::move(axis.store));
    axis.store.conjugate = true;
    for (std::size_t p = 0; p < axis.store.a.size(); ++p) {
      const double re = results[2 * p].real(), im = results[2 * p + 1].real();
      axis.store.a[p] = (re + im) / 2, axis.store.b[p] = (re - im) / 2;
    }
  } else {
    multiply_results(axis.store, results);
  }
  return axis;
}

std::size_t RowLayouter::shape_of(std::size_t row) {
  const auto [found, added] = known_.try_emplace(key_of(row), shapes_.size());
  if (!added) return found->second;
  Lines lines;
  lines.axis = axis(row);
  const auto end = [&](LineEnd& line, const problem::RowSide& side, bool store, bool pairs) {
    const std::uint64_t unit = side.real ? 1 : 2;
    line.memory = store ? kernel::Memory::output : kernel::Memory::input;
    line.unit = unit, line.parts = side.real ? 0 : 1;
    line.stride = checked(side.stride * unit);
    if (pairs) line.parts = line.stride, line.stride *= 2;
    // Places within a tile are ints.
    checked(side.counts[row] * line.stride + launches_.lanes() * side.distance * unit);
    return checked(side.distance * unit);
  };
  Loop fields;
  fields.extent = rows_.transform.batch;
  fields.in_stride = end(lines.in, in_, false, lines.axis.pairs_at_load);
  fields.out_stride = end(lines.out, out_, true, lines.axis.pairs_at_store);
  lines.loops = {fields};
  lines.scale = rows_.scale(inverse_, row);
  add_lines(launches_, lines);
  shapes_.push_back(launches_.take_shape());
  return found->second;
}

/// Returns where a row's lines begin in a memory, in real numbers.
std::uint64_t RowLayouter::place(kernel::Memory memory, unsigned half, const Placed& row,
                                 const problem::RowSide& side, std::uint64_t unit) const {
  if (memory == kernel::Memory::scratch) return 2 * (row.scratch + half * scratch_);
  return side.offsets[row.row] * unit;
}

void RowLayouter::add_stage(const kernel::Launch& launch,
                            const std::vector<std::pair<Placed, RowLines>>& rows) {
  std::vector<std::int32_t> groups;
  for (const auto& [placed, lines] : rows) {
    const std::int32_t row =
        launches_.add_row(lines, place(lines.from, lines.from_half, placed, in_, lines.in_unit),
                          place(lines.to, lines.to_half, placed, out_, lines.out_unit));
    for (std::uint64_t part = 0; part < lines.groups; ++part)
      groups.insert(groups.end(), {row, static_cast<std::int32_t>(part)});
  }
  launches_.add_groups(std::move(groups), launch);
}

kernel::Program RowLayouter::lay_out() {
  // Long rows first: the last work-groups are short ones.
  std::vector<std::size_t> order(rows_.transform.lengths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::uint64_t> work;
  std::vector<Placed> placed(order.size());
  for (const std::size_t row : order) {
    placed[row] = {row, shape_of(row), scratch_};
    const RowShape& shape = shapes_[placed[row].shape];
    scratch_ += shape.scratch_elements;
    const std::uint64_t rounds = shape.lines[0].product_entries;
    work.push_back(rounds > 0 ? 2 * rounds : rows_.transform.lengths[row]);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return work[a] > work[b]; });
  // Rows of one stage that use the same memories share a launch.
  using Stage = std::tuple<std::size_t, kernel::Memory, kernel::Memory>;
  std::map<Stage, std::vector<std::pair<Placed, RowLines>>> stages;
  std::uint64_t between = 0;  // numbers that are written to scratch and read again
  for (const std::size_t row : order) {
    const auto& lines = shapes_[placed[row].shape].lines;
    between += (lines.size() - 1) * 2 * 2 * shapes_[placed[row].shape].scratch_elements;
    for (std::size_t i = 0; i < lines.size(); ++i)
      stages[{i, lines[i].from, lines[i].to}].emplace_back(placed[row], lines[i]);
  }
  for (const auto& [stage, rows] : stages) {
    kernel::Launch launch;
    launch.in.memory = std::get<1>(stage), launch.out.memory = std::get<2>(stage);
    add_stage(launch, rows);
  }
  kernel::Program program = launches_.take();
  const std::uint64_t number = base::bytes_of(rows_.transform.precision);
  program.scratch_bytes = 2 * scratch_ * 2 * number;
  const auto numbers = [&](const problem::RowSide& side) {
    return rows_.transform.batch * side.elements() * (side.real ? 1 : 2);
  };
  program.bytes_moved = number * (numbers(in_) + numbers(out_) + between);
  return program;
}

}  // namespace

kernel::Step row_step_of(Precision precision, const device::Facts& facts) {
  kernel::Step step = step_of(precision, facts);
  kernel::Generic generic = *step.generic();
  generic.rows = true;
  if (generic.lanes > 1) {
    step.length = std::size_t{kRowPoints} * generic.lanes;
  } else {
    const std::size_t bytes = std::min(kRowLocalBytes, facts.local_bytes);
    generic.items = std::min(kRowItems, facts.max_work_group);
    step.length = bytes / (4 * base::bytes_of(step.precision));
  }
  step.lanes = generic;
  return step;
}

kernel::Program make_program(const problem::RowBatch& rows, bool inverse,
                             const device::Facts& facts) {
  try {
    return RowLayouter(rows, inverse, facts).lay_out();
  } catch (const NoGeneric&) {
    base::unsupported("a row is too long, or the numbers of all rows do not fit into 2^31",
                      "make plans of fewer rows, or transform the longest rows by Plan");
  }
}

}  // namespace imago::generic
