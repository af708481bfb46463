// This file checks the hooks of a Transform.
#include "problem/hooks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "problem/checks.hpp"
#include "problem/hooked_memory.hpp"
#include "problem/layout.hpp"
#include "user_code/user_text.hpp"

namespace imago::problem {
namespace {

// Limit of a phase and of its step from lane to lane, so that their sum fits an int.
constexpr std::uint64_t kLargestDenominator = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 60;  // 4 times a phase fits a long
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 62;
// Limit of offsets: a user's function that reads or writes memory receives a uint.
constexpr std::uint64_t kMostOffsets = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostFactors = std::uint64_t{1} << 62;
constexpr std::size_t kMostBytes = 4096;

std::size_t bytes_of(Integer type) { return type == Integer::i8 || type == Integer::u8 ? 1 : 2; }

/// Returns the extents that packed strides step over. In place, rows of real numbers have the space
/// of their half spectrum.
std::vector<std::uint64_t> padded_lengths(const Problem& p, const Side& side) {
  std::vector<std::uint64_t> padded = side.lengths;
  if (!side.real || p.placement == Placement::out_of_place || p.filter) return padded;
  if (const auto axis = p.real_axis()) padded[*axis] = 2 * (p.lengths[*axis] / 2 + 1);
  return padded;
}

/// Throws Unsupported if offsets of the side do not fit the type that the hook receives.
void check_offsets(const HookedEnd& end, std::size_t hook, const Side& side) {
  if (side.end <= kMostOffsets) return;
  base::unsupported(end.name_of(hook) +
                        ": the array has elements at offset 2^32 or above, and the function gets "
                        "the offset as a uint",
                    "use code, which gets the element instead");
}

/// Returns the number of factors of `multiply`, the caller's `field`, for an array with these
/// lengths and `arrays[0] * arrays[1]` of them.
std::uint64_t count_factors(const std::string& field, const hook::Multiply& multiply,
                            std::array<std::uint64_t, 2> arrays,
                            const std::vector<std::uint64_t>& lengths) {
  std::optional<std::uint64_t> count = base::checked_multiply(arrays[0], arrays[1]);
  for (std::size_t d = 0; d < lengths.size(); ++d) {
    if (!multiply.axes || std::count(multiply.axes->begin(), multiply.axes->end(), d) > 0)
      count = count ? base::checked_multiply(*count, lengths[d]) : count;
  }
  if (multiply.axes) {
    for (std::size_t i = 0; i < multiply.axes->size(); ++i) {
      const std::size_t axis = (*multiply.axes)[i];
      const std::string name = field + ".axes[" + std::to_string(i) + "]";
      problem::check_axis(name, axis, lengths.size());
      if (i > 0 && axis <= (*multiply.axes)[i - 1])
        base::invalid(name, axis, "give the axes in ascending order, each once");
    }
  }
  if (!count || *count > kMostFactors)
    base::invalid(field + ".argument", multiply.argument, "it must have at most 2^62 factors");
  return *count;
}

/// Returns the end of the first buffer of `add`, in numbers or pairs.
std::uint64_t end_of_terms(const std::string& field, const hook::Add& add, std::uint64_t batch,
                           const std::vector<std::uint64_t>& lengths) {
  if (!add.strides.empty() && add.strides.size() != lengths.size())
    base::invalid("the size of " + field + ".strides", add.strides.size(),
                  "give one stride per length, or none");
  std::optional<std::uint64_t> end = base::checked_add(add.offset, 1);
  const auto reach = [&](std::uint64_t extent, std::uint64_t stride) {
    const auto further = base::checked_multiply(extent - 1, stride);
    end = end && further ? base::checked_add(*end, *further) : std::nullopt;
  };
  reach(batch, add.distance);
  if (add.strides.empty()) {
    std::optional<std::uint64_t> size = 1;
    for (const std::uint64_t length : lengths)
      if (size) size = base::checked_multiply(*size, length);
    if (size) reach(*size, 1);
  }
  for (std::size_t d = 0; d < add.strides.size(); ++d) reach(lengths[d], add.strides[d]);
  if (!end || *end > kMostFactors)
    base::invalid(field + ".argument", add.argument, "it must have at most 2^62 numbers");
  return *end;
}

/// The sites of hooks: at load, at store, or in the middle of a filter.
enum class HookSite { load, store, spectrum };

/// Checks the hooks of one end, or of a filter's spectrum, in their order, and tracks the type and
/// place of elements.
class EndChecker {
 public:
  EndChecker(const Computation& c, const Problem& p, const Side& side, HookSite site)
      : t_(c.transform),
        names_(c.names),
        p_(p),
        side_(side),
        site_(site),
        store_(site == HookSite::store),
        real_(side.real),
        loads_real_(side.real),
        memory_(side.lengths, site == HookSite::store) {
    end_.elements = p.batch;
    for (const std::uint64_t length : side_.lengths) end_.elements *= length;
  }

  HookedEnd check(const std::vector<Hook>& hooks, const HookListName& list) {
    end_.hooks = hooks, end_.field = list.name, end_.before = list.before;
    // At load elements are real up to the hook that makes them complex.
    if (site_ == HookSite::load && contain_real_part(hooks)) real_ = loads_real_ = true;
    for (at_ = 0; at_ < end_.hooks.size(); ++at_)
      std::visit([this](const auto& hook) { check(hook); }, end_.hooks[at_]);
    if (site_ != HookSite::spectrum) end_.memory = memory();
    return std::move(end_);
  }

 private:
  std::string field(const std::string& name) const { return end_.name_of(at_) + name; }
  void check_axis(const std::string& name, std::size_t axis) const {
    problem::check_axis(field(name), axis, side_.lengths.size());
  }

  void take(const std::string& name, HookArgument argument) {
    user_code::check_user_name(name, argument.name);
    end_.arguments.push_back(std::move(argument));
  }
  HookArgument::Type type_of_buffer(bool real) const {
    return real || real_ ? HookArgument::Type::real_buffer : HookArgument::Type::complex_buffer;
  }
  /// Takes the buffer of `multiply`, the caller's `name`, with factors for each of some arrays.
  void take_factors(const std::string& name, const hook::Multiply& multiply, std::uint64_t arrays) {
    const std::uint64_t count =
        count_factors(name, multiply, {arrays, multiply.batched ? p_.batch : 1}, side_.lengths);
    take(name + ".argument", {type_of_buffer(multiply.real), multiply.argument, count});
  }

  /// Throws for a hook in a filter that would move elements or change their type.
  void check_not_in_filter(const char* hook) const {
    if (site_ == HookSite::spectrum)
      base::invalid(field(""), hook,
                    "in a filter it must be scale, window, multiply, conjugate, zero_outside, "
                    "modulate or code");
  }

  void check(const hook::Scale& scale) {
    check_number(field(".factor"), scale.factor, t_.precision);
    if (!scale.argument.empty())
      take(field(".argument"), {HookArgument::Type::real, scale.argument});
  }

  void check(const hook::Multiply& multiply) { take_factors(field(""), multiply, 1); }

  void check(const hook::WeightedSum& sum) {
    check_not_in_filter("weighted_sum");
    if (store_ || at_ != 0)
      base::invalid(field(""), "weighted_sum", "it must be the first hook at load");
    if (sum.count == 0) base::invalid(field(".count"), 0, "it must be at least 1");
    check_out_of_place("weighted_sum", "reads other elements than its own");
    take_factors(field(".weights"), sum.weights, sum.count);
    const auto reach = base::checked_multiply(sum.count - 1, sum.stride);
    if (!reach || *reach > kMostElements)
      base::invalid(field(".stride"), sum.stride, "(count - 1) * stride must be at most 2^62");
    beyond_ = *reach;
  }

  void check(const hook::Add& add) {
    check_not_in_filter("add");
    check_number(field(".factor"), add.factor, t_.precision);
    const std::uint64_t end = end_of_terms(field(""), add, p_.batch, side_.lengths);
    take(field(".argument"), {type_of_buffer(add.real), add.argument, end});
    if (!add.times.empty()) {
      check_axis(".axis", add.axis);
      take(field(".times"), {HookArgument::Type::real_buffer, add.times, side_.lengths[add.axis]});
    }
    if (!add.argument_of_offset.empty())
      take(field(".argument_of_offset"), {HookArgument::Type::integer, add.argument_of_offset, 1});
  }

  void check(const hook::ZeroOutside& box) {
    check_axis(".axis", box.axis);
    memory_.take(box, field(""));
  }

  void check(const hook::Frames& frames) {
    check_not_in_filter("frames");
    check_axis(".frames", frames.frames);
    check_axis(".axis", frames.axis);
    memory_.take(frames, layout(), side_name(), field(""));
    if (!frames.argument.empty())
      take(field(".argument"), {HookArgument::Type::integer, frames.argument, 1});
  }

  /// Throws if a hook that reads or writes memory is not the one next to memory.
  void check_at_memory(const char* load, const char* store) const {
    const std::string name = store_ ? store : load;
    check_not_in_filter(name.c_str());
    if (at_ != (store_ ? end_.hooks.size() - 1 : 0))
      base::invalid(field(""), name,
                    store_ ? "it must be the last hook" : "it must be the first hook");
  }

  void check(const hook::Stored& stored) {
    check_at_memory("from_integer", "to_integer");
    if (stored.type < Integer::i8 || stored.type > Integer::u16)
      base::invalid(field(".type"), static_cast<int>(stored.type), "it must be i8, u8, i16 or u16");
    check_number(field(".scale"), stored.scale, t_.precision);
    end_.integers = stored.type;
  }

  void check(const hook::Power& power) {
    check_not_in_filter("power");
    if (!store_)
      base::invalid(field(""), "power", "use it at store only: it makes elements real numbers");
    if (power.decibels && !(power.floor > 0 && std::isfinite(power.floor)))
      base::invalid(field(".floor"), power.floor, "it must be a finite number above 0");
    real_ = true;
  }

  static bool contain_real_part(const std::vector<Hook>& hooks) {
    return std::any_of(hooks.begin(), hooks.end(), [](const Hook& hook) {
      return std::holds_alternative<hook::RealPart>(hook);
    });
  }

  void check(const hook::RealPart&) {
    const char* const hook = store_ ? "to_real" : "from_real";
    check_not_in_filter(hook);
    if (side_.real || (store_ == real_))
      base::invalid(field(""), hook,
                    side_.real ? "leave it out: the transform's elements are real numbers here"
                               : "use it once: elements here are " +
                                     std::string(store_ ? "real" : "complex") + " already");
    real_ = store_;
  }

  void check_complex(const char* hook) const {
    if (real_)
      base::invalid(field(""), hook,
                    "it needs complex elements, and elements here are real numbers");
  }

  void check(const hook::Shift& shift) {
    check_not_in_filter("shift");
    for (std::size_t i = 0; i < shift.axes.size(); ++i) {
      const std::string name = ".axes[" + std::to_string(i) + "]";
      check_axis(name, shift.axes[i]);
      if (std::count(shift.axes.begin(), shift.axes.end(), shift.axes[i]) > 1)
        base::invalid(field(name), shift.axes[i], "give each axis once");
    }
    check_out_of_place("shift", "moves elements");
    memory_.move(field(""));
  }

  void check(const hook::Roll& roll) {
    check_not_in_filter("roll");
    check_axis(".axis", roll.axis);
    check_out_of_place("roll", "moves elements");
    memory_.move(field(""));
  }

  void check(const hook::Modulate& modulate) const {
    check_axis(".axis", modulate.axis);
    if (modulate.denominator == 0 || modulate.denominator >= kLargestDenominator)
      base::invalid(field(".denominator"), modulate.denominator, "it must be from 1 to 2^30 - 1");
    check_complex("modulate");
  }

  void check(const hook::LineTwiddle& twiddle) {
    check_not_in_filter("line_twiddle");
    check_axis(".along", twiddle.along);
    check_axis(".column", twiddle.column);
    if (twiddle.column == twiddle.along)
      base::invalid(field(".column"), twiddle.column, "it must differ from .along");
    const auto columns = base::checked_add(twiddle.first, side_.lengths[twiddle.column] - 1);
    const auto most =
        columns ? base::checked_multiply(*columns, side_.lengths[twiddle.along] - 1) : columns;
    if (!most || twiddle.points <= *most || twiddle.points > kMostPoints)
      base::invalid(field(".points"), twiddle.points,
                    "it must be above the largest phase, and at most 2^60");
    if (!twiddle.argument.empty())
      take(field(".argument"), {HookArgument::Type::integer, twiddle.argument, 1});
    check_complex("line_twiddle");
  }

  void check(const hook::Conjugate&) const { check_complex("conjugate"); }

  void check(const hook::Accumulate&) const {
    if (site_ == HookSite::load)
      base::invalid(field(""), "accumulate", "use it at store only: it adds to the output");
    check_at_memory("accumulate", "accumulate");
    check_out_of_place("accumulate", "adds to the input");
  }

  void check(const hook::Code& code) {
    user_code::check_user_name(field(".function"), code.function);
    user_code::check_user_text(field(".text"), code.text, code.function);
    for (const hook::Parameter& parameter : code.parameters) {
      const auto type = static_cast<HookArgument::Type>(parameter.type);
      take(field(".parameters"), {type, parameter.name, 1});
    }
  }

  void check(const hook::Access& access) {
    check_at_memory("load_code", "store_code");
    user_code::check_user_name(field(".function"), access.function);
    user_code::check_user_text(field(".text"), access.text, access.function);
    if (!access.userdata.empty())
      take(field(".userdata"), {HookArgument::Type::real_buffer, access.userdata, 1});
    if (access.bytes > kMostBytes)
      base::invalid(
          field(".bytes"), access.bytes,
          "it must be at most " + std::to_string(kMostBytes) + " (0: the size of an element)");
    access_ = &access, access_at_ = at_;
  }

  const Layout& layout() const { return &side_ == &p_.spectrum ? t_.spectrum : t_.signal; }
  const char* side_name() const { return &side_ == &p_.spectrum ? names_.spectrum : "signal"; }

  void check_out_of_place(const char* hook, const char* what) const {
    if (t_.placement == Placement::in_place)
      base::unsupported(field("") + ": " + hook + " " + what + ", which cannot be done in place",
                        "use Placement::out_of_place");
  }

  Side memory() {
    const bool real = store_ ? real_ : loads_real_;  // in memory
    if (end_.integers || real != side_.real || (access_ && access_->bytes != 0)) {
      at_ = end_.hooks.size() - 1;
      check_out_of_place("it", "changes the size of elements");
    }
    SideRequest request{layout(), side_name()};
    request.padded = padded_lengths(p_, side_);
    memory_.place(request, end_.field);
    request.batch = p_.batch;
    request.written = store_;
    request.real = real;
    request.element_bytes = end_.integers ? bytes_of(*end_.integers) : base::bytes_of(t_.precision);
    if (!real && request.layout.storage != Storage::planar) request.element_bytes *= 2;
    if (access_ && access_->bytes != 0) request.element_bytes = access_->bytes;
    if (real && request.layout.storage == Storage::planar)
      base::invalid(std::string(request.name) + ".storage", "planar",
                    "it must be interleaved: real numbers have one part");
    Side side = make_side(request);
    const auto end = base::checked_add(side.end, beyond_);
    if (!end || *end > kMostElements / side.element_bytes)
      base::invalid(end_.field + "[0].stride", beyond_, "all elements must lie below byte 2^62");
    side.end = *end;
    if (access_) check_offsets(end_, access_at_, side);
    return side;
  }

  const Transform& t_;
  const FieldNames names_;
  const Problem& p_;
  const Side& side_;
  const HookSite site_;
  const bool store_;
  bool real_;                 ///< true if elements are real after the hooks so far
  bool loads_real_;           ///< true if elements are real before the first hook
  std::uint64_t beyond_ = 0;  ///< distance from the first to the last array of a sum, in elements
  std::size_t at_ = 0;        ///< index of the hook
  const hook::Access* access_ = nullptr;  ///< hook that reads or writes memory itself; null: none
  std::size_t access_at_ = 0;
  HookedMemory memory_;
  HookedEnd end_;
};

}  // namespace

HookedEnd make_hooked_end(const Computation& computation, const Problem& problem, bool inverse,
                          bool store) {
  const Transform& transform = computation.transform;
  const Hooks& hooks = inverse ? transform.on_inverse : transform.on_forward;
  return EndChecker(computation, problem, problem.side(inverse, store),
                    store ? HookSite::store : HookSite::load)
      .check(store ? hooks.store : hooks.load, computation.names.ends[inverse][store]);
}

HookedEnd make_filter(const Computation& filter, const Problem& problem) {
  Side spectrum;
  spectrum.lengths = problem.spectrum_lengths();
  return EndChecker(filter, problem, spectrum, HookSite::spectrum)
      .check(*filter.filter, filter.names.filter);
}

void Problem::check_for_pairs() const {
  const auto check = [](const std::optional<HookedEnd>& end) {
    for (std::size_t i = 0; end && i < end->hooks.size(); ++i) {
      const Hook& hook = end->hooks[i];
      if (std::holds_alternative<hook::Code>(hook) || std::holds_alternative<hook::Access>(hook))
        base::unsupported(
            end->name_of(i) + " is OpenCL C with doubles, and f64 is computed in pairs",
            "use Precision::f32, imago's own hooks, or a device with doubles");
    }
  };
  check(filter);
  for (const auto& direction : hooked) {
    for (const auto& end : direction) check(end);
  }
}

}  // namespace imago::problem
