// This file executes a Program on a device.
#include "runtime/executable.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "base/precision.hpp"
#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"
#include "runtime/signature.hpp"

namespace imago::runtime {

/// A launch of the plan with its table: a separate kernel, or a phase of one.
struct Executable::Phase {
  kernel::Launch plan;
  Signature signature;
  Buffer table;  ///< null: none

  void set_places(cl_kernel kernel, const Call& call) const {
    const auto resolve = [&](const kernel::Place& place) {
      if (place.memory == kernel::Memory::input) return SidePlace{call.input, place.offset};
      if (place.memory == kernel::Memory::output) return SidePlace{call.output, place.offset};
      // The workspace begins with the chunk's first element; hooks use its number in the whole
      // array.
      return SidePlace{{call.scratch.memory, nullptr, -plan.chunk}, place.offset + plan.chunk};
    };
    const SidePlace in = resolve(plan.in), out = resolve(plan.out);
    signature.set_places(kernel, in, out);
    if (signature.hooked()) signature.set_hooks(kernel, in, out, plan.spectrum, call.hooks);
  }
  /// True if only the memory locations differ.
  bool like(const Phase& other) const {
    return plan.step == other.plan.step && plan.table == other.plan.table &&
           plan.batch == other.plan.batch && plan.in.distance == other.plan.in.distance &&
           plan.out.distance == other.plan.out.distance && plan.scale == other.plan.scale &&
           plan.first_number == other.plan.first_number;
  }
};

/// One kernel launch.
struct Executable::Command {
  std::vector<Phase> phases;  ///< several for a program in one launch, and for a chain
  bool waits = false;         ///< as in kernel::Kernel
  std::size_t first = 0;      ///< index of the first phase's launch in the program
  ProgramPointer program;
  std::size_t items = 0, group = 0;  ///< work-items in total, and in a work-group
  std::size_t object = 0;            ///< index of the kernel object in a set

  /// True if only the memory locations differ.
  bool like(const Command& other) const {
    return std::equal(phases.begin(), phases.end(), other.phases.begin(), other.phases.end(),
                      [](const Phase& a, const Phase& b) { return a.like(b); });
  }
  /// Sets the arguments that are equal in every call.
  void set_constants(cl_kernel kernel, cl_mem numbers) const {
    for (const Phase& phase : phases) {
      phase.signature.set_constants(kernel, {phase.table ? phase.table->get() : nullptr, numbers},
                                    phase.plan);
      if (waits) phase.signature.set_groups(kernel, phase.plan.groups);
    }
  }
  /// Sets the numbers of batch elements; `planned`: those of the whole batch, if there are no
  /// sizes. Returns the number of work-items.
  std::size_t set_sizes(cl_kernel kernel, std::span<const kernel::LaunchSize> sizes,
                        bool planned) const {
    for (std::size_t i = 0; i < phases.size() && (planned || !sizes.empty()); ++i)
      phases[i].signature.set_batch(kernel,
                                    sizes.empty() ? phases[i].plan.batch : sizes[first + i].batch);
    return sizes.empty() ? items : sizes[first].groups * group;
  }
  /// Sets the arguments that change from call to call.
  void set_places(cl_kernel kernel, const Call& call) const {
    if (waits) Arguments(kernel).value(call.scratch.counters);
    for (const Phase& phase : phases) phase.set_places(kernel, call);
  }
};

/// The kernel objects of all commands, with their constant arguments. Commands that differ only in
/// their memory locations share one object.
struct Executable::KernelSet {
  std::vector<Handle<cl_kernel>> kernels;
  KnownQueue queue;    ///< queue of the last call
  bool parts = false;  ///< the last call had sizes of its own
  /// Events of launches that wait for other events. PoCL (3.1) aborts if an event fails to which
  /// nobody holds a reference.
  std::vector<Handle<cl_event>> waiting;

  void drop_ended() {
    std::erase_if(waiting, [](const Handle<cl_event>& event) {
      return info<cl_int>(clGetEventInfo, "clGetEventInfo", event.get(),
                          CL_EVENT_COMMAND_EXECUTION_STATUS) <= CL_COMPLETE;
    });
  }
};

Executable::Executable(const Target& target, const kernel::Program& program,
                       std::vector<ProgramPointer> kernels, const DiskCache& disk) {
  if (!program.generic.numbers.empty()) upload_generic(target.context, program);
  for (const kernel::Command& planned : kernel::commands_of(program)) {
    if (planned.kernel >= kernels.size())
      base::internal_error("the program's kernels are expected");
    add(target, program, planned, disk);
    commands_.back().program = kernels[planned.kernel];
  }
  idle_[0] = make_set().release();
}

void Executable::upload_generic(cl_context context, const kernel::Program& program) {
  const auto& [numbers, table] = program.generic;
  numbers_ = allocate_copy(context, numbers.size() * sizeof numbers[0], numbers.data());
  generic_table_ = upload(context, table, program.steps.at(0));
}

void Executable::add(const Target& target, const kernel::Program& program,
                     const kernel::Command& planned, const DiskCache& disk) {
  Command command;
  command.waits = program.one_launch, command.first = planned.first;
  cl_uint argument = command.waits ? 1 : 0;  // after the counters
  for (std::size_t i = planned.first; i < planned.end; ++i) {
    const kernel::Launch& launch = program.launches[i];
    const kernel::Step& step = program.steps.at(launch.step);
    Phase phase{launch, Signature(step, argument, launch.arguments), nullptr};
    if (step.is_any_shape())
      phase.table = generic_table_;
    else if (step.has_table)
      phase.table = upload(target, program.tables.at(launch.table), disk);
    command.group = phase.signature.work_group_size();
    if (command.waits || !launch.chained) command.items += command.group * launch.groups;
    argument = phase.signature.end() + (command.waits ? 1 : 0);  // after the number of groups
    command.phases.push_back(std::move(phase));
  }
  const auto like = std::find_if(commands_.begin(), commands_.end(),
                                 [&](const Command& known) { return known.like(command); });
  command.object = like != commands_.end() ? like->object : objects_++;
  commands_.push_back(std::move(command));
}

Executable::~Executable() {
  for (auto& slot : idle_) delete slot.load();
}

std::unique_ptr<Executable::KernelSet> Executable::make_set() const {
  auto set = std::make_unique<KernelSet>();
  set->kernels.resize(objects_);
  for (const auto& command : commands_) {
    auto& kernel = set->kernels[command.object];
    if (kernel) continue;
    kernel = command.program->make_kernel();
    command.set_constants(kernel.get(), numbers_.get());
  }
  return set;
}

Executable::Lease Executable::lease(cl_command_queue queue) const {
  // Starts at a slot derived from the queue, so that a queue's calls find their last kernel set.
  const std::size_t first = reinterpret_cast<std::uintptr_t>(queue) >> 4;
  for (std::size_t i = 0; i < idle_.size(); ++i) {
    auto& slot = idle_[(first + i) % idle_.size()];
    if (slot.load(std::memory_order_relaxed) == nullptr) continue;
    if (KernelSet* set = slot.exchange(nullptr, std::memory_order_acquire))
      return {*this, std::unique_ptr<KernelSet>(set)};
  }
  return {*this, make_set()};
}

Executable::Lease::Lease(const Executable& owner, std::unique_ptr<KernelSet> set)
    : owner_(&owner), set_(std::move(set)) {}
Executable::Lease::Lease(Lease&&) noexcept = default;

Executable::Lease::~Lease() {
  if (!set_) return;
  const std::size_t first = reinterpret_cast<std::uintptr_t>(set_->queue.get()) >> 4;
  auto& idle = owner_->idle_;
  for (std::size_t i = 0; i < idle.size(); ++i) {
    KernelSet* none = nullptr;
    auto& slot = idle[(first + i) % idle.size()];
    if (!slot.compare_exchange_strong(none, set_.get(), std::memory_order_release)) continue;
    static_cast<void>(set_.release());
    return;
  }
}

const KnownQueue& Executable::Lease::queue(cl_command_queue queue) {
  if (set_->queue.get() != queue) set_->queue = KnownQueue(queue);
  return set_->queue;
}

void Executable::enqueue_marker(const Call& call, Enqueued& enqueued) {
  cl_event marker = nullptr;
  check(clEnqueueMarkerWithWaitList(call.queue, static_cast<cl_uint>(call.waits.size()),
                                    call.waits.empty() ? nullptr : call.waits.data(), &marker),
        "clEnqueueMarkerWithWaitList");
  enqueued = {1, Handle(marker)};
}

void Executable::enqueue(const Call& call, Lease& lease, Enqueued& enqueued) const {
  if (commands_.empty()) return enqueue_marker(call, enqueued);
  KernelSet& set = *lease.set_;
  const bool chained = !call.in_order || !call.waits.empty();
  if (!set.waiting.empty()) set.drop_ended();
  for (std::size_t i = 0; i < commands_.size(); ++i) {
    const Command& command = commands_[i];
    const cl_kernel kernel = set.kernels[command.object].get();
    // Set these in every call: the last call's handles may name other objects by now.
    command.set_places(kernel, call);
    const std::size_t items = command.set_sizes(kernel, call.sizes, set.parts);
    const bool wanted = call.wants_event && i + 1 == commands_.size();
    cl_event event = nullptr;
    const cl_event previous = enqueued.last.get();
    const std::span<const cl_event> list =
        i == 0 ? call.waits : std::span(&previous, previous ? 1 : 0);
    check(clEnqueueNDRangeKernel(call.queue, kernel, 1, nullptr, &items, &command.group,
                                 static_cast<cl_uint>(list.size()),
                                 list.empty() ? nullptr : list.data(),
                                 chained || wanted || call.trace ? &event : nullptr),
          "clEnqueueNDRangeKernel", command.program->name());
    enqueued.last = Handle(event);
    ++enqueued.commands;
    if (call.trace) call.trace->push_back(Handle<cl_event>::shared(event));
    if (!call.waits.empty()) set.waiting.push_back(Handle<cl_event>::shared(event));
  }
  set.parts = !call.sizes.empty();
}

Handle<cl_event> Executable::enqueue(const Call& call) const {
  auto own = lease(call.queue);
  Enqueued enqueued;
  enqueue(call, own, enqueued);
  return std::move(enqueued.last);
}

}  // namespace imago::runtime
