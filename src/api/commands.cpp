// This file implements the commands of a call.
#include "api/commands.hpp"

#include <utility>

#include "runtime/known_queue.hpp"

namespace imago::api {

namespace {

/// Enqueues commands by a function that takes a call, with the waits and the event that a sequence
/// needs.
template <class Enqueue>
void add(runtime::Sequence& sequence, const Call& call, Enqueue enqueue) {
  sequence.run([&](std::span<const cl_event> waits, bool wants_event) {
    Call own = copy_of(call, waits);
    cl::Event done;
    own.event = wants_event ? &done : nullptr;
    enqueue(std::as_const(own));
    return runtime::Handle<cl_event>::shared(done());
  });
}

void launch(runtime::Sequence& sequence, const runtime::KernelLaunch& kernel,
            std::vector<cl::Event>* events) {
  if (events) sequence.want_event();
  sequence.launch(kernel);
  if (events) events->emplace_back(sequence.last().take(), false);
}

}  // namespace

cl::Event enqueue(const cl::CommandQueue& queue, const Call& call,
                  std::span<const Command> commands) {
  check_queue(queue());
  check_whole_batch(call);
  const runtime::KnownQueue known(queue());
  const Call without{.workspace = call.workspace, .events = call.events};
  const auto use_of = [&](const Run& run, const Call& with) {
    return Execution::Use{queue(), run.from, run.to,     Placement::out_of_place,
                          with,    run.own,  run.members};
  };
  std::vector<Execution::Checked> checked(commands.size());
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (const auto* run = std::get_if<Run>(&commands[i]))
      checked[i] =
          run->execution.check(run->inverse, use_of(*run, run->callers ? call : without), known);
  }
  std::vector<cl_event> waits;
  for (const cl::Event& event : call.waits) waits.push_back(event());
  runtime::Sequence sequence(known, waits);
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (i + 1 == commands.size() && call.event) sequence.want_event();
    if (const auto* run = std::get_if<Run>(&commands[i]))
      add(sequence, run->callers ? call : without, [&](const Call& with) {
        run->execution.enqueue(run->inverse, use_of(*run, with), checked[i]);
      });
    else if (const auto* calls = std::get_if<Calls>(&commands[i]))
      add(sequence, without, calls->enqueue);
    else if (const auto* clear = std::get_if<runtime::Clear>(&commands[i]))
      sequence.clear(*clear);
    else if (const auto* copy = std::get_if<runtime::Copy>(&commands[i]))
      sequence.copy(*copy);
    else
      launch(sequence, std::get<runtime::KernelLaunch>(commands[i]), call.events);
  }
  const cl::Event last(
      (commands.empty() && call.event ? sequence.marker() : sequence.last()).take(), false);
  if (call.event) *call.event = shared<cl::Event>(last());
  return last;
}

}  // namespace imago::api
