// This file generates the same pseudo-random numbers on every machine (SplitMix64, Steele et al.
// 2014).
#pragma once

#include <cstdint>
#include <string_view>

namespace imago::catalogue {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// Returns a number in [0, count); count must be small compared with 2^64.
  std::uint64_t below(std::uint64_t count) { return bits() % count; }
  /// Returns a number in [-1, 1), a multiple of 2^-52.
  double uniform() {
    return static_cast<double>(static_cast<std::int64_t>(bits()) >> 11) * 0x1p-52;
  }

 private:
  std::uint64_t state_;
};

/// FNV-1a, 64 bits.
constexpr std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325ull;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return value;
}

}  // namespace imago::catalogue
