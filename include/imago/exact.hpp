// This file declares exact convolutions and products of integers, which are transforms of residues
// modulo one prime or two, and transforms of residues. Nothing is rounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>

namespace imago {

/// Place of the products beyond the last element of a convolution.
enum class Wrap {
  linear,     ///< it has an element for each of them
  cyclic,     ///< it adds them to the elements from the first one on: modulo x^n - 1
  negacyclic  ///< it subtracts them from these: modulo x^n + 1
};

/// Results of an exact convolution.
enum class IntegerResults {
  int64,   ///< signed integers of 64 bits, up to 2^63 - 1
  modulo,  ///< words of 64 bits: sums modulo 2^64
  int128   ///< signed integers of 128 bits: two words, the lower one first
};

/// Description of an exact convolution: element k of the result is the sum of first[i] second[j]
/// over all i + j = k. Sequences that wrap have the same length.
struct IntegerConvolutionShape {
  std::size_t first = 1;             ///< number of elements of the first sequence
  std::size_t second = 1;            ///< number of elements of the second one
  std::uint64_t largest_first = 1;   ///< bound of the absolute values of the first sequence
  std::uint64_t largest_second = 1;  ///< bound of those of the second one
  Wrap wrap = Wrap::linear;          ///< place of the products beyond the last element
  IntegerResults results = IntegerResults::int64;  ///< size of the results
  friend bool operator==(const IntegerConvolutionShape&, const IntegerConvolutionShape&) = default;

  /// Returns the number of elements of the result: first + second - 1, or `first` if it wraps.
  std::size_t result() const { return wrap == Wrap::linear ? first + second - 1 : first; }
};

/// An immutable, movable plan of an exact convolution of 64-bit integers. Every result is that of
/// the definition: the constructor proves from the bounds that no sum exceeds the rings, and
/// refuses otherwise. Sums up to kLargestInOneRing take one ring, the residues modulo 2^61 - 1;
/// others, and IntegerResults::int128, take a second one, modulo 2^64 - 2^32 + 1. Integers are
/// signed; unsigned ones within the bounds have the same bits. Every member may be called from many
/// threads at once; calls run one after the other, in memory of the plan.
///
/// @code
/// // Two sequences of half a million integers below 2^20.
/// const std::size_t n = 1 << 19;
/// const imago::IntegerConvolution convolution(
///     context, device, {.first = n, .second = n, .largest_first = 1 << 20,
///                       .largest_second = 1 << 20});
/// convolution.apply(queue, x, y, result);  // buffers of n, n and 2 n - 1 integers of 64 bits
/// @endcode
class IMAGO_API IntegerConvolution {
 public:
  /// Largest absolute value of a result in 64 bits.
  static constexpr std::uint64_t kLargestResult = (std::uint64_t{1} << 63) - 1;
  /// Largest absolute value in one ring: (p - 1) / 2 for the prime p = 2^61 - 1.
  static constexpr std::uint64_t kLargestInOneRing = (std::uint64_t{1} << 60) - 1;

  /// Makes the plan, and tests it with random integers, unless Options::trust_device. Throws
  /// InvalidArgument for lengths of 0, for sequences of different lengths that wrap, for bounds
  /// above 2^63, and for bounds with which a sum may be too large: min(first, second) largest_first
  /// largest_second must be at most kLargestResult for IntegerResults::int64, and (p q - 1) / 2 for
  /// the others, where p and q are the primes of both rings: 2^124 - 2^92 - 2^63 + 2^60 + 2^31 - 1.
  /// Throws as Plan's constructor otherwise.
  IntegerConvolution(const cl::Context& context, const cl::Device& device,
                     IntegerConvolutionShape shape, const Options& options = {});
  ~IntegerConvolution();
  IntegerConvolution(IntegerConvolution&&) noexcept;
  IntegerConvolution& operator=(IntegerConvolution&&) noexcept;

  /// Convolves. The three buffers hold 64-bit integers from their first byte on, and `result` has
  /// two for each result with IntegerResults::int128; `first` and `second` may be the same one, and
  /// `result` must not overlap them. Integers that exceed their bound give a wrong result.
  /// Enqueues, returns and throws as Plan::forward().
  void apply(const cl::CommandQueue& queue, const cl::Buffer& first, const cl::Buffer& second,
             const cl::Buffer& result, const Call& call = {}) const;

  const IntegerConvolutionShape& shape() const;  ///< the shape that the constructor was given
  std::size_t points() const;                 ///< complex residues of a transform, a power of two
  std::size_t memory_bytes() const;           ///< bytes of the plan's own memory
  std::size_t workspace_bytes() const;        ///< bytes of the workspace; 0 if it needs none
  std::string describe() const;               ///< a description, in the form of Plan::describe()
  std::vector<KernelSource> sources() const;  ///< its kernels
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<const State> state_;
};

/// Ring of a ModularTransform: integers modulo a prime p. The root of unity of order n is
/// g^((p-1)/n), where g is the least number whose powers are all residues but 0.
enum class Ring {
  goldilocks,  ///< p = 2^64 - 2^32 + 1, g = 7; words of 64 bits; lengths up to 2^32
  baby_bear,   ///< p = 2^31 - 2^27 + 1, g = 31; words of 32 bits; lengths up to 2^27
  koala_bear   ///< p = 2^31 - 2^24 + 1, g = 3; words of 32 bits; lengths up to 2^24
};

/// Order of a spectrum.
enum class Order {
  natural,      ///< element k is at place k
  bit_reversed  ///< element k is at the place whose bits are those of k in reverse, on every axis
};

/// Description of number-theoretic transforms: X[k] = sum_j coset^j x[j] w^(j k), where w is the
/// root of unity of the order of the length. These are the values of a polynomial with the
/// coefficients x at coset w^k. Several axes: along each of them, so those of a polynomial of
/// several variables. Residues are from 0 to p - 1, in packed arrays of words.
struct ModularTransform {
  /// Lengths, slowest axis first: powers of two, from 2 to what the ring has.
  std::vector<std::size_t> lengths = {2};
  std::size_t batch = 1;                          ///< number of transforms
  Ring ring = Ring::goldilocks;                   ///< the ring
  Order order = Order::natural;                   ///< order of the spectrum
  std::uint64_t coset = 1;                        ///< a residue, not 0
  Placement placement = Placement::out_of_place;  ///< place of the result
  Directions directions = Directions::both;       ///< directions that the plan has kernels for
  friend bool operator==(const ModularTransform&, const ModularTransform&) = default;
};

/// An immutable, movable plan of number-theoretic transforms. Results have the same bits on every
/// device. Every member may be called from many threads at once.
///
/// @code
/// const imago::ModularPlan plan(context, device, {.lengths = {1 << 20}, .batch = 8});
/// plan.forward(queue, x, spectrum);  // buffers of 8 x 2^20 words of 64 bits
/// plan.inverse(queue, spectrum, x);  // x as it was
/// @endcode
class IMAGO_API ModularPlan {
 public:
  /// Makes the plan, and tests it with random residues unless Options::trust_device. Throws
  /// InvalidArgument for no lengths, for one that is no power of two from 2 to what the ring has,
  /// and for a coset that is no residue but 0; as Plan's constructor otherwise.
  ModularPlan(const cl::Context& context, const cl::Device& device, ModularTransform transform,
              const Options& options = {});
  ~ModularPlan();
  ModularPlan(ModularPlan&&) noexcept;
  ModularPlan& operator=(ModularPlan&&) noexcept;

  /// Computes the spectra. The signal's buffer and that of the spectrum are the same if the plan is
  /// in place. Numbers above p - 1 give a wrong result. Enqueues, returns and throws as
  /// Plan::forward().
  void forward(const cl::CommandQueue& queue, const cl::Buffer& signal, const cl::Buffer& spectrum,
               const Call& call = {}) const;
  /// Computes the signals from the spectra: the inverse of forward(). Enqueues, returns and throws
  /// as Plan::forward().
  void inverse(const cl::CommandQueue& queue, const cl::Buffer& spectrum, const cl::Buffer& signal,
               const Call& call = {}) const;

  const ModularTransform& transform() const;  ///< the description that the constructor was given
  std::size_t bytes() const;                  ///< bytes of a signal and of a spectrum
  std::size_t workspace_bytes() const;        ///< bytes of the workspace; 0 if it needs none
  std::string describe() const;               ///< a description, in the form of Plan::describe()
  std::vector<KernelSource> sources() const;  ///< its kernels
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<const State> state_;
};

/// Exact arithmetic of integers in host memory, on the default device (FftOptions). The first call
/// for a number of points makes a plan, which later calls reuse. Any number of threads may call.
namespace exact {

/// Returns the convolution of two sequences of integers, whose largest absolute values must prove
/// that results are not too large. Results modulo 2^64 are those of any integers, signed or
/// unsigned; they take two convolutions if the proof fails. IntegerResults::int128 has two words
/// for each result. Throws as the constructor of IntegerConvolution.
IMAGO_API std::vector<std::int64_t> convolve(std::span<const std::int64_t> first,
                                             std::span<const std::int64_t> second,
                                             Wrap wrap = Wrap::linear,
                                             IntegerResults results = IntegerResults::int64);

/// Returns the prime of a ring.
IMAGO_API std::uint64_t modulus(Ring ring);
/// Returns the root of unity of an order, a power of two up to the longest length. Throws
/// InvalidArgument for other orders.
IMAGO_API std::uint64_t root_of_unity(Ring ring, std::uint64_t order);

/// Replaces packed arrays of residues by their spectra, as ModularPlan::forward() does: `words` are
/// the bytes of the words of all elements. The placement and the directions of the transform have
/// no meaning. Throws InvalidArgument for another number of bytes, for a word above p - 1, and as
/// the plan.
IMAGO_API void ntt(std::span<std::byte> words, const ModularTransform& transform);
/// Replaces spectra by their signals, as ModularPlan::inverse() does. Otherwise as ntt().
IMAGO_API void intt(std::span<std::byte> words, const ModularTransform& transform);

/// Returns the product of two natural numbers, which are arrays of words of 64 bits, the least
/// significant first. It has as many words as both together. Throws InvalidArgument for more words
/// than the ring proves (2^27), and the exceptions of IntegerConvolution.
IMAGO_API std::vector<std::uint64_t> multiply(std::span<const std::uint64_t> first,
                                              std::span<const std::uint64_t> second);

}  // namespace exact
}  // namespace imago
