// This file builds pipelines: memory, exchanges, plans.
#include <algorithm>
#include <thread>
#include <utility>

#include "errors.hpp"
#include "pipeline.hpp"

namespace imago::mpi {
namespace {

std::string name_of(std::size_t state) {
  return "the exchange after state " + std::to_string(state);
}

bool works_in_callers_memory(const Pool& pool) {
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (!pool.in_callers_memory(i)) return false;
  }
  return true;
}

/// Returns the axis that is divided in one state and not in the next.
std::size_t joined_axis(const State& near, const State& far) {
  for (std::size_t axis = 0; axis < near.distribution.size(); ++axis)
    if (near.distribution[axis] != kWhole && near.distribution[axis] != far.distribution[axis])
      return axis;
  internal_error("two states of a route are divided alike");
}

}  // namespace

Pipeline::Pipeline(const Communicator& ranks, const Agreement& agreement, const Patience& patience,
                   Task task, const Pool& pool)
    : ranks_(ranks),
      agreement_(agreement),
      patience_(patience),
      task_(std::move(task)),
      machine_(ranks.split_by_memory()) {
  const std::size_t me = ranks_.rank();
  for (const std::size_t side : {0, 1})
    groups_[side] = ranks_.split(task_.route.grid.coordinate(me, 1 - side));
  in_callers_memory_ = agreement_.all(works_in_callers_memory(pool), "the check of devices");
  shared_ = make_shared_memory();
  for (std::size_t state = 0; state + 1 < task_.route.states.size(); ++state)
    shared_ ? add_shared_leg(state) : add_message_leg(state);
  agreement_.together(
      [&] {
        if (!shared_) make_own_memory();
        pin_memory(pool);
        add_locals();
      },
      "the allocation of memory");
  build(pool);
}

bool Pipeline::make_shared_memory() {
  const char* const what = "the search for shared memory";
  const auto& states = task_.route.states;
  const bool twiddled =
      std::any_of(states.begin(), states.end(), [](const State& state) { return state.twiddled; });
  // The twiddle factors of a long line are hooks; with hooks, a device with memory of its own
  // cannot leave gaps untouched.
  const bool possible = task_.options.share_memory && machine_.size() == ranks_.size() &&
                        ranks_.size() > 1 && (in_callers_memory_ || !twiddled);
  if (!agreement_.all(possible, what)) return false;
  const Route route = shortened(task_.route);
  const std::size_t bytes = elements(whole(route.spectrum)) *
                            element_bytes(task_.transform.precision, route.complex_spectrum());
  // Exchanges alternate between two arrays, so that no rank writes memory that another still reads.
  const std::size_t exchanges = std::min<std::size_t>(route.states.size() - 1, 2);
  for (std::size_t i = 0; i < exchanges; ++i) {
    auto memory = Memory::shared(bytes, ranks_, agreement_);
    if (!memory) return false;
    work_[i] = std::move(*memory);
  }
  task_.route = route;
  return true;
}

/// Returns the threads for a rank's copies. If its device is not a CPU, the cores are idle; half of
/// the cores, divided by the ranks of the machine, are enough for the memory's bandwidth.
std::size_t Pipeline::copy_threads() const {
  if (in_callers_memory_) return 1;
  return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2 / machine_.size(), 1, 8);
}

/// Pins the work memory, so that devices copy it without the host's threads. If the driver cannot
/// pin it, threads copy.
void Pipeline::pin_memory(const Pool& pool) {
  if (in_callers_memory_) return;
  try {
    for (const Memory& memory : work_) pins_.push_back(pool.pin({memory.data(), memory.bytes()}));
  } catch (const DeviceError&) {
    pins_.clear();
  }
}

/// Chooses pieces that fit a cache and, as messages, are large enough for the network. With a
/// device's own memory and shared host memory there is one piece: HostPlan divides it, and overlaps
/// copies and kernels within a call.
std::size_t Pipeline::chosen_pieces(const ExchangeShape& shape) const {
  if (shared_ && !in_callers_memory_ && task_.options.pieces == 0) return 1;
  std::size_t most = 0, parts = 0;
  for (const Box& box : shape.near) {
    most = std::max(most, elements(box) * shape.element_bytes);
    parts = std::max(parts, box[shape.join].count);
  }
  constexpr std::size_t kBytes = std::size_t{1} << 21, kPieces = 16;
  const std::size_t wish =
      task_.options.pieces != 0 ? task_.options.pieces : std::min(most / kBytes, kPieces);
  return std::clamp<std::size_t>(wish, 1, std::max<std::size_t>(parts, 1));
}

ExchangeShape Pipeline::shape_of(std::size_t state, const std::vector<std::size_t>& ranks) const {
  const Route& route = task_.route;
  const State &near = route.states[state], &far = route.states[state + 1];
  ExchangeShape shape;
  shape.order = far.order;
  shape.element_bytes = element_bytes(task_.transform.precision, route.complex_spectrum());
  for (const std::size_t rank : ranks) {
    if (rank == ranks_.rank()) shape.me = shape.near.size();
    shape.near.push_back(route.leaving_box(state, rank));
    shape.far.push_back(route.arriving_box(state + 1, rank));
  }
  shape.join = joined_axis(near, far);
  shape.pieces = near.transformed.empty() ? 1 : chosen_pieces(shape);
  return shape;
}

void Pipeline::add_shared_leg(std::size_t state) {
  std::vector<std::size_t> all;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) all.push_back(rank);
  Leg leg{shape_of(state, all), nullptr};
  leg.exchange = by_shared_memory(leg.shape, ranks_, patience_, name_of(state));
  leg.near = leg.far = kWork[state % 2];
  legs_.push_back(std::move(leg));
}

void Pipeline::add_message_leg(std::size_t state) {
  const Route& route = task_.route;
  const Grid& grid = route.grid;
  const std::size_t axis = joined_axis(route.states[state], route.states[state + 1]);
  const std::size_t side = route.states[state].distribution[axis];
  const std::size_t other = grid.coordinate(ranks_.rank(), 1 - side);
  std::vector<std::size_t> group;
  for (std::size_t rank = 0; rank < grid.size(); ++rank)
    if (grid.coordinate(rank, 1 - side) == other) group.push_back(rank);
  Leg leg{shape_of(state, group), nullptr};
  leg.exchange = by_messages(leg.shape, groups_[side], patience_, name_of(state));
  // Without a transform, elements are sent from the memory they arrived in. Otherwise three
  // memories are in use: one piece is sent from the second to the third while the next is read from
  // the first.
  const Side arrived = state == 0 ? Side::signal : legs_.back().far;
  leg.near = route.states[state].transformed.empty() ? arrived : apart(arrived, arrived);
  const bool ends = state + 2 == route.states.size() && route.states.back().transformed.empty();
  leg.far = ends ? Side::spectrum : apart(arrived, leg.near);
  legs_.push_back(std::move(leg));
}

std::size_t Pipeline::bytes_of(Side side) const {
  std::size_t most = 0;
  for (const Leg& leg : legs_) {
    const ExchangeShape& shape = leg.shape;
    if (leg.near == side) most = std::max(most, elements(shape.near[shape.me]));
    if (leg.far == side) most = std::max(most, elements(shape.far[shape.me]));
  }
  return most * element_bytes(task_.transform.precision, task_.route.complex_spectrum());
}

Pipeline::Side Pipeline::apart(Side a, Side b) {
  for (const Side side : kWork)
    if (side != a && side != b) return side;
  internal_error("two sides take three memories");
}

void Pipeline::make_own_memory() {
  for (std::size_t i = 0; i < work_.size(); ++i) work_[i] = Memory(bytes_of(kWork[i]));
}

void Pipeline::add_locals() {
  const Route& route = task_.route;
  const std::size_t me = ranks_.rank();
  for (std::size_t state = 0; state < route.states.size(); ++state) {
    const Box first = route.arriving_box(0, me);
    Axes natural = first.empty() ? Axes{} : Axes(first.size());
    for (std::size_t axis = 0; axis < natural.size(); ++axis) natural[axis] = axis;
    const Place from =
        state == 0 ? place(natural, first, first) : legs_[state - 1].exchange->far_place();
    const Leg* const leg = state < legs_.size() ? &legs_[state] : nullptr;
    locals_.emplace_back(Local::Setting{task_.transform, route, state, me, copy_threads()}, from,
                         leg ? leg->exchange.get() : nullptr, leg ? &leg->shape : nullptr);
  }
}

/// Plans on one rank of each machine first, so that the others find compiled kernels.
void Pipeline::build(const Pool& pool) {
  std::exception_ptr failure;
  const auto make = [&] {
    guarded(failure, [&] {
      HostOptions host = task_.options.host;
      host.leave_gaps = host.leave_gaps || shared_;  // other ranks write there
      for (Local& local : locals_) local.build(pool, host);
    });
  };
  const bool first = machine_.rank() == 0;
  if (first) make();
  patience_.barrier(machine_.get(), "planning");
  if (!first) make();
  agreement_.settle(failure, "planning");
}

}  // namespace imago::mpi
