// This file holds the checked integer arithmetic that lengths, strides and index maps need.
#include "base/integers.hpp"

#include <algorithm>
#include <iterator>

namespace imago::base {

std::optional<std::uint64_t> checked_multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

std::vector<std::uint64_t> prime_factors(std::uint64_t n) {
  std::vector<std::uint64_t> factors;
  for (std::uint64_t p = 2; p <= n / p; p += p == 2 ? 1 : 2) {
    for (; n % p == 0; n /= p) factors.push_back(p);
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

std::uint64_t largest_prime_factor(std::uint64_t n) {
  const auto factors = prime_factors(n);
  return factors.empty() ? 1 : factors.back();
}

std::uint64_t multiply_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  if ((a | b) >> 32 == 0) return a * b % modulus;  // much faster than a 128-bit division
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % modulus);
}

std::uint64_t power_modulo(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1 % modulus;
  for (base %= modulus; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = multiply_modulo(result, base, modulus);
    base = multiply_modulo(base, base, modulus);
  }
  return result;
}

namespace {

// These bases have no false witness below 2^64 (J. Sinclair, 2011).
constexpr std::uint64_t kWitnesses[] = {2, 325, 9375, 28178, 450775, 9780504, 1795265022};

/// True if a power of `base` shows that the odd n is not prime.
bool is_witness(std::uint64_t base, std::uint64_t n) {
  std::uint64_t odd = n - 1;
  unsigned halvings = 0;
  for (; odd % 2 == 0; odd /= 2) ++halvings;
  std::uint64_t power = power_modulo(base, odd, n);
  if (power <= 1 || power == n - 1) return false;
  while (--halvings > 0) {
    power = multiply_modulo(power, power, n);
    if (power == n - 1) return false;
  }
  return true;
}

}  // namespace

bool is_prime(std::uint64_t n) {
  if (n < 4 || n % 2 == 0) return n == 2 || n == 3;
  return std::none_of(std::begin(kWitnesses), std::end(kWitnesses),
                      [n](std::uint64_t base) { return base % n != 0 && is_witness(base, n); });
}

std::uint64_t primitive_root(std::uint64_t prime) {
  const auto factors = prime_factors(prime - 1);
  const auto generates = [&](std::uint64_t g) {
    return std::all_of(factors.begin(), factors.end(), [&](std::uint64_t factor) {
      return power_modulo(g, (prime - 1) / factor, prime) != 1;
    });
  };
  std::uint64_t g = 1;
  while (!generates(g)) ++g;
  return g;
}

}  // namespace imago::base
