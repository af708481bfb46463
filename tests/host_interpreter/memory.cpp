// This file checks and performs the memory accesses of an interpreted kernel.
#include "interpreter/memory.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/errors.hpp"
#include "base/half.hpp"

namespace imago::interpreter {

using ir::Argument;
using ir::Base;
using ir::Kernel;
using ir::Memory;
using ir::Space;

namespace {

std::size_t scalar_bytes(Base base) {
  switch (base) {
    case Base::boolean:
    case Base::i8:
    case Base::u8:
      return 1;
    case Base::f16:
    case Base::i16:
    case Base::u16:
      return 2;
    case Base::i32:
    case Base::f32:
      return 4;
    case Base::i64:
    case Base::f64:
      return 8;
    case Base::residue:
      return 8;
    case Base::residue32:
      return 4;
    case Base::pair:
      break;  // kernels run before their doubles become pairs
  }
  base::internal_error("a memory of the IR has no type");
}

template <class T>
T read_as(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

Cell read(const std::byte* bytes, Base base) {
  switch (base) {
    case Base::boolean:
      return put<std::int64_t>(read_as<std::uint8_t>(bytes));
    case Base::i32:
      return put<std::int64_t>(read_as<std::int32_t>(bytes));
    case Base::i64:
      return put(read_as<std::int64_t>(bytes));
    case Base::f16:
      return put(base::from_half(read_as<std::uint16_t>(bytes)));
    case Base::f32:
      return put(read_as<float>(bytes));
    case Base::f64:
      return put(read_as<double>(bytes));
    case Base::i8:
      return put<std::int64_t>(read_as<std::int8_t>(bytes));
    case Base::u8:
      return put<std::int64_t>(read_as<std::uint8_t>(bytes));
    case Base::i16:
      return put<std::int64_t>(read_as<std::int16_t>(bytes));
    case Base::u16:
      return put<std::int64_t>(read_as<std::uint16_t>(bytes));
    case Base::residue:
      return put(read_as<std::int64_t>(bytes));
    case Base::residue32:
      return put<std::int64_t>(read_as<std::uint32_t>(bytes));
    case Base::pair:
      break;
  }
  base::internal_error("a memory of the IR has no type");
}

template <class T>
void write_as(std::byte* bytes, T value) {
  std::memcpy(bytes, &value, sizeof value);
}

template <class T>
T saturated(std::int64_t value) {
  return static_cast<T>(std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(),
                                                 std::numeric_limits<T>::max()));
}

void write(std::byte* bytes, Base base, Cell cell) {
  switch (base) {
    case Base::boolean:
      return write_as(bytes, static_cast<std::uint8_t>(cell.integer));
    case Base::i32:
      return write_as(bytes, static_cast<std::int32_t>(cell.integer));
    case Base::i64:
      return write_as(bytes, cell.integer);
    case Base::f16:
      return write_as(bytes, base::to_half(cell.number));
    case Base::f32:
      return write_as(bytes, static_cast<float>(cell.number));
    case Base::f64:
      return write_as(bytes, cell.number);
    case Base::i8:
      return write_as(bytes, saturated<std::int8_t>(cell.integer));
    case Base::u8:
      return write_as(bytes, saturated<std::uint8_t>(cell.integer));
    case Base::i16:
      return write_as(bytes, saturated<std::int16_t>(cell.integer));
    case Base::u16:
      return write_as(bytes, saturated<std::uint16_t>(cell.integer));
    case Base::residue:
      return write_as(bytes, cell.integer);
    case Base::residue32:
      return write_as(bytes, static_cast<std::uint32_t>(cell.integer));
    case Base::pair:
      break;
  }
  base::internal_error("a memory of the IR has no type");
}

}  // namespace

GlobalMemories::GlobalMemories(const Kernel& kernel, std::span<const Binding> arguments)
    : storage_(kernel.memories.size()) {
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Argument& argument = kernel.arguments[i];
    if (argument.kind != Argument::Kind::memory) continue;
    const Memory& memory = kernel.memories[argument.index];
    if (!std::holds_alternative<std::span<std::byte>>(arguments[i])) {
      base::internal_error("kernel " + kernel.name + ": " + memory.name +
                           " needs a binding with bytes");
    }
    // Loads and stores never access counters.
    if (!memory.counters)
      bind(memory, storage_[argument.index], std::get<std::span<std::byte>>(arguments[i]));
  }
  share_traces();
}

void GlobalMemories::bind(const Memory& memory, Storage& storage, std::span<std::byte> bytes) {
  const std::size_t element_bytes = scalar_bytes(memory.element.base) * memory.element.lanes;
  storage.bytes = bytes;
  storage.scalars = bytes.size() / element_bytes * memory.element.lanes;
  if (!memory.read_only) storage.traces = std::make_shared<Traces>(storage.scalars);
}

/// Makes memories with the same bytes share their traces.
void GlobalMemories::share_traces() {
  for (Storage& one : storage_) {
    for (const Storage& other : storage_) {
      const bool same = one.bytes.data() == other.bytes.data() && one.scalars == other.scalars;
      if (!one.bytes.empty() && same && other.traces) one.traces = other.traces;
    }
  }
}

InterpretedMemories::InterpretedMemories(const Kernel& kernel, GlobalMemories& globals,
                                         const Counters& counters)
    : kernel_(kernel), globals_(globals), counters_(counters), storage_(globals.storage()) {
  for (std::size_t i = 0; i < storage_.size(); ++i) {
    const Memory& memory = kernel.memories[i];
    if (memory.space == Space::global) continue;
    storage_[i].scalars = memory.size * memory.element.lanes;
    const std::size_t copies = memory.space == Space::private_ ? kernel.work_group_size : 1;
    storage_[i].cells.resize(storage_[i].scalars * copies);
    storage_[i].traces = std::make_shared<Traces>(storage_[i].cells.size());
  }
}

Cell InterpretedMemories::load(const Place& place, const WorkItem& item) {
  const Memory& memory = kernel_.memories[place.memory];
  Storage& storage = storage_[place.memory];
  const std::size_t index = checked_index(place, item, "load");
  if (storage.traces) trace_read(*storage.traces, index, place, item);
  if (memory.space != Space::global) return storage.cells[index];
  return read(storage.bytes.data() + index * scalar_bytes(memory.element.base),
              memory.element.base);
}

void InterpretedMemories::store(const Place& place, const WorkItem& item, Cell value) {
  const Memory& memory = kernel_.memories[place.memory];
  if (memory.read_only) fail(place, item, "store to read-only memory");
  Storage& storage = storage_[place.memory];
  const std::size_t index = checked_index(place, item, "store");
  trace_write(*storage.traces, index, place, item);
  if (memory.space != Space::global) {
    storage.cells[index] = value;
  } else {
    write(storage.bytes.data() + index * scalar_bytes(memory.element.base), memory.element.base,
          value);
  }
}

/// Returns the index of the scalar in its storage.
std::size_t InterpretedMemories::checked_index(const Place& place, const WorkItem& item,
                                               const char* access) const {
  const Memory& memory = kernel_.memories[place.memory];
  const std::size_t scalars = storage_[place.memory].scalars;
  const std::size_t elements = scalars / memory.element.lanes;
  if (place.element < 0 || static_cast<std::size_t>(place.element) >= elements) {
    fail(place, item,
         std::string(access) + " outside the memory of " + std::to_string(elements) + " elements");
  }
  const std::size_t copy = memory.space == Space::private_ ? item.local : 0;
  return copy * scalars + static_cast<std::size_t>(place.element) * memory.element.lanes +
         place.component;
}

void InterpretedMemories::trace_read(Traces& traces, std::size_t scalar, const Place& place,
                                     const WorkItem& item) const {
  Trace& trace = traces[scalar];
  const Space space = kernel_.memories[place.memory].space;
  const std::uint64_t me = number(item);
  if (space != Space::global && trace.write_epoch < first_epoch_)
    fail(place, item, "read of uninitialised memory");
  if (const std::uint64_t other = rival_writer(trace, place, item); other != Trace::kNobody)
    fail_race(place, item, "read of what another work-item stores", other);
  if (trace.read_epoch == epoch_) {
    if (trace.reader != me) trace.reader = Trace::kSeveral;
  } else {
    trace.reader = me;
  }
  trace.read_epoch = epoch_;
  if (space == Space::global) add_read_group(traces, scalar, item.group);
}

void InterpretedMemories::trace_write(Traces& traces, std::size_t scalar, const Place& place,
                                      const WorkItem& item) const {
  Trace& trace = traces[scalar];
  const bool global = kernel_.memories[place.memory].space == Space::global;
  const std::uint64_t me = number(item);
  if (const std::uint64_t other = rival_writer(trace, place, item); other != Trace::kNobody)
    fail_race(place, item, "two work-items store", other);
  std::uint64_t reader = global ? rival_read_group(traces, scalar, item.group) : Trace::kNobody;
  if (trace.read_epoch == epoch_ && trace.reader != me) reader = item.group;
  if (reader != Trace::kNobody)
    fail_race(place, item, "store to what another work-item reads", reader);
  trace.writer = me;
  trace.write_epoch = epoch_;
}

/// Returns the group of another work-item whose store is not ordered with the current access;
/// kNobody if there is none.
std::uint64_t InterpretedMemories::rival_writer(const Trace& trace, const Place& place,
                                                const WorkItem& item) const {
  if (trace.writer == Trace::kNobody || trace.writer == number(item)) return Trace::kNobody;
  const std::uint64_t group = trace.writer / kernel_.work_group_size;
  // Each group has its own local memory.
  const bool global = kernel_.memories[place.memory].space == Space::global;
  const bool rivals = global ? !counters_.ordered(group, item.group) : trace.write_epoch == epoch_;
  return rivals ? group : Trace::kNobody;
}

/// Returns another group whose read does not happen before the current access; kNobody if there is
/// none.
std::uint64_t InterpretedMemories::rival_read_group(Traces& traces, std::size_t scalar,
                                                    std::uint64_t group) const {
  const auto rivals = [&](std::uint64_t reader) {
    return reader != group && !counters_.ordered(reader, group);
  };
  const std::uint64_t only = traces[scalar].read_group;
  if (only == Trace::kNobody) return only;
  if (only != Trace::kSeveral) return rivals(only) ? only : Trace::kNobody;
  const auto& all = traces.read_groups(scalar);
  const auto found = std::find_if(all.begin(), all.end(), rivals);
  return found == all.end() ? Trace::kNobody : *found;
}

void InterpretedMemories::add_read_group(Traces& traces, std::size_t scalar,
                                         std::uint64_t group) const {
  std::uint64_t& only = traces[scalar].read_group;
  if (only == Trace::kNobody) only = group;
  if (only == group) return;
  auto& all = traces.read_groups(scalar);
  if (only != Trace::kSeveral) all = {only};
  only = Trace::kSeveral;
  // If nothing orders groups, two readers are enough: no group may store the scalar.
  if (!counters_.used() && all.size() > 1) return;
  if (std::find(all.begin(), all.end(), group) == all.end()) all.push_back(group);
}

std::uint64_t InterpretedMemories::number(const WorkItem& item) const {
  return item.group * kernel_.work_group_size + item.local;
}

void InterpretedMemories::fail(const Place& place, const WorkItem& item,
                               const std::string& what) const {
  base::internal_error("kernel " + kernel_.name + ": " + what + ": " + description(place, item));
}

void InterpretedMemories::fail_race(const Place& place, const WorkItem& item,
                                    const std::string& what, std::uint64_t other_group) const {
  base::internal_error("kernel " + kernel_.name + ": data race: " + what + ": " +
                       description(place, item) + "; the other one is of group " +
                       std::to_string(other_group));
}

std::string InterpretedMemories::description(const Place& place, const WorkItem& item) const {
  return kernel_.memories[place.memory].name + "[" + std::to_string(place.element) +
         "], work-item " + std::to_string(item.local) + " of group " + std::to_string(item.group);
}

}  // namespace imago::interpreter
