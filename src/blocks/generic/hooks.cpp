// This file emits the generic kernel of hooks: a loop over the steps of a launch, and in each step
// a loop over the elements of a work-item.
#include "blocks/generic/hooks.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "blocks/complex.hpp"
#include "blocks/elements.hpp"
#include "blocks/side_hooks.hpp"

namespace imago::blocks::generic {
namespace {

using ir::Value;
using kernel::HookOp;
using kernel::InMemory;

constexpr int kDimensions = kernel::kHookDimensions;

class HookEmitter {
 public:
  explicit HookEmitter(const Frame& frame)
      : f_(frame),
        b_(frame.b),
        items_(frame.step.generic_hooks()->items),
        block_(frame.step.generic_hooks()->block) {
    const auto cells = [&](const char* name, ir::Type type) {
      return b_.private_array(name, type, block_);
    };
    re_ = cells("re", f_.real), im_ = cells("im", f_.real);
    sum_re_ = cells("sum_re", f_.real), sum_im_ = cells("sum_im", f_.real);
    inside_ = cells("inside", narrow_);
  }

  void emit() {
    const Value item = f_.group() * items_ + b_.local_id(items_);
    b_.when(item < number(kernel::kHookItems) * f_.batch, [&] {
      Value rest = item;
      const Value blocks = number(kernel::kHookBlocks);
      for (int d = 0; d < kDimensions; ++d) extents_[at(d)] = number(kernel::kHookExtents + d);
      indices_[0] = rest % blocks * block_, rest = rest / blocks;
      for (int d = 1; d < kDimensions; ++d)
        indices_[at(d)] = rest % extents_[at(d)], rest = rest / extents_[at(d)];
      const Value left = extents_[0] - indices_[0];
      count_ = block_ == 1 ? b_.integer(1) : b_.binary(ir::Op::min, b_.integer(block_), left);
      each([&](Value i) {
        b_.store(inside_, i, b_.integer(1));
        keep_sum(i, {zero(), zero()});
      });
      b_.loop(number(kernel::kHookSteps), [&](Value step) { run(step); });
    });
  }

 private:
  static std::size_t at(int d) { return static_cast<std::size_t>(d); }
  Value number(std::int64_t index) const {
    return b_.load(f_.numbers, f_.first_number + b_.integer(index));
  }
  Value zero() const { return b_.real(0, f_.real); }
  Value wide(Value value) const { return b_.convert(value, {ir::Base::i64, 1}); }
  ir::Condition is(Value value, int number) const { return equal(value, b_.integer(number)); }
  void each(const std::function<void(Value i)>& body) const { b_.loop(count_, body); }

  Cx x(Value i) const { return {b_.load(re_, i), b_.load(im_, i)}; }
  void keep(Value i, const Cx& x) const { b_.store(re_, i, x.re), b_.store(im_, i, x.im); }
  Cx sum(Value i) const { return {b_.load(sum_re_, i), b_.load(sum_im_, i)}; }
  void keep_sum(Value i, const Cx& x) const {
    b_.store(sum_re_, i, x.re), b_.store(sum_im_, i, x.im);
  }
  ir::Condition inside(Value i) const { return is(b_.load(inside_, i), 1); }

  /// The step that is emitted: its operands, and its form.
  struct Step {
    Value op, first, second, third, fourth, fifth;
    Value row;            ///< the form without dimension 0
    Value shift, factor;  ///< numbers of dimension 0
  };
  Value moved(Value index, Value shift, int d) const {
    const Value sum = index + shift, behind = sum - extents_[at(d)];
    return b_.select(sum < extents_[at(d)], sum, behind);
  }
  Step read(Value index) const {
    const Value begin =
        f_.first_number + b_.integer(kernel::kFirstHookStep) + index * kernel::kHookStepNumbers;
    const auto field = [&](int number) { return b_.load(f_.numbers, begin + number); };
    Step step;
    step.op = field(kernel::kHookOp), step.first = field(kernel::kHookFirst);
    step.second = field(kernel::kHookSecond), step.third = field(kernel::kHookThird);
    step.fourth = field(kernel::kHookFourth), step.fifth = field(kernel::kHookFifth);
    const Value argument = field(kernel::kHookArgument), unit = field(kernel::kHookUnit);
    Value given = b_.integer(0);
    for (int k = 0; k < kernel::kHookIntegers; ++k) {
      const Value value = f_.in.arguments[at(kernel::kHookBuffers + kernel::kHookReals + k)].number;
      given = b_.select(is(argument, k), value, given);
    }
    step.row = wide(field(kernel::kHookConstant)) + wide(given) * wide(unit);
    for (int d = 1; d < kDimensions; ++d) {
      const Value place = moved(indices_[at(d)], field(kernel::kHookShifts + d), d);
      step.row = step.row + wide(place) * wide(field(kernel::kHookFactors + d));
    }
    step.shift = field(kernel::kHookShifts), step.factor = field(kernel::kHookFactors);
    return step;
  }
  Value form(const Step& step, Value i) const {
    const Value place = moved(indices_[0] + i, step.shift, 0);
    return step.row + wide(place) * wide(step.factor);
  }
  /// Returns the form as a place in the memory of a side.
  Value place(const Step& step, const FrameSide& side, Value i) const {
    return form(step, i) + side.offset * wide(step.fourth);
  }

  void run(Value index) const {
    const Step step = read(index);
    const auto when = [&](HookOp op, const std::function<void(Value i)>& body) {
      b_.when(is(step.op, static_cast<int>(op)), [&] { each(body); });
    };
    b_.when(is(step.op, static_cast<int>(HookOp::load)), [&] { load(step); });
    b_.when(is(step.op, static_cast<int>(HookOp::multiply)), [&] { multiply(step); });
    when(HookOp::box, [&](Value i) {
      const Value place = form(step, i), before = wide(step.first) - b_.integer(1, place.type());
      const ir::Condition within = before < place && place < wide(step.second);
      b_.store(inside_, i, b_.select(within, b_.load(inside_, i), b_.integer(0)));
    });
    when(HookOp::number, [&](Value i) {
      Value factor = f_.in.arguments[kernel::kHookBuffers].number;
      for (int k = 1; k < kernel::kHookReals; ++k)
        factor = b_.select(is(step.first, k), f_.in.arguments[at(kernel::kHookBuffers + k)].number,
                           factor);
      const Cx own = x(i);
      keep(i, {own.re * factor, own.im * factor});
    });
    when(HookOp::power, [&](Value i) { keep(i, {square_of(x(i)), zero()}); });
    when(HookOp::decibels, [&](Value i) {
      const Value level = ir::scaled(log2_of_power({x(i)}), 10 * std::log10(2.0));
      keep(i, {b_.at_least(level, b_.load(f_.table, step.first)), zero()});
    });
    when(HookOp::conjugate, [&](Value i) {
      const Cx own = x(i);
      keep(i, {own.re, -own.im});
    });
    when(HookOp::real_part, [&](Value i) { b_.store(im_, i, zero()); });
    when(HookOp::add, [&](Value i) { keep_sum(i, sum(i) + x(i)); });
    when(HookOp::take_sum, [&](Value i) {
      keep(i, sum(i));
      keep_sum(i, {zero(), zero()});
    });
    when(HookOp::one, [&](Value i) { keep(i, {b_.real(1, f_.real), zero()}); });
    when(HookOp::clear, [&](Value i) {
      const Cx own = x(i);
      keep(i, unless(inside(i), {zero(), zero()}, own));
      b_.store(inside_, i, b_.integer(1));
    });
    b_.when(is(step.op, static_cast<int>(HookOp::store)), [&] { store(step); });
  }

  /// Calls `body` with the type of the numbers, and their memory.
  void each_type(const Step& step, const FrameSide& side,
                 const std::function<void(InMemory, ir::MemoryId)>& body) const {
    for (int type = 0; type < kernel::kInMemoryTypes; ++type) {
      const auto in_memory = static_cast<InMemory>(type);
      b_.when(is(step.first, type), [&] {
        body(in_memory, in_memory == InMemory::real ? side.memory : side.stored[at(type)]);
      });
    }
  }

  void load(const Step& step) const {
    const ir::Condition complex = is(step.second, 1);
    each_type(step, f_.in, [&](InMemory type, ir::MemoryId memory) {
      const ir::MemoryId other = type == InMemory::real ? f_.in.im : memory;
      each([&](Value i) {
        const Value index = place(step, f_.in, i);
        const ir::Condition exists = inside(i);
        const Value re = b_.load_if(exists, memory, index);
        const Value im = b_.load_if(exists && complex, other, index + wide(step.third));
        keep(i, {b_.convert(re, f_.real), b_.convert(im, f_.real)});
      });
    });
  }

  void store(const Step& step) const {
    const ir::Condition complex = is(step.second, 1), adds = is(step.fifth, 1);
    each_type(step, f_.out, [&](InMemory type, ir::MemoryId memory) {
      const ir::MemoryId other = type == InMemory::real ? f_.out.im : memory;
      const auto write = [&](ir::MemoryId to, Value index, Value part) {
        const ir::Base base = b_.element(to).base;
        const ir::Type own = b_.element(to).of_values();
        if (!ir::is_short(base)) part = part + b_.convert(b_.load_if(adds, to, index), f_.real);
        b_.store(to, index,
                 ir::is_short(base) ? nearest_integer(part, base) : b_.convert(part, own));
      };
      each([&](Value i) {
        b_.when(inside(i), [&] {
          const Value index = place(step, f_.out, i);
          const Cx own = x(i);
          write(memory, index, own.re);
          b_.when(complex, [&] { write(other, index + wide(step.third), own.im); });
        });
      });
    });
  }

  /// Multiplies by the factors of a buffer of the call, or of the table.
  void multiply(const Step& step) const {
    for (int k = 0; k <= kernel::kHookBuffers; ++k) {
      const bool own = k == kernel::kHookBuffers;
      const ir::MemoryId memory = own ? f_.table : f_.in.arguments[at(k)].memory;
      const ir::Condition complex = is(step.second, 1);
      const Value width = b_.select(complex, b_.integer(2), b_.integer(1));
      b_.when(is(step.first, k), [&] {
        const Value begin = own ? step.row : step.row + f_.in.arguments[at(k)].offset * wide(width);
        each([&](Value i) {
          const Value along = wide(moved(indices_[0] + i, step.shift, 0)) * wide(step.factor);
          const Value index = begin + along;
          const ir::Condition exists = inside(i);
          const Cx value = x(i);
          const Value re = b_.load_if(exists, memory, index);
          b_.when(complex, [&] {
            const Value part = b_.load_if(exists, memory, index + 1);
            const Value negative = -part;
            const Cx product = value * Cx{re, b_.select(is(step.third, 1), negative, part)};
            keep(i, unless(is(step.third, 2), product, times_conjugate(value, {re, part})));
          });
          b_.when(is(step.second, 0), [&] { keep(i, {value.re * re, value.im * re}); });
        });
      });
    }
  }

  const Frame& f_;
  ir::Builder& b_;
  const unsigned items_, block_;
  const ir::Type narrow_{ir::Base::i32, 1};
  ir::MemoryId re_, im_, sum_re_, sum_im_, inside_;
  std::array<Value, kDimensions> extents_, indices_;
  Value count_;
};

}  // namespace

void apply_hooks(const Frame& frame) { HookEmitter(frame).emit(); }

}  // namespace imago::blocks::generic
