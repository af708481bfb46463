// This file holds a text of a thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace imago::base {

/// Text for a thread_local variable. The rest of a long one is replaced by " ..". It has no
/// destructor: on Windows, mingw's C++ library calls those of thread_local variables after their
/// memory was freed.
class ThreadText {
 public:
  ThreadText& operator=(std::string_view text) noexcept {
    const std::size_t length = text.copy(bytes_.data(), kMost);
    const std::string_view end = text.size() > kMost ? kMore : "";
    bytes_[length + end.copy(bytes_.data() + length, end.size())] = '\0';
    return *this;
  }
  const char* c_str() const noexcept { return bytes_.data(); }

 private:
  static constexpr std::size_t kMost = 4000;
  static constexpr std::string_view kMore = " ..";
  std::array<char, kMost + kMore.size() + 1> bytes_ = {};
};

}  // namespace imago::base
