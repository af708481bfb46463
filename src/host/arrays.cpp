// This file checks host arrays.
#include "host/arrays.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "base/errors.hpp"
#include "problem/make_problem.hpp"

namespace imago::host {
namespace {

/// Returns the bytes of the real numbers in an input or output, which are also its alignment.
std::size_t number_bytes(const problem::Side& side) {
  return side.real || side.storage == Storage::planar ? side.element_bytes : side.element_bytes / 2;
}

/// True if a user's function reads or writes the memory.
bool accesses_memory(const problem::HookedEnd& end) {
  return std::any_of(end.hooks.begin(), end.hooks.end(),
                     [](const Hook& hook) { return std::holds_alternative<hook::Access>(hook); });
}

/// One array of a call.
struct Given {
  const char* name;
  ConstHostArray array;
  const problem::Side& side;
  std::size_t needed;     ///< bytes
  bool is_float = false;  ///< its numbers are floats or doubles
  bool typed = true;      ///< false: a user's function decides what its bytes are
};

void check_type(const Given& given) {
  const HostNumber& number = given.array.number();
  if (number.bytes == 0 || !given.typed) return;
  const std::size_t bytes = number_bytes(given.side);
  const auto word = [](bool floating, std::size_t size) {
    return std::string(floating ? "floating-point numbers" : "integers or f16 numbers") + " of " +
           std::to_string(size) + " bytes";
  };
  if (number.bytes != bytes || number.floating != given.is_float)
    base::invalid(given.name, "an array of " + word(number.floating, number.bytes),
                  "the plan's precision and hooks need " + word(given.is_float, bytes));
  if (number.complex && given.side.real)
    base::invalid(given.name, "an array of complex numbers", "it must be an array of real numbers");
}

void check_array(const Given& given) {
  check_pointer(given.name, given.array.data(), number_bytes(given.side));
  check_type(given);
  if (given.array.bytes() < given.needed)
    base::invalid(given.name, std::to_string(given.array.bytes()) + " bytes",
                  "it must be at least " + std::to_string(given.needed));
}

void check_storage(const char* name, const Layout& layout) {
  if (layout.storage == Storage::planar)
    base::unsupported(std::string(name) + ".storage is planar, and host arrays must be interleaved",
                      "use Storage::interleaved");
}

}  // namespace

void check_pointer(const char* name, const void* data, std::size_t number_bytes) {
  if (!data) base::invalid(name, "null", "give the array");
  if (reinterpret_cast<std::uintptr_t>(data) % number_bytes != 0)
    base::invalid(name, data,
                  "its address must be a multiple of " + std::to_string(number_bytes) + " bytes");
}

void check_apart(const std::string& names, const HostBytes& a, const HostBytes& b) {
  const auto *first = static_cast<const char*>(a.data), *second = static_cast<const char*>(b.data);
  const std::less<> before;
  if (before(first, second + b.bytes) && before(second, first + a.bytes))
    base::invalid("the distance of " + names, second - first, "out of place they must not overlap");
}

Whole::Whole(const Transform& of) : transform(of), problem(problem::make_problem(of)) {
  check_storage("signal", of.signal);
  check_storage("spectrum", of.spectrum);
  for (const bool inverse : {false, true}) {
    const auto arguments = problem.arguments(inverse);
    if (!arguments.empty())
      base::unsupported("a hook needs the argument " + arguments.front().name +
                            ", and calls of a HostPlan have no arguments",
                        "use a Plan on buffers");
  }
}

void Whole::check(bool inverse, const Arrays& arrays) const {
  if (inverse ? !problem.has_inverse() : !problem.has_forward())
    base::invalid("directions", inverse ? "forward" : "inverse",
                  inverse ? "inverse() was not compiled: use both or inverse"
                          : "forward() was not compiled: use both or forward");
  const bool in_place = problem.placement == Placement::in_place;
  if (arrays.placement != problem.placement)
    base::invalid("the number of arrays", in_place ? 2 : 1,
                  in_place ? "the transform is in place: give one array"
                           : "the transform is out of place: give a signal and a spectrum");
  const char* const from = in_place ? "data" : inverse ? "spectrum" : "signal";
  const char* const to = in_place ? "data" : inverse ? "signal" : "spectrum";
  const auto given = [&](const char* name, const ConstHostArray& array, bool store) {
    const auto& end = problem.hooked[inverse][store];
    const problem::Side& side = problem.memory(inverse, store);
    return Given{name,
                 array,
                 side,
                 in_place ? problem.bytes(inverse != store) : side.bytes(),
                 problem.precision != Precision::f16 && !(end && end->integers),
                 !(end && accesses_memory(*end))};
  };
  check_array(given(from, arrays.from, false));
  check_array(given(to, arrays.to, true));
  if (in_place) return;
  check_apart("signal and spectrum",
              {const_cast<void*>(arrays.from.data()), problem.memory(inverse, false).bytes()},
              {arrays.to.data(), problem.memory(inverse, true).bytes()});
}

}  // namespace imago::host
