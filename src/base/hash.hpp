// This file computes FNV-1a in 128 bits (Fowler, Noll, Vo), for the names of cached kernels, and a
// checksum of files.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace imago::base {

struct Digest {
  std::uint64_t high = 0, low = 0;
  friend auto operator<=>(const Digest&, const Digest&) = default;
  /// 32 lower-case hexadecimal digits.
  std::string hex() const;
};

/// Hashes fields one after the other; each is preceded by its length, so "ab","c" is not "a","bc".
class Hasher {
 public:
  Hasher& field(std::string_view bytes);
  Digest digest() const { return state_; }

 private:
  void mix(std::string_view bytes);
  Digest state_{0x6c62272e07bb0142u, 0x62b821756295c58du};  // FNV-1a offset basis
};

inline Digest digest(std::string_view bytes) { return Hasher().field(bytes).digest(); }

/// Tells whether bytes are what was written, at some gigabytes per second: four sums of words, each
/// step of which is reversible, so that no damage within one word goes unseen, and their digest.
Digest checksum(std::string_view bytes);

}  // namespace imago::base
