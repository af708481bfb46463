// This file holds the checked integer arithmetic that lengths, strides and index maps need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace imago::base {

/// Returns a * b; nullopt if it overflows 64 bits.
std::optional<std::uint64_t> checked_multiply(std::uint64_t a, std::uint64_t b);
std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b);
/// Returns the prime factors, ascending, with repetition, by trial division; empty for 1.
std::vector<std::uint64_t> prime_factors(std::uint64_t n);
/// Returns the largest prime factor; 1 for 1.
std::uint64_t largest_prime_factor(std::uint64_t n);
/// True if n is prime (Miller-Rabin test, with bases that make it exact).
bool is_prime(std::uint64_t n);
/// Returns a * b mod modulus, for any operands.
std::uint64_t multiply_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus);
/// Returns base^exponent mod modulus.
std::uint64_t power_modulo(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus);
/// Returns the least g whose powers are all of 1 .. prime-1.
std::uint64_t primitive_root(std::uint64_t prime);
constexpr std::uint64_t ceil_divide(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }
/// Converts n, which must be below 2^63.
constexpr std::int64_t to_signed(std::uint64_t n) { return static_cast<std::int64_t>(n); }
constexpr bool is_power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace imago::base
