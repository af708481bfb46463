// This file lays out a direction of a transform as launches of one generic kernel.
#include "generic/program.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/precision.hpp"
#include "generic/axis.hpp"
#include "generic/launches.hpp"
#include "generic/long_lines.hpp"
#include "lines/hooks.hpp"

namespace imago::generic {
namespace {

// Points of a line on CPUs. A point of a tile takes 128 bytes, so that a tile fits into the
// second-level cache.
constexpr unsigned kVectorPoints = 2304;
constexpr unsigned kItems = 128;  // work-items of a group on other devices
// Local memory that a kernel of work-items uses; every device has it (OpenCL 1.2, 4.2).
constexpr std::size_t kLocalBytes = 32768;
constexpr unsigned kHookBlock = 64;  // elements of a work-item of hooks on CPUs

class Layouter {
 public:
  Layouter(const problem::Problem& problem, bool inverse, const device::Facts& facts)
      : problem_(problem),
        inverse_(inverse),
        launches_(step_of(problem.precision, facts), hook_step_of(problem.precision, facts)),
        hooks_{end_of(false), end_of(true)} {}

  kernel::Program lay_out();

 private:
  bool same_places() const;
  /// Returns extents in which the halves of lines are the parts of complex ones.
  std::vector<std::uint64_t> whole_lines(std::vector<std::uint64_t> extents) const {
    if (problem_.right_angle) extents[extents.size() - 2] = 1;
    return extents;
  }
  bool is_real(bool store) const {
    const problem::Side& side = problem_.side(inverse_, store);
    return side.real || side.storage == Storage::real;
  }
  /// An array of the caller, or a packed one in scratch.
  struct Array {
    LineEnd end;
    std::vector<std::uint64_t> strides;  ///< strides of all axes and the batch
  };

  std::vector<std::size_t> axes(bool inverse) const;
  std::optional<Elements> end_of(bool store) const;
  std::optional<Elements> filter() const;
  Array add_elements(Elements elements, Array from);
  void add_axes(bool inverse, std::vector<std::uint64_t>& extents, Array& from, bool ends);
  Array callers(bool store) const;
  Array between(const std::vector<std::uint64_t>& extents);
  Array turned(const Array& from, bool back);
  void add_axis(const Axis& axis, std::size_t number, const std::vector<std::uint64_t>& extents,
                const Array& from, const Array& to, bool last);

  const problem::Problem& problem_;
  const bool inverse_;
  Launches launches_;
  /// The elements of a side that pass through hooks, or that other kernels cannot read or write, at
  /// load and at store.
  const std::optional<Elements> hooks_[2];
};

/// Returns the axes that are transformed, in order: the real axis first, or last for the inverse.
std::vector<std::size_t> Layouter::axes(bool inverse) const {
  std::vector<std::size_t> order;
  const auto real = problem_.real_axis();
  for (std::size_t axis = problem_.lengths.size(); axis-- > 0;) {
    const Kind kind = problem_.kinds[axis];
    if (kind == Kind::identity || kind == Kind::real) continue;
    if (kind == Kind::complex && problem_.lengths[axis] == 1) continue;
    order.push_back(axis);
  }
  if (real) order.insert(order.begin(), *real);
  if (inverse) std::reverse(order.begin(), order.end());
  return order;
}

Layouter::Array Layouter::callers(bool store) const {
  const problem::Side& side = problem_.side(inverse_, store);
  const bool real = is_real(store);
  Array array;
  array.end.memory = store ? kernel::Memory::output : kernel::Memory::input;
  array.end.unit = real ? 1 : 2, array.end.parts = real ? 0 : 1;
  for (const auto stride : side.strides) array.strides.push_back(checked(stride) * array.end.unit);
  array.strides.push_back(checked(side.distance) * array.end.unit);
  checked(side.end * array.end.unit);
  return array;
}

Layouter::Array Layouter::between(const std::vector<std::uint64_t>& extents) {
  Array array;
  array.strides.resize(extents.size() + 1);
  std::uint64_t elements = 1;
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    array.strides[axis] = 2 * elements;
    elements = checked(elements * extents[axis]);
  }
  array.strides.back() = 2 * elements;
  array.end = launches_.scratch(checked(elements * problem_.batch));
  return array;
}

/// Multiplies lines whose halves are the parts of complex ones by the factors of a right-angle
/// convolution (kernel/edges/right_angle.hpp), or divides by them.
Layouter::Array Layouter::turned(const Array& from, bool back) {
  Elements elements;
  elements.lengths = whole_lines(problem_.lengths), elements.batch = problem_.batch;
  elements.at = Elements::At::spectrum;
  elements.hooked.lengths = elements.lengths;
  const std::uint64_t order = 4 * elements.lengths.back();
  const auto axis = static_cast<std::uint32_t>(elements.lengths.size() - 1);
  elements.hooked.steps = {kernel::Modulation{axis, back ? 1 : order - 1, order}};
  return add_elements(std::move(elements), from);
}

/// Adds the launches for one axis, the last one scales. `extents` are those of the other axes.
void Layouter::add_axis(const Axis& axis, std::size_t number,
                        const std::vector<std::uint64_t>& extents, const Array& from,
                        const Array& to, bool last) {
  Lines lines;
  lines.axis = axis;
  lines.in = from.end, lines.out = to.end;
  for (std::size_t other = 0; other <= extents.size(); ++other) {
    const std::uint64_t extent = other == extents.size() ? problem_.batch : extents[other];
    if (other != number) lines.loops.push_back({extent, from.strides[other], to.strides[other]});
  }
  const auto along = [&](LineEnd& end, const Array& array, bool pairs) {
    end.stride = number < array.strides.size() ? array.strides[number] : 2;
    if (!pairs) return;
    end.parts = end.stride;
    end.stride *= 2;
  };
  along(lines.in, from, axis.pairs_at_load), along(lines.out, to, axis.pairs_at_store);
  if (last) lines.scale = inverse_ ? problem_.inverse_scale : problem_.forward_scale;
  add_lines(launches_, lines);
}

/// Returns the elements at one end of the direction; empty if the lines' launches can move them.
/// The end in scratch is not filled in.
std::optional<Elements> Layouter::end_of(bool store) const {
  const auto hooked = lines::hooked_end(problem_, inverse_, store);
  const problem::Side& side = problem_.side(inverse_, store);
  const problem::Side& memory = problem_.memory(inverse_, store);
  const bool f16 = problem_.precision == Precision::f16, planar = memory.storage == Storage::planar;
  // Lines that share a tile are computed together, also those behind the part of a call.
  if (!hooked && !f16 && !planar && !problem_.varies) return {};
  const bool short_parts = f16 || (hooked && hooked->stored != kernel::Stored::as_computed);
  if (short_parts && planar) refuse();
  Elements elements;
  elements.lengths = side.lengths, elements.batch = problem_.batch;
  elements.at = store ? Elements::At::store : Elements::At::load;
  ElementsEnd end;
  end.memory = store ? kernel::Memory::output : kernel::Memory::input;
  end.complex = !is_real(store) && !(hooked && hooked->real_in_memory());
  end.unit = end.complex && !planar ? 2 : 1;
  end.parts = planar ? 0 : 1;
  elements.hooked = hooked ? *hooked : kernel::Hooked{.lengths = side.lengths};
  if (!hooked) elements.hooked.memory = {memory.strides, memory.distance};
  if (elements.hooked.stored != kernel::Stored::as_computed)
    end.type = static_cast<kernel::InMemory>(static_cast<int>(elements.hooked.stored) + 1);
  else if (f16)
    end.type = kernel::InMemory::f16;
  for (const auto stride : elements.hooked.memory.strides)
    end.strides.push_back(checked(stride) * end.unit);
  end.strides.push_back(checked(elements.hooked.memory.distance) * end.unit);
  checked(memory.end * end.unit);
  (store ? elements.out : elements.in) = std::move(end);
  return elements;
}

/// Returns the elements of a filter's spectrum; empty if the problem is no filter.
std::optional<Elements> Layouter::filter() const {
  const auto hooked = lines::filter_hooks(problem_);
  if (!hooked) return {};
  Elements elements;
  elements.lengths = whole_lines(problem_.spectrum_lengths()), elements.batch = problem_.batch;
  elements.at = Elements::At::spectrum;
  elements.hooked = *hooked;
  return elements;
}

/// Moves elements to a packed array in scratch, or, if they leave the program, from there. Returns
/// the array that they are in.
Layouter::Array Layouter::add_elements(Elements elements, Array from) {
  const auto fill = [](ElementsEnd& end, const Array& array) {
    end.memory = array.end.memory, end.unit = array.end.unit;
    end.complex = array.end.parts != 0, end.parts = array.end.parts;
    end.strides = array.strides;
  };
  Array to = between(whole_lines(elements.lengths));
  const auto split = [&](Array& array) {
    if (problem_.right_angle) array.strides[array.strides.size() - 3] = 1;
    array.end.parts = 0;
  };
  // Real elements have no imaginary parts in scratch, as in memory.
  if (elements.at == Elements::At::load && is_real(false)) split(to);
  if (elements.at == Elements::At::store && problem_.right_angle) split(from);
  if (elements.at != Elements::At::load) fill(elements.in, from);
  if (elements.at != Elements::At::store) fill(elements.out, to);
  launches_.add_elements(elements);
  if (problem_.right_angle) to.end.parts = 1;
  return to;
}

/// Adds the launches of all axes in one direction. `extents` become those of the result, and `from`
/// its array. `ends`: the result is the output.
void Layouter::add_axes(bool inverse, std::vector<std::uint64_t>& extents, Array& from, bool ends) {
  const auto order = axes(inverse);
  const auto real = problem_.real_axis();
  const bool hooked_store = hooks_[1].has_value(), hooked = hooks_[0] || hooked_store;
  const bool copies = ends && !hooked && !problem_.filter &&
                      problem_.placement == Placement::in_place && !same_places();
  const auto last_array = [&] {
    if (!hooked_store) return callers(true);
    Array array = between(extents);
    if (is_real(true) && !problem_.right_angle) array.end.parts = 0;
    return array;
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t axis = order[i];
    const std::uint64_t n = problem_.lengths[axis];
    if (axis == real) extents[axis] = inverse ? n : n / 2 + 1;
    const bool last = ends && i + 1 == order.size() && !copies;
    // The result's array holds what is between two axes if only its numbers change afterwards.
    const bool holds = ends && !copies && !hooked_store &&
                       (problem_.only_real() || callers(true).end.parts != 0) &&
                       std::find(order.begin() + static_cast<std::ptrdiff_t>(i) + 1, order.end(),
                                 real) == order.end();
    const Array to = last ? last_array() : holds ? callers(true) : between(extents);
    const Axis line = axis_of({problem_.kind(axis, inverse), inverse, n, problem_.orthonormal});
    add_axis(line, axis, extents, from, to, last);
    from = to;
  }
  if (!ends) return;
  const std::size_t none = extents.size() + 1;
  if (copies && order.empty()) {
    const Array to = between(extents);
    add_axis({}, none, extents, from, to, false);
    from = to;
  }
  if (copies || order.empty()) {
    const Array to = last_array();
    add_axis({}, none, extents, from, to, true);
    from = to;
  }
}

kernel::Program Layouter::lay_out() {
  std::vector<std::uint64_t> extents = problem_.side(inverse_, false).lengths;
  Array from = hooks_[0] ? add_elements(*hooks_[0], {}) : callers(false);
  if (problem_.right_angle) extents = whole_lines(extents), from = turned(from, false);
  if (auto spectrum = filter()) {
    add_axes(false, extents, from, false);
    from = add_elements(std::move(*spectrum), from);
  }
  add_axes(inverse_ || problem_.filter, extents, from, true);
  if (problem_.right_angle) from = turned(from, true);
  if (hooks_[1]) add_elements(*hooks_[1], from);
  return launches_.take();
}

/// True if each line of an array in place overwrites only itself: lines begin at the same places at
/// both ends, and their elements are adjacent or have the same strides.
bool Layouter::same_places() const {
  Array in = callers(false), out = callers(true);
  const auto begin = [&](const Array& array, bool store) {
    return problem_.side(inverse_, store).offset * array.end.unit;
  };
  if (const auto axis = problem_.real_axis()) {
    for (Array* array : {&in, &out}) {
      if (array->strides[*axis] != array->end.unit) return false;
      array->strides[*axis] = 0;
    }
  }
  return begin(in, false) == begin(out, true) && in.strides == out.strides;
}

}  // namespace

kernel::Step step_of(Precision precision, const device::Facts& facts) {
  kernel::Step step;
  step.precision = precision == Precision::f16 ? Precision::f32 : precision;
  // Doubles are in scratch too: a launch does not know which of its memories that is.
  step.pairs = step.in.doubles = step.out.doubles = facts.f64.pairs && precision == Precision::f64;
  step.has_table = true;
  kernel::Generic generic;
  if (facts.type == device::Type::cpu) {
    const unsigned native = precision == Precision::f64 ? facts.vector_f64 : facts.vector_f32;
    generic.lanes = std::clamp(std::bit_floor(native), 2u, 8u);
    step.length = std::size_t{kVectorPoints} * generic.lanes;
  } else {
    generic.items = std::min(kItems, facts.max_work_group);
    step.length = kLocalBytes / (4 * base::bytes_of(step.precision));
  }
  step.lanes = generic;
  return step;
}

kernel::Step hook_step_of(Precision precision, const device::Facts& facts) {
  const kernel::Step lines = step_of(precision, facts);
  kernel::Step step;
  step.precision = lines.precision, step.pairs = lines.pairs;
  step.in = lines.in, step.out = lines.out;
  step.has_table = true;
  kernel::GenericHooks hooks;
  if (facts.type == device::Type::cpu)
    hooks.block = kHookBlock;
  else
    hooks.items = std::min(kItems, facts.max_work_group);
  step.lanes = hooks;
  return step;
}

std::optional<kernel::Program> make_program(const problem::Problem& problem, bool inverse,
                                            const device::Facts& facts) {
  // A call of a stream computes windows as if there were all of them.
  if (problem.reproducible || (problem.alike && !problem.varies)) return {};
  try {
    return Layouter(problem, inverse, facts).lay_out();
  } catch (const NoGeneric&) {
    return {};
  }
}

}  // namespace imago::generic
