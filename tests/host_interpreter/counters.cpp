// This file counts the tickets and finished groups of an interpreted kernel.
#include "interpreter/counters.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "interpreter/work_items.hpp"

namespace imago::interpreter {
namespace {

std::string both(std::int64_t tickets, std::int64_t finished) {
  return std::to_string(tickets) + " tickets are taken and " + std::to_string(finished) +
         " work-groups have finished";
}

std::string name_of(std::uint64_t group) { return "group " + std::to_string(group); }

}  // namespace

Counters::Counters(const ir::Kernel& kernel, std::uint64_t groups,
                   std::span<const Binding> arguments)
    : kernel_(kernel) {
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const ir::Argument& argument = kernel.arguments[i];
    if (argument.kind != ir::Argument::Kind::memory || !kernel.memories[argument.index].counters)
      continue;
    name_ = kernel.memories[argument.index].name;
    const auto bytes = std::get<std::span<std::byte>>(arguments[i]);
    std::array<std::int32_t, 2> values{};
    if (bytes.size() < sizeof values) fail("less than two ints are bound");
    std::memcpy(values.data(), bytes.data(), sizeof values);
    if (values != std::array<std::int32_t, 2>{})
      fail("not 0 at the beginning: " + both(values[0], values[1]));
    groups_.resize(groups);
  }
}

std::int64_t Counters::take_ticket(std::uint64_t group) {
  if (groups_[group].ticket != kNotYet) fail(name_of(group) + " takes a second ticket");
  return groups_[group].ticket = tickets_++;
}

void Counters::passed(std::uint64_t group, std::int64_t awaited) {
  groups_[group].awaited = std::max(groups_[group].awaited, awaited);
}

void Counters::finish(std::uint64_t group, std::int64_t groups) {
  if (has_finished(group)) fail(name_of(group) + " finishes a second time");
  groups_[group].rank = finished_++;
  if (finished_ < groups) return;
  if (static_cast<std::uint64_t>(finished_) != groups_.size()) {
    fail(name_of(group) + " resets the counters when " + std::to_string(finished_) + " of " +
         std::to_string(groups_.size()) + " groups have finished");
  }
  tickets_ = finished_ = 0;
}

void Counters::end() const {
  if (tickets_ != 0 || finished_ != 0) fail("not reset at the end: " + both(tickets_, finished_));
}

void Counters::fail(const std::string& what) const {
  interpreter::fail(kernel_, name_ + ": " + what);
}

}  // namespace imago::interpreter
