// This file declares exact convolutions and products of integers. They are transforms of residues
// modulo the prime 2^61 - 1, without rounding.
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

/// Description of an exact convolution: element k of the result is the sum of first[i] second[j]
/// over all i + j = k. Sequences that wrap have the same length.
struct IntegerConvolutionShape {
  std::size_t first = 1;             ///< number of elements of the first sequence
  std::size_t second = 1;            ///< number of elements of the second one
  std::uint64_t largest_first = 1;   ///< bound of the absolute values of the first sequence
  std::uint64_t largest_second = 1;  ///< bound of those of the second one
  Wrap wrap = Wrap::linear;          ///< place of the products beyond the last element
  friend bool operator==(const IntegerConvolutionShape&, const IntegerConvolutionShape&) = default;

  /// Returns the number of elements of the result: first + second - 1, or `first` if it wraps.
  std::size_t result() const { return wrap == Wrap::linear ? first + second - 1 : first; }
};

/// An immutable, movable plan of an exact convolution of 64-bit integers. Every result is that of
/// the definition: the constructor proves from the bounds that no sum exceeds the ring, and refuses
/// otherwise. Integers are signed; unsigned ones within the bounds have the same bits. Every member
/// may be called from many threads at once; calls run one after the other, in memory of the plan.
///
/// @code
/// // Two sequences of half a million integers below 2^20.
/// const std::size_t n = 1 << 19;
/// const imago::IntegerConvolution convolution(
///     context, device, {.first = n, .second = n, .largest_first = 1 << 20,
///                       .largest_second = 1 << 20});
/// convolution.apply(queue, a, b, result);  // buffers of n, n and 2 n - 1 integers of 64 bits
/// @endcode
class IMAGO_API IntegerConvolution {
 public:
  /// Largest absolute value of a result: (p - 1) / 2 for the prime p = 2^61 - 1.
  static constexpr std::uint64_t kLargestResult = (std::uint64_t{1} << 60) - 1;

  /// Makes the plan, and tests it with random integers, unless Options::trust_device. Throws
  /// InvalidArgument for lengths of 0, for sequences of different lengths that wrap, and for bounds
  /// with which a sum may exceed kLargestResult: min(first, second) largest_first largest_second
  /// must not. Throws as Plan's constructor otherwise.
  IntegerConvolution(const cl::Context& context, const cl::Device& device,
                     IntegerConvolutionShape shape, const Options& options = {});
  ~IntegerConvolution();
  IntegerConvolution(IntegerConvolution&&) noexcept;
  IntegerConvolution& operator=(IntegerConvolution&&) noexcept;

  /// Convolves. The three buffers hold 64-bit integers from their first byte on; `first` and
  /// `second` may be the same one. Integers that exceed their bound give a wrong result. Enqueues,
  /// returns and throws as Plan::forward().
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

/// Exact arithmetic of integers in host memory, on the default device (FftOptions). The first call
/// for a number of points makes a plan, which later calls reuse. Any number of threads may call.
namespace exact {

/// Returns the convolution of two sequences of any integers whose results are at most
/// IntegerConvolution::kLargestResult, which the largest absolute values of both must prove. Throws
/// as the constructor of IntegerConvolution.
IMAGO_API std::vector<std::int64_t> convolve(std::span<const std::int64_t> first,
                                             std::span<const std::int64_t> second,
                                             Wrap wrap = Wrap::linear);

/// Returns the product of two natural numbers, which are arrays of words of 64 bits, the least
/// significant first. It has as many words as both together. Throws InvalidArgument for more words
/// than the ring proves (2^30), and the exceptions of IntegerConvolution.
IMAGO_API std::vector<std::uint64_t> multiply(std::span<const std::uint64_t> first,
                                              std::span<const std::uint64_t> second);

}  // namespace exact
}  // namespace imago
