// This file defines what a Step knows of the hooks on one of its sides: numbers resolved from
// problem::HookedEnd. Such a side is addressed by the numbers that its elements have in the packed
// array of the whole batch, row-major: element (j0, j1, ..) of member b has the number
// ((b n0 + j0) n1 + j1) .., and strides, distances and offsets of the side count so. Where an
// element lies in memory follows from its number, at the door (blocks/hooks).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <imago/hooks.hpp>

namespace imago::kernel {

/// A double by its bits, so that keys tell all of them apart.
struct Number {
  std::uint64_t bits = 0;
  static Number of(double value);
  double value() const;
  friend auto operator<=>(const Number&, const Number&) = default;
};

/// Where the elements of the array lie in a memory: those of a dimension that it does not have, at
/// stride 0, in the same place.
struct Strided {
  std::vector<std::uint64_t> strides = {};
  std::uint64_t distance = 0;  ///< between batch members
  std::uint64_t before = 0;    ///< element 0 of the array lies so far before memory begins
  friend auto operator<=>(const Strided&, const Strided&) = default;
};

/// Times a constant, or an argument of the call.
struct Scaling {
  Number factor = {};
  int argument = -1;  ///< number in Hooked::arguments; -1: the constant
  friend auto operator<=>(const Scaling&, const Scaling&) = default;
};
/// Times the numbers of a buffer.
struct Factors {
  std::uint32_t argument = 0;  ///< number in Hooked::arguments
  bool complex = false, conjugate = false;
  bool of_real = false;  ///< the spectrum of real numbers (hook::Multiply)
  Strided places = {};   ///< in numbers, or pairs
  friend auto operator<=>(const Factors&, const Factors&) = default;
};
/// The sum of several arrays in memory, each times factors of its own (hook::WeightedSum).
struct WeightedSum {
  Factors weights = {};      ///< of the first array
  std::uint64_t count = 1;   ///< arrays
  std::uint64_t stride = 0;  ///< from array to array, in elements of memory
  std::uint64_t set = 0;     ///< from its factors to the next one's, in numbers or pairs
  friend auto operator<=>(const WeightedSum&, const WeightedSum&) = default;
};
struct Box {
  std::uint32_t axis = 0;
  std::uint64_t begin = 0, end = 0;
  friend auto operator<=>(const Box&, const Box&) = default;
};
/// Element j of frame i is sample i hop + j - before of so many (hook::Frames).
struct Framing {
  std::uint32_t frames = 0, axis = 0;
  std::uint64_t hop = 1, before = 0, samples = 0;
  friend auto operator<=>(const Framing&, const Framing&) = default;
};
struct Power {
  bool decibels = false;
  Number floor = {};
  friend auto operator<=>(const Power&, const Power&) = default;
};
/// Element j goes to (j + by) mod n.
struct Rotation {
  std::uint32_t axis = 0;
  std::uint64_t by = 0;
  friend auto operator<=>(const Rotation&, const Rotation&) = default;
};
/// Times exp(-2 pi i j numerator / denominator).
struct Modulation {
  std::uint32_t axis = 0;
  std::uint64_t numerator = 0, denominator = 1;
  friend auto operator<=>(const Modulation&, const Modulation&) = default;
};
/// A call of the user's function.
struct Snippet {
  std::string text = {}, function = {};
  std::string field = {};                     ///< names the text in a compiler's messages
  std::vector<std::uint32_t> arguments = {};  ///< numbers in Hooked::arguments
  bool lanes = false;                         ///< it takes vectors of elements
  friend auto operator<=>(const Snippet&, const Snippet&) = default;
};
/// The user's function that reads or writes memory: of no arguments, or of one.
struct Access {
  Snippet call = {};
  std::uint64_t bytes = 0;  ///< that memory has for an element or part; 0: as its type says
  friend auto operator<=>(const Access&, const Access&) = default;
};
using HookStep = std::variant<Scaling, Factors, WeightedSum, Box, Framing, Power, Rotation,
                              Modulation, Snippet, Access>;

/// What memory holds of an element's numbers.
enum class Stored { as_computed, i8, u8, i16, u16 };

/// An argument of the kernel: which of the direction's (problem::Problem::arguments).
struct KernelArgument {
  enum class Type { real_buffer, complex_buffer, real, integer } type = Type::real;
  std::uint32_t number = 0;
  friend auto operator<=>(const KernelArgument&, const KernelArgument&) = default;

  bool is_buffer() const { return type == Type::real_buffer || type == Type::complex_buffer; }
};

struct Hooked {
  std::vector<std::uint64_t> lengths = {};  ///< of the array, slowest dimension first
  Strided memory = {};                      ///< in elements of memory
  int line_axis = -1;                       ///< that lines lie along; -1: several
  std::uint64_t distance = 0;               ///< from line to line of the kernel's batch, in numbers
  std::uint64_t grain = 1;                  ///< launches begin at multiples of it
  bool wide = false;                        ///< the batch has 2^31 elements or more
  Stored stored = Stored::as_computed;
  std::vector<HookStep> steps = {};  ///< in their order
  std::vector<KernelArgument> arguments = {};
  friend auto operator<=>(const Hooked&, const Hooked&) = default;

  /// Elements of a batch member.
  std::uint64_t size() const;
  /// From index to index along a dimension, in numbers.
  std::uint64_t stride(std::size_t axis) const;
  /// Results are real where elements are complex: a power is stored.
  bool makes_real() const;
  /// Arrays in memory that elements are the sums of; null: one.
  const WeightedSum* sum() const;
  /// The function that reads or writes memory; null: kernels do.
  const Access* access() const;
  /// True if lines along `line_axis` are all multiplied by the spectrum of one real signal, so that
  /// two real lines may be the parts of a complex one.
  bool convolves_real_lines() const;
  /// Returns the dimension that counts overlapping frames; -1: there are none.
  int frames_axis() const;
};

}  // namespace imago::kernel
