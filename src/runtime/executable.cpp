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
  std::vector<Phase> phases;  ///< more than one: all phases of the program in one launch
  ProgramPointer program;
  std::size_t items = 0, group = 0;  ///< work-items in total, and in a work-group
  std::size_t object = 0;            ///< index of the kernel object in a set

  bool one_launch() const { return phases.size() > 1; }

  /// Sets the arguments that are equal in every call.
  void set_constants(cl_kernel kernel, cl_mem numbers) const {
    for (const Phase& phase : phases) {
      phase.signature.set_constants(kernel, {phase.table ? phase.table->get() : nullptr, numbers},
                                    phase.plan);
      if (one_launch()) phase.signature.set_groups(kernel, phase.plan.groups);
    }
  }
  /// Sets the number of batch elements.
  void set_batch(cl_kernel kernel, std::uint64_t batch) const {
    phases[0].signature.set_batch(kernel, batch);
  }
  /// Sets the arguments that change from call to call.
  void set_places(cl_kernel kernel, const Call& call) const {
    if (one_launch()) Arguments(kernel).value(call.scratch.counters);
    for (const Phase& phase : phases) phase.set_places(kernel, call);
  }
};

/// The kernel objects of all commands, with their constant arguments. Commands that differ only in
/// their memory locations share one object.
struct Executable::KernelSet {
  std::vector<Handle<cl_kernel>> kernels;
  KnownQueue queue;  ///< queue of the last call
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
  const std::size_t expected = program.one_launch ? 1 : program.steps.size();
  if (kernels.size() != expected) base::internal_error("the program's kernels are expected");
  if (!program.generic.numbers.empty()) upload_generic(target.context, program);
  for (const auto& launch : program.launches) {
    add(target, program, launch, disk);
    auto& program_of = commands_.back().program;
    if (!program_of) program_of = kernels.at(program.one_launch ? 0 : launch.step);
  }
  idle_[0] = make_set().release();
}

void Executable::upload_generic(cl_context context, const kernel::Program& program) {
  const auto& [numbers, table] = program.generic;
  numbers_ = allocate_copy(context, numbers.size() * sizeof numbers[0], numbers.data());
  generic_table_ = upload(context, table, program.steps.at(0));
}

/// Adds a command, or the next phase of the existing command.
void Executable::add(const Target& target, const kernel::Program& program,
                     const kernel::Launch& planned, const DiskCache& disk) {
  const auto& step = program.steps.at(planned.step);
  const bool next = program.one_launch && !commands_.empty();
  cl_uint first = program.one_launch ? 1 : 0;                        // after the counters
  if (next) first = commands_[0].phases.back().signature.end() + 1;  // and the number of groups
  Phase phase{planned, Signature(step, first), nullptr};
  const std::size_t items = phase.signature.work_group_size() * planned.groups;
  if (step.generic())
    phase.table = generic_table_;
  else if (step.has_table)
    phase.table = upload(target, program.tables.at(planned.table), disk);
  if (next) {
    commands_[0].items += items;
    commands_[0].phases.push_back(std::move(phase));
    return;
  }
  Command command;
  command.group = phase.signature.work_group_size(), command.items = items;
  const auto like = std::find_if(commands_.begin(), commands_.end(),
                                 [&](const Command& known) { return known.phases[0].like(phase); });
  command.object = like != commands_.end() ? like->object : objects_++;
  command.phases.push_back(std::move(phase));
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
    std::size_t items = command.items;
    if (!call.sizes.empty()) {
      command.set_batch(kernel, call.sizes[i].batch);
      items = call.sizes[i].groups * command.group;
    }
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
}

Handle<cl_event> Executable::enqueue(const Call& call) const {
  auto own = lease(call.queue);
  Enqueued enqueued;
  enqueue(call, own, enqueued);
  return std::move(enqueued.last);
}

}  // namespace imago::runtime
