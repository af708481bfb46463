// This file holds the work-items of an interpreted group: the active ones, and their values. Each
// lane of a value is a scalar, a Cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/cell.hpp"
#include "ir/kernel.hpp"

namespace imago::interpreter {

/// Throws std::logic_error for a kernel that breaks a rule.
[[noreturn]] void fail(const ir::Kernel& kernel, const std::string& what);

class WorkItems {
 public:
  explicit WorkItems(const ir::Kernel& kernel);

  const std::vector<std::uint32_t>& active() const { return active_; }
  void activate(std::vector<std::uint32_t> items) { active_ = std::move(items); }
  void activate_all();
  /// Keeps those work-items active whose value of instruction `index` passes the test.
  template <class Test>
  void keep(std::uint32_t index, Test test) {
    std::erase_if(active_, [&](std::uint32_t item) { return !test(*cells(index, item)); });
  }

  /// Returns the lanes of a work-item's value of instruction `index`.
  Cell* cells(std::uint32_t index, std::uint32_t item) {
    return values_.data() + place(index, item);
  }
  const Cell* cells(std::uint32_t index, std::uint32_t item) const {
    return values_.data() + place(index, item);
  }
  /// Sets the value of instruction `index` in every active work-item: each lane becomes the scalar
  /// cell_of(item, lane).
  template <class Function>
  void set(std::uint32_t index, Function cell_of) {
    const unsigned lanes = kernel_.code[index].type.lanes;
    for (const std::uint32_t item : active_) {
      Cell* result = cells(index, item);
      for (unsigned lane = 0; lane < lanes; ++lane) result[lane] = cell_of(item, lane);
    }
  }

 private:
  std::size_t place(std::uint32_t index, std::uint32_t item) const {
    return offsets_[index] + std::size_t{item} * kernel_.code[index].type.lanes;
  }

  const ir::Kernel& kernel_;
  std::vector<std::size_t> offsets_;  ///< start of each instruction's cells in values_
  std::vector<Cell> values_;          ///< work-item by work-item
  std::vector<std::uint32_t> active_;
};

}  // namespace imago::interpreter
