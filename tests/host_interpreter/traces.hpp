// This file records which work-items used each scalar of an interpreted memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace imago::interpreter {

/// The last users of a scalar. Epochs count barriers and starts of groups, over all groups.
struct Trace {
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0}, kSeveral = kNobody - 1;

  std::uint64_t writer = kNobody, reader = kNobody;  ///< work-items, counted over all groups
  std::uint64_t write_epoch = 0, read_epoch = 0;
  std::uint64_t read_group = kNobody;
};

/// Traces of a memory's scalars, created at first use: a memory may be much larger than its used
/// part.
class Traces {
 public:
  explicit Traces(std::size_t scalars) : pages_(scalars / kPage + 1) {}
  Trace& operator[](std::size_t scalar) {
    auto& page = pages_[scalar / kPage];
    if (!page) page = std::make_unique<std::array<Trace, kPage>>();
    return (*page)[scalar % kPage];
  }
  /// Returns the groups that read a scalar, if there are several; that is rare, so traces stay
  /// small.
  std::vector<std::uint64_t>& read_groups(std::size_t scalar) { return read_groups_[scalar]; }

 private:
  static constexpr std::size_t kPage = 2048;
  std::vector<std::unique_ptr<std::array<Trace, kPage>>> pages_;
  std::unordered_map<std::size_t, std::vector<std::uint64_t>> read_groups_;
};

}  // namespace imago::interpreter
