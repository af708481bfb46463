// This file implements Stream: windows of kept elements, which each call computes as a batch.
#include <imago/stream.hpp>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/commands.hpp"
#include "api/execution.hpp"
#include "api/owned.hpp"
#include "api/parts.hpp"
#include "api/stream_memory.hpp"
#include "api/workspace.hpp"
#include "base/errors.hpp"
#include "problem/make_problem.hpp"
#include "runtime/sequence.hpp"
#include "signal/checks.hpp"
#include "signal/stream.hpp"

namespace imago {
namespace stream {

/// Returns the format of kept elements, which the windows have.
Format kept_of(const signal::StreamParts& parts) {
  const problem::Computation& first = parts.spectra ? *parts.spectra : parts.compute;
  return {problem::make_problem(first).memory(false, false), parts.kept};
}
Format input_of(const signal::StreamParts& parts) {
  if (!parts.prepare) return kept_of(parts);
  return {problem::make_problem(*parts.prepare).memory(true, false), parts.input};
}
Format result_of(const signal::StreamParts& parts) {
  return {problem::make_problem(parts.compute).memory(parts.spectra.has_value(), true),
          parts.result};
}
/// Returns the format of the spectra of windows, which must exist.
Format spectrum_of(const signal::StreamParts& parts) {
  return {problem::make_problem(*parts.spectra).memory(false, true), parts.spectrum};
}

/// Returns the options of `prepare` or `spectra`, and of `compute`.
std::pair<Options, Options> options_of(const signal::StreamParts& parts, const Options& given) {
  Options first = given;
  // The results of a window must not depend on those that are computed with it.
  first.deterministic = true;
  // The bits change when the plan's own kernels follow generic ones.
  if (given.deterministic) first.first_call = FirstCall::compile;
  first.parameters.launches = Launches::several;
  Options second = first;
  // The caller's parameters are for the transform, and not for the sums that follow.
  if (parts.prepare || parts.spectra)
    second.parameters = {.mapping = given.parameters.mapping, .launches = Launches::several};
  return {std::move(first), std::move(second)};
}

Estimate estimate(const cl::Device& device, const signal::StreamParts& parts,
                  const Options& options) {
  api::check_start(device, options);
  const auto [first, second] = options_of(parts, options);
  Estimate sum;
  sum.signal_bytes = input_of(parts).bytes(parts.windows.most);
  sum.spectrum_bytes = result_of(parts).bytes(parts.windows.most_windows() * parts.windows.results);
  for (const auto* part : {&parts.prepare, &parts.spectra})
    if (*part) api::add(sum, api::estimate(device, **part, first));
  api::add(sum, api::estimate(device, parts.compute, second));
  return sum;
}

}  // namespace stream

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] Stream::State {
  /// The position in the stream. Elements are counted with the zeros before the first.
  struct Position {
    std::uint64_t taken = 0;    ///< the caller's elements until now
    std::uint64_t windows = 0;  ///< windows until now
    std::uint64_t first = 0;    ///< the element at the beginning of the memory in use
    bool is_second = false;     ///< the second memory is in use
    bool is_begun = false;      ///< the zeros before the first element are in memory
  };
  using Arguments = std::span<const Argument>;
  /// One call: its array of elements, null at the end of the stream, and that of the results; with
  /// spectra, also all arguments of both transforms.
  struct Block {
    const Array* from;
    std::uint64_t count;
    const Array& to;
    Arguments there = {}, back = {};
  };

  State(const cl::CommandQueue& own_queue, const signal::StreamParts& made, const Options& options);

  std::size_t run(Block block, const Call& call);
  /// Returns the commands of a call, and moves `at` past it.
  std::vector<api::Command> commands_of(const Block& block, Position& at) const;
  std::uint64_t windows_after(const Block& block, const Position& at) const;
  std::uint64_t results_after(const Block& block, const Position& at) const;

  using Made = std::unique_ptr<const api::Execution>;
  /// A plan, and the arguments that the stream supplies.
  struct Part {
    Made execution;
    std::vector<Argument> arguments;
  };
  Made made_of(const problem::Computation& computation, const Options& options,
               const api::ArrayNames& names) const;
  api::Home home() const { return {known.context(), known.device()}; }
  std::uint64_t next(const Position& at) const { return at.windows * windows.hop; }
  void check(const char* name, const Array& array, const stream::Format& format,
             std::uint64_t count, bool is_written) const;
  std::vector<api::Command> room(const Block& block, Position& at) const;
  std::vector<api::Command> taken(const Block& block, const Position& at) const;
  runtime::Handle<cl_event> earlier() const;

  signal::Windows windows;
  cl::CommandQueue queue;
  runtime::KnownQueue known;
  Part prepare, spectra, compute;       ///< the execution of the first two may be null
  std::set<std::string> names_at_load;  ///< arguments of `spectra`
  api::Parts parts;
  stream::Format input, kept, result, spectrum;
  std::uint64_t capacity;      ///< elements in each memory of kept elements
  stream::Memory memories[2];  ///< kept elements
  stream::Memory spare;        ///< results of windows of which some are dropped
  stream::Memory between;      ///< spectra of windows
  Position position;
  cl::Event last;  ///< event of the last call, if the queue is out of order
  /// True if the last call failed, and commands before its failure may still run.
  bool is_cut = false;
};

Stream::State::State(const cl::CommandQueue& own_queue, const signal::StreamParts& made,
                     const Options& options)
    : windows(made.windows),
      queue(api::shared<cl::CommandQueue>(own_queue())),
      input(stream::input_of(made)),
      kept(stream::kept_of(made)),
      result(stream::result_of(made)) {
  api::check_queue(queue());
  api::check_no_recipe(options);
  known = runtime::KnownQueue(queue());
  const auto [first, second] = stream::options_of(made, options);
  if (made.prepare) prepare.execution = made_of(*made.prepare, first, {"to", "from"});
  if (made.spectra) spectra.execution = made_of(*made.spectra, first, {"from", "spectra"});
  compute.execution =
      made_of(made.compute, second,
              made.spectra ? api::ArrayNames{"to", "spectra"} : api::ArrayNames{"from", "to"});
  for (const Part* part : {&prepare, &spectra, &compute}) parts.add(part->execution.get());

  const std::uint64_t most = std::max(windows.most, windows.most_windows() * windows.hop);
  capacity = most + 5 * windows.length;  // a small block seldom fills it
  for (stream::Memory& memory : memories) memory = stream::Memory(known.context(), kept, capacity);
  if (windows.dropped > 0 || windows.results > 1)
    spare = stream::Memory(known.context(), result, windows.most_windows() * windows.results);
  if (made.spectra) {
    spectrum = stream::spectrum_of(made);
    between = stream::Memory(known.context(), spectrum, windows.most_windows());
    for (const auto& argument : problem::make_problem(*made.spectra).arguments(false))
      names_at_load.insert(argument.name);
  }

  const bool pairs =
      signal::has_imaginary_parts(made.factors) || made.argument == signal::kResponseArgument;
  auto& arguments = (prepare.execution ? prepare : compute).arguments;
  arguments.emplace_back(
      std::string(made.argument),
      api::upload_factors(known.context(), made.factors, made.compute.transform.precision, !pairs));
  if (prepare.execution)
    compute.arguments.emplace_back(
        signal::kOnesArgument,
        api::upload_factors(known.context(), std::vector<std::complex<double>>(windows.length, 1.0),
                            made.compute.transform.precision, true));
}

auto Stream::State::made_of(const problem::Computation& computation, const Options& options,
                            const api::ArrayNames& names) const -> Made {
  return api::make_execution(api::shared<cl::Context>(known.context()),
                             cl::Device(known.device(), true), computation, options, names);
}

std::uint64_t Stream::State::windows_after(const Block& block, const Position& at) const {
  return block.from ? windows.inside(at.taken + block.count) : windows.of_ended(at.taken);
}

/// Returns the number of results that the stream has had after a block.
std::uint64_t Stream::State::results_after(const Block& block, const Position& at) const {
  return block.from ? windows.results_of(windows_after(block, at))
                    : windows.results_of_ended(at.taken);
}

void Stream::State::check(const char* name, const Array& array, const stream::Format& format,
                          std::uint64_t count, bool is_written) const {
  const std::uint64_t numbers = count * format.each;
  const problem::Side side{.lengths = {numbers},
                           .strides = {1},
                           .end = numbers,
                           .storage = format.is_planar ? Storage::planar : Storage::interleaved,
                           .element_bytes = format.element_bytes};
  api::check_side(home(), {name, array, array.offset(), side, !is_written, is_written});
}

/// Returns the commands that make room for the elements of a block. If the memory in use has too
/// little, the stream continues in the other one.
std::vector<api::Command> Stream::State::room(const Block& block, Position& at) const {
  std::vector<api::Command> commands;
  const std::uint64_t begin = next(at), known = windows.before + at.taken;
  if (known + block.count <= at.first + capacity) return commands;
  const stream::Memory& from = memories[at.is_second];
  const stream::Memory& to = memories[!at.is_second];
  if (known > begin)
    stream::copy(commands, kept, from.at(begin - at.first), to.at(0), known - begin);
  at.first = begin, at.is_second = !at.is_second;
  return commands;
}

/// Returns the commands that add the elements of a block to those that are kept, or zeros up to the
/// last window's end.
std::vector<api::Command> Stream::State::taken(const Block& block, const Position& at) const {
  std::vector<api::Command> commands;
  const stream::Memory& memory = memories[at.is_second];
  const std::uint64_t begin = windows.before + at.taken;
  const std::uint64_t skipped = std::max(begin, at.first) - begin;  // between two windows
  const std::uint64_t count = std::max(block.count, skipped) - skipped;
  if (count == 0) return commands;
  const Array to = memory.at(begin + skipped - at.first);
  if (!block.from)
    stream::clear(commands, kept, to, count);
  else if (prepare.execution)
    commands.push_back(
        api::Run{*prepare.execution, true, *block.from, to, prepare.arguments, true, count});
  else
    stream::copy(commands, input, api::later(*block.from, skipped * input.each), to, count);
  return commands;
}

std::vector<api::Command> Stream::State::commands_of(const Block& block, Position& at) const {
  const std::uint64_t after = windows_after(block, at), computed = after - at.windows,
                      behind = results_after(block, at),
                      before = std::min(behind, windows.results_of(at.windows)),
                      wanted = behind - before, known = windows.before + at.taken;
  const std::uint64_t end =
      block.from ? known + block.count
                 : std::max(known, computed == 0 ? 0 : (after - 1) * windows.hop + windows.length);
  std::vector<api::Command> commands;
  if (!at.is_begun) {
    // A plan writes the frames, but not the zeros that follow each of them.
    for (const stream::Memory& memory : memories)
      stream::clear(commands, kept, memory.at(0), prepare.execution ? capacity : windows.before);
    // The sums multiply entries that do not exist by 0.
    if (spectra.execution) stream::clear(commands, spectrum, between.at(0), windows.most_windows());
  }
  at.is_begun = true;
  const auto add = [&](std::vector<api::Command> more) {
    for (api::Command& command : more) commands.push_back(std::move(command));
  };
  Block whole = block;
  whole.count = end - known;  // with the zeros at the end
  add(room(whole, at));
  add(taken(whole, at));
  if (wanted > 0) {
    const bool all = wanted == computed * windows.results, sums = spectra.execution != nullptr;
    const Array from = memories[at.is_second].at(next(at) - at.first),
                to = all ? block.to : spare.at(0);
    if (sums)
      commands.push_back(
          api::Run{*spectra.execution, false, from, between.at(0), block.there, false, computed});
    commands.push_back(api::Run{*compute.execution, sums, sums ? between.at(0) : from, to,
                                sums ? block.back : compute.arguments, !prepare.execution && !sums,
                                computed});
    if (!all)
      stream::copy(commands, result,
                   spare.at(before + windows.dropped - at.windows * windows.results), block.to,
                   wanted);
  }
  at.windows = after, at.taken += block.from ? block.count : 0;
  return commands;
}

/// Returns an event that completes after the commands that use the memories; null if there are
/// none.
runtime::Handle<cl_event> Stream::State::earlier() const {
  if (is_cut) return runtime::Sequence(known, {}).marker();
  // A new stream must not fail because of another one.
  if (!last() || (!position.is_begun && api::has_failed(last()))) return {};
  return runtime::Handle<cl_event>::shared(last());
}

std::size_t Stream::State::run(Block block, const Call& call) {
  const std::uint64_t count = results_after(block, position) - windows.results_of(position.windows);
  api::check_waits(home(), call.waits);
  if (block.from && block.count > 0) check("from", *block.from, input, block.count, false);
  if (count > 0) check("to", block.to, result, count, true);
  std::vector<Argument> there, back;
  if (spectra.execution) {
    // The inverse transform reports names that neither transform knows.
    for (const Argument& argument : call.arguments)
      (names_at_load.contains(argument.name()) ? there : back).push_back(api::copy_of(argument));
    for (const Argument& argument : compute.arguments) back.push_back(api::copy_of(argument));
    block.there = there, block.back = back;
  }
  Position after = position;
  const std::vector<api::Command> commands = commands_of(block, after);
  if (known.in_order()) {
    api::enqueue(queue, call, commands);
  } else {
    std::vector<cl_event> waits;
    for (const cl::Event& event : call.waits) waits.push_back(event());
    const auto before = earlier();
    if (before) waits.push_back(before.get());
    Call with = api::copy_of(call, waits);
    with.event = call.event;
    is_cut = true;  // unless all commands are enqueued
    cl::Event done = api::enqueue(queue, with, commands);
    is_cut = false;
    if (done()) last = std::move(done);
  }
  position = after;
  return count;
}

Stream::Stream(const cl::CommandQueue& queue, const ShortTimeTransform& transform,
               const Options& options)
    : state_(api::make_owned<State>(queue, signal::stream_of(transform), options)) {}
Stream::Stream(const cl::CommandQueue& queue, const FirFilter& filter, const Options& options)
    : state_(api::make_owned<State>(queue, signal::stream_of(filter), options)) {}
Estimate Stream::estimate(const cl::Device& device, const ShortTimeTransform& transform,
                          const Options& options) {
  return stream::estimate(device, signal::stream_of(transform), options);
}
Estimate Stream::estimate(const cl::Device& device, const FirFilter& filter,
                          const Options& options) {
  return stream::estimate(device, signal::stream_of(filter), options);
}
Stream::~Stream() = default;
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;

std::size_t Stream::push(const Array& from, std::size_t count, const Array& to, const Call& call) {
  State& state = api::held(state_);
  if (count > state.windows.most)
    base::invalid("count", count,
                  "a block has at most " + std::to_string(state.windows.most) +
                      ": divide it, or make the stream with a larger lengths[0]");
  return state.run({&from, count, to}, call);
}
std::size_t Stream::finish(const Array& to, const Call& call) {
  State& state = api::held(state_);
  const std::size_t count = state.run({nullptr, 0, to}, call);
  reset();
  return count;
}
void Stream::reset() { api::held(state_).position = {}; }

std::size_t Stream::results(std::size_t count) const {
  const State& state = api::held(state_);
  const signal::Windows& windows = state.windows;
  return windows.results_of(windows.inside(state.position.taken + count)) -
         windows.results_of(state.position.windows);
}
std::size_t Stream::remaining() const {
  const State& state = api::held(state_);
  return state.windows.results_of_ended(state.position.taken) -
         state.windows.results_of(state.position.windows);
}
std::size_t Stream::most() const { return api::held(state_).windows.most; }
std::size_t Stream::most_results() const {
  const signal::Windows& windows = api::held(state_).windows;
  return windows.most_windows() * windows.results;
}
std::size_t Stream::input_bytes(std::size_t count) const {
  return api::held(state_).input.bytes(count);
}
std::size_t Stream::result_bytes(std::size_t count) const {
  return api::held(state_).result.bytes(count);
}
std::size_t Stream::kept_bytes() const {
  const State& state = api::held(state_);
  return 2 * state.memories[0].bytes() + state.spare.bytes() + state.between.bytes();
}
std::size_t Stream::table_bytes() const { return api::held(state_).parts.table_bytes(); }
std::size_t Stream::workspace_bytes() const { return api::held(state_).parts.workspace_bytes(); }
bool Stream::ready() const { return api::held(state_).parts.ready(); }
bool Stream::wait(std::chrono::milliseconds most) const {
  return api::held(state_).parts.wait(most);
}
std::string Stream::describe() const { return api::held(state_).parts.describe(); }
std::vector<KernelSource> Stream::sources() const { return api::held(state_).parts.sources(); }
std::vector<KernelBuild> Stream::builds() const { return api::held(state_).parts.builds(); }

}  // namespace imago
