// This file holds the memories of an interpreted kernel and checks every access to them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpreter/cell.hpp"
#include "interpreter/interpreter.hpp"
#include "ir/kernel.hpp"

namespace imago::interpreter {

struct WorkItem {
  std::uint64_t group = 0;
  std::uint32_t local = 0;
};

/// A scalar inside a memory: of element `element`, component `component` (vector-typed memories).
struct Place {
  std::uint32_t memory = 0;
  std::int64_t element = 0;
  unsigned component = 0;
};

class InterpretedMemories {
 public:
  InterpretedMemories(const ir::Kernel& kernel, std::span<const Binding> arguments);

  /// Local and private memory lose their contents.
  void begin_group();
  void barrier() { ++epoch_; }

  Cell load(const Place& place, const WorkItem& item);
  void store(const Place& place, const WorkItem& item, Cell value);

 private:
  /// Who used a scalar last. Epochs count barriers, over all groups.
  struct Trace {
    std::uint64_t writer = kNobody, reader = kNobody;  ///< work-items, counted over all groups
    std::uint64_t write_epoch = 0, read_epoch = 0;
    std::uint64_t read_group = kNobody;
  };
  /// A trace per scalar, made where it is used: a memory may be much larger than what is touched.
  class Traces {
   public:
    explicit Traces(std::size_t scalars) : pages_(scalars / kPage + 1) {}
    Trace& operator[](std::size_t scalar) {
      auto& page = pages_[scalar / kPage];
      if (!page) page = std::make_unique<std::array<Trace, kPage>>();
      return (*page)[scalar % kPage];
    }

   private:
    static constexpr std::size_t kPage = 2048;
    std::vector<std::unique_ptr<std::array<Trace, kPage>>> pages_;
  };
  struct Storage {
    std::size_t scalars = 0;         ///< one work-item has, where private
    std::span<std::byte> bytes;      ///< global
    std::vector<Cell> cells;         ///< local and private
    std::shared_ptr<Traces> traces;  ///< null: never stored to
  };
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0}, kSeveral = kNobody - 1;

  void bind_global(std::uint32_t memory, std::span<std::byte> bytes);
  void share_traces();
  std::size_t checked_index(const Place& place, const WorkItem& item, const char* access) const;
  void trace_read(Trace& trace, const Place& place, const WorkItem& item) const;
  void trace_write(Trace& trace, const Place& place, const WorkItem& item) const;
  std::uint64_t number(const WorkItem& item) const;
  [[noreturn]] void fail(const Place& place, const WorkItem& item, const std::string& what) const;

  const ir::Kernel& kernel_;
  std::vector<Storage> storage_;
  std::uint64_t epoch_ = 0;
  std::uint64_t first_epoch_ = 0;  ///< epoch that this group began with
};

}  // namespace imago::interpreter
