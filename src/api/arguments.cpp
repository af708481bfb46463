// This file checks the arguments of a call.
#include "api/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "problem/checks.hpp"
#include "runtime/memory_facts.hpp"

namespace imago::api {

Argument copy_of(const Argument& argument) {
  if (!argument.buffer()) return Argument(argument.name(), argument.number());
  return Argument(argument.name(), shared<cl::Buffer>(argument.buffer()), argument.offset());
}

std::vector<Argument> one_argument(std::string name, const cl::Buffer& buffer) {
  std::vector<Argument> arguments;
  arguments.emplace_back(std::move(name), shared<cl::Buffer>(buffer()));
  return arguments;
}

Call copy_of(const Call& call, std::span<const cl_event> waits) {
  Call copy{.workspace = call.workspace};
  for (const cl_event wait : waits) copy.waits.push_back(shared<cl::Event>(wait));
  for (const Argument& argument : call.arguments) copy.arguments.push_back(copy_of(argument));
  copy.events = call.events, copy.count = call.count;
  return copy;
}

void check_whole_batch(const Call& call) {
  if (call.count != 0)
    base::invalid("call.count", call.count,
                  "it must be 0: only Plan and Filter compute a part of their batch");
}

namespace {

/// Returns the smallest size of a side's buffer in bytes; nothing if it overflows.
std::optional<std::uint64_t> end_bytes(const Side& side) {
  const auto end = base::checked_add(side.layout.end - side.without, side.offset);
  return end ? base::checked_multiply(*end, side.layout.element_bytes) : std::nullopt;
}

void check_access(const Side& side, cl_mem_flags flags) {
  if (side.read && (flags & CL_MEM_WRITE_ONLY)) {
    base::invalid(side.name, "a CL_MEM_WRITE_ONLY buffer", "kernels must be able to read it");
  }
  if (side.written && (flags & CL_MEM_READ_ONLY)) {
    base::invalid(side.name, "a CL_MEM_READ_ONLY buffer", "kernels must be able to write it");
  }
}

/// The bytes of a side in its buffer; for a sub-buffer, counted from the start of the parent.
struct Range {
  cl_mem parent = nullptr;
  std::uint64_t begin = 0, end = 0;
};

Range range_of(const Side& side, cl_mem memory) {
  const auto [parent, origin] = runtime::parent_of(memory);
  const std::uint64_t first = (side.layout.offset + side.offset) * side.layout.element_bytes;
  return {parent, origin + first, origin + *end_bytes(side)};
}

/// One buffer of a side: its array, or one of the two arrays of a planar side.
struct Buffer {
  cl_mem memory = nullptr;
  const char* part = "";  ///< ends the side's name
};

std::string name_of(const Side& side, const Buffer& buffer) {
  return std::string(side.name) + buffer.part;
}

void check_memory(const Home& home, const Side& side, const Buffer& buffer) {
  if (!buffer.memory) base::invalid(name_of(side, buffer), "null", "give a buffer");
  const auto facts = runtime::facts_of(buffer.memory);
  if (!facts.is_buffer) {
    base::invalid(name_of(side, buffer), "not a buffer", "give a buffer, not an image or a pipe");
  }
  if (facts.context != home.context) {
    base::invalid(name_of(side, buffer), "of another context",
                  "give a buffer of the plan's context");
  }
  const auto end = end_bytes(side);
  if (!end || *end > facts.bytes) {
    base::invalid(name_of(side, buffer), std::to_string(facts.bytes) + " bytes",
                  "with an offset of " + std::to_string(side.offset) +
                      " elements it must be at least " + (end ? std::to_string(*end) : "2^64"));
  }
  check_access(side, facts.flags);
}

/// Calls each(buffer) for the buffers of a side.
template <class Each>
void each_buffer(const Side& side, Each each) {
  if (side.layout.storage != Storage::planar) return each(Buffer{side.array.re()});
  each(Buffer{side.array.re(), ".re"});
  each(Buffer{side.array.im(), ".im"});
}

/// Calls each(extent, stride in bytes) for the dimensions of a side that have more than one index.
template <class Each>
void each_dimension(const Side& side, Each each) {
  const problem::Side& layout = side.layout;
  for (std::size_t d = 0; d < layout.lengths.size(); ++d) {
    if (layout.lengths[d] > 1) each(layout.lengths[d], layout.strides[d] * layout.element_bytes);
  }
  if (side.members > 1) each(side.members, layout.distance * layout.element_bytes);
}

/// Returns the bytes of the smallest block whose copies, at multiples of `pitch`, hold all of a
/// side.
std::uint64_t block_bytes(const Side& side, std::uint64_t pitch) {
  std::uint64_t bytes = side.layout.element_bytes;
  each_dimension(side, [&](std::uint64_t extent, std::uint64_t stride) {
    if (stride % pitch != 0) bytes += (extent - 1) * stride;
  });
  return bytes;
}

/// True if the blocks of one side are between those of the other, for one of the pitches that it
/// tries. `distance` is that from the first byte of `a` to the first byte of `b`.
bool interleave(const Side& a, const Side& b, std::int64_t distance) {
  if (a.members == 0 || b.members == 0) return false;
  bool found = false;
  std::uint64_t common = 0;
  const auto try_pitch = [&](std::uint64_t pitch) {
    if (pitch == 0) return;
    const auto signed_pitch = static_cast<std::int64_t>(pitch);
    const auto offset =
        static_cast<std::uint64_t>((distance % signed_pitch + signed_pitch) % signed_pitch);
    found |= offset >= block_bytes(a, pitch) && offset + block_bytes(b, pitch) <= pitch;
  };
  for (const Side* side : {&a, &b}) {
    each_dimension(*side, [&](std::uint64_t, std::uint64_t stride) {
      try_pitch(stride);
      common = std::gcd(common, stride);
    });
  }
  try_pitch(common);
  return found;
}

void check_buffers_apart(const Side& a, const Buffer& of_a, const Side& b, const Buffer& of_b) {
  const Range x = range_of(a, of_a.memory), y = range_of(b, of_b.memory);
  if (x.parent != y.parent || x.end <= y.begin || y.end <= x.begin) return;
  if (interleave(a, b, static_cast<std::int64_t>(y.begin - x.begin))) return;
  base::invalid(name_of(b, of_b),
                "bytes " + std::to_string(y.begin) + " to " + std::to_string(y.end),
                "it must not overlap " + name_of(a, of_a) + ", bytes " + std::to_string(x.begin) +
                    " to " + std::to_string(x.end) + " of the same buffer");
}

}  // namespace

std::span<const cl_event> check_waits(const Home& home, const std::vector<cl::Event>& waits) {
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const auto field = [i] { return "waits[" + std::to_string(i) + "]"; };
    if (!waits[i]()) base::invalid(field(), "null", "give events that commands returned");
    const auto context =
        runtime::info<cl_context>(clGetEventInfo, "clGetEventInfo", waits[i](), CL_EVENT_CONTEXT);
    if (context != home.context)
      base::invalid(field(), "of another context", "give events of the plan's context");
  }
  // opencl.hpp's wrappers consist only of a handle; opencl.hpp itself passes vectors of them to the
  // C API.
  static_assert(sizeof(cl::Event) == sizeof(cl_event));
  return {reinterpret_cast<const cl_event*>(waits.data()), waits.size()};
}

void check_queue(cl_command_queue queue) {
  if (!queue)
    base::invalid("queue", "null", "give a command queue of the plan's context and device");
}

void check_queue(const Home& home, const runtime::KnownQueue& queue) {
  if (queue.context() != home.context)
    base::invalid("queue", "of another context", "give a queue of the plan's context");
  if (queue.device() != home.device)
    base::invalid("queue", "of another device", "give a queue of the plan's device");
}

void check_side(const Home& home, const Side& side) {
  const bool planar = side.layout.storage == Storage::planar;
  if (side.array.im() && !planar)
    base::invalid(side.name, "planar", "it must be interleaved, as in the transform's layout");
  if (planar && side.array.re() && !side.array.im())
    base::invalid(side.name, "without a buffer of imaginary parts",
                  "it must be planar, as in the transform's layout");
  each_buffer(side, [&](const Buffer& buffer) { check_memory(home, side, buffer); });
  if (planar && side.written)
    check_buffers_apart(side, {side.array.re(), ".re"}, side, {side.array.im(), ".im"});
}

namespace {

/// Returns the layout of a buffer argument, in numbers or pairs.
problem::Side layout_of(const problem::HookArgument& argument, bool f64) {
  const bool pairs = argument.type == problem::HookArgument::Type::complex_buffer;
  problem::Side side;
  side.end = argument.numbers, side.element_bytes = (f64 ? 8 : 4) * (pairs ? 2 : 1);
  return side;
}

void check_number(const std::string& name, double number, bool f64,
                  problem::HookArgument::Type type) {
  if (type != problem::HookArgument::Type::integer) {
    // Infinity and NaN may be intended.
    if (std::isfinite(number))
      problem::check_number(name, number, f64 ? Precision::f64 : Precision::f32);
    return;
  }
  using Int = std::numeric_limits<std::int32_t>;
  if (!(number >= Int::min() && number <= Int::max()) || number != std::trunc(number))
    base::invalid(name, number, "it must be a whole number from -2^31 to 2^31 - 1");
}

runtime::HookValue check_argument(const Home& home, bool f64, const problem::HookArgument& wanted,
                                  const Argument& given) {
  const std::string name = "arguments." + wanted.name;
  if (!wanted.is_buffer()) {
    if (given.buffer()) base::invalid(name, "a buffer", "the hook needs a number");
    check_number(name, given.number(), f64, wanted.type);
    return {nullptr, 0, given.number()};
  }
  if (!given.buffer()) base::invalid(name, "a number or null", "the hook needs a buffer");
  const problem::Side side = layout_of(wanted, f64);
  check_memory(home, {name.c_str(), Array(cl::Buffer()), given.offset(), side, true, false},
               {given.buffer()});
  return {given.buffer(), given.offset(), 0};
}

}  // namespace

std::vector<runtime::HookValue> check_arguments(const Home& home, bool f64,
                                                const std::vector<problem::HookArgument>& wanted,
                                                std::span<const Argument> call,
                                                std::span<const Argument> own) {
  std::vector<const Argument*> all;
  for (const auto& list : {call, own}) {
    for (const Argument& argument : list) all.push_back(&argument);
  }
  const auto stranger = [&] {
    return std::find_if(all.begin(), all.end(), [&](const Argument* argument) {
      return std::none_of(wanted.begin(), wanted.end(),
                          [&](const auto& other) { return other.name == argument->name(); });
    });
  };
  std::vector<runtime::HookValue> values;
  for (const problem::HookArgument& argument : wanted) {
    const auto is_it = [&](const Argument* other) { return other->name() == argument.name; };
    const auto count = std::count_if(all.begin(), all.end(), is_it);
    if (count != 1) {
      const auto other = stranger();
      base::invalid("arguments." + argument.name, count == 0 ? "missing" : "given twice",
                    "this direction's hooks need it once" +
                        (other == all.end() ? "" : ", and have no argument " + (*other)->name()));
    }
    values.push_back(
        check_argument(home, f64, argument, **std::find_if(all.begin(), all.end(), is_it)));
  }
  if (all.size() > wanted.size())  // all required names were found
    base::invalid("arguments", (*stranger())->name(),
                  "leave it out: no hook of this direction has this argument");
  return values;
}

namespace {

void check_hooks_apart(const HookValues& hooks, const Side& side, const Buffer& buffer) {
  for (std::size_t i = 0; i < hooks.wanted.size(); ++i) {
    const runtime::HookValue& value = hooks.values[i];
    if (!value.buffer) continue;
    const std::string name = "arguments." + hooks.wanted[i].name;
    const problem::Side layout = layout_of(hooks.wanted[i], hooks.f64);
    check_buffers_apart(side, buffer, {name.c_str(), side.array, value.offset, layout, true, false},
                        {value.buffer});
  }
}

/// A workspace as a side of bytes; its `array` is unused.
struct ScratchSide {
  ScratchSide(const Scratch& scratch, const Array& array)
      : layout{.end = scratch.bytes, .element_bytes = 1}, side{"workspace", array, 0,
                                                               layout,      true,  true} {}
  problem::Side layout;
  Side side;
};

}  // namespace

void check_apart(const HookValues& hooks, const Side& written) {
  each_buffer(written, [&](const Buffer& buffer) { check_hooks_apart(hooks, written, buffer); });
}

void check_apart(const Scratch& scratch, std::span<const Side> sides) {
  for (const Side& side : sides) {
    const ScratchSide own(scratch, side.array);
    each_buffer(side, [&](const Buffer& buffer) {
      check_buffers_apart(side, buffer, own.side, {scratch.memory});
    });
  }
}

void check_apart(const Scratch& scratch, const HookValues& hooks) {
  const Array none{cl::Buffer()};
  check_hooks_apart(hooks, ScratchSide(scratch, none).side, {scratch.memory});
}

void check_apart(const Side& a, const Side& b) {
  each_buffer(a, [&](const Buffer& of_a) {
    each_buffer(b, [&](const Buffer& of_b) { check_buffers_apart(a, of_a, b, of_b); });
  });
}

void check_no_recipe(const Options& options, const char* field) {
  if (options.recipe)
    base::invalid(field, "given",
                  "leave it empty: a recipe is for one Plan, and this object has several");
}

void hand_over(runtime::Handle<cl_event> event, cl::Event* to) {
  if (to) *to = cl::Event(event.take(), false);
}

}  // namespace imago::api
