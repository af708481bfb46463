// This file applies hooks to elements.
#include "blocks/side_hooks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "base/integers.hpp"
#include "base/roots.hpp"
#include "blocks/user_functions.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Returns the lanes repeated, or only the first one.
Value resized(Value x, unsigned lanes) {
  ir::Builder& b = x.builder();
  const unsigned own = x.type().lanes;
  if (own == lanes) return x;
  if (own == 1) return b.splat(x, lanes);
  if (lanes == 1) return b.extract(x, 0);
  std::vector<int> places(lanes);
  for (unsigned l = 0; l < lanes; ++l) places[l] = static_cast<int>(l % own);
  return b.shuffle(x, x, places);
}

/// Returns the number of lanes of the kernel's widest vectors.
unsigned widest(const kernel::Step& step) {
  if (!std::holds_alternative<kernel::Vectors>(step.lanes)) return 1;
  unsigned width = step.tile;
  for (const kernel::Pass& pass : step.passes) width = std::max(width, pass.width);
  return width;
}

/// Returns exp(-2 pi i turns / order).
Cx constant_root(const Frame& f, std::int64_t turns, std::int64_t order) {
  const auto root =
      base::root_of_unity(static_cast<std::uint64_t>(turns), static_cast<std::uint64_t>(order));
  return {f.b.real(root.real(), f.real), f.b.real(root.imag(), f.real)};
}

}  // namespace

Value square_of(const Cx& x) {
  const Value im = x.im * x.im, re = x.re * x.re;
  return re + im;
}

Cx times_conjugate(const Cx& x, const Cx& y) {
  ir::Builder& b = x.re.builder();
  const Cx product = x * Cx{y.re, -y.im};
  const Value imre = x.im * y.re, reim = y.im * x.re;
  const Value one = b.fma(x.im, y.re, -reim), other = b.fma(-y.im, x.re, imre);
  return {product.re, ir::scaled(one + other, 0.5)};
}

Value log2_of_power(const Element& x) {
  ir::Builder& b = x.x.re.builder();
  const auto magnitude = [&](Value part) { return b.binary(ir::Op::max, part, -part); };
  const ir::Type type = x.x.re.type();
  if (x.real()) {
    const Value two = b.real(2, type);
    return b.unary(ir::Op::log2, magnitude(x.x.re)) * two;
  }
  const double most = type.base == ir::Base::f64 ? 0x1p900 : 0x1p100;
  const Value im_size = magnitude(x.x.im), re_size = magnitude(x.x.re);
  const Value larger = b.binary(ir::Op::max, re_size, im_size);
  const Value largest = b.real(most, type), least = b.real(1 / most, type);
  const Value size = b.binary(ir::Op::min, b.binary(ir::Op::max, larger, least), largest);
  const Value scale = b.binary(ir::Op::div, b.real(1, type), size);
  const Value re = x.x.re * scale, im = x.x.im * scale;
  const Value two = b.real(2, type), scaling = b.unary(ir::Op::log2, size) * two;
  return b.unary(ir::Op::log2, square_of({re, im})) + scaling;
}

Element assembled(const std::vector<Element>& lanes) {
  std::vector<Value> re, im;
  for (const Element& lane : lanes) re.push_back(lane.x.re), im.push_back(lane.x.im);
  return {{from_lanes(re), lanes[0].real() ? Value{} : from_lanes(im)}};
}

Element lane_of(const Element& element, unsigned lane) {
  ir::Builder& b = element.x.re.builder();
  return element.mapped([&](Value part) { return b.extract(part, lane); });
}

Element SideHooks::applied(Element x, const std::vector<Numbers>& numbers,
                           const ir::Condition& exists) const {
  // On CPUs whole vectors pass through memory where the hooks and a transform meet, and columns
  // that are left over do not. They get equal bits.
  const auto rounded = [](const Element& y) { return y.mapped(&ir::rounded); };
  x = rounded(x);
  for (std::size_t i = 0; i < hooked_.steps.size(); ++i) {
    const At at{numbers[i], exists};
    x = std::visit([&](const auto& step) { return apply(step, x, at); }, hooked_.steps[i]);
  }
  return rounded(x);
}

Element SideHooks::fetched(const Numbers& first, const ir::Condition& exists,
                           const Fetch& fetch) const {
  const LaneIndex place = *places_.place(first);
  const Spread spread{first.spread.width, place.apart};
  const kernel::WeightedSum* sum = hooked_.sum();
  if (!sum) return fetch(place, spread, exists);
  const ir::Type wide{ir::Base::i64, 1};
  const At at{first, exists};
  const auto term = [&](Value array) {
    const Value number = b_.convert(array, wide);
    const LaneIndex own{place.first + number * base::to_signed(sum->stride), place.apart};
    const Value set = number * base::to_signed(sum->set);
    return apply(sum->weights, fetch(own, spread, exists), at, set);
  };
  const auto added = [](const Element& x, const Element& y) {
    return Element{{x.x.re + y.x.re, x.real() ? Value{} : x.x.im + y.x.im}};
  };
  Element total = term(b_.integer(0));
  const std::uint64_t unrolled = std::min(sum->count, kUnrolledSum);
  for (std::uint64_t i = 1; i < unrolled; ++i)
    total = added(total, term(b_.integer(base::to_signed(i))));
  if (unrolled == sum->count) return total;
  const LaneCells cells(b_, "sum", total, total.lanes());
  const Value begin = b_.integer(0);
  cells.keep(begin, total);
  b_.loop(base::to_signed(sum->count - unrolled), [&](Value i) {
    const Element next = term(i + base::to_signed(unrolled));
    cells.keep(begin, added(cells.load(begin, total.lanes()), next));
  });
  return cells.load(begin, total.lanes());
}

Element SideHooks::apply(const kernel::Scaling& scaling, const Element& x, const At&) const {
  if (scaling.argument < 0)
    return x.mapped([&](Value part) { return ir::scaled(part, scaling.factor.value()); });
  const Value factor = memory_.arguments[static_cast<std::size_t>(scaling.argument)].number;
  return x.mapped([&](Value part) { return part * b_.splat(factor, part.type().lanes); });
}

LaneIndex SideHooks::place_of(const kernel::Factors& factors, const Numbers& at) const {
  const LaneIndex place = *array_.place(factors.places, at);
  if (factors.sharing == 1) return place;
  // Adjacent lanes are columns of one row.
  return {place.first / base::to_signed(factors.sharing), 0};
}

void SideHooks::load_factors(const std::vector<Numbers>& numbers,
                             const ir::Condition& active) const {
  const ir::Condition inside = places_.inside(numbers), exists = active && inside;
  constexpr std::uint32_t kEverywhere = ~std::uint32_t{0};
  const std::uint32_t box =
      inside.is_always() || inside.is_never() ? kEverywhere : inside.value().id();
  for (std::size_t i = 0; i < hooked_.steps.size(); ++i) {
    const auto* factors = std::get_if<kernel::Factors>(&hooked_.steps[i]);
    if (!factors) continue;
    const FrameArgument& argument = memory_.arguments[factors->argument];
    const Value place = place_of(*factors, numbers[i]).first + argument.offset;
    const Value factor = b_.load_if(exists, argument.memory, place);
    const auto shared =
        f_.shared_factors.emplace(std::array{argument.memory.index, place.id(), box}, factor);
    f_.early_factors[{argument.memory.index, place.id(), numbers[i].first.id()}] =
        shared.first->second;
  }
}

Cx SideHooks::numbers_of(const kernel::Factors& factors, unsigned lanes, const At& at,
                         Value further) const {
  const FrameArgument& argument = memory_.arguments[factors.argument];
  const LaneIndex place = place_of(factors, at);
  const auto number = [&](Value index, std::uint64_t apart) {
    const auto early = f_.early_factors.find({argument.memory.index, index.id(), at.first.id()});
    if (early != f_.early_factors.end()) return early->second;
    return gathered(b_, argument.memory, index, base::to_signed(apart), lanes, at.exists);
  };
  Value first = place.first + argument.offset;
  if (further.valid()) first = first + further;
  if (!factors.complex) return {number(first, place.apart), {}};
  if (b_.element(argument.memory).lanes == 2) {
    const Value pair = number(first, 1);
    return {b_.extract(pair, 0), b_.extract(pair, 1)};
  }
  if (lanes > 1 && place.apart == 1 && at.exists.is_always()) {
    const Vectors parts = to_components({b_.load(argument.memory, first * 2, lanes),
                                         b_.load(argument.memory, first * 2 + lanes, lanes)});
    return {parts[0], parts[1]};
  }
  return {number(first * 2, 2 * place.apart), number(first * 2 + 1, 2 * place.apart)};
}

Element SideHooks::apply(const kernel::Factors& factors, const Element& x, const At& at,
                         Value further) const {
  const Cx factor = numbers_of(factors, x.lanes(), at, further);
  if (!factors.complex) return x.mapped([&](Value part) { return part * factor.re; });
  if (!factors.conjugate) return {x.x * factor};
  // Averages of cross spectra are real for two equal signals.
  return {hooked_.accumulates() ? times_conjugate(x.x, factor) : x.x * Cx{factor.re, -factor.im}};
}

Element SideHooks::apply(const kernel::Addition& addition, const Element& x, const At& at) const {
  const ir::Type wide{ir::Base::i64, 1};
  Value further = b_.integer(base::to_signed(addition.offset), wide);
  if (addition.argument >= 0) {
    const Value number = memory_.arguments[static_cast<std::size_t>(addition.argument)].number;
    further = further + b_.convert(number, wide) * base::to_signed(addition.unit);
  }
  Element term{numbers_of(addition.terms, x.lanes(), at, further)};
  if (addition.times >= 0) {
    const FrameArgument& buffer = memory_.arguments[static_cast<std::size_t>(addition.times)];
    const LaneIndex index = *array_.index(addition.axis, at);
    const Value first = b_.convert(index.first, wide) + buffer.offset;
    const Value times =
        gathered(b_, buffer.memory, first, base::to_signed(index.apart), x.lanes(), at.exists);
    term = term.mapped([&](Value part) { return part * times; });
  }
  const double factor = addition.factor.value();
  term = term.mapped([&](Value part) { return ir::scaled(part, factor); });
  const Value re = x.x.re + term.x.re;
  return {{re, x.real() || term.real() ? x.x.im : x.x.im + term.x.im}};
}

Element SideHooks::apply(const kernel::Power& power, const Element& x, const At&) const {
  if (power.decibels) {
    const Value level = ir::scaled(log2_of_power(x), 10 * std::log10(2.0));
    return {{b_.at_least(level, b_.real(10 * std::log10(power.floor.value()), level.type())), {}}};
  }
  const Value square = x.real() ? x.x.re * x.x.re : square_of(x.x);
  return {{square, {}}};
}

Element SideHooks::apply(const kernel::Conjugation&, const Element& x, const At&) const {
  return {{x.x.re, -x.x.im}};
}

Element SideHooks::apply(const kernel::RealPart&, const Element& x, const At&) const {
  return {{x.x.re, x.real() ? b_.real(0, x.x.re.type()) : Value{}}};
}

Element SideHooks::apply(const kernel::Modulation& modulation, const Element& x,
                         const At& at) const {
  const LaneIndex index = *array_.index(modulation.axis, at);
  const auto order = base::to_signed(modulation.denominator),
             turns = base::to_signed(modulation.numerator);
  if (turns == 0) return x;
  const ir::Type wide{ir::Base::i64, 1}, narrow{ir::Base::i32, 1};
  // The inputs or outputs of a butterfly share the variable part, and differ by a constant root.
  auto [first, further] = b_.split(index.first);
  if (further < 0 || !b_.sums().never_negative(first)) first = index.first, further = 0;
  const Value product = b_.convert(first % order, wide) * turns;
  Value phase = b_.convert(product % order, narrow);
  const unsigned lanes = x.lanes();
  if (lanes > 1 && index.apart > 0) {
    std::vector<int> steps(lanes);
    for (unsigned l = 0; l < lanes; ++l)
      steps[l] = static_cast<int>(base::to_signed(l * index.apart) % order * turns % order);
    const Value constants = b_.lane_constants(steps), sum = b_.splat(phase, lanes) + constants;
    const Value whole = b_.splat(b_.integer(order), lanes), less = sum - whole;
    const Value sign = b_.binary(ir::Op::shift_right, less, b_.splat(b_.integer(31), lanes));
    phase = less + b_.binary(ir::Op::bit_and, sign, whole);
  }
  Cx root = polynomial_root(phase, modulation.denominator, f_.real);
  if (further > 0) root = root * constant_root(f_, further % order * turns % order, order);
  if (root.re.type().lanes != lanes) root = {b_.splat(root.re, lanes), b_.splat(root.im, lanes)};
  return {x.x * root};
}

Element SideHooks::apply(const kernel::LineTwiddle& twiddle, const Element& x, const At& at) const {
  const bool wide = twiddle.points >= (std::uint64_t{1} << 29);  // as in phase_product()
  const ir::Type type{wide ? ir::Base::i64 : ir::Base::i32, 1};
  const auto index_along = [&](std::size_t axis) {
    const LaneIndex index = *array_.index(axis, at);
    return Index{b_.convert(index.first, type), static_cast<int>(index.apart)};
  };
  Index column = index_along(twiddle.column);
  column.base = column.base + base::to_signed(twiddle.first);
  if (twiddle.argument >= 0) {
    const Value number = memory_.arguments[static_cast<std::size_t>(twiddle.argument)].number;
    column.base = column.base + b_.convert(number, type);
  }
  const Value phase = phase_product(column, index_along(twiddle.along), twiddle.points, x.lanes());
  Cx root = polynomial_root(phase, twiddle.points, f_.real);
  if (twiddle.conjugate) root.im = -root.im;
  return {x.x * root};
}

// --- user's functions ---------------------------------------------------------------------------

Element SideHooks::apply(const kernel::Snippet& snippet, const Element& x, const At& at) const {
  ir::UserCall call;
  for (const std::uint32_t number : snippet.arguments)
    call.arguments.push_back(memory_.arguments[number].passed);
  const Element y = snippet.lanes ? called_at_once(snippet, call, x, at)
                                  : called_one_by_one(snippet, call, x, at);
  if (at.exists.is_always()) return y;
  return y.mapped([&](Value part) { return b_.select(at.exists, part, b_.real(0, part.type())); });
}

Element SideHooks::called_one_by_one(const kernel::Snippet& snippet, ir::UserCall call,
                                     const Element& x, const Numbers& at) const {
  const UserFunction function = user_function({f_.real, x.real()}, hooked_, snippet);
  call.function = function.name;
  const auto called = [&](const Element& own, const Numbers& one) -> Element {
    const Value value = own.real() ? own.x.re : b_.pair(own.x.re, own.x.im);
    const Value result = b_.user_call(function.texts, call, value.type(),
                                      {value, one.first, array_.number_in_member(one)});
    if (own.real()) return {{result, {}}};
    return {{b_.extract(result, 0), b_.extract(result, 1)}};
  };
  if (loops_over_lanes(x.lanes())) {
    const LaneCells cells(b_, "called", x, x.lanes());
    const Value first = b_.integer(0);
    cells.keep(first, x);
    b_.loop(x.lanes(), [&](Value lane) {
      cells.keep(lane, called(cells.load(lane, 1), array_.lane(at, lane)));
    });
    return cells.load(first, x.lanes());
  }
  std::vector<Element> lanes;
  for (unsigned l = 0; l < x.lanes(); ++l)
    lanes.push_back(called(lane_of(x, l), array_.lane(at, l)));
  return assembled(lanes);
}

/// Calls the function on vectors. A kernel contains the function for one width, that of its widest
/// vectors.
Element SideHooks::called_at_once(const kernel::Snippet& snippet, ir::UserCall call,
                                  const Element& x, const Numbers& at) const {
  UserLanes lanes{.width = widest(f_.step), .lanes = x.lanes()};
  if (lanes.lanes > 1) {
    lanes.element = at.spread.apart, lanes.member = array_.member(at)->apart;
    for (std::size_t d = 0; d < hooked_.lengths.size(); ++d)
      lanes.indices.push_back(array_.index(d, at)->apart);
  }
  const UserFunction function =
      user_function_of_lanes({f_.real, x.real()}, hooked_, snippet, lanes);
  call.function = function.name;
  const ir::Type wide{ir::Base::i64, 1};
  const Value number = b_.convert(array_.number_in_member(at), wide);
  const Value first = b_.pair(b_.convert(at.first, wide), number);
  const ir::Type type = f_.real.with_lanes(lanes.width);
  const auto part = [&](const char* name, const std::vector<Value>& values) {
    call.part = name;
    return resized(b_.user_call(function.texts, call, type, values), lanes.lanes);
  };
  const Value re = resized(x.x.re, lanes.width);
  if (x.real()) return {{part("", {re, first}), {}}};
  const std::vector<Value> values{re, resized(x.x.im, lanes.width), first};
  return {{part(".re", values), part(".im", values)}};
}

/// Calls the function that reads or writes memory, for one element of the type of `like`.
Element SideHooks::access_call(const Element& like, std::vector<Value> values, bool store) const {
  const kernel::Snippet& snippet = hooked_.access()->call;
  const UserFunction function =
      user_access({f_.real, like.real()}, snippet, memory_.passed.size() > 1, store);
  ir::UserCall call{function.name, memory_.passed};
  const std::string userdata =
      snippet.arguments.empty() ? "0" : memory_.arguments[snippet.arguments[0]].passed;
  call.arguments.push_back("(__global void*)(" + userdata + ")");
  const ir::Type type = f_.real.with_lanes(like.real() ? 1 : 2);
  const Value result = b_.user_call(function.texts, call, type, values);
  if (like.real()) return {{result, {}}};
  return {{b_.extract(result, 0), b_.extract(result, 1)}};
}

/// Calls `one` for each lane with its place in memory. Several lanes are processed in a loop,
/// because compilers are slow on hundreds of consecutive calls with unknown effects.
void SideHooks::each_lane(const LaneIndex& place, unsigned lanes,
                          const std::function<void(Value lane, Value offset)>& one) const {
  if (lanes == 1) return one(b_.integer(0), place.first);
  b_.loop(base::to_signed(lanes), [&](Value lane) {
    one(lane, place.first + b_.convert(lane, place.first.type()) * base::to_signed(place.apart));
  });
}

Element SideHooks::read(const LaneIndex& place, const Spread& spread,
                        const ir::Condition& condition, const Element& nothing) const {
  if (spread.width == 1 && condition.is_always()) return access_call(nothing, {place.first}, false);
  const LaneCells cells(b_, "read", nothing, spread.width);
  const Value first = b_.integer(0);
  if (!condition.is_always())
    cells.keep(first, nothing.mapped([&](Value part) { return b_.splat(part, spread.width); }));
  b_.when(condition, [&] {
    each_lane(place, spread.width, [&](Value lane, Value offset) {
      cells.keep(lane, access_call(nothing, {offset}, false));
    });
  });
  return cells.load(first, spread.width);
}

void SideHooks::write(const LaneIndex& place, const Element& x) const {
  const LaneCells lanes(b_, "written", x, x.lanes());
  const Value first = b_.integer(0);
  if (x.lanes() > 1) lanes.keep(first, x);
  each_lane(place, x.lanes(), [&](Value lane, Value offset) {
    const Element own = x.lanes() > 1 ? lanes.load(lane, 1) : x;
    const Value value = own.real() ? own.x.re : b_.pair(own.x.re, own.x.im);
    // A call whose result is not stored would be dropped.
    lanes.keep(lane, access_call(own, {value, offset}, true));
  });
}

}  // namespace imago::blocks
