// This file checks the arguments of a call before anything is enqueued.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <CL/opencl.hpp>
#include <imago/plan.hpp>

#include "base/errors.hpp"
#include "problem/problem.hpp"
#include "runtime/executable.hpp"
#include "runtime/known_queue.hpp"
#include "runtime/opencl.hpp"

namespace imago::api {

/// Returns a wrapper with its own reference. Throws if OpenCL fails to retain the object; copies of
/// opencl.hpp's wrappers do not report that.
template <class Wrapper>
Wrapper shared(typename Wrapper::cl_type object) {
  return Wrapper(runtime::Handle<typename Wrapper::cl_type>::shared(object).take(), false);
}
Argument copy_of(const Argument& argument);
/// Returns one argument, whose value is a buffer.
std::vector<Argument> one_argument(std::string name, const cl::Buffer& buffer);
/// Returns a call with the same workspace, arguments, count and list of events, and other waits,
/// but without an event of its own.
Call copy_of(const Call& call, std::span<const cl_event> waits);

/// Context and device of a plan; handles of its calls must belong to them.
struct Home {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
};

/// One side of a call: the array, its layout, and the access of the kernels.
struct Side {
  const char* name = "";
  const Array& array;
  std::uint64_t offset = 0;  ///< offset of the array, in the side's elements
  const problem::Side& layout;
  bool read = false, written = false;
  /// Size of the batch if kernels access only the layout's elements and nothing between them; else
  /// 0.
  std::uint64_t members = 0;
  std::uint64_t without = 0;  ///< elements at the end that the call does not access
};

// The functions below throw InvalidArgument.

/// Returns the handles of `waits`, which must outlive the result. Throws for null events and those
/// of other contexts.
std::span<const cl_event> check_waits(const Home& home, const std::vector<cl::Event>& waits);
/// Throws if the call is one for a part of the batch (Call::count).
void check_whole_batch(const Call& call);
/// Throws for a null queue.
void check_queue(cl_command_queue queue);
/// Throws for a queue of another context or device.
void check_queue(const Home& home, const runtime::KnownQueue& queue);
/// Throws for a buffer that is null or of another context, that is too small, or whose flags forbid
/// the access.
void check_side(const Home& home, const Side& side);
/// Throws if a direction, whose function is `back` if it is inverse, was not compiled.
template <class Made>
void check_compiled(const Made& direction, bool is_inverse, const char* back = "inverse()") {
  if (!direction)
    base::invalid("directions", is_inverse ? "forward" : "inverse",
                  std::string(is_inverse ? back : "forward()") + " was not compiled: use both or " +
                      (is_inverse ? "inverse" : "forward"));
}
/// Returns the values of the arguments of a direction's hooks, in the order of `wanted`. They are
/// those of a call, and those that the plan itself supplies. Throws for a name that is missing,
/// repeated or unknown, for a number instead of a buffer and the reverse, and for buffers like
/// check_side(). `f64`: numbers in buffers have eight bytes.
std::vector<runtime::HookValue> check_arguments(const Home& home, bool f64,
                                                const std::vector<problem::HookArgument>& wanted,
                                                std::span<const Argument> call,
                                                std::span<const Argument> own);
/// The arguments of a call after check_arguments().
struct HookValues {
  bool f64 = false;
  const std::vector<problem::HookArgument>& wanted;
  const std::vector<runtime::HookValue>& values;
};
/// Throws if a buffer of hooks shares memory with the side that a call writes: kernels may read it
/// at any time.
void check_apart(const HookValues& hooks, const Side& written);
/// Throws if two sides share memory. Elements of one may be between those of the other.
void check_apart(const Side& a, const Side& b);
/// The memory of a workspace that a call uses, starting at its first byte.
struct Scratch {
  cl_mem memory = nullptr;
  std::uint64_t bytes = 0;
};
/// Throws if scratch memory overlaps a side or a buffer of hooks: kernels write it before they have
/// read all of their input.
void check_apart(const Scratch& scratch, std::span<const Side> sides);
void check_apart(const Scratch& scratch, const HookValues& hooks);
/// Throws if options contain a recipe, which belongs to one Plan, but several plans are made.
void check_no_recipe(const Options& options, const char* field = "options.recipe");
/// Moves an event to the caller's variable, if there is one.
void hand_over(runtime::Handle<cl_event> event, cl::Event* to);

}  // namespace imago::api
