// This file enqueues commands that run one after another, on in-order and out-of-order queues.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/executable.hpp"
#include "runtime/known_queue.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// A kernel launch whose arguments are set. All handles here and below are borrowed.
struct KernelLaunch {
  cl_kernel kernel = nullptr;
  const char* name = "";
  std::size_t groups = 1, group_size = 1;
  /// The kernel object, if the launch owns it, so that other launches do not change its arguments.
  std::shared_ptr<const Handle<cl_kernel>> own = {};
};
/// A part of a buffer that becomes zero.
struct Clear {
  cl_mem memory = nullptr;
  std::size_t offset = 0, bytes = 0;
};
/// A part of a buffer that is copied to another buffer.
struct Copy {
  cl_mem from = nullptr;
  std::size_t from_offset = 0;
  cl_mem to = nullptr;
  std::size_t to_offset = 0, bytes = 0;
};

/// An enqueued command, for measurements; the queue must have profiling enabled.
struct Traced {
  std::string name;
  Handle<cl_event> event;
};

/// Enqueues commands.
class Sequence {
 public:
  /// If a command cannot be enqueued, waits for the earlier ones, then throws.
  explicit Sequence(cl_command_queue queue, std::vector<Traced>* trace = nullptr);
  /// The commands wait for `waits`, and fail if one of them fails. If a command cannot be enqueued,
  /// the earlier ones still run.
  Sequence(const KnownQueue& queue, std::span<const cl_event> waits);

  void launch(const KernelLaunch& launch);
  void clear(const Clear& part);
  void copy(const Copy& parts);
  /// Uses all members of `call` except the queue and its wait list.
  void run(const Executable& executable, Call call);
  /// Enqueues commands by a function. It gets the events that they wait for, and returns the event
  /// of its last command, or null if the queue runs in order and `wants_event` is false.
  void run(const std::function<Handle<cl_event>(std::span<const cl_event> waits, bool wants_event)>&
               enqueue);
  /// Writes `data`, which must stay valid until the next read.
  void write(cl_mem memory, std::size_t offset, std::size_t bytes, const void* data);
  /// Makes the next command also wait for `event` of another queue.
  void wait_for(Handle<cl_event> event);
  /// Makes an event of the next command, also in an in-order queue.
  void want_event() { wants_event_ = true; }
  /// Returns the event of the last command; null if it has none.
  Handle<cl_event> last() const;
  /// Returns an event that completes after all commands so far.
  Handle<cl_event> marker();
  /// Submits all commands so far, and returns an event that completes after them.
  Handle<cl_event> mark();
  /// Reads after all commands so far, and waits.
  void read(cl_mem memory, std::size_t offset, std::size_t bytes, void* data);

 private:
  /// Calls enqueue(number of events, events, new event).
  template <class Enqueue>
  void next(const char* call, const char* kernel, Enqueue enqueue);
  void record(const char* name, Handle<cl_event> event);
  bool makes_event() const { return !in_order_ || trace_ || wants_event_; }
  void wait_after_error() const;

  Sequence(const KnownQueue& queue, bool waits_after_error, std::span<const cl_event> waits,
           std::vector<Traced>* trace);

  cl_command_queue queue_;
  cl_device_id device_;
  bool in_order_;
  bool waits_after_error_;
  bool wants_event_ = false;
  std::vector<cl_event> waits_;
  std::vector<Handle<cl_event>> held_;  ///< owned references to the events of other queues in
                                        ///< `waits_`
  std::vector<Traced>* trace_ = nullptr;
  Handle<cl_event> last_;
  std::size_t commands_ = 0;
};

}  // namespace imago::runtime
