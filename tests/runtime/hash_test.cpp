// This file checks the hash that names cached kernels.
#include "base/hash.hpp"

#include "support/catch.hpp"

namespace imago {
namespace {

// Computed with Python's integers from the definition of FNV-1a: h = (h ^ byte) * prime mod 2^128,
// over the eight bytes of the length, lowest first, and then the text.
TEST_CASE("128-bit FNV-1a over length and text", "[base][hash]") {
  CHECK(base::digest("").hex() == "9d30c1f78465995be47dda5e4e4e77ed");
  CHECK(base::digest("imago").hex() == "37aa062c122502fc5e5dcd54b3cafa7f");
}

TEST_CASE("the borders of fields count", "[base][hash]") {
  const auto two = [](const char* a, const char* b) {
    return base::Hasher().field(a).field(b).digest();
  };
  CHECK(two("ab", "c") != two("a", "bc"));
  CHECK(two("ab", "c") == two("ab", "c"));
  CHECK(two("", "x") != two("x", ""));
}

TEST_CASE("a checksum sees every bit, the length and the order of words", "[base][hash]") {
  for (const std::size_t size : {0, 1, 31, 32, 33, 100}) {
    const std::string text(size, 'x');
    const auto whole = base::checksum(text);
    CHECK(base::checksum(text + '\0') != whole);
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      auto bent = text;
      bent[bit / 8] ^= static_cast<char>(1 << bit % 8);
      CHECK(base::checksum(bent) != whole);
    }
  }
  std::string a(64, 'a'), b = a;
  a[0] = b[8] = 'b';  // another word of the same block
  CHECK(base::checksum(a) != base::checksum(b));
  b = std::string(64, 'a');
  b[32] = 'b';  // changes this word in the next block
  CHECK(base::checksum(a) != base::checksum(b));
}

}  // namespace
}  // namespace imago
