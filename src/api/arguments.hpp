// This file checks what a call brings along, before anything is enqueued.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "base/errors.hpp"
#include "problem/problem.hpp"
#include "runtime/executable.hpp"
#include "runtime/known_queue.hpp"

namespace imago::api {

/// What every call of a plan must fit.
struct Home {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
};

/// One side of a call: the array, where its data lies and what the kernels do with it.
struct Side {
  const char* name = "";
  const Array& array;
  std::uint64_t offset = 0;  ///< of the array, in the side's elements
  const problem::Side& layout;
  bool read = false, written = false;
  /// The batch, where kernels touch the layout's elements and nothing between them; else 0.
  std::uint64_t members = 0;
};

/// What a plan holds; throws where the plan was moved from.
template <class State>
State& held(const std::unique_ptr<State>& state) {
  if (!state) base::invalid("the plan", "moved from", "use the plan that it was moved to");
  return *state;
}

/// The handles of `waits`, which must live on; throws for null and foreign ones.
std::span<const cl_event> check_waits(const Home& home, const std::vector<cl::Event>& waits);
/// Throws for a null queue.
void check_queue(cl_command_queue queue);
/// Throws for a foreign queue.
void check_queue(const Home& home, const runtime::KnownQueue& queue);
/// Throws for a null or foreign buffer, for one that is too small or may not be used so.
void check_side(const Home& home, const Side& side);
/// The values of a direction's hooks' arguments, in the order of `wanted`; throws for a name that
/// is missing, there twice or not known, for a number where a buffer is wanted or the reverse, and
/// for buffers as check_side does. `f64`: numbers of buffers take eight bytes.
std::vector<runtime::HookValue> check_arguments(const Home& home, bool f64,
                                                const std::vector<problem::HookArgument>& wanted,
                                                const std::vector<Argument>& given);
/// The arguments of a call after check_arguments().
struct HookValues {
  bool f64 = false;
  const std::vector<problem::HookArgument>& wanted;
  const std::vector<runtime::HookValue>& values;
};
/// Throws where a buffer of hooks shares memory with the side that a call writes: kernels may read
/// it at any time.
void check_apart(const HookValues& hooks, const Side& written);
/// Throws where two sides share memory. Elements of one may lie between those of the other.
void check_apart(const Side& a, const Side& b);
/// The memory of a workspace that a call uses, from its begin on.
struct Scratch {
  cl_mem memory = nullptr;
  std::uint64_t bytes = 0;
};
/// Throws where it shares memory with a side or a buffer of hooks: kernels overwrite it before they
/// have read all that they need.
void check_apart(const Scratch& scratch, std::span<const Side> sides);
void check_apart(const Scratch& scratch, const HookValues& hooks);
/// Throws where options bring a recipe, which is of one Plan, to what makes several.
void check_no_recipe(const Options& options, const char* field = "options.recipe");
/// Gives the caller's event variable an event.
void hand_over(runtime::Handle<cl_event> event, cl::Event* to);

}  // namespace imago::api
