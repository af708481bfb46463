// This file holds the memories of an interpreted kernel and checks every access to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpreter/cell.hpp"
#include "interpreter/counters.hpp"
#include "interpreter/launch.hpp"
#include "interpreter/traces.hpp"
#include "ir/kernel.hpp"

namespace imago::interpreter {

struct WorkItem {
  std::uint64_t group = 0;
  std::uint32_t local = 0;
};

/// A scalar inside a memory: component `component` of element `element` (vector-typed memories).
struct Place {
  std::uint32_t memory = 0;
  std::int64_t element = 0;
  unsigned component = 0;
};

struct Storage {
  std::size_t scalars = 0;         ///< number of scalars; private memory: per work-item
  std::span<std::byte> bytes;      ///< global
  std::vector<Cell> cells;         ///< local and private
  std::shared_ptr<Traces> traces;  ///< null: memory that is never stored to
};

/// The memories that all work-groups share.
class GlobalMemories {
 public:
  GlobalMemories(const ir::Kernel& kernel, std::span<const Binding> arguments);

  /// Returns the storage by memory; it is empty for memories that are not global.
  const std::vector<Storage>& storage() const { return storage_; }
  /// Returns a new epoch; no two groups share an epoch.
  std::uint64_t next_epoch() { return ++epoch_; }

 private:
  void bind(const ir::Memory& memory, Storage& storage, std::span<std::byte> bytes);
  void share_traces();

  std::vector<Storage> storage_;
  std::uint64_t epoch_ = 0;
};

/// The memories that one work-group uses: the global ones, and its own.
class InterpretedMemories {
 public:
  InterpretedMemories(const ir::Kernel& kernel, GlobalMemories& globals, const Counters& counters);

  /// Begins a group; local and private memory lose their contents.
  void begin_group() { first_epoch_ = epoch_ = globals_.next_epoch(); }
  void barrier() { epoch_ = globals_.next_epoch(); }

  Cell load(const Place& place, const WorkItem& item);
  void store(const Place& place, const WorkItem& item, Cell value);

 private:
  std::size_t checked_index(const Place& place, const WorkItem& item, const char* access) const;
  void trace_read(Traces& traces, std::size_t scalar, const Place& place,
                  const WorkItem& item) const;
  void trace_write(Traces& traces, std::size_t scalar, const Place& place,
                   const WorkItem& item) const;
  void add_read_group(Traces& traces, std::size_t scalar, std::uint64_t group) const;
  std::uint64_t rival_writer(const Trace& trace, const Place& place, const WorkItem& item) const;
  std::uint64_t rival_read_group(Traces& traces, std::size_t scalar, std::uint64_t group) const;
  std::uint64_t number(const WorkItem& item) const;
  std::string description(const Place& place, const WorkItem& item) const;
  [[noreturn]] void fail(const Place& place, const WorkItem& item, const std::string& what) const;
  [[noreturn]] void fail_race(const Place& place, const WorkItem& item, const std::string& what,
                              std::uint64_t other_group) const;

  const ir::Kernel& kernel_;
  GlobalMemories& globals_;
  const Counters& counters_;
  std::vector<Storage> storage_;
  std::uint64_t epoch_ = 0;
  std::uint64_t first_epoch_ = 0;  ///< epoch at the start of this group
};

}  // namespace imago::interpreter
