// This file interprets the instructions of a kernel. Each instruction runs for all active
// work-items of a group before the next one; conditions and loops narrow the active set and restore
// it.
#include "interpreter/interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/errors.hpp"
#include "interpreter/cell.hpp"
#include "interpreter/memory.hpp"

namespace imago::interpreter {

using namespace ir;

namespace {

bool opens(Op op) { return op == Op::loop_begin || op == Op::when_begin; }
bool closes(Op op) { return op == Op::loop_end || op == Op::when_end; }

class Interpreter {
 public:
  Interpreter(const Kernel& kernel, std::span<const Binding> arguments);
  void run_group(std::uint64_t group);

 private:
  struct Region {
    std::vector<std::uint32_t> outside;  ///< active work-items around it
    std::int64_t iteration = 0;
  };

  void match_regions();
  void bind_parameters(std::span<const Binding> arguments);

  std::uint32_t step(std::uint32_t index);
  std::uint32_t enter(std::uint32_t index);
  std::uint32_t leave(std::uint32_t index);
  bool narrow(std::uint32_t begin);
  void barrier();

  void compute(std::uint32_t index);
  void compute_leaf(std::uint32_t index);
  void compute_vector(std::uint32_t index);
  void access(std::uint32_t index);
  template <class T>
  void compute_float(std::uint32_t index);
  template <class T>
  void compute_int(std::uint32_t index);
  template <class T>
  T divided(T dividend, T divisor, bool remainder) const;
  void convert(std::uint32_t index);
  Cell converted(Cell value, Base from, Base to) const;

  template <class T, class Function>
  void map(std::uint32_t index, Function function);
  template <class Function>
  void each_lane(std::uint32_t index, Function cell_of);

  Cell* cells(std::uint32_t index, std::uint32_t item) {
    return values_.data() + offsets_[index] + std::size_t{item} * kernel_.code[index].type.lanes;
  }
  [[noreturn]] void fail(const std::string& what) const {
    base::internal_error("kernel " + kernel_.name + ": " + what);
  }

  const Kernel& kernel_;
  InterpretedMemories memories_;
  std::vector<Cell> parameters_;
  std::vector<std::size_t> offsets_;    ///< where each instruction's cells begin in values_
  std::vector<Cell> values_;            ///< work-item by work-item
  std::vector<std::uint32_t> partner_;  ///< the other end of a loop or condition
  std::vector<Region> regions_;         ///< that are open now
  std::vector<std::uint32_t> active_;   ///< work-items
  std::uint64_t group_ = 0;
};

Interpreter::Interpreter(const Kernel& kernel, std::span<const Binding> arguments)
    : kernel_(kernel), memories_(kernel, arguments), parameters_(kernel.parameters.size()) {
  std::size_t size = 0;
  for (const Instruction& instruction : kernel.code) {
    offsets_.push_back(size);
    size += std::size_t{instruction.type.lanes} * kernel.work_group_size;
  }
  values_.resize(size);
  match_regions();
  bind_parameters(arguments);
}

/// Finds the ends of all regions, and checks that no value is used outside its own.
void Interpreter::match_regions() {
  const std::vector<Instruction>& code = kernel_.code;
  partner_.assign(code.size(), kNone);
  std::vector<std::uint32_t> open;
  std::vector<bool> visible(code.size());
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    for (const std::uint32_t argument : code[i].args) {
      if (argument == kNone) continue;
      if (argument >= i || !visible[argument]) {
        fail("v" + std::to_string(argument) + " is used where it has no value, by v" +
             std::to_string(i));
      }
    }
    visible[i] = true;
    if (opens(code[i].op)) open.push_back(i);
    if (!closes(code[i].op)) continue;
    const Op begin = code[i].op == Op::loop_end ? Op::loop_begin : Op::when_begin;
    if (open.empty() || code[open.back()].op != begin) fail("loops and conditions do not nest");
    partner_[i] = open.back();
    partner_[open.back()] = i;
    std::fill(visible.begin() + open.back(), visible.begin() + i, false);
    open.pop_back();
  }
  if (!open.empty()) fail("a loop or condition does not end");
}

void Interpreter::bind_parameters(std::span<const Binding> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = kernel_.arguments[i];
    if (argument.kind != Argument::Kind::parameter) continue;
    const Parameter& parameter = kernel_.parameters[argument.index];
    Cell& cell = parameters_[argument.index];
    if (parameter.type.is_float() && std::holds_alternative<double>(arguments[i])) {
      cell = converted(put(std::get<double>(arguments[i])), Base::f64, parameter.type.base);
    } else if (parameter.type.is_int() && std::holds_alternative<std::int64_t>(arguments[i])) {
      cell = converted(put(std::get<std::int64_t>(arguments[i])), Base::i64, parameter.type.base);
    } else {
      fail(parameter.name + " needs a binding with a number of its type");
    }
  }
}

void Interpreter::run_group(std::uint64_t group) {
  group_ = group;
  memories_.begin_group();
  active_.resize(kernel_.work_group_size);
  std::iota(active_.begin(), active_.end(), 0u);
  for (std::uint32_t index = 0; index < kernel_.code.size();) index = step(index);
}

/// Runs one instruction and returns the index of the next.
std::uint32_t Interpreter::step(std::uint32_t index) {
  const Op op = kernel_.code[index].op;
  if (opens(op)) return enter(index);
  if (closes(op)) return leave(index);
  if (op == Op::barrier) {
    barrier();
  } else {
    compute(index);
  }
  return index + 1;
}

std::uint32_t Interpreter::enter(std::uint32_t index) {
  regions_.push_back({active_, 0});
  if (narrow(index)) return index + 1;
  active_ = std::move(regions_.back().outside);
  regions_.pop_back();
  return partner_[index] + 1;
}

std::uint32_t Interpreter::leave(std::uint32_t index) {
  const std::uint32_t begin = partner_[index];
  if (kernel_.code[begin].op == Op::loop_begin) {
    ++regions_.back().iteration;
    if (narrow(begin)) return begin + 1;
  }
  active_ = std::move(regions_.back().outside);
  regions_.pop_back();
  return index + 1;
}

/// Keeps active who enters the region (again); whether anybody does.
bool Interpreter::narrow(std::uint32_t begin) {
  const Instruction& x = kernel_.code[begin];
  const std::int64_t iteration = regions_.back().iteration;
  const bool loop = x.op == Op::loop_begin;
  std::erase_if(active_, [&](std::uint32_t item) {
    const std::int64_t value = cells(x.args[0], item)->integer;
    return loop ? iteration >= value : value == 0;
  });
  if (loop) {
    for (const std::uint32_t item : active_) *cells(begin, item) = put(iteration);
  }
  return !active_.empty();
}

void Interpreter::barrier() {
  if (active_.size() != kernel_.work_group_size) {
    fail("barrier in divergent control flow: " + std::to_string(active_.size()) + " of " +
         std::to_string(kernel_.work_group_size) + " work-items of group " +
         std::to_string(group_) + " reach it");
  }
  memories_.barrier();
}

void Interpreter::compute(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  switch (x.op) {
    case Op::constant:
    case Op::constant_lanes:
    case Op::argument:
    case Op::group_id:
    case Op::local_id:
      return compute_leaf(index);
    case Op::select:
    case Op::splat:
    case Op::pair:
    case Op::extract:
    case Op::shuffle:
      return compute_vector(index);
    case Op::load:
    case Op::load_if:
    case Op::load_strided:
    case Op::store:
    case Op::store_strided:
      return access(index);
    case Op::convert:
      return convert(index);
    default:
      break;
  }
  switch (kernel_.code[x.args[0]].type.base) {
    case Base::f16:
      fail("a value has halves, which only memory has");
    case Base::f32:
      return compute_float<float>(index);
    case Base::f64:
      return compute_float<double>(index);
    case Base::i32:
      return compute_int<std::int32_t>(index);
    case Base::boolean:
    case Base::i64:
      return compute_int<std::int64_t>(index);
  }
}

/// Sets every lane of every active work-item's value to cell_of(item, lane).
template <class Function>
void Interpreter::each_lane(std::uint32_t index, Function cell_of) {
  const unsigned lanes = kernel_.code[index].type.lanes;
  for (const std::uint32_t item : active_) {
    Cell* result = cells(index, item);
    for (unsigned lane = 0; lane < lanes; ++lane) result[lane] = cell_of(item, lane);
  }
}

/// Sets every lane to the function of the same lane of the operands, of type T.
template <class T, class Function>
void Interpreter::map(std::uint32_t index, Function function) {
  const Instruction& x = kernel_.code[index];
  const std::uint32_t first = x.args[0];
  const std::uint32_t second = x.args[1] == kNone ? first : x.args[1];
  const std::uint32_t third = x.args[2] == kNone ? first : x.args[2];
  each_lane(index, [&](std::uint32_t item, unsigned lane) {
    return put(function(get<T>(cells(first, item)[lane]), get<T>(cells(second, item)[lane]),
                        get<T>(cells(third, item)[lane])));
  });
}

void Interpreter::compute_leaf(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  each_lane(index, [&](std::uint32_t item, unsigned lane) {
    switch (x.op) {
      case Op::constant_lanes:
        return put<std::int64_t>(kernel_.lists[x.integer][lane]);
      case Op::argument:
        return parameters_[x.integer];
      case Op::group_id:
        return put(static_cast<std::int64_t>(group_));
      case Op::local_id:
        return put<std::int64_t>(item);
      default:
        break;
    }
    if (x.type.is_float()) return converted(put(x.number), Base::f64, x.type.base);
    return converted(put(x.integer), Base::i64, x.type.base);
  });
}

void Interpreter::compute_vector(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  const int source_lanes = kernel_.code[x.args[0]].type.lanes;
  each_lane(index, [&](std::uint32_t item, unsigned lane) {
    const Cell* first = cells(x.args[0], item);
    if (x.op == Op::splat) return first[0];
    if (x.op == Op::pair) return cells(x.args[lane], item)[0];
    if (x.op == Op::extract) return first[x.integer];
    if (x.op == Op::select) return cells(x.args[first->integer != 0 ? 1 : 2], item)[lane];
    const int from = kernel_.lists[x.integer][lane];
    if (from < source_lanes) return first[from];
    return cells(x.args[1], item)[from - source_lanes];
  });
}

void Interpreter::access(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  const bool stores = x.op == Op::store || x.op == Op::store_strided;
  const bool strided = x.op == Op::load_strided || x.op == Op::store_strided;
  const unsigned lanes = kernel_.code[stores ? x.args[1] : index].type.lanes;
  const bool one_element = kernel_.memories[x.memory].element.lanes > 1;
  const std::int64_t stride = strided ? x.integer : 1;
  for (const std::uint32_t item : active_) {
    const std::int64_t first = cells(x.args[0], item)->integer;
    Cell* value = cells(stores ? x.args[1] : index, item);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const Place place =
          one_element ? Place{x.memory, first, lane} : Place{x.memory, first + lane * stride, 0};
      if (stores) {
        memories_.store(place, {group_, item}, value[lane]);
      } else if (x.op == Op::load_if && cells(x.args[1], item)->integer == 0) {
        value[lane] = x.type.is_float() ? put(0.0) : put<std::int64_t>(0);
      } else {
        value[lane] = memories_.load(place, {group_, item});
      }
    }
  }
}

template <class T>
void Interpreter::compute_float(std::uint32_t index) {
  switch (kernel_.code[index].op) {
    case Op::add:
      return map<T>(index, [](T a, T b, T) { return a + b; });
    case Op::sub:
      return map<T>(index, [](T a, T b, T) { return a - b; });
    case Op::mul:
      return map<T>(index, [](T a, T b, T) { return a * b; });
    case Op::div:
      return map<T>(index, [](T a, T b, T) { return a / b; });
    case Op::neg:
      return map<T>(index, [](T a, T, T) { return -a; });
    case Op::fma:
      return map<T>(index, [](T a, T b, T c) { return std::fma(a, b, c); });
    case Op::min:
      return map<T>(index, [](T a, T b, T) { return std::fmin(a, b); });
    case Op::max:
      return map<T>(index, [](T a, T b, T) { return std::fmax(a, b); });
    case Op::less:
      return map<T>(index, [](T a, T b, T) { return a < b; });
    case Op::equal:
      return map<T>(index, [](T a, T b, T) { return a == b; });
    case Op::rint:
      return map<T>(index, [](T a, T, T) { return std::nearbyint(a); });
    case Op::native_sin:
      return map<T>(index, [](T a, T, T) { return std::sin(a); });
    case Op::native_cos:
      return map<T>(index, [](T a, T, T) { return std::cos(a); });
    default:
      fail("an operation has no meaning for floats");
  }
}

/// Integers wrap, as on every device.
template <class T>
void Interpreter::compute_int(std::uint32_t index) {
  using U = std::make_unsigned_t<T>;
  constexpr U last_bit = std::numeric_limits<U>::digits - 1;
  switch (kernel_.code[index].op) {
    case Op::add:
      return map<T>(index, [](U a, U b, U) { return static_cast<T>(a + b); });
    case Op::sub:
      return map<T>(index, [](U a, U b, U) { return static_cast<T>(a - b); });
    case Op::mul:
      return map<T>(index, [](U a, U b, U) { return static_cast<T>(a * b); });
    case Op::fma:
      return map<T>(index, [](U a, U b, U c) { return static_cast<T>(a * b + c); });
    case Op::neg:
      return map<T>(index, [](U a, U, U) { return static_cast<T>(U{0} - a); });
    case Op::div:
      return map<T>(index, [this](T a, T b, T) { return divided(a, b, false); });
    case Op::mod:
      return map<T>(index, [this](T a, T b, T) { return divided(a, b, true); });
    case Op::min:
      return map<T>(index, [](T a, T b, T) { return std::min(a, b); });
    case Op::max:
      return map<T>(index, [](T a, T b, T) { return std::max(a, b); });
    case Op::bit_and:
      return map<T>(index, [](T a, T b, T) { return a & b; });
    case Op::bit_xor:
      return map<T>(index, [](T a, T b, T) { return a ^ b; });
    case Op::shift_left:
      return map<T>(index, [](U a, U b, U) { return static_cast<T>(a << (b & last_bit)); });
    case Op::shift_right:
      return map<T>(index, [](T a, U b, T) { return a >> (b & last_bit); });
    case Op::less:
      return map<T>(index, [](T a, T b, T) { return a < b; });
    case Op::equal:
      return map<T>(index, [](T a, T b, T) { return a == b; });
    case Op::logical_and:
      return map<T>(index, [](T a, T b, T) { return a != 0 && b != 0; });
    default:
      fail("an operation has no meaning for integers");
  }
}

template <class T>
T Interpreter::divided(T dividend, T divisor, bool remainder) const {
  if (divisor == 0) fail("an integer is divided by zero");
  if (divisor == -1) {  // the quotient of the smallest integer wraps
    using U = std::make_unsigned_t<T>;
    return remainder ? T{0} : static_cast<T>(U{0} - static_cast<U>(dividend));
  }
  return remainder ? dividend % divisor : dividend / divisor;
}

void Interpreter::convert(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  const Base from = kernel_.code[x.args[0]].type.base;
  each_lane(index, [&](std::uint32_t item, unsigned lane) {
    return converted(cells(x.args[0], item)[lane], from, x.type.base);
  });
}

Cell Interpreter::converted(Cell value, Base from, Base to) const {
  const bool from_float = Type{from, 1}.is_float();
  if (to == Base::f64) return from_float ? value : put(static_cast<double>(value.integer));
  if (to == Base::f32) {
    return put(from_float ? static_cast<float>(value.number) : static_cast<float>(value.integer));
  }
  if (from_float) {
    const double limit = to == Base::i32 ? 0x1p31 : 0x1p63;
    const double whole = std::trunc(value.number);
    if (!(whole >= -limit && whole < limit))
      fail("a float does not fit the integer it is converted to");
    return put(static_cast<std::int64_t>(whole));
  }
  if (to == Base::boolean) return put<std::int64_t>(value.integer != 0);
  return to == Base::i32 ? put<std::int64_t>(static_cast<std::int32_t>(value.integer)) : value;
}

}  // namespace

void run(const Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments) {
  if (arguments.size() != kernel.arguments.size()) {
    base::internal_error("kernel " + kernel.name + " has " +
                         std::to_string(kernel.arguments.size()) + " arguments; bound are " +
                         std::to_string(arguments.size()));
  }
  Interpreter interpreter(kernel, arguments);
  for (std::uint64_t group = 0; group < groups; ++group) interpreter.run_group(group);
}

}  // namespace imago::interpreter
