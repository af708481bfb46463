// This file describes hooks: operations on elements that run inside a transform's kernels, as these
// load elements from your arrays and store results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <imago/standard_library.hpp>

namespace imago {

/// Integer types that memory may hold instead of floating-point numbers.
enum class Integer { i8, u8, i16, u16 };

namespace hook {

/// Multiplication of each element by one number.
struct Scale {
  double factor = 1;          ///< the number, if `argument` is empty
  std::string argument = {};  ///< name of the call's argument that is the number; empty: `factor`
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// Multiplication by the factors in a buffer of the call. The buffer is packed and row-major over
/// its axes. Its numbers have the precision of the arithmetic (f32 for f16 arrays); a complex
/// factor is a pair of numbers.
struct Multiply {
  std::string argument = {};  ///< name of the call's argument that is the buffer
  /// Axes of the buffer, ascending. Along other axes the factor is constant. Not set: all axes.
  std::optional<std::vector<std::size_t>> axes = {};
  bool batched = false;    ///< true: the buffer has separate factors for each batch element
  bool real = false;       ///< true: factors are real; for real elements they always are
  bool conjugate = false;  ///< true: multiplies by the complex conjugates of the factors
  /// Your promise that the factors are the spectrum of real numbers: factor n - k is the conjugate
  /// of factor k. It speeds up a filter that writes real frames to one signal (hook Frames at
  /// store), if the factors are the same for all frames. One complex row then computes two frames,
  /// and the rounding error of each is relative to both. imago does not check the promise.
  bool of_real = false;
  friend bool operator==(const Multiply&, const Multiply&) = default;
};

/// Weighted sum of `count` arrays in memory, such as channels of a convolution or sensors of a
/// beam. An element is the sum of the arrays' elements, each multiplied by its weight. The weights
/// are in a buffer of the call, in the form of Multiply's factors, first all of array 0, then all
/// of array 1, and so on.
struct WeightedSum {
  Multiply weights = {};   ///< the buffer of the weights, and its shape
  std::size_t count = 1;   ///< number of arrays
  std::size_t stride = 0;  ///< distance of one array from the next, in elements
  friend bool operator==(const WeightedSum&, const WeightedSum&) = default;
};

/// Range of indices along an axis; elements outside of begin <= index < end are zero. A range next
/// to memory (before shifts at load, after shifts at store) limits the elements that kernels read
/// or write. Kernels never access memory outside it, so the buffer may be smaller than the layout
/// implies.
struct ZeroOutside {
  std::size_t axis = 0;   ///< a dimension of the Transform
  std::size_t begin = 0;  ///< first index inside
  std::size_t end = 0;    ///< one past the last index inside
  friend bool operator==(const ZeroOutside&, const ZeroOutside&) = default;
};

/// Conversion of integers in memory. At load an element is the integer times `scale`. At store the
/// element times `scale` is rounded to the nearest integer of the type (ties to even).
struct Stored {
  Integer type = Integer::i16;  ///< type of the numbers in memory
  double scale = 1;  ///< factor, applied after the conversion at load, before it at store
  friend bool operator==(const Stored&, const Stored&) = default;
};

/// Power |x|^2 of each element, a real number; or 10 log10 max(|x|^2, floor).
struct Power {
  bool decibels = false;  ///< true: 10 log10 max(|x|^2, floor); false: |x|^2
  double floor = 0;       ///< smallest power for decibels, above 0
  friend bool operator==(const Power&, const Power&) = default;
};

/// Real parts of complex elements in memory. At load memory holds real numbers, which become
/// complex elements with imaginary part 0; hooks before it see real numbers. At store only the real
/// part of an element is written. The transform's elements must be complex. Unlike Storage::real,
/// it lets complex factors multiply a real signal.
struct RealPart {
  friend bool operator==(const RealPart&, const RealPart&) = default;
};

/// Complex conjugate of each element.
struct Conjugate {
  friend bool operator==(const Conjugate&, const Conjugate&) = default;
};

/// Addition to memory: an element in memory becomes itself plus the transform's. Each element is
/// added exactly once, without atomic operations. It needs an output apart from the input.
struct Accumulate {
  friend bool operator==(const Accumulate&, const Accumulate&) = default;
};

/// Shift of element j to (j + n/2) mod n along each of the axes, with n/2 rounded down (NumPy's
/// fftshift), or the inverse shift (ifftshift).
struct Shift {
  std::vector<std::size_t> axes = {};  ///< dimensions of the Transform
  bool back = false;                   ///< true: ifftshift
  friend bool operator==(const Shift&, const Shift&) = default;
};

/// Shift of element j to (j + by) mod n along an axis (NumPy's roll).
struct Roll {
  std::size_t axis = 0;  ///< a dimension of the Transform
  std::int64_t by = 0;   ///< number of elements; negative: towards index 0
  friend bool operator==(const Roll&, const Roll&) = default;
};

/// Frames of a longer signal as rows of the array (STFT). Element j along `axis` of frame i along
/// `frames` is sample i hop + j - before. Samples outside of 0 <= sample < samples are zero;
/// kernels do not read or write them. Memory holds the signal, starting at sample 0. The layout's
/// stride along `frames` must be hop times its stride along `axis`. Written frames must not
/// overlap: use ZeroOutside to keep at most `hop` elements of each.
struct Frames {
  std::size_t frames = 0;   ///< the dimension that counts frames
  std::size_t axis = 1;     ///< the dimension of a frame's elements
  std::size_t hop = 1;      ///< number of samples from one frame to the next
  std::size_t before = 0;   ///< number of samples by which the first frame starts before the signal
  std::size_t samples = 0;  ///< length of the signal
  /// Name of the call's argument, an int: all frames start `unit` times as many samples later.
  /// Empty: they do not.
  std::string argument = {};
  std::size_t unit = 1;  ///< samples by which the argument 1 moves the frames
  friend bool operator==(const Frames&, const Frames&) = default;
};

/// Multiplication by exp(2 pi i j numerator / denominator), with j the index along an axis. Applied
/// to a signal of n points, it moves the spectrum by n numerator / denominator entries. Elements
/// must be complex.
struct Modulate {
  std::size_t axis = 0;           ///< a dimension of the Transform
  std::int64_t numerator = 0;     ///< numerator of the turns from one element to the next
  std::uint64_t denominator = 1;  ///< denominator of the turns, from 1 to 2^30 - 1
  friend bool operator==(const Modulate&, const Modulate&) = default;
};

/// Additional parameter of a user's function: a number, or a buffer of f32 or f64 numbers or pairs,
/// which the function receives as a `__global const` pointer.
struct Parameter {
  /// Buffer of numbers, buffer of pairs, number in the precision of the arithmetic, or int.
  enum class Type { real_buffer, complex_buffer, real, integer };
  Type type = Type::real;  ///< type of the parameter
  std::string name = {};   ///< name of the call's argument
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// User's function of one element in OpenCL C: `T f(T x, const imago_at* at, parameters...)`. T is
/// the type of the element: float, float2, double or double2. `at->index[d]` is the element's index
/// along dimension d, `at->member` its index in the batch, and `at->element` its linear index in
/// the packed array; all are `long`. The types must be exactly these. The function must be pure,
/// because it may run more than once for an element.
///
/// With `lanes` the function is written for one element or for a vector of elements, depending on
/// the kernel: `imago_complex f(imago_complex x, const imago_at* at, parameters...)`, with the
/// parts x.re and x.im, or `imago_real f(imago_real x, ...)`. imago_real is float, double or a
/// vector type up to double16. at->index[d], at->member and at->element are imago_int: one int or
/// long for each element. To read elements of buffers, call `imago_gather(buffer, index)`, which
/// returns an imago_real, or `imago_gather_complex(buffer, index)`.
struct Code {
  std::string text = {};                   ///< OpenCL C, at most 64 KiB
  std::string function = {};               ///< name of the function in `text`
  std::vector<Parameter> parameters = {};  ///< parameters of the function, after `at`
  bool lanes = false;                      ///< true: written for vectors of elements
  friend bool operator==(const Code&, const Code&) = default;
};

/// User's load or store callback in OpenCL C: a function that itself reads an element from memory,
/// or writes it there. `offset` is the element's offset in the array, by the offset, strides and
/// distance of the Layout, below 2^32:
///
///     T f(__global void* in, uint offset, __global void* userdata)                at load
///     void f(__global void* out, uint offset, __global void* userdata, T x)       at store
///
/// For planar arrays, with R the type of the parts of T:
///
///     T f(__global void* re, __global void* im, uint offset, __global void* userdata)
///     void f(__global void* re, __global void* im, uint offset, __global void* userdata,
///            R x_re, R x_im)
///
/// These are the callbacks of clFFT 2.12 without local memory. T is the type of the element, as for
/// Code. `userdata` is a buffer of the call, or null if the hook names none. A load function may
/// run more than once for an element; a store function runs once. Elements are processed in
/// parallel: a function that reads memory that another call of it writes may see the old or the new
/// value.
struct Access {
  std::string text = {};      ///< OpenCL C, at most 64 KiB
  std::string function = {};  ///< name of the function in `text`
  std::string userdata = {};  ///< name of the call's argument for `userdata`; empty: null pointer
  /// Bytes in memory of one element, or of each part of a planar element; 0: those of T.
  std::size_t bytes = 0;
  friend bool operator==(const Access&, const Access&) = default;
};

/// Multiplication by exp(-2 pi i (first + j) k / points), with j and k the indices along `column`
/// and `along`: the twiddle factors between the two steps of a 1-D transform of `points` points
/// that several plans compute as columns and rows (four-step). Elements must be complex.
struct LineTwiddle {
  std::size_t along = 0;      ///< a dimension of the Transform
  std::size_t column = 0;     ///< another one
  std::uint64_t points = 1;   ///< up to 2^60; (first + j) k must always be below it
  std::uint64_t first = 0;    ///< index of the array's first column in the whole line
  std::string argument = {};  ///< name of the call's argument, an int, that is added to `first`
  bool conjugate = false;     ///< true: multiplies by the complex conjugates of the factors
  friend bool operator==(const LineTwiddle&, const LineTwiddle&) = default;
};

/// Addition of factor * a * b to each element. The number a is in a buffer of the call, at the
/// place `offset` plus the element's indices times `strides`, plus its index in the batch times
/// `distance`. The number b is in another buffer, of real numbers: one for each index along `axis`.
/// Both buffers have the precision of the arithmetic, as Multiply's. For example, it subtracts a
/// line from each frame of a signal, if a is the slope of a frame and b the distance of a sample
/// from the middle of its frame. Elements that boxes or frames make zero at load stay zero.
struct Add {
  std::string argument = {};  ///< name of the call's argument that is the buffer of a
  /// For each dimension, the distance in the buffer of a between adjacent indices, in numbers or
  /// pairs; 0: a is constant along it. Empty: those of a packed array.
  std::vector<std::size_t> strides = {};
  std::size_t distance = 0;  ///< between batch elements; 0: all share their numbers
  std::size_t offset = 0;    ///< place of the first element's number
  bool real = false;         ///< true: a is real; for real elements it always is
  double factor = 1;         ///< a constant
  std::string times = {};    ///< name of the call's argument that is the buffer of b; empty: b is 1
  std::size_t axis = 0;      ///< the dimension of b
  /// Name of the call's argument, an int: all places of a are `unit` times as many further. The
  /// buffer must reach so far, which imago does not check. Empty: they are not.
  std::string argument_of_offset = {};
  std::size_t unit = 1;  ///< numbers or pairs by which the argument 1 moves the places
  friend bool operator==(const Add&, const Add&) = default;
};

}  // namespace hook

/// A hook of any type.
using Hook = std::variant<hook::Scale, hook::Multiply, hook::WeightedSum, hook::ZeroOutside,
                          hook::Frames, hook::Stored, hook::Power, hook::Shift, hook::Roll,
                          hook::Modulate, hook::Code, hook::Access, hook::Conjugate,
                          hook::Accumulate, hook::RealPart, hook::LineTwiddle, hook::Add>;

/// Hooks of one direction, in the order in which they run. Axes are dimensions of the Transform.
/// Indices are those of the array that the direction reads or writes: a half spectrum has n/2+1
/// entries along its real axis.
///
/// Plan's constructor throws InvalidArgument for a hook that is not allowed in its place, and for
/// axes and numbers that are out of range. In place, it throws Unsupported for hooks that move
/// elements, change their size or sum arrays.
struct Hooks {
  std::vector<Hook> load = {};   ///< hooks of each element that the direction reads
  std::vector<Hook> store = {};  ///< hooks of each element that the direction writes
  friend bool operator==(const Hooks&, const Hooks&) = default;
};

namespace hook {

/// Multiplies by a constant.
inline Hook scale(double factor) { return Scale{factor, {}}; }
/// Multiplies by a number that each call supplies under the name `argument`.
inline Hook scale(std::string argument) { return Scale{1, std::move(argument)}; }
/// Multiplies by real factors, one for each index along an axis, in the call's buffer `argument`.
inline Hook window(std::size_t axis, std::string argument) {
  return Multiply{std::move(argument), std::vector{axis}, false, true, false};
}
/// Multiplies by the call's buffer `argument`. The buffer has the shape of one batch element,
/// unless `how` specifies another shape.
inline Hook multiply(std::string argument, Multiply how = {}) {
  how.argument = std::move(argument);
  return how;
}
/// Loads the weighted sum of `count` arrays in memory, which are `stride` elements apart. For each
/// array, the call's buffer `argument` has one weight per element, unless `how` specifies another
/// shape. Only as the first hook at load.
inline Hook weighted_sum(std::string argument, std::size_t count, std::size_t stride,
                         Multiply how = {}) {
  how.argument = std::move(argument);
  return WeightedSum{std::move(how), count, stride};
}
/// Adds the numbers in the call's buffer `argument`. The buffer has the shape of one batch element,
/// unless `how` specifies another shape, a factor, or a second buffer.
inline Hook add(std::string argument, Add how = {}) {
  how.argument = std::move(argument);
  return how;
}
/// Sets elements outside of begin <= index < end to zero: they are not read, or not written.
inline Hook zero_outside(std::size_t axis, std::size_t begin, std::size_t end) {
  return ZeroOutside{axis, begin, end};
}
/// Converts integers in memory to elements: integer times `scale`. Only as the first hook at load.
inline Hook from_integer(Integer type, double scale = 1) { return Stored{type, scale}; }
/// Converts elements times `scale` to integers in memory: rounded to the nearest, saturated at the
/// limits of the type. Only as the last hook at store.
inline Hook to_integer(Integer type, double scale = 1) { return Stored{type, scale}; }
/// Computes |x|^2, a real number. Only at store.
inline Hook power() { return Power{}; }
/// Computes 10 log10 max(|x|^2, floor), a real number, with floor > 0. Only at store.
inline Hook decibels(double floor) { return Power{true, floor}; }
/// Loads real numbers as complex elements (RealPart). Only at load.
inline Hook from_real() { return RealPart{}; }
/// Stores the real parts of complex elements (RealPart). Only at store.
inline Hook to_real() { return RealPart{}; }
/// Computes the complex conjugate.
inline Hook conjugate() { return Conjugate{}; }
/// Adds elements to those in memory. Only as the last hook at store, out of place.
inline Hook accumulate() { return Accumulate{}; }
/// Shifts along axes like NumPy's fftshift.
inline Hook shift(std::vector<std::size_t> axes) { return Shift{std::move(axes), false}; }
/// Shifts along axes like NumPy's ifftshift.
inline Hook shift_back(std::vector<std::size_t> axes) { return Shift{std::move(axes), true}; }
/// Shifts along an axis like NumPy's roll.
inline Hook roll(std::size_t axis, std::int64_t by) { return Roll{axis, by}; }
/// Maps rows to frames of a signal of `samples` samples, `hop` samples from one to the next. The
/// first frame starts `before` samples before the signal.
inline Hook frames(std::size_t frames, std::size_t axis, std::size_t hop, std::size_t before,
                   std::size_t samples) {
  return Frames{frames, axis, hop, before, samples};
}
/// Multiplies by exp(2 pi i j numerator / denominator), with j the index along the axis.
inline Hook modulate(std::size_t axis, std::int64_t numerator, std::uint64_t denominator) {
  return Modulate{axis, numerator, denominator};
}
/// Calls a function of yours in OpenCL C (Code).
inline Hook code(std::string text, std::string function, std::vector<Parameter> parameters = {}) {
  return Code{std::move(text), std::move(function), std::move(parameters)};
}
/// Calls a function of yours that is written for vectors of elements (Code), also fast on CPUs.
inline Hook lane_code(std::string text, std::string function,
                      std::vector<Parameter> parameters = {}) {
  return Code{std::move(text), std::move(function), std::move(parameters), true};
}
/// Calls a function of yours that reads elements from memory (Access). Only as the first hook at
/// load.
inline Hook load_code(std::string text, std::string function, std::string userdata = {},
                      std::size_t bytes = 0) {
  return Access{std::move(text), std::move(function), std::move(userdata), bytes};
}
/// Calls a function of yours that writes elements to memory (Access). Only as the last hook at
/// store.
inline Hook store_code(std::string text, std::string function, std::string userdata = {},
                       std::size_t bytes = 0) {
  return Access{std::move(text), std::move(function), std::move(userdata), bytes};
}

}  // namespace hook

}  // namespace imago
