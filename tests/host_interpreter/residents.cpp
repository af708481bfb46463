// This file starts the work-groups of a kernel and switches between them.
#include "interpreter/residents.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace imago::interpreter {
namespace {

using Order = Schedule::Order;

/// The most instructions between random switches: a few for each phase of a small kernel.
constexpr std::uint64_t kLongestTurn = 64;

/// The most groups in a report; more would add no information.
constexpr std::size_t kReported = 8;

}  // namespace

Residents::Residents(Common& common, std::uint64_t groups, const Schedule& schedule)
    : common_(common), schedule_(schedule), waiting_(groups) {
  std::iota(waiting_.rbegin(), waiting_.rend(), std::uint64_t{0});
  if (schedule.order == Order::reversed) std::reverse(waiting_.begin(), waiting_.end());
  if (schedule.order == Order::random) {
    random_.emplace(schedule.seed);
    for (std::uint64_t i = groups; i > 1; --i) std::swap(waiting_[i - 1], waiting_[below(i)]);
  }
  const std::uint64_t room =
      common.counters.used() ? std::max<std::uint64_t>(1, schedule.residents) : 1;
  while (rooms_.size() < std::min(room, groups)) start(rooms_.emplace_back(common));
  if (schedule.order == Order::in_order && !rooms_.empty()) last_ = rooms_.size() - 1;
}

void Residents::run() {
  const bool interrupted = schedule_.order == Order::random && common_.counters.used();
  while (WorkGroup* group = next_turn()) {
    group->advance(interrupted ? 1 + below(kLongestTurn)
                               : std::numeric_limits<std::uint64_t>::max());
    if (group->has_ended() && !waiting_.empty()) start(*group);
  }
  check_deadlock();
  common_.counters.end();
}

void Residents::start(WorkGroup& room) {
  room.begin(waiting_.back());
  waiting_.pop_back();
}

/// Returns the next group that can continue, or nullptr.
WorkGroup* Residents::next_turn() {
  const std::size_t rooms = rooms_.size();
  const std::size_t first = schedule_.order == Order::random && rooms > 1 ? below(rooms) : last_;
  for (std::size_t i = 1; i <= rooms; ++i) {
    last_ = (first + (schedule_.order == Order::reversed ? rooms - i : i)) % rooms;
    WorkGroup& group = rooms_[last_];
    if (!group.has_ended() && !group.awaits()) return &group;
  }
  return nullptr;
}

/// Checks why no group can continue: either all have ended, or they await each other.
void Residents::check_deadlock() const {
  std::string waits;
  std::size_t waiting = 0;
  for (const WorkGroup& group : rooms_) {
    const auto awaited = group.awaits();
    if (!awaited || ++waiting > kReported) continue;
    waits +=
        "group " + std::to_string(group.number()) + " awaits " + std::to_string(*awaited) + ", ";
  }
  if (waiting == 0) return;
  if (waiting > kReported) waits += std::to_string(waiting - kReported) + " more wait, ";
  fail(common_.kernel, "deadlock: " + waits + std::to_string(common_.counters.finished()) +
                           " groups have finished, " + std::to_string(waiting_.size()) +
                           " have not started");
}

}  // namespace imago::interpreter
