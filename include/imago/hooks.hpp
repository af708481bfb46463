// This file describes what is done to elements on their way from the caller's memory into a
// transform, and out of it: hooks, which run inside the kernels that load and store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace imago {

/// Whole numbers that memory may hold in the place of floating-point numbers.
enum class Integer { i8, u8, i16, u16 };

namespace hook {

/// Times a number: `factor`, or the one that the call names `argument`.
struct Scale {
  double factor = 1;          ///< without `argument`
  std::string argument = {};  ///< the call's number of that name; empty: `factor`
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// Times the elements of a buffer of the call. Its numbers have the precision that is computed in
/// (f16: f32) and are packed, row-major, over the axes that it has; of complex factors pairs.
struct Multiply {
  std::string argument = {};  ///< name of the call's buffer
  /// Ascending; along the others the factor is the same. None: all of them.
  std::optional<std::vector<std::size_t>> axes = {};
  bool batched = false;    ///< it has factors of its own for each batch member
  bool real = false;       ///< its numbers are real; of real elements they always are
  bool conjugate = false;  ///< times the complex conjugate
  /// Promises that they are the spectrum of real numbers: factor n - k is the conjugate of factor
  /// k. A filter whose real frames are written to one signal then takes two of them at a time, so
  /// that the error of each is relative to both.
  bool of_real = false;
  friend bool operator==(const Multiply&, const Multiply&) = default;
};

/// Memory holds `count` arrays, `stride` elements from one to the next, and an element is the sum
/// of theirs, each times its own weight: of the call's buffer, as Multiply's factors, all those of
/// the first array before those of the second. (Channels of a convolution; a beam of sensors.)
struct WeightedSum {
  Multiply weights = {};   ///< the buffer of the weights, and its shape
  std::size_t count = 1;   ///< arrays that are summed
  std::size_t stride = 0;  ///< from one to the next, in elements
  friend bool operator==(const WeightedSum&, const WeightedSum&) = default;
};

/// Elements outside of begin <= index < end along an axis are zero: not read, or not written. One
/// box lies around the hooks' memory: what the layout says of other elements is never looked at.
struct ZeroOutside {
  std::size_t axis = 0;   ///< a dimension of the Transform
  std::size_t begin = 0;  ///< first index inside
  std::size_t end = 0;    ///< first index behind
  friend bool operator==(const ZeroOutside&, const ZeroOutside&) = default;
};

/// Memory holds whole numbers. At load an element is the number times `scale`; at store the element
/// times `scale` is rounded to the nearest (even) number that there is.
struct Stored {
  Integer type = Integer::i16;  ///< of the numbers in memory
  double scale = 1;             ///< factor, at load behind and at store before the conversion
  friend bool operator==(const Stored&, const Stored&) = default;
};

/// |x|^2, a real number; or 10 log10 max(|x|^2, floor).
struct Power {
  bool decibels = false;  ///< else |x|^2
  double floor = 0;       ///< of decibels: above 0
  friend bool operator==(const Power&, const Power&) = default;
};

/// Element j goes to (j + n/2) mod n along each of the axes (n/2 rounded down: NumPy's fftshift),
/// or back (ifftshift).
struct Shift {
  std::vector<std::size_t> axes = {};  ///< dimensions of the Transform
  bool back = false;                   ///< ifftshift
  friend bool operator==(const Shift&, const Shift&) = default;
};

/// Element j goes to (j + by) mod n along an axis (NumPy's roll).
struct Roll {
  std::size_t axis = 0;  ///< a dimension of the Transform
  std::int64_t by = 0;   ///< elements; back where it is negative
  friend bool operator==(const Roll&, const Roll&) = default;
};

/// The array's rows are frames of a longer signal: element j along `axis` of frame i along `frames`
/// is sample i hop + j - before. Those outside of 0 <= sample < samples are zero: not read, or not
/// written. Memory is the signal from sample 0 on, and the layout's strides say so: hop times the
/// axis' stride from frame to frame. Written frames must not overlap: a box leaves hop elements of
/// each at most.
struct Frames {
  std::size_t frames = 0;   ///< the dimension that counts frames
  std::size_t axis = 1;     ///< the dimension of a frame's elements
  std::size_t hop = 1;      ///< samples from one frame to the next
  std::size_t before = 0;   ///< samples by which the first frame begins early
  std::size_t samples = 0;  ///< of the signal
  friend bool operator==(const Frames&, const Frames&) = default;
};

/// Times exp(2 pi i j numerator / denominator), j the index along an axis: its other side moves.
struct Modulate {
  std::size_t axis = 0;           ///< a dimension of the Transform
  std::int64_t numerator = 0;     ///< of turns from an element to the next
  std::uint64_t denominator = 1;  ///< of these turns, from 1
  friend bool operator==(const Modulate&, const Modulate&) = default;
};

/// What a function of the user takes beside the element: a buffer (of f32 or f64 numbers, or
/// pairs), which comes as a `__global const` pointer, or a number.
struct Parameter {
  /// Buffers of numbers or of pairs; numbers of the precision that is computed in, or an int.
  enum class Type { real_buffer, complex_buffer, real, integer };
  Type type = Type::real;  ///< what it is
  std::string name = {};   ///< by which the call gives it
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// A function in OpenCL C: `T f(T x, const imago_at* at, parameters..)`. T is the element (float,
/// float2, double or double2); `at->index[d]` its index along dimension d, `at->member` its number
/// in the batch, `at->element` its number in the packed array (all `long`). It must be pure, for it
/// may run more than once for an element. Its types must be exactly these.
///
/// With `lanes` it is written for one element or a vector of them, whatever the kernel has:
/// `imago_complex f(imago_complex x, const imago_at* at, parameters..)`, with the parts x.re and
/// x.im, or `imago_real f(imago_real x, ..)`. imago_real is float, float2 .. double16;
/// at->index[d], at->member and at->element are imago_int, an int or long for each. Elements of
/// buffers are `imago_gather(buffer, index)`, an imago_real, and `imago_gather_complex(..)`.
struct Code {
  std::string text = {};                   ///< OpenCL C, at most 64 KiB
  std::string function = {};               ///< the function's name in it
  std::vector<Parameter> parameters = {};  ///< of the function, behind `at`
  bool lanes = false;                      ///< written for vectors of elements
  friend bool operator==(const Code&, const Code&) = default;
};

/// A function in OpenCL C that reads an element from memory, or writes it there, itself; offset is
/// the element's in the array (Layout: its offset, strides and distance count), below 2^32:
///
///     T f(__global void* in, uint offset, __global void* userdata)                at load
///     void f(__global void* out, uint offset, __global void* userdata, T x)       at store
///
/// or, of planar arrays, with R the real number that T is made of,
///
///     T f(__global void* re, __global void* im, uint offset, __global void* userdata)
///     void f(__global void* re, __global void* im, uint offset, __global void* userdata,
///            R x_re, R x_im)
///
/// These are the callbacks of clFFT 2.12 without local memory. T is as Code's. userdata is the
/// call's buffer of that name; none: a null pointer. A function that reads may run more than once
/// for an element; one that writes runs once. Several elements are on their way at a time: one that
/// reads what another writes may find either.
struct Access {
  std::string text = {};      ///< OpenCL C, at most 64 KiB
  std::string function = {};  ///< the function's name in it
  std::string userdata = {};  ///< name of the call's buffer; empty: none
  /// That memory has for an element, or for each part of a planar one; 0: those of T.
  std::size_t bytes = 0;
  friend bool operator==(const Access&, const Access&) = default;
};

}  // namespace hook

/// One of them.
using Hook = std::variant<hook::Scale, hook::Multiply, hook::WeightedSum, hook::ZeroOutside,
                          hook::Frames, hook::Stored, hook::Power, hook::Shift, hook::Roll,
                          hook::Modulate, hook::Code, hook::Access>;

/// What is done to each element that a direction reads, and to each that it writes; first listed,
/// first done. Axes are dimensions of the Transform, and indices those of the side: a half spectrum
/// has n/2+1 along its real axis.
struct Hooks {
  std::vector<Hook> load = {};   ///< to what is read
  std::vector<Hook> store = {};  ///< to what is written
  friend bool operator==(const Hooks&, const Hooks&) = default;
};

namespace hook {

/// Times a constant.
inline Hook scale(double factor) { return Scale{factor, {}}; }
/// Times a number of the call.
inline Hook scale(std::string argument) { return Scale{1, std::move(argument)}; }
/// Times real factors, one for each point of an axis.
inline Hook window(std::size_t axis, std::string argument) {
  return Multiply{std::move(argument), std::vector{axis}, false, true, false};
}
/// Times a buffer of the call: of the shape of one batch member, unless `how` says otherwise.
inline Hook multiply(std::string argument, Multiply how = {}) {
  how.argument = std::move(argument);
  return how;
}
/// At load, first: the sum of `count` arrays in memory, each with weights of its own.
inline Hook weighted_sum(std::string argument, std::size_t count, std::size_t stride,
                         Multiply how = {}) {
  how.argument = std::move(argument);
  return WeightedSum{std::move(how), count, stride};
}
/// Elements outside of begin <= index < end are zero: not read, or not written.
inline Hook zero_outside(std::size_t axis, std::size_t begin, std::size_t end) {
  return ZeroOutside{axis, begin, end};
}
/// At load, first: memory holds whole numbers, and an element is one of them times `scale`.
inline Hook from_integer(Integer type, double scale = 1) { return Stored{type, scale}; }
/// At store, last: elements times `scale`, rounded; what is too large becomes the largest number.
inline Hook to_integer(Integer type, double scale = 1) { return Stored{type, scale}; }
/// At store: |x|^2, a real number.
inline Hook power() { return Power{}; }
/// At store: 10 log10 max(|x|^2, floor), a real number; floor > 0.
inline Hook decibels(double floor) { return Power{true, floor}; }
/// NumPy's fftshift along axes.
inline Hook shift(std::vector<std::size_t> axes) { return Shift{std::move(axes), false}; }
/// NumPy's ifftshift along axes.
inline Hook shift_back(std::vector<std::size_t> axes) { return Shift{std::move(axes), true}; }
/// NumPy's roll along an axis.
inline Hook roll(std::size_t axis, std::int64_t by) { return Roll{axis, by}; }
/// Frames of a signal of so many samples, `hop` from one to the next; the first one begins `before`
/// samples before the signal does.
inline Hook frames(std::size_t frames, std::size_t axis, std::size_t hop, std::size_t before,
                   std::size_t samples) {
  return Frames{frames, axis, hop, before, samples};
}
/// Times exp(2 pi i j numerator / denominator), j the index along the axis.
inline Hook modulate(std::size_t axis, std::int64_t numerator, std::uint64_t denominator) {
  return Modulate{axis, numerator, denominator};
}
/// A function of the user's in OpenCL C.
inline Hook code(std::string text, std::string function, std::vector<Parameter> parameters = {}) {
  return Code{std::move(text), std::move(function), std::move(parameters)};
}
/// A function written for vectors of elements (Code): fast on CPUs, too.
inline Hook lane_code(std::string text, std::string function,
                      std::vector<Parameter> parameters = {}) {
  return Code{std::move(text), std::move(function), std::move(parameters), true};
}
/// At load, first: a function of the user's reads elements from memory (Access).
inline Hook load_code(std::string text, std::string function, std::string userdata = {},
                      std::size_t bytes = 0) {
  return Access{std::move(text), std::move(function), std::move(userdata), bytes};
}
/// At store, last: a function of the user's writes elements to memory (Access).
inline Hook store_code(std::string text, std::string function, std::string userdata = {},
                       std::size_t bytes = 0) {
  return Access{std::move(text), std::move(function), std::move(userdata), bytes};
}

}  // namespace hook

}  // namespace imago
