// This file computes FNV-1a in 128 bits.
#include "base/hash.hpp"

#include <array>

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

}  // namespace imago::base
