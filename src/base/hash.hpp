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
  /// Returns 32 lower-case hexadecimal digits.
  std::string hex() const;
};

/// Hashes one field after another. A field's length precedes it, so that "ab","c" differs from
/// "a","bc".
class Hasher {
 public:
  Hasher& field(std::string_view bytes);
  Digest digest() const { return state_; }

 private:
  void mix(std::string_view bytes);
  Digest state_{0x6c62272e07bb0142u, 0x62b821756295c58du};  // FNV-1a offset basis
};

inline Digest digest(std::string_view bytes) { return Hasher().field(bytes).digest(); }

/// Returns a checksum that detects damaged bytes, at some gigabytes per second. It is the digest of
/// four sums of words. Each step of a sum is reversible, so any damage within one word is detected.
Digest checksum(std::string_view bytes);

}  // namespace imago::base
