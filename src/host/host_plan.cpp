// This file implements HostPlan.
#include <imago/host_plan.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "base/errors.hpp"
#include "host/arrays.hpp"
#include "host/choice.hpp"
#include "host/crew.hpp"
#include "host/describe.hpp"
#include "host/moves.hpp"
#include "host/plans.hpp"
#include "host/pool_state.hpp"
#include "host/sweep.hpp"
#include "host/team.hpp"
#include "problem/layout.hpp"

namespace imago {
namespace {

std::unique_ptr<char[]> scratch_of(std::size_t bytes) {
  if (bytes == 0) return {};
  try {
    return std::make_unique_for_overwrite<char[]>(bytes);
  } catch (const std::bad_alloc&) {
    base::unsupported("the host has no " + std::to_string(bytes) +
                          " bytes of memory for what lies between two passes",
                      "free some");
  }
}

}  // namespace

// The class is exported, its inside is not.
struct [[gnu::visibility("hidden")]] HostPlan::State {
  State(Pool of, const Transform& transform, const HostOptions& options);

  void execute(bool inverse, const host::Arrays& arrays, const HostCall& call) const;
  std::string describe() const;
  const host::Plans& plans() const { return *plans_; }

  const Pool pool;
  const host::Whole whole;

 private:
  host::Compute compute(std::size_t device, bool inverse, bool in_place) const;
  void execute_whole(bool inverse, const host::Arrays& arrays, const HostCall& call) const;
  void whole_by(std::size_t device, bool inverse, const host::Arrays& arrays, bool* spoilt) const;
  void execute_rounds(bool inverse, const host::Arrays& arrays, const HostCall& call) const;
  void rounds_by(host::Team & team, bool inverse, const host::Arrays& arrays, const HostCall& call)
      const;
  void build() const;

  const host::Means means_;
  std::optional<host::Course> courses_[2];
  std::unique_ptr<const host::Plans> plans_;
  mutable std::atomic<std::size_t> turn_ = 0;  ///< of devices, at calls that one of them takes
};

HostPlan::State::State(Pool of, const Transform& transform, const HostOptions& options)
    : pool(std::move(of)), whole(transform), means_(pool, options) {
  if (options.plan.scratch.workspace)
    base::invalid("options.plan.scratch.workspace", "given", "null: each device has its own");
  api::check_no_recipe(options.plan, "options.plan.recipe");
  host::Shapes shapes;
  if (whole.problem.has_forward()) courses_[0] = host::choose(whole, false, means_, shapes);
  if (whole.problem.has_inverse()) courses_[1] = host::choose(whole, true, means_, shapes);
  plans_ = std::make_unique<const host::Plans>(pool, options.plan, shapes.all());
  build();
}

/// What a call will need. Pieces of what a single device can do as a whole are seldom asked for.
void HostPlan::State::build() const {
  for (const auto& course : courses_) {
    if (!course) continue;
    for (const std::size_t device : pool.state_->in_use()) {
      if (course->whole) plans_->get(device, course->whole->shape);
      if (course->whole && pool.size() == 1) continue;
      for (const host::Round& round : course->rounds) {
        round.pieces.for_each_kind(
            [&](const host::Piece& piece) { plans_->get(device, piece.shape); });
      }
    }
  }
}

host::Compute HostPlan::State::compute(std::size_t device, bool inverse, bool in_place) const {
  return [this, device, inverse, in_place](const host::Piece& piece, const cl::CommandQueue& queue,
                                           const cl::Buffer& from, const cl::Buffer& to) {
    const Plan& plan = plans_->get(device, piece.shape);
    Call call;
    if (plans_->takes_number(piece.shape))
      call.arguments.emplace_back(host::kFirstColumn, static_cast<double>(piece.number));
    if (in_place)
      inverse ? plan.inverse(queue, to, call) : plan.forward(queue, to, call);
    else
      inverse ? plan.inverse(queue, from, to, call) : plan.forward(queue, from, to, call);
  };
}

void HostPlan::State::whole_by(std::size_t device, bool inverse, const host::Arrays& arrays,
                               bool* spoilt) const {
  const host::Piece& piece = *courses_[inverse]->whole;
  host::Member& member = pool.state_->member(device);
  const auto compute = this->compute(device, inverse, arrays.from == arrays.to);
  const auto work = [&](const cl::CommandQueue& queue, const cl::Buffer& from,
                        const cl::Buffer& to) { compute(piece, queue, from, to); };
  const host::Move move{
      {static_cast<char*>(const_cast<void*>(arrays.from)) + piece.from.begin, piece.from.row},
      {static_cast<char*>(arrays.to) + piece.to.begin, piece.to.row},
      piece.has_gaps,
      spoilt};
  const auto lane = member.borrow();
  if (member.in_callers_memory)
    host::in_callers_memory(*lane, move, work);
  else
    host::by_copies(*lane, move, work, means_.budget.memory);
}

/// By the device whose turn it is; where that fails, by the next.
void HostPlan::State::execute_whole(bool inverse, const host::Arrays& arrays,
                                    const HostCall& call) const {
  if (call.progress) call.progress(0);
  const std::vector<std::size_t> devices = pool.state_->in_use();
  const std::size_t turn = turn_++;
  std::vector<std::exception_ptr> losses;
  const auto device = [&](std::size_t i) { return devices[(turn + i) % devices.size()]; };
  for (bool done = false; !done;) {
    bool spoilt = false;
    const std::size_t tried = losses.size();
    try {
      whole_by(device(tried), inverse, arrays, devices.size() > 1 ? &spoilt : nullptr);
      done = true;
    } catch (const DeviceError&) {
      losses.push_back(std::current_exception());
      if (losses.size() == devices.size()) throw;
      if (!spoilt) continue;
      pool.state_->leave_out(device(tried), losses.back());
      throw;
    }
  }
  for (std::size_t i = 0; i < losses.size(); ++i) pool.state_->leave_out(device(i), losses[i]);
  if (call.progress) call.progress(1);
}

void HostPlan::State::rounds_by(host::Team& team, bool inverse, const host::Arrays& arrays,
                                const HostCall& call) const {
  const host::Course& course = *courses_[inverse];
  const auto scratch = scratch_of(course.scratch_bytes);
  const auto place = [&](host::Memory memory) {
    if (memory == host::Memory::scratch) return scratch.get();
    return memory == host::Memory::to ? static_cast<char*>(arrays.to)
                                      : static_cast<char*>(const_cast<void*>(arrays.from));
  };
  const double part = 1.0 / static_cast<double>(course.rounds.size());
  double done = 0;
  for (const host::Round& round : course.rounds) {
    std::vector<host::Hand> hands;
    for (host::Team::Mate& mate : team.mates())
      hands.push_back({**mate.lane, compute(mate.device, inverse, round.in_place),
                       pool.in_callers_memory(mate.device), means_.budget.memory,
                       pool.state_->member(mate.device).pins, &mate.loss});
    const host::Pass pass{place(round.from), place(round.to), round.pieces, round.in_place,
                          round.slots};
    const host::Parting parting(team);
    host::run(pass, hands, call, {done, done + part});
    done += part;
  }
}

/// Out of place the signal stays as it is, so what a lost device spoilt between two passes is
/// computed once more, from the begin.
void HostPlan::State::execute_rounds(bool inverse, const host::Arrays& arrays,
                                     const HostCall& call) const {
  HostCall steady = call;
  if (call.progress)
    steady.progress = [&, told = 0.0](double share) mutable {
      told = std::max(told, share);
      call.progress(told);
    };
  host::Team team(*pool.state_);
  for (bool done = false; !done;) {
    const std::size_t before = team.mates().size();
    try {
      rounds_by(team, inverse, arrays, steady);
      done = true;
    } catch (const DeviceError&) {
      const std::size_t left = team.mates().size();
      if (arrays.from == arrays.to || left == 0 || left == before) throw;
    }
  }
  if (call.progress) call.progress(1);
}

void HostPlan::State::execute(bool inverse, const host::Arrays& arrays,
                              const HostCall& call) const {
  whole.check(inverse, arrays);
  if (call.stop.stop_requested()) base::stopped("the call was stopped before it began");
  const host::Course& course = *courses_[inverse];
  const bool watched = call.progress || call.stop.stop_possible();
  const bool as_whole = course.whole && (course.rounds.empty() || (!watched && pool.size() == 1));
  as_whole ? execute_whole(inverse, arrays, call) : execute_rounds(inverse, arrays, call);
}

std::string HostPlan::State::describe() const {
  std::string text;
  for (const bool inverse : {false, true}) {
    if (courses_[inverse])
      text += host::describe(*courses_[inverse], inverse ? "inverse" : "forward");
  }
  for (std::size_t shape = 0; shape < plans_->shapes(); ++shape)
    text += "shape " + std::to_string(shape) + ":\n" + plans_->get(0, shape).describe();
  return text;
}

HostPlan::HostPlan(Pool pool, Transform transform, const HostOptions& options)
    : state_(std::make_unique<const State>(std::move(pool), transform, options)) {}
HostPlan::~HostPlan() = default;
HostPlan::HostPlan(HostPlan&&) noexcept = default;
HostPlan& HostPlan::operator=(HostPlan&&) noexcept = default;

void HostPlan::forward(const void* signal, void* spectrum, const HostCall& call) const {
  api::held(state_).execute(false, {signal, spectrum, Placement::out_of_place}, call);
}
void HostPlan::forward(void* data, const HostCall& call) const {
  api::held(state_).execute(false, {data, data, Placement::in_place}, call);
}
void HostPlan::inverse(const void* spectrum, void* signal, const HostCall& call) const {
  api::held(state_).execute(true, {spectrum, signal, Placement::out_of_place}, call);
}
void HostPlan::inverse(void* data, const HostCall& call) const {
  api::held(state_).execute(true, {data, data, Placement::in_place}, call);
}

const Transform& HostPlan::transform() const { return api::held(state_).whole.transform; }
const Pool& HostPlan::pool() const { return api::held(state_).pool; }
std::size_t HostPlan::signal_bytes() const { return api::held(state_).whole.problem.bytes(false); }
std::size_t HostPlan::spectrum_bytes() const { return api::held(state_).whole.problem.bytes(true); }
Layout HostPlan::signal_layout() const {
  const auto& problem = api::held(state_).whole.problem;
  return problem::layout_of(problem.signal, problem.batch);
}
Layout HostPlan::spectrum_layout() const {
  const auto& problem = api::held(state_).whole.problem;
  return problem::layout_of(problem.spectrum, problem.batch);
}
std::size_t HostPlan::workspace_bytes() const {
  return api::held(state_).plans().workspace_bytes();
}
std::string HostPlan::describe() const { return api::held(state_).describe(); }

}  // namespace imago
