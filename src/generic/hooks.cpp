// This file writes hooks as the numbers of a launch (kernel/generic_hooks.hpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "base/integers.hpp"
#include "base/roots.hpp"
#include "generic/launches.hpp"
#include "kernel/generic_hooks.hpp"

namespace imago::generic {
namespace {

using kernel::HookOp;

constexpr std::int64_t kMostNumber = std::int64_t{1} << 31;

/// The five operands of a step.
using Operands = std::array<std::uint64_t, 5>;

/// Appends the steps of a launch to a list of numbers.
class HookWriter {
 public:
  using Table = std::function<std::uint64_t(const std::vector<double>&)>;
  HookWriter(const Elements& elements, Table table) : e_(elements), table_(std::move(table)) {
    extents_ = e_.lengths;
    extents_.push_back(e_.batch);
    for (std::size_t d = extents_.size(); d-- > 0;) {
      const std::size_t axis = d == 0 ? extents_.size() - 1 : d - 1;  // the batch is the slowest
      // Blocks are within a batch element.
      const bool is_first_batch = d == 0 && axes_.empty();
      if (is_first_batch) axes_.push_back(0);
      if (extents_[axis] > 1) axes_.push_back(axis);
    }
    if (axes_.size() > kernel::kHookDimensions) refuse();
    arguments_.assign(kernel::kHookArguments, -1);
    std::array<int, 3> next{0, kernel::kHookBuffers, kernel::kHookBuffers + kernel::kHookReals};
    const std::array<int, 3> ends{kernel::kHookBuffers, next[2], kernel::kHookArguments};
    for (const kernel::KernelArgument& argument : e_.hooked.arguments) {
      using Type = kernel::KernelArgument::Type;
      const std::size_t sort = argument.is_buffer() ? 0 : argument.type == Type::real ? 1 : 2;
      if (next[sort] == ends[sort]) refuse();
      places_.push_back(next[sort]);
      arguments_[static_cast<std::size_t>(next[sort]++)] = static_cast<int>(argument.number);
    }
  }

  /// Appends all numbers of the launch, for blocks of so many elements. Returns the work-items of
  /// one batch element.
  std::uint64_t write(std::uint64_t block) {
    const std::vector<kernel::HookStep>& steps = e_.hooked.steps;
    find_shifts();
    // A box excludes an element from all that happens, whatever its place in the list.
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (const auto* box = std::get_if<kernel::Box>(&steps[i])) add_box(*box, i);
      if (const auto* framing = std::get_if<kernel::Framing>(&steps[i])) add_box(*framing, i);
    }
    const kernel::WeightedSum* sum = e_.hooked.sum();
    if (sum)
      add_sum(*sum);
    else
      add_end(HookOp::load, e_.in, 0, 0);
    for (std::size_t i = 0; i < steps.size(); ++i)
      std::visit([&](const auto& step) { add(step, i); }, steps[i]);
    const bool loads = e_.at != Elements::At::store;
    if (loads) add_step(HookOp::clear, {}, no_form());
    add_end(HookOp::store, e_.out, steps.size(), 0);
    return finish(block);
  }
  std::vector<std::int32_t> numbers() { return std::move(numbers_); }
  std::vector<int> arguments() { return std::move(arguments_); }

 private:
  Form no_form() const {
    Form form;
    form.shifts.assign(extents_.size(), 0);
    form.factors.assign(extents_.size(), 0);
    return form;
  }
  /// Returns a form that is 0 before hook i has run.
  Form form_at(std::size_t i) const {
    Form form = no_form();
    form.shifts = shifts_[i];
    return form;
  }

  /// Finds how far an element has moved before each hook, seen from its place in the packed array:
  /// behind the hooks at load, before them at store. A spectrum's elements do not move.
  void find_shifts() {
    const auto& steps = e_.hooked.steps;
    shifts_.assign(steps.size() + 1, std::vector<std::uint64_t>(extents_.size(), 0));
    const bool back = e_.at == Elements::At::load;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const std::size_t i = back ? steps.size() - 1 - k : k;
      auto& next = shifts_[back ? i : i + 1];
      next = shifts_[back ? i + 1 : i];
      const auto* rotation = std::get_if<kernel::Rotation>(&steps[i]);
      if (!rotation) continue;
      const std::uint64_t n = extents_[rotation->axis], by = back ? n - rotation->by : rotation->by;
      next[rotation->axis] = (next[rotation->axis] + by) % n;
    }
  }

  void number(std::int64_t value) {
    if (value >= kMostNumber || value < -kMostNumber) refuse();
    numbers_.push_back(static_cast<std::int32_t>(value));
  }
  void number(std::uint64_t value) { number(base::to_signed(checked(value))); }

  void add_step(HookOp op, const Operands& operands, const Form& form) {
    number(static_cast<std::int64_t>(op));
    for (const std::uint64_t operand : operands) number(operand);
    number(form.constant);
    const bool given = form.argument >= 0;
    number(given ? std::int64_t{place_of(form.argument)} - kernel::kHookBuffers - kernel::kHookReals
                 : std::int64_t{kernel::kHookIntegers});
    number(form.unit);
    for (const auto* list : {&form.shifts, &form.factors})
      for (std::size_t d = 0; d < kernel::kHookDimensions; ++d)
        number(d < axes_.size() ? (*list)[axes_[d]] : 0);
    ++count_;
  }
  int place_of(int argument) const { return places_[static_cast<std::size_t>(argument)]; }

  void add_box(const kernel::Box& box, std::size_t i) {
    Form form = form_at(i);
    form.factors[box.axis] = 1;
    add_step(HookOp::box, {box.begin, box.end}, form);
  }
  void add_box(const kernel::Framing& framing, std::size_t i) {
    Form form = form_at(i);
    form.factors[framing.frames] = framing.hop, form.factors[framing.axis] = 1;
    form.constant = -base::to_signed(framing.before);
    form.argument = framing.argument, form.unit = framing.unit;
    add_step(HookOp::box, {0, framing.samples}, form);
  }

  /// Adds the access to memory at one end, or of array `number` of a weighted sum. The caller's
  /// array may begin later, in frames.
  void add_end(HookOp op, const ElementsEnd& end, std::size_t hook, std::uint64_t offset) {
    Form form = form_at(hook);
    form.factors = end.strides;
    form.constant = base::to_signed(offset);
    if (e_.at == (op == HookOp::load ? Elements::At::load : Elements::At::store)) {
      const std::uint64_t unit = end.unit;
      form.constant -= base::to_signed(e_.hooked.memory.before * unit);
      for (const kernel::HookStep& step : e_.hooked.steps) {
        const auto* framing = std::get_if<kernel::Framing>(&step);
        if (!framing || framing->argument < 0) continue;
        form.argument = framing->argument;
        form.unit = framing->unit * e_.hooked.memory.strides[framing->axis] * unit;
      }
    }
    const bool adds = op == HookOp::store && e_.hooked.accumulates();
    add_step(op,
             {static_cast<std::uint64_t>(end.type), end.complex ? 1u : 0u, end.parts, end.unit,
              adds ? 1u : 0u},
             form);
  }

  void add_sum(const kernel::WeightedSum& sum) {
    // Larger lists take longer than a compilation.
    if (sum.count > 64) refuse();
    for (std::uint64_t k = 0; k < sum.count; ++k) {
      add_end(HookOp::load, e_.in, 0, k * sum.stride * e_.in.unit);
      multiply(sum.weights, form_of(sum.weights, 0, k * sum.set));
      add_step(HookOp::add, {}, no_form());
    }
    add_step(HookOp::take_sum, {}, no_form());
  }

  /// Returns the places of an element's numbers in a buffer before hook i has run, `further`
  /// numbers or pairs after the first.
  Form form_of(const kernel::Factors& factors, std::size_t i, std::uint64_t further) const {
    const std::uint64_t width = factors.complex ? 2 : 1;
    Form form = form_at(i);
    for (std::size_t d = 0; d < factors.places.strides.size(); ++d)
      form.factors[d] = width * factors.places.strides[d];
    form.factors.back() = width * factors.places.distance;
    form.constant = base::to_signed(width * further);
    return form;
  }
  void multiply(const kernel::Factors& factors, const Form& form) {
    const std::uint64_t conjugates = !factors.conjugate ? 0 : e_.hooked.accumulates() ? 2 : 1;
    add_step(HookOp::multiply,
             {static_cast<std::uint64_t>(place_of(static_cast<int>(factors.argument))),
              factors.complex ? 1u : 0u, conjugates},
             form);
  }
  void multiply_by_table(const std::vector<double>& numbers, bool complex, Form form) {
    form.constant += base::to_signed(table_(numbers));
    add_step(HookOp::multiply, {kernel::kHookBuffers, complex ? 1u : 0u}, form);
  }

  void add(const kernel::Scaling& scaling, std::size_t) {
    if (scaling.argument < 0) return multiply_by_table({scaling.factor.value()}, false, no_form());
    const int place = place_of(scaling.argument) - kernel::kHookBuffers;
    add_step(HookOp::number, {static_cast<std::uint64_t>(place)}, no_form());
  }
  void add(const kernel::Factors& factors, std::size_t i) {
    multiply(factors, form_of(factors, i, 0));
  }
  void add(const kernel::Addition& addition, std::size_t i) {
    add_step(HookOp::add, {}, no_form());
    add_step(HookOp::one, {}, no_form());
    const std::uint64_t width = addition.terms.complex ? 2 : 1;
    Form form = form_of(addition.terms, i, addition.offset);
    form.argument = addition.argument, form.unit = width * addition.unit;
    multiply(addition.terms, form);
    if (addition.times >= 0) {
      Form along = form_at(i);
      along.factors[addition.axis] = 1;
      const auto place = static_cast<std::uint64_t>(place_of(addition.times));
      add_step(HookOp::multiply, {place, 0}, along);
    }
    if (addition.factor.value() != 1)
      multiply_by_table({addition.factor.value()}, false, no_form());
    add_step(HookOp::add, {}, no_form());
    add_step(HookOp::take_sum, {}, no_form());
  }
  void add(const kernel::Power& power, std::size_t) {
    if (!power.decibels) return add_step(HookOp::power, {}, no_form());
    const std::uint64_t floor = table_({10 * std::log10(power.floor.value())});
    add_step(HookOp::decibels, {floor}, no_form());
  }
  void add(const kernel::Modulation& modulation, std::size_t i) {
    const std::uint64_t n = extents_[modulation.axis], order = modulation.denominator;
    std::vector<double> roots;
    for (std::uint64_t j = 0; j < n; ++j) {
      const std::uint64_t turns = j % order * modulation.numerator % order;
      const auto root = base::root_of_unity(turns, order);
      roots.push_back(root.real()), roots.push_back(root.imag());
    }
    Form form = form_at(i);
    form.factors[modulation.axis] = 2;
    multiply_by_table(roots, true, form);
  }
  void add(const kernel::Conjugation&, std::size_t) { add_step(HookOp::conjugate, {}, no_form()); }
  void add(const kernel::RealPart&, std::size_t) { add_step(HookOp::real_part, {}, no_form()); }
  // These are part of the ends and of the shifts.
  void add(const kernel::WeightedSum&, std::size_t) {}
  void add(const kernel::Box&, std::size_t) {}
  void add(const kernel::Framing&, std::size_t) {}
  void add(const kernel::Accumulation&, std::size_t) {}
  void add(const kernel::Rotation&, std::size_t) {}
  // A table for each call would be needed; or the user's code.
  void add(const kernel::LineTwiddle&, std::size_t) { refuse(); }
  void add(const kernel::Snippet&, std::size_t) { refuse(); }
  void add(const kernel::Access&, std::size_t) { refuse(); }

  /// Writes the numbers before the steps. Returns the work-items of one batch element.
  std::uint64_t finish(std::uint64_t block) {
    const auto extent = [&](std::size_t d) { return d < axes_.size() ? extents_[axes_[d]] : 1; };
    const std::uint64_t blocks = base::ceil_divide(extent(0), block);
    std::uint64_t items = blocks;
    for (std::size_t d = 1; d < axes_.size(); ++d)
      items *= axes_[d] == e_.lengths.size() ? 1 : extent(d);
    // Blocks end at the last element of a row.
    checked(items * block * e_.batch);
    std::vector<std::int32_t> steps = std::move(numbers_);
    numbers_.clear();
    number(items), number(blocks);
    for (std::size_t d = 0; d < kernel::kHookDimensions; ++d) number(extent(d));
    number(count_);
    numbers_.insert(numbers_.end(), steps.begin(), steps.end());
    return items;
  }

  const Elements& e_;
  const Table table_;
  std::vector<std::uint64_t> extents_;  ///< extents of the dimensions, and the batch
  std::vector<std::size_t> axes_;       ///< axes with an extent above 1, fastest first
  std::vector<int> places_, arguments_;
  std::vector<std::vector<std::uint64_t>> shifts_;
  std::vector<std::int32_t> numbers_;
  std::uint64_t count_ = 0;
};

}  // namespace

void Launches::add_elements(const Elements& elements) {
  const kernel::GenericHooks& own = *program_.steps.back().generic_hooks();
  HookWriter writer(elements, [this](const std::vector<double>& numbers) {
    auto& table = program_.generic.table;
    const std::size_t first = table.size();
    table.insert(table.end(), numbers.begin(), numbers.end());
    return checked(table.size()) - (table.size() - first);
  });
  kernel::Launch launch;
  launch.step = 1;
  launch.items = writer.write(own.block), launch.batch = elements.batch;
  launch.groups = base::ceil_divide(launch.items * launch.batch, std::uint64_t{own.items});
  launch.in.memory = elements.in.memory, launch.out.memory = elements.out.memory;
  launch.arguments = writer.arguments();
  numbers_ = writer.numbers();
  end_launch(std::move(launch));
}

}  // namespace imago::generic
