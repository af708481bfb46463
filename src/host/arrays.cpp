// This file checks host arrays.
#include "host/arrays.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "base/errors.hpp"
#include "problem/make_problem.hpp"

namespace imago::host {
namespace {

/// Returns the bytes of the real numbers in an input or output, which are also its alignment.
std::size_t number_bytes(const problem::Side& side) {
  return side.real || side.storage == Storage::planar ? side.element_bytes : side.element_bytes / 2;
}

void check_pointer(const char* name, const void* data, const problem::Side& side) {
  if (!data) base::invalid(name, "null", "give the array");
  const std::size_t bytes = number_bytes(side);
  if (reinterpret_cast<std::uintptr_t>(data) % bytes != 0)
    base::invalid(name, data, "at a multiple of " + std::to_string(bytes) + " bytes");
}

void check_apart(const HostBytes& a, const HostBytes& b) {
  const auto *first = static_cast<const char*>(a.data), *second = static_cast<const char*>(b.data);
  const std::less<> before;
  if (before(first, second + b.bytes) && before(second, first + a.bytes))
    base::invalid("the distance of signal and spectrum", second - first,
                  "they share memory: out of place they lie apart");
}

void check_storage(const char* name, const Layout& layout) {
  if (layout.storage == Storage::planar)
    base::unsupported(std::string(name) + ".storage is planar: a host array is one piece of memory",
                      "make it interleaved");
}

}  // namespace

Whole::Whole(const Transform& of) : transform(of), problem(problem::make_problem(of)) {
  check_storage("signal", of.signal);
  check_storage("spectrum", of.spectrum);
  for (const bool inverse : {false, true}) {
    const auto arguments = problem.arguments(inverse);
    if (!arguments.empty())
      base::unsupported("hooks of a host transform take the argument " + arguments.front().name,
                        "calls of a HostPlan bring none; use a Plan on buffers");
  }
}

void Whole::check(bool inverse, const Arrays& arrays) const {
  if (inverse ? !problem.has_inverse() : !problem.has_forward())
    base::invalid("directions", inverse ? "forward" : "inverse",
                  std::string(inverse ? "inverse()" : "forward()") + " was not compiled");
  const bool in_place = problem.placement == Placement::in_place;
  if (arrays.placement != problem.placement)
    base::invalid("the number of arrays", in_place ? 2 : 1,
                  in_place ? "the transform is in place: give one array"
                           : "the transform is out of place: give a signal and a spectrum");
  const char* const from = in_place ? "data" : inverse ? "spectrum" : "signal";
  const char* const to = in_place ? "data" : inverse ? "signal" : "spectrum";
  check_pointer(from, arrays.from, problem.memory(inverse, false));
  check_pointer(to, arrays.to, problem.memory(inverse, true));
  if (in_place) return;
  check_apart({const_cast<void*>(arrays.from), problem.memory(inverse, false).bytes()},
              {arrays.to, problem.memory(inverse, true).bytes()});
}

}  // namespace imago::host
