// This file is an example of exact products of integers. It tests whether a
// Mersenne number 2^p - 1 is prime (Lucas-Lehmer), and times products of long
// random integers. `mersenne 9689` tests one; `mersenne --step 136279841` does
// one squaring step of a large one; `mersenne --product 10000000` multiplies
// two integers of ten million digits. Each product is compared with its factors
// modulo three primes, and the program fails if they differ.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include <imago/exact.hpp>

namespace {

// Words of 64 bits, the least significant first.
using Words = std::vector<std::uint64_t>;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Returns `count` words from a bit on.
Words bits_of(const Words& x, std::size_t first, std::size_t count) {
  Words part(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t word = i + first / 64, shift = first % 64;
    if (word < x.size()) part[i] = x[word] >> shift;
    if (shift > 0 && word + 1 < x.size())
      part[i] |= x[word + 1] << (64 - shift);
  }
  return part;
}

/// Returns the sum of two numbers of equally many words, which has as many.
Words sum_of(Words x, const Words& y) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t sum = x[i] + y[i], whole = sum + carry;
    carry = static_cast<std::uint64_t>(sum < y[i] || whole < sum);
    x[i] = whole;
  }
  return x;
}

/// Numbers modulo M = 2^p - 1, where p is odd.
class Mersenne {
 public:
  explicit Mersenne(std::size_t p)
      : p_(p), modulus_(p / 64 + 1, ~std::uint64_t{0}) {
    modulus_.back() = (std::uint64_t{1} << p % 64) - 1;
  }

  Words number(std::uint64_t small) const {
    Words x(modulus_.size());
    x[0] = small;
    return x;
  }

  /// Returns x^2 - 2, the step of the test.
  Words step(const Words& x) const {
    // 2^p is 1, so the parts of p bits are added.
    const Words square = imago::exact::multiply(x, x);
    Words low = bits_of(square, 0, x.size());
    low.back() &= modulus_.back();
    Words minus_two = modulus_;
    minus_two[0] -= 2;
    return reduced(
        sum_of(reduced(sum_of(low, bits_of(square, p_, x.size()))), minus_two));
  }

 private:
  /// Returns the residue of a number below 2^(p + 1).
  Words reduced(Words x) const {
    if (x.back() > modulus_.back()) {
      x.back() &= modulus_.back();
      x = sum_of(x, number(1));
    }
    return x == modulus_ ? number(0) : x;
  }

  std::size_t p_;
  Words modulus_;
};

std::uint64_t modulo(const Words& x, std::uint64_t prime) {
  std::uint64_t rest = 0;
  for (std::size_t i = x.size(); i-- > 0;) {
    rest = ((rest << 32) | (x[i] >> 32)) % prime;
    rest = ((rest << 32) | (x[i] & 0xffffffff)) % prime;
  }
  return rest;
}

/// Returns true if the product is that of the factors, modulo three primes
/// below 2^32.
bool is_product(const Words& a, const Words& b, const Words& product) {
  for (const std::uint64_t prime : {4294967291u, 4294967279u, 4294967231u}) {
    if (modulo(a, prime) * modulo(b, prime) % prime != modulo(product, prime))
      return false;
  }
  return true;
}

Words random_number(std::size_t bits) {
  std::mt19937_64 random(bits);
  Words x(bits / 64 + 1);
  for (std::uint64_t& word : x) word = random();
  x.back() &= (std::uint64_t{1} << bits % 64) - 1;
  return x;
}

/// Prints the seconds of a product, the second time: the first one compiles.
bool timed_product(const Words& a, const Words& b) {
  imago::exact::multiply(a, b);
  const auto start = std::chrono::steady_clock::now();
  const Words product = imago::exact::multiply(a, b);
  const double seconds = seconds_since(start);
  const bool right = is_product(a, b, product);
  std::printf("%.2f s, %s modulo three primes\n", seconds,
              right ? "right" : "WRONG");
  return right;
}

bool multiply(std::size_t digits) {
  const auto bits = static_cast<std::size_t>(static_cast<double>(digits) *
                                             3.3219280948873623);
  std::printf("product of two integers of %zu digits: ", digits);
  return timed_product(random_number(bits), random_number(bits - 1));
}

bool one_step(std::size_t p) {
  const Words x = random_number(p);
  std::printf("square modulo 2^%zu - 1: ", p);
  std::fflush(stdout);
  const bool right = timed_product(x, x);
  const Mersenne modulus(p);
  const auto start = std::chrono::steady_clock::now();
  const Words next = modulus.step(x);
  std::printf("step %.2f s, residue %016llX\n", seconds_since(start),
              static_cast<unsigned long long>(next[0]));
  return right;
}

bool test(std::size_t p) {
  const Mersenne modulus(p);
  const auto start = std::chrono::steady_clock::now();
  Words x = modulus.number(4);
  for (std::size_t i = 2; i < p; ++i) x = modulus.step(x);
  const bool prime = std::all_of(x.begin(), x.end(),
                                 [](std::uint64_t word) { return word == 0; });
  std::printf("2^%zu - 1 is %s, residue %016llX, %zu steps, %.2f s\n", p,
              prime ? "prime" : "composite",
              static_cast<unsigned long long>(x[0]), p - 2,
              seconds_since(start));
  return true;
}

}  // namespace

int main(int count, char** words) {
  try {
    const bool step = count == 3 && std::strcmp(words[1], "--step") == 0,
               product = count == 3 && std::strcmp(words[1], "--product") == 0;
    const auto number = static_cast<std::size_t>(
        std::strtoull(count > 1 ? words[count - 1] : "", nullptr, 10));
    if ((count != 2 && !step && !product) || number < 3 ||
        (!product && number % 2 == 0)) {
      std::fputs(
          "mersenne EXPONENT | --step EXPONENT | --product DIGITS: an exponent "
          "is odd, from 3 on\n",
          stderr);
      return 2;
    }
    const bool right = product ? multiply(number)
                       : step  ? one_step(number)
                               : test(number);
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
