// This file writes tables of 1 / (2 pi): Payne and Hanek, "Radian reduction for trigonometric
// functions", SIGNUM Newsletter 18 (1983). A product with the bits of the quotient that matter is
// exact for any size of a coordinate.
#include "nufft/periods.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <sstream>

namespace imago::nufft {
namespace {

/// Bits of 1 / (2 pi) after the binary point, for the largest exponent of a double (mpmath).
constexpr std::uint64_t kPeriods[] = {
    0x28be60db9391054au, 0x7f09d5f47d4d3770u, 0x36d8a5664f10e410u, 0x7f9458eaf7aef158u,
    0x6dc91b8e909374b8u, 0x01924bba82746487u, 0x3f877ac72c4a69cfu, 0xba208d7d4baed121u,
    0x3a671c09ad17df90u, 0x4e64758e60d4ce7du, 0x272117e2ef7e4a0eu, 0xc7fe25fff7816603u,
    0xfbcbc462d6829b47u, 0xdb4d9fb3c9f2c26du, 0xd3d18fd9a797fa8bu, 0x5d49eeb1faf97c5eu,
    0xcf41ce7de294a4bau, 0x9afed7ec47e35742u, 0x1580cc11bf1edaeau};

/// Writes a table of `count` numbers.
template <class Number>
void write(std::ostringstream& text, const char* name, std::size_t count, const Number& number) {
  text << "__constant ulong " << name << "[] = {" << std::hex;
  for (std::size_t i = 0; i < count; ++i) text << "0x" << number(i) << "UL, ";
  text << "};\n" << std::dec;
}

}  // namespace

std::uint64_t period_bits(int skipped) {
  if (skipped <= -64) return 0;
  if (skipped < 0) return kPeriods[0] >> -skipped;
  const int word = skipped / 64, shift = skipped % 64;
  return shift == 0 ? kPeriods[word] : kPeriods[word] << shift | kPeriods[word + 1] >> (64 - shift);
}

std::string period_tables(Coordinates coordinates) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // without memory, it would leave out a part
  if (coordinates == Coordinates::radians_f64)
    write(text, "periods", std::size(kPeriods), [](std::size_t i) { return kPeriods[i]; });
  if (coordinates != Coordinates::radians_f32) return text.str();
  // A float with the exponent e is a mantissa times 2^(e - 150); subnormal ones have that of e = 1.
  const auto skipped = [](std::size_t e) { return static_cast<int>(e == 0 ? 1 : e) - 150; };
  constexpr std::size_t kExponents = 256;
  write(text, "high_periods", kExponents, [&](std::size_t e) { return period_bits(skipped(e)); });
  write(text, "low_periods", kExponents,
        [&](std::size_t e) { return period_bits(skipped(e) + 64); });
  return text.str();
}

}  // namespace imago::nufft
