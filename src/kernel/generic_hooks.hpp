// This file defines the numbers that tell a generic kernel of hooks what to do. It is compiled once
// for a device and a precision; then it moves elements between arrays through any hooks
// (kernel/hooks.hpp) but the user's OpenCL C. A transform with hooks runs it before its first
// launch and after its last one.
//
// A launch processes all elements of a packed array. A work-item has a block of elements along
// dimension 0, and runs each step of a list for all of them. It holds for each element a complex
// number x, a sum, and whether the element is inside all boxes so far.
//
// A step has a form of the element's indices,
//   constant + argument * unit + sum over d of factors[d] * ((index[d] + shifts[d]) mod extent[d]),
// which is for example the element's place in memory. The shifts say how far hooks have moved the
// element. Numbers count real numbers.
#pragma once

#include <cstddef>

namespace imago::kernel {

/// Dimensions of the array with their batch; those of extent 1 do not count.
inline constexpr int kHookDimensions = 5;
/// Arguments of a call that a launch can use, in the order of the kernel's parameters.
inline constexpr int kHookBuffers = 4, kHookReals = 2, kHookIntegers = 2;
inline constexpr int kHookArguments = kHookBuffers + kHookReals + kHookIntegers;

/// The types of numbers in memory.
enum class InMemory : int { real, f16, i8, u8, i16, u16 };
inline constexpr int kInMemoryTypes = 6;

enum class HookOp : int {
  load,       ///< x is the element at the form's place if it is inside, else 0
  store,      ///< writes x to the form's place if it is inside
  box,        ///< outside unless first <= form < second
  multiply,   ///< x times the factor at the form's place
  number,     ///< x times a real argument
  power,      ///< x is |x|^2
  decibels,   ///< x is 10 log10 |x|^2, and at least the number in the table at `first`
  conjugate,  ///< conjugate of x
  real_part,  ///< imaginary part 0
  add,        ///< sum + x
  take_sum,   ///< x is the sum, which begins again with 0
  clear,      ///< x is 0 unless it is inside; then it counts as inside
  one         ///< x is 1
};

/// The numbers of a step, relative to its first one.
enum HookStepNumber : int {
  kHookOp,
  kHookFirst,     ///< load, store: an InMemory; box; multiply: a buffer, or kHookBuffers: the table
  kHookSecond,    ///< load, store: 1: elements are complex; box; multiply: 1: factors are complex
  kHookThird,     ///< load, store: distance of the imaginary part; multiply: 1: conjugates; 2: the
                  ///< same, and the product of a number with itself is real
  kHookFourth,    ///< load, store: real numbers per element of the offset argument
  kHookFifth,     ///< store: 1: x is added to memory
  kHookConstant,  ///< the form
  kHookArgument,  ///< an integer argument; kHookIntegers: none
  kHookUnit,
  kHookShifts,
  kHookFactors = kHookShifts + kHookDimensions,
  kHookStepNumbers = kHookFactors + kHookDimensions
};

/// The numbers of a launch.
enum HookNumber : int {
  kHookItems,                                   ///< work-items with elements, of one batch element
  kHookBlocks,                                  ///< blocks along dimension 0
  kHookExtents,                                 ///< extents of the dimensions
  kHookSteps = kHookExtents + kHookDimensions,  ///< number of steps
  kFirstHookStep
};

}  // namespace imago::kernel
