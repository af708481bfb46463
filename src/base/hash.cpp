// This file computes FNV-1a in 128 bits.
#include "base/hash.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace imago::base {
namespace {

__extension__ typedef unsigned __int128 Wide;

}  // namespace

std::string Digest::hex() const {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const auto word : {high, low}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(word >> shift) & 15];
  }
  return text;
}

void Hasher::mix(std::string_view bytes) {
  constexpr Wide kPrime = (Wide{1} << 88) + 0x13b;
  Wide state = (Wide{state_.high} << 64) | state_.low;
  for (const char byte : bytes) state = (state ^ static_cast<unsigned char>(byte)) * kPrime;
  state_ = {static_cast<std::uint64_t>(state >> 64), static_cast<std::uint64_t>(state)};
}

Hasher& Hasher::field(std::string_view bytes) {
  std::array<char, 8> length{};
  for (std::size_t i = 0; i < length.size(); ++i) {
    length[i] = static_cast<char>(static_cast<std::uint64_t>(bytes.size()) >> (8 * i));
  }
  mix({length.data(), length.size()});
  mix(bytes);
  return *this;
}

Digest checksum(std::string_view bytes) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;  // 2^64 over the golden ratio (Knuth, 6.4)
  constexpr std::size_t kLanes = 4, kWord = sizeof(std::uint64_t);
  std::array<std::uint64_t, kLanes> sums{1, 2, 3, 4};
  std::size_t at = 0;
  for (; at + kLanes * kWord <= bytes.size(); at += kLanes * kWord) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at + lane * kWord, kWord);
      sums[lane] = std::rotl((sums[lane] ^ word) * kOdd, 29);
    }
  }
  return Hasher()
      .field({reinterpret_cast<const char*>(sums.data()), sizeof sums})
      .field(std::to_string(bytes.size()))
      .field(bytes.substr(at))
      .digest();
}

}  // namespace imago::base
