// This file remembers who used each scalar of an interpreted memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace imago::interpreter {

/// Who used a scalar last. Epochs count barriers and beginnings, over all groups.
struct Trace {
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0}, kSeveral = kNobody - 1;

  std::uint64_t writer = kNobody, reader = kNobody;  ///< work-items, counted over all groups
  std::uint64_t write_epoch = 0, read_epoch = 0;
  /// Groups that read it since it was stored, without those whose reads happen before another's.
  std::uint64_t read_group = kNobody;
  std::unique_ptr<std::vector<std::uint64_t>> more_read_groups;
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

}  // namespace imago::interpreter
