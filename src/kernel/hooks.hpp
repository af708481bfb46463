// This file defines the data of a Step about the hooks on one of its sides: numbers resolved from
// problem::HookedEnd. Such a side addresses its elements by their linear index in the packed array
// of the whole batch, row-major: element (j0, j1, ..) of batch element b has the number ((b n0 +
// j0) n1 + j1) and so on. Strides, distances and offsets of the side count in these numbers. The
// load/store layer (blocks/hooks) computes an element's place in memory from its number.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <imago/hooks.hpp>

namespace imago::kernel {

/// A double stored as its bits, so that keys distinguish all values.
struct Number {
  std::uint64_t bits = 0;
  static Number of(double value);
  double value() const;
  friend auto operator<=>(const Number&, const Number&) = default;
};

/// The layout of the array's elements in a memory. Elements along a dimension with stride 0 share
/// one place.
struct Strided {
  std::vector<std::uint64_t> strides = {};
  std::uint64_t distance = 0;  ///< between batch elements
  std::uint64_t before = 0;    ///< distance from element 0 of the array to the start of memory
  friend auto operator<=>(const Strided&, const Strided&) = default;
};

/// A multiplication by a constant, or by an argument of the call.
struct Scaling {
  Number factor = {};
  int argument = -1;  ///< index into Hooked::arguments; -1: the constant
  friend auto operator<=>(const Scaling&, const Scaling&) = default;
};
/// A multiplication by the numbers of a buffer.
struct Factors {
  std::uint32_t argument = 0;  ///< index into Hooked::arguments
  bool complex = false, conjugate = false;
  bool of_real = false;  ///< true for the spectrum of real numbers (hook::Multiply)
  Strided places = {};   ///< layout of the factors, in numbers or pairs
  /// Number of adjacent elements that share a factor: those of a row of the first or last kernel.
  std::uint64_t sharing = 1;
  friend auto operator<=>(const Factors&, const Factors&) = default;
};
/// The sum of several arrays in memory, each multiplied by its own factors (hook::WeightedSum).
struct WeightedSum {
  Factors weights = {};      ///< factors of the first array
  std::uint64_t count = 1;   ///< number of arrays
  std::uint64_t stride = 0;  ///< distance of adjacent arrays, in elements of memory
  /// Distance between the factors of consecutive arrays, in numbers or pairs.
  std::uint64_t set = 0;
  friend auto operator<=>(const WeightedSum&, const WeightedSum&) = default;
};
struct Box {
  std::uint32_t axis = 0;
  std::uint64_t begin = 0, end = 0;
  friend auto operator<=>(const Box&, const Box&) = default;
};
/// Element j of frame i is sample i hop + j - before of a signal of `samples` samples
/// (hook::Frames).
struct Framing {
  std::uint32_t frames = 0, axis = 0;
  std::uint64_t hop = 1, before = 0, samples = 0;
  int argument = -1;       ///< index into Hooked::arguments of a number; -1: none
  std::uint64_t unit = 1;  ///< the number times this is subtracted from `before`
  friend auto operator<=>(const Framing&, const Framing&) = default;
};
struct Power {
  bool decibels = false;
  Number floor = {};
  friend auto operator<=>(const Power&, const Power&) = default;
};
/// Makes real elements complex at load, and complex ones real at store.
struct RealPart {
  friend auto operator<=>(const RealPart&, const RealPart&) = default;
};
/// Negates the imaginary part.
struct Conjugation {
  friend auto operator<=>(const Conjugation&, const Conjugation&) = default;
};
/// Adds elements to those in memory.
struct Accumulation {
  friend auto operator<=>(const Accumulation&, const Accumulation&) = default;
};
/// Moves element j to (j + by) mod n.
struct Rotation {
  std::uint32_t axis = 0;
  std::uint64_t by = 0;
  friend auto operator<=>(const Rotation&, const Rotation&) = default;
};
/// A multiplication by exp(-2 pi i j numerator / denominator).
struct Modulation {
  std::uint32_t axis = 0;
  std::uint64_t numerator = 0, denominator = 1;
  friend auto operator<=>(const Modulation&, const Modulation&) = default;
};
/// A multiplication by exp(-2 pi i (first + j) k / points), or its conjugate (hook::LineTwiddle).
struct LineTwiddle {
  std::uint32_t along = 0, column = 0;
  std::uint64_t points = 1, first = 0;
  int argument = -1;  ///< index into Hooked::arguments of a number to add to `first`; -1: none
  bool conjugate = false;
  friend auto operator<=>(const LineTwiddle&, const LineTwiddle&) = default;
};
/// An addition of a b factor, with a and b in buffers (hook::Add).
struct Addition {
  Factors terms = {};        ///< the buffer of a
  std::uint64_t offset = 0;  ///< place of the first element, in numbers or pairs
  Number factor = {};
  int times = -1;          ///< index into Hooked::arguments of the buffer of b; -1: none
  std::uint32_t axis = 0;  ///< the dimension of b
  int argument = -1;       ///< index into Hooked::arguments of a number; -1: none
  std::uint64_t unit = 1;  ///< the number times this is added to `offset`
  friend auto operator<=>(const Addition&, const Addition&) = default;
};
/// A call of the user's function.
struct Snippet {
  std::string text = {}, function = {};
  std::string field = {};                     ///< name of the text in a compiler's messages
  std::vector<std::uint32_t> arguments = {};  ///< indices into Hooked::arguments
  bool lanes = false;                         ///< true if the function accepts vectors of elements
  friend auto operator<=>(const Snippet&, const Snippet&) = default;
};
/// The user's function that reads or writes memory, with one argument or none.
struct Access {
  Snippet call = {};
  std::uint64_t bytes = 0;  ///< bytes in memory per element or part; 0: the size of its type
  friend auto operator<=>(const Access&, const Access&) = default;
};
using HookStep =
    std::variant<Scaling, Factors, WeightedSum, Box, Framing, Power, Rotation, Modulation, Snippet,
                 Access, Conjugation, Accumulation, RealPart, LineTwiddle, Addition>;

/// The type in memory of an element's numbers.
enum class Stored { as_computed, i8, u8, i16, u16 };

/// A kernel argument: an entry of the direction's list (problem::Problem::arguments).
struct KernelArgument {
  enum class Type { real_buffer, complex_buffer, real, integer } type = Type::real;
  std::uint32_t number = 0;
  friend auto operator<=>(const KernelArgument&, const KernelArgument&) = default;

  bool is_buffer() const { return type == Type::real_buffer || type == Type::complex_buffer; }
};

struct Hooked {
  std::vector<std::uint64_t> lengths = {};  ///< lengths of the array, slowest dimension first
  Strided memory = {};                      ///< layout in elements of memory
  int line_axis = -1;                       ///< axis along which lines lie; -1: several axes
  std::uint64_t distance = 0;  ///< distance of adjacent lines of the kernel's batch, in numbers
  std::uint64_t grain = 1;     ///< every launch begins at a multiple of it
  bool wide = false;           ///< true if the batch has 2^31 elements or more
  Stored stored = Stored::as_computed;
  std::vector<HookStep> steps = {};  ///< in order of execution
  std::vector<KernelArgument> arguments = {};
  friend auto operator<=>(const Hooked&, const Hooked&) = default;

  /// Returns the elements of a batch element.
  std::uint64_t size() const;
  /// Returns the distance between adjacent indices of a dimension, in numbers.
  std::uint64_t stride(std::size_t axis) const;
  /// Returns true if elements are added to those in memory.
  bool accumulates() const;
  /// Returns true if memory holds real numbers although the transform's elements are complex.
  bool real_in_memory() const;
  /// Returns the weighted sum that makes the elements; null: there is none.
  const WeightedSum* sum() const;
  /// Returns the user's function that reads or writes memory; null: there is none.
  const Access* access() const;
  /// Returns true if a user's function reads or writes memory, or accepts vectors of elements.
  bool calls_lanes() const;
  /// Returns true if all lines along `line_axis` are multiplied by the spectrum of one real signal.
  /// Two real lines may then be the parts of a complex one.
  bool convolves_real_lines() const;
  /// Returns the dimension that counts overlapping frames; -1: there are none.
  int frames_axis() const;
};

}  // namespace imago::kernel
